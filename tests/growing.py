"""A space whose stage repeats: all numbers that doubling and subtracting three make from 1, up to a bound, by steps.

Round n lists the numbers first made after n steps; nobody says beforehand how many rounds there are.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field

from boardspace.spec.space import (
    Check,
    Column,
    Draw,
    Inputs,
    Measurement,
    Outcome,
    Output,
    Part,
    Shard,
    Space,
    SpaceConfig,
    Stage,
    Table,
)


class GrowingConfig(SpaceConfig):
    """The ``[growing]`` section; with ``blobs``, what a round found is handed on in blobs: to the next one, and to the
    total."""

    bound: int = Field(50, ge=1, le=1000)
    blobs: bool = False


NUMBERS = Table(
    "numbers",
    "Numbers by the steps it takes to make them.",
    (Column("number", pa.uint16(), "The number."), Column("steps", pa.uint16(), "Fewest steps.", "steps")),
    ("number",),
    folders=(Column("level", pa.string(), "The steps, again."),),
)


def cut(config: GrowingConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each round, until a round adds nothing."""
    last = inputs.facts("levels", of_round=-1)
    if last and not last[0]["added"]:
        return []
    steps = inputs.rounds("levels")
    return [Shard(shard_name(steps), {"steps": steps})]


def shard_name(steps: int) -> str:
    """The name of the shard of a round."""
    return f"level={steps:03}/0"


def grow(config: GrowingConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """What one more step makes that was not made before."""
    known = inputs.read("levels", "numbers")
    last = known.filter(pc.equal(known["steps"], params["steps"] - 1))["number"].to_numpy().astype(int)
    made = np.unique(np.concatenate([2 * last, last - 3])) if params["steps"] else np.array([1])
    new = np.setdiff1d(made[(made >= 1) & (made <= config.bound)], known["number"].to_numpy())
    if config.blobs and params["steps"]:
        assert np.array_equal(inputs.blob("levels", "last", shard_name(params["steps"] - 1)), last)
    rows = NUMBERS.from_columns(number=new.astype(np.uint16), steps=np.full(len(new), params["steps"], np.uint16))
    blobs = {"last": new, "new": new} if config.blobs else {}
    return Output({"numbers": rows}, facts={"added": len(new)}, blobs=blobs)


def total(config: GrowingConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """How many there are."""
    numbers = inputs.rows("levels", "numbers")
    if config.blobs:
        rounds = range(inputs.rounds("levels"))
        assert sum(len(inputs.blob("levels", "new", shard_name(steps))) for steps in rounds) == numbers
    return Output(facts={"numbers": numbers})


def stages(config: GrowingConfig) -> tuple[Stage, ...]:
    """Levels, again and again; then their total."""
    passing = ("last",) if config.blobs else ()
    levels = Stage(
        "levels", "numbers by steps", grow, cut, after=("levels",), drops=config.blobs, next_round_only=passing
    )
    return (
        levels,
        Stage("total", "how many", total, lambda config, inputs: [Shard("all")], after=("levels",)),
    )


def check_steps(config: GrowingConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every number again, breadth first."""
    steps, frontier = {1: 0}, [1]
    for number in frontier:
        for made in (2 * number, number - 3):
            if 1 <= made <= config.bound and made not in steps:
                steps[made] = steps[number] + 1
                frontier.append(made)
    table = inputs.table("numbers")
    found = dict(zip(table["number"].to_pylist(), table["steps"].to_pylist(), strict=True))
    levels = [f"{steps:03}" for steps in table["steps"].to_pylist()]
    fault = "" if found == steps and table["level"].to_pylist() == levels else f"{found} instead of {steps}"
    return Outcome(len(steps), len(steps), fault)


CHECKS = (Check("steps", {"numbers": ("level", "number", "steps")}, "breadth first, from one", check_steps),)


SPACE = Space(
    name="growing",
    version=1,
    title="Doubling and subtracting",
    doc="A space with a stage that repeats.",
    config=GrowingConfig,
    parts=(
        Part(
            name="growing",
            stages=stages,
            tables=(NUMBERS,),
            arrays=(),
            claims=lambda config, inputs: {"fermat": Measurement(0, "not measured here", "open")},
            checks=CHECKS,
        ),
    ),
    claims_file=Path(__file__).with_name("toy_claims.toml"),
    warm_up=lambda: None,
)
