"""A host made of namespaces: processes with a network, mounts, process numbers and a host name of their own.

Nothing of the machine's is changed. When a host ends, all its processes end, and its network and mounts are gone.
"""

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Self

import psutil
import pytest

Completed = subprocess.CompletedProcess[str]
NAMESPACES = ("--net", "--uts", "--mount", "--pid")
# What the first process of a host does: it takes in orphans, as an init has to, and ends when nobody holds its input.
INIT = """
import os, signal, sys
def reap(*_):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
signal.signal(signal.SIGCHLD, reap)
print("up", flush=True)
sys.stdin.read()
"""


def needs_root() -> None:
    """Skip the test where namespaces cannot be made."""
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")


def wait_until(true: Callable[[], object], what: str, seconds: float = 120) -> None:
    """Wait for something to hold; AssertionError, with ``what``, where it does not in time."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.2)


class Host:
    """A host of that name, up inside ``with``; ``hosts`` are the addresses it knows by name, ``folder`` is where its
    commands run."""

    def __init__(self, name: str, hosts: Mapping[str, str], folder: Path) -> None:
        self.name, self.folder, self.hosts = name, folder, hosts

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        command = ["unshare", *NAMESPACES, "--fork", "--kill-child", "--mount-proc", "python3", "-c", INIT]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            assert self._process.stdout is not None
            assert self._process.stdout.readline() == "up\n"
            (init,) = psutil.Process(self._process.pid).children()
            self.pid = init.pid
            self.boot()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def boot(self) -> None:
        """What a host does when it starts: its name, the others' names, its own network."""
        names = self.folder / "hosts"
        names.write_text(
            "".join(f"{address} {host}\n" for host, address in {"localhost": "127.0.0.1", **self.hosts}.items())
        )
        self.run("hostname", self.name)
        self.run("mount", "--bind", names, "/etc/hosts")
        self.run("mount", "-t", "tmpfs", "none", "/dev/shm")  # names there hold numbers of processes
        self.run("ip", "link", "set", "lo", "up")

    def kill(self) -> None:
        """End it, as a power cut would: every process is gone at once."""
        self._process.kill()
        self._process.wait()

    def command(self, *command: object) -> list[str]:
        """What starts a command on it."""
        enter = ["nsenter", f"--target={self.pid}", *NAMESPACES, f"--wd={self.folder}"]
        return [*enter, *map(str, command)]

    def run(self, *command: object, env: Mapping[str, str] | None = None, check: bool = True) -> Completed:
        """Run a command on it, in its folder, to its end; AssertionError, with its output, where it fails."""
        return _checked(self.command(*command), env, check)

    def run_in_network(self, *command: object) -> Completed:
        """The same for a command that sees its network, but the processes and files of the machine."""
        return _checked(["nsenter", f"--target={self.pid}", "--net", *map(str, command)])

    def start(self, log: Path, *command: object, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start a command on it, in its folder; what it says goes to a file. It ends with the host at the latest."""
        stream: IO[bytes]
        with log.open("ab") as stream:
            return subprocess.Popen(
                self.command(*command), env=env, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream
            )


def _checked(command: Sequence[str], env: Mapping[str, str] | None = None, check: bool = True) -> Completed:
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600, check=False)
    assert not check or done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done
