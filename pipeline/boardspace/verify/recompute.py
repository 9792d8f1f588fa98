"""Shards made again: what a run holds of them is compared with what comes of them here.

Facts are in receipts alone, and the claims are measured from them, so nothing but the shards can say whether they are
right. Whoever alters several tables so that they agree may deceive the checks of each, but not the shards that wrote
them. Drawn are those first whose facts the claims read, then others. A small dataset is made again whole, in scratch,
and so is any where everything is asked for, of a run and of a release. It is the writers' own code that makes them;
what may be wrong in that is for the other checks.
"""

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from boardspace.engine import compilation
from boardspace.engine.plan import Work, planned_shards, work_by
from boardspace.engine.work import RunDataset
from boardspace.spec.check import Draw, Outcome, outcome
from boardspace.spec.registry import error_text
from boardspace.spec.space import CLAIMS, Check, Facts, Inputs, Shard, Stage
from boardspace.spec.stages import stages_of
from boardspace.storage.complete import Complete, complete_of
from boardspace.storage.receipts import Receipt
from boardspace.storage.records import canonical_json
from boardspace.storage.run_folder import FinishedStages
from boardspace.storage.scratch import scratch_folder
from boardspace.verify.comparing import Target, compared
from boardspace.verify.equations import all_checks
from boardspace.verify.records import finish_round, is_of_these_sources, shards_of

SECONDS, SECONDS_OF_OTHERS = 5.0, 2.0
"""By the plan, of the drawn shards of a dataset: those whose facts the claims read, and others beside."""
SMALL = 9.0
"""A dataset that takes no more seconds, by the plan, is made again whole."""
LONGEST = 9.0
"""No shard that takes more seconds is drawn."""
NOT_SMALL = f"made again with --all only: it may take more than {SMALL:.0f} s or much memory, or its version is older"
CLAIMED = {CLAIMS.name: ("measured", "verdict", "evidence")}
MEANS = "shards made again by the code that made them: drawn ones, those first whose facts the claims read, or all"


def checks_of_run(work: Work) -> tuple[Check, ...]:
    """The checks of a run's dataset: one that makes shards again, as it takes longest, then those of its space."""

    def run(config: Any, inputs: Inputs, draw: Draw) -> Outcome:
        assert isinstance(inputs, FinishedStages)
        _compile(work)
        shards = list(finished_shards(work, inputs))
        if draw.everything or is_small(shards):
            with scratch_folder() as scratch:
                return outcome(_faults(work, inputs, scratch / "run"), len(shards))
        return _drawn(work, inputs, draw, shards)

    return (Check("made again", CLAIMED, MEANS, run), *all_checks(work.space))


def checks_of_release(work: Work, complete: Complete) -> tuple[Check, ...]:
    """The checks of a published dataset: one that makes it again, if it is small or everything is asked for, then those
    of its space.

    Without being asked nobody runs a stranger's config that takes long, or does not say how long.
    """
    there = {**complete.tables, **complete.arrays}

    def run(config: Any, inputs: Inputs, draw: Draw) -> Outcome:
        if not draw.everything and not _is_planned_small(work):
            return Outcome(0, len(there), left=NOT_SMALL)
        _compile(work)
        with scratch_folder() as scratch:
            dataset, _ = made_in(scratch / "run", work)
            records = {name: dataset.folder.finished(name) for name in stages_of(work.space, work.config)}
        made = complete_of(work.space.name, work.plan.digest, records)
        here = {**made.tables, **made.arrays}
        # Other sources of this version may say in other words what claims measure; the rows of all else are the same.
        words = set() if is_of_these_sources(work) else {CLAIMS.name}
        names = sorted((here.keys() | there.keys()) - words)
        return outcome("" if here.get(n) == there.get(n) else f"{n}: something else comes of it here" for n in names)

    return (
        Check("made again", CLAIMED, "all of it made again from its config, if that is small, or with --all", run),
        *all_checks(work.space),
    )


