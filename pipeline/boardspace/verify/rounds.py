"""Stages made again: the shards of a finished one, each with what it could read; or all of it, in scratch."""

from collections.abc import Iterator, Sequence

from boardspace.engine.plan import Work, cut
from boardspace.engine.work import RunDataset, cut_stage, finish_stage, run_bundle
from boardspace.spec.space import Shard, Stage
from boardspace.storage.receipts import Receipt, Round, next_round
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
    theirs = {receipt.shard: receipt for receipt in receipts}
    rounds: list[Round] = []
    while True:
        now = inputs.with_rounds(stage.name, list(rounds))
        shards = list(cut(stage, work.config, now))
        yield now, shards
        here = [theirs.pop(shard.name) for shard in shards if shard.name in theirs]
        if not here or len(here) < len(shards):
            return
        rounds.append(next_round(stage.name, rounds, here))


def shards_of(stage: Stage, work: Work, inputs: FinishedStages) -> Iterator[tuple[Shard, FinishedStages]]:
    """Every shard of a finished stage with its inputs; of a stage that repeats, the rounds before are among them."""
    receipts = inputs.record(stage.name).receipts if stage.repeats else ()
    for now, shards in rounds_of(stage, work, inputs, receipts):
        yield from ((shard, now) for shard in shards)


def finish_round(dataset: RunDataset, stage: Stage, finished: dict[str, str]) -> bool:
    """Make a stage, or the next round of one that repeats; return True where another round may follow."""
    made = cut_stage(dataset, stage.name, finished)
    receipts = run_bundle(dataset, stage.name, made.inputs, made.todo, 0.0)
    done = finish_stage(dataset, made, finished, (), [receipts])
    finished[stage.name] = done.digest
    return done.again
