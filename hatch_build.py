"""Says, when a distribution is built, that the atlas's bundle is missing from it: building that needs Node."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUNDLE = "pipeline/boardspace/release/atlas/bundle/index.html"
WARNING = (
    "THE ATLAS IS MISSING: this distribution is built without it, and its command `boardspace atlas` will refuse to "
    "work. Run `make atlas` first, which needs Node; everything else works without."
)


class AtlasHook(BuildHookInterface):  # type: ignore[misc,type-arg]
    """Warns in capitals where the bundle is missing; an editable installation reads the checkout, which may get it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects files."""
        if version != "editable" and not (Path(self.root) / BUNDLE).is_file():
            self.app.display_warning(f"\n{'*' * 80}\n{WARNING}\n{'*' * 80}\n")
