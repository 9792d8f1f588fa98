"""Release documents: one manifest over the datasets of a release, and what is made from it: two pages, a citation.

``release.json`` follows from the datasets that lie there, ``README.md``, ``index.html``, ``CITATION.cff`` and, for
Zenodo, ``.zenodo.json`` from it alone; so all can be made again and compared, and ``verify`` does. The page has no
script and no style from elsewhere: any file host shows it, and as such hosts list nothing, it links what there is.
"""

import hashlib
import html
import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast
from urllib.parse import quote

from boardspace.spec.citation import cff_lines
from boardspace.spec.space import CLAIMS as CLAIMS_TABLE
from boardspace.spec.table import json_text
from boardspace.storage.deposits import (
    PROFILES,
    ZENODO,
    Profile,
    authors_in,
    common,
    front_matter,
    pattern_of,
    zenodo_document,
)
from boardspace.storage.locations import Location
from boardspace.storage.records import digest_of, json_value
from boardspace.storage.release_folder import (
    ARCHIVE,
    CITATION,
    LONGEST_SUMS,
    MANIFEST,
    RELEASE_DOCUMENTS,
    SUMS,
    parse_sums,
)
from boardspace.storage.stored import stored

_, README, PAGE, _ = RELEASE_DOCUMENTS
TITLE = "Datasets of boardspace"
CLAIMS = CLAIMS_TABLE.name
CFF_FIELDS = {"doi": "doi", "url": "url", "date": "date-released", "repository": "repository-code"}
FORMAT = 2
LONGEST = 1 << 24
MOST_LINKS = 24
SIGNS = re.compile(r"[\\`*\[\]<|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
"""Signs by which Markdown takes a text for something else; not the line inside a word."""

Entry = Mapping[str, Any]


def entry_of(folder: Location) -> dict[str, Any]:
    """Entry of the manifest for a published dataset, without its archive."""
    package = json_value(stored(folder / "datapackage.json").read(LONGEST))
    resources = package["resources"]
    listing = stored(folder / SUMS).read(LONGEST_SUMS)
    names = [f"{folder.name}/{name}" for name in (*parse_sums(listing), SUMS)]
    size = stored(folder.parent).sizes([folder.name])
    tables = _tables(folder.name, resources)
    return {
        "name": folder.name,
        "title": package["title"],
        "description": package["description"],
        "version": package["version"],
        "licence": package["licenses"][0]["name"],
        "partial": package["partial"],
        "extent": package["extent"],
        "authors": [one["title"] for one in package["contributors"]],
        "citation": package["citation"],
        "code": {"name": "boardspace", "sources": package["plan"]["sources"], "plan": digest_of(package["plan"])},
        **({"cpu_seconds": package["cpuSeconds"]} if "cpuSeconds" in package else {}),
        "objects": sum(one["rows"] for one in tables if one["name"] != CLAIMS),
        "files": len(names),
        "bytes": sum(size(name) or 0 for name in names),
        "card": f"{folder.name}/{README}",
        "sums": {"path": f"{folder.name}/{SUMS}", "sha256": hashlib.sha256(listing).hexdigest()},
        "tables": tables,
        "arrays": [
            {
                "name": resource["array"],
                "title": resource["title"],
                "extent": resource["extent"],
                "completeness": resource["completeness"],
            }
            for resource in resources
            if resource["type"] != "table"
        ],
    }


def archive_of(folder: Location) -> dict[str, Any] | None:
    """Entry of the manifest for a dataset's archive; None where it, or its checksum, is not here."""
    archive = folder.with_name(f"{folder.name}{ARCHIVE}")
    listed = stored(archive.with_name(f"{archive.name}.sha256"))
    size = stored(archive).size()
    if size is None or listed.size() is None:
        return None
    return {"path": archive.name, "bytes": size, "sha256": listed.read(1000).decode("ascii").split(" ")[0]}


def release_documents(entries: Sequence[Entry], profiles: Collection[Profile] = ()) -> dict[str, bytes]:
    """The manifest and the other documents of a release of these datasets, by name; ``profiles`` name the places of
    deposit that it is made for."""
    ordered = sorted(entries, key=lambda entry: str(entry["name"]))
    title = title_of(ordered)
    manifest = {"format": FORMAT, "title": title, "profiles": sorted(profiles), "datasets": ordered}
    names = [str(entry["name"]) for entry in ordered]
    matter = front_matter(title, names, _patterns(ordered))
    texts = {
        MANIFEST: json_text(manifest),
        README: matter + _readme(ordered),
        PAGE: _page(ordered),
        CITATION: _citation(ordered),
    }
    if "zenodo" in profiles:
        texts[ZENODO] = json_text(zenodo_document(title, ordered))
    return {name: text.encode() for name, text in texts.items()}


def _patterns(entries: Sequence[Entry]) -> dict[str, str]:
    """The files of every table, as a pattern, by ``DATASET-TABLE``."""
    tables = [(str(entry["name"]), table) for entry in entries for table in entry["tables"]]
    firsts = {f"{name}-{table['name']}": (name, str(table["files"][0])) for name, table in tables}
    return {table: f"{name}/{pattern_of(file.removeprefix(f'{name}/'))}" for table, (name, file) in firsts.items()}


def title_of(entries: Sequence[Entry]) -> str:
    """``Datasets of boardspace``, with a word where some are parts of their spaces."""
    partial = sum(bool(entry["partial"]) for entry in entries)
    return f"{TITLE}, PARTIAL: {partial} of {len(entries)} datasets are parts of their spaces" if partial else TITLE


def profiles_in(manifest: bytes) -> set[Profile]:
    """The profiles of a manifest; ValueError where one is not known."""
    try:
        found = set(json_value(manifest).get("profiles", ()))
    except (AttributeError, TypeError, RecursionError) as error:
        raise ValueError(f"is no manifest of a release: {error!r}") from error
    if not found <= set(PROFILES):
        raise ValueError(f"has profiles that are not known: {found!r}")
    return cast(set[Profile], found)


def _citation(entries: Sequence[Entry]) -> str:
    lines = [
        "cff-version: 1.2.0",
        "message: If you use these datasets, please cite them.",
        *cff_lines({"title": title_of(entries)}),
        "type: dataset",
        "license: CC0-1.0",
        *cff_lines({}, authors_in(entries)),
        *cff_lines({name: common(entries, key) for key, name in CFF_FIELDS.items()}),
        "references:",
    ]
    for entry in entries:
        fields = {"title": entry["title"], "version": entry["version"], "doi": entry["citation"].get("doi", "")}
        lines += ["  - type: data", *cff_lines(fields, entry["authors"], "    ")]
    return "\n".join(lines) + "\n"


def entries_in(manifest: bytes) -> list[dict[str, Any]]:
    """The datasets of a manifest; ValueError where it is none."""
    try:
        document = json_value(manifest)
        entries = document["datasets"]
        if document["format"] != FORMAT or not all(type(entry["name"]) is str for entry in entries):
            raise ValueError("is of another format")
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"is no manifest of a release: {error!r}") from error
    return list(entries)


