"""Computes the pairs of layouts by unit moves: parts of classes, and their sums."""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.enumerated import class_named, of_class
from boardspace.spaces.klotski.parts.unit_distances.part import PART_STAGE, UNIT_DISTANCES, UNIT_PARTS
from boardspace.spaces.klotski.parts.unit_distances.searches import part_of_class
from boardspace.spec.space import Inputs, Output


def count_part(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Count one part of a class."""
    found = part_of_class(params["class"], params["part"], params["parts"], inputs.gpu)
    return Output({UNIT_PARTS.name: UNIT_PARTS.from_columns(**of_class(class_named(params["class"]), found))})


def add_parts(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Add up the parts of all classes."""
    parts = inputs.read(PART_STAGE, UNIT_PARTS.name)
    key = list(UNIT_DISTANCES.key)
    whole = parts.group_by(key).aggregate([("pairs", "sum")]).sort_by([(name, "ascending") for name in key])
    return Output({UNIT_DISTANCES.name: whole.rename_columns([*key, "pairs"]).cast(UNIT_DISTANCES.schema)})
