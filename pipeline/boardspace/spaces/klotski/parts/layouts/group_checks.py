"""The check of groups: the table made anew from the rows of all layouts, and some classes walked whole.

One pass goes over all layouts in order of ids. As ids ascend, a layout's number in its group is the number of those
seen before. The columns of groups are recounted meanwhile. Whole classes walked with NumPy, and some layouts of every
class with their steps, show that groups are what moves join.
"""

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.sampling import Groups, RowFaultError, Sample, refuse
from boardspace.spaces.klotski.table_rows import CLASS, MissingRowsError, Rows
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.one_pass import Pass, alone
from boardspace.spec.space import Draw, Inputs, Outcome
from boardspace_kernels.klotski.group_recount import Recount, count_layouts

WALKED = 200_000
"""Layouts of the classes that are walked whole."""
MOVED = 50
"""Layouts of each class, in a range of ids, whose steps are tried."""
EXIT = np.uint64(13)
MOST_GROUPS = 1 << 16
NOTHING = -2
"""Below every number of steps."""


def check_groups(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All numbers of groups and in groups, the whole table of groups; some classes walked."""
    return alone(read_groups(config, inputs, draw), inputs)


def read_groups(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_groups` as a pass over tables."""
    table = inputs.table("groups")
    try:
        groups = Groups(table)
        if len(groups) < table.num_rows or len(groups) > MOST_GROUPS:
            raise RowFaultError(f"a row has no class, or there are more than {MOST_GROUPS:,}")
        count, sample = _Count(groups), Sample(groups.class_sizes(), WALKED, draw)
        for between in table_rows.id_ranges():
            rows = yield from table_rows.rows_between(
                between,
                ("main", ("code", *CLASS, "group_num", "group_index")),
                ("solution", ("min_solution_step",)),
            )
            if len(rows["code"]):
                group = groups.numbers(rows)
                count.add(rows, group)
                kept = {"code": rows["code"], "group_num": rows["group_num"], "group_index": rows["group_index"]}
                _try_steps(kept, group, sample.keep(kept, groups.classes[group], MOVED))
        count.compare()
        for name, whole in sample.classes():
            _walk(name, whole)
    except (RowFaultError, MissingRowsError) as error:
        return Outcome(0, table.num_rows, str(error))
    return Outcome(table.num_rows, table.num_rows)


class _Count:
    """Counts of all groups from the layouts seen so far.

    counted: sizes, exits, seeds and hardest layouts.
    mirror_code, mirror_group: the mirror image of the seed that the table states, and the group where it was met.
    """

    def __init__(self, groups: Groups) -> None:
        self.groups, count = groups, len(groups)
        size, exits = (np.zeros(count, dtype=np.int64) for _ in range(2))
        seed, hardest_code = (np.zeros(count, dtype=np.uint64) for _ in range(2))
        self.counted = Recount(size, exits, seed, np.full(count, NOTHING, dtype=np.int64), hardest_code)
        self.mirror_code = _mirror_images(groups.table.column("seed_code").to_numpy())
        self.mirror_group = np.full(count, -1, dtype=np.int64)

    def add(self, rows: Rows, group: NDArray[np.int64]) -> None:
        """Count the rows of a range of ids, which belong to these groups."""
        codes = rows["code"]
        wrong = count_layouts(self.counted, EXIT, codes, group, rows["group_index"], rows["min_solution_step"])
        if wrong >= 0:
            raise RowFaultError(f"{format_code(int(codes[wrong]))}: its group_index is not its rank by code")
        self._find_mirrors(codes, group)

    def _find_mirrors(self, codes: NDArray[np.uint64], group: NDArray[np.int64]) -> None:
        """Find the groups of the mirror images of seeds among these layouts."""
        places = np.minimum(np.searchsorted(codes, self.mirror_code), len(codes) - 1)
        here = codes[places] == self.mirror_code
        self.mirror_group[here] = self.groups.keys["group_num"][group[places[here]]]

    def compare(self) -> None:
        """Compare the table with the counts, and the order of groups with the rule; RowFaultError if they differ."""
        size, seed = self.counted.size, self.counted.seed
        expected = {
            **self.groups.keys,
            "group_size": size,
            "seed_code": seed,
            "exits": self.counted.exits,
            "solvable": self.counted.exits > 0,
            "hardest_step": self.counted.hardest_step,
            "hardest_code": self.counted.hardest_code,
            "mirror_group": self.mirror_group,
        }
        fault = table_difference(self.groups.table, expected, 4)
        classes = self.groups.classes
        smaller, equal = size[1:] < size[:-1], size[1:] == size[:-1]
        in_order = smaller | equal & (seed[1:] > seed[:-1])
        wrong = np.flatnonzero((classes[1:] == classes[:-1]) & ~in_order)
        if not fault and len(wrong):
            fault = f"class {table_rows.class_name(classes[wrong[0]])}: its groups are not the largest first"
        if not fault and (size == 0).any():
            fault = f"row {np.argmin(size)} of groups has no layout"
        if fault:
            raise RowFaultError(fault)


def _try_steps(rows: Rows, group: NDArray[np.int64], drawn: NDArray[np.int64]) -> None:
    """Move the pieces of some layouts; what lies in the range is in the same group."""
    codes = rows["code"]
    steps = walks.steps_inside(walks.Board(), codes, drawn, "step")
    wrong = steps.missing | (steps.ends >= 0) & (group[steps.starts] != group[steps.ends])
    refuse(wrong, codes[steps.starts], "a step leads out of its group")


def _walk(name: str, rows: Rows) -> None:
    """Walk a class: groups, their numbers and those in them are what unit moves, sizes and codes make."""
    layouts, codes = walks.decoded(walks.Board(), rows["code"]), rows["code"]
    refuse(~layouts.legal, codes, "it is no layout")
    try:
        labels = walks.components(walks.move_graph(walks.Board(), layouts, "unit_move"))
    except KeyError as error:
        raise RowFaultError(f"class {name} is not closed under moves: {error}") from error
    number, index = walks.numbered(labels)
    wrong = (number != rows["group_num"]) | (index != rows["group_index"])
    refuse(wrong, codes, f"walking class {name} gives another group")


def _mirror_images(codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The codes of the left-right mirror images of layouts; RowFaultError where a code is none."""
    layouts = walks.decoded(walks.Board(), codes)
    refuse(~layouts.legal, codes, "the seed of a group is no layout")
    return walks.encoded(walks.Board(), walks.reflected(walks.Board(), layouts.anchors, True))
