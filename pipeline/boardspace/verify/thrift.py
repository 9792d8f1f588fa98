"""Structures of Thrift's compact protocol, in which Parquet writes footers, page headers and page indexes.

A structure becomes a dictionary from the numbers of its fields to values: ints, bytes, bools, lists and structures. See
the specification of Apache Thrift's compact protocol. Nothing is allocated by what a length claims: every value takes
at least one byte of what is read, and structures and lists lie in one another no deeper than Parquet's do.

A verification reads some hundred thousand small structures, so a value is read by a function of the content and its
place, which returns the place behind it, and numbers of one byte, which most are, where they stand.
"""

import struct
from typing import Any

DEEPEST = 24
MOST_BITS = 63
"""By which the last byte of a number is shifted."""
Fields = dict[int, Any]

TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
INTEGERS, FLAGS = {4, 5, 6}, {TRUE, FALSE}
CONTINUED = 128
"""From this on, a byte of a number is followed by another."""


class ThriftError(ValueError):
    """Bytes that are no structure of the compact protocol."""


def structure_at(content: bytes, at: int = 0) -> tuple[Fields, int]:
    """The fields of the structure that begins at a place, by their numbers, and the place behind it.

    ThriftError where there is none.
    """
    try:
        return _structure(content, at, 0)
    except IndexError as error:
        raise ThriftError("ends in the middle of a structure") from error


def _structure(content: bytes, at: int, depth: int) -> tuple[Fields, int]:
    found: Fields = {}
    number = 0
    while head := content[at]:
        at += 1
        if head >> 4:
            number += head >> 4
        else:
            number, at = _integer(content, at)
        if number in found:
            raise ThriftError(f"field {number} stands there twice")
        kind = head & 15
        if kind in INTEGERS and (byte := content[at]) < CONTINUED:
            found[number], at = byte >> 1 ^ -(byte & 1), at + 1
        elif kind in FLAGS:
            found[number] = kind == TRUE
        else:
            found[number], at = _value(content, at, kind, depth)
    return found, at + 1


def _value(content: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    """A value of a structure or a list that lies so deep in others."""
    if kind in INTEGERS:
        value, at = _unsigned(content, at)
        return value >> 1 ^ -(value & 1), at
    if depth > DEEPEST:
        raise ThriftError("structures or lists lie too deep in one another")
    if kind == BINARY:
        length, at = _unsigned(content, at)
        return _bytes(content, at, length), at + length
    if kind in (LIST, SET):
        return _list(content, at, depth + 1)
    if kind == STRUCT:
        return _structure(content, at, depth + 1)
    if kind == BYTE:
        return content[at], at + 1
    if kind == DOUBLE:
        return struct.unpack("<d", _bytes(content, at, 8))[0], at + 8
    raise ThriftError(f"a value of kind {kind}, which Parquet does not have")


def _list(content: bytes, at: int, depth: int) -> tuple[list[Any], int]:
    head = content[at]
    length, kind, at = head >> 4, head & 15, at + 1
    if length == 15:
        length, at = _unsigned(content, at)
    if length > len(content) - at:
        raise ThriftError(f"a list of {length} values in fewer bytes")
    if kind in FLAGS:
        return [byte == TRUE for byte in content[at : at + length]], at + length
    found = []
    for _ in range(length):
        value, at = _value(content, at, kind, depth)
        found.append(value)
    return found, at


def _integer(content: bytes, at: int) -> tuple[int, int]:
    value, at = _unsigned(content, at)
    return value >> 1 ^ -(value & 1), at


def _unsigned(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift <= MOST_BITS:
        byte = content[at]
        at += 1
        if byte < CONTINUED:
            return value | byte << shift, at
        value |= (byte & 127) << shift
        shift += 7
    raise ThriftError("a number of more than ten bytes")


def _bytes(content: bytes, at: int, length: int) -> bytes:
    if length > len(content) - at:
        raise ThriftError("ends in the middle of a text")
    return content[at : at + length]
