"""The published figures."""

import json
from pathlib import Path
from typing import Any

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[2] / "golden" / "klotski.json").read_text())