def _compile(work: Work) -> None:
    """Have the kernels compiled beforehand. Where their code cannot be kept, the data are not at fault: kernels are
    compiled as they are called, and say so."""
    with contextlib.suppress(compilation.CompileError):
        compilation.fill(compilation.needs({work.space.name: work.config}))


def _faults(work: Work, inputs: FinishedStages, root: Path) -> Iterator[str]:
    """For every shard, made again in ``root``, what comes of it in the folder and is not in its receipt, or ''."""
    dataset, _ = made_in(root, work)
    contents = partial(_contents, same_bytes=dataset.work().plan == work.plan)
    for name in stages_of(work.space, work.config):
        here = {receipt.shard: contents(receipt) for receipt in dataset.folder.finished(name).receipts}
        there = {receipt.shard: contents(receipt) for receipt in inputs.record(name).receipts}
        for shard in sorted(here.keys() | there.keys()):
            yield "" if here.get(shard) == there.get(shard) else f"{name}/{shard}: something else comes of it here"


def made_in(root: Path, work: Work, names: Collection[str] | None = None) -> tuple[RunDataset, dict[str, str]]:
    """Make a dataset, or these stages of it, in an empty folder, in this process, by this installation; the digests of
    the stages' records come with it, by stage."""
    dataset = RunDataset(root, work.space.name, work_by(work.space, work.plan).plan.model_dump_json())
    finished: dict[str, str] = {}
    for name, stage in stages_of(work.space, work.config).items():
        while (names is None or name in names) and finish_round(dataset, stage, finished):
            pass
    return dataset, finished


def _contents(receipt: Receipt, same_bytes: bool) -> tuple[str, list[Any]]:
    """Facts and files of a shard, to be compared. Files bear the stamp of their plan, so those of another plan have the
    same rows or cells, and not ``same_bytes``."""
    files = [file if same_bytes or file.blob else (file.path, file.rows, file.digest) for file in receipt.files]
    return canonical_json(receipt.facts), files


def _drawn(work: Work, inputs: FinishedStages, draw: Draw, shards: Sequence["FinishedShard"]) -> Outcome:
    """Make drawn shards again from the finished stages before them; the outcome tells how many no draw reaches."""
    drawable = drawable_shards(work, inputs, shards)
    why = f"of {drawable.due:,} shards {drawable.never:,} are made again with --all only: they take more than "
    why += f"{LONGEST:.0f} s, or much memory, or what they read was deleted"
    faults = (fault_made_again(work, inputs, one) for one in drawable.chosen(draw))
    return replace(outcome(faults, len(shards)), left=why if drawable.never else "")


@dataclass(frozen=True)
class FinishedShard:
    """A shard that was made, with what it could read, and about how many seconds it takes."""

    stage: Stage
    shard: Shard
    inputs: FinishedStages
    seconds: float


@dataclass(frozen=True)
class DrawableShards:
    """Shards of a dataset that may be drawn: none that takes long or much memory, and none of a stage whose inputs are
    deleted by now.

    claimed: those of stages whose facts the claims read.
    others: of other stages.
    never: how many no draw reaches.
    """

    claimed: Sequence[FinishedShard]
    others: Sequence[FinishedShard]
    never: int

    @property
    def due(self) -> int:
        """Number of shards with those that no draw reaches."""
        return len(self.claimed) + len(self.others) + self.never

    def chosen(self, draw: Draw) -> list[FinishedShard]:
        """The shards of a draw: what claimed ones leave of their seconds is for others."""
        random, found, left = draw.generator(), list[FinishedShard](), 0.0
        for some, seconds in ((self.claimed, SECONDS), (self.others, SECONDS_OF_OTHERS)):
            drawn = list(_within(seconds + left, [some[place] for place in random.permutation(len(some))]))
            found, left = found + drawn, max(0.0, seconds - sum(one.seconds for one in drawn))
        return found


