"""A space for tests of the shuffle by keys: random keys of every width are spread and gathered in order."""

from collections.abc import Mapping, Sequence
from functools import partial, reduce
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from boardspace.engine.shuffle import key_shards, received, sample
from boardspace.spec.space import Check, Column, Inputs, Outcome, Output, Part, Shard, Space, SpaceConfig, Stage, Table

WIDTHS = (8, 16, 32, 64)
RUNS = 5


class SpreadConfig(SpaceConfig):
    """The ``[spread]`` section."""

    rows_per_shard: int = 100


def table(name: str, width: int, published: bool) -> Table:
    """A table of keys of this width with how often each occurs."""
    key = Column("key", pa.from_numpy_dtype(f"uint{width}"), "A key.")
    return Table(f"{name}{width}", "Keys.", (key, Column("count", pa.uint32(), "Runs with it.")), ("key",), published)


SCATTERED = {width: table("scattered", width, published=False) for width in WIDTHS}
GATHERED = {width: table("gathered", width, published=True) for width in WIDTHS}


def run_of(width: int, number: int) -> np.ndarray:
    """The keys of one run, ascending: random ones, the least and the largest of all."""
    largest = (1 << width) - 1
    keys = np.random.default_rng([width, number]).integers(0, largest, 200, dtype=f"uint{width}", endpoint=True)
    return np.unique(np.append(keys, np.array([0, largest], keys.dtype)))


def plan(config: SpreadConfig) -> Sequence[Stage]:
    """For each width, scatter and gather."""
    return [stage for width in WIDTHS for stage in stages(width)]


def stages(width: int) -> Sequence[Stage]:
    """The two stages of one width."""
    return (
        Stage(f"scatter{width}", "random runs", partial(scatter, width), cut),
        Stage(
            f"gather{width}", "their union", partial(gather, width), partial(cut_gather, width), (f"scatter{width}",)
        ),
    )


def cut(config: SpreadConfig, inputs: Inputs) -> Sequence[Shard]:
    """A shard for each run; the last one is empty."""
    return [Shard(f"{number}", {"number": number}) for number in range(RUNS + 1)]


def scatter(width: int, config: SpreadConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """One run."""
    keys = run_of(width, params["number"])[: None if params["number"] < RUNS else 0]
    rows = SCATTERED[width].from_columns(key=keys, count=np.ones(len(keys), np.uint32))
    return Output({rows_name(SCATTERED, width): rows}, facts={"run": sample(keys)})


def cut_gather(width: int, config: SpreadConfig, inputs: Inputs) -> Sequence[Shard]:
    """Key ranges of the runs."""
    return key_shards(inputs, f"scatter{width}", f"w{width}", {}, config.rows_per_shard, seconds_per_row=1.0)


def gather(width: int, config: SpreadConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The union of one key range of all runs."""
    parts = [keys for keys, _ in received(inputs, f"scatter{width}", SCATTERED[width], params)]
    keys, counts = np.unique(reduce(np.append, parts), return_counts=True)
    return Output({rows_name(GATHERED, width): GATHERED[width].from_columns(key=keys, count=counts)})


def rows_name(tables: Mapping[int, Table], width: int) -> str:
    """The name of the table of one width."""
    return tables[width].name


SPACE = Space(
    name="spread",
    version=1,
    title="Keys",
    doc="Keys of every width.",
    config=SpreadConfig,
    parts=(
        Part(
            name="spread",
            stages=plan,
            tables=(*SCATTERED.values(), *GATHERED.values()),
            arrays=(),
            claims=lambda config, inputs: {},
            checks=(Check("nothing", {}, "nothing", lambda config, inputs, draw: Outcome(1, 1)),),
        ),
    ),
    claims_file=Path(__file__).with_name("spread_claims.toml"),
    warm_up=lambda: None,
)
