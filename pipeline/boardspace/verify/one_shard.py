"""One shard made again on this machine and compared with what is published: a check that anyone can make of any shard.

In the folder of a run, the shard reads the finished stages before it, as it did when it was made. A release holds no
stages, so those before the shard's are made again first, in scratch; the same can be asked for in a run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from boardspace.engine import compilation
from boardspace.engine.plan import Work, has_plan, plan_differences, recorded_work, refuse_unknown, work_by
from boardspace.engine.work import cut_stage
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import space_named
from boardspace.spec.space import Inputs, Output, Stage
from boardspace.spec.stages import stages_behind, stages_of
from boardspace.spec.texts import named
from boardspace.storage.complete import read_complete
from boardspace.storage.locations import BucketPath, Location
from boardspace.storage.mirror import local_copy
from boardspace.storage.release_folder import SUMS, read_sums
from boardspace.storage.run_folder import COMPLETE, FinishedStages, SpaceFolder
from boardspace.storage.scratch import scratch_folder
from boardspace.verify.comparing import ShardCheck, Target, compared
from boardspace.verify.files import FileFaultError
from boardspace.verify.recompute import made_in
from boardspace.verify.records import finish_round, shards_of
from boardspace.verify.release_inputs import datasets_in, published_inputs, published_work

Warn = Callable[[str], None]
MOST_NAMED = 5


def check_shard(root: Location, name: str, warn: Warn, from_scratch: bool = False) -> ShardCheck:
    """Make a shard of a run or of a release anew and compare; ``name`` is ``SPACE/STAGE/SHARD``.

    ``from_scratch`` has the stages before it made again in a run, too. ``warn`` takes what a user should know: that the
    plan is of another version, or that much has to be made first.

    Raises BoardspaceError where there is no such shard, or what it reads is not kept.
    """
    parts = name.split("/", 2)
    if len(parts) < 3 or not all(parts):
        raise BoardspaceError(f"{name!r}: give a shard as SPACE/STAGE/SHARD, such as toy/squares/00000")
    target = Target(*parts)
    if isinstance(root, BucketPath):
        with local_copy(root, [target.space]) as there:
            return check_shard(there, name, warn, from_scratch)
    published: Inputs
    if has_plan(root):
        work = _recorded(root, target.space)
        published = FinishedStages(SpaceFolder(root, target.space), work.space)
    else:
        work, published = _released(root, target.space)
        from_scratch = True
    for difference in plan_differences(work.plan, work_by(work.space, work.plan).plan):
        warn(f"{target.space}: made by another plan than this installation would follow: {difference}")
    compilation.fill(compilation.needs({target.space: work.config}))
    if isinstance(published, FinishedStages) and not from_scratch:
        return compared(target, work, _output(target, work, published), published, 0)
    with _made_anew(target, work, warn) as (output, stages):
        return compared(target, work, output, published, stages)


def _recorded(root: Path, space: str) -> Work:
    work = {one.space.name: one for one in recorded_work(root)}
    refuse_unknown(root, [space], work)
    return work[space]


def _released(root: Path, space: str) -> tuple[Work, Inputs]:
    folders = {folder.resolve().name: folder for folder in datasets_in(root)}
    refuse_unknown(root, [space], folders)
    folder, found = folders[space], space_named(space)
    complete = read_complete(SpaceFolder(folder.resolve().parent, space))
    if complete is None:
        raise BoardspaceError(f"{folder / COMPLETE}: missing or damaged; `boardspace verify {root}` tells more")
    try:
        work = published_work(folder, found, complete)
        names = tuple(read_sums(folder / SUMS))
    except (FileFaultError, OSError, ValueError) as error:
        raise BoardspaceError(f"{folder}: {error}; `boardspace verify {root}` tells more") from error
    return work, published_inputs(folder, found, names)


def _stage(target: Target, stages: Mapping[str, Stage]) -> Stage:
    if target.stage not in stages:
        raise BoardspaceError(f"{target.space} has no stage {target.stage!r}; there are: {', '.join(stages)}")
    return stages[target.stage]


def _no_shard(target: Target, names: Sequence[str]) -> BoardspaceError:
    few = named(names, MOST_NAMED) or "none"
    return BoardspaceError(f"{target.space}/{target.stage} has no shard {target.shard!r}; there are: {few}")


def _output(target: Target, work: Work, inputs: FinishedStages) -> Output:
    """The output of a shard of a run, by the finished stages that lie there."""
    stage, names = _stage(target, stages_of(work.space, work.config)), list[str]()
    for shard, now in shards_of(stage, work, inputs):
        if shard.name == target.shard:
            return stage.compute(work.config, shard.params, now)
        names.append(shard.name)
    raise _no_shard(target, names)


@contextmanager
def _made_anew(target: Target, work: Work, warn: Warn) -> Iterator[tuple[Output, int]]:
    """The output of a shard and the number of stages made before it, all in scratch and by this installation."""
    with scratch_folder() as scratch:
        stages = stages_of(work.space, work.config)
        behind = stages_behind(stages, _stage(target, stages).name)
        needed = [name for name in stages if name in behind]
        if needed:
            warn(f"computing first the stages that the shard reads: {', '.join(needed)}")
        dataset, finished = made_in(scratch / "run", work, needed)
        while True:
            made = cut_stage(dataset, target.stage, finished)
            found = [todo for todo in made.todo if todo.shard.name == target.shard]
            if found:
                inputs = FinishedStages(dataset.folder, work.space, dict(made.inputs))
                yield stages[target.stage].compute(work.config, found[0].shard.params, inputs), len(needed)
                return
            if not stages[target.stage].repeats or not finish_round(dataset, stages[target.stage], finished):
                raise _no_shard(target, [todo.shard.name for todo in made.todo])
