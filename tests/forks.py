"""Processes that share the tests, forked when these are collected: what tests import is imported once. Each takes the
next file while the last test of another runs, and says what became of its tests."""

import itertools
import os
import signal
import traceback
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any, NoReturn

import pytest

from boardspace.engine.machine import cpus

WORKER = "PYTEST_WORKER"
"""The variable that tells one such process from another."""
NUMBER = 4
"""Bytes of the number of a file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """How many processes share the tests."""
    parser.addoption("--processes", type=_processes, default=0, help="share tests among N processes, or auto")


def _processes(text: str) -> int:
    """Two more than there are cores: a third of the time is spent waiting for servers, browsers and other processes."""
    return cpus() + 2 if text == "auto" else int(text)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run what was collected in several processes, and report it as if it were run in this one. Whatever was not run,
    since a process ended, has failed."""
    option = session.config.option
    if not option.processes or option.collectonly or session.testsfailed:
        return None
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    files = [list(items) for _, items in itertools.groupby(session.items, key=lambda item: item.path)]
    left = {item.nodeid: item for item in session.items}
    queue, filled = os.pipe()
    os.write(filled, b"".join(number.to_bytes(NUMBER, "big") for number in range(len(files))))
    os.close(filled)
    running: dict[Any, int] = {}
    try:
        for worker in range(min(option.processes, len(files))):
            connection, told = Pipe(duplex=False)
            if (process := os.fork()) == 0:
                _work(session, worker, files, queue, told)
            told.close()
            running[connection] = process
        while running:
            for heard in wait(running):
                assert isinstance(heard, Connection)
                try:
                    hook, values = heard.recv()
                except EOFError:
                    os.waitpid(running.pop(heard), 0)
                else:
                    _repeat(session, hook, values)
                    if hook == "pytest_runtest_logfinish":
                        del left[values["nodeid"]]
    finally:
        os.close(queue)
        for process in running.values():
            os.kill(process, signal.SIGTERM)
            os.waitpid(process, 0)
    for nodeid, item in left.items():
        text = "not run to its end, since its process ended"
        report = pytest.TestReport(nodeid, item.location, {}, "failed", text, "call")
        session.config.hook.pytest_runtest_logreport(report=report)
    return True


def _repeat(session: pytest.Session, hook: str, values: dict[str, Any]) -> None:
    """Call the hook here, too."""
    config = session.config
    if hook == "pytest_runtest_logreport":
        values = {"report": config.hook.pytest_report_from_serializable(config=config, data=values)}
    elif hook == "pytest_warning_recorded":
        text, category, filename, line = values.pop("warning")
        kind = type(category, (Warning,), {})
        values["warning_message"] = warnings.WarningMessage(kind(text), kind, filename, line)
    elif hook == "pytest_internalerror":
        raise RuntimeError(values["text"])
    called = getattr(config.hook, hook)
    called.call_historic(kwargs=values) if called.is_historic() else called(**values)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)


class _Relay:
    """Tells the process that forked this one."""

    def __init__(self, config: pytest.Config, told: "Connection[Any, Any]") -> None:
        self._config, self._told = config, told

    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        self._told.send(("pytest_runtest_logstart", {"nodeid": nodeid, "location": location}))

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        self._told.send(("pytest_runtest_logfinish", {"nodeid": nodeid, "location": location}))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._told.send(("pytest_runtest_logreport", data))

    def pytest_warning_recorded(self, warning_message: Any, when: str, nodeid: str, location: Any) -> None:
        said = (str(warning_message.message), warning_message.category.__name__)
        warning = (*said, warning_message.filename, warning_message.lineno)
        values = {"warning": warning, "when": when, "nodeid": nodeid, "location": location}
        self._told.send(("pytest_warning_recorded", values))


def _work(session: pytest.Session, worker: int, files: list[list[pytest.Item]], queue: int, told: Any) -> NoReturn:
    """Be one of the processes."""
    try:
        _start(session.config, worker)
        session.config.pluginmanager.register(_Relay(session.config, told))
        items = itertools.chain.from_iterable(_taken(files, queue))
        item = next(items, None)
        while item is not None:
            following = next(items, None)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            item = following
    except BaseException:
        told.send(("pytest_internalerror", {"text": traceback.format_exc()}))
    finally:
        os._exit(0)


def _taken(files: list[list[pytest.Item]], queue: int) -> Iterator[list[pytest.Item]]:
    while number := os.read(queue, NUMBER):
        yield files[int.from_bytes(number, "big")]


def _start(config: pytest.Config, worker: int) -> None:
    """Have a folder of temporary files, files of captured output and a terminal of one's own: nobody sees the last."""
    os.environ[WORKER] = str(worker)
    factory: Any = config._tmp_path_factory  # type: ignore[attr-defined]
    folder: Path = factory._basetemp / f"worker{worker}"
    folder.mkdir()
    factory._basetemp = folder
    captured: Any = config.pluginmanager.getplugin("capturemanager")
    captured.stop_global_capturing()
    captured.start_global_capturing()
    captured.suspend_global_capture()
    config.get_terminal_writer()._file = Path(os.devnull).open("w")  # noqa: SIM115
