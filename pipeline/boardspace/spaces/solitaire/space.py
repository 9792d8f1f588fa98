"""Peg solitaire: frontiers by moves, shortest solutions with their proof, whole spaces by jumps."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from boardspace.spaces.solitaire.certificates import certificate_stages
from boardspace.spaces.solitaire.checks import check
from boardspace.spaces.solitaire.claims import measure
from boardspace.spaces.solitaire.classes.levels import class_stages
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.feasible import feasible_stages
from boardspace.spaces.solitaire.frontiers import frontier_stages
from boardspace.spaces.solitaire.levels import level_stages
from boardspace.spaces.solitaire.results import results
from boardspace.spaces.solitaire.solutions import solution_stages
from boardspace.spaces.solitaire.tables import BITMAPS, MOVES_LEFT, TABLES
from boardspace.spec.check import of_findings
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Check, Draw, Inputs, Outcome, Part, Space, Stage


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """For each search its frontiers, solutions and certificate; then searches by counting, then whole spaces, by
    sorted runs and as bitmaps."""
    kinds = (frontier_stages, solution_stages, certificate_stages)
    searches = [stage for search in config.searches for stages in kinds for stage in stages(search)]
    counting = [stage for search in config.feasible for stage in feasible_stages(search)]
    levels = [stage for problem in config.levels for stage in level_stages(problem, config)]
    classes = [stage for section in config.classes for stage in class_stages(section, config)]
    return [_with_costs(stage) for stage in (*searches, *counting, *levels, *classes)]


def _with_costs(stage: Stage) -> Stage:
    """The stage with the seconds and bytes that it took before, where it was measured."""
    seconds, size = _costs().get(stage.name, (stage.seconds, stage.bytes))
    return replace(stage, seconds=seconds, bytes=size)


@cache
def _costs() -> dict[str, tuple[float, int]]:
    """Seconds and bytes by the names of stages: those of one problem are the same whatever else a config asks for."""
    entries = tomllib.loads(Path(__file__).with_name("costs.toml").read_text(encoding="utf-8"))["stages"]
    return {name: (seconds, size) for name, (seconds, size) in entries.items()}


def check_all(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All checks as one."""
    return of_findings(check(config, inputs, draw.seed))


SPACE = Space(
    name="solitaire",
    version=2,
    title="Peg solitaire",
    doc=(
        "Positions of peg solitaire: frontiers of the Last Supper (37 holes) and of the English central game from both "
        "sides, all solutions with the fewest moves, certificates that none has fewer, and whole reachable spaces."
    ),
    config=SolitaireConfig,
    parts=(
        Part(
            name="solitaire",
            stages=stages,
            tables=TABLES,
            arrays=(BITMAPS, MOVES_LEFT),
            claims=measure,
            checks=(Check("solitaire", {}, "by hand", check_all),),
            results=results,
        ),
    ),
    claims_file=Path(__file__).with_name("claims.toml"),
    warm_up=DeferredFunction("boardspace_kernels.solitaire.warm_up", "warm_up"),
)
