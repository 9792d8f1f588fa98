"""Real servers of the S3 protocol on loopback, and a proxy that counts what passes and can spoil it."""

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import socketserver
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

LOOPBACK = "127.0.0.1"
KEY, SECRET = "key", "secret"
BUCKET = "bucket"
SECONDS = "7200"  # a server lives no longer than this, whatever happens to its tests
IDENTITIES = {
    "identities": [
        {
            "name": "owner",
            "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
            "actions": ["Admin", "Read", "Write", "List", "Tagging"],
        },
        {"name": "reader", "credentials": [{"accessKey": "reader", "secretKey": SECRET}], "actions": ["Read", "List"]},
    ]
}


def environment_of(port: int) -> dict[str, str]:
    """What a user would set to reach the server at this port."""
    return {
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{LOOPBACK}:{port}",
    }


@contextmanager
def moto() -> Iterator[int]:
    """moto's server: keeps objects in memory, and believes whoever asks."""
    [port] = free_ports(1)
    with running([sys.executable, "-m", "moto.server", "-H", LOOPBACK, "-p", str(port)], port, "/"):
        yield port


@contextmanager
def seaweedfs(folder: Path) -> Iterator[int]:
    """SeaweedFS: a store that people run; it checks signatures, rights and checksums."""
    weed = shutil.which("weed", path=str(Path(sys.executable).parent))
    assert weed is not None
    folder.mkdir()
    (folder / "identities.json").write_text(json.dumps(IDENTITIES))
    services = ("master", "volume", "filer", "s3")
    ports = dict(zip([f"{s}.port{kind}" for s in services for kind in ("", ".grpc")], free_ports(8), strict=True))
    command = [
        weed,
        "server",
        f"-dir={folder}",
        f"-ip={LOOPBACK}",
        f"-ip.bind={LOOPBACK}",
        "-filer",
        "-s3",
        f"-s3.config={folder / 'identities.json'}",
        "-s3.port.iceberg=0",
        "-s3.port.lance=0",
        "-master.telemetry=false",
        "-master.volumeSizeLimitMB=64",
        "-volume.max=20",
        *(f"-{name}={port}" for name, port in ports.items()),
    ]
    with running(command, ports["s3.port"], "/status"):
        yield ports["s3.port"]


def has_seaweedfs() -> bool:
    """Whether its program is installed beside Python."""
    return shutil.which("weed", path=str(Path(sys.executable).parent)) is not None


@contextmanager
def running(command: list[str], port: int, path: str) -> Iterator[None]:
    """A server, from when it answers; it ends with the block, or by itself after :data:`SECONDS`."""
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(["timeout", SECONDS, *command], stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        for _ in range(600):
            assert server.poll() is None, f"{command[0]} ended with {server.returncode}"
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
                connection.request("GET", path)
                if connection.getresponse().status < 500:
                    break
            time.sleep(0.1)
        else:
            raise AssertionError(f"{command[0]} does not answer")
        yield
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens at, all different."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind((LOOPBACK, 0))
        return [one.getsockname()[1] for one in sockets]


@dataclass(frozen=True)
class Request:
    """What passed the proxy: its place among all, and its size there and back."""

    number: int
    method: str
    path: str
    sent: int
    received: int = 0
    status: int = 0


Spoil = Callable[[Request], str]


@dataclass
class Proxy:
    """Between a client and a server. ``spoil`` names what happens to a request, or '':

    ``busy`` (503, not passed on), ``reset`` (cut before it is passed on), ``lost`` (passed on, the answer is cut off),
    ``torn`` (half of the upload is passed on), ``flipped`` (one bit of it is another),
    ``half`` (half of the answer is passed back).
    """

    port: int
    spoil: Spoil = lambda _: ""
    requests: list[Request] = field(default_factory=list)
    spoilt: dict[str, int] = field(default_factory=dict)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """What a user would set to go through it."""
        return environment_of(self.port)


@contextmanager
def proxied(upstream: int) -> Iterator[Proxy]:
    """A proxy in threads of this process."""
    proxy = Proxy(0)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Nothing."""

        def handle_one_request(self) -> None:
            with contextlib.suppress(ConnectionError, BrokenPipeError):
                super().handle_one_request()
                return
            self.close_connection = True

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            with lock:
                request = Request(len(proxy.requests), self.command, self.path, len(body))
                fault = proxy.spoil(request)
                proxy.requests.append(request)
                proxy.headers.append({name.lower(): value for name, value in self.headers.items()})
                if fault:
                    proxy.spoilt[fault] = proxy.spoilt.get(fault, 0) + 1
            if fault == "busy":
                self.reply(503, {}, b"<Error><Code>SlowDown</Code></Error>")
            elif fault == "reset":
                self.cut()
            else:
                self.pass_on(request, fault, body)

        def pass_on(self, request: Request, fault: str, body: bytes) -> None:
            if fault == "flipped" and body:
                body = bytes([body[0] ^ 1]) + body[1:]
            connection = http.client.HTTPConnection(LOOPBACK, upstream, timeout=60)
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() != "connection":
                    connection.putheader(name, value)
            connection.endheaders()
            if fault == "torn":
                connection.send(body[: len(body) // 2])
                connection.close()
                self.cut()
                return
            connection.send(body)
            response = connection.getresponse()
            content = response.read()
            connection.close()
            proxy.requests[request.number] = Request(
                request.number, request.method, request.path, request.sent, len(content), response.status
            )
            if fault == "lost":
                self.cut()
                return
            headers = {n: v for n, v in response.getheaders() if n.lower() not in {"connection", "transfer-encoding"}}
            self.reply(response.status, headers, content, half=fault == "half")

        def reply(self, status: int, headers: Mapping[str, str], content: bytes, half: bool = False) -> None:
            self.send_response_only(status)
            for name, value in headers.items():
                if name.lower() != "content-length" or self.command == "HEAD":
                    self.send_header(name, value)
            if self.command != "HEAD" and status != 204:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if half else content)
            if half and content:
                self.wfile.flush()
                self.cut()

        def cut(self) -> None:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()

        do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer  # noqa: N815

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, *_: Any) -> None:
            """A client that went away is no fault of the proxy's."""

    with Server((LOOPBACK, 0), Handler) as server:
        proxy.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield proxy
        finally:
            server.shutdown()
