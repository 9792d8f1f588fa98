"""The net re-derived for ``verify``: the published neighbours of some layouts against moves made by hand."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.members import members_of
from boardspace.spaces.klotski.solution_checks import code_of, layout_of, steps
from boardspace.spec.check import Finding
from boardspace.spec.space import Inputs

NAME = "neighbours found by hand"
SAMPLED_CLASSES = 25
LAYOUTS = 8


def check_net(config: KlotskiConfig, inputs: Inputs, seed: int) -> Sequence[Finding]:
    """The neighbours of some layouts of some classes, which have to name them as theirs as well."""
    if not config.net:
        return []
    chance = random.Random(seed)
    starts, offsets = inputs.array("neighbour_start"), inputs.array("neighbours")
    cases = 0
    shards = list(inputs.named_facts("classes"))
    for shard in chance.sample(shards, min(SAMPLED_CLASSES, len(shards))):
        records = members_of(inputs, shard)
        ids, codes = (np.ascontiguousarray(records[name]) for name in ("layout_id", "code"))
        for row in chance.sample(range(len(codes)), min(LAYOUTS, len(codes))):
            code, layout_id = int(codes[row]), int(ids[row])
            moved = sorted(code_of(layout) for layout in steps(layout_of(code)))
            places = np.minimum(np.searchsorted(codes, np.array(moved, dtype=np.uint64)), len(codes) - 1)
            first, end = starts[layout_id : layout_id + 2].tolist()
            stored = layout_id + offsets[first:end].astype(np.int64)
            cases += 1
            if codes[places].tolist() != moved or ids[places].tolist() != stored.tolist():
                fault = f"{code:09X}: its neighbours are {', '.join(f'{other:09X}' for other in moved)}, not those of "
                return [Finding(NAME, cases, f"{fault}the array, ids {stored.tolist()}")]
            if len(stored) and not _names(starts, offsets, int(chance.choice(stored.tolist())), layout_id):
                return [Finding(NAME, cases, f"{code:09X} is no neighbour of all its neighbours")]
    return [Finding(NAME, cases)]


def _names(starts: Any, offsets: Any, layout_id: int, wanted: int) -> bool:
    """Whether a layout's neighbours hold another."""
    first, end = starts[layout_id : layout_id + 2].tolist()
    return bool((layout_id + offsets[first:end].astype(np.int64) == wanted).any())