def drawable_shards(work: Work, inputs: FinishedStages, shards: Sequence[FinishedShard]) -> DrawableShards:
    """Sort the shards of a dataset by what a draw may do with them; its claims are measured for it."""
    listening, stages = _Listening(inputs.folder, inputs.space), stages_of(work.space, work.config)
    work.space.claims(work.config, listening)
    due = [one for one in shards if one.stage.name != CLAIMS.name]
    possible = [
        one
        for one in due
        if one.seconds <= LONGEST and not one.stage.memory and not _reads_what_is_gone(one.stage, stages)
    ]
    claimed = [one for one in possible if one.stage.name in listening.asked]
    others = [one for one in possible if one.stage.name not in listening.asked]
    return DrawableShards(claimed, others, len(due) - len(possible))


def is_small(shards: Iterable[FinishedShard]) -> bool:
    """True for the shards of a dataset that is made again whole, whatever is drawn."""
    return sum(one.seconds for one in shards) <= SMALL


def _is_planned_small(work: Work) -> bool:
    """True for a dataset of this version that is small by its config alone; of an older one, rows may differ here."""
    stages = stages_of(work.space, work.config).values()
    seconds = (stage.seconds or _planned_seconds(work, stage) for stage in stages)
    within = not any(stage.memory for stage in stages) and sum(seconds) <= SMALL
    return within and work.plan.version == work.space.version


def _planned_seconds(work: Work, stage: Stage) -> float:
    shards = planned_shards(work, stage)
    return float("inf") if shards is None else sum(shard.cost for shard in shards)


def finished_shards(work: Work, inputs: FinishedStages) -> Iterator[FinishedShard]:
    """All shards of a dataset; the rounds of a stage that repeats may tell that it was smaller than planned."""
    for stage in stages_of(work.space, work.config).values():
        shards = list(shards_of(stage, work, inputs))
        each = stage.seconds / max(1, len(shards)) if stage.after else 0.0
        for shard, now in shards:
            known = min(each, shard.cost) if stage.name in stage.after else each
            yield FinishedShard(stage, shard, now, known or shard.cost)


@dataclass(frozen=True)
class _Listening(FinishedStages):
    """Finished stages that note of which of them the facts are read."""

    asked: set[str] = field(default_factory=set)

    def rounds(self, stage: str) -> int:
        self.asked.add(stage)
        return super().rounds(stage)

    def facts(self, stage: str, *, of_round: int | None = None) -> list[Facts]:
        self.asked.add(stage)
        return super().facts(stage, of_round=of_round)

    def named_facts(self, stage: str, *, of_round: int | None = None) -> dict[str, Facts]:
        self.asked.add(stage)
        return super().named_facts(stage, of_round=of_round)


def _reads_what_is_gone(stage: Stage, stages: Mapping[str, Stage]) -> bool:
    if stage.next_round_only:
        return True
    return any(stages[before].drops for before in stage.after if before not in stage.facts_only)


def _within(seconds: float, shards: Iterable[FinishedShard]) -> Iterator[FinishedShard]:
    """Shards, in order, that take so many seconds together: the first in any case, so that each may be drawn; of the
    others, dearer ones are passed over."""
    for place, one in enumerate(shards):
        if not place or one.seconds <= seconds:
            seconds -= one.seconds
            yield one


def fault_made_again(work: Work, inputs: FinishedStages, one: FinishedShard) -> str:
    """First difference between what comes of the shard here and what the run, all of it, holds of it, or ''."""
    name = f"{one.stage.name}/{one.shard.name}"
    try:
        output = one.stage.compute(work.config, one.shard.params, one.inputs)
    except (Exception, SystemExit) as error:  # forged inputs make shards raise nearly anything
        return f"{name}: cannot be made again: {error_text(error)}"
    target = Target(work.space.name, one.stage.name, one.shard.name)
    differences = compared(target, work, output, inputs, 0).differences
    return f"{name}: {differences[0]}" if differences else ""
