"""Certificates: the frontiers as a proof that no solution has fewer moves, checked by a program that shares no code.

The proof is cut as the checker allows (:mod:`.certificate`): each shard makes all moves from some
positions of the layers and looks their results up in the layers after; the last one checks what is left, namely the
claim itself, the roots, and that the layers do not meet.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.engine.shuffle import column_of
from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.spaces.solitaire.parts.searches.part import CERTIFICATES, DIRECTIONS, Direction, layer_stage
from boardspace.spec.space import Inputs, Output, Shard, cut_range
from boardspace_kernels.solitaire.certificate import (
    Claim,
    check_apart,
    check_claim,
    check_lengths,
    check_root,
    check_step,
)
from boardspace_kernels.solitaire.play import Play, parse_solution

# A shard looks results up among all images of the layer after, which it has to make: so it takes many rows.
ROWS_PER_SHARD = 400_000
SECONDS_PER_ROW = 4e-6


def cut(search: Search, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """Parts of large layers, and one shard for all small ones of a direction; none where there is no solution."""
    shards = []
    for direction, last in _depths(search, inputs):
        small: list[list[int]] = []
        for moves in range(last):
            rows = inputs.rows(layer_stage(search.problem, direction, moves), "frontier")
            parts = [[moves, *rows] for rows in cut_range(0, rows, ROWS_PER_SHARD)]
            if len(parts) == 1:
                small += parts
            else:
                shards += [_shard(search, config, direction, [part]) for part in parts]
        if small:
            shards.append(_shard(search, config, direction, small))
    return shards


def prove(search: Search, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Conditions 2 and 3 of the certificate for rows [begin, end) of some layers of one direction."""
    claim, direction = _claim(search, params, inputs), params["direction"]
    positions = results = 0
    for moves, begin, end in params["parts"]:
        layer = read_layer(search, direction, moves, inputs)[begin:end]
        following = read_layer(search, direction, moves + 1, inputs)
        results += check_step(claim, direction == "forward", layer, following)
        positions += len(layer)
    return Output(facts={"positions": positions, "results": results})


def certify(search: Search, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Conditions 1, 4 and 5, and the row of the certificate."""
    depths = dict(_depths(search, inputs))
    if not depths:
        return Output(facts={"proved": None})
    claim = _claim(search, params, inputs)
    check_claim(claim)
    check_lengths(claim, depths["forward"], depths["backward"])
    root = read_layer(search, "backward", 0, inputs)
    check_root(claim, True, read_layer(search, "forward", 0, inputs))
    check_root(claim, False, root)
    for moves in range(depths["forward"] + 1):
        layer = read_layer(search, "forward", moves, inputs)
        check_apart(claim, layer, root)
    for moves in range(1, depths["backward"] + 1):
        check_apart(claim, layer, read_layer(search, "backward", moves, inputs))
    proof = inputs.facts(f"{slug(search.problem)}.proof")
    row = {
        "problem": slug(search.problem),
        "moves": len(claim.game),
        "forward": depths["forward"],
        "backward": depths["backward"],
        "document": json.dumps(claim._asdict(), separators=(",", ":")),
        **{name: sum(facts[name] for facts in proof) for name in ("positions", "results")},
    }
    return Output({"certificates": CERTIFICATES.from_rows([row])}, facts={"proved": len(claim.game)})


def read_layer(search: Search, direction: Direction, moves: int, inputs: Inputs) -> NDArray[np.uint64]:
    """All positions after exactly so many moves."""
    rows = inputs.read(layer_stage(search.problem, direction, moves), "frontier", columns=["position"])
    return column_of(rows, "position")


def _depths(search: Search, inputs: Inputs) -> list[tuple[Direction, int]]:
    """For each direction the last layer that belongs to the certificate; none where there is no solution to prove."""
    length = inputs.facts(f"{slug(search.problem)}.solutions")[0]["length"]
    if not length:
        return []
    forward = min(search.forward, length - 1)
    return list(zip(DIRECTIONS, (forward, length - 1 - forward), strict=True))


def _shard(search: Search, config: SolitaireConfig, direction: Direction, parts: list[list[int]]) -> Shard:
    rows = sum(end - begin for _, begin, end in parts)
    params = {**problem_params(search.problem, config.boards), "direction": direction, "parts": parts}
    return Shard(f"{direction}-{parts[-1][0]:02}-{parts[-1][1]:010}", params, rows * SECONDS_PER_ROW)


def _claim(search: Search, params: Mapping[str, Any], inputs: Inputs) -> Claim:
    """The claim, with the first solution found as its game."""
    problem = problem_of(params)
    texts = inputs.read(f"{slug(search.problem)}.solutions", "solutions", columns=["moves"]).column("moves")
    game = [list(move.stops) for move in parse_solution(Play(problem.board), texts[0].as_py())]
    symmetries = problem.group.tolist()
    return Claim(problem.board.grid, problem.board.cells, problem.start, problem.goal, symmetries, game)
