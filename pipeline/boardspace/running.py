"""Running a configuration from Python."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardspace.engine import run as running
from boardspace.engine.config import Config, load_config, validate
from boardspace.engine.events import Listener
from boardspace.release.datasets import Datasets, open_datasets
from boardspace.spec.arguments import LARGEST, names, of_kind, switch, within
from boardspace.storage.locations import Location, located, place

if TYPE_CHECKING:
    from distributed import Client


def run(  # its parameters are the command's options, each of use without the others
    config: str | Path | Mapping[str, Any] | Config,
    out: str | Location | None = None,
    client: "Client | None" = None,
    *,
    spaces: Sequence[str] = (),
    workers: int | None = None,
    memory_limit: str = "auto",
    fresh: bool = False,
    keep: bool = False,
    listener: "Listener | None" = None,
) -> Datasets:
    """Run a configuration and return its datasets; the same as ``boardspace run``.

    ``config`` is a TOML file, the name of a shipped configuration, or its sections as a mapping. The work is done by
    ``client``, a ``distributed.Client`` of yours, or else by ``workers`` processes on this machine (one per core where
    None, this very process with 0), each with at most ``memory_limit``, such as "4GiB". What an earlier run finished in
    ``out`` is kept; ``fresh`` deletes it first, ``keep`` also keeps shards of the same parameters and inputs that
    another plan made. ``listener`` hears how the run goes on.

    Raises BoardspaceError where an argument is none of these, or the configuration, the folder or a shard stand in the
    way; finished shards are kept.

    >>> sections = {"solitaire": {"classes": [{"board": "triangle15", "vacancies": [1]}]}}
    >>> datasets = run(sections, "outputs/triangle15", workers=0)
    >>> datasets["solitaire"].tables["class_levels"].count_rows()
    14
    """
    of_kind("config", config, (str, Path, Mapping, Config), "the name of a config, its file, or its sections")
    if client is not None:
        known = sys.modules.get("distributed")  # whoever has a client has imported it
        of_kind("client", client, known.Client if known else (), "a distributed.Client")
    of_kind("memory_limit", memory_limit, str, "a text such as '4GiB'")
    of_kind("listener", listener, (Listener, type(None)), "a boardspace.engine.events.Listener")
    if isinstance(config, Mapping):
        chosen = validate(config, "run", "the configuration given")
    else:
        chosen = config if isinstance(config, Config) else load_config(str(config))
    chosen = chosen.only(names("spaces", spaces))
    root = located(place("out", out)) if out is not None else chosen.out
    count = None if workers is None else within("workers", workers, 0, LARGEST)
    by = running.Workers(client=client, count=count, memory_limit=memory_limit)
    running.run(chosen, root, by, running.Resume(fresh=switch("fresh", fresh), keep=switch("keep", keep)), listener)
    return open_datasets(root)
