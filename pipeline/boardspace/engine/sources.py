"""Digests of the sources of spaces: a run goes on only with the sources that it began with."""

import functools
from pathlib import Path

from boardspace import spec, storage
from boardspace.engine import shuffle
from boardspace.spec.registry import module_of
from boardspace_kernels.sources import kernel_sources, plug_in_digest, source_digest

SPACES = Path(__file__).resolve().parents[1] / "spaces"
# What decides the bytes of every dataset, beside the sources of its space.
WRITERS = [Path(spec.__file__).parent, Path(storage.__file__).parent, Path(shuffle.__file__), SPACES.parent / "graphs"]


@functools.cache
def loaded_digest(*roots: Path) -> str:
    """The :func:`.source_digest` of files that this process runs, read once; no later change of them reaches it."""
    return source_digest(*roots)


@functools.cache
def space_sources(space: str) -> str:
    """Digest of the sources that decide a space's results.

    Of a space that ships it is its own folder, the module of its questions, what writes every dataset, and the kernels
    that all of these name; of a plug-in its packages and all of boardspace (:mod:`boardspace_kernels.sources`).
    """
    folder = SPACES / space
    module = module_of(space)
    if module != f"boardspace.spaces.{space}":
        return plug_in_digest(module.partition(".")[0])
    roots = [root for root in (*WRITERS, folder, folder.with_suffix(".py")) if root.exists()]
    return loaded_digest(*roots, *kernel_sources(*roots))
