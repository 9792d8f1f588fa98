"""The tables and arrays that the config of a published dataset asks for: which of them the dataset lacks.

A release has no receipts, so its COMPLETE, made again, could leave a table out and all would agree. The stages follow
from the config, and ``contents.toml`` says to which tables and arrays each of their shards writes. Of spaces that it
does not name, and of datasets of an earlier version, nothing is missed.
"""

import functools
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from boardspace.engine.plan import Work
from boardspace.spec.space import Array, Table
from boardspace.spec.stages import stages_of
from boardspace.storage.complete import Complete
from boardspace.verify.plans import is_of_these_sources

CONTENTS = Path(__file__).with_name("contents.toml")


def contents_faults(work: Work, complete: Complete) -> Iterator[str]:
    """A fault for each table or array that is lacking, and one where the stages are not those of the config."""
    if work.plan.version != work.space.version:
        return
    try:
        stages = stages_of(work.space, work.config).keys()
    except Exception as error:  # so do configs that no run would have begun with
        yield f"the config of the dataset has no stages: {error!r}"
        return
    if is_of_these_sources(work) and complete.stages.keys() != stages:
        yield "names other stages than the config of the dataset has"
    held = {*complete.tables, *(array.name for path in complete.arrays if (array := work.space.array_at(path)))}
    contents: tuple[Table | Array, ...] = (*work.space.tables, *work.space.arrays)
    for content in contents:
        if content.name not in held and _is_asked_for(content, work, stages):
            yield f"names no {content.name}, and the config of the dataset asks for it"


def _is_asked_for(content: Table | Array, work: Work, stages: Collection[str]) -> bool:
    rule = rules().get(work.space.name, {}).get(content.name)
    if rule is None:
        return False
    names, whole = (rule, "") if isinstance(rule, str) else (rule["stages"], rule["whole"])
    if not any(re.fullmatch(names, stage) for stage in stages):
        return False
    extents = {extent.scope: extent for extent in work.space.extents(work.config)}
    if whole and extents[whole].partial:
        return False
    extent = work.space.extent_of(content, work.config)
    return extent is None or extent.covered + extent.beyond > 0


@functools.cache
def rules() -> Mapping[str, Mapping[str, Any]]:
    """The rules of ``contents.toml``, by space and by name of a table or a family of arrays."""
    return tomllib.loads(CONTENTS.read_text(encoding="utf-8"))
