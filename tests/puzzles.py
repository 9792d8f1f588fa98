"""Small puzzles for tests of graphs: lamps (moves go back, half the states of some sizes are never reached), and steps
that cannot be taken back, from two starts; strings of beads, in closed classes; lamps up to symmetries and steps to a
goal, as words and as numbers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from pydantic import Field

from boardspace.graphs import (
    Case,
    Closed,
    Count,
    DeadEnds,
    Dense,
    Greatest,
    LevelCounts,
    OwnColumn,
    Puzzle,
    SecondRules,
    Sparse,
    States,
    Takes,
    ToGoal,
)
from boardspace.spec.space import SpaceConfig
from boardspace_kernels.graph.rule import GOAL, RULE
from boardspace_kernels.jit import kernel


@kernel(RULE)
def press(size: Any, state: Any, out: Any) -> int:
    """Pressing a lamp switches it and those beside it; a state has a bit for each lamp that is on."""
    for row in range(size[0]):
        for column in range(size[1]):
            lamps = np.uint64(0)
            for down, right in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
                if 0 <= row + down < size[0] and 0 <= column + right < size[1]:
                    lamps |= np.uint64(1) << np.uint64((row + down) * size[1] + column + right)
            out[row * size[1] + column] = state ^ lamps
    return size[0] * size[1]


class LampsConfig(SpaceConfig):
    """The ``[lamps]`` section."""

    most: int = Field(4, ge=1, le=4)


class LampRules(SecondRules):
    """Lamps as rows of text."""

    def moves(self, size: Mapping[str, int], state: int) -> dict[str, int]:
        lines = self.text(size, state).split("\n")
        found = {}
        for row in range(size["rows"]):
            for column in range(size["columns"]):
                now = [list(line) for line in lines]
                for r in range(size["rows"]):
                    for c in range(size["columns"]):
                        if abs(r - row) + abs(c - column) <= 1:
                            now[r][c] = "*" if now[r][c] == "." else "."
                found[f"{'abcd'[column]}{row + 1}"] = self.parse(size, "\n".join(map("".join, now)))
        return found

    def text(self, size: Mapping[str, int], state: int) -> str:
        lamps = [".*"[state >> place & 1] for place in range(size["rows"] * size["columns"])]
        return "\n".join("".join(lamps[row * size["columns"] :][: size["columns"]]) for row in range(size["rows"]))

    def parse(self, size: Mapping[str, int], text: str) -> int:
        if [len(line) for line in text.split("\n")] != [size["columns"]] * size["rows"] or set(text) - set(".*\n"):
            raise ValueError(f"{size['rows']} lines of {size['columns']} lamps are wanted, . or *")
        return sum(1 << place for place, lamp in enumerate(text.replace("\n", "")) if lamp == "*")


LAMPS = Puzzle(
    name="lamps",
    title="Lamps",
    doc="Lamps that switch those beside them.",
    moves={"press": press},
    most_moves=lambda size: size["rows"] * size["columns"],
    rules=LampRules(),
    states=Dense(count=lambda size: 1 << size["rows"] * size["columns"], range=64),
    undirected=True,
    config=LampsConfig,
    sizes=lambda config: [{"rows": rows, "columns": 3} for rows in range(config.most, 0, -1)],
    whole=[{"rows": rows, "columns": 3} for rows in range(1, 5)],
    claims={
        "three": Greatest(9, "a test", size={"rows": 3, "columns": 3}),
        "few": LevelCounts([1, 3, 3, 1], "a test", size={"rows": 1, "columns": 3}),
        "wrong": Count(7, "a test", moves=1, size={"rows": 3, "columns": 3}),
        "other": Count(1, "a test", size={"rows": 9, "columns": 9}),
        "corner": Takes(5, "a test", state="*..\n...\n...", size={"rows": 3, "columns": 3}),
    },
)


@kernel(RULE)
def forward(size: Any, state: Any, out: Any) -> int:
    """Twice the state, and seven more."""
    out[0], out[1] = state * np.uint64(2) % np.uint64(1000), (state + np.uint64(7)) % np.uint64(1000)
    return 2


@kernel(RULE)
def doubling(size: Any, state: Any, out: Any) -> int:
    """Twice the state."""
    out[0] = state * np.uint64(2) % np.uint64(1000)
    return 1


@kernel(RULE)
def swap(size: Any, state: Any, out: Any) -> int:
    """Exchanging a bead and a gap two places apart."""
    found = 0
    for place in range(size[0] - 2):
        if (state >> np.uint64(place) ^ state >> np.uint64(place + 2)) & np.uint64(1):
            out[found] = state ^ np.uint64(5) << np.uint64(place)
            found += 1
    return found


@kernel(RULE)
def strings(size: Any, label: Any, out: Any) -> int:
    """All strings with as many beads as the label says."""
    found = 0
    for state in range(1 << size[0]):
        beads = 0
        for place in range(size[0]):
            beads += state >> place & 1
        if beads == np.int64(label):
            if found < len(out):
                out[found] = np.uint64(state)
            found += 1
    return found


@kernel(GOAL)
def is_tied(size: Any, state: Any) -> bool:
    """There are beads in the last two places."""
    return state >> np.uint64(size[0] - 2) == np.uint64(3)


class BeadRules(SecondRules):
    """Strings as texts of o and -, the first place first."""

    def moves(self, size: Mapping[str, int], state: int) -> dict[str, int]:
        text, found = self.text(size, state), {}
        for place in range(len(text) - 2):
            pair = text[place] + text[place + 2]
            if pair in ("o-", "-o"):
                moved = text[:place] + pair[1] + text[place + 1] + pair[0] + text[place + 3 :]
                found[str(place)] = self.parse(size, moved)
        return found

    def solved(self, size: Mapping[str, int], state: int) -> bool:
        return self.text(size, state).endswith("oo")

    def text(self, size: Mapping[str, int], state: int) -> str:
        return "".join("-o"[state >> place & 1] for place in range(size["places"]))

    def parse(self, size: Mapping[str, int], text: str) -> int:
        if len(text) != size["places"] or set(text) - set("o-"):
            raise ValueError(f"{size['places']} places are wanted, o or -")
        return sum(1 << place for place, bead in enumerate(text) if bead == "o")


BEADS_DOMAIN = """(define (domain beads)
  (:requirements :strips)
  (:predicates (bead ?p) (gap ?p) (apart ?a ?b))
  (:action swap
    :parameters (?a ?b)
    :precondition (and (bead ?a) (gap ?b) (apart ?a ?b))
    :effect (and (not (bead ?a)) (gap ?a) (not (gap ?b)) (bead ?b))))
