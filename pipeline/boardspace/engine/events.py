"""Events of a run: its listener hears them while it goes on; a summary remains at the end."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from boardspace.engine.progress import RunningShards
from boardspace.engine.work import ShardError, StageCut, StageDone
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Stage
from boardspace.storage.locations import Location
from boardspace.storage.progress_file import ProgressEvent


class WorkerDiedError(BoardspaceError):
    """The process that computed a shard died under it."""


class ShardFailedError(BoardspaceError):
    """A shard failed as often as it was allowed to; the text names it and what it was given.

    lasting: it would fail again, whenever it is computed.
    shard, cause: its name, and the text of what was raised.
    frames: lines of the space's code that led to it.

    It is raised from what the shard raised, or from a :class:`ShardTracebackError` where another process computed it.
    """

    def __init__(self, text: str, failure: ShardError) -> None:
        super().__init__(text, failure)
        self.text, self.lasting, self.shard = text, failure.lasting, failure.shard
        self.cause, self.frames = failure.cause, failure.frames

    def __str__(self) -> str:
        return self.text


class ShardTracebackError(Exception):
    """Traceback of a shard, as text, from the process that computed it."""


def cause_of(error: ShardError) -> BaseException:
    """Exception that a shard raised; or, where that was in another process, its traceback."""
    return error.__cause__ or ShardTracebackError(f"in the process that computed {error.shard}:\n{error.traceback}")


class Listener:
    """Hears how a run goes on. A subclass overrides what it wants to hear; by default nothing is done."""

    def begun(self, running: RunningShards) -> None:
        """The folder is this run's and holds its plan; work begins. ``running`` has the progress of running shards."""

    def stage_cut(self, space: str, stage: Stage, shards: int, done: int) -> None:
        """A stage was cut into shards, of which some were done by an earlier run."""

    def shards_done(self, space: str, stage: str, shards: int) -> None:
        """So many shards of a stage are done."""

    def shard_failed(self, shard: str, cause: str, again: bool) -> None:
        """A shard failed and will be tried again, or not."""

    def shard_progress(self, event: ProgressEvent) -> None:
        """A shard that takes long reports how far it is, or (with an empty text) it has ended, failed, or lost its
        worker. Heard from a thread of its own, and only of shards that report."""

    def warned(self, text: str) -> None:
        """A user should know this, such as that a worker has not been heard of for a while."""

    def space_done(self, space: str, swept: Sequence[Location]) -> None:
        """A dataset is complete; ``swept`` are files that were moved out of it."""


@dataclass
class SpaceSummary:
    """Work that a run did for one space.

    shards: finished, now or before.
    skipped: those of them that an earlier run finished.
    rows: written, by all of these.
    bytes: of files, of all of these.
    seconds: that workers took for the shards computed now.
    stages: such seconds by stage.
    """

    shards: int = 0
    skipped: int = 0
    rows: int = 0
    bytes: int = 0
    seconds: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)

    def count(self, cut: StageCut, done: StageDone) -> None:
        """Add a finished stage."""
        self.shards += done.added.shards
        self.skipped += len(cut.done) + cut.passed.shards
        self.rows += done.added.rows
        self.bytes += done.added.bytes
        self.seconds += done.seconds
        if cut.todo:
            self.stages[cut.stage] = self.stages.get(cut.stage, 0.0) + done.seconds
