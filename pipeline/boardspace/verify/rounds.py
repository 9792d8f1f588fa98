"""Stages made again: the shards of a finished one, each with what it could read; or all of it, in scratch."""

from collections.abc import Iterator, Sequence

from boardspace.engine.plan import Work, cut
from boardspace.engine.work import RunDataset, cut_stage, finish_stage, run_bundle
from boardspace.spec.space import Shard, Stage
from boardspace.storage.receipts import Receipt, StageRecord, no_receipts
from boardspace.storage.run_folder import FinishedStages


def rounds_of(
    stage: Stage, work: Work, inputs: FinishedStages, receipts: Sequence[Receipt]
) -> Iterator[tuple[FinishedStages, list[Shard]]]:
    """The inputs and the new shards of each round of a stage with these receipts; one round, if it does not repeat.

    They end where a round brings nothing new, or a shard of it has no receipt. Errors: PlanError where what stages
    recorded cannot be used.
    """
    if not stage.repeats:
        yield inputs, list(cut(stage, work.config, inputs))
        return
    known, names = no_receipts(stage.name), set[str]()
    while True:
        now = inputs.with_record(known)
        new = [shard for shard in cut(stage, work.config, now) if shard.name not in names]
        yield now, new
        names |= {shard.name for shard in new}
        here = [receipt for receipt in receipts if receipt.shard in names]
        if len(here) == len(known.receipts) or len(here) < len(names):
            return
        known = StageRecord(stage=stage.name, receipts=here)


def shards_of(stage: Stage, work: Work, inputs: FinishedStages) -> Iterator[tuple[Shard, FinishedStages]]:
    """Every shard of a finished stage with its inputs; of a stage that repeats, the rounds before are among them."""
    receipts = inputs.record(stage.name).receipts if stage.repeats else ()
    for now, shards in rounds_of(stage, work, inputs, receipts):
        yield from ((shard, now) for shard in shards)


def finish_round(dataset: RunDataset, stage: Stage, finished: dict[str, str]) -> bool:
    """Make a stage, or the next round of one that repeats; return True where another round may follow."""
    made = cut_stage(dataset, stage.name, finished)
    receipts = run_bundle(dataset, stage.name, made.inputs, made.todo, 0.0)
    finished[stage.name] = finish_stage(dataset, made, finished, (), [receipts]).digest
    return stage.repeats and bool(made.todo)
