"""Rush Hour: boards read, solved and told of, and the hardest starts.

>>> from boardspace import rush_hour
>>> rush_hour.solve("BBCooDoCEEDAAFoGGoFHIIJJH")
Solution(20 steps)
"""

from boardspace.graphs.hardness import Figures, Hardness
from boardspace.spaces.rush_hour.answers import Start, group, hardest, hardness, moves, parse, random, solve
from boardspace.spec.slides import Moves, Solution

__all__ = [
    "Figures",
    "Hardness",
    "Moves",
    "Solution",
    "Start",
    "group",
    "hardest",
    "hardness",
    "moves",
    "parse",
    "random",
    "solve",
]
