"""Spaces from elsewhere: found by entry points or a variable, refused with a reason, and part of what a plan is of."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from boardspace.spec import registry
from boardspace.spec.errors import BoardspaceError
from tests.pipeline.conftest import ROOT, boardspace

PLUG_IN = """
import dataclasses
from tests.toy import SPACE as TOY
SPACE = dataclasses.replace(TOY, name={space!r})
"""


def plug_in(folder: Path, module: str, content: str) -> dict[str, str]:
    """A module in a folder of its own, and the environment that plugs it in."""
    (folder / f"{module}.py").write_text(content)
    return {"BOARDSPACE_SPACES": f"tests.toy,{module}", "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}


def refusal(folder: Path, module: str, content: str) -> str:
    (folder / "toy.toml").write_text("[toy]\n")
    refused = boardspace("plan", folder / "toy.toml", env=plug_in(folder, module, content))
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr
    return refused.stderr


def toy_named(space: str) -> str:
    return PLUG_IN.format(space=space)


def test_a_module_that_is_no_space_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    assert "'empty_module' defines no SPACE" in refusal(tmp_path, "empty_module", "")
    lazy = "def __getattr__(name):\n    raise AttributeError(name)\n"
    assert "'lazy_module' defines no SPACE" in refusal(tmp_path, "lazy_module", lazy)


def test_a_module_that_is_no_space_is_refused_by_commands_that_need_no_space(tmp_path: Path) -> None:
    refused = boardspace("rectangle", 3, 4, env=plug_in(tmp_path, "empty_module", ""))
    assert refused.returncode == 2
    assert "'empty_module' defines no SPACE" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "'importing' cannot be imported (No module named 'not_there')" in refusal(
        tmp_path, "importing", "import not_there"
    )


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The registry looks for spaces anew, before a test and after it."""
    for found in (registry._modules, registry._found):
        found.cache_clear()
    yield
    monkeypatch.undo()
    for found in (registry._modules, registry._found):
        found.cache_clear()


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("name", ["run", "Toy", "a b", "../x", "9", ""])
def test_a_name_that_is_no_name_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    odd = ModuleType("odd")
    exec(toy_named(name), vars(odd))
    monkeypatch.setitem(sys.modules, "odd", odd)
    monkeypatch.setenv(registry.PLUGINS, "odd")
    with pytest.raises(BoardspaceError, match="odd: a space cannot be named"):
        registry.spaces()


def test_two_spaces_of_one_name_are_refused(tmp_path: Path) -> None:
    assert "two modules define the space 'toy': tests.toy and twin" in refusal(tmp_path, "twin", toy_named("toy"))


def test_two_commands_of_one_name_are_refused(tmp_path: Path) -> None:
    entry = 'from boardspace.spec.entry import Entry\nCOMMANDS = (Entry("klotski", "mine", "x"),)\n'
    refused = boardspace("--help", env=plug_in(tmp_path, "commands_twin", toy_named("other") + entry))
    assert refused.returncode == 2
    assert "two modules define the command 'klotski'" in refused.stderr


def test_an_installed_distribution_brings_its_space_by_an_entry_point(tmp_path: Path) -> None:
    """As ``pip`` leaves it: a module and its metadata on the path, no variable."""
    (tmp_path / "squares_again.py").write_text(toy_named("squares_again"))
    metadata = tmp_path / "squares_again-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: squares-again\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[boardspace.spaces]\nsquares_again = squares_again\n")
    (tmp_path / "again.toml").write_text("[squares_again]\n")
    path = os.pathsep.join([str(ROOT), str(tmp_path)])
    done = boardspace(
        *("run", tmp_path / "again.toml", "--out", tmp_path / "out", "--workers", 2), env={"PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "squares_again" / "COMPLETE").exists()


def test_a_change_of_a_plug_in_or_of_what_it_imports_is_another_plan(tmp_path: Path) -> None:
    (tmp_path / "mathematics.py").write_text("ANSWER = 42\n")
    env = plug_in(tmp_path, "changing", "import mathematics\n" + toy_named("changing"))
    config = tmp_path / "changing.toml"
    config.write_text("[changing]\n")
    assert boardspace("run", config, "--out", tmp_path / "out", "--workers", 0, env=env).returncode == 0
    (tmp_path / "mathematics.py").write_text("ANSWER = 43\n")
    refused = boardspace("run", config, "--out", tmp_path / "out", "--workers", 0, env=env)
    assert refused.returncode == 2
    assert "sources: the code has changed since" in refused.stderr


OTHER_HOST = """
import sys
from pathlib import Path
from boardspace.engine.config import validate
from boardspace.engine.work import RunDataset, cut_stage
from boardspace.engine.plan import work_of
[work] = work_of(validate({"toy": {}}, "toy", "toy"))
other = work.plan.model_copy(update={"libraries": {**work.plan.libraries, "numpy": "1.0"}, "sources": "0"})
cut_stage(RunDataset(Path(sys.argv[1]), "toy", other.model_dump_json()), "squares", {})
"""


def test_a_host_with_other_versions_refuses_to_work_and_says_which(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OTHER_HOST, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "has another toy than the command" in done.stderr
    assert "libraries.numpy: '1.0' there" in done.stderr
    assert "sources: the code has changed since" in done.stderr
