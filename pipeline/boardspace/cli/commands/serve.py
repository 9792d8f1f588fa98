"""``boardspace atlas`` and ``serve``: the site of a release."""

import signal
from pathlib import Path

import click

from boardspace.cli.commands.options import Folder, existing_folder
from boardspace.release.api import answering
from boardspace.release.atlas.serve import serving
from boardspace.release.atlas.site import write_site

PORT = 8765


@click.command()
@click.argument("release", type=existing_folder)
@click.option("--out", type=Folder(), help="Folder of the site [RELEASE, beside the data].")
@click.option("--data", metavar="URL", help="Address of the datasets for readers, instead of copying them.")
def atlas(release: Path, out: Path | None, data: str | None) -> None:
    """Write a static site that shows the datasets of RELEASE and verifies everything it shows.

    Any web server that answers range requests can serve it; `boardspace serve FOLDER` does so on this machine.
    """
    folder = out or release
    site = write_site(release, folder, data, lambda text: click.echo(text, err=True))
    click.echo(f"{folder}: {site.files} files, {site.bytes / 1e3:,.1f} kB; it shows {', '.join(site.datasets)}")
    click.echo(f"look at it with: boardspace serve {folder}")


@click.command()
@click.argument("folder", type=existing_folder, required=False)
@click.option("--api", is_flag=True, help="Answer questions about positions in JSON, instead of serving files.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0: any free one.")
def serve(folder: Path | None, api: bool, port: int) -> None:
    """Serve FOLDER, a site or a release, to this machine only; with --api, answer questions. Ctrl-C ends it.

    \b
    boardspace serve outputs/release
    boardspace serve --api            then: curl "http://127.0.0.1:8765/v1/klotski/moves?layout=1A9BF0C"
    """
    if api == (folder is not None):
        raise click.UsageError("name a folder, or --api for answers to questions: one of them")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with answering(port) if folder is None else serving(folder, port) as server:
        what = f"serves {folder}" if folder else "answers questions, which /v1 lists"
        click.echo(f"http://127.0.0.1:{server.server_port}/ {what}; Ctrl-C ends it")
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
