"""The pages of a column chunk of a Parquet file, by their own headers.

A chunk is one page after the other: a dictionary, where there is one, then data. Readers walk from header to header.
What a header may say more of the values, its statistics, is kept for comparison.
"""

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from boardspace.verify.parquet_values import FooterError
from boardspace.verify.thrift import Fields, ThriftError, structure_at

DATA, DICTIONARY = 0, 2
RLE = 3
"""The encoding of levels, which every chunk names, be there levels or none."""
BODY = {DATA: 5, DICTIONARY: 7}
"""Field of a header that describes a page of a kind."""
OF_HEADER = {1, 2, 3, 4}
OF_PAGE = {DATA: {1, 2, 3, 4, 5}, DICTIONARY: {1, 2, 3}}
HEADER_BYTES = (512, 1 << 15)
"""Bytes in which a header ends as a rule, and with the longest statistics."""


@dataclass(frozen=True)
class Page:
    """A page.

    at, bytes: where it lies in the file, and how long it is, header and all.
    plain: its bytes before compression, header and all.
    values: how many it has; of a dictionary, how many different ones.
    kind: DATA or DICTIONARY.
    encoding: by its number in parquet.thrift.
    statistics: of its values; empty where it says nothing of them.
    """

    at: int
    bytes: int
    plain: int
    values: int
    kind: int
    encoding: int
    statistics: Fields


def data_pages(stream: io.BufferedReader, column: Fields, where: str) -> list[Page]:
    """Pages with the values of a column, whose metadata are these; FooterError where the metadata say anything else of
    its pages than their headers do."""
    pages = list(_pages(stream, column, where))
    data = [page for page in pages if page.kind == DATA]
    dictionary = [DICTIONARY] if 11 in column else []
    if [page.kind for page in pages] != [*dictionary, *[DATA] * len(data)] or (data and data[0].at != column[9]):
        raise FooterError(f"{where}: its pages are others than its footer says")
    plain = sum(page.plain for page in pages)
    if plain != column[6]:
        raise FooterError(f"{where} has {plain:,} bytes before compression, its footer says {column[6]:,}")
    encodings = Counter((page.kind, page.encoding) for page in pages)
    stated = {(one[1], one[2]): one[3] for one in column.get(13, [])}
    if {*column[2]} != {RLE, *(page.encoding for page in pages)} or (13 in column and stated != encodings):
        raise FooterError(f"{where} has pages of other encodings than its footer says")
    return data


def _pages(stream: io.BufferedReader, column: Fields, where: str) -> Iterator[Page]:
    at: int = column[11] if 11 in column else column[9]
    end: int = at + column[7]
    while at < end:
        page = _page(stream, at, end, where)
        yield page
        at += page.bytes
    if at != end:
        raise FooterError(f"{where}: its pages end at byte {at}, and its footer says {end}")


def _page(stream: io.BufferedReader, at: int, end: int, where: str) -> Page:
    header, length = _header(stream, at, end)
    kind: int = header[1]
    body = header.get(BODY[kind]) if kind in BODY else None
    if body is None or header.keys() - OF_HEADER != {BODY[kind]} or body.keys() - OF_PAGE[kind]:
        raise FooterError(f"{where}: a page says what boardspace does not write")
    if kind == DICTIONARY and body.get(3):
        raise FooterError(f"{where}: its dictionary says that it is sorted")
    if header[3] < 0:
        raise FooterError(f"{where}: a page of {header[3]} bytes")
    statistics = body.get(5, {})
    return Page(at, length + header[3], length + header[2], body[1], kind, body[2], statistics)


def _header(stream: io.BufferedReader, at: int, end: int) -> tuple[Fields, int]:
    """The header of the page at a place, and its length; ThriftError where there is none."""
    for most in HEADER_BYTES:
        stream.seek(at)
        content = stream.read(min(end - at, most))
        try:
            return structure_at(content)
        except ThriftError:
            if most == HEADER_BYTES[-1] or len(content) < most:
                raise
    raise AssertionError("every size is tried")
