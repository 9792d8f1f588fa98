"""Rows of moves, for programs that read graphs: of all states as Parquet, of some of them also as GraphML.

A row of moves is a state and one that it leads to. Neighbours are the kernel's, so hundreds of thousands of rows are
written in a second; the names of moves are the second rules' and take far longer, so Parquet has them where asked for.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from boardspace.graphs.answers import Answers
from boardspace.graphs.paths import States, ball, neighbours
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.files import write_out

AT_ONCE = 1 << 16
"""States whose moves are one row group."""
MOST_DRAWN = 100_000
"""States of a GraphML."""
SCHEMA = pa.schema([("state", pa.uint64()), ("next", pa.uint64()), ("move", pa.string())])
PARQUET = {"compression": "zstd", "use_dictionary": ["move"], "write_page_checksum": True}
KEYS = {"text": ("node", "string"), "distance": ("node", "int"), "move": ("edge", "string")}


def moves_of(asked: Answers, states: States) -> pa.Table:
    """All moves of some states, in the order of these: columns ``state`` and ``next``."""
    origins, found = neighbours(asked.puzzle, asked.case, states)
    return pa.table({"state": states[origins], "next": found})


def names_of(asked: Answers, rows: pa.Table) -> list[str]:
    """The names of moves, by the second rules; of several that lead from one state to another each has its own."""
    known: dict[tuple[int, int], list[str]] = {}
    for state in set(rows.column("state").to_pylist()):
        for name, there in asked.moves(state).items():
            known.setdefault((state, there), []).append(name)
    pairs = [(row["state"], row["next"]) for row in rows.to_pylist()]
    left = {pair: iter(names) for pair, names in known.items()}
    return [next(left[pair], known[pair][-1]) if pair in known else "" for pair in pairs]


def write_edges(asked: Answers, file: Path, states: Iterable[States], names: bool) -> int:
    """Write the moves of states that come in batches, and return how many there are.

    file: ``.graphml`` for a graph with drawings, distances and names, else Parquet; names: in Parquet as well.
    """
    if file.suffix == ".graphml":
        text, written = graphml(asked, _few(states))
        write_out(file, lambda stream: stream.write(text.encode()))
        return written
    tables = (moves_of(asked, batch[low : low + AT_ONCE]) for batch in states for low in range(0, len(batch), AT_ONCE))
    counts: list[int] = []

    def fill(stream: BinaryIO) -> None:
        with pq.ParquetWriter(stream, SCHEMA if names else SCHEMA.remove(2), **PARQUET) as writer:
            for rows in tables:
                writer.write_table(rows.append_column(SCHEMA[2], [names_of(asked, rows)]) if names else rows)
                counts.append(rows.num_rows)

    write_out(file, fill)
    return sum(counts)


def _few(batches: Iterable[States]) -> States:
    """Batches of states in one array; BoardspaceError where they are too many to be drawn."""
    found, number = [np.empty(0, np.uint64)], 0
    for batch in batches:
        found.append(batch)
        number += len(batch)
        if number > MOST_DRAWN:
            raise BoardspaceError(
                f"more than {MOST_DRAWN:,} states are too many for GraphML: name a state and a radius, --around and "
                "--radius, or write .parquet"
            )
    return np.concatenate(found)


def graphml(asked: Answers, states: States) -> tuple[str, int]:
    """States and the moves among them as GraphML, with drawings, distances and names of moves; how many moves."""
    rows = moves_of(asked, states)
    rows = rows.filter(pa.array(np.isin(rows.column("next").to_numpy(), states)))
    root = Element("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
    for name, (domain, kind) in KEYS.items():
        SubElement(root, "key", {"id": name, "for": domain, "attr.name": name, "attr.type": kind})
    graph = SubElement(root, "graph", edgedefault="directed")
    for state in states.tolist():
        _described(SubElement(graph, "node", id=str(state)), text=asked.text(state), distance=asked.distance(state))
    for row, name in zip(rows.to_pylist(), names_of(asked, rows), strict=True):
        edge = SubElement(graph, "edge", source=str(row["state"]), target=str(row["next"]))
        _described(edge, move=name)
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True), rows.num_rows


def _described(element: Element, **values: Any) -> None:
    for key, value in values.items():
        if value is not None:
            SubElement(element, "data", key=key).text = str(value)


def batches_of(asked: Answers, around: int | None, radius: int | None, label: int | None) -> Iterator[States]:
    """The states whose moves are asked for: a ball or a whole group around one, those of a label, else all."""
    if label is not None:
        yield asked.labelled(label)
    elif around is not None:
        yield ball(asked.puzzle, asked.case, [asked.require(around)], radius)
    else:
        yield from asked.all_states()
