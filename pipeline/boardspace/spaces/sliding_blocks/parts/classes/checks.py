"""Checks of what no equation proves: lengths of puzzles, and trays too large to make all of their packings."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.spaces.sliding_blocks import rules
from boardspace.spaces.sliding_blocks.boards import TraySize, board_text, code_of, parse_board, pieces_of
from boardspace.spaces.sliding_blocks.config import GROUP_CELLS, SlidingBlocksConfig
from boardspace.spec.check import Faults, by_folders, each_case
from boardspace.spec.second_rules import Position
from boardspace.spec.space import Draw, Inputs, Outcome
from boardspace_kernels.sliding_blocks.frontier import count_by_sizes

SMALL_PACKINGS = 3_000
SMALL_CLASS = 2_000
SOLVED_CLASS = 20_000
SOLVED_POSITIONS, SEARCHED_POSITIONS = 30_000, 2_000
"""Positions that drawn classes have in all where one puzzle is solved, and where all are found: a second or two."""
FOLLOWING = tuple(f"records.{column}" for column in ("tray", "histogram", "code", "steps", "board"))
"""Columns of records that follow at every row from the table of classes, from the start and from the marked piece."""
LEAST = 15
"""Drawn rows of each tray, and more where they have few positions."""
FIGURES = ("code", "orbit", "positions", "groups", "joined", "largest_group")
Row = Mapping[str, Any]
Numbers = NDArray[np.int64]


def _by_tray(config: SlidingBlocksConfig, inputs: Inputs, name: str, *columns: str) -> dict[TraySize, pa.Table]:
    """Columns of a table by tray; ValueError for steps of 0, which should be null, and for a tray of another config."""
    table = inputs.table(name, columns=["tray", *columns])
    if "steps" in columns and pc.any(pc.equal(table.column("steps"), 0)).as_py():
        raise ValueError(f"{name}: 0 steps; null stands where there is no puzzle")
    own, trays = by_folders(table, ["tray"]), {tray.name: tray for tray in config.trays}
    if unknown := {tray for (tray,) in own} - trays.keys():
        raise ValueError(f"{name}: a tray {min(unknown)!r} that the config does not name")
    return {tray: own.get((tray.name,), table.slice(0, 0)) for tray in config.trays}


def _numbers(rows: pa.Table, *names: str) -> Iterator[NDArray[Any]]:
    return (pc.fill_null(rows.column(name), 0).to_numpy() for name in names)


def check_packings(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All multisets of sizes with their numbers of packings."""
    names = ["tray", "histogram", "sizes", "pieces", "voids", "packings"]
    found = Counter(tuple(row.values()) for row in inputs.table("histograms", columns=names).to_pylist())
    expected = Counter(
        (tray.name, number, " ".join(map(str, sizes)), len(sizes), tray.cells - sum(sizes), packings)
        for tray in config.trays
        for number, (sizes, packings) in enumerate(count_by_sizes(*tray).items())
    )
    wrong = [f"{names} {row}: the table has it {found[row]} times" for row in (found - expected) | (expected - found)]
    return Outcome(found.total(), found.total(), "".join(wrong[:1]))


