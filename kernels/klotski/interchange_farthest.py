"""Rows of the public database's file of farthest layouts, byte for byte.

``code,farthest_step,farthest_num,<the farthest layouts, joined with ->`` for every layout, groups in order of group_num
and codes ascending inside a group; a newline ends every row.
"""

from collections.abc import Iterator

from kernels.klotski.classes import ClassLayouts
from kernels.klotski.codes import format_code
from kernels.klotski.farthest import Farthest, farthest, plan_group
from kernels.klotski.farthest_lists import farthest_lists
from kernels.klotski.group_graphs import GroupGraphs, group_graphs, own_reflections


def farthest_rows(layouts: ClassLayouts, known: Farthest | None = None) -> Iterator[str]:
    """The rows of ``farthest_J-B-S.csv``; ``known``, in name order, saves half of the searches."""
    graphs = group_graphs(layouts)
    for group in range(len(layouts.groups.sizes)):
        yield from _group_rows(graphs, group, known)


def _group_rows(graphs: GroupGraphs, group: int, known: Farthest | None) -> Iterator[str]:
    codes = graphs.codes_of(group)
    plan = plan_group(graphs.graph_of(group), own_reflections(codes))
    members = slice(graphs.starts[group], graphs.starts[group + 1])
    found = farthest(plan) if known is None else Farthest(known.steps[members], known.counts[members])
    lists = farthest_lists(plan, found)
    texts = [format_code(code) for code in codes.tolist()]
    for i, text in enumerate(texts):
        farthest_texts = [texts[v] for v in lists.vertices[lists.starts[i] : lists.starts[i + 1]].tolist()]
        yield f"{text},{found.steps[i]},{found.counts[i]},{'-'.join(farthest_texts)}\n"
