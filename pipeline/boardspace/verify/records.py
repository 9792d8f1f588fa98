"""Do the records of a run say what its plan asks for? They are compared with a new cut, stage after stage.

A stage's record has to be that stage's, to hold one receipt for every shard that the plan's config and the records of
the stages before it call for, each for that very work, and each file where such a file belongs. COMPLETE has to follow
from the plan and these records. A plan may be another version's: :func:`plan_fault` compares it with this
installation.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from boardspace.engine.plan import Work, cut, plan_differences, work_by
from boardspace.engine.work import RunDataset, cut_stage, finish_stage, run_bundle
from boardspace.spec.space import Shard, Stage
from boardspace.spec.stages import stages_of
from boardspace.spec.texts import named
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.complete import complete_of, read_complete
from boardspace.storage.receipts import FileRecord, Receipt, Round, StageRecord, next_round, work_digest
from boardspace.storage.run_folder import FinishedStages, SpaceFolder
from boardspace.storage.stored import stored
from boardspace.verify.result import Fault

LONGEST_DIFFERENCES = 300
"""Signs of the differences between two plans that a note holds."""
SHA256 = re.compile("[0-9a-f]{64}")


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


MOST_NAMED = 5
NOT_FINISHED = "missing: the run is not finished"


@dataclass
class Records:
    """The records of a dataset's stages.

    stages: by name.
    faults: what is wrong with them.
    dropped: names of files that were dropped.
    sound: stages whose records say what the plan asks for; all of them where there is no fault.
    """

    stages: dict[str, StageRecord] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)
    sound: list[str] = field(default_factory=list)

    @cached_property
    def digests(self) -> dict[str, str]:
        """Digests of the records that are there when it is first asked."""
        return {name: record.digest for name, record in self.stages.items()}

    @property
    def receipts(self) -> list[Receipt]:
        """The receipts of all stages."""
        return [receipt for record in self.stages.values() for receipt in record.receipts]

    @property
    def files(self) -> list[FileRecord]:
        """All files that a receipt names, each path once, but for those dropped."""
        every = {file.path: file for receipt in self.receipts for file in receipt.files}
        return [file for path, file in every.items() if path not in self.dropped]


def records_of(folder: SpaceFolder, work: Work) -> Records:
    """Read the records of a dataset and compare them with its plan."""
    found = Records()
    stages, ended = stages_of(work.space, work.config), stored(folder.complete).exists()
    for stage in stages.values():
        try:
            found.stages[stage.name] = folder.finished(stage.name)
        except Exception as error:  # forged records make nearly anything raise
            if ended or stored(folder.stage(stage.name)).exists():
                found.faults.append(_fault(folder, stage.name, str(error)))
    if len(found.stages) < len(stages) and not ended:
        found.faults.append(_not_complete(folder, f"{NOT_FINISHED}, {len(found.stages)} of {len(stages)} stages are"))
    found.dropped = {path for stage in stages.values() for path in _dropped(folder, stage, found)}
    if not found.faults:
        inputs = FinishedStages(folder, work.space)
        for stage in stages.values():
            faults = [_fault(folder, stage.name, what) for what in _stage_faults(folder, work, stage, found, inputs)]
            found.faults += faults
            if faults:  # what comes after is cut by what this one says
                return found
            found.sound.append(stage.name)
        found.faults += _contradictions(folder, found.stages)
        found.faults += _complete_faults(folder, work, found)
    return found


def _dropped(folder: SpaceFolder, stage: Stage, found: Records) -> Iterator[str]:
    """The blobs of a stage that are not there: a run that goes on knows by itself whether it needs them."""
    if stage.name in found.stages and (stage.drops or stage.next_round_only):
        for receipt in found.stages[stage.name].receipts:
            blobs = [
                file for file in receipt.files if file.blob and (stage.drops or file.blob in stage.next_round_only)
            ]
            yield from (file.path for file in blobs if not stored(folder.root / file.path).exists())


def _fault(folder: SpaceFolder, stage: str, what: str) -> Fault:
    return Fault("hashes", str(folder.stage(stage).relative_to(folder.root)), what)


def _stage_faults(
    folder: SpaceFolder, work: Work, stage: Stage, found: Records, inputs: FinishedStages
) -> Iterator[str]:
    record = found.stages[stage.name]
    if record.stage != stage.name or any(receipt.stage != stage.name for receipt in record.receipts):
        yield f"is not the record of stage {stage.name!r}"
        return
    names = [receipt.shard for receipt in record.receipts]
    if not all(one < other for one, other in pairwise(names)):
        yield "its receipts are not in order of the shards' names, each once"
        return
    try:
        due, rounds = _due(work, stage, found, inputs)
    except Exception as error:  # forged facts make cuts raise nearly anything
        yield f"cannot be compared with its plan: {error}"
        return
    yield from _differences(record, due, work)
    if record.rounds != (tuple(rounds.get(name, -1) for name in names) if stage.repeats else ()):
        yield "says otherwise of which shards were of which round"
    for receipt in record.receipts:
        for file in receipt.files:
            if not _belongs(folder, work, receipt, file):
                yield f"{receipt.shard}: {file.path} is not where a file of this shard belongs"


def _due(work: Work, stage: Stage, found: Records, inputs: FinishedStages) -> tuple[dict[str, str], dict[str, int]]:
    """The work digests, by shard, that the plan asks for, and the shards' rounds: one that repeats is cut round by
    round."""
    digests = {before: found.digests[before] for before in stage.after}
    due, rounds = dict[str, str](), dict[str, int]()
    for number, (now, shards) in enumerate(rounds_of(stage, work, inputs, found.stages[stage.name].receipts)):
        due |= {shard.name: work_digest(stage, shard, {**digests, **now.digests}) for shard in shards}
        rounds |= dict.fromkeys((shard.name for shard in shards), number)
    return due, rounds


def _hint(work: Work) -> str:
    different = list(plan_differences(work.plan, work_by(work.space, work.plan).plan))
    return f"; the plan is of another version, which may be why ({'; '.join(different)})" if different else ""


def _differences(record: StageRecord, due: Mapping[str, str], work: Work) -> Iterator[str]:
    works = {receipt.shard: receipt.work for receipt in record.receipts}
    groups = {
        "lacks": sorted(due.keys() - works.keys()),
        "has receipts that its plan does not ask for:": sorted(works.keys() - due.keys()),
        "has receipts for other work or inputs:": sorted(n for n in due.keys() & works if due[n] != works[n]),
    }
    for what, names in groups.items():
        if names:
            yield f"{what} shard {named(names, MOST_NAMED)}{_hint(work)}"


def _belongs(folder: SpaceFolder, work: Work, receipt: Receipt, file: FileRecord) -> bool:
    tables = {table.name: table for table in work.space.all_tables}
    if file.table:
        known = file.table in tables
        return not known or file.path == folder.table(tables[file.table], receipt.stage, receipt.shard)
    if file.blob:
        return file.path == folder.blob(file.blob, receipt.stage, receipt.shard)
    base = f"{folder.space}/{ARRAYS}/"
    return file.path.startswith(f"{base}{file.array}/c/" if file.array else base)


def _contradictions(folder: SpaceFolder, records: Mapping[str, StageRecord]) -> Iterator[Fault]:
    """Files that several receipts name, such as an array's metadata, and not with one content."""
    contents: dict[str, str] = {}
    for stage, record in records.items():
        for receipt in record.receipts:
            for file in receipt.files:
                if contents.setdefault(file.path, file.sha256) != file.sha256:
                    yield _fault(folder, stage, f"{receipt.shard}: another receipt says otherwise of {file.path}")


