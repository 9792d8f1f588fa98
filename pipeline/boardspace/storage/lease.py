"""The lock of a run in a bucket: a lease, for an object store cannot tell that an owner died.

The lock is an object that says who holds it. It is made only where there is none, and its holder writes it anew every
few seconds, each time only where it is still as it was left. Who finds one watches it: if it does not change for as
long as a lease lasts, by the watcher's own stopwatch, its owner is dead, and it is replaced, again only if still the
same. Nobody's clock is compared with another's. An owner that was thought dead (its machine slept, its network was cut)
learns at its next renewal that the lock is another's, and stops.
"""

import _thread
import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from boardspace.storage.files import StorageError

BEAT_SECONDS = 4.0
LEASE_SECONDS = 20.0
LOOK_SECONDS = 1.0


class LockObject(Protocol):
    """An object that is written under conditions only; its tag changes whenever its content does."""

    def read(self) -> tuple[bytes, str] | None:
        """Its content and tag; None where there is none."""

    def create(self, content: bytes) -> str | None:
        """Write it where there is none: its tag, or None."""

    def replace(self, content: bytes, tag: str) -> str | None:
        """Write it where it has this tag: its new one, or None."""

    def remove(self) -> None:
        """Delete it."""


@contextmanager
def leased(lock: LockObject, root: str, warn: Callable[[str], None], break_lock: bool) -> Iterator[None]:
    """Hold the lock; StorageError where another does, or took it over. ``break_lock`` says that its owner is dead."""
    lease = _Lease(lock, root)
    lease.take(warn, break_lock)
    stop = threading.Event()
    renewal = threading.Thread(target=lease.renew_until, args=(stop,), daemon=True, name="boardspace-lease")
    renewal.start()
    try:
        yield
    except KeyboardInterrupt:
        if lease.lost:
            raise StorageError(
                f"{root}: another process took over the lock, as this one was not heard of for {LEASE_SECONDS:.0f} s; "
                "finished shards are kept"
            ) from None
        raise
    finally:
        stop.set()
        renewal.join()
        lease.give_back()


class _Lease:
    """State of a lock that a process takes, renews and gives back."""

    def __init__(self, lock: LockObject, root: str) -> None:
        self.lock, self.root = lock, root
        self.token = uuid.uuid4().hex
        self.beat = 0
        self.tag = ""
        self.lost = False

    def take(self, warn: Callable[[str], None], break_lock: bool) -> None:
        """Take the lock; StorageError where its owner is alive, or the store does not keep to conditions."""
        tag = self.lock.create(self._content())
        while tag is None:
            found = self.lock.read()
            if found is None:
                tag = self.lock.create(self._content())
            elif _content(found[0]).get("token") == self.token:
                tag = found[1]  # an answer that was lost, and asked for again
            else:
                tag = self._inherit(found, warn, break_lock)
        self.tag = tag
        if self.lock.create(b"{}") is not None:
            self.lock.remove()
            raise StorageError(
                f"{self.root}: this store replaces objects although asked not to (If-None-Match), so nothing keeps two "
                "runs apart; use another store"
            )

    def renew_until(self, stop: threading.Event) -> None:
        """Write the lock anew every few seconds; where it is another's, end the run as Ctrl-C would."""
        while not stop.wait(BEAT_SECONDS):
            self.beat += 1
            try:
                tag = self.lock.replace(self._content(), self.tag)
                if tag is None:
                    found = self.lock.read()
                    tag = found[1] if found and _content(found[0]).get("token") == self.token else None
            except (StorageError, OSError):
                continue  # the way to the store is cut: whoever else takes the lock is seen when it is back
            if tag is None:
                self.lost = True
                _thread.interrupt_main()
                return
            self.tag = tag

    def give_back(self) -> None:
        """Delete the lock if it is still this process's; a store that does not answer keeps it for a lease."""
        try:
            found = self.lock.read()
            if found and _content(found[0]).get("token") == self.token:
                self.lock.remove()
        except (StorageError, OSError):
            return

    def _inherit(self, found: tuple[bytes, str], warn: Callable[[str], None], break_lock: bool) -> str | None:
        """Watch a lock and take it over when its owner is dead; None where it is gone, or somebody else was faster."""
        who = _content(found[0]).get("holder", "another process")
        if not break_lock:
            warn(f"{self.root}: {who} holds the lock; watching for {LEASE_SECONDS:.0f} s whether it is alive")
            start = time.monotonic()
            while time.monotonic() - start < LEASE_SECONDS:
                time.sleep(LOOK_SECONDS)
                now = self.lock.read()
                if now is None:
                    return None
                if now[1] != found[1]:
                    raise StorageError(f"{self.root}: {who} is writing there; wait for it, or choose another --out")
        return self.lock.replace(self._content(), found[1])

    def _content(self) -> bytes:
        holder = f"process {os.getpid()} on {socket.gethostname()}"
        return json.dumps({"holder": holder, "token": self.token, "beat": self.beat}).encode()


def _content(content: bytes) -> dict[str, str]:
    """Content of a lock; nothing where it is no lock of ours."""
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
