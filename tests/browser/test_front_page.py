"""The page of a release that has no atlas: any file host shows it, and a browser from a disk."""

import json
from pathlib import Path

from boardspace.storage.release_documents import PAGE, release_documents
from boardspace.storage.release_folder import MANIFEST
from tests.browser.conftest import Reader

WIDE = "[...document.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > screen.width + 1).length"


def test_a_phone_shows_all_of_it_and_every_link_leads_to_a_file(release: Path, phone: Reader, tmp_path: Path) -> None:
    entries = json.loads((release / MANIFEST).read_bytes())["datasets"]
    (tmp_path / PAGE).write_bytes(release_documents(entries)[PAGE])
    phone.page.goto((tmp_path / PAGE).as_uri())
    assert phone.page.evaluate(WIDE) == 0
    assert "rectangles" in phone.text("body")
    links = phone.page.eval_on_selector_all("a", "links => links.map(link => link.getAttribute('href'))")
    inside = [link for link in links if "://" not in link]
    assert len(inside) > 20
    assert [link for link in inside if not (release / link).is_file()] == []
