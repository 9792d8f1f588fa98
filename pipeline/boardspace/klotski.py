"""Klotski (Huarong Dao): any of the 29,334,498 layouts, its neighbours, solution, paths, group and farthest layouts.

>>> from boardspace import klotski
>>> start = klotski.parse("横刀立马")
>>> klotski.solution(start)
Path(81 steps from 1A9BF0C00 to DAA7F3000)

Definitions and figures: the Klotski text named in the documentation (29,334,498 layouts, 203 classes, 25,422 groups).
"""

from boardspace.spaces.klotski.answers import (
    Description,
    Group,
    Hardest,
    Layers,
    Moves,
    ShortestPaths,
    describe,
    farthest,
    group,
    hardest,
    hardness,
    layers,
    moves,
    path,
    random,
    solution,
)
from boardspace.spaces.klotski.layouts import Layout, Start, parse, starts
from boardspace.spaces.klotski.steps import Path, Step, neighbours
from boardspace.spaces.klotski.texts import LayoutError, Piece

__all__ = [
    "Description",
    "Group",
    "Hardest",
    "Layers",
    "Layout",
    "LayoutError",
    "Moves",
    "Path",
    "Piece",
    "ShortestPaths",
    "Start",
    "Step",
    "describe",
    "farthest",
    "group",
    "hardest",
    "hardness",
    "layers",
    "moves",
    "neighbours",
    "parse",
    "path",
    "random",
    "solution",
    "starts",
]
