"""Seals: this program knows again what it wrote for this user, in folders that others may write to as well.

A seal is an HMAC-SHA256 with a key that lies in a private folder of the user, ``boardspace`` in the platform's folder
for state (``XDG_STATE_HOME``), and nowhere else. Where that cannot be, nothing is sealed and no seal holds: what was
sealed is then found out anew.
"""

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path

import platformdirs

from boardspace.storage.files import read_regular

KEY = "seal.key"
KEY_BYTES = 32


def sealed(content: bytes) -> str:
    """The seal of a content, in hexadecimal; '' where this user can have no key."""
    key = _key(make=True)
    return _seal(key, content) if key else ""


def is_sealed(content: bytes, seal: str) -> bool:
    """True where this user's key made that seal of that content."""
    key = _key(make=False)
    return key is not None and hmac.compare_digest(_seal(key, content).encode(), seal.encode())


def _seal(key: bytes, content: bytes) -> str:
    return hmac.new(key, content, hashlib.sha256).hexdigest()


def _key(make: bool) -> bytes | None:
    """The key of this user, made where it was missing; None where there is none, or others could read or write it."""
    path = Path(platformdirs.user_state_dir("boardspace")) / KEY
    try:
        if make:
            _make(path)
        if not _is_private(path.parent, stat.S_ISDIR) or not _is_private(path, stat.S_ISREG):
            return None
        key = read_regular(path, KEY_BYTES)
    except OSError:
        return None
    return key if len(key) == KEY_BYTES else None


def _make(path: Path) -> None:
    """Make a key, unless there is one: under another name, so that it appears whole."""
    if path.exists():
        return
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        path.parent.mkdir(mode=0o700)
    made = path.with_name(f".{secrets.token_hex(8)}")
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(secrets.token_bytes(KEY_BYTES))
        with contextlib.suppress(FileExistsError):  # of another process, which was first
            path.hardlink_to(made)
    finally:
        made.unlink()


def _is_private(path: Path, is_kind: Callable[[int], bool]) -> bool:
    """True for a folder, or a file, of this user that nobody else may read or write."""
    state = path.lstat()
    return is_kind(state.st_mode) and state.st_uid == os.getuid() and not state.st_mode & 0o077
