"""Cost of the rounds of a stage that repeats: ``python -m benchmarks.rounds [--rounds N] [--shards N]``.

Empty shards, in this very process; then the same run again, which has nothing to do. Told are CPU seconds, and how many
files of receipts and records of stages were read.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

os.environ["BOARDSPACE_SPACES"] = "benchmarks.empty_space"  # before the registry looks
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


def main() -> None:
    """Print what both runs used, as JSON."""
    from boardspace.engine.config import validate
    from boardspace.engine.run import Workers, run
    from boardspace.storage.stored import OnDisk

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=240)
    parser.add_argument("--shards", type=int, default=1, help="of each round")
    chosen = parser.parse_args()
    config = validate({"empty": {"shards": chosen.shards, "rounds": chosen.rounds}}, "empty", "empty")
    read, count = OnDisk.read, {"reads": 0}

    def counted(file: OnDisk, most: int) -> bytes:
        """Read a file, and count it."""
        count["reads"] += 1
        return read(file, most)

    with patch.object(OnDisk, "read", counted), tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        for step in ("run", "again"):
            before, count["reads"] = time.process_time(), 0
            run(config, Path(folder) / "run", Workers(count=0))
            print(json.dumps({"step": step, "CPU seconds": round(time.process_time() - before, 2), **count}))


if __name__ == "__main__":
    main()
