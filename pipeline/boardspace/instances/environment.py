#!/usr/bin/env python3
"""Gymnasium environment of the instances in this folder: one file that needs gymnasium and check.py beside it.

    import gymnasium
    from environment import Instances              # or boardspace.instances.environment
    world = Instances("train-00000-of-00001.jsonl")   # or several files
    observation, info = world.reset(seed=1)        # options={"id": ...} chooses an instance
    observation, reward, terminated, truncated, info = world.step(info["moves"].index("B 1 2"))

An episode is one instance, and the reward at its end is the score that check.py gives to what was done: 1 for the least
number of moves (stones, pegs), less for more, 0 for none. Observations are the drawings of the position and of what is
wanted, as code points, padded with zeros. Actions number the legal moves of a position in the order of their names,
which ``info["moves"]`` lists; ``info["action_mask"]`` is 1 for these. The last action ends the episode: it says that
there is no answer, or that a reduction of pegs is done. An action that is no legal move changes nothing. After 20 moves
and four times those of the answer the episode is truncated. The same seed and actions give the same episode.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

try:
    from boardspace.instances import checker
except ImportError:  # in the folder of instances, where nothing is installed, the checker is check.py
    sys.path.insert(0, str(Path(__file__).parent))
    import check as checker  # type: ignore[import-not-found, no-redef]

MOST_LOOKED_AT = 100
"""Moves of an answer whose positions are looked at, to know how many actions there are."""
Observation = dict[str, np.ndarray[Any, np.dtype[np.uint32]]]


class Instances(gymnasium.Env[Observation, int]):
    """Instances of one or several files; ``most_moves`` is how many legal moves have an action, by default twice as
    many as any position on the answers of the instances has."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self, files: str | Path | Sequence[str | Path], most_moves: int = 0, render_mode: str | None = None
    ) -> None:
        self.render_mode = render_mode
        files = [files] if isinstance(files, str | Path) else list(files)
        lines = [line for file in files for line in Path(file).read_text(encoding="utf-8").splitlines()]
        self.instances: list[dict[str, Any]] = [json.loads(line) for line in lines]
        if not self.instances:
            raise ValueError(f"{', '.join(map(str, files))}: there are no instances")
        beside = Path(files[0]).with_name(checker.RULES)
        rules = {**(checker.kinds_in(beside) if beside.exists() else {}), **checker.KINDS}
        self.rules: Mapping[str, Any] = rules
        self.kinds = {one["puzzle"]["kind"]: checker.kind_of(rules[one["puzzle"]["kind"]]) for one in self.instances}
        for name, kind in self.kinds.items():
            if not checker.has_moves(kind):
                raise ValueError(f"the kind {name!r} has no moves, so there is nothing to be done step by step")
        drawings, moves = self._seen()
        shape = max(map(len, drawings)), max(len(row) for rows in drawings for row in rows)
        self.legal = most_moves or 2 * moves
        self.action_space = gymnasium.spaces.Discrete(self.legal + 1)
        drawing = gymnasium.spaces.Box(0, 0x10FFFF, shape, np.uint32)
        self.observation_space = gymnasium.spaces.Dict({"goal": drawing, "position": drawing})
        self._begin(self.instances[0])

    def _seen(self) -> tuple[list[list[str]], int]:
        """The drawings of all starts and goals, row by row, and the most moves that a position on an answer has."""
        drawings, most = [], 1
        for one in self.instances:
            kind, puzzle = self.kinds[one["puzzle"]["kind"]], one["puzzle"]
            state = kind.start(puzzle)
            drawings += [kind.text(puzzle, state).split("\n"), kind.goal(puzzle).split("\n")]
            for line in [*one["answer"][:MOST_LOOKED_AT], None]:
                moves = kind.moves(puzzle, state)
                most = max(most, len(moves))
                if line not in moves:  # at the end, and where an answer is not its moves
                    break
                state = moves[line]
        return drawings, most

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an instance: that of ``options["id"]``, or one that is drawn."""
        super().reset(seed=seed)
        wanted = (options or {}).get("id")
        found = [one for one in self.instances if one["id"] == wanted]
        if wanted is not None and not found:
            raise ValueError(f"there is no instance {wanted!r}")
        self._begin(found[0] if found else self.instances[int(self.np_random.integers(len(self.instances)))])
        return self._observation(), self._info()

    def _begin(self, instance: dict[str, Any]) -> None:
        self.instance, self.puzzle = instance, instance["puzzle"]
        self.kind = self.kinds[self.puzzle["kind"]]
        self.state, self.lines, self.count = self.kind.start(self.puzzle), list[str](), 0
        self._look()

    def _look(self) -> None:
        self.moves = self.kind.moves(self.puzzle, self.state)
        self.names = sorted(self.moves)[: self.legal]

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move, or end the episode."""
        self.count += 1
        ended = int(action) == self.legal
        if not ended and int(action) < len(self.names):
            self.lines.append(self.names[int(action)])
            self.state = self.moves[self.names[int(action)]]
            self._look()
            ended = self.kind.solved(self.puzzle, self.state)
        reward = self._score(gave_up=int(action) == self.legal) if ended else 0.0
        late = not ended and self.count >= checker.most_moves(self.instance)
        return self._observation(), reward, ended, late, self._info()

    def _score(self, gave_up: bool) -> float:
        answer = self.kind.answer(self.puzzle, self.lines, self.state)
        if gave_up and not self.kind.finished(self.puzzle, self.state):
            answer = checker.UNSOLVABLE
        return float(checker.score(self.instance, answer, self.rules)[0])

    def _observation(self) -> Observation:
        return {
            "goal": self._points(self.kind.goal(self.puzzle)),
            "position": self._points(self.kind.text(self.puzzle, self.state)),
        }

    def _points(self, text: str) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """The drawing as code points; what does not fit is cut off."""
        shape = self.observation_space["position"].shape
        found = np.zeros(shape, np.uint32)
        for row, line in zip(found, text.split("\n"), strict=False):
            row[: len(line)] = [ord(sign) for sign in line[: shape[1]]]
        return found

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(self.legal + 1, np.int8)
        mask[: len(self.names)] = mask[-1] = 1
        return {"id": self.instance["id"], "moves": list(self.names), "action_mask": mask}

    def render(self) -> str | None:
        """The drawing of the position, in the mode ``ansi``."""
        return self.kind.text(self.puzzle, self.state) if self.render_mode == "ansi" else None


gymnasium.register("boardspace/Instances-v0", entry_point=Instances)


def main(files: Sequence[str]) -> int:
    """Have Gymnasium's own checker look at the environment of some files, and play an episode at random."""
    world = gymnasium.make(
        "boardspace/Instances-v0", files=files, render_mode="ansi", disable_env_checker=True
    ).unwrapped
    assert isinstance(world, Instances)
    check_env(world)
    world.action_space.seed(1)
    _, info = world.reset(seed=1)
    ended, reward = False, 0.0
    while not ended:
        _, reward, terminated, truncated, info = world.step(world.action_space.sample(info["action_mask"]))
        ended = terminated or truncated
    print(json.dumps({"id": info["id"], "moves": len(world.lines), "reward": reward}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
