"""The engine: the loop, a dataset's life, the graph it grows, and what workers do."""

from boardspace.pipeline.engine.events import Listener, ShardFailedError, SpaceSummary, WorkerDiedError
from boardspace.pipeline.engine.graph import Graph, InProcess
from boardspace.pipeline.engine.inside import RunningShards, Said
from boardspace.pipeline.engine.loop import run

__all__ = [
    "Graph",
    "InProcess",
    "Listener",
    "RunningShards",
    "Said",
    "ShardFailedError",
    "SpaceSummary",
    "WorkerDiedError",
    "run",
]
