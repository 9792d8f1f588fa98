"""A SLURM of several logical nodes on this machine, from Debian's packages slurm-wlm and munge.

All of it lives in one :class:`tests.cluster.host.Host`; configuration, key, state and logs are in its folder. Nothing
of the system's configuration is read or written, and everything ends with the host.
"""

import re
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cluster.host import Completed, Host, needs_root, wait_until

HEAD, ADDRESS = "head", "10.213.0.1"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
# Nodes claim more than the machine has: what runs on them sleeps, or is small.
CONFIGURATION = """
ClusterName=test
SlurmctldHost={head}({address})
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
ReturnToService=1
KillWait=2
SlurmdTimeout=30
SchedulerParameters=bf_interval=2,sched_interval=2,batch_sched_delay=0
NodeName=n[1-{nodes}] NodeHostname={head} NodeAddr={address} Port=[18001-1800{nodes}] CPUs=2 RealMemory=16000
PartitionName=main Nodes=ALL Default=YES State=UP
"""


def needs_slurm() -> None:
    """Skip the test where this SLURM cannot be started."""
    needs_root()
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        pytest.skip(f"no {', '.join(missing)}; Debian's packages slurm-wlm and munge have them (make cluster)")


class Slurm(Host):
    """Inside ``with`` its daemons are up and its nodes idle; ``environment`` is what jobs are submitted with."""

    def __init__(self, folder: Path, shared: Path, environment: Mapping[str, str], nodes: int = 4) -> None:
        super().__init__(HEAD, {HEAD: ADDRESS}, folder)
        self.shared, self.nodes = shared, nodes
        self.environment = {**environment, "SLURM_CONF": str(folder / "slurm.conf")}

    def boot(self) -> None:
        """Start the host, then SLURM."""
        super().boot()
        self.run("ip", "address", "add", f"{ADDRESS}/32", "dev", "lo")
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(head=HEAD, address=ADDRESS, folder=self.folder, nodes=self.nodes)
        )
        self._start_munge()
        self._start_daemons()

    def _start_munge(self) -> None:
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(1024))
        files = [f"--{name}-file={self.folder / f'munge.{name}'}" for name in ("key", "pid", "log", "seed")]
        socket = self.folder / "munge.socket"
        log = self.folder / "munged.out"
        self.start(log, "munged", "--foreground", "--force", f"--socket={socket}", *files)
        wait_until(socket.exists, "munged", 30)

    def _start_daemons(self) -> None:
        (self.folder / "state").mkdir()
        self.start(self.folder / "slurmctld.out", "slurmctld", "-D", env=self.environment)
        for number in range(1, self.nodes + 1):
            (self.folder / f"spool-n{number}").mkdir()
            self.start(self.folder / f"slurmd{number}.out", "slurmd", "-D", "-N", f"n{number}", env=self.environment)
        wait_until(lambda: self.states() == ["idle"] * self.nodes, "idle nodes", 60)

    def call(self, *command: object, check: bool = True) -> Completed:
        """Run one of SLURM's commands, or any, as a user on the head node in the shared folder."""
        return self.run("env", "-C", self.shared, *command, env=self.environment, check=check)

    def states(self) -> list[str]:
        """The states of its nodes, in order."""
        return self.call("sinfo", "-hN", "-o", "%T", check=False).stdout.split()

    def submit(self, *arguments: object) -> int:
        """Submit a batch script; the job's number."""
        return int(self.call("sbatch", "--parsable", *arguments).stdout)

    def job(self, number: int, key: str) -> str:
        """What SLURM tells of a job under a key of ``scontrol show job``."""
        text = self.call("scontrol", "show", "job", number).stdout
        found = re.search(rf"\b{key}=(\S*)", text)
        assert found is not None, text
        return found[1]

    def wait_for_state(self, number: int, *states: str, seconds: float = 300) -> None:
        """Wait until a job is in one of these states; AssertionError, with its output, where it is not in time."""
        try:
            wait_until(lambda: self.job(number, "JobState") in states, f"job {number} in {states}", seconds)
        except AssertionError as error:
            output = self.shared / f"slurm-{number}.out"
            raise AssertionError(f"{error}: {output.read_text() if output.exists() else 'no output'}") from None
