"""Datasets as Python objects: those of a run's folder, of a release, or of one on a web server.

A table is a ``pyarrow.dataset.Dataset``, an array a ``zarr.Array``; both read only what is asked for, over HTTP by
ranges. Where the files lie is the matter of :mod:`.dataset_files`.
"""

import functools
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa
from pydantic import BaseModel

from boardspace.engine.plan import SpacePlan, config_of, has_plan, recorded_work
from boardspace.release.dataset_files import BucketFiles, Files, LocalFiles, WebFiles
from boardspace.release.web import MissingError, document, explained, web
from boardspace.spec.check import Draw
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import space_named, spaces
from boardspace.spec.space import CLAIMS, Column, Space, SpaceConfig, Verdict
from boardspace.storage.complete import Complete
from boardspace.storage.locations import BucketPath, Location, located
from boardspace.storage.locations import place as named_place
from boardspace.storage.release_documents import LONGEST, entries_in
from boardspace.storage.release_folder import MANIFEST, SUMS
from boardspace.storage.run_folder import COMPLETE
from boardspace.storage.stored import stored
from boardspace.verify import Level, Verification
from boardspace.verify.files import MOST_CLAIMS, memory_bounded
from boardspace.verify.release_inputs import PACKAGE


@dataclass(frozen=True)
class Judged:
    """A statement of a source text with what the data say; see the table ``claims`` of every dataset.

    ``stated`` and ``measured`` are JSON values (``measured`` None where the run did not cover it).
    """

    claim: str
    source: str
    statement: str
    stated: Any
    measured: Any
    verdict: Verdict
    basis: str
    evidence: str


class Claims(tuple[Judged, ...]):
    """The statements of a text in its order."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        """Claim at a position, or of a name; KeyError where no claim has it."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        return {judged.claim: judged for judged in self}[key]

    def _repr_html_(self) -> str:
        head = "<tr><th>claim<th>statement<th>stated<th>measured<th>verdict</tr>"
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(str(value))}' for value in (c.claim, c.statement, c.stated, c.measured, c.verdict))}</tr>"  # noqa: E501
            for c in self
        )
        return f"<table>{head}{rows}</table>"


def judged_row(row: Mapping[str, Any]) -> Judged:
    """A row of the table ``claims`` as an object."""
    values = {name: row[name] for name in ("claim", "source", "statement", "verdict", "basis", "evidence")}
    measured = json.loads(row["measured"]) if row["measured"] else None
    return Judged(**values, stated=json.loads(row["stated"]), measured=measured)


if TYPE_CHECKING:
    import pyarrow.dataset as ds
    import zarr

Value = TypeVar("Value")
Stated = TypeVar("Stated", bound=BaseModel)


class Named(Mapping[str, Value]):
    """Things by name that are opened when they are asked for."""

    def __init__(self, kind: str, names: Sequence[str], opened: Callable[[str], Value], where: str = "") -> None:
        self._kind, self._where = kind, where
        self._names = tuple(names)
        self._opened = functools.cache(opened)

    def __getitem__(self, name: str) -> Value:
        if name not in self._names:
            raise KeyError(f"{self._where}no {self._kind} {name!r}; there are: {', '.join(self._names) or 'none'}")
        return self._opened(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<{self._kind}s: {', '.join(self._names)}>"


@dataclass(frozen=True)
class Dataset:
    """One dataset. ``place`` is its folder, or its address on a web server.

    >>> solitaire = opened["solitaire"]
    >>> solitaire.tables["class_levels"].count_rows()
    14
    >>> solitaire.arrays["classes/triangle15-01/reachable"].shape
    (512,)
    >>> solitaire.claims["ls-board"].verdict
    'not_covered'
    >>> solitaire.columns("class_levels")[3].unit
    'orbits'
    """

    name: str
    place: str
    _files: Files

    @property
    def space(self) -> Space:
        """The space as this version declares it: title, tables and arrays with their columns."""
        return space_named(self.name)

    @functools.cached_property
    def tables(self) -> "Named[ds.Dataset]":
        """The tables by name; rows of a file are sorted by the table's key, files by their names."""
        return Named("table", [name for name in self._complete["tables"] if name != CLAIMS.name], self._table)

    @functools.cached_property
    def arrays(self) -> "Named[zarr.Array[Any]]":
        """The Zarr arrays by name."""
        return Named("array", list(self._complete["arrays"]), self._array)

    @functools.cached_property
    def claims(self) -> Claims:
        """The statements of the source texts, in their order, with the verdicts."""
        name = f"{CLAIMS.name}.parquet"
        found = self._files.table([name], None)
        with self._files.explained(name), memory_bounded():
            if (count := found.count_rows()) > MOST_CLAIMS:
                raise BoardspaceError(
                    f"{self.place}/{name}: {count:,} rows, and no text states more than {MOST_CLAIMS:,} things; "
                    "boardspace verify names all that is wrong"
                )
            rows = found.to_table().sort_by("position").to_pylist()
        return Claims(judged_row(row) for row in rows)

    @functools.cached_property
    def config(self) -> SpaceConfig:
        """The config that made it. BoardspaceError where the folder does not say, or says what this version does not
        know."""
        if not isinstance(self._files, WebFiles) and has_plan(run := located(self.place).parent):
            return {work.space.name: work.config for work in recorded_work(run)}[self.name]
        return config_of(self.space, self._stated(PACKAGE, "plan", SpacePlan))

    @property
    def partial(self) -> str:
        """``PARTIAL: 4 of 203 classes`` where it is a part of its space; '' where it is whole."""
        return self.space.headline(self.config)

    def why(self, name: str) -> str:
        """Extent of a table or an array, and why that is all, in a sentence. KeyError where there is none of that
        name."""
        held = {one.name: one for one in reversed(self.space.contents)}
        return self.space.why(Named("table or array", list(held), held.__getitem__)[name], self.config)

    def columns(self, table: str) -> tuple[Column, ...]:
        """The columns of a table: name, Arrow type, meaning and unit. KeyError where there is no such table."""
        found = Named("table", [one.name for one in self.space.all_tables], self.space.table)[table]
        return (*found.folders, *found.columns)

    def verify(self, level: Level = "structure", draw: Draw | None = None) -> Verification:
        """Check the dataset; see :func:`boardspace.verify.verify`. On a web server only hashes are checked."""
        return self._files.verify(self.name, level, draw)

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}, {self.place!r})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(kind)}<td>{escape(name)}<td>{content['rows'] or ''}</tr>"
            for kind in ("tables", "arrays")
            for name, content in self._complete[kind].items()
        )
        try:
            title = self.space.title_of(self.config)
        except BoardspaceError:  # a folder that does not say by what config it was made is shown all the same
            title = self.space.title
        return f"<b>{escape(title)}</b><p>{escape(self.space.doc)}</p><table>{rows}</table>"

    def _table(self, name: str) -> "ds.Dataset":
        table = self.space.table(name)
        files = [f"{name}.parquet"] if table.one_file else self._files.names(f"{name}/", ".parquet")
        columns = table.folders if any("=" in file for file in files) else ()  # in a release they are in the files
        folders = pa.schema([pa.field(column.name, column.type) for column in columns]) if columns else None
        return self._files.table(files, folders)

    def _array(self, name: str) -> "zarr.Array[Any]":
        try:
            return self._files.array(name)
        except (FileNotFoundError, MissingError) as error:
            raise BoardspaceError(f"{self.place}: no array {name!r} that boardspace wrote lies here") from error

    @functools.cached_property
    def _complete(self) -> Any:
        return self._stated(COMPLETE, "record", Complete).model_dump(mode="json")

    def _stated(self, file: str, key: str, kind: type[Stated]) -> Stated:
        """A record by its key in a small file of the dataset."""
        try:
            return kind.model_validate(json.loads(self._files.read(file))[key])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise BoardspaceError(f"{self.place}/{file}: torn or altered; boardspace verify tells more") from error


