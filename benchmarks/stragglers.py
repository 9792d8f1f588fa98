"""What second copies gain where one worker of four is 20 times slower: ``python -m benchmarks.stragglers``.

Shards sleep, so the machine's cores do not count. Three runs on worker processes: all alike, one slow, one slow with
``[run] speculative = true``; the seconds are those from the first cut
to the end of the dataset.
"""

import json
import os
import tempfile
import time
from pathlib import Path

os.environ["BOARDSPACE_SPACES"] = "benchmarks.empty_space"  # before the registry looks, here and in the workers


def seconds(slow: bool, speculative: bool, shards: int = 20, sleep: float = 2.0, workers: int = 4) -> float:
    """Seconds of a run, from the cut of its stage to its end, but for the start and the end of the workers."""
    from boardspace.engine.config import validate
    from boardspace.engine.events import Listener
    from boardspace.engine.run import Workers, run
    from boardspace.spec.space import Stage

    class Clock(Listener):
        """Takes the times at which the stage is cut and the dataset complete."""

        def stage_cut(self, space: str, stage: Stage, shards: int, done: int) -> None:
            self.start = min(time.monotonic(), getattr(self, "start", time.monotonic()))

        def space_done(self, space: str, swept: object) -> None:
            self.end = time.monotonic()

    with tempfile.TemporaryDirectory() as folder:
        own = {"shards": shards, "seconds": sleep, "sleep": sleep, "slow": f"{folder}/slow" if slow else ""}
        config = validate({"run": {"speculative": speculative}, "empty": own}, "empty", "empty")
        clock = Clock()
        run(config, Path(folder) / "out", Workers(count=workers), listener=clock)
    return round(clock.end - clock.start, 1)


def main() -> None:
    """Print the seconds of the three runs, as JSON."""
    cases = {"all alike": (False, False), "one slow": (True, False), "one slow, second copies": (True, True)}
    print(json.dumps({name: seconds(*case) for name, case in cases.items()}, indent=1))


if __name__ == "__main__":
    main()
