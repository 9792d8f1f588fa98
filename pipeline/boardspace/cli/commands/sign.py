"""``boardspace sign``"""

from pathlib import Path

import click

from boardspace.cli.commands.options import existing_folder
from boardspace.cli.report.text import print_line
from boardspace.release.sign import sign as sign_release
from boardspace.storage.locations import Location


@click.command()
@click.argument("release", type=existing_folder)
@click.argument("key", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def sign(release: Location, key: Path) -> None:
    """Sign RELEASE with KEY, an OpenSSH key, so that others can tell who made it.

    KEY is the file of a private key, or of a public key whose private key an agent has. The signature is for the
    manifest, release.json, and through it for every file of every dataset. `boardspace verify RELEASE --signer FILE`
    checks it.
    """
    signature = sign_release(release, key, lambda text: print_line(text, err=True))
    print_line(f"{release}: signed with {signature.key_type} {signature.fingerprint}")
