"""Certificates: the claim made again from the board's file, the proof by the independent checker."""

import json
from typing import Any

from boardspace.spaces.solitaire.board_files import load_board
from boardspace.spaces.solitaire.checking import compared
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.searches.certificates import ROWS_PER_SHARD
from boardspace.spaces.solitaire.parts.searches.checks.layers import Frontiers
from boardspace.spaces.solitaire.problems import slug
from boardspace.spaces.solitaire.shortest_by_hand import Notation
from boardspace.spec.check import by_folders
from boardspace.spec.space import Inputs, Outcome, cut_range
from boardspace_kernels.solitaire.certificate import (
    CertificateError,
    Claim,
    Layer,
    check_apart_from,
    check_claim,
    check_lengths,
    check_root,
    check_step_into,
    images_of,
)


def check_whole(frontiers: Frontiers, config: SolitaireConfig, inputs: Inputs) -> Outcome:
    """The row of a search: its claim is the board's, its layers prove it, and it counts what the checker did."""
    name = (slug(frontiers.search.problem),)
    row, listed = (by_folders(inputs.table(table), ("problem",)).get(name) for table in ("certificates", "solutions"))
    if row is None or listed is None:
        return Outcome(1, 1, "" if row is listed else "a solution without a certificate, or a certificate without one")
    claim = _claim(frontiers, config, listed.column("moves")[0].as_py())
    try:
        expected, cases = _proved(frontiers, claim)
    except CertificateError as error:
        return Outcome(1, 1, str(error))
    outcome = compared(row, [{"problem": name[0], **expected}], ("problem",))
    return Outcome(cases, cases, outcome.fault)


def _claim(frontiers: Frontiers, config: SolitaireConfig, moves: str) -> Claim:
    """The claim to be proved, from the board's picture, with the first listed solution as its game."""
    problem, notation = frontiers.problem, Notation(frontiers.problem)
    grid = load_board(problem.board_name, config.boards).grid
    game = [list(notation.stops(move)) for move in moves.split(", ")]
    start, goal = problem.word(problem.start), problem.word(problem.goal)
    return Claim(grid, problem.cells, start, goal, frontiers.game.permutations, game)


def _proved(frontiers: Frontiers, claim: Claim) -> tuple[dict[str, Any], int]:
    """The columns of a certificate, all its conditions checked; and how many positions were looked at."""
    moves = len(claim.game)
    depths = {"forward": min(frontiers.search.forward, moves - 1)}
    depths["backward"] = moves - 1 - depths["forward"]
    layers: dict[str, list[Layer]] = {
        side: [layer.position for layer in frontiers.layers[side]] for side in frontiers.layers
    }
    check_claim(claim)
    check_lengths(claim, depths["forward"], depths["backward"])
    positions = results = 0
    for side, depth in depths.items():
        if len(layers[side]) <= depth:
            raise CertificateError(f"the {side} layers end before those after {depth} moves, which the proof needs")
        plays = side == "forward"
        check_root(claim, plays, layers[side][0])
        for number, layer in enumerate(layers[side][: depth + 1]):
            images = images_of(claim, layer)
            before = layers[side][number - 1] if number else layer[:0]
            positions += len(before)
            # In the parts that the run checked it in: the checker counts a result once in each.
            for begin, end in cut_range(0, len(before), ROWS_PER_SHARD):
                results += check_step_into(claim, plays, before[begin:end], images)
            if not plays:
                for other in layers["forward"][depths["forward"] if number else 0 : depths["forward"] + 1]:
                    check_apart_from(claim, other, images)
    row = {
        "moves": moves,
        **depths,
        "document": json.dumps(claim._asdict(), separators=(",", ":")),
        "positions": positions,
        "results": results,
    }
    return row, positions
