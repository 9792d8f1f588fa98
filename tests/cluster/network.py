"""Hosts at one switch: each a :class:`tests.cluster.host.Host` with a cable (a veth pair) to a bridge.

The bridge is in a namespace of its own, so that nothing of it is seen, or reached, from the machine.
"""

import socket
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.cluster.host import Host

SUBNET = "10.214.0"
# One end of a poor cable: frames of a tap device go to the other end, late, and not all of them.
END = """
import fcntl, os, queue, random, socket, struct, sys, threading, time
name, wire, delay, loss = sys.argv[1], socket.socket(fileno=int(sys.argv[2])), float(sys.argv[3]), float(sys.argv[4])
tap = os.open("/dev/net/tun", os.O_RDWR)
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TAP | IFF_NO_PI))
late = queue.SimpleQueue()
def send():
    while True:
        due, frame = late.get()
        time.sleep(max(0.0, due - time.monotonic()))
        wire.send(frame)
def receive():
    while True:
        frame = wire.recv(1 << 16)
        try:
            os.write(tap, frame)
        except OSError:
            pass  # the device is down, so the frame is lost
for target in (send, receive):
    threading.Thread(target=target, daemon=True).start()
print("up", flush=True)
while True:
    frame = os.read(tap, 1 << 16)
    if random.random() < loss:
        print("lost", file=sys.stderr, flush=True)
    else:
        late.put((time.monotonic() + delay, frame))
"""


@dataclass(frozen=True)
class Poor:
    """A cable on which each frame takes ``delay`` seconds longer, and is lost with a probability of ``loss``."""

    delay: float
    loss: float


class Network:
    """Hosts by name, up and linked inside ``with``; what they write to ``folder`` all of them see.

    Hosts in ``poor`` have such a cable. Kernels without netem have tap devices, so that these cables are programs.
    """

    def __init__(self, names: Sequence[str], folder: Path, poor: Mapping[str, Poor] | None = None) -> None:
        self.poor = poor or {}
        self.addresses = {name: f"{SUBNET}.{number}" for number, name in enumerate(names, 1)}
        self.folder = folder
        self.hosts: dict[str, Host] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.switch = stack.enter_context(Host("switch", {}, self.folder / "switch"))
            self.switch.run("ip", "link", "add", "bridge", "type", "bridge")
            self.switch.run("ip", "link", "set", "bridge", "up")
            for name in self.addresses:
                host = Host(name, self.addresses, self.folder / name)
                self.hosts[name] = stack.enter_context(host)
                self._plug_in(host)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def __getitem__(self, name: str) -> Host:
        return self.hosts[name]

    def cut(self, name: str) -> None:
        """Pull the host's cable: what is sent either way is lost, and nobody is told."""
        self.switch.run("ip", "link", "set", f"to-{name}", "down")

    def join(self, name: str) -> None:
        """Plug it in again."""
        self.switch.run("ip", "link", "set", f"to-{name}", "up")

    def _plug_in(self, host: Host) -> None:
        port = f"to-{host.name}"
        if host.name in self.poor:
            self._lay_poor_cable(host, port, self.poor[host.name])
        else:
            # Only the network is the switch's: the number of the host's process is told as the machine counts.
            self.switch.run_in_network("ip", "link", "add", port, "type", "veth", "peer", "eth0", "netns", host.pid)
        self.switch.run("ip", "link", "set", port, "master", "bridge", "up")
        host.run("ip", "address", "add", f"{self.addresses[host.name]}/24", "dev", "eth0")
        host.run("ip", "link", "set", "eth0", "up")

    def lost(self, name: str) -> int:
        """How many frames the poor cable of a host has lost."""
        return sum((end.folder / f"cable-{name}.log").read_text().count("lost") for end in (self.switch, self[name]))

    def _lay_poor_cable(self, host: Host, port: str, poor: Poor) -> None:
        """A process at each end, which ends with its host."""
        wires = socket.socketpair(type=socket.SOCK_SEQPACKET)
        for end, device, wire in zip((self.switch, host), (port, "eth0"), wires, strict=True):
            command = end.command("python3", "-c", END, device, wire.fileno(), poor.delay, poor.loss)
            with wire, (end.folder / f"cable-{host.name}.log").open("wb") as log:
                process = subprocess.Popen(command, pass_fds=[wire.fileno()], stdout=subprocess.PIPE, stderr=log)
            assert process.stdout is not None
            assert process.stdout.readline() == b"up\n"
