"""Spaces from elsewhere: found by entry points or a variable, refused with a reason, and part of what a plan is of."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardspace.cli.main import ENTRIES, Commands
from boardspace.spec import registry
from boardspace.spec.errors import BoardspaceError
from tests.pipeline.conftest import ROOT, boardspace, environment, python
from tests.pipeline.shipped import SHIPPED
from tests.shared import looked_for_anew

PLUG_IN = """
import dataclasses
from tests.toy import SPACE as TOY
SPACE = dataclasses.replace(TOY, name={space!r})
"""


def plug_in(folder: Path, module: str, content: str) -> dict[str, str]:
    """A module in a folder of its own, and the environment that plugs it in."""
    (folder / f"{module}.py").write_text(content)
    return {"BOARDSPACE_SPACES": f"tests.toy,{module}", "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}


def toy_named(space: str) -> str:
    return PLUG_IN.format(space=space)


ENTRY = 'from boardspace.spec.deferred import Entry\nCOMMANDS = (Entry({name!r}, "mine", "x"),)\n'
FAULTY = {
    "empty": ("", "defines no SPACE"),
    "lazy": ("def __getattr__(name):\n    raise AttributeError(name)\n", "defines no SPACE that is a boardspace Space"),
    "lazy_import": (
        "def __getattr__(name):\n    import not_there\n",
        "ModuleNotFoundError: No module named 'not_there'",
    ),
    "other_kind": ("SPACE = 5\n", "defines no SPACE that is a boardspace Space"),
    "importing": ("import not_there\n", "cannot be imported (ModuleNotFoundError: No module named 'not_there')"),
    "writing": ("SPACE = (\n", "cannot be imported (SyntaxError: "),
    "raising": ("x = 1\n{}['absent']\n", "cannot be imported (KeyError: 'absent'); {tmp_path}/raising.py, line 2"),
    "leaving": ("import sys\nsys.exit(3)\n", "cannot be imported (SystemExit: 3)"),
    "commanding": (toy_named("commanding") + "COMMANDS = ('go',)\n", "its COMMANDS are no"),
    "versioned": (toy_named("versioned").replace("name=", "version='a', name="), "the version of its space is 'a'"),
    **{
        f"named_{number}": (toy_named(name), "a space cannot be named")
        for number, name in enumerate(("cluster", "run", "Toy", "a b", "../x", "9", ""))
    },
    "twin": (toy_named("toy"), "two modules define the space 'toy': tests.toy and twin"),
    "shipped_twin": (toy_named("klotski"), "two modules define the space 'klotski': boardspace.spaces.klotski and "),
    "command_twin": (toy_named("other") + ENTRY.format(name="klotski"), "two modules define the command 'klotski'"),
}


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The registry looks for spaces anew, before a test and after it."""
    with looked_for_anew():
        yield
        monkeypatch.undo()


@pytest.mark.usefixtures("fresh")
def test_a_faulty_plug_in_is_named_and_left_out_and_the_others_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    for module, (content, reason) in FAULTY.items():
        (tmp_path / f"{module}.py").write_text(content)
        monkeypatch.setenv(registry.PLUGINS, f"tests.toy,{module}")
        registry._modules.cache_clear()
        registry._found.cache_clear()
        with pytest.warns(UserWarning, match=f"plug-in {module}, of .BOARDSPACE_SPACES, is left out") as warned:
            assert {*SHIPPED} <= registry.spaces().keys()
        assert ("toy" in registry.spaces()) == (module != "twin")  # of two plug-ins nobody knows which is meant
        assert registry.module_of("klotski") == "boardspace.spaces.klotski"
        assert any(reason.replace("{tmp_path}", str(tmp_path)) in str(warning.message) for warning in warned), module
        with pytest.raises(BoardspaceError, match=f"there is no space 'absent'(.|\n)*plug-in {module}, of "):
            registry.space_named("absent")
        assert "klotski" in {entry.name for entry in registry.commands()}


@pytest.mark.usefixtures("fresh")
def test_a_plug_in_does_not_take_the_place_of_a_command_of_boardspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taking.py").write_text(toy_named("taking") + ENTRY.format(name="run"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(registry.PLUGINS, "taking")
    with pytest.warns(UserWarning, match="plug-in taking: its command 'run' is left out"):
        assert Commands(entries=ENTRIES).entries()["run"] in ENTRIES
    assert "taking" in registry.spaces()


def test_a_command_works_beside_a_plug_in_that_cannot_be_imported_and_one_that_asks_for_it_does_not(
    tmp_path: Path,
) -> None:
    env = plug_in(tmp_path, "importing", "import not_there\n")
    (tmp_path / "toy.toml").write_text("[toy]\n")
    (tmp_path / "importing.toml").write_text("[importing]\n")
    for command, warnings in (
        (("rectangle", 3, 4), 0),  # which looks for no plug-in
        (("plan", tmp_path / "toy.toml"), 1),
        (("run", tmp_path / "toy.toml", "--out", tmp_path / "out", "--workers", 0), 1),
    ):
        done = boardspace(*command, env=env)
        assert done.returncode == 0, done.stderr
        warned = done.stderr.count("plug-in importing, of $BOARDSPACE_SPACES, is left out: cannot be imported")
        assert warned == done.stderr.count("not_there") == warnings, command
    refused = boardspace("plan", tmp_path / "importing.toml", env=env)
    assert refused.returncode == 2
    fault = refused.stderr.partition("importing: unknown section")[2]
    assert "No module named 'not_there'" in fault


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
        *("run", tmp_path / "again.toml", "--out", tmp_path / "out", "--workers", 1), env={"PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "squares_again" / "COMPLETE").exists()


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
    done = python(OTHER_HOST, tmp_path)
    assert "has another toy than the command" in done.stderr
    assert "libraries.numpy: '1.0' there" in done.stderr
    assert "sources: the code has changed since" in done.stderr


def test_spaces_that_ship_are_loaded_one_by_one_and_have_the_names_of_their_modules() -> None:
    code = (
        "import sys; from boardspace.spec.registry import spaces; assert {*spaces()} >= {'solitaire'}; "
        "assert 'solitaire' in spaces(); spaces()['klotski']; "
        "print(*(name for name in sys.modules if name.startswith('boardspace.spaces.') and name.endswith('.space')))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["boardspace.spaces.klotski.space"]
    assert all(space.name == name for name, space in registry.spaces().items())
