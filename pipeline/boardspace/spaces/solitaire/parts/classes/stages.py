"""The stages of position classes, planned by the sizes of these; the sizes of levels, and the problems of a board."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from boardspace.spaces.solitaire.board_files import BoardFileError
from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.arrays import (
    WORD_BYTES,
    counted_stages,
    cut_highs,
    hint_stages,
    make_bitmaps,
)
from boardspace.spaces.solitaire.parts.classes.moves import moves_stages, shortest_stage
from boardspace.spaces.solitaire.parts.classes.part import CLASS_HOLES, CLASS_LEVELS, PROBLEMS
from boardspace.spaces.solitaire.parts.classes.sweeps import GOALS, bands
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spec.space import Inputs, Output, Stage, one_shard


def class_stages(classes: Classes, config: SolitaireConfig) -> tuple[Stage, ...]:
    """For each vacancy both sweeps, the bitmaps where they are published, and the count; then the table of all
    problems."""
    chosen = tuple(vacancies(classes, config.boards))
    size = chosen[0].order.positions.bytes
    for wrong, what in (
        (classes.bitmaps and not classes.winning, "bitmaps need both sweeps; set bitmaps = false as well"),
        (classes.hints and not classes.bitmaps, "hints need bitmaps; set bitmaps = true"),
        (classes.shortest and not classes.moves, "shortest solutions need least moves; set moves = true"),
        (
            classes.bitmaps and size < WORD_BYTES,
            f"{8 * size} positions each, too few for a bitmap; set bitmaps = false",
        ),
    ):
        if wrong:
            raise BoardFileError(f"classes of {classes.board}: {what}")
    return _stages(classes, chosen, config.class_bytes)


def class_kernels(config: SolitaireConfig) -> tuple[str, ...]:
    """The names of the kernels that the classes of a config need: those for words of their widths."""
    found = set()
    for section in config.classes:
        for vacancy in vacancies(section, config.boards):
            kinds = ("sweeps", "moves") if section.moves or section.hints else ("sweeps",)
            found |= {f"{kind}-{vacancy.word}" for kind in kinds}
    return tuple(sorted(found))


@lru_cache(maxsize=16)
def _stages(classes: Classes, chosen: tuple[Vacancy, ...], shard_bytes: int) -> tuple[Stage, ...]:
    return tuple(_every_stage(classes, chosen, shard_bytes))


def _every_stage(classes: Classes, chosen: tuple[Vacancy, ...], shard_bytes: int) -> Iterator[Stage]:
    counted: dict[Vacancy, tuple[str, ...]] = {}
    for vacancy in chosen:
        yield from counted_stages(vacancy, shard_bytes, classes.winning)
        counted[vacancy] = tuple(band.stage(vacancy) for band in bands(vacancy, "reachable", shard_bytes))
        if classes.bitmaps:
            bitmaps = _bitmap_stage(vacancy, shard_bytes)
            yield bitmaps
            counted[vacancy] += (bitmaps.name,)
        yield Stage(
            f"{vacancy.slug}.levels",
            f"{vacancy.board_name} from vacancy {vacancy.hole}: sizes of all levels",
            partial(count_levels, counted[vacancy]),
            one_shard(vacancy.slug, vacancy.params, 0.1),
            after=counted[vacancy],
            facts_only=counted[vacancy],
        )
        for hint in classes.hints:
            yield from hint_stages(vacancy, hint, shard_bytes)
        if classes.moves:
            yield from moves_stages(vacancy, shard_bytes)
        if classes.shortest:
            yield shortest_stage(vacancy, shard_bytes)
    moves = [f"{vacancy.slug}.moves" for vacancy in chosen if classes.moves]
    every = tuple(stage for stages in counted.values() for stage in stages)
    yield Stage(
        f"{chosen[0].board_name}.problems",
        f"{chosen[0].board_name}: from every single vacancy to every single survivor",
        partial(list_problems, classes, counted),
        one_shard(chosen[0].slug, chosen[0].params, 0.1),
        after=(*every, *moves),
        facts_only=(*every, *moves),
    )


def _bitmap_stage(vacancy: Vacancy, shard_bytes: int) -> Stage:
    swept = GOALS if vacancy.single_pegs else GOALS[:1]
    return Stage(
        f"{vacancy.slug}.bitmaps",
        f"{vacancy.board_name} from vacancy {vacancy.hole}: bitmaps of the whole class",
        partial(make_bitmaps, shard_bytes),
        partial(cut_highs, vacancy, vacancy.order.positions.bytes, shard_bytes),
        after=tuple(band.stage(vacancy) for goal in swept for band in bands(vacancy, goal, shard_bytes)),
        bytes=2 * vacancy.order.positions.bytes,
    )


SETS = ("positions", "winning", "winning_in_vacancy", "dead_ends")


def count_levels(counted: Sequence[str], config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The row of each number of pegs that occurs: the sums over all parts, divided by the size of the group."""
    vacancy = Vacancy.of(params)
    parts = [part for stage in counted for part in inputs.facts(stage)]
    unknown = _unknown(vacancy, set().union(*parts))
    none, order = np.zeros((2, vacancy.board.holes + 1), np.int64), len(vacancy.board.stabiliser(vacancy.start))
    totals = {name: sum((np.array(part.get(name, none)) for part in parts), none) for name in SETS}
    rows = []
    for pegs in range(vacancy.board.holes + 1):
        row: dict[str, Any] = {"board": vacancy.board_name, "vacancy": vacancy.hole, "pegs": pegs}
        for name, (labelled, fixed) in totals.items():
            row[name] = None if name in unknown else int(fixed[pegs]) // order
            row[f"labelled_{name}"] = None if name in unknown else int(labelled[pegs])
        rows.append(row)
    return Output({"class_levels": CLASS_LEVELS.from_rows([row for row in rows if row["positions"]])})