class Datasets(Named[Dataset]):
    """The datasets of a run, or of a release, by name."""

    def __init__(self, place: str, datasets: Mapping[str, Dataset]) -> None:
        super().__init__("complete dataset", tuple(datasets), datasets.__getitem__, f"{place}: ")
        self.place = place

    def __repr__(self) -> str:
        return f"Datasets({self.place!r}: {', '.join(self)})"

    def verify(self, level: Level = "structure", draw: Draw | None = None) -> Verification:
        """Check all of them by one draw; the counts are added up."""
        draw = Draw.at_random() if draw is None else draw
        found = [dataset.verify(level, draw) for dataset in self.values()]
        return replace(Verification.of_all(level, found), seed=found[0].seed)


def open_datasets(place: str | Location) -> Datasets:
    """The complete datasets of a run, of a release, or one dataset: in a folder, or at an address.

    ``s3://bucket/prefix`` may hold any of these, a web server a release.

    BoardspaceError where there is none. Nothing but small records is read until a table or an array is.

    >>> opened = open_datasets("outputs/triangle15")
    >>> list(opened)
    ['solitaire']
    """
    text = named_place("place", place)
    if text.startswith(("http://", "https://")):
        found = _on_the_web(text.rstrip("/"))
    else:
        found = _in_bucket(root) if isinstance(root := located(text), BucketPath) else _on_disk(root)
    if not found:
        raise BoardspaceError(
            f"{text}: no complete dataset here; give the folder of a run (such as outputs/laptop), of a release, or of "
            "one of its datasets"
        )
    return Datasets(text, found)


def _in_bucket(root: BucketPath) -> dict[str, Dataset]:
    """The dataset at the prefix, or those of known names below it."""
    places = [root, *(root / name for name in spaces())]
    there = [place for place in places if stored(place / COMPLETE).exists()]
    return {place.name: Dataset(place.name, str(place), BucketFiles(place)) for place in there}


def _on_disk(root: Path) -> dict[str, Dataset]:
    """The dataset that is the folder, or those in it. BoardspaceError where what says that one is complete is no file:
    who left it out would hide that it is damaged."""
    folders = [root, *sorted(root.iterdir())] if root.is_dir() else []
    shown = [folder for folder in folders if not folder.name.startswith(".")]
    complete = [folder for folder in shown if os.path.lexists(folder / COMPLETE)]
    for folder in complete:
        if not (folder / COMPLETE).is_file():
            raise BoardspaceError(f"{folder / COMPLETE}: no regular file; boardspace verify names all that is wrong")
    return {
        folder.resolve().name: Dataset(folder.resolve().name, str(folder), LocalFiles(str(folder)))
        for folder in complete
    }


def _on_the_web(url: str) -> dict[str, Dataset]:
    """The dataset at the address, or those below it: of a release's manifest, or else of known names."""
    with explained(url):
        if web().exists(f"{url}/{SUMS}"):
            name = url.rsplit("/", 1)[-1]
            return {name: Dataset(name, url, WebFiles(url))}
        try:
            there = [str(entry["name"]) for entry in entries_in(document(f"{url}/{MANIFEST}", LONGEST))]
        except (MissingError, ValueError):
            there = [name for name in spaces() if web().exists(f"{url}/{name}/{SUMS}")]
        return {name: Dataset(name, f"{url}/{name}", WebFiles(f"{url}/{name}")) for name in there}
