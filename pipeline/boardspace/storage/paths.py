"""Paths that stay in their folder: what receipts and checksum lists may name."""


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
