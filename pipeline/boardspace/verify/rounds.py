"""Stages made again: the shards of a finished one, each with what it could read; or all of it, in scratch."""

from collections.abc import Iterator

from boardspace.engine.plan import Work, cut
from boardspace.engine.work import RunDataset, cut_stage, finish_stage, run_bundle
from boardspace.spec.space import Shard, Stage
from boardspace.storage.receipts import StageRecord, no_receipts
from boardspace.storage.run_folder import FinishedStages


def shards_of(stage: Stage, work: Work, inputs: FinishedStages) -> Iterator[tuple[Shard, FinishedStages]]:
    """Every shard with its inputs: the finished stages; of a stage that repeats, the rounds before among them.

    Errors: PlanError where what stages recorded cannot be used.
    """
    if not stage.repeats:
        yield from ((shard, inputs) for shard in cut(stage, work.config, inputs))
        return
    known, names = no_receipts(stage.name), set[str]()
    while True:
        now = inputs.with_record(known)
        round_ = [shard for shard in cut(stage, work.config, now) if shard.name not in names]
        if not round_:
            return
        yield from ((shard, now) for shard in round_)
        names |= {shard.name for shard in round_}
        receipts = [receipt for receipt in inputs.record(stage.name).receipts if receipt.shard in names]
        known = StageRecord(stage=stage.name, receipts=receipts)


def finish_round(dataset: RunDataset, stage: Stage, finished: dict[str, str]) -> bool:
    """Make a stage, or the next round of one that repeats; return True where another round may follow."""
    made = cut_stage(dataset, stage.name, finished)
    receipts = run_bundle(dataset, stage.name, made.inputs, made.todo, 0.0)
    finished[stage.name] = finish_stage(dataset, made, finished, (), [receipts]).digest
    return stage.repeats and bool(made.todo)
