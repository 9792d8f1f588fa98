"""The checker of proofs by cutting planes: what it derives follows, and what is no proof is refused."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.cutting_planes import Inequality, check_proof, inequalities

FORMULA = ["* two of three, and not two", "+1 x1 +1 x2 +1 x3 >= 2 ;", "-1 x1 -1 x2 -1 x3 >= -1 ;"]
HEAD = ["pseudo-Boolean proof version 2.0", "f 2"]
NAMES = ("x1", "x2", "x3", "x4")

literals = st.sampled_from([*NAMES, *(f"~{name}" for name in NAMES)])
terms = st.lists(st.tuples(st.integers(-4, 4), literals), min_size=1, max_size=5)
formulas = st.lists(st.tuples(terms, st.integers(-4, 4)), min_size=2, max_size=4)
texts = st.recursive(
    st.sampled_from(["1", "2", "x1", "~x2", "x4"]),
    lambda part: st.one_of(
        st.tuples(part, part).map(lambda two: f"{two[0]} {two[1]} +"),
        st.tuples(part, st.integers(1, 5)).map(lambda one: f"{one[0]} {one[1]} *"),
        st.tuples(part, st.integers(1, 5)).map(lambda one: f"{one[0]} {one[1]} d"),
        part.map(lambda one: f"{one} s"),
    ),
    max_leaves=6,
)


def holds(one: Inequality, values: tuple[int, ...]) -> bool:
    at = dict(zip(NAMES, values, strict=True))
    return sum(factor * at[name] for name, factor in one.terms.items()) >= one.least


@settings(max_examples=60, deadline=None)
@given(formulas, st.lists(texts, min_size=1, max_size=3))
def test_what_is_derived_holds_wherever_the_formula_does(
    formula: list[tuple[list[tuple[int, str]], int]], derived: list[str]
) -> None:
    lines = [" ".join(f"{factor} {name}" for factor, name in left) + f" >= {least} ;" for left, least in formula]
    proof = ["pseudo-Boolean proof version 1.1", *(f"pol {text}" for text in derived)]
    known = inequalities(lines, proof)
    for (left, least), one in zip(formula, known.values(), strict=False):
        for values in itertools.product((0, 1), repeat=4):
            at = dict(zip(NAMES, values, strict=True)) | {
                f"~{name}": 1 - value for name, value in zip(NAMES, values, strict=True)
            }
            assert holds(one, values) == (sum(factor * at[name] for factor, name in left) >= least)
    for values in itertools.product((0, 1), repeat=4):
        if all(holds(one, values) for number, one in known.items() if number <= len(lines)):
            assert all(holds(one, values) for one in known.values())
    for one in known.values():
        assert one.contradiction == (not any(holds(one, values) for values in itertools.product((0, 1), repeat=4)))


@pytest.mark.parametrize(
    ("text", "terms", "least"),
    [
        ("1 2 +", {}, 1),
        ("1 3 *", {"x1": 3, "x2": 3, "x3": 3}, 6),
        ("1 x1 + 2 d", {"x1": 1, "x2": 1, "x3": 1}, 1),
        ("2 2 d", {"x1": -1, "x2": -1, "x3": -1}, -2),
        ("1 ~x1 5 * + s", {"x1": -1, "x2": 1, "x3": 1}, 0),
        ("1 x1 3 * + s", {"x1": 2, "x2": 1, "x3": 1}, 2),
        ("x1 ~x1 + s", {}, -1),
    ],
)
def test_a_rule_gives_what_it_should(text: str, terms: dict[str, int], least: int) -> None:
    assert inequalities(FORMULA, [*HEAD, f"pol {text}"])[3] == Inequality(terms, least)


def test_a_contradiction_ends_a_proof() -> None:
    for end in (["c 3"], ["output NONE", "conclusion UNSAT : 3", "end pseudo-Boolean proof", "nonsense"]):
        assert check_proof(FORMULA, [*HEAD, "* the sum", "pol 1 2 +", *end]) == 1
    assert check_proof(FORMULA, ["pseudo-Boolean proof version 3.0", "f 2 ;", "pol 1 2 + ;", "conclusion UNSAT : 3 ;"])


@pytest.mark.parametrize(
    ("proof", "message"),
    [
        ([], "names no contradiction"),
        (HEAD, "names no contradiction"),
        ([*HEAD, "pol 1 2 +"], "names no contradiction"),
        (["f 2"], "line 1 of the proof, 'f 2': a proof begins with"),
        (["pseudo-Boolean proof version 9.9"], "a proof begins with"),
        (["pseudo-Boolean proof version 2.0", "f 3"], "the formula has 2 inequalities"),
        ([*HEAD, "c 1"], "inequality 1 is no contradiction"),
        ([*HEAD, "pol 1 2 +", "del id 3", "c 3"], "there is no inequality 3"),
        ([*HEAD, "pol 1 4 +"], "there is no inequality 4"),
        ([*HEAD, "pol 1 0 *"], "not understood"),
        ([*HEAD, "pol 1 0 d"], "not understood"),
        ([*HEAD, "pol 1 -1 *"], "not understood"),
        ([*HEAD, "pol 1 2"], "not understood"),
        ([*HEAD, "pol 1 +"], "not understood"),
        ([*HEAD, "pol"], "not understood"),
        ([*HEAD, "rup 1 x1 >= 1"], "not understood"),
        ([*HEAD, "conclusion NONE"], "not understood"),
    ],
)
def test_what_is_no_proof_is_refused(proof: list[str], message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        check_proof(FORMULA, proof)


@pytest.mark.parametrize("line", ["1 x1 >= 1", "1 x1 = 1 ;", "x1 >= 1 ;", "1 2 >= 1 ;", "1 x1 >= one ;", ">= ;"])
def test_a_line_that_is_no_inequality_is_refused(line: str) -> None:
    with pytest.raises(CertificateError, match="line 2 of the formula is no inequality"):
        check_proof(["* a comment", line], HEAD)
