"""The tables of any dataset: rows by the key, filtered and from either end, values counted, some rows drawn."""

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.browser.conftest import Reader
from tests.browser.test_pages import picture, violations

RECORDS = "datasets/sliding_blocks/tables/records"


def shown(page: Any) -> list[list[str]]:
    """The cells of the rows shown."""
    found: list[list[str]] = page.eval_on_selector_all(
        ".browse tbody >> nth=0 >> tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return found


def cells(rows: list[dict[str, Any]]) -> list[list[str]]:
    """The same of rows of a file."""
    return [
        [
            "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
            for value in row.values()
        ]
        for row in rows
    ]


def test_rows_come_in_the_order_of_the_key_and_more_when_asked_for(site: str, release: Path, reader: Reader) -> None:
    rows = pq.read_table(release / "sliding_blocks/classes").to_pylist()
    page = reader.open(site, "datasets/sliding_blocks/tables/classes")
    assert shown(page) == cells(rows[:50])
    page.click("text=More rows")
    page.wait_for_selector("text=100 rows shown")
    assert shown(page) == cells(rows[:100])
    reader.open(site, "datasets/sliding_blocks/tables/classes?order=down")
    assert shown(page) == cells(rows[::-1][:50])


def test_rows_are_filtered_by_the_ends_of_columns_of_the_key(site: str, release: Path, reader: Reader) -> None:
    rows = pq.read_table(release / "sliding_blocks/classes").to_pylist()
    middle = rows[len(rows) // 2]
    page = reader.open(site, "datasets/sliding_blocks/tables/classes")
    page.fill("[name=tray-from]", middle["tray"])
    page.fill("[name=tray-to]", middle["tray"])
    page.fill("[name=code-to]", str(middle["code"]))
    page.fill("[name=histogram-from]", str(middle["histogram"]))
    page.click("text=Show these rows")
    reader.arrive(f"?tray={middle['tray']}&histogram={middle['histogram']}..&code=..{middle['code']}")
    wanted = [
        row
        for row in rows
        if row["tray"] == middle["tray"] and row["histogram"] >= middle["histogram"] and row["code"] <= middle["code"]
    ]
    assert shown(page) == cells(wanted[:50])
    reader.open(site, "datasets/sliding_blocks/tables/classes?code=x..7")
    assert "no such page" in reader.text("h1")
    reader.open(site, "datasets/sliding_blocks/tables/classes?tray=9x9")
    assert "No row lies between these ends." in reader.text()


def test_a_large_file_is_read_by_the_groups_that_may_hold_the_rows(site: str, release: Path, reader: Reader) -> None:
    rows = pq.read_table(release / "klotski/main").to_pylist()
    wanted = rows[len(rows) * 2 // 3]
    page = reader.open(site, f"datasets/klotski/tables/main?layout_id={wanted['layout_id']}")
    assert shown(page) == cells([wanted])


def test_values_of_a_column_are_counted_among_the_rows_chosen(site: str, release: Path, reader: Reader) -> None:
    rows = [row for row in pq.read_table(release / "sliding_blocks/classes").to_pylist() if row["tray"] == "3x3"]
    page = reader.open(site, "datasets/sliding_blocks/tables/classes?tray=3x3")
    page.select_option("#histogram", "steps")
    page.click("button:text-is('Count')")
    page.wait_for_selector(".plot")
    bars = page.eval_on_selector_all(".plot .bar", "all => all.map(one => one.textContent)")
    counts = Counter(row["steps"] for row in rows)
    assert bars == [
        f"steps (steps): {steps} · rows: {counts[steps]:,}" for steps in sorted(set(counts) - {None})
    ]  # fmt: skip
    assert f"{len(rows):,} rows counted. {counts[None]:,} rows have no value." in reader.text()
    page.select_option("#histogram", "tray")
    page.click("button:text-is('Count')")
    page.wait_for_selector("caption")
    assert reader.text("table:has(caption) tbody") == f"3x3\t{len(rows):,}"


def test_some_rows_are_drawn_as_images_that_run_nothing(site: str, release: Path, reader: Reader) -> None:
    rows = pq.read_table(release / "sliding_blocks/records").to_pylist()
    page = reader.open(site, RECORDS)
    pictures = page.locator(".drawn img")
    assert 1 < pictures.count() <= 12
    assert page.locator(".drawn svg").count() == 0
    pictures.first.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.drawn img').naturalWidth > 40")
    key = page.locator(".drawn figcaption").first.inner_text()
    assert key == " · ".join(str(rows[0][name]) for name in ("tray", "histogram", "code", "start", "marked"))


# Numbers that a table breaks in two lines, where they read as two.
BROKEN = """[...document.querySelectorAll('td.number')].filter(cell => {
  const text = document.createRange()
  text.selectNodeContents(cell)
  return text.getClientRects().length > 1
}).map(cell => cell.textContent)"""


def test_a_table_is_read_on_a_phone(site: str, phone: Reader) -> None:
    page = phone.open(site, f"{RECORDS}?order=down")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(BROKEN) == []
    picture(phone, "table-phone")
    assert not violations(phone)


@pytest.mark.parametrize("table", ["klotski/tables/main", "solitaire/tables/solutions", "five_in_a_row/tables/cells"])
def test_the_main_tables_of_the_spaces_have_pictures(site: str, reader: Reader, table: str) -> None:
    page = reader.open(site, f"datasets/{table}")
    pictures = page.locator(".drawn img")
    assert pictures.count() >= 1
    widths = pictures.evaluate_all(
        "images => Promise.all(images.map(one => one.decode().then(() => one.naturalWidth)))"
    )
    assert all(width > 50 for width in widths)


def test_a_card_is_shown_without_its_front_matter(site: str, reader: Reader) -> None:
    page = reader.open(site, "datasets/klotski")
    assert "pretty_name" not in reader.text()
    assert page.locator(".prose h2").first.inner_text() == "Codes, numbers and names"
