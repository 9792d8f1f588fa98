"""The command as a process: what it loads, and how its streams end."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from boardspace.cli.notices import announced
from boardspace_kernels.jit import listeners
from tests.pipeline.conftest import boardspace, environment

COMMAND = [sys.executable, "-m", "boardspace"]
LOADED = """
import atexit, sys
atexit.register(lambda: sys.stderr.write(' '.join(sys.modules)))
from boardspace.cli.main import main
main()
"""
HEAVY = {"numpy", "numba", "pyarrow", "pydantic", "rich", "distributed", "zarr", "scipy"}


def test_commands_under_test_are_forked_whatever_the_tests_import_and_run(tmp_path: Path) -> None:
    """A library that leaves a variable in the process of the tests would have each command do its imports anew."""
    code = """
from tests.pipeline.conftest import USUAL, environment
from tests.pipeline.template import read_by_imports
import distributed, hypothesis, polars, zarr
from boardspace.cli.main import cli
if __name__ == "__main__":
    cli(["run", "c.toml", "--workers", "1", "--quiet"], standalone_mode=False)
    assert read_by_imports(environment()) == read_by_imports(USUAL)
"""
    (tmp_path / "c.toml").write_text("[toy]\n")
    (tmp_path / "left.py").write_text(code)
    subprocess.run([sys.executable, "left.py"], cwd=tmp_path, env=environment(), check=True)


def loaded(*arguments: str) -> set[str]:
    """The heavy libraries that a command loads; the toy space, which loads all, is not plugged in."""
    env = {**environment(), "BOARDSPACE_SPACES": ""}
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return HEAVY & {name.split(".")[0] for name in done.stderr.split()}


@pytest.mark.parametrize("arguments", [("--help",), ("klotski", "--help"), ("solitaire", "solve", "--help")])
def test_help_loads_no_library_but_click(arguments: tuple[str, ...]) -> None:
    assert loaded(*arguments) == set()


def test_small_questions_load_no_kernel() -> None:
    assert loaded("klotski", "neighbours", "1A9BF0C") == set()
    assert loaded("klotski", "solve", "1A9BF0C") == {"numpy"}
    assert loaded("sliding", "solve", "ABB./ACDD/EEFG/HEI.", "--piece", "A") == {"numpy"}
    assert "numba" not in loaded("rectangle", "1000", "1000")
    assert "numba" not in loaded("solitaire", "boards")
    assert "numba" not in loaded("tromino", "6", "1", "2")
    assert "numba" not in loaded("five", "cells", "5")


def on_a_terminal(columns: int, *arguments: str) -> list[str]:
    """What a command prints on a terminal so wide."""
    above, below = pty.openpty()
    env = {**environment(), "COLUMNS": str(columns), "NO_COLOR": "1"}
    with subprocess.Popen([*COMMAND, *arguments], env=env, stdout=below, stderr=subprocess.DEVNULL) as started:
        os.close(below)
        content = b""
        while part := read_some(above):
            content += part
        os.close(above)
    assert started.returncode == 0
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
from boardspace.cli import lines, start
lines.draw_plainly = lambda stream: os.kill(os.getpid(), signal.SIGINT)
start.main()
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_standard_output_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        command = [*COMMAND, "klotski", "starts"]
        done = subprocess.run(command, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "boardspace: standard output: No space left on device\n"


def test_a_reader_that_stops_reading_ends_the_command_quietly() -> None:
    started = subprocess.Popen(
        [*COMMAND, "tromino", "10", "1", "1"], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert started.stdout is not None
    assert started.stderr is not None
    os.read(started.stdout.fileno(), 10)
    started.stdout.close()
    said = started.stderr.read().splitlines()
    assert all(line.startswith((b"boardspace: compiling kernels", b"boardspace: kernels compiled")) for line in said)
    assert started.wait(300) == 141


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
