"""Large stages go to the graph bundle by bundle, and leave what they leave else."""

from pathlib import Path

from boardspace.engine import loop
from boardspace.engine.config import validate
from boardspace.engine.events import Listener
from boardspace.engine.graph import Ended, InProcess, Key, Nodes
from boardspace.engine.plan import save_plan, work_of
from boardspace.engine.window import Windowed
from boardspace.verify import verify
from tests.pipeline.conftest import dataset_bytes


class Counted(InProcess):
    """Graph in this process that notes how many bundles it holds at most, and what its finishes need."""

    def __init__(self) -> None:
        super().__init__()
        self.held: set[Key] = set()
        self.most = 0
        self.needs: list[int] = []

    def add(self, nodes: Nodes, priority: int) -> None:
        super().add(nodes, priority)
        self.held |= {node.key for node in nodes if node.reports}
        self.most = max(self.most, len(self.held))
        self.needs += [len(node.needs) for node in nodes if node.key[0].endswith("-finish")]

    def next_ended(self) -> Ended | None:
        ended = super().next_ended()
        if ended is not None:
            self.held.discard(ended.key)
        return ended


def run(root: Path, most: int) -> Counted:
    work = work_of(validate({"toy": {"shards": 9}}, "trial", "trial.toml"))
    save_plan(root, work)
    graph = Counted()
    loop.run(work, root, Windowed(graph, most), Listener(), loop.Limits())
    return graph


def test_no_more_bundles_of_a_large_stage_are_in_the_graph_than_the_window_holds(tmp_path: Path) -> None:
    graph = run(tmp_path / "windowed", 4)
    assert graph.most == 4
    assert graph.needs == [0, 0, 1]  # the last stage is one shard
    whole = run(tmp_path / "whole", 9)
    assert whole.most == 9
    assert whole.needs == [9, 9, 1]
    assert dataset_bytes(tmp_path / "windowed" / "toy") == dataset_bytes(tmp_path / "whole" / "toy")
    assert verify(tmp_path / "windowed", "logic").faults == ()


def test_a_window_of_one_is_filled_again_and_again(tmp_path: Path) -> None:
    assert run(tmp_path / "windowed", 1).most == 1
    run(tmp_path / "whole", 9)
    assert dataset_bytes(tmp_path / "windowed" / "toy") == dataset_bytes(tmp_path / "whole" / "toy")
