"""Sokoban on small boards: all states that pushing leads to, the fewest moves to a goal, and the dead ends.

A state is a word: the player's cell in six bits, above them a bit for each free cell that holds a box. Free cells are
numbered line by line. A push cannot be taken back, so states may be lost: from there no moves lead to a goal.
"""

import numpy as np
import pyarrow as pa
from pydantic import Field

from boardspace.graphs import OwnColumn, Puzzle, SecondRules, Sparse, ToGoal, space_of
from boardspace.spec.space import SpaceConfig
from boardspace_kernels.graph.rule import GOAL, RULE
from boardspace_kernels.jit import kernel

BOARDS = [
    "#####\n#@$.#\n#####",
    "#######\n#  .  #\n#@$#$ #\n#  .  #\n#######",
    "########\n#  #   #\n# $.$  #\n#@ .#  #\n#  $.  #\n########",
]
WAYS = {"u": (-1, 0), "r": (0, 1), "d": (1, 0), "l": (0, -1)}


def cells(board):
    """The free cells, as (row, column), in the order of their numbers."""
    return [(r, c) for r, line in enumerate(BOARDS[board].split("\n")) for c, sign in enumerate(line) if sign != "#"]


# By board, cell and way: the cell beside it, or -1; and by board the boxes of a goal.
BESIDE, WANTED = np.full((len(BOARDS), 58, 4), -1), np.zeros(len(BOARDS), np.uint64)
for number, drawing in enumerate(BOARDS):
    free = cells(number)
    for place, (row, column) in enumerate(free):
        WANTED[number] |= np.uint64((drawing.split("\n")[row][column] in ".*+") << place)
        for way, (down, right) in enumerate(WAYS.values()):
            if (row + down, column + right) in free:
                BESIDE[number, place, way] = free.index((row + down, column + right))


@kernel
def has(boxes, cell):
    """True where there is a box in a cell."""
    return boxes >> np.uint64(cell) & np.uint64(1) == np.uint64(1)


@kernel
def word(player, boxes):
    """The state of a player and boxes."""
    return boxes << np.uint64(6) | np.uint64(player)


@kernel(RULE)
def step(size, state, out):
    """The player goes to a cell beside it, and pushes the box that is there."""
    player, boxes, found = np.int64(state & np.uint64(63)), state >> np.uint64(6), 0
    for way in range(4):
        there = BESIDE[size[0], player, way]
        if there >= 0 and has(boxes, there):
            behind = BESIDE[size[0], there, way]
            if behind >= 0 and not has(boxes, behind):
                moved = boxes ^ np.uint64(1) << np.uint64(there) ^ np.uint64(1) << np.uint64(behind)
                out[found] = word(there, moved)
                found += 1
        elif there >= 0:
            out[found] = word(there, boxes)
            found += 1
    return found


@kernel(RULE)
def step_back(size, state, out):
    """The player came from a cell beside it, and may have pushed the box that is on the other side."""
    player, boxes, found = np.int64(state & np.uint64(63)), state >> np.uint64(6), 0
    for way in range(4):
        before, ahead = BESIDE[size[0], player, (way + 2) % 4], BESIDE[size[0], player, way]
        if before >= 0 and not has(boxes, before):
            out[found] = word(before, boxes)
            found += 1
            if ahead >= 0 and has(boxes, ahead):
                out[found] = word(before, boxes ^ np.uint64(1) << np.uint64(ahead) ^ np.uint64(1) << np.uint64(player))
                found += 1
    return found


@kernel(GOAL)
def is_solved(size, state):
    """All boxes stand on marked cells."""
    return state >> np.uint64(6) == WANTED[size[0]]


