"""The long campaign: whatever is given to any command, or stands in its environment, ends in a result or a message."""

import contextlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from boardspace.cli.commands.options import INTERNAL_ERROR
from boardspace.cli.main import cli
from tests.pipeline.campaign import LONG, cases, drawing
from tests.pipeline.conftest import environment

pytestmark = LONG
ARGUMENTS = 50_000
WORDS = (
    *("", " ", "-", "--", "-1", "0", "1", "2", "3", "5-4-1", "1e999", "nan", "inf", "9" * 30, "9" * 5000, "-" * 300),
    *("[b]", "[/b]", "x[/b]", "\x1b[2J", "a\nb", "\u2028", "\u202e", "é", "字", "\udcff", "%s", "{}", "$HOME", "~"),
    *("/", "..", "/dev/null", "/dev/full", "/dev/zero", "/proc/self/mem", "/proc/self/environ", "n" * 300, "a/" * 2000),
    *("toy", "klotski", "solitaire", "smoke", "english", "french", "square4", "true", "false", "null", "[", "{", '"'),
    *("tcp://[", "tcp://", "tls://h", "klotski.classes=['5-*']", "a.b.c=1", "toy.roots=0", "toy.roots=3", "=", "a=["),
    *("0" * 16, "F" * 16, "1A9BF0C00", "01", "A9", "aaaa", "xx x", "1,1", "c1-c3", "d4-d6, d6-f6", "0.5", "1/2", "#"),
)
# Commands that would compute, serve or wait for long, or for a cluster; they have campaigns of their own.
LEFT_OUT = {("run",), ("serve",), ("solitaire", "play")}
# Without its argument this one searches all classes, as it says; what it finds is tested elsewhere.
NEVER_FEWER = {("klotski", "hardest")}
SECONDS = 120.0  # of processor time, for a single answer
# Of all starts of the English board, as its help says.
MORE_SECONDS: dict[tuple[str, ...], float] = {("solitaire", "games"): 400.0}
ANSWERS = {0, 1, 2}


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands of a group and of the groups in it, by their names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        elif (*path, name) not in LEFT_OUT:
            yield (*path, name), command


def drawn(command: click.Command, chance: random.Random, fewest: int) -> list[str]:
    """Words for the arguments of a command, some of its options; at times too few (``fewest`` is -1) or too many."""
    words: list[str] = []
    for option in command.params:
        if isinstance(option, click.Option) and chance.random() < 0.3:
            words.append(chance.choice(option.opts))
            if not option.is_flag:
                words.append(word(chance))
    given = sum(isinstance(parameter, click.Argument) for parameter in command.params)
    return words + [word(chance) for _ in range(max(0, given + chance.choice([fewest, 0, 0, 0, 0, 1])))]


def word(chance: random.Random) -> str:
    if chance.random() < 0.8:
        return chance.choice(WORDS)
    letters = "0123456789abcdefABCDEFxyz-_.,:;/\\[](){}<>|#@!\x00\x07\x1b\n\t éß字\u202e"
    return "".join(chance.choice(letters) for _ in range(chance.randrange(1, 20)))


ALL = dict(commands(cli))


@pytest.mark.slow
@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_whatever_a_command_is_given_it_answers(
    path: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = drawing(" ".join(path))
    left, tried = cases(ARGUMENTS // len(ALL)), set[tuple[str, ...]]()
    while left > 0:
        words = drawn(ALL[path], chance, 0 if path in NEVER_FEWER else -1)
        left -= len(words) + 1
        if tuple(words) in tried:  # some take minutes, and the same again says nothing new
            continue
        tried.add(tuple(words))
        start = time.process_time()
        with contextlib.suppress(ValueError):  # an embedded NUL, which no argument of a process can hold
            result = CliRunner().invoke(cli, [*path, *words], input="")
            crashed = result.exception is not None and not isinstance(result.exception, SystemExit)
            if crashed and any("\0" in text for text in words):
                continue
            assert not crashed, (path, words, result.exc_info)
            assert time.process_time() - start < MORE_SECONDS.get(path, SECONDS), (path, words)
            if any("\0" in text for text in words):
                continue
            assert result.exit_code in ANSWERS, (path, words, result.output)
            assert result.exit_code != INTERNAL_ERROR
            assert result.exit_code == 0 or result.output.strip(), (path, words)
            assert "\x1b[2J" not in result.output, (path, words)


VARIABLES = {
    "NUMBA_CACHE_DIR": ("", "/dev/null", "/proc", "nowhere", "/root/../etc/passwd", "n" * 5000, "\x1b[2J", "[b]"),
    "XDG_CACHE_HOME": ("", "/dev/null", "relative", "n" * 5000),
    "HOME": ("", "/nowhere", "/dev/null"),
    "BOARDSPACE_SPACES": ("", ",", "nowhere", "os", "tests.toy,tests.toy", "[b]", "..", "a b", "\x1b"),
    "PYTHONIOENCODING": ("ascii", "latin-1", "utf-16"),
    "LC_ALL": ("C", "POSIX", "xx_XX"),
    "COLUMNS": ("0", "-1", "1", "9" * 30, "x"),
    "TERM": ("", "dumb", "nothing"),
    "TMPDIR": ("/nowhere", "/dev/null"),
    "BOARDSPACE_FAILPOINT": ("", "x", "@@", "*@NONE@x"),
    "NO_COLOR": ("1",),
    "TZ": ("nowhere",),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [(name, value) for name, found in VARIABLES.items() for value in found])
def test_whatever_stands_in_the_environment_a_command_answers(name: str, value: str, tmp_path: Path) -> None:
    (tmp_path / "toy.toml").write_text("[toy]\nroots = 5\n")
    for command in (
        ["rectangle", "3", "4"],
        ["run", "toy.toml", "--out", "out", "--workers", "0"],
        ["verify", "out"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "boardspace", *command],
            env={**environment(), name: value},
            cwd=tmp_path,
            capture_output=True,
            timeout=300,
            check=False,
        )
        assert done.returncode in ANSWERS, (command, done.stderr)
        assert b"Traceback" not in done.stderr, done.stderr
        assert b"\x1b[2J" not in done.stdout + done.stderr
        assert os.path.lexists("/dev/null")
