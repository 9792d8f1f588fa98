"""Checks of what no equation proves: lengths of puzzles, and trays too large to make all of their packings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.spaces.sliding_blocks import rules
from boardspace.spaces.sliding_blocks.boards import BoardError, TraySize, board_text, code_of, parse_board, pieces_of
from boardspace.spaces.sliding_blocks.config import GROUP_CELLS, SlidingBlocksConfig
from boardspace.spec.space import Draw, Inputs, Outcome, outcome
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
Faults = Iterator[str]
Columns = Mapping[str, NDArray[Any]]
"""The rows of one tray by column, null as 0."""
Row = Mapping[str, Any]


def _by_tray(config: SlidingBlocksConfig, inputs: Inputs, name: str, *columns: str) -> dict[TraySize, Columns]:
    """Columns of a table by tray; ValueError for steps of 0, which should be null, and for a tray of another config."""
    table = inputs.table(name, columns=["tray", *columns])
    if "steps" in columns and pc.any(pc.equal(table.column("steps"), 0)).as_py():
        raise ValueError(f"{name}: 0 steps; null stands where there is no puzzle")
    trays = table.column("tray")
    unknown = set(trays.unique().to_pylist()) - {tray.name for tray in config.trays}
    if unknown:
        raise ValueError(f"{name}: a tray {min(unknown)!r} that the config does not name")
    own = {tray: table.filter(pc.equal(trays, tray.name)) for tray in config.trays}
    return {tray: {column: _filled(rows.column(column)) for column in columns} for tray, rows in own.items()}


def _filled(column: Any) -> NDArray[Any]:
    values: NDArray[Any] = (column if column.type == "string" else pc.fill_null(column, 0)).to_numpy()
    return values


def _row(columns: Columns, number: int) -> dict[str, Any]:
    return {
        name: values[number] if values.dtype == object else values[number].item() for name, values in columns.items()
    }


def _faults(faults: Faults, of: int | None = None) -> Outcome:
    try:
        return outcome(faults, of)
    except (ValueError, BoardError) as error:
        return Outcome(0, of or 0, str(error))


def check_packings(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All multisets of sizes with their numbers of packings."""
    return _faults(_packings(config, inputs))


def _packings(config: SlidingBlocksConfig, inputs: Inputs) -> Faults:
    names = ("histogram", "sizes", "pieces", "voids", "packings")
    for tray, own in _by_tray(config, inputs, "histograms", *names).items():
        expected = [
            (number, " ".join(map(str, sizes)), len(sizes), tray.cells - sum(sizes), packings)
            for number, (sizes, packings) in enumerate(count_by_sizes(*tray).items())
        ]
        found = list(zip(*(own[name].tolist() for name in names), strict=True))
        for row, wanted in zip_longest(found, expected):
            yield "" if row == wanted else f"{tray.name}: {names} are {wanted}, the table has {row}"


CLASS = ("histogram", "code", "orbit", "positions", "groups", "joined", "largest_group", "steps")


