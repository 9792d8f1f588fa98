"""No forgery of a column or an array passes ``verify``, though all that follows from it is made to agree."""

import os
import random
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.storage.shipped import CONFIGS
from boardspace.verify import verify
from tests.pipeline.alterations import ALL, LEFT_OUT, SWAPPED
from tests.pipeline.campaign import LONG
from tests.pipeline.finished import run_of
from tests.pipeline.forge import Campaign, Forgery, campaigns, told
from tests.pipeline.shipped import SHIPPED
from tests.pipeline.test_altered_columns import SMALL

pytestmark = pytest.mark.columns
SEED = int(os.environ.get("BOARDSPACE_SEED", "31"))
SAMPLE = 4
FIRST = ("board_division", "klotski")
"""Spaces of which some forgeries are tried in every run of the tests."""


def ran(folder: Path, config: str, space: str) -> Path:
    """A run of one space of a shipped configuration."""
    section = tomllib.loads((CONFIGS / f"{config}.toml").read_text())[space]
    (folder / "one.toml").write_text(_toml(space, section))
    result = CliRunner().invoke(cli, ["run", str(folder / "one.toml"), "--out", str(folder / "run"), "--workers", "0"])
    assert result.exit_code == 0, result.output
    return folder / "run"


def _toml(name: str, section: dict[str, object]) -> str:
    lines, tables = [f"[{name}]"], []
    for key, value in section.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            tables += [f"[[{name}.{key}]]\n" + "\n".join(f"{k} = {_value(v)}" for k, v in one.items()) for one in value]
        else:
            lines.append(f"{key} = {_value(value)}")
    return "\n".join([*lines, *tables]) + "\n"


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')


@pytest.fixture(scope="module")
def board_division(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return campaigns(run_of(SMALL["board_division"].config, tmp_path_factory.mktemp("forged")), [])[0]


def gaps(campaign: Campaign, forgeries: list[Forgery]) -> list[str]:
    return [told(found) for found in campaign.run(forgeries) if found.gap]


def test_no_forgery_of_a_small_dataset_passes(board_division: Campaign) -> None:
    assert gaps(board_division, random.Random(SEED).sample(board_division.forgeries(), 3 * SAMPLE)) == []


def test_no_file_counts_as_found_before_it_is_forged(board_division: Campaign) -> None:
    """Wherever the campaign looks, it is a forgery that it finds."""
    files = {path.relative_to(board_division.root).as_posix() for path in board_division.root.rglob("*")}
    assert board_division.level(files) == ""


def test_verify_itself_tells_of_a_forgery_and_of_nothing_after_the_campaign(board_division: Campaign) -> None:
    """The campaign asks the checks that name a column first; ``verify`` asks all."""
    with board_division.forged(Forgery("lines", "", SWAPPED)):
        faults = verify(board_division.root, "logic").faults
    assert "board_division: equations of lines" in [fault.where for fault in faults]
    assert verify(board_division.root, "logic").faults == ()


@pytest.mark.parametrize(
    "name", ["klotski", *(pytest.param(name, marks=pytest.mark.slow) for name in SHIPPED if name not in FIRST)]
)
def test_a_sample_of_forgeries_of_other_datasets_does_not_pass(name: str, tmp_path: Path) -> None:
    campaign = campaigns(ran(tmp_path, "smoke", name), [])[0]
    forgeries = [forgery for forgery in campaign.forgeries() if forgery.kind in (ALL, LEFT_OUT)]
    assert gaps(campaign, random.Random(SEED).sample(forgeries, SAMPLE)) == []


@pytest.mark.slow
@LONG
@pytest.mark.parametrize("config", ["smoke", "laptop"])
@pytest.mark.parametrize("name", SHIPPED)
def test_no_forgery_of_any_column_passes(config: str, name: str, tmp_path: Path) -> None:
    campaign = campaigns(ran(tmp_path, config, name), [])[0]
    assert gaps(campaign, campaign.forgeries()) == []
