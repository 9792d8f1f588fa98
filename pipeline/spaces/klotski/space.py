"""Klotski: all layouts with codes, ids and names, their classes and groups."""

from collections.abc import Sequence
from pathlib import Path

from boardspace.pipeline.space import Check, Inputs, Space, Stage
from boardspace.pipeline.spaces.klotski.checks import check as check_layouts
from boardspace.pipeline.spaces.klotski.claims import measure
from boardspace.pipeline.spaces.klotski.config import KlotskiConfig
from boardspace.pipeline.spaces.klotski.farthest.checks import check_farthest
from boardspace.pipeline.spaces.klotski.farthest.stages import farthest_stages
from boardspace.pipeline.spaces.klotski.farthest.tables import FARTHEST_ARRAYS, FARTHEST_TABLES
from boardspace.pipeline.spaces.klotski.net.checks import check_net
from boardspace.pipeline.spaces.klotski.net.stages import net_stages
from boardspace.pipeline.spaces.klotski.net.tables import NET_ARRAYS, NET_TABLES
from boardspace.pipeline.spaces.klotski.solution_checks import check_solutions
from boardspace.pipeline.spaces.klotski.stages import stages as layout_stages
from boardspace.pipeline.spaces.klotski.tables import ARRAYS, TABLES
from boardspace.pipeline.spaces.klotski.trays.checks import check_trays
from boardspace.pipeline.spaces.klotski.trays.stages import TRAYS, tray_stages


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Layouts and their groups; the net; then farthest steps, of the classes that the budget pays for."""
    return [*layout_stages(config), *net_stages(config), *tray_stages(config), *farthest_stages(config)]


def check(config: KlotskiConfig, inputs: Inputs, seed: int) -> Sequence[Check]:
    """Layouts decoded and moved by hand, solutions and farthest layouts found by hand."""
    return [
        *check_layouts(config, inputs, seed),
        *check_solutions(inputs, seed),
        *check_net(config, inputs, seed),
        *check_trays(config, inputs),
        *check_farthest(config, inputs, seed),
    ]


def warm_up() -> None:
    """Compile the kernels."""
    from boardspace.kernels import klotski as kernels

    kernels.warm_up()


SPACE = Space(
    name="klotski",
    version=1,
    title="Klotski (Huarong Dao)",
    doc=(
        "All layouts of Klotski on 4 x 5 cells: codes, ids and names, their classes, the groups that moves join, "
        "how far each is from its solutions and from the farthest layouts of its group."
    ),
    config=KlotskiConfig,
    tables=(*TABLES, *NET_TABLES, TRAYS, *FARTHEST_TABLES),
    arrays=ARRAYS + NET_ARRAYS + FARTHEST_ARRAYS,
    stages=stages,
    claims_file=Path(__file__).with_name("claims.toml"),
    claims=measure,
    checks=check,
    warm_up=warm_up,
)
