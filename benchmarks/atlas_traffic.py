"""Requests and bytes of the atlas, in a real browser: ``python -m benchmarks.atlas_traffic RELEASE``.

RELEASE has its site beside the data and holds all of Klotski. Bytes are content without headers, as sent by
``boardspace serve``, which compresses texts; the bundle's share of the first page is named.
"""

import random
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

from boardspace.release.atlas.serve import serving

LAYOUTS = 29_334_498
DRAWN = 60
PLACES = (
    "",
    "klotski/1A9BF0C",
    "klotski/classes",
    "sliding",
    "sliding/play/ABCD/EEFG/.HHH",
    "solitaire",
    "five/5",
    "division",
    "division/rectangles",
    "claims",
    "datasets/klotski/tables/classes",
)


@dataclass
class Traffic:
    """What a page asked for since it was last taken."""

    requests: list[tuple[str, int]] = field(default_factory=list)

    def hear(self, request: Any) -> None:
        """Count a finished request."""
        if request.url.startswith("http"):
            self.requests.append((request.url, request.sizes()["responseBodySize"]))

    def take(self) -> tuple[int, int, int]:
        """Requests, bytes, and of these the bytes of scripts, style and page."""
        own = sum(size for url, size in self.requests if url.endswith((".js", ".css", "/")))
        taken = len(self.requests), sum(size for _, size in self.requests), own
        self.requests.clear()
        return taken


def settled(page: Any) -> None:
    """Wait until nothing is being read."""
    page.wait_for_selector("main")
    page.wait_for_selector("[aria-busy]", state="detached")
    page.wait_for_timeout(150)


def first_pages(browser: Any, url: str) -> None:
    """Every page as the first one a reader opens."""
    for place in PLACES:
        page, traffic = browser.new_context(locale="en-US").new_page(), Traffic()
        page.on("requestfinished", traffic.hear)
        page.goto(f"{url}/#/{place}")
        settled(page)
        page.wait_for_timeout(1500)
        requests, size, own = traffic.take()
        print(f"first page #/{place}: {requests} requests, {size:,} bytes, {own:,} of them the bundle's")
        page.context.close()


def layouts_and_moves(browser: Any, url: str) -> None:
    """Random layouts after the first page, and moves: the best step of each."""
    page, traffic = browser.new_context(locale="en-US").new_page(), Traffic()
    page.on("requestfinished", traffic.hear)
    page.goto(f"{url}/#/klotski/1A9BF0C")
    settled(page)
    traffic.take()
    draw = random.Random(0)
    layouts, moves = [], []
    for _ in range(DRAWN):
        number = draw.randrange(LAYOUTS)
        page.fill("#find", f"#{number}")
        page.press("#find", "Enter")
        page.wait_for_selector(f"[data-fact=id]:text-is('{number:,}')")
        page.wait_for_timeout(250)
        layouts.append(traffic.take())
    page.goto(f"{url}/#/klotski/1A9BF0C")
    settled(page)
    traffic.take()
    for left in range(80, 80 - DRAWN, -1):
        page.click("text=Best step")
        page.wait_for_selector(f"[data-fact=steps]:text-is('{left}')")
        page.wait_for_timeout(250)
        moves.append(traffic.take())
    tell("another layout", layouts)
    tell("a move, with its whole row", moves)


def jumps(browser: Any, url: str) -> None:
    """Jumps of the English board, each with what all jumps after it are worth, from the array of its class."""
    page, traffic = browser.new_context(locale="en-US").new_page(), Traffic()
    page.on("requestfinished", traffic.hear)
    page.goto(f"{url}/#/solitaire/english/vacancy-19?hints=which")
    settled(page)
    page.wait_for_selector(".spot.wins", timeout=60_000)
    traffic.take()
    taken = []
    for _ in range(14):
        page.click(".spot.free.shortest, .spot.free.wins", timeout=20_000)
        if page.locator(".spot.target").count():
            page.click(".spot.target.shortest, .spot.target.wins, .spot.target")
        page.wait_for_selector(".spot.shortest, .spot.wins, .spot.lost", timeout=60_000)
        page.wait_for_timeout(300)
        taken.append(traffic.take())
    tell("a jump of the English board", taken)


def tell(what: str, taken: list[tuple[int, int, int]]) -> None:
    """Mean and most."""
    requests, sizes = [one[0] for one in taken], [one[1] for one in taken]
    print(
        f"{what} ({len(taken)}): {sum(requests) / len(taken):.1f} requests and {sum(sizes) / len(taken):,.0f} bytes "
        f"on average, at most {max(requests)} and {max(sizes):,}"
    )


def main(release: Path) -> None:
    """Measure a release."""
    from playwright.sync_api import sync_playwright

    with serving(release, 0) as server, sync_playwright() as playwright:
        Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        url = f"http://127.0.0.1:{server.server_port}"
        for part in (first_pages, layouts_and_moves, jumps):
            part(browser, url)
        server.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