def _complete_faults(folder: SpaceFolder, work: Work, found: Records) -> Sequence[Fault]:
    """COMPLETE follows from the plan and the stages' records: make it again and compare."""
    complete = read_complete(folder)
    if complete == complete_of(folder.space, work.plan.digest, found.stages, found.digests):
        return []
    what = "says something else than the plan and the records of the stages"
    if complete is None:
        what = "torn or altered" if stored(folder.complete).exists() else NOT_FINISHED
    return [_not_complete(folder, what)]


def _not_complete(folder: SpaceFolder, what: str) -> Fault:
    return Fault("hashes", str(folder.complete.relative_to(folder.root)), what)


def is_of_these_sources(work: Work) -> bool:
    """Return whether the code that is installed here made a dataset, as its plan says; other code may describe it in
    other words."""
    return work.plan.sources == work_by(work.space, work.plan).plan.sources


def plan_fault(work: Work) -> str:
    """Fault of a plan that no version of boardspace which is known here can have written, or ''."""
    version, known = work.plan.version, work.space.version
    if version > known:
        return (
            f"{work.space.name}: of version {version}, and this installation knows none after {known}: it was made by "
            "a later version of boardspace; install that, and verify again"
        )
    if version < 1:
        return f"{work.space.name}: of version {version}, and versions begin with 1"
    if not SHA256.fullmatch(work.plan.sources):
        return f"{work.space.name}: its sources are no SHA-256"
    here = work_by(work.space, work.plan).plan
    if work.plan.sources == here.sources and work.plan.libraries.keys() != here.libraries.keys():
        return f"{work.space.name}: these sources name other libraries: {', '.join(sorted(here.libraries))}"
    return ""


def plan_notes(work: Work) -> Iterator[str]:
    """A note for the version, the libraries and the code of a plan, where they are not those of this installation."""
    different = list(plan_differences(work.plan, work_by(work.space, work.plan).plan))
    for what in ("version", "libraries", "sources"):
        found = [text for text in different if text.startswith(what)]
        if found:
            details = "" if what == "sources" else f" ({'; '.join(found)[:LONGEST_DIFFERENCES]})"
            other = "another" if what == "version" else "other"
            yield (
                f"{work.space.name}: the plan names {other} {what} than this installation's{details}; the data cannot "
                "show whether that is true"
            )
