"""Sizes of the levels of a class, the problems that its positions decide, and which hole is which bit."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.tables import CLASS_HOLES, CLASS_LEVELS, PROBLEMS
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spec.space import Inputs, Output

SETS = ("positions", "winning", "winning_in_vacancy", "dead_ends")


def count_levels(counted: Sequence[str], config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The row of each number of pegs that occurs: the sums over all parts, divided by the size of the group."""
    vacancy = Vacancy.of(params)
    parts = [part for stage in counted for part in inputs.facts(stage)]
    unknown = _unknown(vacancy, parts[0])
    none = np.zeros((1, vacancy.board.holes + 1), np.int64)
    totals = {name: sum((np.array(part.get(name, none)) for part in parts), none) for name in SETS}
    rows = []
    for pegs in range(vacancy.board.holes + 1):
        row: dict[str, Any] = {"board": vacancy.board_name, "vacancy": vacancy.hole, "pegs": pegs}
        for name, fixed in totals.items():
            row[name] = None if name in unknown else int(fixed[:, pegs].sum()) // len(fixed)
            row[f"labelled_{name}"] = None if name in unknown else int(fixed[0, pegs])
        rows.append(row)
    return Output({"class_levels": CLASS_LEVELS.from_rows([row for row in rows if row["positions"]])})


def _unknown(vacancy: Vacancy, counted: Mapping[str, Any]) -> set[str]:
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
        solved = {hole for part in facts for hole in part["survivors"]}
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
    """The hole of each bit of a number."""
    positions, label = vacancy.order.positions, vacancy.board.labels
    bits = [(bit, hole, False) for bit, hole in enumerate(positions.free)]
    bits += [(positions.place_bits + bit, hole, True) for bit, hole in enumerate(positions.core)]
    return [
        {"board": vacancy.board_name, "bit": bit, "hole": label[hole], "core": in_core} for bit, hole, in_core in bits
    ]
