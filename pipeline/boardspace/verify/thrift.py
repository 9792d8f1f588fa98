"""Structures of Thrift's compact protocol, in which Parquet writes footers, page headers and page indexes.

A structure becomes a dictionary from the numbers of its fields to values: ints, bytes, bools, lists and structures. See
the specification of Apache Thrift's compact protocol. Nothing is allocated by what a length claims: every value takes
at least one byte of what is read, and structures lie in one another no deeper than Parquet's do.
"""

import struct
from typing import Any

DEEPEST = 16
Fields = dict[int, Any]

TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
INTEGERS = {4, 5, 6}


class ThriftError(ValueError):
    """Bytes that are no structure of the compact protocol."""


class Reader:
    """Reads one value after another from bytes.

    content: what is read.
    at: place of the next byte.
    """

    def __init__(self, content: bytes, at: int = 0) -> None:
        self.content = content
        self.at = at

    def structure(self, depth: int = 0) -> Fields:
        """The fields of a structure by their numbers; ThriftError where there is none."""
        if depth > DEEPEST:
            raise ThriftError("structures lie too deep in one another")
        found: Fields = {}
        number = 0
        while True:
            head = self._byte()
            if head == 0:
                return found
            delta, kind = head >> 4, head & 15
            number = number + delta if delta else self._integer()
            if number in found:
                raise ThriftError(f"field {number} stands there twice")
            found[number] = kind == TRUE if kind in (TRUE, FALSE) else self._value(kind, depth)

    def _value(self, kind: int, depth: int) -> Any:
        if kind in INTEGERS:
            return self._integer()
        if kind == BINARY:
            return self._bytes(self._unsigned())
        if kind in (LIST, SET):
            return self._list(depth)
        if kind == STRUCT:
            return self.structure(depth + 1)
        if kind == BYTE:
            return self._byte()
        if kind == DOUBLE:
            return struct.unpack("<d", self._bytes(8))[0]
        raise ThriftError(f"a value of kind {kind}, which Parquet does not have")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        length = head >> 4 if head >> 4 < 15 else self._unsigned()
        kind = head & 15
        if length > len(self.content) - self.at:
            raise ThriftError(f"a list of {length} values in fewer bytes")
        if kind in (TRUE, FALSE):
            return [self._byte() == TRUE for _ in range(length)]
        return [self._value(kind, depth) for _ in range(length)]

    def _integer(self) -> int:
        value = self._unsigned()
        return value >> 1 ^ -(value & 1)

    def _unsigned(self) -> int:
        value = self._byte()
        if value < 128:
            return value
        value, shift = value & 127, 7
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ThriftError("a number of more than ten bytes")

    def _byte(self) -> int:
        at = self.at
        self.at = at + 1
        try:
            return self.content[at]
        except IndexError as error:
            raise ThriftError("ends in the middle of a structure") from error

    def _bytes(self, length: int) -> bytes:
        if length > len(self.content) - self.at:
            raise ThriftError("ends in the middle of a text")
        self.at += length
        return self.content[self.at - length : self.at]
