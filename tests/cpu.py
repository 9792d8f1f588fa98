"""CPU seconds by file and by test, those of processes that tests start included: python -m pytest -p tests.cpu ..."""

import os
from collections import Counter

import pytest

from tests.pipeline.template import Command

PROPERTY = "cpu"
SHOWN = 40
began = pytest.StashKey[float]()


def spent() -> float:
    """Seconds of this process and of those that it started and that have ended."""
    return sum(os.times()[:4]) + Command.spent


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[began] = spent()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    if call.when == "teardown" and began in item.stash:
        item.user_properties.append((PROPERTY, spent() - item.stash[began]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Files, then tests, by their seconds; what collecting the tests takes in each process is not among them."""
    files, tests = Counter[str](), Counter[str]()
    for report in terminalreporter.stats.get("", []):
        if report.when == "teardown":
            seconds = dict(report.user_properties).get(PROPERTY, 0.0)
            files[report.nodeid.partition("::")[0]] += seconds
            tests[report.nodeid] += seconds
    terminalreporter.section(f"{sum(files.values()):.0f} CPU seconds")
    for name, number in files.most_common(SHOWN) + tests.most_common(SHOWN):
        terminalreporter.line(f"{number:8.1f} {name}")
