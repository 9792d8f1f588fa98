"""A space with faults of the kinds that authors make, one for each value of ``fault``."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from boardspace.spec.space import (
    Array,
    ArrayPart,
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


class OddConfig(SpaceConfig):
    """The ``[odd]`` section."""

    fault: str = ""


NUMBERS = Table("numbers", "Numbers.", (Column("number", pa.uint16(), "The number."),), ("number",))
OTHER = Table("other", "Numbers of nobody.", NUMBERS.columns, ("number",))
LEVELS = Table(
    "levels", "Numbers by level.", NUMBERS.columns, ("number",), folders=(Column("level", pa.uint8(), "The level."),)
)
WHOLE = Table("whole", "Numbers in one file.", NUMBERS.columns, ("number",), one_file=True)
STRANGE = Array("strange", "uint8", ("number",), "Of nobody.")


def stages(config: OddConfig) -> Sequence[Stage]:
    """Two shards; then one that is cut by what they found."""
    if config.fault == "stages":
        raise KeyError("no such stage")
    return (
        Stage("numbers", "numbers", compute, cut),
        Stage("later", "nothing", nothing, cut_later, after=("numbers",)),
    )


def cut(config: OddConfig, inputs: Inputs) -> list[Shard]:
    """Two shards."""
    if config.fault == "cut":
        raise KeyError("no such key")
    return [Shard(str(number), {"number": number}) for number in range(2)]


def cut_later(config: OddConfig, inputs: Inputs) -> list[Shard]:
    """One shard, if there is no fault."""
    if config.fault == "later cut":
        raise KeyError(inputs.facts("numbers")[0]["nothing"])
    return [Shard("all")]


def nothing(config: OddConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Nothing at all."""
    return Output()


def compute(config: OddConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """A number, or what is at fault."""
    number = params["number"]
    if config.fault == "shard":
        return _deeper(params)
    if config.fault == "descending":
        number = 1 - number
    table = {"table": OTHER, "folders": LEVELS, "twins": WHOLE}.get(config.fault, NUMBERS)
    rows = {table.name: table.from_columns(number=np.array([number], np.uint16))}
    values = np.zeros(2, np.uint8)
    part = ArrayPart(STRANGE, "strange", (2,), (2,), (2,), (0,), values)
    return Output(rows, [part] if config.fault == "array" else [])


def _deeper(params: Mapping[str, Any]) -> Output:
    return Output(facts={"missing": params["missing"]})


def claims(config: OddConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Nothing, or a claim that nobody states."""
    return {config.fault: Measurement(1, "")} if config.fault == "claim" else {}


def check(config: OddConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Nothing, or an error of its own."""
    if config.fault == "check":
        raise KeyError("no such check")
    return Outcome(2, 2)


SPACE = Space(
    name="odd",
    version=1,
    title="Faults",
    doc="Faults that authors make.",
    config=OddConfig,
    parts=(
        Part(
            name="odd",
            stages=stages,
            tables=(NUMBERS, LEVELS, WHOLE),
            arrays=(),
            claims=claims,
            checks=(Check("numbers", {"numbers": ["number"]}, "by nothing", check),),
        ),
    ),
    claims_file=Path(__file__).with_name("toy_claims.toml"),
    warm_up=lambda: None,
)