def check_large_trays(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Multisets with few packings, made by the plain rules, of trays of which not all packings are made."""
    rows = _by_tray(config, inputs, "histograms", "sizes", "packings", "classes", "orbits")
    large = {tray: own for tray, own in rows.items() if tray.cells > GROUP_CELLS}
    return _faults(_multisets(large, draw), sum(len(own["sizes"]) for own in large.values()))


def _multisets(rows: Mapping[TraySize, Columns], draw: Draw) -> Faults:
    random = draw.generator()
    for tray, own in rows.items():
        small = np.flatnonzero((own["packings"] > 0) & (own["packings"] <= SMALL_PACKINGS))
        for chosen in draw.choose(len(small), LEAST, random):
            row = _row(own, int(small[chosen]))
            sizes = tuple(map(int, row["sizes"].split()))
            classes = {rules.shapes(tray, position) for position in rules.packings(tray, sizes, row["packings"])}
            expected = len(classes), len({min(rules.orbit(tray, one)) for one in classes})
            found = row["classes"], row["orbits"]
            fault = f"{tray.name}, sizes {row['sizes']}: classes and orbits are {expected}, the table has {found}"
            yield "" if found == expected else fault


def check_classes(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Classes with few positions, or whose multiset has few packings, made and searched by the plain rules."""
    rows = _by_tray(config, inputs, "classes", *CLASS)
    packings = _by_tray(config, inputs, "histograms", "packings")
    records: dict[tuple[str, int, int], list[Row]] = {}
    for tray, own in _by_tray(
        config, inputs, "records", "histogram", "code", "start", "marked", "steps", "starts"
    ).items():
        for row in (_row(own, number) for number in range(len(own["code"]))):
            records.setdefault((tray.name, row["histogram"], row["code"]), []).append(row)
    random = draw.generator()

    def faults() -> Faults:
        """Yield the fault of each class that is drawn, '' where it is right."""
        for tray, own in rows.items():
            if impossible := own["code"][_impossible(own)].tolist():
                yield f"{tray.name}, class {impossible[0]}: no groups have the sizes that its numbers say"
            of_multiset = packings[tray]["packings"][np.minimum(own["histogram"], len(packings[tray]["packings"]) - 1)]
            small = np.flatnonzero(np.minimum(own["positions"], of_multiset) <= SMALL_CLASS)
            hard = small[own["steps"][small] >= config.records_from]
            chosen = [
                int(some[i])
                for some in (small, hard)
                for i in _payable(own["positions"][some].tolist(), SEARCHED_POSITIONS, draw, random)
            ]
            for row in (_row(own, number) for number in sorted(set(chosen))):
                listed = records.get((tray.name, row["histogram"], row["code"]), [])
                fault = _class_fault(tray, row, listed, config.records_from)
                yield f"{tray.name}, class {row['code']}: {fault}" if fault else ""

    return _faults(faults(), sum(len(own["code"]) for own in rows.values()))


def _impossible(own: Columns) -> NDArray[np.bool_]:
    """True for classes whose groups of two and more, as many as are left of all without those of one, cannot have as
    many positions as they are said to have."""
    some = {name: own[name].astype(np.int64) for name in ("positions", "groups", "joined", "largest_group")}
    several, joined = some["groups"] - (some["positions"] - some["joined"]), some["joined"]
    most = np.minimum(some["largest_group"] * several, some["positions"])
    return (joined > most) | (joined < 2 * several) | (several < 1) | (some["largest_group"] > joined)


def _class_fault(tray: TraySize, row: Row, listed: Sequence[Row], records_from: int) -> str:
    """A class's longest puzzles and records against those found by trying; of a large tray, its other figures too."""
    own = rules.shapes(tray, pieces_of(tray, row["code"]))
    between = rules.steps_between(tray, rules.positions(tray, own, row["positions"]))
    steps, puzzles = rules.longest_puzzles(tray, between)
    expected = {"steps": steps} | (_figures(tray, own, between) if tray.cells > GROUP_CELLS else {})
    for name, value in expected.items():
        if row[name] != value:
            return f"its {name} is {value}, the table has {row[name]}"
    if steps < records_from:
        return "a record of a class that has none" if listed else ""
    found = [rules.Puzzle(one["start"], one["marked"], one["starts"]) for one in listed]
    right = all(sum(one in images for one in found) == 1 for images in puzzles) and len(found) == len(puzzles)
    return "" if right else f"its records are {found}, and should be one of each of {puzzles}"


def _figures(tray: TraySize, own: rules.Shapes, between: rules.Steps) -> dict[str, int]:
    """All figures of a class but those of its puzzles."""
    groups = rules.groups(between)
    joined = [position for group in groups if len(group) > 1 for position in group]
    return {
        "code": min((code_of(tray, position) for position in joined), default=0),
        "orbit": len(rules.orbit(tray, own)),
        "positions": len(between),
        "groups": len(groups),
        "joined": len(joined),
        "largest_group": max(map(len, groups), default=0),
    }


def check_records(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Records against classes and multisets, all rows; the cases are those that are solved by the plain rules."""
    records = _by_tray(config, inputs, "records", "histogram", "code", "start", "marked", "steps", "board")
    classes = _by_tray(config, inputs, "classes", "histogram", "code", "positions", "steps")
    histograms = _by_tray(config, inputs, "histograms", "histogram", "sizes", "largest_group", "steps", "board")
    with_board = sum(int(np.count_nonzero(own["steps"])) for own in histograms.values())
    of = sum(len(own["histogram"]) for own in records.values()) + with_board
    random = draw.generator()

    def faults() -> Faults:
        """Yield the fault of each record, and of each multiset with a puzzle, '' where it is right."""
        for tray, own in records.items():
            yield from _record_faults(tray, own, classes[tray], config.records_from, draw, random)
            yield from _longest_faults(tray, histograms[tray], draw, random)

    return replace(_faults(faults(), of), whole=FOLLOWING)


def _record_faults(
    tray: TraySize, own: Columns, classes: Columns, records_from: int, draw: Draw, random: np.random.Generator
) -> Faults:
    key = ("histogram", "code", "steps")
    hard = {name: values[classes["steps"] >= records_from] for name, values in classes.items()}
    wanted, found = (set(zip(*(some[name].tolist() for name in key), strict=True)) for some in (hard, own))
    if found != wanted:
        yield f"{tray.name}: class {min(found ^ wanted)} has records and should have none, or the other way round"
    positions = dict(zip(hard["code"].tolist(), hard["positions"].tolist(), strict=True))
    costs = [positions.get(code, SOLVED_CLASS + 1) for code in own["code"].tolist()]
    solved = set(_payable(costs, SOLVED_POSITIONS, draw, random))
    for number in range(len(costs)):
        row = _row(own, number)
        pieces = pieces_of(tray, row["start"])
        right = row["marked"] in pieces and board_text(tray, pieces, row["marked"]) == row["board"]
        fault = "" if right else f"{tray.name}: start {row['start']}, marked {row['marked']}, is not {row['board']}"
        if number in solved:
            orbit = rules.orbit(tray, rules.shapes(tray, pieces_of(tray, row["code"])))
            away = rules.shapes(tray, pieces) not in orbit
            fault = fault or (f"{tray.name}: start {row['start']} is not of the class {row['code']}" if away else "")
            fault = fault or _length_fault(tray, row["board"], row["steps"], costs[number])
        if fault or number in solved:
            yield fault


def _longest_faults(tray: TraySize, own: Columns, draw: Draw, random: np.random.Generator) -> Faults:
    if [board is not None for board in own["board"]] != (own["steps"] > 0).tolist():
        yield f"{tray.name}: a board without steps, or steps without a board"
        return
    with_board = np.flatnonzero(own["steps"])
    solved = set(_payable(own["largest_group"][with_board].tolist(), SOLVED_POSITIONS, draw, random))
    for index, number in enumerate(with_board.tolist()):
        row = _row(own, number)
        pieces = parse_board(row["board"])[1]
        text = "A" in pieces and board_text(tray, list(pieces.values()), pieces["A"])
        sizes = " ".join(map(str, sorted(piece.bit_count() for piece in pieces.values())))
        if (text, sizes) != (row["board"], row["sizes"]):
            yield f"{tray.name}: {row['board']!r} is no board of sizes {row['sizes']}"
        elif index in solved:
            yield _length_fault(tray, row["board"], row["steps"], row["largest_group"])


def _payable(positions: Sequence[int], most: int, draw: Draw, random: np.random.Generator) -> list[int]:
    """Numbers of drawn classes, by their positions: as many as have ``most`` in all, and 15 at least."""
    small = [number for number, cost in enumerate(positions) if cost <= SOLVED_CLASS]
    chosen, left = list[int](), most
    for number in random.permutation(small).astype(int).tolist():
        left -= positions[number]
        if draw.everything or len(chosen) < LEAST or left >= 0:
            chosen.append(number)
    return sorted(chosen)


def _length_fault(tray: TraySize, board: str, steps: int, most: int) -> str:
    """The puzzle of a board, solved by the plain rules; ValueError where its group has more than so many positions."""
    own, pieces, _ = parse_board(board)
    if own != tray or not rules.in_corner(tray, pieces.get("A", 0) or 1 << tray.cells - 1, False):
        return f"{tray.name}: {board} does not begin with A in the upper left corner of the tray"
    found = rules.fewest_steps(tray, frozenset(pieces.values()), pieces["A"], most)
    return "" if found == steps else f"{tray.name}: {board} takes {found} steps, the table has {steps}"
