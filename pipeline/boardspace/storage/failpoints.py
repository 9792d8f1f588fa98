"""Named places in the storage code where a test can make the process die or the disk fail.

``BOARDSPACE_FAILPOINT=POINT@ACTION@TOKEN`` arms one: the first process that reaches POINT (an ``fnmatch`` pattern) and
makes the file TOKEN carries out ACTION, which is ``kill`` (SIGKILL to itself) or an errno's name such as ``ENOSPC``.
Unarmed, :func:`reached` is one look at the environment.
"""

import errno
import fnmatch
import os
import signal
from pathlib import Path

from boardspace.spec.errors import BoardspaceError

VARIABLE = "BOARDSPACE_FAILPOINT"


def reached(point: str) -> None:
    """Say that the code is at ``point``, for example ``receipt:renamed``."""
    armed = os.environ.get(VARIABLE)
    if armed:
        _trip(armed, point)


def _trip(armed: str, point: str) -> None:
    pattern, action, token = ([*armed.split("@", 2), "", ""])[:3]
    number = getattr(errno, action, None)
    if not token or not (action == "kill" or isinstance(number, int)):
        raise BoardspaceError(f"{VARIABLE}={armed}: is POINT@ACTION@TOKEN, ACTION kill or an errno's name; unset it")
    if not fnmatch.fnmatch(point, pattern):
        return
    try:
        Path(token).touch(exist_ok=False)
    except FileExistsError:
        return
    if number is None:
        os.kill(os.getpid(), signal.SIGKILL)
    else:
        raise OSError(number, os.strerror(number), point)
