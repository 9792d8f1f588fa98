"""The site beside the datasets of a release, made again from them and compared with what lies there.

The index says what every file is, and the pages believe it, so that an altered index would show other data as right. It
is compared where this installation has the bundle that the site was made with.
"""

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from boardspace.release.atlas.index import index_dataset
from boardspace.release.atlas.site import AtlasError, bundle_files, connected, placed
from boardspace.storage.files import read_regular
from boardspace.storage.release_folder import PAGE, SERVICE_WORKER, SITE_FOLDER
from boardspace.verify.release_inputs import datasets_in
from boardspace.verify.result import Fault
from boardspace.verify.tree import tree_of

LONGEST_PAGE = 1 << 24
NOT_COMPARED = f"{SITE_FOLDER}/, {PAGE} and {SERVICE_WORKER}: not compared with the datasets, and they may say anything"
REMEDY = "`boardspace atlas` makes the site again"


def site_compared(root: Path) -> tuple[list[Fault], list[str]]:
    """Faults of the site in a release, and notes on what of it was not looked at; none where there is no site."""
    if not (root / SITE_FOLDER).is_dir() and not (root / SERVICE_WORKER).exists():
        return [], []
    try:
        bundle = bundle_files()
    except AtlasError:
        return [], [f"{NOT_COMPARED}: this installation has no atlas"]
    page = bundle.pop(PAGE).decode()
    there = _there(root)
    parts = placed(bundle)
    if not all(_is(root, there, name, content) for name, content in parts.items()):
        return [], [f"{NOT_COMPARED}: they are of another version, or altered; {REMEDY}"]
    folders = datasets_in(root)
    shown = [folder for folder in folders if f"{SITE_FOLDER}/{folder.resolve().name}.json" in there]
    notes = [f"{folder.name}: the atlas does not show it" for folder in folders if folder not in shown]
    indexes = [index_dataset(folder) for folder in shown]
    for index in indexes:
        parts |= placed(index.files)
    wrong = [*_differences(root, there, parts), *_page_faults(root, page, [index.entry for index in indexes])]
    return [Fault("structure", where, f"{what}; {REMEDY}") for where, what in wrong], notes


def _there(root: Path) -> dict[str, int]:
    """Sizes of the files of a site, but for its page, by their names in the release."""
    found = {f"{SITE_FOLDER}/{name}": size for name, size in tree_of(root / SITE_FOLDER).files.items()}
    worker = root / SERVICE_WORKER
    return found | ({SERVICE_WORKER: worker.stat().st_size} if worker.is_file() and not worker.is_symlink() else {})


def _is(root: Path, there: Mapping[str, int], name: str, content: bytes) -> bool:
    return there.get(name) == len(content) and read_regular(root / name, len(content)) == content


def _differences(root: Path, there: Mapping[str, int], made: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    for name, content in made.items():
        if not _is(root, there, name, content):
            yield name, "is not what the datasets make it" if name in there else "missing"
    yield from ((name, "is no part of the site of these datasets") for name in sorted(there.keys() - made.keys()))


def _page_faults(root: Path, template: str, entries: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The page is the bundle's, with these entries and the address of the data filled in."""
    try:
        content = read_regular(root / PAGE, LONGEST_PAGE).decode()
        found = re.fullmatch(_pattern(template), content, re.DOTALL)
        if found is None:
            yield PAGE, "is not the page of the atlas"
            return
        address = html.unescape(found["DATA"])
        stated = json.loads(found["INDEX"])
        if found["CONNECT"] != html.escape(connected(address.rstrip("/"))):
            yield PAGE, f"may connect to other places than its data, {address}"
        if len(stated) != len(entries) or any(map(_differ, stated, entries)):
            yield PAGE, "says something else of the datasets than they do"
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        yield PAGE, f"is not the page of the atlas: {error!r}"


def _differ(stated: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Compare an entry with what the page states; the archive may be left out of a download."""
    archive = entry["archive"] or stated["archive"]
    return dict(stated) != {**entry, "archive": archive}


def _pattern(template: str) -> str:
    """A regular expression for the page, with a group for each of its fields."""
    parts = re.split("(@INDEX@|@DATA@|@CONNECT@)", template)
    groups = [f"(?P<{field.strip('@')}>.*?)" for field in parts[1::2]]
    return "".join(text + group for text, group in zip(map(re.escape, parts[::2]), [*groups, ""], strict=True))
