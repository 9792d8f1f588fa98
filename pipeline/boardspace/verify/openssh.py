"""OpenSSH signatures (SSHSIG) of files: read here, made and checked by ``ssh-keygen -Y``.

A signature is an armoured text that holds the signer's public key, a namespace, which says what for, and the signature
itself (PROTOCOL.sshsig of OpenSSH). It holds no time and no name: who has a key is told by a file of allowed signers
(``ssh-keygen``, ALLOWED SIGNERS), a line each: names, options such as ``valid-before``, the key.
"""

import base64
import hashlib
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boardspace.spec.errors import BoardspaceError

PROGRAM = "ssh-keygen"
MAGIC = b"SSHSIG"
VERSION = 1
ARMOUR = re.compile(rb"-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END SSH SIGNATURE-----\r?\n?")
LONGEST = 1 << 16
"""Bytes of a signature; that of an RSA key of 16,384 bits has a ninth of it."""


class SignatureError(BoardspaceError):
    """Something cannot be signed, or its signature cannot be checked, and what to do about it."""


@dataclass(frozen=True)
class Signature:
    """Signature as it stands: nothing that it says of itself is proved before it is checked.

    text: the armoured signature.
    key: the public key as the protocol has it.
    namespace: what it was made for.
    """

    text: bytes
    key: bytes
    namespace: str

    @property
    def fingerprint(self) -> str:
        """The key's fingerprint as OpenSSH prints it."""
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.key).digest()).decode().rstrip("=")

    @property
    def key_type(self) -> str:
        """The key's type, such as ``ssh-ed25519``."""
        return next(_strings(self.key)).decode("ascii", "backslashreplace")


def parse_signature(text: bytes) -> Signature:
    """A signature taken apart; ValueError where the text is none."""
    matched = ARMOUR.fullmatch(text)
    if matched is None or len(text) > LONGEST:
        raise ValueError("it is no armoured text of one")
    try:
        content = base64.b64decode(b"".join(matched[1].split()), validate=True)
    except ValueError as error:
        raise ValueError("it is no Base64") from error
    if base64.b64encode(content) != b"".join(matched[1].split()):  # bits beyond the last byte
        raise ValueError("it is not the only Base64 of its bytes")
    if content[: len(MAGIC) + 4] != MAGIC + struct.pack(">I", VERSION):
        raise ValueError("it is of another kind, or of another version")
    fields = list(_strings(content[len(MAGIC) + 4 :]))
    if len(fields) != 5 or not fields[0]:
        raise ValueError("it has other fields")
    signature = Signature(text, fields[0], fields[1].decode("utf-8", "backslashreplace"))
    list(_strings(signature.key))
    return signature


def has_ssh_keygen() -> bool:
    """True where ``ssh-keygen`` is here."""
    return shutil.which(PROGRAM) is not None


def require_ssh_keygen() -> str:
    """The path of ``ssh-keygen``; SignatureError where there is none."""
    found = shutil.which(PROGRAM)
    if found is None:
        raise SignatureError(f"{PROGRAM} is not here, and signatures need it: install OpenSSH 8.9 or later")
    return found


def signed(content: bytes, key: Path, namespace: str) -> Signature:
    """The signature of a content by the private key in a file, or by an agent that has that of a public key.

    SignatureError says what stands in the way. ``ssh-keygen`` asks at the terminal for a passphrase.
    """
    done = _ssh_keygen(["sign", "-q", "-f", str(key.absolute()), "-n", namespace], content)
    if done.returncode:
        raise SignatureError(f"{key}: cannot sign with it ({_message(done)})")
    try:
        return parse_signature(done.stdout)
    except ValueError as error:
        raise SignatureError(f"{key}: {PROGRAM} made no signature with it: {error}") from error


def is_of(signature: Path, content: bytes, namespace: str) -> bool:
    """True where the signature in a file is one of this content for this namespace, by whomever."""
    return _ssh_keygen(["check-novalidate", "-n", namespace, "-s", str(signature)], content).returncode == 0


def signer_of(signature: Path, content: bytes, namespace: str, allowed: Path) -> tuple[str, str]:
    """Allowed signer who made the signature in a file, and ''; or '' and why none of them did."""
    file = str(allowed.absolute())
    found = _ssh_keygen(["find-principals", "-s", str(signature), "-f", file], b"")
    if found.returncode:
        return "", _message(found)
    reason = ""
    for name in found.stdout.decode("utf-8", "backslashreplace").splitlines():
        options = ["verify", "-f", file, "-I", name, "-n", namespace, "-s", str(signature)]
        done = _ssh_keygen(options, content)
        if done.returncode == 0:
            return name, ""
        reason = _message(done)
    return "", reason


def _ssh_keygen(options: list[str], content: bytes) -> subprocess.CompletedProcess[bytes]:
    command, environment = [require_ssh_keygen(), "-Y", *options], {**os.environ, "LC_ALL": "C"}
    try:
        return subprocess.run(command, input=content, capture_output=True, check=False, env=environment)
    except OSError as error:
        raise SignatureError(f"{command[0]}: cannot be run ({error.strerror}); install OpenSSH 8.9 or later") from error


def _message(done: subprocess.CompletedProcess[bytes]) -> str:
    """Message of the program, in a line."""
    lines = done.stderr.decode("utf-8", "backslashreplace").splitlines()
    return "; ".join(line.strip() for line in lines if line.strip()) or f"{PROGRAM} ended with {done.returncode}"


def _strings(content: bytes) -> Iterator[bytes]:
    """The strings of a text in SSH's wire format, each after its length; ValueError where it ends in the middle."""
    while content:
        (length,) = struct.unpack(">I", content[:4].rjust(4, b"\xff"))
        if length > len(content) - 4:
            raise ValueError("it ends in the middle of a field")
        yield content[4 : 4 + length]
        content = content[4 + length :]
