"""Health of a cluster that a run hears nothing of."""

import time

from distributed import Client

from boardspace.engine.events import Listener
from boardspace.spec.errors import BoardspaceError

# How often a run that hears nothing looks whether its cluster is still well, and after how long without a word from a
# worker the user is told.
LOOK_SECONDS = 5.0
SILENT_SECONDS = 30.0


def scheduler_lost(where: str) -> BoardspaceError:
    """Error of a run whose scheduler is gone."""
    return BoardspaceError(f"{where}: the scheduler is lost; run the same command again to go on")


class Health:
    """Looks after a cluster that a run hears nothing of: is the scheduler there, are there workers, do they answer?"""

    def __init__(self, client: Client, listener: Listener, worker_seconds: float, where: str) -> None:
        self.client, self.listener, self.where = client, listener, where
        self.worker_seconds = worker_seconds
        self._without_since: float | None = None
        self._warned: set[str] = set()

    def look(self) -> None:
        """Warn of silent workers; BoardspaceError where the scheduler is gone, or no worker came in time."""
        if self.client.status in {"closed", "closing"}:
            raise scheduler_lost(self.where)
        try:
            workers = self.client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, ValueError) as error:
            raise BoardspaceError(f"{self.where}: the scheduler does not answer ({error})") from error
        self._count(len(workers))
        newest = max((worker["last_seen"] for worker in workers.values()), default=0.0)
        for address, worker in workers.items():
            silent = newest - worker["last_seen"]
            if silent > SILENT_SECONDS and address not in self._warned:
                self._warned.add(address)
                self.listener.warned(
                    f"worker {address} has not been heard of for {silent:.0f} s; what it has waits for it"
                )

    def _count(self, workers: int) -> None:
        now = time.monotonic()
        if workers:
            self._without_since = None
        elif self._without_since is None:
            self._without_since = now
        elif now - self._without_since > self.worker_seconds:
            raise BoardspaceError(
                f"{self.where}: the scheduler answers, but no worker joined within {self.worker_seconds:.0f} s; start "
                "workers, or raise worker_seconds in the file of --cluster"
            )
