"""Statements of others on a puzzle, a line each: the farthest state, the size of a level, all levels."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from boardspace.spec.arguments import LARGEST, shown, within
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted


@dataclass(frozen=True)
class Found:
    """Figures of a case that statements are measured by.

    levels: number of states at each distance.
    states: number of all states, those included that have none.
    to_goal: fewest moves from a start to a goal, where there are goals.
    dead_ends: states that can be reached and from which no moves lead to a goal.
    distance: function of a state, or of its drawing, to the fewest moves that it takes, None where none lead there.
    """

    levels: Sequence[int]
    states: int
    to_goal: int | None = None
    dead_ends: int = 0
    distance: Callable[[int | str], int | None] = lambda state: None


@dataclass(frozen=True)
class Statement:
    """A statement on the levels of one case.

    value: the stated value.
    source: text and section.
    metric: name of the rule that counts as a move; '' where there is one.
    size: of the puzzle.
    """

    value: Any
    source: str
    metric: str = field(default="", kw_only=True)
    size: Mapping[str, int] = field(default_factory=dict, kw_only=True)

    @property
    def stated(self) -> Any:
        """The value as a JSON value; BoardspaceError where it, or another number of the statement, is none."""
        return within("value", self.value, 0, LARGEST)

    @property
    def text(self) -> str:
        """The statement, in our words."""
        raise NotImplementedError

    def measured(self, found: Found) -> Any:
        """The value that these figures give."""
        raise NotImplementedError


class Greatest(Statement):
    """A state farthest from the start takes so many moves: ``Greatest(11, "source")``."""

    @property
    def text(self) -> str:
        return f"The farthest states take {counted(self.value, 'move')}"

    def measured(self, found: Found) -> int:
        return len(found.levels) - 1


@dataclass(frozen=True)
class Count(Statement):
    """So many states take ``moves`` moves: ``Count(2644, "source", moves=11)``; without that, so many can be reached at
    all."""

    moves: int | None = field(default=None, kw_only=True)

    @property
    def stated(self) -> int:
        if self.moves is not None:
            within("moves", self.moves, 0, LARGEST)
        return within("value", self.value, 0, LARGEST)

    @property
    def text(self) -> str:
        states, takes = counted(self.value, "state"), "takes" if self.value == 1 else "take"
        return f"{states} can be reached" if self.moves is None else f"{states} {takes} {counted(self.moves, 'move')}"

    def measured(self, found: Found) -> int:
        if self.moves is None:
            return sum(found.levels)
        return found.levels[self.moves] if self.moves < len(found.levels) else 0


class LevelCounts(Statement):
    """The numbers of states that take 0, 1, 2, ... moves: ``LevelCounts([1, 9, 54], "source")``."""

    @property
    def stated(self) -> list[int]:
        if isinstance(self.value, str) or not isinstance(self.value, Iterable):
            raise BoardspaceError(f"value: numbers of all levels, such as [1, 9], are wanted, not {shown(self.value)}")
        return [within("value", one, 0, LARGEST) for one in self.value]

    @property
    def text(self) -> str:
        return f"{', '.join(map(str, self.value))} states take 0, 1, ... moves"

    def measured(self, found: Found) -> list[int]:
        return list(found.levels)


class States(Statement):
    """There are so many states, whether moves join them or not: ``States(13_909, "source")``."""

    @property
    def text(self) -> str:
        return f"There {'is' if self.value == 1 else 'are'} {counted(self.value, 'state')}"

    def measured(self, found: Found) -> int:
        return found.states


@dataclass(frozen=True)
class Takes(Statement):
    """A state, or that of a drawing, takes so many moves: ``Takes(33, "source", state="8 7 6\\n5 4 3\\n2 1 .")``."""

    state: int | str = field(kw_only=True)

    @property
    def text(self) -> str:
        return f"The state {' / '.join(str(self.state).splitlines())} takes {counted(self.value, 'move')}"

    def measured(self, found: Found) -> int | str:
        distance = found.distance(self.state)
        return "cannot be reached" if distance is None else distance


class ToGoal(Statement):
    """The start can be led to a goal in so many moves and no fewer: ``ToGoal(13, "source")``."""

    @property
    def text(self) -> str:
        return f"The start takes {counted(self.value, 'move')} to a goal"

    def measured(self, found: Found) -> int | str:
        return "no goal can be reached" if found.to_goal is None else found.to_goal


class DeadEnds(Statement):
    """From so many of the states that can be reached no moves lead to a goal: ``DeadEnds(7, "source")``."""

    @property
    def text(self) -> str:
        return f"From {counted(self.value, 'state')} that can be reached no moves lead to a goal"

    def measured(self, found: Found) -> int:
        return found.dead_ends
