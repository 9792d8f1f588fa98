"""Location of a run or a release: a folder, or a prefix of a bucket; and the paths that files may have below it."""

import re
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, TypeAlias

from boardspace.spec.arguments import shown
from boardspace.spec.errors import BoardspaceError

ADDRESS = re.compile(r"(s3|gs|az)://([^/]*)(.*)", re.DOTALL)


class BucketPath(PurePosixPath):
    """The name of an object, or of all that lie below a prefix: ``s3://bucket/runs/laptop``.

    It is a path as far as names go (``/``, ``name``, ``parent``); what lies there is reached by
    :func:`boardspace.storage.stored.stored`.
    """

    __slots__ = ()

    def __str__(self) -> str:
        text = super().__str__()
        return re.sub(r"^(s3|gs|az):/(?!/)", r"\1://", text)

    @property
    def bucket(self) -> str:
        """The address of the bucket, such as ``s3://bucket``."""
        return f"{self.parts[0]}//{self.parts[1]}"

    @property
    def key(self) -> str:
        """The name inside the bucket."""
        return "/".join(self.parts[2:])

    def absolute(self) -> "BucketPath":
        """Itself: an address is absolute."""
        return self


Location: TypeAlias = Path | BucketPath


def located(text: str) -> Location:
    """The folder, or the place in a bucket, that a text names; BoardspaceError for an address that is none."""
    matched = ADDRESS.fullmatch(text)
    if matched is None:
        return Path(text)
    _, bucket, key = matched.groups()
    if not bucket or not text.isprintable() or ".." in key.split("/"):
        raise BoardspaceError(f"{text!r}: not a place in a bucket, such as s3://bucket/prefix")
    return BucketPath(text)


def place(name: str, value: Any) -> str:
    """The folder, or the address, that an argument is, a text or a path; BoardspaceError where it is none."""
    if not isinstance(value, str | PurePath) or not str(value) or "\0" in str(value):
        raise BoardspaceError(f"{name}: a folder such as 'outputs/laptop' is wanted, not {shown(value)}")
    return str(value)


def inner_path(name: str) -> str:
    """``name`` itself where it is a plain relative path with forward slashes; ValueError where it could lead elsewhere.

    Refused are empty and absolute paths, the parts ``.`` and ``..``, backslashes and control characters (a line feed
    in a name would forge a line of ``SHA256SUMS``).
    """
    if any(part in {"", ".", ".."} for part in name.split("/")):
        raise ValueError(f"path {name!r} does not stay in its folder")
    if "\\" in name or not name.isprintable():
        raise ValueError(f"path {name!r} holds a backslash or a control character")
    return name
