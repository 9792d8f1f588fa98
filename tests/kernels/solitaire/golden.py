"""The published figures about peg solitaire."""

import tomllib
from pathlib import Path
from typing import Any

GOLDEN: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[2] / "golden" / "solitaire.toml").read_text(encoding="utf-8")
)
