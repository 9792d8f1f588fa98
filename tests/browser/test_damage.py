"""Whatever goes wrong with the data or the host is shown as an error, never as a value."""

import random
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from boardspace.spaces.klotski.columns import CHUNK
from tests.browser.conftest import Reader
from tests.browser.hosts import Host
from tests.browser.releases import CLASSIC, SHARD

INDEX_ENTRY = 16
STEPS = "klotski/arrays.zarr/min_solution_step"
RECTANGLES = "board_division/rectangles/0000.parquet"


@pytest.fixture(autouse=True)
def _well(arrays_host: Host, tables_host: Host) -> Iterator[None]:
    yield
    arrays_host.well()
    tables_host.well()


@pytest.fixture
def reader(fresh_reader: Reader) -> Reader:
    """A browser that keeps no file of before it was damaged."""
    return fresh_reader


def chunk_of(release: Path, layout_id: int) -> tuple[str, int, int]:
    """The shard of the array of steps that holds an id, and the bytes [first, last) of its chunk."""
    name = f"{STEPS}/c/{layout_id // SHARD}"
    content = (release / name).read_bytes()
    entries = content[-(SHARD // CHUNK * INDEX_ENTRY + 4) : -4]
    at = layout_id % SHARD // CHUNK * INDEX_ENTRY
    first, length = (int.from_bytes(entries[i : i + 8], "little") for i in (at, at + 8))
    return f"/{name}", first, first + length


def test_a_flipped_bit_in_a_chunk_is_an_error(arrays_host: Host, arrays_release: Path, reader: Reader) -> None:
    name, first, last = chunk_of(arrays_release, CLASSIC)
    for at in (first, (first + last) // 2, last - 1):
        arrays_host.flips = {name: at}
        reader.open(arrays_host.url, "klotski/1A9BF0C")
        assert reader.fault() == "damaged", f"byte {at}"
        assert reader.page.locator("[data-fact]").count() == 0
        assert STEPS in reader.text(".failure")


def test_a_flipped_bit_in_a_list_of_chunks_is_an_error(
    arrays_host: Host, arrays_release: Path, tables_host: Host, release: Path, reader: Reader
) -> None:
    (lists,) = (arrays_release / "atlas").glob(f"klotski.chunks.*.{CLASSIC // SHARD}.json")
    arrays_host.flips = {f"/atlas/{lists.name}": 100}
    reader.open(arrays_host.url, "klotski/1A9BF0C")
    assert reader.fault() == "damaged"
    file = release / "five_in_a_row/arrays.zarr/placements/c/0"  # alone of its kind, so its own list is read
    tables_host.flips = {f"/{file.relative_to(release).as_posix()}": file.stat().st_size - 10}
    reader.open(tables_host.url, "five/5/8x7")
    assert reader.fault() == "damaged"


def test_once_the_host_is_well_again_the_button_tries_again(
    arrays_host: Host, arrays_release: Path, reader: Reader
) -> None:
    name, first, _ = chunk_of(arrays_release, CLASSIC)
    arrays_host.flips = {name: first + 5}
    reader.open(arrays_host.url, "klotski/1A9BF0C")
    assert reader.fault() == "damaged"
    arrays_host.well()
    reader.page.click(".failure button")
    reader.settle()
    assert reader.fact("steps") == "81"


def column_of(release: Path, column: str) -> tuple[int, int]:
    """The bytes [first, last) of a column of the rectangles, which are read in parts."""
    group = pq.read_metadata(release / RECTANGLES).row_group(0)
    chunk = next(c for c in map(group.column, range(group.num_columns)) if c.path_in_schema == column)
    first = chunk.dictionary_page_offset or chunk.data_page_offset
    return first, first + chunk.total_compressed_size


def test_a_flipped_bit_in_a_page_is_an_error(tables_host: Host, release: Path, reader: Reader) -> None:
    assert (release / RECTANGLES).stat().st_size > 1 << 16, "a file that is read in parts"
    first, last = column_of(release, "fewest")
    for at in (first + 3, (first + last) // 2, last - 1):
        tables_host.flips = {f"/{RECTANGLES}": at}
        reader.open(tables_host.url, "division/rectangles")
        assert reader.fault() == "damaged", f"byte {at}"
        assert reader.page.locator("table.heat").count() == 0


def test_a_flipped_bit_in_a_footer_or_a_small_file_is_an_error(
    tables_host: Host, release: Path, reader: Reader
) -> None:
    tables_host.flips = {f"/{RECTANGLES}": (release / RECTANGLES).stat().st_size - 100}
    reader.open(tables_host.url, "division/rectangles")
    assert reader.fault() == "damaged"
    tables_host.flips = {"/klotski/classes/all.parquet": 200}
    reader.open(tables_host.url, "klotski/classes")
    assert reader.fault() == "damaged"


def test_a_damaged_index_or_card_is_an_error(tables_host: Host, reader: Reader) -> None:
    for name, place in (
        ("/atlas/klotski.json", "klotski"),
        ("/atlas/klotski.tables.json", "klotski/classes"),
        ("/klotski/README.md", "datasets/klotski"),
    ):
        tables_host.flips = {name: 60}
        reader.open(tables_host.url, place)
        assert reader.fault() == "damaged", name


def test_one_damaged_table_of_claims_does_not_hide_the_others(tables_host: Host, reader: Reader) -> None:
    tables_host.flips = {"/klotski/claims.parquet": 500}
    page = reader.open(tables_host.url, "claims")
    assert page.locator("[data-fault=damaged]").count() == 1
    assert page.locator("section:has(.claims)").count() == 5


def test_no_flip_of_what_is_read_changes_a_value(
    arrays_host: Host, tables_host: Host, arrays_release: Path, release: Path, reader: Reader
) -> None:
    """Flips in every part of a shard and of a Parquet file: an error, or, where the part is not read, the truth."""
    draw = random.Random(0)
    name, first, last = chunk_of(arrays_release, CLASSIC)
    reader.open(tables_host.url, "division/rectangles")
    truth = reader.text("table.heat")
    for _ in range(14):
        at = draw.randrange(first, last)
        arrays_host.flips = {name: at}
        reader.open(arrays_host.url, "klotski/1A9BF0C")
        assert reader.fault() == "damaged", f"byte {at} of the chunk"
        size = (release / RECTANGLES).stat().st_size
        at = draw.randrange(4, size)
        tables_host.flips = {f"/{RECTANGLES}": at}
        reader.open(tables_host.url, "division/rectangles")
        assert reader.fault() == "damaged" or reader.text("table.heat") == truth, f"byte {at} of the file"


def test_a_missing_file_is_an_error_that_names_it(arrays_host: Host, arrays_release: Path, reader: Reader) -> None:
    name, _, _ = chunk_of(arrays_release, CLASSIC)
    arrays_host.missing = {name}
    reader.open(arrays_host.url, "klotski/1A9BF0C")
    assert reader.fault() == "missing"
    assert name in reader.text(".failure")


def test_a_host_without_ranges_is_told_of_with_what_to_do(arrays_host: Host, reader: Reader) -> None:
    arrays_host.ranges = False
    reader.open(arrays_host.url, "klotski/1A9BF0C")
    assert reader.fault() == "no-ranges"
    assert "boardspace serve" in reader.text(".failure")


def test_a_slow_network_shows_that_it_is_waiting_and_then_the_row(arrays_host: Host, reader: Reader) -> None:
    arrays_host.held = "/klotski/"
    reader.page.goto(f"{arrays_host.url}/#/klotski/1A9BF0C")
    reader.page.wait_for_selector("text=Reading and verifying")
    arrays_host.well()
    reader.settle()
    assert reader.fact("steps") == "81"


def test_a_host_that_goes_away_is_an_error(arrays_host: Host, reader: Reader) -> None:
    page = reader.open(arrays_host.url, "klotski/1A9BF0C")
    page.context.set_offline(True)
    page.evaluate("location.hash = '#/klotski/classes'")
    page.wait_for_selector("[data-fault]")
    page.context.set_offline(False)


def test_a_connection_that_drops_before_the_script_of_a_page_came_is_said_as_such(site: str, reader: Reader) -> None:
    page = reader.open(site, "")
    page.context.set_offline(True)
    page.click("text=Solitaire >> nth=0")
    page.wait_for_selector("[data-fault=script]")
    assert "Check the connection" in reader.text(".failure")
    page.context.set_offline(False)
    page.click(".failure button")
    page.wait_for_selector(".solitaire-board")


def test_a_page_opened_from_a_folder_says_without_a_script_that_it_needs_a_server(
    release: Path, reader: Reader
) -> None:
    reader.page.goto((release / "index.html").as_uri())
    reader.page.wait_for_selector("text=The atlas needs a server", state="visible")
    assert "boardspace serve" in reader.text("body")
    assert "图集需要服务器" in reader.text("body")
    reader.faults = [fault for fault in reader.faults if "file:///" not in fault]
