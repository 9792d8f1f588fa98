"""Writing a site: the bundle, the index of a release, and the datasets where they do not lie there already."""

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from urllib.parse import urlsplit

from boardspace.release.atlas.index import compact, index_dataset
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace.storage.files import inside, is_temporary, write_bytes
from boardspace.storage.ownership import refuse_inside
from boardspace.storage.release_folder import PAGE, SERVICE_WORKER, SITE, SITE_FOLDER, SUMS, copy_dataset
from boardspace.verify.release import verify_release
from boardspace.verify.release_inputs import datasets_in

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
    folders = _checked(release, report)
    if out.resolve() != release.resolve():
        _refuse_taken(out, {folder.resolve().name for folder in folders})
    if data is None and out.resolve() != release.resolve():
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
    return {file.name: file.read_bytes() for file in sorted(BUNDLE.iterdir(), key=_name) if file.is_file()}


def _name(file: Traversable) -> str:
    return file.name


def _checked(release: Path, report: Report) -> list[Path]:
    folders = datasets_in(release)
    if not folders or (release / SUMS).exists():
        raise AtlasError(
            f"{release}: holds no published datasets; make a release with `boardspace publish DIR --out R`"
        )
    report("checking the release")
    faults = verify_release(release, "hashes", []).faults
    if faults:
        shown = "\n".join(f"  {fault.where}: {fault.what}" for fault in faults[:10])
        raise AtlasError(f"{release}: {counted(len(faults), 'fault')}, so not to be shown:\n{shown}")
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
