"""Puzzles of jumping pegs in the languages of planners and solvers.

A *board* here is the holes and its jumps: triples (from, over, to). In PDDL moves are counted as in the domain of the
planning competitions: a jump that begins a move costs 1, one that goes on with the same peg costs nothing. In MiniZinc
a game is an array of jumps, as many as pegs are taken away; a move begins where the peg that jumps is another.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from boardspace.instances.checker import Jump
from boardspace.instances.slides import least_cost, pddl_name


def jumps_of(puzzle: Mapping[str, Any]) -> list[tuple[int, int, int]]:
    """The jumps of a puzzle's board by the numbers of their holes."""
    return [(begin, over, end) for (begin, end), over in Jump().jumps(puzzle).items()]


def pddl(name: str, puzzle: Mapping[str, Any], least: int | None) -> dict[str, str]:
    """The domain, which all puzzles share, and the problem, in PDDL (:strips :typing :action-costs)."""
    jumps = jumps_of(puzzle)
    holes = sorted({hole for jump in jumps for hole in jump})
    pegs, goal = (set(puzzle[key]) for key in ("pegs", "goal"))
    facts = [*(f"({'peg' if hole in pegs else 'empty'} h{hole})" for hole in holes)]
    facts += [f"(line h{begin} h{over} h{end})" for begin, over, end in jumps]
    wanted = [f"({'peg' if hole in goal else 'empty'} h{hole})" for hole in holes]
    problem = f"""; {name}: {least_cost(least)}
(define (problem {pddl_name(name)})
  (:domain jump)
  (:objects {" ".join(f"h{hole}" for hole in holes)} - hole)
  (:init (= (total-cost) 0) (resting) {" ".join(facts)})
  (:goal (and {" ".join(wanted)}))
  (:metric minimize (total-cost)))
"""
    return {"domain.pddl": DOMAIN, f"{name}-problem.pddl": problem}


DOMAIN = """(define (domain jump)
  (:requirements :strips :typing :action-costs)
  (:types hole)
  (:predicates (peg ?h - hole) (empty ?h - hole) (line ?a ?b ?c - hole) (resting) (jumping ?h - hole))
  (:functions (total-cost) - number)
  (:action begin
    :parameters (?a ?b ?c - hole)
    :precondition (and (resting) (line ?a ?b ?c) (peg ?a) (peg ?b) (empty ?c))
    :effect (and (not (resting)) (jumping ?c) (not (peg ?a)) (empty ?a) (not (peg ?b)) (empty ?b) (not (empty ?c))
      (peg ?c) (increase (total-cost) 1)))
  (:action go-on
    :parameters (?a ?b ?c - hole)
    :precondition (and (jumping ?a) (line ?a ?b ?c) (peg ?a) (peg ?b) (empty ?c))
    :effect (and (not (jumping ?a)) (jumping ?c) (not (peg ?a)) (empty ?a) (not (peg ?b)) (empty ?b) (not (empty ?c))
      (peg ?c)))
  (:action rest
    :parameters (?a - hole)
    :precondition (jumping ?a)
    :effect (and (not (jumping ?a)) (resting))))
"""


def minizinc(name: str, puzzle: Mapping[str, Any], least: int | None) -> dict[str, str]:
    """A model of a game that leaves the goal, with the fewest moves."""
    jumps = jumps_of(puzzle)
    holes = sorted({hole for jump in jumps for hole in jump})
    number = {hole: place for place, hole in enumerate(holes, 1)}
    pegs, goal = (set(puzzle[key]) for key in ("pegs", "goal"))
    ends = "".join(
        f"constraint forall (h in HOLE) (peg[{when}, h] = [{_flags(hole in held for hole in holes)}][h]);\n"
        for when, held in (("0", pegs), ("JUMPS", goal))
    )
    return {
        f"{name}.mzn": f"% {name}: {'there is no way' if least is None else f'the least number of moves is {least}'}\n"
        + game([[number[hole] for hole in jump] for jump in jumps], len(holes), f"{len(pegs) - len(goal)}")
        + ends
        + "var 0..JUMPS: moves = sum (t in 1..JUMPS) "
        + "(if t = 1 then 1 else bool2int(begin[jump[t]] != end[jump[t - 1]]) endif);\n"
        + "solve minimize moves;\n"
        + f'output ["moves ", show(moves), "\\n"] ++ [show([{", ".join(map(str, holes))}][begin[jump[t]]]) ++ "==>" ++ '
        + f'show([{", ".join(map(str, holes))}][end[jump[t]]]) ++ "\\n" | t in 1..JUMPS];\n'
    }


def game(jumps: Sequence[Sequence[int]], holes: int, length: str) -> str:
    """The part of a model that says what a game is: ``length`` jumps, each of the list, holes numbered from 1."""
    begin, over, end = (", ".join(str(jump[part]) for jump in jumps) for part in range(3))
    return f"""int: JUMPS = {length};
set of int: HOLE = 1..{holes};
array [1..{len(jumps)}] of int: begin = [{begin}];
array [1..{len(jumps)}] of int: over = [{over}];
array [1..{len(jumps)}] of int: end = [{end}];
array [1..JUMPS] of var 1..{len(jumps)}: jump;
array [0..JUMPS, HOLE] of var bool: peg;
constraint forall (t in 1..JUMPS) (
  peg[t - 1, begin[jump[t]]] /\\ peg[t - 1, over[jump[t]]] /\\ not peg[t - 1, end[jump[t]]]);
constraint forall (t in 1..JUMPS, h in HOLE) (
  peg[t, h] = ((peg[t - 1, h] \\/ h = end[jump[t]]) /\\ h != begin[jump[t]] /\\ h != over[jump[t]]));
"""


def _flags(values: Iterable[bool]) -> str:
    return ", ".join("true" if value else "false" for value in values)
