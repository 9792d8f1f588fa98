"""Blocks of numba's simulator of a GPU whose threads wake one another.

Its own are asked in turns whether they have ended or wait for the others, which takes most of the time of small ones.
"""

import threading
from typing import Any

import numpy as np
from numba.cuda.simulator import kernel


class Block(kernel.BlockManager):
    """Runs the threads of a block: those that wait for all go on once all that have not ended wait."""

    def run(self, grid_point: Any, *arguments: Any) -> None:
        """Called by the simulator for each block; raises what a thread of it raised."""
        self.changed, self.turn, self.waiting = threading.Condition(), 0, 0
        points = list(np.ndindex(*self._block_dim))
        self.left = len(points)
        self.failed = False
        threads = [Thread(lambda: self._f(*arguments), self, grid_point, point, self._debug) for point in points]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for thread in threads:
            if thread.exception:
                raise thread.exception[0].with_traceback(thread.exception[1])

    def go_on(self) -> None:
        """Where all wait, have them go on."""
        if self.waiting == self.left or self.failed:
            self.turn, self.waiting = self.turn + 1, 0
            self.changed.notify_all()


class Thread(kernel.BlockThread):
    """One of the threads of a block."""

    def run(self) -> None:
        """What it does, then those may go on that would wait for it."""
        super().run()
        block = self._manager
        with block.changed:
            block.left -= 1
            block.failed |= self.exception is not None
            block.go_on()

    def syncthreads(self) -> None:
        """Called by kernels."""
        block = self._manager
        with block.changed:
            turn = block.turn
            block.waiting += 1
            block.go_on()
            block.changed.wait_for(lambda: block.turn != turn)
            if block.failed:
                raise RuntimeError("another thread of the block failed")
