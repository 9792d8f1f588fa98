"""The space of docs/tutorial.md, built from the page as it stands: tested, run, verified and published."""

import json
import os
import re
import tomllib
from pathlib import Path

import pytest

from tests.pipeline.conftest import ROOT, boardspace, python

PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the page, with the metadata that installing them would leave."""
    folder = tmp_path_factory.mktemp("traffic_jam")
    for name, content in re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', PAGE, re.DOTALL):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    metadata = folder / f"traffic_jam_space-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n")
    points = "".join(f"{k} = {v}\n" for k, v in project["entry-points"]["boardspace.spaces"].items())
    (metadata / "entry_points.txt").write_text(f"[boardspace.spaces]\n{points}")
    return folder


def search_path(installed: Path) -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join([str(ROOT), str(installed)]), "BOARDSPACE_SPACES": ""}


@pytest.mark.thorough
def test_its_own_tests_pass(installed: Path) -> None:
    text = "import pytest, sys; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'test_traffic_jam.py']))"
    done = python(text, env=search_path(installed), folder=installed)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_the_scope_of_the_page_counts_what_a_configuration_covers(installed: Path) -> None:
    [block] = [code for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "Scope(" in code]
    done = python(block, env=search_path(installed), folder=installed)
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
def test_it_runs_and_gives_what_the_page_says(installed: Path, tmp_path: Path) -> None:
    env = search_path(installed)
    run = boardspace(
        "run", installed / "traffic_jam.toml", "--out", tmp_path / "run", "--workers", 2, "--json", env=env
    )
    assert run.returncode == 0, run.stderr
    claims = {row["claim"]: row for row in json.loads(run.stdout)["claims"]["traffic_jam"]}
    solved, boards = re.search(r"Of ([\d,]+) boards ([\d,]+) can be solved", PAGE).group(2, 1)  # type: ignore[union-attr]
    assert claims["half"]["evidence"] == f"{solved} of {boards} boards".replace(",", "")
    assert (claims["hardest"]["measured"], claims["hardest"]["verdict"]) == ("7", "refuted")
    verified = boardspace("verify", tmp_path / "run", env=env)
    assert verified.returncode == 0, verified.stdout
    cases = re.search(r"(\d+) cases", verified.stdout)
    assert cases is not None
    assert int(cases[1]) > 34  # those of rows, and shards that are drawn
    published = boardspace("publish", tmp_path / "run", "--out", tmp_path / "release", env=env)
    assert published.returncode == 0, published.stderr
    assert boardspace("verify", tmp_path / "release", env=env).returncode == 0
