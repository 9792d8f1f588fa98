"""Published figures of this room."""

import tomllib
from pathlib import Path
from typing import Any

GOLDEN: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[2] / "golden" / "five_in_a_row.toml").read_text(encoding="utf-8")
)
