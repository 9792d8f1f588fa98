"""``boardspace publish`` and ``sign``"""

import dataclasses
from pathlib import Path

import click

from boardspace.cli.commands.options import LocationType, as_json, existing_folder, option_group, print_json
from boardspace.cli.notices import print_line
from boardspace.release.publish import publish as publish_datasets
from boardspace.release.sign import require_key
from boardspace.release.sign import sign as sign_release
from boardspace.spec.citation import Citation
from boardspace.storage.deposits import PROFILES, Deposit
from boardspace.storage.locations import Location

deposit_options = option_group(
    "deposit",
    lambda doi, url, date, repository, authors, profiles: Deposit(
        Citation(doi, url, date, repository, authors), profiles
    ),
    click.option("--doi", default="", metavar="DOI", help="DOI of the release, such as 10.5281/zenodo.1234567."),
    click.option("--url", default="", metavar="URL", help="Address where the release will be."),
    click.option("--date", default="", metavar="YYYY-MM-DD", help="Day of publication, for citations."),
    click.option("--repository", default="", metavar="URL", help="Address of the code that made the datasets."),
    click.option("--author", "authors", multiple=True, metavar="NAME", help="Author to be cited (repeatable)."),
    click.option(
        "--profile",
        "profiles",
        multiple=True,
        type=click.Choice(PROFILES),
        help="Also write the file that a repository asks for (repeatable): .zenodo.json; Hugging Face needs none.",
    ),
)


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--out", type=LocationType(), required=True, help="Folder of the release, or s3://...")
@click.option("--space", "names", multiple=True, metavar="NAME", help="Only this dataset of the run (repeatable).")
@deposit_options
@click.option(
    "--sign",
    "key",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="KEY",
    help="Sign the release with this OpenSSH key, as `boardspace sign` does.",
)
@click.option(
    "--verified",
    is_flag=True,
    help="Do not verify: `boardspace verify` found no fault since the run ended. The release is the same.",
)
@as_json
def publish(
    folder: Location,
    out: Location,
    names: tuple[str, ...],
    deposit: Deposit,
    key: Path | None,
    verified: bool,
    as_json: bool,
) -> None:
    """Publish the complete datasets of the run in FOLDER: verified, described, checksummed, archived.

    A dataset is published whole or not at all, and is never changed afterwards. After a crash, the same command
    continues. DOI, date, addresses and authors go into CITATION.cff, cards and manifests; they change no digest of the
    data.
    """
    if key is not None:
        require_key(key)
    published = publish_datasets(folder, out, names, _report, processes=True, deposit=deposit, verified=verified)
    if key is not None:
        sign_release(out, key, _report)
    if as_json:
        print_json([dataclasses.asdict(dataset) for dataset in published])
        return
    for dataset in published:
        state = "published" if dataset.new else "was published before, unchanged"
        print_line(f"{out / dataset.dataset}: {dataset.files:,} files, {dataset.bytes / 1e6:,.1f} MB, {state}")
        print_line(f"{out / dataset.dataset}.tar: SHA-256 {dataset.archive.sha256}")


def _report(text: str) -> None:
    print_line(text, err=True)


@click.command()
@click.argument("release", type=existing_folder)
@click.argument("key", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def sign(release: Location, key: Path) -> None:
    """Sign RELEASE with KEY, an OpenSSH key, so that others can tell who made it.

    KEY is the file of a private key, or of a public key whose private key an agent has. The signature is for the
    manifest, release.json, and through it for every file of every dataset. `boardspace verify RELEASE --signer FILE`
    checks it.
    """
    signature = sign_release(release, key, _report)
    print_line(f"{release}: signed with {signature.key_type} {signature.fingerprint}")
