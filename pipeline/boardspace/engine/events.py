"""What a run tells while it goes on, and what it says at the end."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from boardspace.engine.inside import Said
from boardspace.engine.work import StageCut, StageDone
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Stage
from boardspace.storage.locations import Location


class WorkerDiedError(BoardspaceError):
    """The process that computed a shard died under it."""


class ShardFailedError(BoardspaceError):
    """A shard failed as often as it was allowed to; the text names it and what it was given."""


class Listener(Protocol):
    """Hears how a run goes on."""

    def begun(self) -> None:
        """The folder is this run's and holds its plan; work begins."""

    def stage_cut(self, space: str, stage: Stage, shards: int, done: int) -> None:
        """A stage was cut into shards, of which some were done by an earlier run."""

    def shards_done(self, space: str, stage: str, shards: int) -> None:
        """So many shards of a stage are done."""

    def shard_failed(self, shard: str, cause: str, again: bool) -> None:
        """A shard failed and will be tried again, or not."""

    def shard_said(self, said: Said) -> None:
        """How far a shard is that takes long, in its own words, or (where there are none) that it has ended, failed, or
        lost its worker; heard from a thread of its own, and only of shards that say such things."""

    def warned(self, text: str) -> None:
        """Something that a user should know, such as a worker that has not been heard of for a while."""

    def space_done(self, space: str, swept: Sequence[Location]) -> None:
        """A dataset is complete; ``swept`` are files that were moved out of it."""


@dataclass
class SpaceSummary:
    """What a run did for one space; ``seconds`` are the workers', of the shards that were computed."""

    shards: int = 0
    skipped: int = 0
    rows: int = 0
    bytes: int = 0
    seconds: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)

    def count(self, cut: StageCut, done: StageDone) -> None:
        """Add a finished stage."""
        self.shards += done.shards
        self.skipped += len(cut.done)
        self.rows += done.rows
        self.bytes += done.bytes
        self.seconds += done.seconds
        if cut.todo:
            self.stages[cut.stage] = self.stages.get(cut.stage, 0.0) + done.seconds
