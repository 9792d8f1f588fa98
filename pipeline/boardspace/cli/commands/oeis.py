"""``boardspace oeis``"""

import shlex
from pathlib import Path

import click

from boardspace.cli.commands.options import Folder, data_option, dataset_in, option_group
from boardspace.cli.commands.questions import print_lines
from boardspace.cli.notices import announced, print_line
from boardspace.oeis.sequence import sequence_named, sequences
from boardspace.oeis.submission import Signature, look_up, submission
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.files import require_empty, write_files
from boardspace.storage.locations import Location

UNSIGNED = Signature("Your Name", "Jan 01 2000")
"""Stands where a signature will."""


def _signature(author: str | None, date: str | None) -> Signature | None:
    if (author is None) != (date is None):
        raise BoardspaceError("--author and --date: an edit is signed with both; without them it is printed to be read")
    return None if author is None or date is None else Signature(author, date)


signature_options = option_group(
    "signed",
    _signature,
    click.option("--author", help="Your name in the encyclopaedia."),
    click.option("--date", help="The day, such as 'Nov 24 2026'."),
)

stripped_option = click.option(
    "--stripped",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Look up the terms in this copy of the encyclopaedia's file stripped or stripped.gz.",
)


@click.command()
@click.argument("name", required=False)
@click.option("--last", type=int, help="Index of the last term [as many as take a minute or two].")
@signature_options
@data_option(help="Read terms from this run or release if it has them.")
@stripped_option
@click.option("--out", type=Folder(), help="Folder to write to [oeis-NAME].")
@announced()
def oeis(
    name: str | None,
    last: int | None,
    signed: Signature | None,
    data: Location | str | None,
    stripped: Path | None,
    out: Path | None,
) -> None:
    """Write a folder with the sequence NAME, to send to the encyclopaedia of integer sequences, or list all sequences.

    The folder has the b-file, an a-file with proofs of the terms, the text of the edit by its fields, and a short
    program that finds the small terms by other means. Text that breaks the encyclopaedia's style is refused.

    Without --author and --date the text of the edit is printed, and nothing is written.

    \b
    boardspace oeis
    boardspace oeis A181018
    boardspace oeis A181018 --author 'Ada Lovelace' --date 'Dec 10 1842'
    boardspace oeis A181018 --last 20 --data RUN --author ... --date ...
    boardspace oeis fewest-4 --stripped stripped.gz       does the encyclopaedia have it?
    """
    if name is None:
        for name, (space, one) in sequences().items():
            print_line(f"{name}  {one.title} ({space}, n = {one.offset}..{one.usual})")
        return
    space, sequence = sequence_named(name)
    end = sequence.usual if last is None else last
    if end < sequence.offset:
        raise BoardspaceError(f"--last {end}: the first term of {name} is a({sequence.offset})")
    known = dataset_in(data, space)
    if stripped is not None:
        print_line(str(look_up(stripped, [value for _, value in sequence.terms(end, known)])))
        return
    if sequence.known is not None and end <= sequence.known:
        raise BoardspaceError(
            f"--last {end}: the encyclopaedia has {name} to a({sequence.known}); nothing would be new"
        )
    command = shlex.join(["boardspace", "oeis", name, "--last", str(end)])
    if signed is None:
        files = submission(sequence, end, UNSIGNED, command, known)
        print_lines(files["edit.txt"].rstrip("\n").split("\n"))
        again = f"boardspace oeis {name} --author 'Your Name' --date 'Mon DD YYYY'"
        print_line(f"not signed, and not written; {again} writes {', '.join(files)}", err=True)
        return
    folder = out or Path(f"oeis-{name}")
    require_empty(folder)
    files = submission(sequence, end, signed, command, known)
    write_files(folder, {file: text.encode() for file, text in files.items()})
    print_line(f"{folder}: {name}, n = {sequence.offset}..{end}: {', '.join(files)}")
    if sequence.is_new:
        print_line(f"{name}: not looked up in the encyclopaedia; do that first, with --stripped")
