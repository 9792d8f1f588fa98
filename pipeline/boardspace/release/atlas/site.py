"""Site of a release, written and compared: the bundle, the index, and the datasets where they do not lie there already.

The site beside the datasets of a release is made again from them and compared with what lies there: the index says what
every file is, and the pages believe it, so that an altered index would show other data as right. It is compared where
this installation has the bundle that the site was made with.
"""

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from boardspace.release.atlas.index import compact, index_dataset
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.files import inside, is_temporary, read_regular, write_bytes
from boardspace.storage.ownership import refuse_inside
from boardspace.storage.release_folder import PAGE, SERVICE_WORKER, SITE, SITE_FOLDER, SUMS, copy_dataset, sweep
from boardspace.verify.release import verify_release
from boardspace.verify.release_inputs import datasets_in
from boardspace.verify.result import Fault, faults_text
from boardspace.verify.tree import tree_of

BUNDLE = files("boardspace.release.atlas") / "bundle"
Report = Callable[[str], None]


class AtlasError(BoardspaceError):
    """A release that cannot be shown, or an installation without the bundle."""


@dataclass(frozen=True)
class Site:
    """Site that was written: the datasets shown, files of the site itself and their bytes."""

    datasets: tuple[str, ...]
    files: int
    bytes: int


def write_site(release: Path, out: Path, data: str | None, report: Report) -> Site:
    """Write the site of a release to ``out``; the page is written last.

    The datasets are copied to ``out`` unless they lie there (``out`` is the release) or ``data`` says at which
    address readers find them. AtlasError where the release is none, or is damaged, or the bundle was not built.
    """
    bundle = bundle_files()
    refuse_inside(out)
    for name in SITE:
        inside(out, name)
    beside = out.resolve() == release.resolve()
    if beside and datasets_in(release):
        sweep(out)
    folders = _checked(release, report)
    if not beside:
        _refuse_taken(out, {folder.resolve().name for folder in folders})
        sweep(out)
    if data is None and not beside:
        for folder in folders:
            report(f"{folder.name}: copying")
            copy_dataset(folder, inside(out, folder.resolve().name))
    report("indexing")
    datasets = [index_dataset(folder) for folder in folders]
    written = placed({name: content for name, content in bundle.items() if name != PAGE})
    for dataset in datasets:
        written |= placed(dataset.files)
    written[PAGE] = _page(bundle, compact([dataset.entry for dataset in datasets]), data)
    for name, content in written.items():
        write_bytes(inside(out, name), content, "atlas")
    return Site(tuple(d.name for d in datasets), len(written), sum(map(len, written.values())))


def _refuse_taken(out: Path, datasets: set[str]) -> None:
    """AtlasError where a folder holds something else than a site of these datasets, or a part of one."""
    there = {path.name for path in out.iterdir() if not is_temporary(path.name)} if out.is_dir() else set()
    strange = sorted(there - SITE - datasets)
    if PAGE in there and SERVICE_WORKER not in there:
        strange.append(PAGE)
    if strange and SERVICE_WORKER not in there:
        raise AtlasError(
            f"{out}: is not empty, and no site lies there ({strange[0]}); choose another folder with --out"
        )


def placed(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    """Files of the bundle or of an index by their names in the folder of the site."""
    return {name if name == SERVICE_WORKER else f"{SITE_FOLDER}/{name}": content for name, content in contents.items()}


def bundle_files() -> dict[str, bytes]:
    """The files of the bundle by name; AtlasError where this installation has none."""
    if not (BUNDLE / PAGE).is_file():
        raise AtlasError(
            "this installation has no atlas: it was installed from a clone in which the atlas was not built; run `make "
            "atlas` there and install again, or install a wheel that holds the atlas"
        )
    return {
        file.name: file.read_bytes() for file in sorted(BUNDLE.iterdir(), key=lambda file: file.name) if file.is_file()
    }


def _checked(release: Path, report: Report) -> list[Path]:
    folders = datasets_in(release)
    if not folders or (release / SUMS).exists():
        raise AtlasError(
            f"{release}: holds no published datasets; make a release with `boardspace publish DIR --out R`"
        )
    report("checking the release")
    faults = verify_release(release, "hashes", []).faults
    if faults:
        raise AtlasError(faults_text(release, faults, "shown"))
    return folders


def connected(address: str) -> str:
    """The places to which a page connects whose data lie at an address, as its policy names them."""
    return "'self'" if not urlsplit(address).netloc else "'self' {0.scheme}://{0.netloc}".format(urlsplit(address))


def _page(bundle: dict[str, bytes], index: bytes, data: str | None) -> bytes:
    """The page, with the entries of the datasets and the address of the data filled in."""
    address = data or "."
    fields = {
        "@INDEX@": index.decode().replace("<", "\\u003c"),
        "@DATA@": html.escape(address.rstrip("/") + "/"),
        "@CONNECT@": html.escape(connected(address)),
    }
    text = bundle[PAGE].decode()
    for field, value in fields.items():
        text = text.replace(field, value)
    return text.encode()


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
