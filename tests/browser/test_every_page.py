"""Every page: it is shown, in both languages, in the light and in the dark, on a phone, and to everybody; every other
address is said to lead nowhere. These tests only look, in windows that stay open."""

import json
import re

import pytest

from tests.browser.conftest import Reader
from tests.browser.hosts import Host
from tests.browser.test_pages import ROOT, picture, violations

PAGES = {
    "home": "",
    "klotski": "klotski/1A9BF0C",
    "gallery": "klotski/gallery",
    "daily": "klotski/daily/2026-11-24",
    "print": "klotski/print",
    "build": "klotski/build",
    "classes": "klotski/classes",
    "class": "klotski/class/5-4-1",
    "sliding": "sliding",
    "sliding-pieces": "sliding/gallery/3x3/5",
    "sliding-play": "sliding/play/ABB/CDE/F.E",
    "sliding-draw": "sliding/draw/AAB/.CB",
    "sliding-print": "sliding/print/3x3",
    "rush": "rush",
    "rush-play": "rush/play/BBoooC/DooEoC/DAAEoC/DooEoo/FoooGG/FoHHHo",
    "rush-draw": "rush/draw/AAB/..B/...",
    "rush-print": "rush/print/4x4-1",
    "solitaire": "solitaire",
    "triangle": "solitaire/triangle15/vacancy-5?hints=which",
    "five": "five/5/8x8",
    "cells": "five/cells",
    "five-play": "five/play/5/8x8",
    "division": "division",
    "division-large": "division?k=10&row=300&column=700",
    "rectangles": "division/rectangles",
    "tiling": "division/tiling?k=2&row=1&column=2&game=4.5.8",
    "pegs": "division/pegs?m=4&n=5&game=2.3u",
    "claims": "claims",
    "datasets": "datasets",
    "card": "datasets/klotski",
    "tables": "datasets/klotski/tables",
    "table": "datasets/sliding_blocks/tables/records",
    "files": "datasets/board_division/files",
    "open": "datasets/five_in_a_row/open",
    "nowhere": "nowhere",
}


SHORTER = {"claims": "claims?verdict=corrected", "class": "klotski/class/6-1-0"}
"""Pages of thousands of elements with fewer of every kind: axe looks at each, which takes seconds."""
KEYS = {key for key in json.loads((ROOT / "atlas/strings/en.json").read_text()) if "." in key}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_shown_without_a_fault_and_is_accessible_in_the_light_and_in_the_dark(
    site: str, reader: Reader, name: str
) -> None:
    """Dark pages differ in their colours alone, so rules about colours alone are tried there."""
    page = reader.open(site, SHORTER.get(name, PAGES[name]))
    assert reader.fault() == ""
    assert page.locator("h1").count() == 1
    assert (reader.text("h1") == "There is no such page") == (name == "nowhere")
    assert not KEYS & {*reader.text("body").split()}, "the key of a string is shown"
    picture(reader, name)
    assert not violations(reader)
    page.emulate_media(color_scheme="dark")
    picture(reader, f"{name}-dark")
    assert not violations(reader, "color-contrast", "link-in-text-block")


@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_a_phone_and_speaks_chinese(tables_host: Host, phone: Reader, name: str) -> None:
    page = phone.open(tables_host.url, PAGES[name])
    assert phone.fault() == ""
    assert page.get_attribute("html", "lang") == "zh-Hans"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    nav = [link.bounding_box() for link in page.locator("header nav a").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in nav)
    assert any("\u4e00" <= sign <= "\u9fff" for sign in phone.text("header"))
    picture(phone, f"{name}-phone")
    page.click("text=English")
    phone.settle()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("place", ["%", "klotski/1A9BF0C/more", "five/5/99", "five/77", "division/x", "datasets/none",
                                   "datasets/klotski/x", "datasets/klotski/tables/none",
                                   "solitaire/none", "claims/x", "claims/klotski/none",
                                   "sliding/x", "sliding/gallery/9x9", "sliding/play/AAB/.CB?game=Bq"])  # fmt: skip
def test_an_address_that_leads_nowhere_says_so(site: str, reader: Reader, place: str) -> None:
    page = reader.open(site, place)
    assert reader.text("h1") == "There is no such page"
    assert re.split("[/=]", place)[-1] in reader.text()
    assert page.locator("main a[href='#/']").count() == 1


@pytest.mark.parametrize("address", ["%", "%E0%A4%A", "nothing%zz/1"])
def test_an_address_that_cannot_be_decoded_is_no_page(site: str, reader: Reader, address: str) -> None:
    reader.open(site, address).wait_for_selector("h1:has-text('There is no such page')")
