"""The check of groups: the table made anew from the rows of all layouts, and some classes walked whole.

One pass goes over all layouts in order of ids. The rows of a range are sorted by group; as ids ascend, a layout's
number in its group is the number of those seen before. The columns of groups are recounted meanwhile. Whole classes
walked with NumPy, and some layouts of every class with their steps, show that groups are what moves join.
"""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes
from boardspace.spaces.klotski.parts.layouts.checks import mirrored_piece
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES, MissingRowsError
from boardspace.spaces.klotski.texts import LayoutError, decode, encode, format_code
from boardspace.spec.space import Draw, Inputs, Outcome

WALKED = 150_000
"""Layouts of the classes that are walked whole."""
MOVED = 50
"""Layouts of each class, in a range of ids, whose steps are tried."""
EXIT = np.uint64(13)
MOST_GROUPS = 1 << 16
NOTHING = -2
"""Below every number of steps."""


def check_groups(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All numbers of groups and in groups, the whole table of groups; some classes walked."""
    table = inputs.table("groups")
    try:
        check = _Groups(table, draw)
        for rows in table_rows.ranges(
            inputs,
            ("main", ("code", *CLASS, "group_num", "group_index")),
            ("solution", ("min_solution_step",)),
        ):
            check.count(rows)
        check.compare(table)
        check.walk()
    except (GroupFaultError, MissingRowsError, LayoutError) as error:
        return Outcome(0, table.num_rows, str(error))
    return Outcome(table.num_rows, table.num_rows)


class GroupFaultError(Exception):
    """A fault of a row."""


class _Groups:
    """Counts of all groups, numbered as the table's rows, from the layouts seen so far."""

    def __init__(self, table: pa.Table, draw: Draw) -> None:
        self.draw, self.random = draw, draw.generator()
        columns = {name: table.column(name).to_numpy() for name in (*CLASS, "group_num", "seed_code")}
        classes = table_rows.class_numbers(columns)
        if (classes < 0).any() or table.num_rows > MOST_GROUPS:
            raise GroupFaultError(f"a row has no class, or there are more than {MOST_GROUPS:,}")
        self.classes, count = classes, table.num_rows
        self.groups_of = np.bincount(classes, minlength=len(CLASSES))
        self.first_of = np.searchsorted(classes, np.arange(len(CLASSES)))
        self.size, self.exits = (np.zeros(count, dtype=np.int64) for _ in range(2))
        self.seed, self.hardest_code = (np.zeros(count, dtype=np.uint64) for _ in range(2))
        self.hardest_step = np.full(count, NOTHING, dtype=np.int64)
        self.mirror_code = np.array([mirror_of(code) for code in columns["seed_code"].tolist()], dtype=np.uint64)
        self.mirror_group = np.full(count, -1, dtype=np.int64)
        sizes = [class_sizes()[CLASSES[n]] if self.groups_of[n] else 0 for n in range(len(CLASSES))]
        self.walked = table_rows.drawn_classes(sizes, WALKED, self.random, draw.everything)
        self.layouts: dict[int, list[table_rows.Rows]] = {number: [] for number in self.walked}

    def count(self, rows: table_rows.Rows) -> None:
        """Count the rows of a range of ids."""
        codes, number, classes = rows["code"], rows["group_num"].astype(np.int64), table_rows.class_numbers(rows)
        if not len(codes):
            return
        self._refuse((classes < 0) | (number >= self.groups_of[classes]), codes, "its group has no row in groups")
        group = (self.first_of[classes] + number).astype(np.uint16)
        order = np.argsort(group, kind="stable")
        sorted_group = group[order].astype(np.int64)
        starts = np.flatnonzero(np.r_[True, sorted_group[1:] != sorted_group[:-1]])
        met, counts = sorted_group[starts], np.diff(np.r_[starts, len(order)])
        index = np.arange(len(order)) + np.repeat(self.size[met] - starts, counts)
        self._refuse(rows["group_index"][order] != index, codes[order], "its group_index is not its rank by code")
        new = self.size[met] == 0
        self.seed[met[new]] = codes[order[starts[new]]]
        self.size[met] += counts
        self.exits += np.bincount(group[codes >> np.uint64(32) == EXIT], minlength=len(self.size))
        self._count_hardest(rows["min_solution_step"][order].astype(np.int64), codes[order], sorted_group, starts)
        self._find_mirrors(codes, group)
        self._try_steps(codes, group, order, classes)

    def _refuse(self, wrong: NDArray[np.bool_], codes: NDArray[np.uint64], what: str) -> None:
        if wrong.any():
            raise GroupFaultError(f"{format_code(int(codes[np.argmax(wrong)]))}: {what}")

    def _count_hardest(
        self,
        steps: NDArray[np.int64],
        codes: NDArray[np.uint64],
        group: NDArray[np.int64],
        starts: NDArray[np.int64],
    ) -> None:
        """Raise the most steps of groups; the first layout that has them is the one with the smallest code."""
        met, most = group[starts], np.maximum.reduceat(steps, starts)
        raised = most > self.hardest_step[met]
        self.hardest_step[met[raised]] = most[raised]
        raised_groups = np.zeros(len(self.size), dtype=np.bool_)
        raised_groups[met[raised]] = True
        holders = np.flatnonzero(raised_groups[group] & (steps == self.hardest_step[group]))[::-1]
        self.hardest_code[group[holders]] = codes[holders]

    def _find_mirrors(self, codes: NDArray[np.uint64], group: NDArray[np.uint16]) -> None:
        """Find the groups of the mirror images of seeds among these layouts."""
        places = np.minimum(np.searchsorted(codes, self.mirror_code), len(codes) - 1)
        here = codes[places] == self.mirror_code
        mirrored = group[places[here]]
        self.mirror_group[here] = mirrored - self.first_of[self.classes[mirrored]]

    def _try_steps(
        self,
        codes: NDArray[np.uint64],
        group: NDArray[np.uint16],
        order: NDArray[np.int64],
        classes: NDArray[np.int16],
    ) -> None:
        """Move the pieces of some layouts of each class; what lies in the range is in the same group.

        Rows of walked classes are kept.
        """
        sorted_class = classes[order]
        bounds = np.searchsorted(sorted_class, np.arange(len(CLASSES) + 1))
        drawn = []
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            in_class = order[bounds[number] : bounds[number + 1]]
            if number in self.layouts:
                mine = np.sort(in_class)
                self.layouts[number].append({"code": codes[mine], "group": group[mine]})
            drawn.append(in_class[self.random.integers(0, len(in_class), MOVED)])
        rows = np.concatenate(drawn)
        steps = walks.steps_inside(walks.Board(), codes, rows, "step")
        wrong = steps.missing | (steps.ends >= 0) & (group[steps.starts] != group[steps.ends])
        self._refuse(wrong, codes[steps.starts], "a step leads out of its group")

    def compare(self, table: pa.Table) -> None:
        """Compare the table with the counts, and the order of groups with the rule."""
        count = table.num_rows
        expected = {
            **{name: np.array(CLASSES)[self.classes, at] for at, name in enumerate(CLASS)},
            "group_num": np.arange(count) - self.first_of[self.classes],
            "group_size": self.size,
            "seed_code": self.seed,
            "exits": self.exits,
            "solvable": self.exits > 0,
            "hardest_step": self.hardest_step,
            "hardest_code": self.hardest_code,
            "mirror_group": self.mirror_group,
        }
        fault = table_difference(table, expected, 4)
        same_class = self.classes[1:] == self.classes[:-1]
        smaller, equal = self.size[1:] < self.size[:-1], self.size[1:] == self.size[:-1]
        wrong = np.flatnonzero(same_class & ~(smaller | equal & (self.seed[1:] > self.seed[:-1])))
        if not fault and len(wrong):
            fault = f"class {table_rows.class_name(self.classes[wrong[0]])}: its groups are not the largest first"
        if not fault and (self.size == 0).any():
            fault = f"row {np.argmin(self.size)} of groups has no layout"
        if fault:
            raise GroupFaultError(fault)

    def walk(self) -> None:
        """Walk the drawn classes: groups and numbers are those that unit moves, sizes and codes make."""
        board = walks.Board()
        for number, parts in self.layouts.items():
            codes, group = (np.concatenate([part[name] for part in parts]) for name in ("code", "group"))
            layouts = walks.decoded(board, codes)
            name = table_rows.class_name(number)
            if not layouts.legal.all():
                raise GroupFaultError(f"{format_code(int(codes[np.argmin(layouts.legal)]))} is no layout")
            try:
                labels = walks.components(walks.move_graph(board, layouts, "unit_move"))
            except KeyError as error:
                raise GroupFaultError(f"class {name} is not closed under moves: {error}") from error
            found, _ = walks.numbered(labels)
            self._refuse(found != group - self.first_of[number], codes, f"walking class {name} gives another group")


def mirror_of(code: int) -> int:
    """The code of the left-right mirror image of a layout; LayoutError where the code is none."""
    return encode([mirrored_piece(piece) for piece in decode(code, format_code(code))])
