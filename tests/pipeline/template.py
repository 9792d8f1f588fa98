"""A process with the imports of the command done, from which tests fork commands: most of a small command's time is
its imports. Whatever an import reads of the environment has to be the same; else a command is started anew.

It takes a line of JSON a command, with the descriptors of its standard output and error and of a socket for the
answers: its process number, and when it has ended its return code, as :class:`subprocess.Popen` has it, and the CPU
seconds that it took. The process that a command forks its workers from is a fork, too: the imports of that would be
most of what a small run costs.
"""

import atexit
import importlib
import json
import multiprocessing.util
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from boardspace.engine import fork_server
from boardspace_kernels import kernel_cache, sources

PRELOADED = (
    "boardspace.cli.main",
    "boardspace.cli.commands.run",
    "boardspace.cli.commands.verify",
    "boardspace.engine.dask_clusters",
    *fork_server.PRELOADED,
    "tests.toy",
)
READ_BY_NO_IMPORT = (
    "BOARDSPACE_",
    "AWS_",
    "PYTEST_",
    "NUMBA_CACHE_DIR",
    "PYTHONPATH",
    "PYTHONDONTWRITEBYTECODE",
    "TMPDIR",
)
"""Variables that begin so are read later, by no command, or are seen to when a command is forked."""
END, LENGTH = b"\n", 40
"""Of a request, and of an answer."""
_codes: list[int] = []
"""The return code of the command that this process was, once it has one."""


class Template:
    """The process, started with the environment of the commands."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = read_by_imports(environment)
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair()
        with theirs:
            start = f"from {__name__} import serve; serve({theirs.fileno()})"
            self._process = subprocess.Popen(
                [sys.executable, "-c", start],
                env=environment,
                stdout=subprocess.DEVNULL,  # no terminal, and so its buffer is that of a pipe
                pass_fds=[theirs.fileno()],
            )

    def run(
        self, program: str, arguments: Sequence[str], environment: Mapping[str, str], folder: Path, out: int, err: int
    ) -> "Command":
        """Fork a command: the function ``main`` of a module, started in a folder."""
        request = {
            "program": program,
            "arguments": arguments,
            "environment": dict(environment),
            "folder": str(folder),
        }
        answers, theirs = socket.socketpair()
        with theirs, self._lock:
            descriptors = [out, err, theirs.fileno()]
            socket.send_fds(self._socket, [json.dumps(request).encode() + END], descriptors)
            return Command(answers)

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        self._process.wait()


class Command:
    """A command that was forked; ``spent`` are the CPU seconds of all of them in this process."""

    spent: ClassVar[float] = 0.0

    def __init__(self, answers: socket.socket) -> None:
        self._answers = answers
        self.number = int(self._answer()[0])

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal; what it has started is left alone."""
        os.kill(self.number, number)

    def wait(self, timeout: float = 600) -> int:
        """Return code; subprocess.TimeoutExpired, once the command was killed, if it takes more seconds."""
        with self._answers:
            self._answers.settimeout(timeout)
            try:
                code, seconds = self._answer()
            except TimeoutError:
                self._answers.settimeout(None)
                os.kill(self.number, signal.SIGKILL)
                self._answer()
                raise subprocess.TimeoutExpired("boardspace", timeout) from None
        Command.spent += float(seconds)
        return int(code)

    def _answer(self) -> list[bytes]:
        return self._answers.recv(LENGTH).split()


