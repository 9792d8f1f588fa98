"""Checks of packings, classes, groups and records, in plain Python."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.spaces.sliding_blocks import rules
from boardspace.spaces.sliding_blocks.boards import BoardError, TraySize, board_text, parse_board, pieces_of
from boardspace.spaces.sliding_blocks.config import GROUP_CELLS, SlidingBlocksConfig
from boardspace.spec.space import Draw, Inputs, Outcome, outcome
from boardspace_kernels.sliding_blocks.frontier import count_by_sizes

SMALL_PACKINGS = 3_000
SMALL_CLASS = 2_000
SOLVED_CLASS = 20_000
SOLVED_POSITIONS, SEARCHED_POSITIONS = 30_000, 2_000
"""Positions that drawn classes have in all where one puzzle is solved, and where all are found: a second or two."""
LEAST = 15
"""Drawn rows of each tray, and more where they have few positions."""
Faults = Iterator[str]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Columns:
    """The rows of one tray of a table, a NumPy array a column, null as 0."""

    tray: TraySize
    columns: Mapping[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    def row(self, number: int) -> dict[str, Any]:
        """One row by column."""
        return {name: values[number].item() for name, values in self.columns.items()}


def _by_tray(config: SlidingBlocksConfig, inputs: Inputs, name: str, columns: Sequence[str]) -> list[Columns]:
    """The numbers of a table by tray, in the order of the config; ValueError for steps of 0, which should be null."""
    table = inputs.table(name, columns=["tray", *columns])
    if "steps" in columns and pc.any(pc.equal(table.column("steps"), 0)).as_py():
        raise ValueError(f"{name}: 0 steps; null stands where there is no puzzle")
    trays = table.column("tray")
    unknown = set(trays.unique().to_pylist()) - {tray.name for tray in config.trays}
    if unknown:
        raise ValueError(f"{name}: a tray {min(unknown)!r} that the config does not name")
    own = {tray: table.filter(pc.equal(trays, tray.name)) for tray in config.trays}
    return [Columns(tray, {name: _filled(rows.column(name)) for name in columns}) for tray, rows in own.items()]


def _filled(column: pa.ChunkedArray) -> NDArray[Any]:
    return column.fill_null(0).to_numpy() if pa.types.is_integer(column.type) else column.to_numpy(zero_copy_only=False)


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
    for own in _by_tray(config, inputs, "histograms", names):
        expected = [
            (number, " ".join(map(str, sizes)), len(sizes), own.tray.cells - sum(sizes), packings)
            for number, (sizes, packings) in enumerate(count_by_sizes(*own.tray).items())
        ]
        found = list(zip(*(own[name].tolist() for name in names), strict=True))
        if len(found) != len(expected):
            yield f"{own.tray.name}: there are {len(expected)} multisets of sizes, the table has {len(found)}"
        for row, wanted in zip(found, expected, strict=False):
            yield "" if row == wanted else f"{own.tray.name}: {names} are {wanted}, the table has {row}"


_SUMS = ("histogram", "code", "orbit", "positions", "groups", "joined", "largest_group", "steps")


def check_sums(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Groups, packings alone, largest groups and longest puzzles of every multiset, from its classes."""
    return _faults(_sums(config, inputs))


