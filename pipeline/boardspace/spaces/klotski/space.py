"""Klotski: all layouts with codes, ids and names, their classes and groups."""

from pathlib import Path

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest.costs import within_budget
from boardspace.spaces.klotski.parts.farthest.part import FARTHEST_STEPS
from boardspace.spaces.klotski.parts.layouts.part import ALL_LAYOUTS
from boardspace.spaces.klotski.parts.net.part import NET
from boardspace.spaces.klotski.parts.solutions.part import SOLUTIONS
from boardspace.spaces.klotski.parts.trays.part import OTHER_TRAYS
from boardspace.spaces.klotski.parts.unit_distances.part import UNIT_MOVES
from boardspace.spaces.klotski.texts import CLASS_NAMES
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.question import Parameter, Question
from boardspace.spec.space import Measurement, Scope, Space

(answers,) = deferred("boardspace.spaces.klotski", "answers")
WARM_UP = "boardspace_kernels.klotski.warm_up"
LAYOUT = (Parameter("layout", "text", "A layout: code, id:NUMBER, name, well-known start or drawing.", "1A9BF0C00"),)
METRIC = Parameter("metric", "text", "step, or unit: a move is of one cell.", "step", required=False)
READINGS = {
    "step": Measurement(
        True,
        "read as any number of cells in any directions, round corners too: with this reading the public database's "
        "files of solutions and of farthest layouts come out byte for byte",
        basis="reading",
    ),
}

SCOPES = (
    Scope("classes", lambda config: config.chosen, lambda: CLASS_NAMES),
    Scope(
        "classes with farthest steps",
        lambda config: tuple(within_budget(config).classes),
        lambda: CLASS_NAMES,
        extra=True,
    ),
    Scope(
        "classes with pairs by distance",
        lambda config: tuple(sorted(within_budget(config).counted)),
        lambda: CLASS_NAMES,
        extra=True,
    ),
    Scope("classes with pairs by unit moves", lambda config: config.in_unit_moves, lambda: CLASS_NAMES, extra=True),
    Scope(
        "classes with their net", lambda config: config.chosen if config.net else (), lambda: CLASS_NAMES, extra=True
    ),
    Scope(
        "other trays", lambda config: tuple(f"{columns} x {rows}" for columns, rows in config.trays), tuple, extra=True
    ),
)

SPACE = Space(
    name="klotski",
    version=4,
    title="Klotski (Huarong Dao)",
    doc=(
        "All layouts of Klotski on 4 x 5 cells: codes, ids and names, their classes, the groups that moves join, "
        "how far each is from its solutions and from the farthest layouts of its group."
    ),
    config=KlotskiConfig,
    # The solutions are a part without stages: the stage that enumerates a class has its step graph in memory, and
    # building it again, in a stage of their own, would take half as long again as that stage.
    parts=(ALL_LAYOUTS, SOLUTIONS, NET, OTHER_TRAYS, FARTHEST_STEPS, UNIT_MOVES),
    readings=READINGS,
    claims_file=Path(__file__).with_name("claims.toml"),
    warm_up=tuple(
        DeferredFunction(WARM_UP, f"warm_up_{name}") for name in ("layouts", "moves", "solutions", "farthest", "survey")
    ),
    more_warm_up={name: DeferredFunction(WARM_UP, f"warm_up_{name}") for name in ("net", "trays")},
    needed_warm_up=lambda config: [name for name in ("net", "trays") if getattr(config, name)],
    scopes=SCOPES,
    authors=("The boardspace maintainers",),
    questions=(
        Question(
            "moves", "Every next step, with the steps to the exit that it leaves.", answers.moves, (*LAYOUT, METRIC)
        ),
        Question("solution", "A shortest solution: the codes of its layouts.", answers.solution, (*LAYOUT, METRIC)),
        Question("description", "Id, name and group of a layout, and its steps to the exit.", answers.describe, LAYOUT),
    ),
)
