"""What a verification says."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["hashes", "structure", "logic"]
LEVELS: tuple[Level, ...] = ("hashes", "structure", "logic")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: ``where`` is a path (and row) relative to the folder verified, or a check's name."""

    level: Level
    where: str
    what: str


@dataclass(frozen=True)
class Verification:
    """How far was checked, what, and what was wrong; ``notes`` tell what was left out."""

    level: Level
    files: int
    bytes: int
    rows: int
    cases: int
    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()