def read_by_imports(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that an import may read."""
    return {name: value for name, value in environment.items() if not name.startswith(READ_BY_NO_IMPORT)}


def serve(descriptor: int) -> None:
    """Fork commands until nobody is there to ask for them; in the process of a command, be that command."""
    atexit.register(_end)  # before any import does the like, and so it is called last
    for module in PRELOADED:
        importlib.import_module(module)
    import numba

    numba.njit(lambda: 0)()  # it loads half a second's functions at its first call
    kernel_cache._machine()  # versions of libraries and the processor's name
    sources.plug_in_digest("tests")  # of which the toy space is a part: half of the time of its smallest run
    with socket.socket(fileno=descriptor) as asked:
        while request := _received(asked):
            text, descriptors = request
            if os.fork() == 0:
                break
            for one in descriptors:
                os.close(one)
        else:
            with suppress(ChildProcessError):
                while os.wait():
                    pass
            return
    out, err, answers = descriptors
    if number := os.fork():
        _answer_for(number, answers)
    os.close(answers)
    _be(json.loads(text), out, err)


def _received(asked: socket.socket) -> tuple[bytes, list[int]] | None:
    """The next request, and its descriptors."""
    text, descriptors = b"", list[int]()
    while not text.endswith(END):
        part, more, _, _ = socket.recv_fds(asked, 1 << 16, 3)
        if not part:
            return None
        text, descriptors = text + part, descriptors + more
    return text, descriptors


def _answer_for(number: int, descriptor: int) -> NoReturn:
    with socket.socket(fileno=descriptor) as answers:
        answers.send(str(number).ljust(LENGTH).encode())
        _, status, used = os.wait4(number, 0)
        answer = f"{os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime}"
        answers.send(answer.ljust(LENGTH).encode())
    os._exit(0)


def _be(request: Mapping[str, Any], out: int, err: int) -> None:
    for descriptor, number, name in ((out, 1, "stdout"), (err, 2, "stderr")):
        os.dup2(descriptor, number)
        os.close(descriptor)
        # The template's remembers of its own descriptor whether it is a terminal and where in a file it is.
        letters, lines = getattr(sys, name), 1 if name == "stderr" else -1
        stream = open(number, "w", lines, letters.encoding, letters.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    tempfile.tempdir = None
    # What is imported is the same in any path; what a path has beyond the template's are plug-ins.
    path = request["environment"].get("PYTHONPATH", "").split(os.pathsep)
    sys.path[1:1] = [folder for folder in path if folder not in sys.path]
    sys.dont_write_bytecode = bool(request["environment"].get("PYTHONDONTWRITEBYTECODE"))
    sys.argv = [request["program"], *request["arguments"]]
    vars(multiprocessing.util)["spawnv_passfds"] = _forked_server(multiprocessing.util.spawnv_passfds)
    main = importlib.import_module(request["program"]).main
    from tests.draws import begin_draws

    begin_draws()
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, int):
            _codes.append(end.code)
        raise


Spawn = Callable[[bytes, Sequence[Any], Sequence[int]], int]


def _forked_server(spawn: Spawn) -> Spawn:
    """Starts Python as multiprocessing does, with these arguments and descriptors; its fork server as a fork."""

    def start(path: bytes, arguments: Sequence[Any], descriptors: Sequence[int]) -> int:
        program = arguments[-1]
        is_server = isinstance(program, str) and program.startswith("from multiprocessing.forkserver")
        if not is_server or "obstore" in sys.modules:  # its threads, which read a bucket, are not there after a fork
            return spawn(path, arguments, descriptors)
        if number := os.fork():
            return number
        # A new process has neither the handlers of signals nor the open files of the one that starts it.
        for one in signal.valid_signals():
            if callable(signal.getsignal(one)):
                signal.signal(one, signal.SIG_DFL)
        kernel_cache._in_use.clear()
        first = 3
        for kept in [*sorted(descriptors), os.sysconf("SC_OPEN_MAX")]:
            os.closerange(first, kept)
            first = kept + 1
        try:
            exec(program, {})
        finally:
            os._exit(0)

    return start


def _end() -> None:
    """End a command here. Python would take all modules apart next, ten times the work of a small command, since their
    memory is shared with the template until it is written to."""
    with suppress(OSError):  # which Python itself tells of
        sys.stdout.flush()
        sys.stderr.flush()
        for code in _codes:
            os._exit(code)
