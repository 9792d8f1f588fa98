"""What a worker does: one shard, from its parameters to its receipt. No Dask here."""

import faulthandler
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from boardspace.pipeline.registry import space_named
from boardspace.pipeline.space import Shard
from boardspace.pipeline.storage.receipts import Receipt
from boardspace.pipeline.storage.run_folder import FinishedStages, SpaceFolder, write_receipt


@dataclass(frozen=True)
class Task:
    """One shard, as sent to a worker: names and plain values only. ``config`` is JSON, ``plan`` the plan's digest,
    ``work`` the shard's (:func:`boardspace.pipeline.storage.receipts.work_digest`)."""

    root: Path
    space: str
    config: str
    plan: str
    stage: str
    shard: Shard
    work: str

    @property
    def label(self) -> str:
        """How messages name the shard."""
        return f"{self.space}/{self.stage}/{self.shard.name}"


Done = tuple[Task, Receipt | BaseException]


def run_bundle(tasks: Sequence[Task], seconds: float = 0.0) -> list[Done]:
    """Run several small tasks one after the other; one that fails does not keep the others from running.

    A task that takes longer than ``seconds`` (0: no limit) ends its whole process: compiled code cannot be interrupted
    otherwise. The traceback of where it hung goes to standard error.
    """
    return [(task, _attempt(task, seconds)) for task in tasks]


def _attempt(task: Task, seconds: float) -> Receipt | BaseException:
    try:
        space_named(task.space)  # the first task of a process imports its space, which is not the shard's time
        if seconds:
            faulthandler.dump_traceback_later(seconds, exit=True)
        return run_task(task)
    except Exception as error:  # whatever a shard raises is the engine's to count, retry and report
        return error
    finally:
        faulthandler.cancel_dump_traceback_later()


def run_task(task: Task) -> Receipt:
    """Compute a shard, write what it yields, write its receipt and return it."""
    start = time.perf_counter()
    space = space_named(task.space)
    config = space.config.model_validate_json(task.config)
    folder = SpaceFolder(task.root, task.space)
    stage = space.stages(config)[task.stage]
    output = stage.compute(config, task.shard.params, FinishedStages(folder, space))
    files = folder.write_output(space, task.stage, task.shard.name, output, task.plan)
    receipt = Receipt(
        stage=task.stage,
        shard=task.shard.name,
        work=task.work,
        files=files,
        facts=dict(output.facts),
        seconds=round(time.perf_counter() - start, 4),
    )
    write_receipt(folder, receipt)
    return receipt
