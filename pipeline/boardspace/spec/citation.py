"""Citation of a release: authors, date, DOI, addresses; ``CITATION.cff``, BibTeX, the sentence on the card.

Nothing of this is known to a run, and nothing of it is in the digests of ``COMPLETE``: whoever publishes says it.
Without a date a dataset is cited by its version and the digest of its plan alone.
"""

import json
import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from boardspace.spec.errors import BoardspaceError

DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}\\]+")
ADDRESS = re.compile(r"https?://[^\s\"<>{}\\]+")
AUTHOR = re.compile(r"[^{}\\]*[^{}\\\s][^{}\\]*")
"""Braces would end the field of BibTeX that the name stands in."""
LICENCE = "CC0-1.0"


class CitationError(BoardspaceError):
    """A date, DOI, address or author that no citation takes."""


@dataclass(frozen=True)
class Citation:
    """Date, DOI, addresses and authors of a release, as whoever publishes gives them; '' and () where nothing is given.

    doi: that was given to it, such as ``10.5281/zenodo.1234567``.
    url: at which it lies.
    date: of its publication, YYYY-MM-DD.
    repository: address of the code that made it.
    authors: in order; without any they are those of the space.
    """

    doi: str = ""
    url: str = ""
    date: str = ""
    repository: str = ""
    authors: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.doi and not DOI.fullmatch(self.doi):
            raise CitationError(f"DOI {self.doi!r}: write it as 10.5281/zenodo.1234567, without an address before it")
        for name in ("url", "repository"):
            if getattr(self, name) and not ADDRESS.fullmatch(getattr(self, name)):
                raise CitationError(f"{name} {getattr(self, name)!r}: is no address; it begins with https://")
        if self.date:
            _require_date(self.date)
        if not all(AUTHOR.fullmatch(author) and author.isprintable() for author in self.authors):
            raise CitationError("an author without a name, or with braces or signs that cannot be printed")

    def document(self) -> dict[str, Any]:
        """The fields that are given, for ``datapackage.json``."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items() if v}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Citation":
        """The citation of which :meth:`document` made this; CitationError where it is none."""
        try:
            return cls(**{**document, "authors": tuple(document.get("authors", ()))})
        except (TypeError, AttributeError) as error:
            raise CitationError(f"is no citation: {error}") from error


UNCITED = Citation()


@dataclass(frozen=True)
class Cited:
    """One dataset with all that a citation of it says.

    name, title, version, doc: of the dataset.
    plan: digest of what made it.
    authors: in order.
    citation: as whoever publishes gives it.
    """

    name: str
    title: str
    version: str
    doc: str
    plan: str
    authors: tuple[str, ...]
    citation: Citation

    @property
    def sentence(self) -> str:
        """The citation as one sentence of a list of references."""
        year = f" ({self.citation.date[:4]})" if self.citation.date else ""
        return f"{', '.join(self.authors)}{year}. {self.title}, version {self.version} [data set]. {self.place}."

    @property
    def place(self) -> str:
        """Place where the dataset is found: its DOI, else its address, else the digest of its plan, which names it."""
        if self.citation.doi:
            return f"https://doi.org/{self.citation.doi}"
        return self.citation.url or f"boardspace/{self.name}, plan {self.plan}"

    @property
    def bibtex(self) -> str:
        """The citation as an entry of BibTeX."""
        given = self.citation
        fields = {
            "author": " and ".join(f"{{{author}}}" for author in self.authors),
            "title": f"{{{self.title}}}",
            "year": given.date[:4],
            "version": self.version,
            "doi": given.doi,
            "url": given.url,
            "note": f"Dataset boardspace/{self.name}, plan {self.plan}",
        }
        lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
        return "\n".join([f"@misc{{boardspace_{self.name},", ",\n".join(lines), "}"])

    @property
    def cff(self) -> str:
        """``CITATION.cff``, Citation File Format 1.2.0. Every value is a JSON string, which is YAML, too."""
        given = self.citation
        fields = {
            "title": self.title,
            "type": "dataset",
            "version": self.version,
            "license": LICENCE,
            "abstract": self.doc,
            "doi": given.doi,
            "url": given.url,
            "date-released": given.date,
            "repository-code": given.repository,
        }
        return "\n".join(
            [
                "cff-version: 1.2.0",
                "message: If you use this dataset, please cite it.",
                *cff_lines({}, self.authors),
                *cff_lines(fields),
                "identifiers:",
                "  - type: other",
                *cff_lines({"value": self.plan}, indent="    "),
                "    description: digest of the plan that made it, stamped on every file",
                "",
            ]
        )


def _require_date(text: str) -> None:
    match = re.fullmatch(r"([1-9]\d{3})-(\d{2})-(\d{2})", text)
    year, month, day = map(int, match.groups()) if match else (1, 0, 0)
    if not (1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
        raise CitationError(f"date {text!r}: write year, month and day as 2026-11-24")


def cff_lines(fields: Mapping[str, str], authors: Sequence[str] = (), indent: str = "") -> list[str]:
    """Lines of a ``CITATION.cff``: the fields that have a value, then the authors, if any."""
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items() if value]
    names = (f"  - name: {json.dumps(author, ensure_ascii=False)}" for author in authors)
    return [f"{indent}{line}" for line in (*lines, *(["authors:", *names] if authors else []))]
