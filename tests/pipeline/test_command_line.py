"""The command as a process: what it loads, and how its streams end."""

import importlib
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.cli.notices import announced
from boardspace_kernels.jit import listeners
from tests.pipeline.conftest import BOARDSPACE, USUAL, boardspace, environment, started
from tests.pipeline.template import read_by_imports

COMMAND = [sys.executable, "-m", "boardspace"]
LOADED = """
import sys
from boardspace.cli.main import main
for line in sys.stdin:
    sys.argv[1:] = line.split()
    try:
        main()
    except SystemExit as end:
        assert not end.code, line
    print(*sys.modules, file=sys.stderr)
"""
HEAVY = {"numpy", "numba", "pyarrow", "pydantic", "rich", "distributed", "zarr", "scipy"}


def test_commands_under_test_are_forked_whatever_the_tests_import_and_run(tmp_path: Path) -> None:
    """A library that leaves a variable in the process of the tests would have each command do its imports anew."""
    for library in ("distributed", "hypothesis", "polars", "zarr"):
        importlib.import_module(library)
    (tmp_path / "c.toml").write_text("[toy]\n")
    command = ["run", str(tmp_path / "c.toml"), "--out", str(tmp_path / "out"), "--workers", "1", "--quiet"]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    assert read_by_imports(environment()) == read_by_imports(USUAL)


# The most of them that are loaded once each of these commands has answered, one after the other.
LOADS = [
    ("--help", set()),
    ("klotski --help", set()),
    ("solitaire solve --help", set()),
    ("klotski neighbours 1A9BF0C", set()),
    ("klotski solve 1A9BF0C", {"numpy"}),
    ("sliding solve ABB./ACDD/EEFG/HEI. --piece A", {"numpy"}),
    ("rectangle 1000 1000", HEAVY - {"numba"}),
    ("solitaire boards", HEAVY - {"numba"}),
    ("tromino 6 1 2", HEAVY - {"numba"}),
    ("five cells 5", HEAVY - {"numba"}),
]


def test_help_loads_no_library_but_click_and_small_questions_load_no_kernel() -> None:
    """The toy space, which loads all, is not plugged in."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED],
        env={**environment(), "BOARDSPACE_SPACES": ""},
        input="\n".join(command for command, _ in LOADS),
        capture_output=True,
        text=True,
        check=True,
    )
    for (command, most), line in zip(LOADS, done.stderr.splitlines(), strict=True):
        found = HEAVY & {name.split(".")[0] for name in line.split()}
        assert found <= most, command


def on_a_terminal(columns: int, *arguments: str) -> list[str]:
    """What a command prints on a terminal so wide."""
    above, below = pty.openpty()
    command = started(BOARDSPACE, *arguments, env={"COLUMNS": str(columns), "NO_COLOR": "1"}, out=below)
    os.close(below)
    content = b""
    while part := read_some(above):
        content += part
    os.close(above)
    assert command.wait() == 0
    # At its end numba resets the colours of a terminal, where colorama is installed.
    return content.decode().removesuffix("\x1b[0m").splitlines()


def test_all_claims_fit_a_narrow_terminal(toy_config: Callable[..., Path], tmp_path: Path) -> None:
    boardspace("run", toy_config(), "--out", tmp_path / "out", "--workers", 0)
    lines = on_a_terminal(40, "claims", str(tmp_path / "out"), "--all")
    assert max(map(len, lines)) <= 40
    assert "toy: 1 confirmed, 1 refuted, 1 not covered" in " ".join(" ".join(lines).split())


@pytest.mark.parametrize("module", ["boardspace.cli.main", "boardspace.spec.stage", "boardspace.storage.stored"])
def test_ctrl_c_shows_no_traceback_while_the_command_is_being_loaded(module: str) -> None:
    """Ctrl-C comes as soon as Python tells that it has imported a module; before the first of these it is Python itself
    that starts, and tells so as it likes."""
    command = [sys.executable, "-P", "-X", "importtime", "-m", "boardspace", "verify", "nowhere"]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True) as started:
        assert started.stderr is not None
        assert any(line.rstrip().endswith(f" {module}") for line in started.stderr)
        started.send_signal(signal.SIGINT)
        _, errors = started.communicate()
    assert "Traceback" not in errors
    assert started.returncode in {2, 130, -signal.SIGINT}


def test_ctrl_c_shows_no_traceback_before_the_command_is_called() -> None:
    code = """
import os, signal
from boardspace import __main__
from boardspace.cli import lines
lines.draw_plainly = lambda stream: os.kill(os.getpid(), signal.SIGINT)
__main__.main()
"""
    command = [sys.executable, "-P", "-c", code, "verify", "nowhere"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


# What is compiled depends on the first, so it takes half a minute.
@pytest.mark.parametrize("setting", [pytest.param("NUMBA_OPT", marks=pytest.mark.slow), "NUMBA_FULL_TRACEBACKS"])
def test_a_setting_of_numba_that_is_no_number_is_told_in_a_line(setting: str) -> None:
    done = boardspace("klotski", "solve", "1A9BF0C", env={setting: "x"})
    assert done.returncode == 0
    for line in done.stderr.splitlines():
        assert line.startswith(f"boardspace: warning: Environment variable '{setting}'")


def test_compilation_is_told_where_standard_error_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with announced():
        for listener in (listeners[-1],) * 2:  # as two kernels are compiled
            listener()
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith("boardspace: compiling kernels")
    assert last.startswith("boardspace: kernels compiled, answered after")
    with announced():
        pass
    assert capsys.readouterr().err == ""


def read_some(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux says so where the other side is closed
        return b""


def test_a_terminal_shows_no_cut_words_and_a_pipe_whole_lines() -> None:
    command = ("klotski", "solutions", "1A9BF0C")
    shown = on_a_terminal(60, *command)
    assert max(map(len, shown)) <= 60
    whole = boardspace(*command).stdout.splitlines()
    assert max(map(len, whole)) > 60
    assert " ".join(" ".join(shown).split()) == " ".join(" ".join(whole).split())


def test_a_reader_that_stops_reading_ends_the_command_quietly(tmp_path: Path) -> None:
    mine, its = os.pipe()
    with (tmp_path / "said").open("w+") as said:
        command = started(BOARDSPACE, "tromino", "10", "1", "1", out=its, err=said)
        os.close(its)
        os.read(mine, 10)
        os.close(mine)
        assert command.wait() == 141
        lines = (tmp_path / "said").read_text().splitlines()
    assert all(line.startswith(("boardspace: compiling kernels", "boardspace: kernels compiled")) for line in lines)


def test_a_layout_is_read_from_standard_input_and_from_a_file(tmp_path: Path) -> None:
    drawing = "ABBC\nABBC\nDEEF\nDGHF\nI..J\n"
    piped = subprocess.run(
        [*COMMAND, "klotski", "neighbours", "-", "--json"],
        env=environment(),
        input=drawing,
        capture_output=True,
        text=True,
        check=True,
    )
    file = tmp_path / "layout.txt"
    file.write_text(drawing)
    assert boardspace("klotski", "neighbours", file, "--json").stdout == piped.stdout
    assert boardspace("klotski", "neighbours", "1A9BF0C", "--json").stdout == piped.stdout
