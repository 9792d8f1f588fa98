"""Digests of the sources of spaces: a run goes on only with the sources that it began with."""

import functools
from pathlib import Path

from boardspace.spec.registry import module_of
from boardspace_kernels.sources import KERNELS, plug_in_digest, source_digest

SPACES = Path(__file__).resolve().parents[1] / "spaces"


@functools.cache
def loaded_digest(*roots: Path) -> str:
    """The :func:`.source_digest` of files that this process runs, read once; no later change of them reaches it."""
    return source_digest(*roots)


def space_sources(space: str) -> str:
    """Digest of the sources that decide a space's results: its kernels, the shared ones, its own module.

    For a space from elsewhere it is everything its module imports that is no installed library.
    """
    module = SPACES / space
    if module_of(space) != f"boardspace.spaces.{space}":
        return plug_in_digest(module_of(space))
    roots = [*sorted(KERNELS.glob("*.py")), KERNELS / space, module, module.with_suffix(".py")]
    return loaded_digest(*(root for root in roots if root.exists()))
