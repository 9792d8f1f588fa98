"""Rows of the public database's files of a class, byte for byte.

``code,min_solution_step,min_solution_num,<solutions of the least step, joined with ->,solution_num`` for every layout,
groups in order of group_num and codes ascending inside a group; a newline ends every row.
"""

from collections.abc import Iterator

import numpy as np

from kernels.klotski.board import EXIT
from kernels.klotski.classes import ClassLayouts
from kernels.klotski.codes import BLOCK_SHIFT, format_code
from kernels.klotski.moves import STEP
from kernels.klotski.solutions import Solutions, solutions
from kernels.klotski.step_graph import move_graph


def group_solutions(layouts: ClassLayouts, group_num: int) -> tuple[list[int], Solutions]:
    """The codes of a group, ascending, and its solutions; vertex = group_index."""
    rows = np.flatnonzero(layouts.groups.group_num == group_num)
    vertex_at = np.empty(len(layouts.codes), dtype=np.int32)
    vertex_at[layouts.addresses[rows]] = np.arange(len(rows), dtype=np.int32)
    tables = layouts.tables
    graph = move_graph(tables.patterns, tables.fillings, STEP, layouts.addresses[rows], vertex_at)
    codes = layouts.codes[rows]
    return codes.tolist(), solutions(graph, (codes >> np.uint64(BLOCK_SHIFT)) == EXIT)


def solution_rows(layouts: ClassLayouts) -> Iterator[str]:
    """The rows of ``solution_J-B-S.csv``."""
    for group_num in range(len(layouts.groups.sizes)):
        codes, found = group_solutions(layouts, group_num)
        texts = [format_code(code) for code in codes]
        for i, text in enumerate(texts):
            nearest = "-".join(texts[v] for v in found.nearest[found.starts[i] : found.starts[i + 1]].tolist())
            yield f"{text},{found.min_step[i]},{found.min_num[i]},{nearest},{found.num[i]}\n"
