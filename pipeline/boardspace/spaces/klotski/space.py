"""Klotski: all layouts with codes, ids and names, their classes and groups."""

from collections.abc import Sequence
from pathlib import Path

from boardspace.spaces.klotski.checks import check as check_layouts
from boardspace.spaces.klotski.claims import measure
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.farthest.checks import check_farthest
from boardspace.spaces.klotski.farthest.stages import farthest_stages
from boardspace.spaces.klotski.farthest.tables import FARTHEST_ARRAYS, FARTHEST_TABLES
from boardspace.spaces.klotski.net.checks import check_net
from boardspace.spaces.klotski.net.stages import net_stages
from boardspace.spaces.klotski.net.tables import NET_ARRAYS, NET_TABLES
from boardspace.spaces.klotski.solution_checks import check_solutions
from boardspace.spaces.klotski.stages import stages as layout_stages
from boardspace.spaces.klotski.tables import ARRAYS, TABLES
from boardspace.spaces.klotski.trays.checks import check_trays
from boardspace.spaces.klotski.trays.stages import TRAYS, tray_stages
from boardspace.spec.check import Finding, of_findings
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Check, Draw, Inputs, Outcome, Part, Space, Stage


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Layouts and their groups; the net; then farthest steps, of the classes that the budget pays for."""
    return [*layout_stages(config), *net_stages(config), *tray_stages(config), *farthest_stages(config)]


def check(config: KlotskiConfig, inputs: Inputs, seed: int) -> Sequence[Finding]:
    """Layouts decoded and moved by hand, solutions and farthest layouts found by hand."""
    return [
        *check_layouts(config, inputs, seed),
        *check_solutions(inputs, seed),
        *check_net(config, inputs, seed),
        *check_trays(config, inputs),
        *check_farthest(config, inputs, seed),
    ]


def check_all(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All checks as one."""
    return of_findings(check(config, inputs, draw.seed))


SPACE = Space(
    name="klotski",
    version=1,
    title="Klotski (Huarong Dao)",
    doc=(
        "All layouts of Klotski on 4 x 5 cells: codes, ids and names, their classes, the groups that moves join, "
        "how far each is from its solutions and from the farthest layouts of its group."
    ),
    config=KlotskiConfig,
    parts=(
        Part(
            name="klotski",
            stages=stages,
            tables=(*TABLES, *NET_TABLES, TRAYS, *FARTHEST_TABLES),
            arrays=ARRAYS + NET_ARRAYS + FARTHEST_ARRAYS,
            claims=measure,
            checks=(Check("klotski", {}, "by hand", check_all),),
        ),
    ),
    claims_file=Path(__file__).with_name("claims.toml"),
    warm_up=DeferredFunction("boardspace_kernels.klotski.warm_up", "warm_up"),
)
