"""Once loaded the atlas works without a network: the program is kept, and all data that were verified."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import Reader
from tests.browser.hosts import Host


@pytest.fixture
def installed(chromium: Any, arrays_host: Host) -> Iterator[Reader]:
    """A reader whose browser has read a layout and has the service worker."""
    context = chromium.new_context(locale="en-US")
    reader = Reader(context.new_page())
    reader.open(arrays_host.url, "klotski/1A9BF0C")
    reader.page.evaluate("async () => { await navigator.serviceWorker.ready }")
    reader.page.wait_for_function("async () => (await caches.keys()).some(name => name.startsWith('atlas-program-'))")
    yield reader
    context.close()
    arrays_host.well()


def test_what_was_read_is_shown_without_a_network_and_what_was_not_is_said(
    installed: Reader, arrays_host: Host
) -> None:
    page = installed.page
    installed.open(arrays_host.url, "solitaire/triangle15/corner")
    page.context.set_offline(True)
    installed.open(arrays_host.url, "klotski/1A9BF0C")
    assert installed.fact("steps") == "81"
    assert installed.fact("solutions") == "6"
    installed.open(arrays_host.url, "klotski/gallery")
    assert page.locator(".gallery .card").count() == 11
    installed.open(arrays_host.url, "solitaire/triangle15/corner")
    assert "Solutions in 10 moves" in installed.text()
    installed.open(arrays_host.url, "claims")
    assert installed.fault() == "network"


def test_what_was_kept_is_verified_again(installed: Reader, arrays_host: Host) -> None:
    page = installed.page
    page.evaluate(
        """async () => {
            for (const name of await caches.keys()) if (name.startsWith('atlas-data-')) {
                const cache = await caches.open(name)
                for (const key of await cache.keys()) if (key.url.includes('min_solution_step')) {
                    const bytes = new Uint8Array(await (await cache.match(key)).arrayBuffer())
                    bytes[20] ^= 1
                    await cache.put(key, new Response(bytes))
                }
            }
        }"""
    )
    page.context.set_offline(True)
    installed.open(arrays_host.url, "klotski/1A9BF0C")
    assert installed.fault() == "damaged"


def test_nothing_of_another_release_is_kept(installed: Reader, tables_host: Host) -> None:
    names = "async () => (await caches.keys()).filter(name => name.startsWith('atlas-data-'))"
    assert len(installed.page.evaluate(names)) == 1
    assert (
        installed.page.evaluate(
            """async () => {
            await caches.open('atlas-data-of-another-release')
            location.reload()
        }"""
        )
        is None
    )
    installed.settle()
    installed.page.wait_for_function("async () => (await caches.keys()).length === 2")
    assert len(installed.page.evaluate(names)) == 1
