"""Unit propagation by the definition: go through all clauses until none has a single literal left."""

from collections.abc import Sequence


def implied(known: Sequence[Sequence[int]], clause: Sequence[int]) -> bool:
    """Whether to make all literals of a clause false leads, by unit propagation, to a clause without a literal left."""
    false, before = set(clause), -1
    while len(false) > before:
        before = len(false)
        if any(-literal in false for literal in false):
            return True
        for one in known:
            left = {literal for literal in one if literal not in false}
            if not left:
                return True
            if len(left) == 1:
                false |= {-literal for literal in left}
    return False


def follows(formula: Sequence[Sequence[int]], proof: Sequence[Sequence[int]]) -> int:
    """How many clauses of a proof follow, from the first on, up to the first that does not."""
    known = list(formula)
    for number, clause in enumerate(proof):
        if not implied(known, clause):
            return number
        known.append(clause)
    return len(proof)


def contradictory(known: Sequence[Sequence[int]]) -> bool:
    """Whether unit propagation alone finds a contradiction."""
    return implied(known, ())
