"""Rows of the public database's files of a class, byte for byte.

``code,min_solution_step,min_solution_num,<solutions of the least step, joined with ->,solution_num`` for every layout,
groups in order of group_num and codes ascending inside a group; a newline ends every row.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.codes import format_code
from boardspace_kernels.klotski.group_graphs import group_codes, group_graphs
from boardspace_kernels.klotski.nearest_solutions import list_nearest
from boardspace_kernels.klotski.solutions import class_solutions


def solution_rows(layouts: ClassLayouts, known: npt.NDArray[np.int32] | None = None) -> Iterator[str]:
    """The rows of ``solution_J-B-S.csv``; ``known`` numbers of solutions, int32 in name order, save nearly all time."""
    graphs = group_graphs(layouts)
    found = class_solutions(layouts, graphs, len(layouts.codes) if known is None else 0)
    numbers = found.number if known is None else known
    for group, codes in enumerate(group_codes(layouts)):
        first = int(graphs.starts[group])
        members = slice(first, first + len(codes))
        starts, nearest = list_nearest(graphs.graph_of(group), found.least[members], found.nearest[members])
        texts = [format_code(code) for code in codes.tolist()]
        for i, text in enumerate(texts):
            solutions = "-".join(texts[v] for v in nearest[starts[i] : starts[i + 1]].tolist())
            row = first + i
            yield f"{text},{found.least[row]},{found.nearest[row]},{solutions},{numbers[row]}\n"
