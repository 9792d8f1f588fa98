"""Rows of tables as pictures."""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.klotski.layouts import Layout
from boardspace.spaces.klotski.pictures import picture


def draw_layout(row: Mapping[str, Any]) -> str:
    """The layout of a row as the text of an SVG."""
    return picture(Layout(row["code"]).pieces).svg()


def draw_hardest(row: Mapping[str, Any]) -> str:
    """The hardest layout of a group or a class as the text of an SVG; '' where no layout leads to the exit."""
    return picture(Layout(row["hardest_code"]).pieces).svg() if row["hardest_step"] >= 0 else ""
