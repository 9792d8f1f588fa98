"""``boardspace check-shard``"""

import dataclasses
import sys

import click

from boardspace.cli.commands.options import as_json, existing_folder, print_json
from boardspace.cli.exit_codes import NOT_RIGHT
from boardspace.cli.report.text import complain, print_line
from boardspace.storage.locations import Location
from boardspace.verify.comparing import ShardCheck
from boardspace.verify.one_shard import check_shard as checked


@click.command("check-shard")
@click.argument("folder", type=existing_folder)
@click.argument("name", metavar="SPACE/STAGE/SHARD")
@click.option("--from-scratch", is_flag=True, help="In a run: also make the stages before it again.")
@as_json
def check_shard(folder: Location, name: str, from_scratch: bool, as_json: bool) -> None:
    """Make one shard of the run or release in FOLDER again, and compare its rows and cells with the published ones.

    Exit code 1 if they differ. A release has no stages, so the stages before the shard's are made again first, in a
    temporary folder, in one process, by the plan of the release.
    """
    found = checked(folder, name, complain, from_scratch)
    if as_json:
        print_json(dataclasses.asdict(found))
    else:
        for difference in found.differences:
            print_line(f"{found.shard}: {difference}")
        print_line(f"{found.shard}: made again, {_verdict(found)}")
    if found.differences:
        sys.exit(NOT_RIGHT)


def _verdict(found: ShardCheck) -> str:
    rest = f"not compared, since not kept: {', '.join(found.left_out)}" if found.left_out else ""
    if found.differences:
        return "; ".join(filter(None, ("and it is not what is published", rest)))
    if not found.rows and not found.cells:
        return rest or "and it has no rows or cells"
    return "; ".join(filter(None, (f"its {found.rows:,} rows and {found.cells:,} cells are those published", rest)))