@each_case
def check_large_trays(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Faults:
    """Multisets with few packings, made by the plain rules, of trays of which not all packings are made."""
    random, of = draw.generator(), 0
    for tray, own in _by_tray(config, inputs, "histograms", "sizes", "packings", "classes", "orbits").items():
        if tray.cells <= GROUP_CELLS:
            continue
        of += own.num_rows
        small = own.filter((pc.field("packings") > 0) & (pc.field("packings") <= SMALL_PACKINGS))
        for row in small.take(draw.choose(len(small), LEAST, random)).to_pylist():
            sizes = tuple(map(int, row["sizes"].split()))
            classes = {rules.shapes(tray, position) for position in rules.packings(tray, sizes, row["packings"])}
            expected = len(classes), len({min(rules.orbit(tray, one)) for one in classes})
            found = row["classes"], row["orbits"]
            fault = f"{tray.name}, sizes {row['sizes']}: classes and orbits are {expected}, the table has {found}"
            yield "" if found == expected else fault
    return of


@each_case
def check_classes(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Faults:
    """Classes with few positions, or whose multiset has few packings, made and searched by the plain rules."""
    rows = _by_tray(config, inputs, "classes", "histogram", *FIGURES, "steps")
    packings = _by_tray(config, inputs, "histograms", "packings")
    listed = defaultdict[Any, list[Row]](list)
    for row in inputs.table("records").to_pylist():
        listed[row["tray"], row["histogram"], row["code"]].append(row)
    random = draw.generator()
    for tray, own in rows.items():
        if impossible := own.filter(_impossible(own)).column("code").to_pylist():
            yield f"{tray.name}, class {impossible[0]}: no groups have the sizes that its numbers say"
        (of_multiset,) = _numbers(packings[tray], "packings")
        number, positions, steps = _numbers(own, "histogram", "positions", "steps")
        of_multiset = of_multiset[np.minimum(number, len(of_multiset) - 1)]
        small = np.flatnonzero(np.minimum(positions, of_multiset) <= SMALL_CLASS)
        hard = small[steps[small] >= config.records_from]
        chosen = [some[_payable(positions[some], SEARCHED_POSITIONS, draw, random)] for some in (small, hard)]
        for row in own.take(np.unique(np.concatenate(chosen))).to_pylist():
            records = listed[tray.name, row["histogram"], row["code"]]
            fault = _class_fault(tray, row, records, config.records_from)
            yield f"{tray.name}, class {row['code']}: {fault}" if fault else ""
    return sum(own.num_rows for own in rows.values())


def _impossible(own: pa.Table) -> NDArray[np.bool_]:
    """True for classes whose groups of two and more, as many as are left of all without those of one, cannot have as
    many positions as they are said to have."""
    names = ("positions", "groups", "joined", "largest_group")
    positions, groups, joined, largest = (values.astype(np.int64) for values in _numbers(own, *names))
    several = groups - (positions - joined)
    most = np.minimum(largest * several, positions)
    return (joined > most) | (joined < 2 * several) | (several < 1) | (largest > joined)


def _class_fault(tray: TraySize, row: Row, listed: Sequence[Row], records_from: int) -> str:
    """A class's longest puzzles and records against those found by trying; of a large tray, its other figures too."""
    own = rules.shapes(tray, pieces_of(tray, row["code"]))
    positions = rules.positions(tray, own, row["positions"])
    steps, puzzles = rules.longest_puzzles(tray, positions)
    expected = {"steps": steps or None} | (_figures(tray, own, positions) if tray.cells > GROUP_CELLS else {})
    for name, value in expected.items():
        if row[name] != value:
            return f"its {name} is {value}, the table has {row[name]}"
    if steps < records_from:
        return "a record of a class that has none" if listed else ""
    found = [rules.Puzzle(one["start"], one["marked"], one["starts"]) for one in listed]
    right = all(sum(one in images for one in found) == 1 for images in puzzles) and len(found) == len(puzzles)
    return "" if right else f"its records are {found}, and should be one of each of {puzzles}"


def _figures(tray: TraySize, own: rules.Shapes, positions: Sequence[Position]) -> dict[str, int]:
    """All figures of a class but those of its puzzles."""
    groups = rules.groups(tray, positions)
    joined = [position for group in groups if len(group) > 1 for position in group]
    code = min((code_of(tray, position) for position in joined), default=0)
    figures = (code, len(rules.orbit(tray, own)), len(positions), len(groups), len(joined), max(map(len, groups)))
    return dict(zip(FIGURES, figures, strict=True))


def check_records(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Records against classes and multisets, all rows; the cases are those that are solved by the plain rules."""
    return replace(_all_puzzles(config, inputs, draw), whole=FOLLOWING)


@each_case
def _all_puzzles(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Faults:
    records = _by_tray(config, inputs, "records", "histogram", "code", "start", "marked", "steps", "board")
    classes = _by_tray(config, inputs, "classes", "histogram", "code", "positions", "steps")
    histograms = _by_tray(config, inputs, "histograms", "sizes", "largest_group", "steps", "board")
    random = draw.generator()
    for tray, own in records.items():
        hard = classes[tray].filter(pc.field("steps") >= config.records_from)
        yield from _record_faults(tray, own, hard, draw, random)
        yield from _longest_faults(tray, histograms[tray], draw, random)
    puzzles = (own.num_rows - own.column("steps").null_count for own in (*records.values(), *histograms.values()))
    return sum(puzzles)


def _record_faults(tray: TraySize, own: pa.Table, hard: pa.Table, draw: Draw, random: np.random.Generator) -> Faults:
    key = ["histogram", "code", "steps"]
    wanted, found = ({tuple(row.values()) for row in some.select(key).to_pylist()} for some in (hard, own))
    if found != wanted:
        yield f"{tray.name}: class {min(found ^ wanted)} has records and should have none, or the other way round"
    positions = dict(zip(*(hard.column(name).to_pylist() for name in ("code", "positions")), strict=True))
    rows = own.to_pylist()
    for row in rows:
        pieces = pieces_of(tray, row["start"])
        if row["marked"] not in pieces or board_text(tray, pieces, row["marked"]) != row["board"]:
            yield f"{tray.name}: start {row['start']}, marked {row['marked']}, is not {row['board']}"
        if rules.shapes(tray, pieces) not in rules.orbit(tray, rules.shapes(tray, pieces_of(tray, row["code"]))):
            yield f"{tray.name}: start {row['start']} is not of the class {row['code']}"
    costs = [positions.get(row["code"], SOLVED_CLASS + 1) for row in rows]
    for number in _payable(costs, SOLVED_POSITIONS, draw, random):
        yield _length_fault(tray, rows[number], costs[number])


def _longest_faults(tray: TraySize, own: pa.Table, draw: Draw, random: np.random.Generator) -> Faults:
    rows = [row for row in own.to_pylist() if row["board"] is not None or row["steps"] is not None]
    if any(None in row.values() for row in rows):
        yield f"{tray.name}: a board without steps, or steps without a board"
    for row in rows:
        pieces = parse_board(row["board"])[1]
        text = "A" in pieces and board_text(tray, list(pieces.values()), pieces["A"])
        sizes = " ".join(map(str, sorted(piece.bit_count() for piece in pieces.values())))
        if (text, sizes) != (row["board"], row["sizes"]):
            yield f"{tray.name}: {row['board']!r} is no board of sizes {row['sizes']}"
    for number in _payable([row["largest_group"] for row in rows], SOLVED_POSITIONS, draw, random):
        yield _length_fault(tray, rows[number], rows[number]["largest_group"])


def _payable(positions: Sequence[int] | Numbers, most: int, draw: Draw, random: np.random.Generator) -> list[int]:
    """Numbers of drawn classes, by their positions: as many as have ``most`` in all, and 15 at least."""
    cost = np.array(positions, np.int64)
    small = random.permutation(np.flatnonzero(cost <= SOLVED_CLASS))
    chosen = draw.everything | (np.cumsum(cost[small]) <= most) | (np.arange(len(small)) < LEAST)
    payable: list[int] = np.sort(small[chosen]).tolist()
    return payable


def _length_fault(tray: TraySize, row: Row, most: int) -> str:
    """The puzzle of a board, solved by the plain rules; ValueError where its group has more than so many positions."""
    board, (own, pieces, _) = row["board"], parse_board(row["board"])
    if own != tray or not rules.in_corner(tray, pieces.get("A", 0) or 1 << tray.cells - 1, False):
        return f"{tray.name}: {board} does not begin with A in the upper left corner of the tray"
    found = rules.fewest_steps(tray, frozenset(pieces.values()), pieces["A"], most)
    return "" if found == row["steps"] else f"{tray.name}: {board} takes {found} steps, the table has {row['steps']}"
