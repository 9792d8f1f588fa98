"""A headless Chromium, and sites for it. Where there is no browser, or no bundle, the tests are skipped and say so.

``BOARDSPACE_BROWSER=required`` makes that a failure (CI). ``BOARDSPACE_SCREENSHOTS`` names a folder for pictures.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.hosts import Host, own_host, plain_host
from tests.shared import made_once

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Programs, the first that is here; the first of them has no windows of its own, which take time to open."""
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 180_000  # milliseconds that a page may take on a busy machine
FOLLOWED = "addEventListener('hashchange', () => { window.followed = location.href })"
"""Says of which address the window was told last; the site's own listener runs in the same task, right after it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder needs a browser."""
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


def _missing(what: str) -> None:
    if os.environ.get("BOARDSPACE_BROWSER") == "required":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser, started once."""
    from boardspace.release.atlas.site import BUNDLE
    from boardspace.storage.release_folder import PAGE

    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        _missing("no Chromium here; Debian's package is called chromium-headless-shell")
    if not (BUNDLE / PAGE).is_file():
        _missing("the atlas is not built; make atlas")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def release(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release with its site. Do not change it."""
    from tests.browser.releases import make_release

    return made_once(tmp_path_factory, "atlas", make_release) / "release"


@pytest.fixture(scope="session")
def arrays_release(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with Klotski arrays, as a release of the whole space has. Do not change it."""
    from tests.browser.releases import with_arrays

    return made_once(tmp_path_factory, "arrays", lambda to: with_arrays(release, to / "release")) / "release"


@pytest.fixture(scope="session")
def unmeasured_release(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, of a run that computed no farthest steps: neither an array nor a table has them. Do not change it."""
    from tests.browser.releases import WITHOUT_FARTHEST, with_arrays

    def make(folder: Path) -> None:
        with_arrays(release, folder / "release", WITHOUT_FARTHEST)

    return made_once(tmp_path_factory, "unmeasured", make) / "release"


@pytest.fixture(scope="session")
def site(release: Path) -> Iterator[str]:
    """The address of the site, served by ``boardspace serve``."""
    with own_host(release) as url:
        yield url


@pytest.fixture(scope="session")
def arrays_host(arrays_release: Path) -> Iterator[Host]:
    """A plain static host of the release with arrays."""
    with plain_host(arrays_release) as host:
        yield host


@pytest.fixture(scope="session")
def tables_host(release: Path) -> Iterator[Host]:
    """A plain static host of the release without."""
    with plain_host(release) as host:
        yield host


class Reader:
    """A reader's browser window; ``faults`` are errors of the page's own scripts, and must stay empty."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.faults: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.add_init_script(FOLLOWED)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: self._hear(line))

    def _hear(self, line: Any) -> None:
        if line.type == "error" and "Failed to load resource" not in line.text:
            self.faults.append(line.text)

    def open(self, url: str, place: str) -> Any:
        """Open a page afresh and wait until it shows what it has."""
        self.page.goto("about:blank")
        self.page.goto(f"{url}/#/{place}")
        return self.settle()

    def arrive(self, end: str = "") -> Any:
        """Wait until a link led to an address with this end, and the page of it shows what it has.

        The address alone would not do: it is new while the page before it still stands there.
        """
        self.page.wait_for_function("end => window.followed?.endsWith(end)", arg=end)
        return self.settle()

    def settle(self) -> Any:
        """Wait until nothing is being read."""
        self.page.wait_for_selector("main")
        self.page.wait_for_selector("[aria-busy]", state="detached")
        return self.page

    @property
    def address(self) -> str:
        """The page's address. ``page.url`` is told of a new one later than the event that made it returns."""
        return str(self.page.evaluate("location.href"))

    def text(self, selector: str = "main") -> str:
        """The text shown."""
        return str(self.page.inner_text(selector))

    def fact(self, name: str) -> str:
        """A fact of the list beside a board."""
        return self.text(f"[data-fact={name}]")

    def fault(self) -> str:
        """The kind of the fault shown; '' for none."""
        shown = self.page.locator("[data-fault]")
        return str(shown.first.get_attribute("data-fault")) if shown.count() else ""


DESK: Mapping[str, Any] = {"viewport": {"width": 1200, "height": 900}, "locale": "en-US", "color_scheme": "light"}
PHONE: Mapping[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "locale": "zh-CN",
    "color_scheme": "dark",
    "has_touch": True,
    "is_mobile": True,
}


@contextmanager
def window(chromium: Any, device: Mapping[str, Any]) -> Iterator[Reader]:
    """A window of a browser that holds nothing yet, without the service worker."""
    context = chromium.new_context(**device, service_workers="block")
    yield Reader(context.new_page())
    context.close()


@pytest.fixture
def fresh_reader(chromium: Any) -> Iterator[Reader]:
    """A window of 1200 x 900, in English, with light colours, in a browser that keeps no file of a test before."""
    with window(chromium, DESK) as reader:
        yield reader
    assert not reader.faults


@pytest.fixture(scope="module")
def desk(chromium: Any) -> Iterator[Reader]:
    """A window that stays open: to open another takes half the time of a test that only looks."""
    with window(chromium, DESK) as desk:
        yield desk


@pytest.fixture(scope="module")
def pocket(chromium: Any) -> Iterator[Reader]:
    """A phone that stays open."""
    with window(chromium, PHONE) as pocket:
        yield pocket


def _used(reader: Reader, colours: str) -> None:
    """Leave a window as it was before, but for what the browser keeps of files."""
    reader.page.evaluate("localStorage.clear()")
    reader.page.emulate_media(media="null", color_scheme=colours)
    reader.page.mouse.move(0, 0)
    faults, reader.faults = reader.faults, []
    assert not faults


@pytest.fixture
def reader(desk: Reader) -> Iterator[Reader]:
    """A window of 1200 x 900, in English, with light colours: the same for all tests of a file."""
    yield desk
    _used(desk, DESK["color_scheme"])


@pytest.fixture
def phone(pocket: Reader) -> Iterator[Reader]:
    """A phone, in Chinese, with dark colours: the same for all tests of a file."""
    yield pocket
    _used(pocket, PHONE["color_scheme"])
