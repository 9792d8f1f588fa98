"""The index of a release: what its pages need to know before they read data, and the checksums they compare it with.

The page itself holds the names of the datasets and the digests of ``atlas/DATASET.json``. That file tells of the names
of one dataset's tables, of the table of claims and, where they are few, of its arrays, so that the page of all claims
asks for no list of tables; ``DATASET.tables.json`` tells of all tables,
``DATASET.documents.json`` of its documents, ``DATASET.grounds.json`` of what each table and array is all of and why,
``DATASET.listing.json`` of all its files, ``DATASET.arrays.N.json`` of some of many arrays each;
``DATASET.drawn.TABLE.json`` holds pictures of rows, and ``DATASET.game.N.json`` positions of a puzzle with their moves,
to be played. Where several arrays are cut alike, ``DATASET.chunks.G.S.json`` holds where the chunks of shard S of all
of them lie, so that a reader of one row asks for the list once and then for all chunks together. All but these two
are made from the published files alone, so the atlas shows any release, also one of spaces that this installation does
not know.
"""

import hashlib
import json
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from boardspace.release.atlas.drawn import DrawingError, pictures, rows_to_draw
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import space_named, spaces
from boardspace.storage.files import read_regular, sha256_of
from boardspace.storage.release_documents import CLAIMS, LONGEST, archive_of
from boardspace.storage.release_folder import SUMS, read_sums
from boardspace.storage.stored import stored
from boardspace.verify.files import FileFaultError, memory_bounded, require_moderate

ARRAYS_A_PART = 64
FEW = 256
MOST_SHARDS = 1 << 12
"""Arrays with more shards have no lists of chunks in the index; pages read those of the shards."""
TAIL = 8
"""A Parquet file ends with the length of its footer, 4 bytes, and the magic."""
LIST_ENTRY = 16
LIST_CRC = 4
"""A shard ends with the offset and the length of each chunk, 8 bytes each, and their CRC-32C."""
ABSENT = 2**64 - 1
"""The offset of a chunk that a shard does not hold."""
LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
LETTER_BITS = 6


@dataclass(frozen=True)
class DatasetIndex:
    name: str
    entry: Mapping[str, Any]
    """The part that the page itself holds: names, sizes, and the digest of the dataset's own index."""
    files: Mapping[str, bytes]
    """The texts of the files below ``atlas/``, by name."""


def index_dataset(folder: Path) -> DatasetIndex:
    """Index a published dataset, whose files are the ones ``SHA256SUMS`` names.

    BoardspaceError where it is none: somebody else may have made it, so its documents may be anything, and a file may
    claim to hold a great deal. It takes no more memory than decoding may (:func:`.memory_bounded`).
    """
    try:
        with memory_bounded():
            rows = rows_to_draw(folder)
        drawn, games = pictures(rows), _games(folder)
        with memory_bounded():
            return _indexed(folder, drawn, games)
    except DrawingError as error:
        raise DrawingError(f"{folder}: {error}") from error
    except MemoryError as error:
        raise BoardspaceError(f"{folder}: takes more memory than a dataset's index can need; not shown") from error
    except Exception as error:  # what others made makes nearly anything be raised
        what = str(error) if isinstance(error, FileFaultError | BoardspaceError) else repr(error)
        raise BoardspaceError(
            f"{folder}: cannot be indexed ({what}); `boardspace verify` names all that is wrong"
        ) from error


def _games(folder: Path) -> list[Mapping[str, Any]]:
    """The games of a published dataset; none where its space is not installed, or has none."""
    name = folder.resolve().name
    make = space_named(name).games if name in spaces() else None
    return [] if make is None else list(make(folder))


def _indexed(folder: Path, drawn: Mapping[str, Any], games: Sequence[Mapping[str, Any]]) -> DatasetIndex:
    name = folder.resolve().name
    sums = {**read_sums(folder / SUMS), SUMS: sha256_of(folder / SUMS)}
    package = _document(folder, "datapackage.json")
    for field in ("title", "description", "version"):
        if not isinstance(package.get(field), str):
            raise FileFaultError(f"datapackage.json: its {field} is no text")
    parts = {f"drawn.{table}": compact(rows) for table, rows in drawn.items()}
    parts |= {f"game.{number}": compact(game) for number, game in enumerate(games)}
    parts["grounds"] = compact(_grounds(package))
    files = _index_files(folder, name, sums, parts)
    entry = {
        "name": name,
        "title": package["title"],
        "description": package["description"],
        "version": package["version"],
        "files": len(sums),
        "bytes": sum((folder / path).stat().st_size for path in sums),
        "games": [game["name"] for game in games],
        "archive": archive_of(folder),
        "index": _hashed(files[f"{name}.json"]),
    }
    return DatasetIndex(name, entry, files)


