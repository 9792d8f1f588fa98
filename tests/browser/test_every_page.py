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
    "pegs": "division/pegs?m=4&n=5&game=1.3u",
    "claims": "claims",
    "datasets": "datasets",
    "card": "datasets/klotski",
    "tables": "datasets/klotski/tables",
    "table": "datasets/sliding_blocks/tables/records",
    "files": "datasets/board_division/files",
    "open": "datasets/five_in_a_row/open",
    "nowhere": "nowhere",
}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_shown_without_a_fault_and_is_accessible(site: str, looking: Reader, name: str) -> None:
    page = looking.open(site, PAGES[name])
    assert looking.fault() == ""
    assert page.locator("h1").count() == 1
    picture(looking, name)
    assert not violations(looking)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_accessible_in_the_dark(site: str, looking: Reader, name: str) -> None:
    looking.page.emulate_media(color_scheme="dark")
    looking.open(site, PAGES[name])
    picture(looking, f"{name}-dark")
    assert not violations(looking)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_a_phone_and_speaks_chinese(tables_host: Host, looking_phone: Reader, name: str) -> None:
    page = looking_phone.open(tables_host.url, PAGES[name])
    assert looking_phone.fault() == ""
    assert page.get_attribute("html", "lang") == "zh-Hans"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    nav = [link.bounding_box() for link in page.locator("header nav a").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in nav)
    assert any("\u4e00" <= sign <= "\u9fff" for sign in looking_phone.text("header"))
    picture(looking_phone, f"{name}-phone")
    page.click("text=English")
    looking_phone.settle()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("place", ["%", "klotski/1A9BF0C/more", "five/5/99", "five/77", "division/x", "datasets/none",
                                   "datasets/klotski/x", "datasets/klotski/tables/none",
                                   "solitaire/none", "claims/x", "claims/klotski/none",
                                   "sliding/x", "sliding/gallery/9x9", "sliding/play/AAB/.CB?game=Bq"])  # fmt: skip
def test_an_address_that_leads_nowhere_says_so(site: str, looking: Reader, place: str) -> None:
    page = looking.open(site, place)
    assert looking.text("h1") == "There is no such page"
    assert re.split("[/=]", place)[-1] in looking.text()
    assert page.locator("main a[href='#/']").count() == 1


@pytest.mark.slow
def test_no_page_shows_the_key_of_a_string(site: str, looking: Reader) -> None:
    keys = json.loads((ROOT / "atlas/strings/en.json").read_text())
    for place in PAGES.values():
        looking.open(site, place)
        shown = looking.text("body")
        assert not [key for key in keys if "." in key and key in shown.split()], place


@pytest.mark.parametrize("address", ["%", "%E0%A4%A", "nothing%zz/1"])
def test_an_address_that_cannot_be_decoded_is_no_page(site: str, looking: Reader, address: str) -> None:
    looking.open(site, address).wait_for_selector("h1:has-text('There is no such page')")
