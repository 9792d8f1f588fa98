"""``boardspace publish``"""

import dataclasses
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from boardspace.cli.commands.options import LocationType, as_json, existing_folder, print_json
from boardspace.cli.report.text import print_line
from boardspace.release.publish import publish as publish_datasets
from boardspace.release.sign import require_key, sign
from boardspace.spec.citation import Citation
from boardspace.storage.deposits import PROFILES, Profile
from boardspace.storage.locations import Location

CITED = (
    click.option("--doi", default="", metavar="DOI", help="DOI of the release, such as 10.5281/zenodo.1234567."),
    click.option("--url", default="", metavar="URL", help="Address at which the release will lie."),
    click.option("--date", default="", metavar="YYYY-MM-DD", help="Day of publication, for citations."),
    click.option("--repository", default="", metavar="URL", help="Address of the code that made the datasets."),
    click.option("--author", "authors", multiple=True, metavar="NAME", help="To be cited (repeatable)."),
)
"""Options of a citation, named as the fields of :class:`.Citation`."""


def cited(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a citation to a command, which gets them together as ``citation``."""

    @wraps(command)
    def with_citation(**given: Any) -> None:
        named = {field.name: given.pop(field.name) for field in dataclasses.fields(Citation)}
        command(citation=Citation(**named), **given)

    collected: Callable[..., None] = with_citation
    for option in reversed(CITED):
        collected = option(collected)
    return collected


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--out", type=LocationType(), required=True, help="Folder of the release, or s3://...")
@click.option("--space", "names", multiple=True, metavar="NAME", help="Only this dataset of the run (repeatable).")
@cited
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    type=click.Choice(PROFILES),
    help="Also write what a place of deposit wants (repeatable): .zenodo.json, or a README.md that Hugging Face reads.",
)
@click.option(
    "--sign",
    "key",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="KEY",
    help="Sign the release with this OpenSSH key, as `boardspace sign` does.",
)
@as_json
def publish(  # its parameters are the options of the command
    folder: Location,
    out: Location,
    names: tuple[str, ...],
    citation: Citation,
    profiles: tuple[Profile, ...],
    key: Path | None,
    as_json: bool,
) -> None:
    """Publish the complete datasets of the run in FOLDER: verified, described, checksummed, archived.

    A dataset is there whole or not at all. The same command finishes what a crash left undone; what is published
    already is not changed. DOI, date, addresses and authors go into CITATION.cff, cards and manifests; they change no
    digest of the data. RO-Crate metadata are written where a date is given.
    """
    if key is not None:
        require_key(key)
    published = publish_datasets(
        folder,
        out,
        names,
        lambda text: print_line(text, err=True),
        processes=True,
        citation=citation,
        profiles=profiles,
    )
    if key is not None:
        sign(out, key, lambda text: print_line(text, err=True))
    if as_json:
        print_json([dataclasses.asdict(dataset) for dataset in published])
        return
    for dataset in published:
        state = "published" if dataset.new else "was published before, unchanged"
        print_line(f"{out / dataset.dataset}: {dataset.files:,} files, {dataset.bytes / 1e6:,.1f} MB, {state}")
        print_line(f"{out / dataset.dataset}.tar: SHA-256 {dataset.archive.sha256}")
