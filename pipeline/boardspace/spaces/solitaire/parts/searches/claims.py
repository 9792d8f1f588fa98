"""Statements about the Last Supper and the central game, measured on their searches; results, in a line for each.

The boards alone decide statements of holes, groups, readings and history.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.spaces.solitaire.parts.searches.last_supper import last_supper, sampled_games
from boardspace.spaces.solitaire.source_solutions import (
    CENTRAL,
    LAST_SUPPER,
    MOVES,
    Measured,
    located,
    minimum,
    problem_named,
    replayed,
    rows,
    solution_counts,
    source_texts,
)
from boardspace.spec.space import Inputs, Measurement
from boardspace.spec.texts import counted
from boardspace_kernels.solitaire.board import Board, image_of


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements by claim id, of what the config covers."""
    found: dict[str, Measurement] = {}
    searches = {search.problem: search for search in config.searches}
    if LAST_SUPPER in searches:
        found |= dict(_of_boards())
        found |= dict(last_supper(searches[LAST_SUPPER], inputs))
        if not config.counts_games(LAST_SUPPER, MOVES):
            found |= dict(sampled_games(searches[LAST_SUPPER], inputs))
    if CENTRAL in searches:
        found |= dict(_central(searches[CENTRAL], inputs))
    return found


def _central(search: Search, inputs: Inputs) -> Measured:
    yield "english-bergholt", replayed("english_bergholt", search, inputs)
    yield "english-minimum", minimum(search, inputs)
    wan = replayed("english_wan", search, inputs)
    found = [located(name, search, inputs) for name in ("english_bergholt", "english_wan")]
    kinds = {row["sweeps"] for row in found if row is not None}
    yield "english-wan", Measurement(wan.value is True and len(kinds) == 2, wan.evidence)
    number, evidence = solution_counts(search, inputs)
    corrected = f"only where moves with the same ends that take the same pegs are one as well; {evidence}"
    yield "english-only-two", Measurement(number, corrected, "confirmed" if number == 2 else "corrected")
    every = {row["sweeps"] for row in rows(search.problem, "solutions", inputs, "solutions")}
    evidence = (
        f"where such moves are one there are {len(every)}, and the two printed ones are number "
        f"{' and '.join(map(str, sorted(kinds)))} of them"
    )
    yield "english-which-two", Measurement(kinds == every, evidence)


def _of_boards() -> Measured:
    """All statements that the boards alone decide."""
    problem, english = problem_named(LAST_SUPPER), problem_named(CENTRAL).board
    board = problem.board
    sides = [len({cell[axis] for cell in board.cells}) for axis in (0, 1)]
    yield "ls-board", Measurement([*sides, board.holes], "rows, columns and holes of the board file")
    yield "ls-start-and-end", _start_and_end()
    places = dict(zip(board.labels, board.cells, strict=True))
    same = {number: places[number] for number in english.labels} == dict(
        zip(english.labels, english.cells, strict=True)
    )
    missing = sorted(set(board.labels) - set(english.labels))
    yield (
        "english-numbers",
        Measurement(same, f"{english.holes} holes compared; {missing} are not on the English board"),
    )
    group = source_group(board)
    yield "ls-group", _group(board, group)
    yield "ls-images", _images(board, group)
    yield "ls-equivalence", _equivalence(group)
    yield "ls-same-end", _same_end(group)


def source_group(board: Board) -> list[list[int]]:
    """T, T^2, T^3, T^4, S, ST, ST^2, ST^3 in the source's order, each as the holes that the holes go to.

    T turns about the centre by 90 degrees counter-clockwise, S flips about the horizontal line through the centre;
    ST^k is T^k and then S.
    """
    hole = {cell: number for number, cell in enumerate(board.cells)}
    last = max(row for row, _ in board.cells)
    turn = [hole[last - column, row] for row, column in board.cells]
    flip = [hole[last - row, column] for row, column in board.cells]
    turns = [list(range(board.holes))]
    for _ in range(4):
        turns.append([turn[image] for image in turns[-1]])
    return turns[1:] + [[flip[image] for image in turned] for turned in turns[:4]]


def _start_and_end() -> Measurement:
    problem = problem_named(LAST_SUPPER)
    board, jumps = problem.board, problem.board.jumps.tolist()
    ends = sum(1 << hole for hole in range(board.holes) if all(over != hole for _, over, _ in jumps))
    corners = problem.goal ^ board.position([19])
    evidence = (
        "pegs at the start, and at the end without the centre; these stand on the holes that no peg can jump over: "
        f"{corners == ends}"
    )
    return Measurement([problem.start.bit_count(), corners.bit_count()], evidence)


def _group(board: Board, group: Sequence[Sequence[int]]) -> Measurement:
    members = set(map(tuple, group))
    closed = _products(members) == members
    whole = members == set(map(tuple, board.symmetries.tolist()))
    evidence = (
        f"{len(members)} different; all {len(members) ** 2} products are among them: {closed}; they are all the "
        f"symmetries of the board: {whole}. S keeps holes 2 and 36 only if holes are numbered column by column"
    )
    return Measurement(len(members) if closed and whole else None, evidence)


def _images(board: Board, group: Sequence[Sequence[int]]) -> Measurement:
    """Compare P1, ..., P8 with g1(P0), ..., g8(P0), one by one."""
    first, *others = (board.full ^ board.position(empty) for empty in source_texts()["images"]["empty"])
    images = [image_of(row, first) for row in group]
    agree = sum(image == other for image, other in zip(images, others, strict=True))
    evidence = f"{agree} of {len(others)} are the image in the order stated; {len(set(others))} of them are different"
    return Measurement(images == others, evidence)


def _equivalence(group: Sequence[Sequence[int]]) -> Measurement:
    members = set(map(tuple, group))
    inverses = all(any(all(b[a[h]] == h for h in a) for b in members) for a in members)
    evidence = "every element has its inverse in the group, and every two their product"
    return Measurement(inverses and _products(members) <= members, evidence)


def _products(members: Iterable[Sequence[int]]) -> set[tuple[int, ...]]:
    """The products of all pairs."""
    return {tuple(one[hole] for hole in other) for one, other in product(members, repeat=2)}


def _same_end(group: Sequence[Sequence[int]]) -> Measurement:
    problem = problem_named(LAST_SUPPER)
    jumps = set(map(tuple, problem.board.jumps.tolist()))
    keeps = all(image_of(row, problem.goal) == problem.goal for row in group)
    maps = all({tuple(row[hole] for hole in jump) for jump in jumps} == jumps for row in group)
    evidence = f"each of the {len(group)} maps the {len(jumps)} jumps to jumps and keeps the end, so games go to games"
    return Measurement(keeps and maps, evidence, basis="proof")


def results(config: SolitaireConfig, inputs: Inputs) -> Iterator[str]:
    """The fewest moves and the number of solutions of each search."""
    for search in config.searches:
        yield f"{search.problem}: {_solved(search, inputs)}"


def _solved(search: Search, inputs: Inputs) -> str:
    proved = inputs.facts(f"{slug(search.problem)}.certificate")[0]["proved"]
    if proved is None:
        return f"no solution in up to {search.forward + search.backward} moves"
    counts = inputs.read(f"{slug(search.problem)}.solutions", "solution_counts").to_pylist()
    return (
        f"{counted(proved, 'move')} and no fewer, by a checked proof; {counted(counts[0]['solutions'], 'solution')} "
        f"up to symmetry and the order of moves, {counts[1]['solutions']:,} if the direction of loops does not count"
    )