def _sums(config: SlidingBlocksConfig, inputs: Inputs) -> Faults:
    names = ("histogram", "packings", "classes", "orbits", "groups", "alone", "largest_group", "steps")
    classes = _by_tray(config, inputs, "classes", _SUMS)
    for own, some in zip(_by_tray(config, inputs, "histograms", names), classes, strict=True):
        yield from _odd_classes(some)
        at, weight = some["histogram"].astype(np.int64), some["orbit"].astype(np.int64)
        if len(at) and int(at.max()) >= len(own):
            yield f"{own.tray.name}: classes of a multiset {at.max()} that there is not"
            continue

        def added(values: NDArray[Any], at: NDArray[np.int64] = at, own: Columns = own) -> NDArray[np.int64]:
            """Sums of values over the classes of each row."""
            total = np.zeros(len(own), np.int64)
            np.add.at(total, at, values.astype(np.int64))
            return total

        def largest(values: NDArray[Any], at: NDArray[np.int64] = at, own: Columns = own) -> NDArray[np.int64]:
            """Largest values over the classes of each row."""
            most = np.zeros(len(own), np.int64)
            np.maximum.at(most, at, values.astype(np.int64))
            return most

        packings = own["packings"].astype(np.int64)
        derived = {
            "groups": packings - added(weight * some["positions"]) + added(weight * some["groups"]),
            "alone": packings - added(weight * some["joined"]),
            "largest_group": np.maximum(largest(some["largest_group"]), np.minimum(packings, 1)),
            "steps": largest(some["steps"]),
        }
        few = (
            (packings < added(weight * some["positions"]))
            | (own["classes"] < added(weight))
            | (own["orbits"] < added(np.ones(len(at))))
        )
        for number in range(len(own)):
            wrong = [name for name, values in derived.items() if own[name][number] != values[number]]
            fault = f"{own.tray.name}, multiset {number}"
            if wrong:
                values = {name: int(derived[name][number]) for name in wrong}
                yield f"{fault}: its classes give {values}, the table has {[own[name][number] for name in wrong]}"
            else:
                yield f"{fault}: it has more classes, or packings, in the table of classes" if few[number] else ""


def _odd_classes(some: Columns) -> Faults:
    """Rows of classes that contradict themselves, or their order."""
    order = np.lexsort((some["code"], some["histogram"]))
    twice = (np.diff(some["code"]) == 0) & (np.diff(some["histogram"]) == 0)
    positions, joined = some["positions"].astype(np.int64), some["joined"].astype(np.int64)
    groups, largest = some["groups"].astype(np.int64), some["largest_group"].astype(np.int64)
    most = groups - (positions - joined)
    wrong = (joined < 2) | (joined > positions) | (largest > joined) | (most * largest < joined) | (2 * most > joined)
    if (order != np.arange(len(order))).any() or twice.any() or wrong.any():
        yield f"{some.tray.name}: classes out of order, twice, or with groups that do not add up"


