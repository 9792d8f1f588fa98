"""Versions of the spaces' datasets, each with the digests of two runs: what ``docs/data_versions.md`` shows.

``tests/golden/data_versions.toml`` has for each space its versions in order, what changed, and by table or array the
digest in COMPLETE of two runs: ``smoke``, and ``small`` (``tests/pipeline/publish/small.toml``, or smoke for a space
that it lacks). Digests depend on contents alone: where one changes, what is published has changed, and the space needs
another ``version``.

    python -m tests.data_versions smoke FOLDER    # after a new version: writes its digests, and the page
"""

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from boardspace.spec.registry import space_named

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "tests" / "golden" / "data_versions.toml"
PAGE = ROOT / "docs" / "data_versions.md"
RUNS = ("small", "smoke")


@dataclass
class Version:
    """A version of a space's datasets: what changed, and the digests by run and by table or array."""

    version: int
    what: str
    digests: dict[str, dict[str, str]] = field(default_factory=dict)


def versions() -> dict[str, list[Version]]:
    """The versions of each space, in order."""
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        name: [Version(e["version"], e["what"], {run: e[run] for run in RUNS if run in e}) for e in entries]
        for name, entries in found.items()
    }


def digests_in(dataset: Path) -> dict[str, str]:
    """The digests of a dataset's tables and arrays; claims apart, whose texts say how much was tried."""
    record = json.loads((dataset / "COMPLETE").read_bytes())["record"]
    arrays = {f"arrays.zarr/{path}": content for path, content in record["arrays"].items()}
    contents = {**record["tables"], **arrays}
    return {name: content["digest"] for name, content in sorted(contents.items()) if name != "claims"}


def faults(dataset: Path, run: str) -> Iterator[str]:
    """What a dataset of a run contradicts: digests kept of this version of its space."""
    name = dataset.name
    known = versions()[name][-1]
    if space_named(name).version != known.version:
        yield f"{name}: is of version {space_named(name).version}, and {FILE.name} ends with {known.version}"
        return
    found = digests_in(dataset)
    for table in sorted(found.keys() | known.digests[run].keys()):
        if found.get(table) != known.digests[run].get(table):
            yield (
                f"{name}: {table} of {run} has the digest {found.get(table)}, version {known.version} has "
                f"{known.digests[run].get(table)}: raise `version` in its space.py, write it down with "
                f"`python -m tests.data_versions {run} FOLDER`, and say what changed"
            )


def page() -> str:
    """The page: its introduction, then of each space its versions, and the digests of smoke in the last two."""
    return PAGE.read_text(encoding="utf-8").split("\n## ")[0] + "".join(map(_section, versions().items()))


def _section(entry: tuple[str, list[Version]]) -> str:
    name, known = entry
    *before, after = [one for one in known if "smoke" in one.digests]
    old = before[-1].digests["smoke"] if before else {}
    heads = ["table or array of `smoke`", *(["digest before"] if old else []), "digest"]
    rows = [[table, *([_before(old, table)] if old else []), f"`{now}`"] for table, now in _all(old, after).items()]
    lines = [heads, ["---"] * len(heads), *rows]
    told = "".join(f"- Version {one.version}: {one.what}\n" for one in known)
    return f"\n## {name}\n\n{told}\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _all(old: Mapping[str, str], after: Version) -> dict[str, str]:
    """The digests of all tables and arrays, those too that are gone."""
    return dict.fromkeys(old, "none") | after.digests["smoke"]


def _before(old: Mapping[str, str], table: str) -> str:
    return f"`{old[table]}`" if table in old else "none"


def write(folder: Path, run: str) -> None:
    """Write the digests of the datasets in a folder down, as those of the present versions."""
    known = versions() if FILE.exists() else {}
    for dataset in sorted(path.parent for path in folder.glob("*/COMPLETE")):
        entries = known.setdefault(dataset.name, [])
        version = space_named(dataset.name).version
        if not entries or entries[-1].version != version:
            entries.append(Version(version, "TODO: what changed."))
        entries[-1].digests[run] = digests_in(dataset)
    FILE.write_text("\n".join(_lines(known)) + "\n", encoding="utf-8")


def _lines(known: Mapping[str, list[Version]]) -> Iterator[str]:
    yield "# Versions of datasets, and the digests of their contents. See tests/data_versions.py."
    for name, entries in sorted(known.items()):
        for one in entries:
            yield f"\n[[{name}]]\nversion = {one.version}\nwhat = {json.dumps(one.what, ensure_ascii=False)}"
            for run, digests in one.digests.items():
                yield f"\n[{name}.{run}]"
                yield from (f'"{table}" = "{digest}"' for table, digest in digests.items())


if __name__ == "__main__":
    write(Path(sys.argv[2]), sys.argv[1])
    PAGE.write_text(page(), encoding="utf-8")
