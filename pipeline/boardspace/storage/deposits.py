"""Places of deposit and what they read of a release: metadata for Zenodo, front matter for Hugging Face.

Both follow from the manifest of the release, so they can be made again and compared; ``verify`` does.
"""

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from boardspace.spec.citation import UNCITED, Citation
from boardspace.spec.errors import BoardspaceError

Profile = Literal["huggingface", "zenodo"]
PROFILES: tuple[str, ...] = get_args(Profile)
ZENODO = ".zenodo.json"
MOST_FILES = 100
MOST_BYTES = 50 * 10**9
"""Of one record of Zenodo. It has no folders: what is deposited are the files at the top of a release."""

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Deposit:
    """Statements of a release beside its data, for those who cite or keep it.

    citation: date, DOI, addresses and authors.
    profiles: places of deposit whose own documents are added; a release keeps those that it has.
    """

    citation: Citation = UNCITED
    profiles: tuple[Profile, ...] = ()


NO_DEPOSIT = Deposit()


class DepositError(BoardspaceError):
    """A release that a place of deposit does not take."""


def require_within_zenodo(sizes: Mapping[str, int]) -> None:
    """DepositError where these files, by name, are more or larger than a record of Zenodo may hold."""
    total = sum(sizes.values())
    if len(sizes) > MOST_FILES or total > MOST_BYTES:
        raise DepositError(
            f"Zenodo takes {MOST_FILES} files and {MOST_BYTES / 1e9:.0f} GB in one record; the top of this release has "
            f"{len(sizes):,} files and {total / 1e9:,.1f} GB. Publish fewer datasets at once, with --space"
        )


def authors_in(entries: Sequence[Entry]) -> list[str]:
    """The authors of all datasets, each once."""
    return list(dict.fromkeys(author for entry in entries for author in entry["authors"]))


def common(entries: Sequence[Entry], name: str) -> str:
    """The date, DOI or address that all datasets have; '' where they differ, or have none."""
    found = {entry["citation"].get(name, "") for entry in entries}
    return str(found.pop()) if len(found) == 1 else ""


def zenodo_document(title: str, entries: Sequence[Entry]) -> dict[str, Any]:
    """The metadata of a deposit, ``.zenodo.json``."""
    doi, date, repository = (common(entries, name) for name in ("doi", "date", "repository"))
    texts = [f"{entry['name']}: {entry['description']}" for entry in entries]
    paragraphs = "".join(f"<p>{html.escape(text)}</p>" for text in texts)
    found: dict[str, Any] = {
        "title": title,
        "upload_type": "dataset",
        "description": f"<p>Complete spaces of board problems, enumerated and checked.</p>{paragraphs}",
        "creators": [{"name": author} for author in authors_in(entries)],
        "access_right": "open",
        "license": "cc-zero",
        "version": ", ".join(f"{entry['name']} {entry['version']}" for entry in entries),
        "keywords": ["board puzzles", "combinatorial enumeration", *(str(entry["name"]) for entry in entries)],
    }
    if doi:
        found["doi"] = doi
    if date:
        found["publication_date"] = date
    if repository:
        found["related_identifiers"] = [
            {"identifier": repository, "relation": "isCompiledBy", "resource_type": "software"}
        ]
    return found


def front_matter(title: str, tags: Sequence[str], tables: Mapping[str, str], default: str = "") -> str:
    """The head of a README.md by which ``datasets.load_dataset(FOLDER, NAME)`` knows the ``tables``: patterns of their
    files by name. It is YAML, every value of which is a JSON string. ``default`` is loaded where no name is given."""
    lines = [
        "---",
        f"pretty_name: {json.dumps(title, ensure_ascii=False)}",
        "license: cc0-1.0",
        "tags:",
        *(f"- {json.dumps(tag)}" for tag in tags),
        "configs:",
        *(line for name, pattern in tables.items() for line in _config(name, pattern, name == default)),
        "---",
    ]
    return "\n".join(lines) + "\n\n"


def _config(name: str, pattern: str, default: bool) -> Iterator[str]:
    yield f"- config_name: {json.dumps(name)}"
    if default:
        yield "  default: true"
    yield "  data_files:"
    yield "  - split: train"
    yield f"    path: {json.dumps(pattern)}"


def pattern_of(file: str) -> str:
    """The pattern of all files of a table, by one of them in its dataset: the file itself, or all of its folder."""
    return f"{file.rsplit('/', 1)[0]}/*.parquet" if "/" in file else file
