"""The stages of a plan and what they wait for, drawn from left to right: a stage right of all it comes after."""

from collections.abc import Mapping, Sequence

from boardspace.cli.drawing import Picture
from boardspace.spec.space import Stage
from boardspace.spec.stages import stages_behind

HEIGHT, ROW, LETTER, GAP, HEAD = 24, 34, 7.2, 46, 40


def stage_graph(spaces: Mapping[str, Mapping[str, Stage]]) -> Picture:
    """One drawing below the other, a space each. A stage that repeats has a double frame."""
    drawn = {name: _Drawing(stages) for name, stages in spaces.items()}
    whole = Picture(max(d.width for d in drawn.values()), sum(HEAD + d.height for d in drawn.values()))
    top = 0.0
    for name, drawing in drawn.items():
        whole.text(8, top + HEAD / 2, name, 16, text_anchor="start", fill="#777")
        top += HEAD
        drawing.paint(whole, top)
        top += drawing.height
    return whole


class _Drawing:
    """Places of the stages of one space: columns by the longest way to them, rows by the mean of what they follow.

    A line that passes a column has a row of its own there, its *lane*, so that no stage seems to lie on it.
    """

    def __init__(self, stages: Mapping[str, Stage]) -> None:
        self.stages = stages
        self.before = {name: _direct(stages, name) for name in stages}
        self.column: dict[str, int] = {}
        for name in stages:
            self.column[name] = max((self.column[other] + 1 for other in self.before[name]), default=0)
        # a stage's last column is that of the farthest stage after it; between, it has lanes
        last = {name: max([self.column[name], *(self.column[n] - 1 for n in self._after(name))]) for name in stages}
        self.row: dict[tuple[str, int], float] = {}
        self.left: list[float] = [8.0]
        for number in range(max(self.column.values()) + 1):
            passing = [name for name in stages if self.column[name] <= number <= last[name]]
            for row, name in enumerate(sorted(passing, key=lambda name: self._mean_row(name, number))):
                self.row[name, number] = (row + 0.5) * ROW
            widest = max(len(name) for name in passing if self.column[name] == number)
            self.left.append(self.left[-1] + LETTER * widest + 16 + GAP)
        self.width = self.left[-1]
        self.height = max(self.row.values()) + ROW / 2

    def paint(self, picture: Picture, top: float) -> None:
        """Lines first, then frames with names."""
        for name, others in self.before.items():
            for other in others:
                self._paint_line(picture, top, other, name)
        for name, number in self.column.items():
            left, width, middle = self.left[number], self._right(number) - self.left[number], self.row[name, number]
            frame: dict[str, str | float] = {"stroke": "#777", "rx": 5}
            picture.rect(left, top + middle - HEIGHT / 2, width, HEIGHT, "#fff", **frame)
            if self.stages[name].repeats:
                picture.rect(left + 3, top + middle - HEIGHT / 2 + 3, width - 6, HEIGHT - 6, "none", **frame)
            picture.text(left + width / 2, top + middle, name, 12, fill="#222")

    def _paint_line(self, picture: Picture, top: float, start: str, end: str) -> None:
        """From a stage through its lanes to one that comes after it."""
        x, y = self._right(self.column[start]), self.row[start, self.column[start]]
        for number in range(self.column[start] + 1, self.column[end]):
            lane = self.row[start, number]
            picture.line(x, top + y, self.left[number], top + lane, "#aaa")
            picture.line(self.left[number], top + lane, self._right(number), top + lane, "#aaa")
            x, y = self._right(number), lane
        picture.line(x, top + y, self.left[self.column[end]], top + self.row[end, self.column[end]], "#aaa")

    def _right(self, number: int) -> float:
        return self.left[number + 1] - GAP

    def _after(self, name: str) -> list[str]:
        return [other for other, before in self.before.items() if name in before]

    def _mean_row(self, name: str, number: int) -> float:
        """Best row for a stage or its lane: beside the stages that lead there."""
        behind = [name] if self.column[name] < number else self.before[name]
        rows = [self.row[other, number - 1] for other in behind]
        return sum(rows) / len(rows) if rows else 0.0


def _direct(stages: Mapping[str, Stage], name: str) -> Sequence[str]:
    """Stages that a stage comes after directly: not those that they come after themselves."""
    after = [other for other in stages[name].after if other != name]
    behind = {further for other in after for further in stages_behind(stages, other)}
    return [other for other in after if other not in behind]
