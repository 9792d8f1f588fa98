"""Frontiers from both sides, the shortest solutions where they meet, and certificates that there are none shorter."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from boardspace.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spaces.solitaire.parts.searches.names import DIRECTIONS, depth, layer_stage
from boardspace.spaces.solitaire.parts.searches.tables import (
    CERTIFICATES,
    CHILDREN,
    COUNTS,
    FRONTIER,
    LAYERS,
    SEQUENCES,
    SOLUTIONS,
    STEPS,
    WAYS_TO_PLAY,
)
from boardspace.spaces.solitaire.problems import one_shard, slug
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.searches import certificates, checks, claims, frontiers, results, solutions
else:
    certificates, checks, claims, frontiers, results, solutions = deferred(
        __package__, "certificates", "checks", "claims", "frontiers", "results", "solutions"
    )


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """The frontiers, the solutions and the certificate of each search."""
    kinds = (frontier_stages, solution_stages, certificate_stages)
    return with_costs(stage for search in config.searches for kind in kinds for stage in kind(search))


def frontier_stages(search: Search) -> Iterator[Stage]:
    """A stage for each layer, the smaller numbers of moves first, and one that counts them all."""
    last: list[str] = []
    for direction in DIRECTIONS:
        for moves in range(depth(search, direction) + 1):
            name = layer_stage(search.problem, direction, moves)
            before = (layer_stage(search.problem, direction, moves - 1),) if moves else ()
            yield Stage(
                name,
                f"{search.problem}: positions {direction}, {moves} moves",
                frontiers.layer,
                partial(frontiers.cut, search, direction, moves),
                after=before,
            )
        last.append(name)
    yield Stage(
        f"{slug(search.problem)}.layers",
        f"{search.problem}: sizes of all layers",
        partial(frontiers.count_layers, search),
        partial(one_shard, search.problem),
        after=tuple(last),
    )
    if search.games > search.forward:
        yield Stage(
            f"{slug(search.problem)}.games",
            f"{search.problem}: how many games of up to {search.games} moves there are, about",
            partial(frontiers.count_games, search),
            partial(one_shard, search.problem),
            after=tuple(last[:1]),
        )


def solution_stages(search: Search) -> Iterator[Stage]:
    """Find all shortest solutions."""
    name = slug(search.problem)
    yield Stage(
        f"{name}.solutions",
        f"{search.problem}: all solutions with the fewest moves",
        partial(solutions.solve, search),
        partial(one_shard, search.problem),
        after=(f"{name}.layers",),
    )


def certificate_stages(search: Search) -> Iterator[Stage]:
    """Check all moves from the layers, then everything else."""
    name = slug(search.problem)
    yield Stage(
        f"{name}.proof",
        f"{search.problem}: all moves from the layers lead into the layers after, by another program",
        partial(certificates.prove, search),
        partial(certificates.cut, search),
        after=(f"{name}.solutions",),
    )
    yield Stage(
        f"{name}.certificate",
        f"{search.problem}: the layers do not meet: no solution has fewer moves",
        partial(certificates.certify, search),
        partial(one_shard, search.problem),
        after=(f"{name}.proof",),
    )


SEARCHES = Part(
    name="searches",
    scope="frontiers",
    stages=stages,
    tables=(FRONTIER, LAYERS, WAYS_TO_PLAY, SEQUENCES, SOLUTIONS, COUNTS, STEPS, CERTIFICATES, CHILDREN),
    claims=claims.measure,
    checks=(
        Check(
            "frontiers",
            {
                "frontier": ("problem", "direction", "moves", "position", "first", "ways"),
                "layers": (
                    "problem",
                    "direction",
                    "moves",
                    "positions",
                    "labelled_positions",
                    "first",
                    "labelled_first",
                    "choices",
                    "labelled_choices",
                    "most_choices",
                    "longest_chain",
                ),
                "ways_to_play": (
                    "problem",
                    "moves",
                    "sequences",
                    "essential_sequences",
                    "labelled_choices",
                    "choices",
                    "labelled_positions",
                    "positions",
                ),
            },
            "all moves made again by arrays, positions and their sequences from the layer before",
            checks.check_frontiers,
        ),
        Check(
            "games",
            {"sequences": ("problem", "moves", "sequences", "standard_error")},
            "summed from the frontiers; estimated again by other games, within six standard errors, and by the same",
            checks.check_sequences,
        ),
        Check(
            "solutions",
            {
                "solutions": ("problem", "number", "moves", "length", "orders", "images", "sweeps"),
                "solution_counts": ("problem", "rule", "ordered", "mirror", "loop", "solutions"),
                "solution_steps": ("problem", "after", "position", "move", "child"),
            },
            "found again by hand where the frontiers meet, replayed, and counted by every rule",
            checks.check_solutions,
        ),
        Check(
            "certificates",
            {
                "certificates": (
                    "problem",
                    "moves",
                    "forward",
                    "backward",
                    "document",
                    "positions",
                    "results",
                )
            },
            "the claim from the board's file, the proof by the checker that shares no code with the search",
            checks.check_certificates,
        ),
    ),
    results=results.results,
)
