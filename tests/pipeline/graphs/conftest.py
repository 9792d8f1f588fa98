"""Puzzles plugged in, in this process and those it starts."""

from collections.abc import Iterator

import pytest

from boardspace.spec import registry

PLUGINS = "tests.toy,tests.lamps,tests.steps,tests.beads,tests.lights,tests.rounds,tests.numbered"


@pytest.fixture(scope="module", autouse=True)
def puzzles() -> Iterator[None]:
    """Plugs in the puzzles, beside the toy space."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(registry.PLUGINS, PLUGINS)
        for cached in (registry._modules, registry._found):
            cached.cache_clear()
        yield
    for cached in (registry._modules, registry._found):
        cached.cache_clear()
