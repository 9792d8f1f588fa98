"""Distances from the exit and numbers of solutions: the table ``solution``, and arrays of three of its columns.

**What is published.** For every layout the fewest moves until the 2 x 2 block stands at the exit, by three kinds of
moves: a piece by one cell (``unit``), in one direction (``straight``), or any way through the empty cells (``chain``: a
step). A *solution* of a layout is a layout at the exit with no other one on any shortest path of steps to it;
``min_solution_num`` counts the nearest, ``solution_num`` all of them.

**Why it is right.** A distance is 0 at the exit and nowhere else; at any other layout it is one more than the least of
the layouts one move away, or -1 if none of these has one. Only the right distances obey this. Take the least of those
that were too small: a layout one move away has one less, and if that were right, so would be the first; so it is too
small as well, and the first was not the least. None is too large, since it grows by at most one with every move of a
shortest path from the exit. The numbers of solutions obey no such rule: a solution counts once however many paths lead
to it, so the numbers of neighbours do not add up.

**How it is checked.** ``boardspace verify`` decodes and moves all layouts by the second rules
(:mod:`boardspace.spaces.klotski.rules`) and tries ``Step`` at every one, which proves the distances. ``Again`` stands
for the numbers of solutions: :mod:`.checks` bounds them at every layout, and counts them again from some layouts of
each class. ``Same`` compares the arrays with their columns.

**Where it is computed.** The stage ``classes`` of the layouts computes them on the graphs of a class that it has in
memory, and the stage ``main`` puts the results into the order of ids; so this part has no stage of its own.
"""

from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.klotski import columns
from boardspace.spaces.klotski.parts.layouts.part import LAYOUTS
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Again, Same, Step
from boardspace.spec.space import Column, Part, Table

if TYPE_CHECKING:
    from boardspace.spaces.klotski import rules
    from boardspace.spaces.klotski.parts.layouts import claims
    from boardspace.spaces.klotski.parts.solutions import checks
else:
    (checks,) = deferred(__package__, "checks")
    (rules,) = deferred("boardspace.spaces.klotski", "rules")
    (claims,) = deferred("boardspace.spaces.klotski.parts.layouts", "claims")

COUNTED_AGAIN = Again(
    "numbers of solutions",
    checks.count_again,
    states=150_000,
    why="distinct layouts at the exit are a union over the neighbours, not a sum",
    says="counted by searches from layouts of drawn classes, and bounded there by neighbours and mirror images; all "
    "rows bounded by the exits of their groups",
)
VALUES = (
    Column(
        "min_solution_step",
        pa.int16(),
        "Least number of steps to a layout with the block at the exit (feature S).",
        "steps",
        codes=((-1, "no moves lead to one"),),
        equation=Step(rules.at_exit, "chain"),
    ),
    Column(
        "min_solution_num",
        pa.uint32(),
        "Number of solutions at that step; 0 where there is none.",
        "layouts",
        equation=COUNTED_AGAIN,
    ),
    Column(
        "solution_num",
        pa.int32(),
        "Number of all solutions: layouts of feature S with no other on any shortest path to them.",
        "layouts",
        codes=((-1, "not counted: the group is too large for the run"),),
        equation=COUNTED_AGAIN,
    ),
    Column(
        "min_straight_step",
        pa.int16(),
        "The same distance where a step is one piece in one direction.",
        "steps",
        equation=Step(rules.at_exit, "straight"),
    ),
    Column(
        "min_unit_move",
        pa.int16(),
        "The same distance where a move is one piece by one cell.",
        "moves",
        equation=Step(rules.at_exit, "unit"),
    ),
)

SOLUTION = Table(
    "solution",
    "How far each layout is from the exit, and its solutions.",
    (columns.LAYOUT_ID.by(Same("main.layout_id")), *VALUES),
    ("layout_id",),
    rows=LAYOUTS,
)

MIN_SOLUTION_STEP = columns.by_id(
    "solution", VALUES[0], "Steps to its nearest solution, -1 where it has none.", LAYOUTS
)
MIN_SOLUTION_NUM = columns.by_id("solution", VALUES[1], "Number of its solutions at that step.", LAYOUTS)
SOLUTION_NUM = columns.by_id("solution", VALUES[2], "Number of all its solutions, -1 where not counted.", LAYOUTS)


SOLUTIONS = Part(
    name="solutions",
    scope="classes",
    tables=(SOLUTION,),
    arrays=(MIN_SOLUTION_STEP, MIN_SOLUTION_NUM, SOLUTION_NUM),
    claims=claims.measure_paths,
)