def _index_files(folder: Path, name: str, sums: Mapping[str, str], given: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of one dataset's index by name, ``given`` parts with them; ``NAME.json`` holds the others' digests."""
    arrays = _arrays(folder, sums)
    tables = _tables(folder, sums)
    documents = {path: _sized(folder, path, sums) for path in sorted(sums) if _is_document(path)}
    texts = {"tables": compact(tables), "documents": compact(documents), **given}
    drawn = {part.removeprefix("drawn."): text for part, text in given.items() if part.startswith("drawn.")}
    games = [text for part, text in given.items() if part.startswith("game.")]
    listing = compact([[path, *_sized(folder, path, sums)] for path in sorted(sums)])
    groups = _chunk_lists(folder, arrays)
    many = len(arrays) > ARRAYS_A_PART
    parts = list(_in_parts(arrays)) if many else []
    detail = {
        "documents": _hashed(texts["documents"]),
        "tables": {**_hashed(texts["tables"]), "names": list(tables), "own": _own(tables)},
        "grounds": _hashed(texts["grounds"]),
        "listing": _hashed(listing),
        "drawn": {table: _hashed(text) for table, text in drawn.items()},
        "games": [_hashed(text) for text in games],
        "arrays": {} if many else arrays,
        "parts": [{"first": first, **_hashed(part)} for first, part in parts],
        "chunks": [{"arrays": paths, "files": list(map(_hashed, lengths))} for paths, lengths in groups],
    }
    return {
        f"{name}.json": compact(detail),
        **{f"{name}.{part}.json": text for part, text in texts.items()},
        f"{name}.listing.json": listing,
        **{f"{name}.arrays.{number}.json": part for number, (_, part) in enumerate(parts)},
        **{f"{name}.chunks.{g}.{s}.json": one for g, (_, some) in enumerate(groups) for s, one in enumerate(some)},
    }


def _own(tables: Mapping[str, Any]) -> dict[str, Any]:
    """The table of claims, which a page reads of every dataset, without the description and the values of its key."""
    own = {name: table for name, table in tables.items() if name == CLAIMS}
    return {name: {**table, "description": "", "values": None} for name, table in own.items()}


def _grounds(package: Mapping[str, Any]) -> dict[str, list[str]]:
    """Grounds by table, and by family of arrays: ``[completeness, extent]`` as ``datapackage.json`` states them."""
    found = {}
    for resource in package.get("resources", []):
        content = resource.get("table") or resource.get("array")
        stated = [resource.get("completeness"), resource.get("extent")]
        if isinstance(content, str) and all(isinstance(one, str) for one in stated):
            found[content.removeprefix("arrays.zarr/")] = stated
    return found


def compact(value: Any) -> bytes:
    """JSON without spaces, UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _document(folder: Path, path: str) -> dict[str, Any]:
    """A document of a dataset; FileFaultError where it is none."""
    try:
        found = json.loads(read_regular(folder / path, LONGEST))
    except (OSError, ValueError, RecursionError) as error:
        raise FileFaultError(f"{path}: no JSON of a release: {error}") from error
    if not isinstance(found, dict):
        raise FileFaultError(f"{path}: no JSON object")
    return found


def _hashed(text: bytes) -> dict[str, Any]:
    return {"bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}


def _is_document(path: str) -> bool:
    return path.startswith("schemas/") or ("/" not in path and not path.endswith(".parquet"))


def _sized(folder: Path, path: str, sums: Mapping[str, str]) -> list[Any]:
    return [(folder / path).stat().st_size, sums[path]]


def _tables(folder: Path, sums: Mapping[str, str]) -> dict[str, Any]:
    """Tables by name: what the table is, its key, the values of the key's first column if few, its files in order."""
    found: dict[str, Any] = {}
    for path in sorted(path for path in sums if path.endswith(".parquet")):
        name = path.split("/")[0].removesuffix(".parquet")
        if name not in found:
            schema = _document(folder, f"schemas/{name}.json")
            key = schema.get("primaryKey", [])
            found[name] = {"description": schema.get("description", ""), "key": key, "files": []}
        require_moderate(folder / path)
        found[name]["files"].append(_file(folder, path, sums, found[name]["key"]))
    for table in found.values():
        table["values"] = _few_values([folder / file[0] for file in table["files"]], table["key"])
    return found


def _few_values(paths: Sequence[Path], key: Sequence[str]) -> list[Any] | None:
    """The values of the key's first column, in order; None where it is no text or small number, or there are many."""
    if not key or not _is_small(pq.read_schema(stored(paths[0]).table_file()).field(key[0]).type):
        return None
    found: set[Any] = set()
    for path in paths:
        found.update(pq.read_table(stored(path).table_file(), columns=[key[0]]).column(0).unique().to_pylist())
        if len(found) > FEW:
            return None
    return sorted(found)


def _is_small(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or (pa.types.is_integer(kind) and kind.bit_width <= 16))


def _file(folder: Path, path: str, sums: Mapping[str, str], key: Sequence[str]) -> list[Any]:
    """``[path, bytes, sha256, rows, bytes of the footer, its sha256, first, last, others]``.

    The footer is the metadata and the tail. First and last are of the key's first column, null where the file keeps
    none; the others are the least and the greatest of each further column of the key.
    """
    with (folder / path).open("rb") as stream:
        stream.seek(-TAIL, 2)
        size = stream.tell() + TAIL
        length = int.from_bytes(stream.read(4), "little") + TAIL
        stream.seek(size - length)
        footer = hashlib.sha256(stream.read()).hexdigest()
    metadata = pq.read_metadata(stored(folder / path).table_file())
    ends = [_ends(metadata, column) for column in key] or [(None, None)]
    return [path, size, sums[path], metadata.num_rows, length, footer, *ends[0], ends[1:]]


def _ends(metadata: Any, column: str) -> tuple[Any, Any]:
    position = metadata.schema.names.index(column) if column in metadata.schema.names else -1
    if position < 0 or not metadata.num_rows:
        return None, None
    groups = [metadata.row_group(number).column(position).statistics for number in range(metadata.num_row_groups)]
    if any(statistics is None or not statistics.has_min_max for statistics in groups):
        return None, None
    return min(statistics.min for statistics in groups), max(statistics.max for statistics in groups)


def _arrays(folder: Path, sums: Mapping[str, str]) -> dict[str, Any]:
    """Arrays by path: ``[shape, type, bytes of files, shape of a shard, of a chunk, codecs of chunks, of lists]``.

    The names of the codecs are in their order; a page reads none but those it verifies.
    """
    found = {}
    for path in sorted(path for path in sums if path.endswith("/zarr.json")):
        metadata = _document(folder, path)
        if metadata["node_type"] == "array":
            array = path.removesuffix("/zarr.json")
            size = sum((folder / other).stat().st_size for other in sums if other.startswith(f"{array}/"))
            shard = metadata["chunk_grid"]["configuration"]["chunk_shape"]
            found[array] = [metadata["shape"], metadata["data_type"], size, shard, *_sharding(metadata)]
    return found


def _sharding(metadata: Mapping[str, Any]) -> list[Any]:
    """The shape of a chunk inside a shard, and the names of the codecs; empty where the array is not sharded."""
    codec, *others = metadata["codecs"]
    if others or codec["name"] != "sharding_indexed":
        return [[], [], []]
    inner = codec["configuration"]
    codecs = [[one["name"] for one in inner[kind]] for kind in ("codecs", "index_codecs")]
    return [inner["chunk_shape"], *codecs]


def _chunk_lists(folder: Path, arrays: Mapping[str, Any]) -> list[tuple[list[str], list[bytes]]]:
    """The lists of chunks of arrays with one axis that share their shape, shards and chunks with another one: such
    arrays, and for each shard the text that holds the lengths of its chunks in all of them."""
    alike: dict[tuple[int, int, int], list[str]] = {}
    for path, (shape, _, _, shard, chunk, *_) in arrays.items():
        if len(shape) == len(chunk) == 1 and shape[0] <= MOST_SHARDS * shard[0]:
            alike.setdefault((shape[0], shard[0], chunk[0]), []).append(path)
    return [
        (paths, [_lengths(folder, paths, number, shard // chunk) for number in range(-(-size // shard))])
        for (size, shard, chunk), paths in alike.items()
        if len(paths) > 1
    ]


def _lengths(folder: Path, arrays: Sequence[str], shard: int, chunks: int) -> bytes:
    """JSON of the lengths of the chunks of a shard by array, as text (:func:`lengths_text`); null where the chunks do
    not lie one after the other from 0, or one is too long for that text."""
    found = {path: _lengths_in(folder / path / "c" / str(shard), chunks) for path in arrays}
    return compact({path: lengths and lengths_text(lengths) for path, lengths in found.items()})


def lengths_text(lengths: Sequence[int]) -> str | None:
    """Numbers as three planes of letters: the highest six bits of all, then the middle ones, then the lowest.

    None where one has more bits. Compressed, this takes three quarters of what decimal digits take.
    """
    if max(lengths) >> 3 * LETTER_BITS:
        return None
    shifts = (2 * LETTER_BITS, LETTER_BITS, 0)
    return "".join(LETTERS[length >> shift & (len(LETTERS) - 1)] for shift in shifts for length in lengths)


def _lengths_in(file: Path, chunks: int) -> list[int] | None:
    if not file.is_file():
        return None
    with file.open("rb") as stream:
        stream.seek(-(chunks * LIST_ENTRY + LIST_CRC), 2)
        offsets, lengths = np.frombuffer(stream.read(chunks * LIST_ENTRY), "<u8").reshape(-1, 2).T
    there = offsets != ABSENT
    stored = np.where(there, lengths, 0)
    begins = np.cumsum(stored) - stored
    return [int(length) for length in stored] if np.array_equal(offsets[there], begins[there]) else None


def _in_parts(arrays: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Some arrays each, by the order of their paths, with the first of these: who wants one reads one part."""
    paths = list(arrays)
    for start in range(0, len(paths), ARRAYS_A_PART):
        yield paths[start], compact({path: arrays[path] for path in paths[start : start + ARRAYS_A_PART]})
