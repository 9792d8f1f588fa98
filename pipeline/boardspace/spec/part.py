"""A part of a space: tables and arrays that belong together, the stages that make them, and how they are checked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from boardspace.spec.check import Check
from boardspace.spec.claim import Measurement
from boardspace.spec.stage import Inputs, Stage
from boardspace.spec.table import Array, Table


@dataclass(frozen=True)
class Part:
    """One part of a space. A part imports no kernel: what computes is named by :mod:`boardspace.spec.deferred`.

    name: of the folder that the part lies in, below the space's ``parts``.
    tables, arrays: every column and array, intermediates included.
    stages: from the space's config, its stages in order, each after those it comes after; they may come after stages of
        the parts before it.
    claims: measurements by claim id, from the config and the finished stages; claims that this run did not cover are
        left out.
    checks: what ``boardspace verify`` re-derives by other means than the writers', see :mod:`boardspace.spec.check`.
    unchecked: columns (``table.column``) and arrays that cannot be re-derived, each with the reason.
    results: a few lines that tell what a run found, from the config and the finished stages; printed after a run.
    scope: name of the scope of the space (:mod:`boardspace.spec.extent`) that its tables and arrays are all of, unless
        one names another; '' where the space has none.
    """

    name: str
    stages: Callable[[Any], Sequence[Stage]]
    tables: tuple[Table, ...] = ()
    arrays: tuple[Array, ...] = ()
    claims: Callable[[Any, Inputs], Mapping[str, Measurement]] | None = None
    checks: tuple[Check, ...] = ()
    unchecked: Mapping[str, str] = field(default_factory=dict)
    results: Callable[[Any, Inputs], Sequence[str]] | None = None
    scope: str = ""