def check_large_trays(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Multisets with few packings, made by the plain rules, of trays of which not all packings are made."""
    rows = _by_tray(config, inputs, "histograms", ("sizes", "packings", "classes", "orbits"))
    large = [own for own in rows if own.tray.cells > GROUP_CELLS]
    return _faults(_multisets(large, draw), sum(map(len, large)))


def _multisets(rows: Sequence[Columns], draw: Draw) -> Faults:
    random = draw.generator()
    for own in rows:
        small = np.flatnonzero((own["packings"] > 0) & (own["packings"] <= SMALL_PACKINGS))
        for chosen in draw.choose(len(small), LEAST, random):
            row = own.row(int(small[chosen]))
            sizes = tuple(map(int, row["sizes"].split()))
            classes = {rules.shapes(own.tray, position) for position in rules.packings(own.tray, sizes)}
            expected = len(classes), len({min(rules.orbit(own.tray, one)) for one in classes})
            found = row["classes"], row["orbits"]
            fault = f"{own.tray.name}, sizes {row['sizes']}: classes and orbits are {expected}, the table has {found}"
            yield "" if found == expected else fault


def check_classes(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Classes with few positions, or whose multiset has few packings, made and searched by the plain rules."""
    rows = _by_tray(config, inputs, "classes", _SUMS)
    groups = _by_tray(config, inputs, "groups", ("histogram", "code", "positions"))
    records = _by_tray(config, inputs, "records", ("histogram", "code", "start", "marked", "steps", "starts"))
    counts = _by_tray(config, inputs, "histograms", ("packings",))
    small = [_small(own, sums["packings"]) for own, sums in zip(rows, counts, strict=True)]
    return _faults(_classes(config, rows, groups, records, draw, small), sum(map(len, rows)))


def _small(own: Columns, packings: NDArray[Any]) -> NDArray[np.int64]:
    """Classes that have few positions by what they say, or by the packings of their multiset."""
    of_multiset = packings[np.minimum(own["histogram"], len(packings) - 1)]
    return np.flatnonzero(np.minimum(own["positions"], of_multiset) <= SMALL_CLASS)


def _classes(
    config: SlidingBlocksConfig,
    rows: Sequence[Columns],
    groups: Sequence[Columns],
    records: Sequence[Columns],
    draw: Draw,
    small_ones: Sequence[NDArray[np.int64]],
) -> Faults:
    random = draw.generator()
    for own, listed, puzzles, small in zip(rows, groups, records, small_ones, strict=True):
        hard = small[own["steps"][small] >= config.records_from]
        chosen = [
            int(some[i])
            for some in (small, hard)
            for i in _payable(own["positions"][some].tolist(), SEARCHED_POSITIONS, draw, random)
        ]
        for number in sorted(set(chosen)):
            row = own.row(number)
            of_row = (listed["code"] == row["code"]) & (listed["histogram"] == row["histogram"])
            sizes = listed["positions"][of_row].tolist() if own.tray.cells <= GROUP_CELLS else None
            of_row = (puzzles["code"] == row["code"]) & (puzzles["histogram"] == row["histogram"])
            listed_puzzles = [puzzles.row(int(i)) for i in np.flatnonzero(of_row)]
            yield _class_fault(own.tray, row, sizes, listed_puzzles, config.records_from)


def _class_fault(
    tray: TraySize, row: Row, sizes: list[int] | None, listed_puzzles: Sequence[Row], records_from: int
) -> str:
    """A class's row, groups and records, against what is found by trying."""
    pieces = pieces_of(tray, row["code"])
    expected = rules.figures(tray, rules.shapes(tray, pieces))
    fault = f"{tray.name}, class {row['code']}"
    names = ("code", "orbit", "positions", "groups", "joined", "largest_group", "steps")
    for name in names:
        if row[name] != getattr(expected, name):
            return f"{fault}: its {name} is {getattr(expected, name)}, the table has {row[name]}"
    if sizes is not None and sizes != expected.sizes:
        return f"{fault}: its groups have {expected.sizes} positions, the table has {sizes}"
    if expected.steps < records_from:
        return f"{fault}: a record of a class that has none" if listed_puzzles else ""
    unlisted = list(expected.puzzles)
    for puzzle in listed_puzzles:
        start = (puzzle["start"], puzzle["marked"])
        kinds = [kind for twins in expected.puzzles for kind in twins if start in kind]
        if not kinds or puzzle["steps"] != expected.steps:
            return f"{fault}: {start} starts no puzzle of {expected.steps} steps"
        if min(code for code, _ in kinds[0]) != puzzle["start"] or len(kinds[0]) != puzzle["starts"]:
            return f"{fault}: {start} is not the smallest of {len(kinds[0])} starts, or the table has other numbers"
        if all(kinds[0] not in twins for twins in unlisted):
            return f"{fault}: {start} is listed, and so is one that a symmetry turns into it"
        unlisted = [twins for twins in unlisted if kinds[0] not in twins]
    return f"{fault}: a longest corner puzzle is not among the records" if unlisted else ""


def check_records(config: SlidingBlocksConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Records against classes and multisets, all rows; some solved by the plain rules."""
    names = ("histogram", "code", "start", "marked", "steps", "board")
    records = _by_tray(config, inputs, "records", names)
    classes = _by_tray(config, inputs, "classes", ("histogram", "code", "positions", "steps"))
    histograms = _by_tray(config, inputs, "histograms", ("histogram", "sizes", "largest_group", "steps", "board"))
    of = sum(map(len, records)) + sum(map(len, histograms))
    return _faults(_records(config, records, classes, histograms, draw), of)


def _records(
    config: SlidingBlocksConfig,
    records: Sequence[Columns],
    classes: Sequence[Columns],
    histograms: Sequence[Columns],
    draw: Draw,
) -> Faults:
    random, names = draw.generator(), ("histogram", "code", "start", "marked")
    for own, some, sums in zip(records, classes, histograms, strict=True):
        hard = np.flatnonzero(some["steps"] >= config.records_from)
        wanted = _steps_of_classes(some, hard)
        found = _steps_of_classes(own, np.arange(len(own)))
        keys = list(zip(*(own[name].tolist() for name in names), strict=True))
        if keys != sorted(set(keys)):
            yield f"{own.tray.name}: records out of order, or twice"
        if found != wanted:
            odd = min(set(found.items()) ^ set(wanted.items()))
            yield f"{own.tray.name}: class {odd} has records and should have none, or the other way round"
        positions = dict(zip(some["code"][hard].tolist(), some["positions"][hard].tolist(), strict=True))
        costs = [positions.get(code, SOLVED_CLASS + 1) for code in own["code"].tolist()]
        solved = set(_payable(costs, SOLVED_POSITIONS, draw, random))
        for number in range(len(own)):  # one case a row, however much of it is tried
            row = {name: own[name][number] for name in own.columns}
            fault = _text_fault(own.tray, row["start"], row["marked"], row["board"])
            if number in solved:
                fault = fault or _length_fault(own.tray, str(row["board"]), int(row["steps"]))
                fault = fault or _class_of_start_fault(own.tray, int(row["code"]), int(row["start"]))
            yield fault
        with_board = np.flatnonzero(sums["steps"] > 0)
        if [board is not None for board in sums["board"]] != (sums["steps"] > 0).tolist():
            yield f"{own.tray.name}: a board without steps, or steps without a board"
        solved = set(_payable(sums["largest_group"][with_board].tolist(), SOLVED_POSITIONS, draw, random))
        for index, number in enumerate(with_board.tolist()):
            board = str(sums["board"][number])
            fault = _board_fault(own.tray, board, str(sums["sizes"][number]))
            yield fault or (_length_fault(own.tray, board, int(sums["steps"][number])) if index in solved else "")


def _payable(positions: Sequence[int], most: int, draw: Draw, random: np.random.Generator) -> list[int]:
    """Numbers of drawn classes, by their positions: as many as have ``most`` in all, and 15 at least."""
    small = [number for number, cost in enumerate(positions) if cost <= SOLVED_CLASS]
    chosen, left = list[int](), most
    for number in random.permutation(small).astype(int).tolist():
        left -= positions[number]
        if draw.everything or len(chosen) < LEAST or left >= 0:
            chosen.append(number)
    return sorted(chosen)


def _steps_of_classes(rows: Columns, chosen: NDArray[np.int64]) -> dict[tuple[int, int], int]:
    """The steps of chosen rows by multiset and class."""
    return {(rows["histogram"][i].item(), rows["code"][i].item()): rows["steps"][i].item() for i in chosen.tolist()}


def _text_fault(tray: TraySize, start: Any, marked: Any, board: Any) -> str:
    """The text of a start and its code say the same."""
    pieces = pieces_of(tray, int(start))
    right = int(marked) in pieces and board_text(tray, pieces, int(marked)) == board
    return "" if right else f"{tray.name}: start {start}, marked {marked}, is not {board}"


def _board_fault(tray: TraySize, board: str, sizes: str) -> str:
    """The text of a board is as boards are written, and its pieces have these sizes."""
    pieces = parse_board(board)[1]
    right = "A" in pieces and board_text(tray, list(pieces.values()), pieces["A"]) == board
    found = " ".join(map(str, sorted(piece.bit_count() for piece in pieces.values())))
    return "" if right and found == sizes else f"{tray.name}: {board!r} is no board of sizes {sizes}"


def _length_fault(tray: TraySize, board: str, steps: int) -> str:
    """The puzzle of a board, solved by the plain rules."""
    own, pieces, _ = parse_board(board)
    if own != tray or not rules.in_corner(tray, pieces.get("A", 0) or 1 << tray.cells - 1, False):
        return f"{tray.name}: {board} does not begin with A in the upper left corner of the tray"
    way = rules.solve(tray, frozenset(pieces.values()), pieces["A"])
    found = None if way is None else len(way) - 1
    return "" if found == steps else f"{tray.name}: {board} takes {found} steps, the table has {steps}"


def _class_of_start_fault(tray: TraySize, code: int, start: int) -> str:
    """The start lies in the class's orbit."""
    own, found = (rules.shapes(tray, pieces_of(tray, value)) for value in (code, start))
    return "" if found in rules.orbit(tray, own) else f"{tray.name}: start {start} is not of the class {code}"