def _tables(dataset: str, resources: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tables, in the order of their first files."""
    tables: dict[str, dict[str, Any]] = {}
    for one in resources:
        if one["type"] == "table":
            named = {name: one[name] for name in ("title", "extent", "completeness", "labels")}
            table = tables.setdefault(one["table"], {"name": one["table"], **named, "rows": 0, "bytes": 0, "files": []})
            table["rows"] += one["rows"]
            table["bytes"] += one["size"]
            table["files"].append(f"{dataset}/{one['path']}")
    return list(tables.values())


def _readme(entries: Sequence[Entry]) -> str:
    lines = [
        f"| {_md_link(entry['name'], entry['card'])} | {markdown(entry['title'])} | {markdown(entry['version'])} "
        f"| {entry['files']:,} | {_size(entry['bytes'])} | {_md_link(entry['archive']['path'])} |"
        for entry in entries
    ]
    grid = "\n".join(["| dataset | what | version | files | size | as one file |", "|---|---|---|--:|--:|---|", *lines])
    example = shlex.quote(entries[0]["name"]) if entries else "NAME"
    return f"""# {TITLE}
{_partial_lines(entries)}
Complete spaces of board problems, enumerated and checked. Each dataset lies in a folder, to be read in place, and as
one tar file with the same content; its card says what it holds, with examples that run. `{PAGE}` links all of it,
`{MANIFEST}` tells programs the same.

{grid}

Check what you downloaded:

```sh
sha256sum --check {example}{ARCHIVE}.sha256
cd {example} && sha256sum --quiet --check {SUMS}
```

or, with the package `boardspace` installed, `boardspace verify .`, which decodes every file, too. From Python:
`boardspace.open(".")`, or the address of this folder.

Data are CC0 1.0: https://creativecommons.org/publicdomain/zero/1.0/
"""


def _partial_lines(entries: Sequence[Entry]) -> str:
    """A line for each dataset that is a part of its space."""
    return "".join(f"\n- {markdown(e['name'])}: **{markdown(e['partial'])}**" for e in entries if e["partial"]) + "\n"


def markdown(text: str) -> str:
    """A text in a line or a cell of Markdown that says what it says, whoever wrote it: no link, no HTML, no table."""
    return SIGNS.sub(r"\\\g<0>", " ".join(text.split()))


def _md_link(text: str, path: str = "") -> str:
    return f"[{markdown(text)}]({quote(path or text)})"


STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #8884;"
    "vertical-align:top}td.n,th.n{text-align:right;white-space:nowrap}code{overflow-wrap:anywhere}"
    "@media(max-width:40rem){tr,td{display:block}tr{padding:.4rem 0;border-bottom:1px solid #8884}"
    "th,td:empty{display:none}td{padding:0;border:0;overflow-wrap:anywhere}td:first-child{font-weight:bold}"
    "td.n{display:inline;padding-right:.8rem}td:nth-child(3)::after{content:' rows'}}"
    "@media(prefers-color-scheme:dark){body{background:#16181c;color:#ddd}a{color:#8ab4f8}}"
)


def _page(entries: Sequence[Entry]) -> str:
    sections = "\n".join(map(_section, entries))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_text(title_of(entries))}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{TITLE}</h1>
<p>Complete spaces of board problems, enumerated and checked. Data are <a
href="https://creativecommons.org/publicdomain/zero/1.0/">CC0 1.0</a>. {_link(README)} says how to check and open them;
{_link(MANIFEST)} tells programs what is here.</p>
{sections}
</body>
</html>
"""


def _section(entry: Entry) -> str:
    name, archive, sums = str(entry["name"]), entry["archive"], entry["sums"]
    titled = {"claims.parquet": "claims", "dictionary.csv": "dictionary"}
    files = (*titled, "datapackage.json", "croissant.json", CITATION)
    links = (_link(f"{name}/{file}", titled.get(file, file)) for file in files)
    documents = " · ".join([_link(entry["card"], "card"), *links, _link(sums["path"], SUMS)])
    arrays = "".join(
        f"<tr><td>{_text(array['name'])}<td>{_text(array['title'])}<td><td><td></tr>\n" for array in entry["arrays"]
    )
    return f"""<h2 id="{_text(name)}">{_text(entry["title"])}</h2>
{f"<p><b>{_text(entry['partial'])}</b></p>" if entry["partial"] else ""}<p>{_text(entry["description"])}</p>
<p><b>{_text(name)}</b> {_text(entry["version"])}, {entry["files"]:,} files, {_size(entry["bytes"])}: {documents}</p>
<p>As one file: {_link(archive["path"])}, {_size(archive["bytes"])}, SHA-256 <code>{_text(archive["sha256"])}</code></p>
<table>
<tr><th>table or array<th>what<th class="n">rows<th class="n">size<th>files</tr>
{"".join(map(_row, entry["tables"]))}{arrays}</table>"""


def _row(table: Mapping[str, Any]) -> str:
    files = table["files"]
    links = " ".join(_link(path, str(path).rsplit("/", 1)[-1]) for path in files[:MOST_LINKS])
    more = f" and {len(files) - MOST_LINKS:,} more" if len(files) > MOST_LINKS else ""
    what = f"{table['title']} ({table['extent']})"
    numbers = f'<td class="n">{table["rows"]:,}<td class="n">{_size(table["bytes"])}'
    return f"<tr><td>{_text(table['name'])}<td>{_text(what)}{numbers}<td>{links}{more}</tr>\n"


def _link(path: Any, text: str = "") -> str:
    return f'<a href="{_text(quote(str(path)))}">{_text(text or path)}</a>'


def _text(value: Any) -> str:
    return html.escape(str(value))


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"
