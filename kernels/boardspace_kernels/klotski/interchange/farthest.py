"""Rows of the public database's file of farthest layouts, byte for byte.

``code,farthest_step,farthest_num,<the farthest layouts, joined with ->`` for every layout, groups in order of group_num
and codes ascending inside a group; a newline ends every row.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.codes import format_code
from boardspace_kernels.klotski.farthest.lists import FarthestLists, farthest_lists
from boardspace_kernels.klotski.farthest.steps import Farthest, farthest, orbit_graph
from boardspace_kernels.klotski.group_graphs import group_codes, group_graphs


def farthest_rows(layouts: ClassLayouts, known: Farthest | None = None) -> Iterator[str]:
    """The rows of ``farthest_J-B-S.csv``; ``known``, in name order, saves half of the searches."""
    graphs = group_graphs(layouts)
    for group, codes in enumerate(group_codes(layouts)):
        orbits = orbit_graph(graphs.graph_of(group), graphs.reflections.of_group(group))
        members = slice(graphs.starts[group], graphs.starts[group + 1])
        found = farthest(orbits) if known is None else known.at(members)
        yield from _group_rows(codes, found, farthest_lists(orbits, found))


def _group_rows(codes: npt.NDArray[np.uint64], found: Farthest, lists: FarthestLists) -> Iterator[str]:
    texts = [format_code(code) for code in codes.tolist()]
    for i, text in enumerate(texts):
        last = "-".join(texts[v] for v in lists.vertices[lists.starts[i] : lists.starts[i + 1]].tolist())
        yield f"{text},{found.steps[i]},{found.counts[i]},{last}\n"
