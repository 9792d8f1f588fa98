"""How good the plan's seconds are: ``python -m benchmarks.estimates RUN [--each]``, of a finished run.

For each dataset, or with ``--each`` for each stage, the seconds that ``boardspace plan`` states, those of the receipts,
and their quotient, all for this machine (:mod:`boardspace.engine.calibration`). Seconds of receipts are CPU seconds of
the workers, which other processes on the machine disturb less than a clock on the wall.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boardspace.cli.commands.plan import planned
from boardspace.engine.calibration import slowness
from boardspace.engine.plan import Work, recorded_work
from boardspace.spec.stages import stages_of
from boardspace.storage.run_folder import SpaceFolder


def stages(root: Path, work: Work) -> Iterator[dict[str, Any]]:
    """Estimated and measured seconds of each finished stage of a dataset."""
    folder = SpaceFolder(root, work.space.name)
    finished = set(folder.finished_stages())
    for stage in stages_of(work.space, work.config).values():
        if stage.name in finished:
            receipts = folder.finished(stage.name).receipts
            measured = sum(receipt.cpu for receipt in receipts)
            estimated = (planned(work, stage)["seconds"] or 0) * slowness()
            yield {"stage": stage.name, "shards": len(receipts), "estimated": estimated, "measured": measured}


def main() -> None:
    """Print a line of JSON for each dataset, or stage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--each", action="store_true", help="each stage that was estimated at, or took, a second")
    chosen = parser.parse_args()
    for work in recorded_work(chosen.run.absolute()):
        rows = list(stages(chosen.run.absolute(), work))
        for row in rows if chosen.each else ():
            if max(row["estimated"], row["measured"]) >= 1:
                seconds = {name: round(row[name], 1) for name in ("estimated", "measured")}
                print(json.dumps({"space": work.space.name, **row, **seconds}))
        estimated, measured = (sum(row[name] for row in rows) for name in ("estimated", "measured"))
        both = {"estimated": round(estimated, 1), "measured": round(measured, 1)}
        print(json.dumps({"space": work.space.name, **both, "quotient": round(measured / max(estimated, 0.1), 2)}))


if __name__ == "__main__":
    main()