"""


def beads_in_pddl(case: Case, state: int) -> tuple[str, str]:
    """The domain, and the problem to bring beads to the last two places."""
    places, beads = case.size["places"], BeadRules().text(case.size, state)
    apart = [f"(apart p{a} p{b})" for a in range(places) for b in range(places) if abs(a - b) == 2]
    init = [f"({'bead' if one == 'o' else 'gap'} p{place})" for place, one in enumerate(beads)]
    problem = f"""(define (problem string) (:domain beads)
  (:objects {" ".join(f"p{place}" for place in range(places))})
  (:init {" ".join(init + apart)})
  (:goal (and (bead p{places - 2}) (bead p{places - 1}))))
"""
    return BEADS_DOMAIN, problem


class BeadsConfig(SpaceConfig):
    """The ``[beads]`` section."""

    places: tuple[int, ...] = (4, 9)


BEADS = Puzzle(
    name="beads",
    title="Beads",
    doc="Strings of beads, exchanged over one place.",
    moves={"swap": swap},
    most_moves=lambda size: size["places"],
    rules=BeadRules(),
    states=Closed(
        labels=lambda size: size["places"] + 1,
        place=strings,
        goal=is_tied,
        count=lambda size: 2 ** size["places"],
    ),
    undirected=True,
    config=BeadsConfig,
    sizes=lambda config: [{"places": places} for places in config.places],
    claims={
        "all": States(512, "a test", size={"places": 9}),
        "wrong": Greatest(3, "a test", size={"places": 9}),
        "six": Takes(7, "a test", state="oo-------", size={"places": 9}),
    },
    columns=(
        OwnColumn(
            "first",
            "1 where there is a bead in the first place.",
            of=lambda size, states: states & np.uint64(1),
            again=lambda size, state: int(BeadRules().text(size, state)[0] == "o"),
        ),
    ),
    pddl=beads_in_pddl,
)


class StepRules(SecondRules):
    """Steps by name."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def moves(self, size: Mapping[str, int], state: int) -> dict[str, int]:
        steps = {"double": (state + state) % 1000, "add": (state + 7) % 1000}
        return {name: steps[name] for name in self.names}


class StepsConfig(SpaceConfig):
    """The ``[steps]`` section."""


