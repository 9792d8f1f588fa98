"""``boardspace publish``"""

import dataclasses
from pathlib import Path

import click

from boardspace.cli.commands.options import LocationType, as_json, existing_folder, print_json
from boardspace.cli.report.text import print_line
from boardspace.release.publish import publish as publish_datasets
from boardspace.release.sign import require_key, sign
from boardspace.storage.locations import Location


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--out", type=LocationType(), required=True, help="Folder of the release, or s3://...")
@click.option("--space", "names", multiple=True, metavar="NAME", help="Only this dataset of the run (repeatable).")
@click.option(
    "--sign",
    "key",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="KEY",
    help="Sign the release with this OpenSSH key, as `boardspace sign` does.",
)
@as_json
def publish(folder: Location, out: Location, names: tuple[str, ...], key: Path | None, as_json: bool) -> None:
    """Publish the complete datasets of the run in FOLDER: verified, described, checksummed, archived.

    A dataset is there whole or not at all. The same command finishes what a crash left undone; what is published
    already is not changed.
    """
    if key is not None:
        require_key(key)
    published = publish_datasets(folder, out, names, lambda text: print_line(text, err=True), processes=True)
    if key is not None:
        sign(out, key, lambda text: print_line(text, err=True))
    if as_json:
        print_json([dataclasses.asdict(dataset) for dataset in published])
        return
    for dataset in published:
        state = "published" if dataset.new else "was published before, unchanged"
        print_line(f"{out / dataset.dataset}: {dataset.files:,} files, {dataset.bytes / 1e6:,.1f} MB, {state}")
        print_line(f"{out / dataset.dataset}.tar: SHA-256 {dataset.archive.sha256}")
