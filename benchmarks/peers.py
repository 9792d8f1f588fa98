"""``python -m benchmarks.peers [TASK=COMMAND]...``: small questions in CPU seconds, beside other programs.

A task is asked in turn of a new process of ours, of this process, and of the other program, if one is given. A COMMAND
is a program that answers the same question; its output has to hold the answer (81 steps, 235 steps, "can be reduced"),
so that no wrong one is timed. What is not given is skipped, and the table says so.

Programs to be compared with: for Klotski the native breadth-first search of dnomd343/klotski (C++); for any sliding
blocks the solver of Slide, an unfinished puzzle of Simon Tatham's collection (C, ``slidesolver``); for peg solitaire
any that finds all positions of 33 holes. Those that print in another form need a script of a line around them.

    python -m benchmarks.peers "klotski=klotski-solve 1A9BF0C" "sliding=./slide-235"
"""

import os
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from boardspace import klotski, sliding_blocks
from boardspace.spaces.solitaire.parts.classes.queries import answers_now
from boardspace.spec import sliding

RUNS = 5
BOARD = "ABBCD/EF.CD/EFGHD/IJJJK"
"""The longest corner puzzle of the 4 x 5 tray."""


class Task(NamedTuple):
    """Small question.

    command: arguments of ``boardspace`` that ask it.
    warm: asks it in this process, and returns the answer.
    answer: what an answer has to say.
    """

    command: tuple[str, ...]
    warm: Callable[[], str]
    answer: str


def _klotski() -> str:
    way = klotski.solution("1A9BF0C")
    return "" if way is None else str(len(way))


def _sliding() -> str:
    way = sliding_blocks.solve(BOARD, "A")
    return "" if way is None else str(len(way.moved))


def _hint() -> str:
    known = answers_now("english", 19)
    return "can be reduced" if known.ask(known.vacancy.start).can_win else ""


TASKS = {
    "klotski": Task(("klotski", "solve", "1A9BF0C"), _klotski, "81"),
    "sliding": Task(("sliding", "solve", BOARD, "--piece", "A"), _sliding, "235"),
    "hint": Task(("solitaire", "position", "all but 19", "--vacancy", "19"), _hint, "can be reduced"),
}


def seconds_of(command: list[str], answer: str) -> float:
    """CPU seconds of a process; ValueError where it fails, or does not print the answer.

    It may keep bytecode, as it does for users: a process that compiles what it imports takes 80 ms more.
    """
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=variables)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode or answer not in done.stdout:
        raise ValueError(f"{shlex.join(command)}: exit code {done.returncode}, and no {answer!r} in what it printed")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds_warm(task: Task) -> float:
    """CPU seconds of a question in this process."""
    before = time.process_time()
    found = task.warm()
    taken = time.process_time() - before
    if task.answer not in found:
        raise ValueError(f"{' '.join(task.command)}: {found!r} has no {task.answer!r}")
    return taken


def row(name: str, task: Task, peer: list[str] | None) -> str:
    """A line of the table: medians of turns in which each is asked once."""
    sliding.searched[0] = sliding.PATIENCE  # else NumPy answers first
    seconds_warm(task)  # kernels are loaded
    seconds_of([sys.executable, "-m", "boardspace", *task.command], task.answer)  # bytecode is there
    turns = []
    for _ in range(RUNS):
        ours = seconds_of([sys.executable, "-m", "boardspace", *task.command], task.answer)
        theirs = seconds_of(peer, task.answer) if peer else float("nan")
        turns.append((ours, seconds_warm(task), theirs))
    new, warm, other = (statistics.median(column) for column in zip(*turns, strict=True))
    beside = f"{other:.4f}   {new / other:.1f}, warm {warm / other:.1f}" if peer else "none given: skipped"
    return f"{name:9} {new:11.3f} {warm:8.4f}   {beside}"


def main(given: list[str]) -> int:
    """Print the table; 2 where an argument names no task, or no program that is here."""
    peers = {name: shlex.split(command) for name, _, command in (one.partition("=") for one in given)}
    for name, command in peers.items():
        if name not in TASKS or not command or shutil.which(command[0]) is None:
            print(f"{name}={shlex.join(command)}: write TASK=COMMAND, of {', '.join(TASKS)}", file=sys.stderr)
            return 2
    print("task      new process     warm   peer and ratios, CPU seconds")
    seconds_numpy = seconds_of([sys.executable, "-c", "import numpy"], "")
    print(f"numpy     {seconds_numpy:11.3f}            imported alone")
    for name, task in TASKS.items():
        print(row(name, task, peers.get(name)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
