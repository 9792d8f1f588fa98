"""An HTCondor of one node on this machine, from Debian's package condor.

Debian 12 has no such package. There the variable ``BOARDSPACE_CONDOR_ROOT`` may name the root folder of a Debian 13
with it, as ``make condor-root`` makes one: its programs run with that root, in which the machine's folders of Python
and of the test are mounted. All of it lives in one :class:`tests.cluster.host.Host`, which is also where those mounts
end.

HTCondor takes no jobs of root. So its daemons and jobs are a usual user's, who is root's own self in a namespace of
users: files of root are that user's.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cluster.host import Completed, Host, needs_root, wait_until
from tests.wheel.conftest import newest_interpreter

ROOT = Path(os.environ.get("BOARDSPACE_CONDOR_ROOT", "/"))
PROGRAMS = ("condor_master", "condor_submit", "condor_wait", "condor_status")
USER = 1000
NAME, ADDRESS = "head", "10.213.1.1"
# The node claims more than the machine has: what runs on it sleeps, or is small.
CONFIGURATION = """
CONDOR_HOST = {address}
NETWORK_INTERFACE = {address}
LOCAL_DIR = {folder}
RUN = $(LOCAL_DIR)/run
LOG = $(LOCAL_DIR)/log
SPOOL = $(LOCAL_DIR)/spool
EXECUTE = $(LOCAL_DIR)/execute
LOCK = $(LOCAL_DIR)/lock
RELEASE_DIR = /usr
LIB = /usr/lib/condor
LIBEXEC = /usr/libexec/condor
SBIN = /usr/sbin
BIN = /usr/bin
DAEMON_LIST = MASTER COLLECTOR NEGOTIATOR SCHEDD STARTD
COLLECTOR_HOST = $(CONDOR_HOST):9618
USE_SHARED_PORT = False
UID_DOMAIN = test
FILESYSTEM_DOMAIN = test
TRUST_UID_DOMAIN = True
SEC_DEFAULT_AUTHENTICATION = REQUIRED
SEC_DEFAULT_AUTHENTICATION_METHODS = FS
ALLOW_READ = *
ALLOW_WRITE = *
ALLOW_ADMINISTRATOR = *
ALLOW_NEGOTIATOR = *
ALLOW_DAEMON = *
MAIL = /bin/true
NUM_CPUS = 6
MEMORY = 64000
START = True
SUSPEND = False
PREEMPT = False
KILL = False
BASE_CGROUP =
NEGOTIATOR_INTERVAL = 2
NEGOTIATOR_CYCLE_DELAY = 1
NEGOTIATOR_MIN_INTERVAL = 1
SCHEDD_INTERVAL = 2
SCHEDD_MIN_INTERVAL = 1
UPDATE_INTERVAL = 5
"""


def needs_condor() -> None:
    """Skip the test where this HTCondor cannot be started."""
    needs_root()
    path = os.pathsep.join(str(ROOT / folder) for folder in ("usr/bin", "usr/sbin"))
    missing = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    if missing:
        pytest.skip(f"no {', '.join(missing)}; Debian 13's package condor has them (make condor-root)")


class Condor(Host):
    """Inside ``with`` its daemons are up and its node takes jobs; ``environment`` is what jobs are submitted with.

    ``mounted`` are folders of the machine that jobs need, besides that of Python.
    """

    def __init__(self, folder: Path, shared: Path, environment: Mapping[str, str], *mounted: Path) -> None:
        super().__init__(NAME, {NAME: ADDRESS}, folder)
        self.shared = shared
        self.mounted = {folder, shared, Path(newest_interpreter()).resolve().parents[1], *mounted}
        self.environment = {**environment, "CONDOR_CONFIG": str(folder / "condor_config")}

    def boot(self) -> None:
        """Start the host, then HTCondor."""
        super().boot()
        self.run("ip", "address", "add", f"{ADDRESS}/32", "dev", "lo")
        (self.folder / "condor_config").write_text(CONFIGURATION.format(address=ADDRESS, folder=self.folder))
        for name in ("run", "log", "spool", "execute", "lock"):
            (self.folder / name).mkdir()
        self._users()
        if not ROOT.samefile("/"):
            self._mount()
        self.start(self.folder / "master.out", *self._as_user("condor_master", "-f"), env=self.environment)
        wait_until(lambda: self.call("condor_status", "-af", "Name", check=False).stdout.strip(), "a node", 60)
        wait_until(lambda: self.call("condor_q", check=False).returncode == 0, "a queue", 60)

    def call(self, *command: object, check: bool = True) -> Completed:
        """Run one of HTCondor's commands, or any, as the user in the shared folder."""
        return self.run(*self._as_user(*command), env=self.environment, check=check)

    def start_as_user(self, log: Path, *command: object) -> subprocess.Popen[bytes]:
        """Start a command as the user in the shared folder; what it says goes to a file."""
        return self.start(log, *self._as_user(*command), env=self.environment)

    def _as_user(self, *command: object) -> list[object]:
        names = ("unshare", "--user", f"--map-user={USER}", f"--map-group={USER}")
        return [*names, f"--root={ROOT}", f"--wd={self.shared}", *command]

    def _users(self) -> None:
        """Give the user a name, on this host alone."""
        for name, line in (
            ("passwd", f"tester:x:{USER}:{USER}::{self.shared}:/bin/sh"),
            ("group", f"tester:x:{USER}:"),
        ):
            own, theirs = self.folder / name, ROOT / "etc" / name
            kept = [one for one in theirs.read_text().splitlines() if one.split(":")[2] != str(USER)]
            own.write_text("\n".join([*kept, line, ""]))
            self.run("mount", "--bind", own, theirs)

    def _mount(self) -> None:
        """Mount what its programs and jobs see of the machine."""
        for path in (*self.mounted, Path("/dev"), Path("/dev/shm"), self.folder / "hosts"):
            inside = ROOT / ("etc/hosts" if path.name == "hosts" else path.relative_to("/"))
            self.run(*(("touch", inside) if path.is_file() else ("mkdir", "-p", inside)))
            self.run("mount", "--bind", path, inside)
        self.run("mount", "-t", "proc", "proc", ROOT / "proc")
