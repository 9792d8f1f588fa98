"""Puzzles of states and moves, whichever they are: search by levels, ranks of permutations and combinations.

A puzzle gives its **rule**, one kernel; the kernels here take it as an argument. They are compiled once, for all
puzzles: their signature says that the rule is a pointer to a function, so that numba keeps their code and links rules
to it. A call of a rule costs a few nanoseconds.
"""