class SokobanRules(SecondRules):
    """Signs in a square: # a wall, $ a box, @ the player, . a marked cell; * and + are a box and the player on one."""

    def moves(self, size, state):
        """Steps u, r, d and l, in capitals where they push."""
        grid, found = self.grid(size, state), {}
        here = next(place for place, sign in grid.items() if sign in "@+")
        for name, (down, right) in WAYS.items():
            there, behind = ((here[0] + i * down, here[1] + i * right) for i in (1, 2))
            pushes = grid[there] in "$*"
            if grid[there] == "#" or (pushes and grid[behind] in "#$*"):
                continue
            after = {**grid, here: " ."[grid[here] == "+"]}
            if pushes:
                after[behind] = "$*"[grid[behind] == "."]
            after[there] = "@+"[grid[there] in ".*"]
            found[name.upper() if pushes else name] = self.state(size, after)
        return found

    def solved(self, size, state):
        """No box stands beside the marked cells."""
        return "$" not in self.grid(size, state).values()

    def text(self, size, state):
        """The board."""
        lines = [list(line.translate(EMPTY)) for line in BOARDS[size["board"]].split("\n")]
        for number, (row, column) in enumerate(cells(size["board"])):
            signs = "@+" if state & 63 == number else "$*" if state >> 6 + number & 1 else " ."
            lines[row][column] = signs[lines[row][column] == "."]
        return "\n".join(map("".join, lines))

    def parse(self, size, text):
        """The state of a board with the same walls and marks."""
        grid, board = self.read(text), self.read(BOARDS[size["board"]])
        if {k: v.translate(EMPTY) for k, v in grid.items()} != {k: v.translate(EMPTY) for k, v in board.items()}:
            raise ValueError("walls and marked cells are not those of this board")
        if sum(sign in "@+" for sign in grid.values()) != 1:
            raise ValueError("one player is wanted, @ or +")
        if sum(sign in "$*" for sign in grid.values()) != sum(sign in "$*" for sign in board.values()):
            raise ValueError("the board has another number of boxes")
        return self.state(size, grid)

    def grid(self, size, state):
        """The signs of a state by row and column."""
        return self.read(self.text(size, state))

    def read(self, text):
        """The signs of a drawing by row and column."""
        return {(r, c): sign for r, line in enumerate(text.split("\n")) for c, sign in enumerate(line)}

    def state(self, size, grid):
        """The state of such signs."""
        signs = [grid[cell] for cell in cells(size["board"])]
        boxes = sum(1 << 6 + place for place, sign in enumerate(signs) if sign in "$*")
        return boxes + next(place for place, sign in enumerate(signs) if sign in "@+")


EMPTY = str.maketrans("@$*+", "  ..")
RULES = SokobanRules()


DOMAIN = """(define (domain sokoban)
  (:requirements :strips)
  (:predicates (player ?a) (box ?a) (free ?a) (beside ?a ?b) (in-line ?a ?b ?c))
  (:action step
    :parameters (?a ?b)
    :precondition (and (player ?a) (free ?b) (beside ?a ?b))
    :effect (and (not (player ?a)) (free ?a) (not (free ?b)) (player ?b)))
  (:action push
    :parameters (?a ?b ?c)
    :precondition (and (player ?a) (box ?b) (free ?c) (in-line ?a ?b ?c))
    :effect (and (not (player ?a)) (free ?a) (not (box ?b)) (player ?b) (not (free ?c)) (box ?c))))
"""


def pddl(case, state):
    """The domain, and the problem to bring all boxes of a state to marked cells."""
    grid = RULES.grid(case.size, state)
    names = {cell: f"c{number}" for number, cell in enumerate(cells(case.size["board"]))}
    facts = [
        f"({'player' if grid[cell] in '@+' else 'box' if grid[cell] in '$*' else 'free'} {names[cell]})"
        for cell in names
    ]
    for (row, column), name in names.items():
        for down, right in WAYS.values():
            line = [names.get((row + i * down, column + i * right)) for i in (1, 2)]
            if line[0]:
                facts.append(f"(beside {name} {line[0]})")
            if all(line):
                facts.append(f"(in-line {name} {line[0]} {line[1]})")
    wanted = " ".join(f"(box {name})" for cell, name in names.items() if grid[cell] in ".*+")
    problem = f"""(define (problem board-{case.size["board"]}) (:domain sokoban)
  (:objects {" ".join(names.values())})
  (:init {" ".join(facts)})
  (:goal (and {wanted})))
"""
    return DOMAIN, problem


class SokobanConfig(SpaceConfig):
    """The ``[sokoban]`` section."""

    boards: tuple[int, ...] = Field(tuple(range(len(BOARDS))), min_length=1, description="numbers of boards, from 0")


SOKOBAN = Puzzle(
    name="sokoban",
    title="Sokoban on small boards",
    doc="All states that pushing boxes leads to, by the fewest moves from the start and to a goal, dead ends included.",
    moves={"step": step},
    most_moves=lambda size: 8,
    rules=RULES,
    states=Sparse(start=lambda size: RULES.parse(size, BOARDS[size["board"]]), goal=is_solved),
    retract={"step": step_back},
    config=SokobanConfig,
    sizes=lambda config: [{"board": board} for board in config.boards],
    columns=(
        OwnColumn(
            "placed",
            "Boxes that stand on marked cells.",
            of=lambda size, states: np.bitwise_count(states >> np.uint64(6) & WANTED[size["board"]]),
            again=lambda size, state: RULES.text(size, state).count("*"),
            unit="boxes",
            type=pa.uint8(),
        ),
    ),
    pddl=pddl,
    claims={"smallest": ToGoal(1, "by hand: the one box stands beside its cell", size={"board": 0})},
)
SPACE, COMMANDS = space_of(SOKOBAN, __file__)
