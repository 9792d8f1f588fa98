"""``boardspace atlas``"""

from pathlib import Path

import click

from boardspace.cli.commands.options import existing_folder
from boardspace.release.atlas.site import write_site


@click.command()
@click.argument("release", type=existing_folder)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder of the site [RELEASE, beside the data]."
)
@click.option("--data", metavar="URL", help="Address of the datasets for readers, instead of copying them.")
def atlas(release: Path, out: Path | None, data: str | None) -> None:
    """Write a static site that shows the datasets of RELEASE and verifies everything it shows.

    Any web server that answers range requests can serve it; `boardspace serve FOLDER` does so on this machine.
    """
    folder = out or release
    site = write_site(release, folder, data, lambda text: click.echo(text, err=True))
    click.echo(f"{folder}: {site.files} files, {site.bytes / 1e3:,.1f} kB; it shows {', '.join(site.datasets)}")
    click.echo(f"look at it with: boardspace serve {folder}")
