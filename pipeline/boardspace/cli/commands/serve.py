"""``boardspace serve``"""

import signal
from pathlib import Path

import click

from boardspace.cli.commands.options import existing_folder
from boardspace.release.atlas.serve import serving

PORT = 8765


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0: any free one.")
def serve(folder: Path, port: int) -> None:
    """Serve FOLDER, a site or a release, to this machine alone; Ctrl-C ends it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with serving(folder, port) as server:
        click.echo(f"http://127.0.0.1:{server.server_port}/ serves {folder}; Ctrl-C ends it")
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
