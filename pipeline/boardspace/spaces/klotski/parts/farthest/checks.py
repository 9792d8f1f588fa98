"""The farthest steps searched again: all rows bounded by their neighbours, those of drawn classes by their images, and
searches through their groups from some layouts of these."""

import numpy as np

from boardspace.spaces.klotski import rules
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.solutions.checks import refuse_unlike_images
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.equations import RowFaultError, Tried
from boardspace.verify.folds import least_neighbour
from boardspace.verify.one_class import Class

SOURCES = 8
"""Layouts of each drawn class, from which everything is searched."""


def search_again(config: KlotskiConfig, one: Class, drawn: bool) -> Tried:
    """Bound the farthest steps of a class, and search through their groups from some layouts of a drawn one."""
    tried, count = 0, len(one)
    try:
        _bound(one)
        if drawn:
            refuse_unlike_images(one, ("farthest_step", "farthest_num"), rules.images(one.states))
            for row in one.random.permutation(count)[:SOURCES].tolist():
                tried += 1
                _search_from(one, row)
    except RowFaultError as error:
        return Tried(tried, count, str(error))
    return Tried(tried, count)


def _bound(one: Class) -> None:
    steps, number = (one.rows[name].astype(np.int64) for name in ("farthest_step", "farthest_num"))
    size = np.bincount(one.rows["group_num"])[one.rows["group_num"]]
    wrong = ((steps == 0) != (size == 1)) | (number < 1) | (number > np.maximum(size - 1, 1))
    one.raise_where(wrong, "farthest_step is 0 exactly where it is alone, farthest_num at most the others")
    one.raise_where(steps > np.iinfo(np.int16).max - 2, "farthest_step is too large")
    least = least_neighbour(one.pieces, steps.astype(np.int16), "chain")
    one.raise_where(steps > least.astype(np.int64) + 1, "a step changes farthest_step by more than 1")


def _search_from(one: Class, row: int) -> None:
    layers = [len(layer) for layer in one.graph("chain").layers(np.array([row]))]
    found = (len(layers) - 1, layers[-1])
    stated = (int(one.rows["farthest_step"][row]), int(one.rows["farthest_num"][row]))
    if found != stated:
        text = format_code(int(one.rows["code"][row]))
        raise RowFaultError(f"{text}: (farthest_step, farthest_num) is {found}, the table says {stated}")
