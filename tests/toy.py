"""A small space for tests of the pipeline, and the worked example of one: sums of two squares.

Stage ``squares`` lists n^2 for ranges of n. Stage ``sums`` forms all a^2 + b^2 up to the largest square, cut into
ranges of the sum, and publishes the number of ways to reach each as a table and as an array. Each computed shard leaves
a line in the file that ``log`` names, so tests can count.
"""

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pydantic import Field

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
    cut_range,
)
from boardspace_kernels.bits import popcount


class ToyConfig(SpaceConfig):
    """The ``[toy]`` section: roots below ``roots``, cut into ``shards``; ``log`` counts, ``trouble`` misbehaves; shards
    say that they may take ``memory``, and those of squares report what each says, then wait for a file in the folder
    ``heard``."""

    roots: int = Field(100, ge=1, le=10_000)
    shards: int = Field(4, ge=1)
    log: str = ""
    trouble: str = ""
    trouble_shard: str = ""
    pause: float = 0.0
    memory: int = 0
    says: tuple[str, ...] = ()
    heard: str = ""


SQUARES = Table("squares", "Squares.", (Column("square", pa.uint64(), "n^2"),), ("square",), published=False)
SUMS = Table(
    "sums",
    "Sums of two squares.",
    (
        Column("sum", pa.uint64(), "a^2 + b^2"),
        Column("ways", pa.uint32(), "Ordered pairs (a, b) of non-negative integers.", "pairs"),
    ),
    ("sum",),
)
WAYS = Array("ways", "uint32", ("sum",), "Ordered pairs (a, b) with a^2 + b^2 = sum.", "pairs")
CHUNK = 64


def stages(config: ToyConfig) -> Sequence[Stage]:
    """Squares, then their sums."""
    return (
        Stage("squares", "squares of all roots", squares, cut_squares, memory=config.memory),
        Stage("sums", "sums of two squares", partial(sums, SUMS), cut_sums, after=("squares",)),
    )


def cut_squares(config: ToyConfig, inputs: Inputs) -> list[Shard]:
    """Ranges of roots."""
    size = -(-config.roots // config.shards)
    return [Shard(f"{low:05}", {"low": low, "high": high}) for low, high in cut_range(0, config.roots, size)]


def squares(config: ToyConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The squares of a range of roots."""
    for text in config.says:
        inputs.report(text)
    if config.heard:
        _take(Path(config.heard, f"{params['low']:05}"))
    _count(config, f"squares/{params['low']:05}")
    values = np.arange(params["low"], params["high"], dtype=np.uint64) ** 2
    return Output({"squares": SQUARES.from_columns(square=values)}, facts={"largest": int(values[-1])})


def cut_sums(config: ToyConfig, inputs: Inputs) -> list[Shard]:
    """Ranges of sums that end at multiples of the array's chunk."""
    limit = max(facts["largest"] for facts in inputs.facts("squares")) + 1
    size = -(-limit // config.shards // CHUNK) * CHUNK
    params = [{"low": low, "high": high, "limit": limit, "size": size} for low, high in cut_range(0, limit, size)]
    return [Shard(f"{p['low']:010}", p) for p in params]


def sums(table: Table, config: ToyConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """All sums in a range, with their numbers of ways."""
    _count(config, f"sums/{params['low']:010}")
    low, high = params["low"], params["high"]
    values = inputs.read("squares", "squares", between=(0, high)).column("square").to_numpy()
    ways = np.zeros(high - low, np.uint32)
    for square in values:
        other = values + square
        np.add.at(ways, (other[(other >= low) & (other < high)] - low).astype(np.int64), 1)
    reached = np.flatnonzero(ways)
    rows = table.from_columns(sum=(reached + low).astype(np.uint64), ways=ways[reached])
    part = ArrayPart(WAYS, "ways", (params["limit"],), (CHUNK,), (params["size"],), (low,), ways)
    return Output({"sums": rows}, [part], {"sums": len(reached)})


def claims(config: ToyConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Two statements, one of them wrong."""
    found = set(inputs.read("sums", "sums").column("sum").to_pylist())
    three_mod_four = [value for value in found if value % 4 == 3]
    return {
        "fermat": Measurement(len(three_mod_four), "counted over the whole table"),
        "all-squares": Measurement(len(found), "number of sums", "refuted"),
    }


def check_ways(config: ToyConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Re-derive a sample of sums by trying all pairs."""
    table = inputs.table("sums")
    chosen, squares = draw.choose(table.num_rows, 20), np.arange(config.roots) ** 2
    values, said = (table.column(name).to_numpy()[chosen].astype(np.int64) for name in ("sum", "ways"))
    reached = inputs.array("ways").vindex[values]
    for row, value, ways, also in zip(chosen, values, said, reached, strict=True):
        expected = sum(np.count_nonzero(squares == value - square) for square in squares)
        if not ways == expected == also:
            fault = f"row {row}: {value} has {expected} ways, the table says {ways}"
            return Outcome(len(chosen), table.num_rows, fault)
    return Outcome(len(chosen), table.num_rows)


CHECKS = (Check("ways", {"sums": ("sum", "ways"), "ways": ()}, "all pairs of roots tried", check_ways),)


def _count(config: ToyConfig, name: str) -> None:
    if config.log:
        with Path(config.log).open("a") as stream:
            stream.write(f"{name}\n")
    time.sleep(config.pause)
    if name == config.trouble_shard:
        if config.trouble == "meet":
            _wait_for_another(Path(config.log), name)
        _misbehave(config.trouble)


def _wait_for_another(log: Path, name: str) -> None:
    """Wait until another process computes the same shard."""
    _wait_until(lambda: log.read_text().split().count(name) >= 2)


def _wait_until(happened: Callable[[], bool]) -> None:
    """Wait for another process, for five minutes at most."""
    deadline = time.monotonic() + 300
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.01)


def _take(file: Path) -> None:
    """Wait until somebody has put a file there, and remove it."""
    _wait_until(file.exists)
    file.unlink()


def _misbehave(trouble: str) -> None:
    kind, _, token = trouble.partition("@")
    if token and Path(token).exists():
        return
    if token:
        Path(token).touch()
    if kind == "raise":
        raise OSError("this disk is away")
    if kind == "poison":
        raise ArithmeticError("this shard is poison")
    if kind == "die":
        os.kill(os.getpid(), 9)
    if kind == "hang":
        time.sleep(3600)
    if kind == "hold":
        _wait_until(lambda: not Path(token).exists())
    if kind == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    if kind == "eat":
        hoard = []
        for _ in range(60):
            hoard.append(np.ones(4_000_000))  # 32 MB, touched; 2 GB are enough, however late it is found
            time.sleep(0.05)
        time.sleep(3600)


def warm_up() -> None:
    """Compile what kernels of its own would be."""
    popcount(np.uint64(1))


SPACE = Space(
    name="toy",
    version=1,
    title="Sums of two squares",
    doc="A space for tests.",
    config=ToyConfig,
    parts=(Part(name="toy", stages=stages, tables=(SQUARES, SUMS), arrays=(WAYS,), claims=claims, checks=CHECKS),),
    claims_file=Path(__file__).with_name("toy_claims.toml"),
    warm_up=warm_up,
)
