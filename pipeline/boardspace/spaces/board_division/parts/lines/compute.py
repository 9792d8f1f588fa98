"""Searches every position of lines of pegs."""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.lines.part import LINES
from boardspace.spec.space import Inputs, Output, Shard, cut_range
from boardspace_kernels.board_division.line import search_line

LINES_PER_SHARD = 25


def cut_lines(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """Ranges of n."""
    ranges = cut_range(1, config.lines + 1, LINES_PER_SHARD)
    return [Shard(f"{low:04}", {"low": low, "high": high}, cost=0.03 + high**2 * 1.5e-5) for low, high in ranges]


def search_lines(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Every position of the lines of a range."""
    lengths = range(params["low"], params["high"])
    reached = [search_line(n)._asdict() for n in lengths]
    columns = {name: [line[name] for line in reached] for name in reached[0]}
    return Output({"lines": LINES.from_columns(n=list(lengths), **columns)})