def _unknown(vacancy: Vacancy, counted: set[str]) -> set[str]:
    """The sets that are not among those counted, and may have a position in this class."""
    possible = {
        "winning": bool(vacancy.single_pegs),
        "winning_in_vacancy": vacancy.order.positions.contains(vacancy.board.full ^ vacancy.start),
    }
    return {name for name, may_be in possible.items() if may_be and name not in counted}


def list_problems(
    classes: Classes,
    counted: Mapping[Vacancy, Sequence[str]],
    config: SolitaireConfig,
    params: Mapping[str, Any],
    inputs: Inputs,
) -> Output:
    """Every pair of a vacancy, or an image of one, and a survivor."""
    rows: dict[tuple[int, int], dict[str, Any]] = {}
    for vacancy in vacancies(classes, config.boards):
        board, singles = vacancy.board, {vacancy.board.pegs(single)[0] for single in vacancy.single_pegs}
        facts = [part for stage in counted[vacancy] for part in inputs.facts(stage)]
        solved = {hole for part in facts for hole in part.get("survivors", ())}
        moves = inputs.facts(f"{vacancy.slug}.moves")[0]["survivors"] if classes.moves else {}
        for image in board.symmetries.tolist():
            label = {board.labels[i]: board.labels[image[i]] for i in range(board.holes)}
            for hole in board.labels:
                row = {"vacancy": label[vacancy.hole], "survivor": label[hole]}
                row |= {"board": vacancy.board_name, "same_class": hole in singles, "solvable": hole in solved}
                row["moves"] = moves.get(str(hole))
                rows[row["vacancy"], row["survivor"]] = row
    tables = {"problems": PROBLEMS.from_rows([rows[key] for key in sorted(rows)])}
    return Output(tables | {"class_holes": CLASS_HOLES.from_rows(_holes(Vacancy.of(params)))})


def _holes(vacancy: Vacancy) -> list[dict[str, Any]]:
    positions, label = vacancy.order.positions, vacancy.board.labels
    bits = [(bit, hole, False) for bit, hole in enumerate(positions.free)]
    bits += [(positions.place_bits + bit, hole, True) for bit, hole in enumerate(positions.core)]
    return [
        {"board": vacancy.board_name, "bit": bit, "hole": label[hole], "core": in_core} for bit, hole, in_core in bits
    ]