STEPS = Puzzle(
    name="steps",
    title="Steps",
    doc="Numbers that doubling and adding seven make.",
    moves={"one": doubling, "both": forward},
    most_moves=lambda size: 2,
    rules={"one": StepRules("double"), "both": StepRules("double", "add")},
    states=Dense(count=lambda size: 1000, start=lambda size: [500, 75], range=192),
    config=StepsConfig,
    claims={"reached": Count(1000, "a test", metric="both")},
    columns=(
        OwnColumn("half", "Half of it.", lambda size, states: states // np.uint64(2), lambda size, one: one // 2),
    ),
)


@kernel(RULE)
def turned(size: Any, state: Any, out: Any) -> int:
    """The eight images of a square of lamps, of other boards the four of a rectangle."""
    rows, columns = size[0], size[1]
    order = 8 if rows == columns else 4
    for image in range(order):
        out[image] = 0
        for row in range(rows):
            for column in range(columns):
                r = rows - 1 - row if image & 1 else row
                c = columns - 1 - column if image & 2 else column
                if image & 4:
                    r, c = c, r
                out[image] |= (state >> np.uint64(row * columns + column) & np.uint64(1)) << np.uint64(r * columns + c)
    return order


class TurnedRules(LampRules):
    """Lamps whose boards are turned and mirrored as texts."""

    def images(self, size: Mapping[str, int], state: int) -> list[int]:
        found, text = [], self.text(size, state)
        for _ in range(2):
            text = "\n".join(text.split("\n")[::-1])
            for _ in range(2):
                text = "\n".join(line[::-1] for line in text.split("\n"))
                found.append(text)
                if size["rows"] == size["columns"]:
                    found.append("\n".join(map("".join, zip(*text.split("\n"), strict=True))))
        return [self.parse(size, one) for one in found]


class LightsConfig(SpaceConfig):
    """The ``[lights]`` section."""

    rows: tuple[int, ...] = (2, 3, 4)


LIGHTS = Puzzle(
    name="lights",
    title="Lights",
    doc="Lamps up to symmetries.",
    moves={"press": press},
    most_moves=lambda size: size["rows"] * size["columns"],
    rules=TurnedRules(),
    states=Sparse(start=lambda size: 0, images=turned, order=lambda size: 8 if size["rows"] == size["columns"] else 4),
    undirected=True,
    config=LightsConfig,
    sizes=lambda config: [{"rows": rows, "columns": 3} for rows in config.rows],
    claims={
        "all": Count(512, "a test", size={"rows": 3, "columns": 3}),
        "corner": Takes(5, "a test", state=256, size={"rows": 3, "columns": 3}),
    },
    columns=(
        OwnColumn(
            "lit",
            "Lamps that are on.",
            of=lambda size, states: np.bitwise_count(states),
            again=lambda size, state: TurnedRules().text(size, state).count("*"),
            unit="lamps",
            type=pa.uint8(),
        ),
    ),
)


@kernel(RULE)
def before(size: Any, state: Any, out: Any) -> int:
    """The numbers that doubling or adding seven makes a number from."""
    out[0], found = (state + np.uint64(993)) % np.uint64(1000), 1
    if state % np.uint64(2) == np.uint64(0):
        out[1], out[2] = state // np.uint64(2), state // np.uint64(2) + np.uint64(500)
        found = 3
    return found


@kernel(RULE)
def stopping(size: Any, state: Any, out: Any) -> int:
    """Twice the state and seven more, but nothing from numbers that end in 9."""
    return 0 if state % np.uint64(10) == np.uint64(9) else forward(size, state, out)


@kernel(RULE)
def before_stopping(size: Any, state: Any, out: Any) -> int:
    """The numbers of ``before`` that do not end in 9."""
    found = 0
    for place in range(before(size, state, out)):
        if out[place] % np.uint64(10) != np.uint64(9):
            out[found] = out[place]
            found += 1
    return found


@kernel(GOAL)
def is_round(size: Any, state: Any) -> bool:
    """A number that ends in 50."""
    return state % np.uint64(100) == np.uint64(50)


class RoundRules(StepRules):
    """Steps that lead to a round number, if they do not stop before."""

    def moves(self, size: Mapping[str, int], state: int) -> dict[str, int]:
        return {} if str(state).endswith("9") else super().moves(size, state)

    def solved(self, size: Mapping[str, int], state: int) -> bool:
        return f"{state:02}".endswith("50")


class RoundsConfig(SpaceConfig):
    """The ``[rounds]`` section."""


ROUNDS = Puzzle(
    name="rounds",
    title="Round numbers",
    doc="Steps to a round number.",
    moves={"both": stopping},
    most_moves=lambda size: 3,
    rules=RoundRules("double", "add"),
    states=Sparse(start=lambda size: [3, 11], goal=is_round),
    retract={"both": before_stopping},
    config=RoundsConfig,
    claims={"to_goal": ToGoal(5, "a test"), "dead_ends": DeadEnds(7, "a test")},
)


class NumberedConfig(SpaceConfig):
    """The ``[numbered]`` section."""


NUMBERED = replace(
    ROUNDS,
    name="numbered",
    title="Numbered round numbers",
    config=NumberedConfig,
    states=Dense(count=lambda size: 1000, start=lambda size: [3, 11], goal=is_round, range=192),
)
