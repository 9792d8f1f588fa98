"""Signature of the manifest of a release: it says who made it.

``release.json.sig`` signs ``release.json``, which names every dataset with the SHA-256 of its ``SHA256SUMS`` and of its
archive; so one signature covers every file of every dataset, and one that is gone is missed. ``README.md`` and
``index.html`` follow from the manifest. It covers no site that ``boardspace atlas`` wrote beside the data.

OpenSSH signatures (SSHSIG) are read here, made and checked by ``ssh-keygen -Y``. A signature is an armoured text that
holds the signer's public key, a namespace, which says what for, and the signature itself (PROTOCOL.sshsig of OpenSSH).
It holds no time and no name: who has a key is told by a file of allowed signers (``ssh-keygen``, ALLOWED SIGNERS), a
line each: names, options such as ``valid-before``, the key.
"""

import base64
import hashlib
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from boardspace.spec.errors import BoardspaceError
from boardspace.storage.files import write_bytes
from boardspace.storage.release_documents import LONGEST as LONGEST_MANIFEST
from boardspace.storage.release_documents import entries_in
from boardspace.storage.release_folder import MANIFEST, SIGNATURE, SUMS
from boardspace.storage.scratch import scratch_folder
from boardspace.verify.files import FileFaultError, content_of, opened
from boardspace.verify.release_inputs import Faults, datasets_in, has_sums
from boardspace.verify.result import Fault, Signed, Verification

PROGRAM = "ssh-keygen"
MAGIC = b"SSHSIG"
VERSION = 1
NAMESPACE = "boardspace-release"
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


def require_ssh_keygen() -> str:
    """The path of ``ssh-keygen``; SignatureError where there is none."""
    found = shutil.which(PROGRAM)
    if found is None:
        raise SignatureError(f"{PROGRAM} is not here, and signatures need it: install OpenSSH 8.9 or later")
    return found


def signed(manifest: bytes, key: Path) -> Signature:
    """The signature of a manifest by the private key in a file, or by an agent that has that of a public key.

    SignatureError says what stands in the way. ``ssh-keygen`` asks at the terminal for a passphrase.
    """
    done = _ssh_keygen(["sign", "-q", "-f", str(key.absolute()), "-n", NAMESPACE], manifest)
    if done.returncode:
        raise SignatureError(f"{key}: cannot sign with it ({_message(done)})")
    try:
        return parse_signature(done.stdout)
    except ValueError as error:
        raise SignatureError(f"{key}: {PROGRAM} made no signature with it: {error}") from error


def signer_of(signature: Path, manifest: bytes, allowed: Path) -> tuple[str, str]:
    """Allowed signer who made the signature in a file, and ''; or '' and why none of them did."""
    file = str(allowed.absolute())
    found = _ssh_keygen(["find-principals", "-s", str(signature), "-f", file], b"")
    if found.returncode:
        return "", _message(found)
    reason = ""
    for name in found.stdout.decode("utf-8", "backslashreplace").splitlines():
        done = _ssh_keygen(["verify", "-f", file, "-I", name, "-n", NAMESPACE, "-s", str(signature)], manifest)
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


LONGEST_SIGNERS = 1 << 20
HOW = "give one with a line for each: a name, then the line of their .pub file"


def require_signers(allowed: Path) -> None:
    """SignatureError where signatures cannot be checked: no program for it, or no list of allowed signers."""
    require_ssh_keygen()
    try:
        content = content_of(allowed.resolve(), LONGEST_SIGNERS)
    except FileFaultError as error:
        raise SignatureError(f"{allowed}: {error}; {HOW}") from error
    if not content.strip():
        raise SignatureError(f"{allowed}: is no file of allowed signers; {HOW}")


def with_signer(result: Verification, root: Path, allowed: Path | None) -> Verification:
    """The verification of a release, or of a dataset of one, with who of the allowed signers signed it, or why that is
    nobody. Where none is asked for, a signature is looked at for damage alone."""
    signed, notes = None, list[str]()
    if allowed is not None:
        signed, faults = verify_signature(root, allowed)
    elif has_sums(root) or not os.path.lexists(root / SIGNATURE):
        return result
    else:
        faults, notes = unnamed_signature(root)
    found = (*result.faults, *(Fault("hashes", where, what) for where, what in faults))
    return replace(result, faults=found, notes=(*result.notes, *notes), signed=None if found else signed)


def verify_signature(root: Path, allowed: Path) -> tuple[Signed | None, list[tuple[str, str]]]:
    """Allowed signer who signed the release, or the dataset of one, at ``root``; or what is wrong.

    Everything of the release has to be what it says, which :func:`.verify_release` tells, and the datasets have to be
    those of the manifest.
    """
    release = root.resolve().parent if has_sums(root) else root
    try:
        signature, manifest = signature_of(release), _read(release, MANIFEST, LONGEST_MANIFEST)
    except FileFaultError as error:
        return None, [(SIGNATURE, str(error))]
    with copied(signature) as copy:
        by, why = _signer(signature, copy, manifest, allowed)
    faults = [*([(SIGNATURE, why)] if why else []), *_other_datasets(root, manifest)]
    return (None if faults else Signed(by, f"{signature.key_type} {signature.fingerprint}")), faults


def unnamed_signature(release: Path) -> tuple[list[tuple[str, str]], list[str]]:
    """Faults of a signature, whoever made it, and a note that it says nothing yet."""
    unchecked = "`--signer FILE`, of allowed signers, tells whose it is"
    try:
        signature = signature_of(release)
        if not os.path.lexists(release / MANIFEST) or shutil.which(PROGRAM) is None:
            return [], [f"{SIGNATURE}: here, and not checked; {unchecked}"]
        with copied(signature) as copy:
            why = why_altered(signature, copy, _read(release, MANIFEST, LONGEST_MANIFEST))
    except FileFaultError as error:
        why = str(error)
    return ([(SIGNATURE, why)], []) if why else ([], [f"{SIGNATURE}: of this {MANIFEST}; {unchecked}"])


@contextmanager
def copied(signature: Signature) -> Iterator[Path]:
    """A private file of a signature, for a program that reads files."""
    with scratch_folder() as scratch:
        write_bytes(scratch / SIGNATURE, signature.text)
        yield scratch / SIGNATURE


def why_altered(signature: Signature, copy: Path, manifest: bytes) -> str:
    """Why a signature is not one of this manifest, or ''."""
    if signature.namespace != NAMESPACE:
        return f"was made for {signature.namespace!r}, and the signature of a release is for {NAMESPACE!r}"
    if not _ssh_keygen(["check-novalidate", "-n", NAMESPACE, "-s", str(copy)], manifest).returncode:
        return ""
    return f"is not a signature of this {MANIFEST}: one of the two was altered"


def _signer(signature: Signature, copy: Path, manifest: bytes, allowed: Path) -> tuple[str, str]:
    """Signer, and ''; or '' and why that is nobody who may sign."""
    if why := why_altered(signature, copy, manifest):
        return "", why
    by, why = signer_of(copy, manifest, allowed)
    if by:
        return by, ""
    key = f"the key {signature.fingerprint} ({signature.key_type})"
    if base64.b64encode(signature.key) in content_of(allowed.resolve(), LONGEST_SIGNERS).split():
        return "", f"was made with {key}, which {allowed} has and does not allow: {why}"
    return "", f"was made with {key}, which {allowed} does not have ({why})"


def _other_datasets(root: Path, manifest: bytes) -> Faults:
    """Datasets of the manifest that are not here, or others; of those here every file is compared by other means."""
    try:
        sums = {entry["name"]: entry["sums"]["sha256"] for entry in entries_in(manifest)}
    except (ValueError, KeyError, TypeError) as error:
        yield MANIFEST, f"is not the manifest of a release: {error!r}"
        return
    there = {folder.resolve().name: folder for folder in datasets_in(root)}
    if not has_sums(root):
        missing = sorted(sums.keys() - there.keys())
        yield from ((name, f"is not here, and the signed {MANIFEST} names it") for name in missing)
    for name, folder in there.items():
        try:
            with opened(folder / SUMS) as stream:
                found = hashlib.file_digest(stream, "sha256").hexdigest()
        except FileFaultError as error:
            yield f"{name}/{SUMS}", str(error)
            continue
        if sums.get(name) != found:
            yield f"{name}/{SUMS}", f"is not the list whose SHA-256 the signed {MANIFEST} has"


def signature_of(release: Path) -> Signature:
    """The signature of a release; FileFaultError where there is none."""
    if not os.path.lexists(release / SIGNATURE):
        raise FileFaultError("is not here: the release is not signed, so nothing says who made it")
    text = _read(release, SIGNATURE, LONGEST)
    try:
        return parse_signature(text)
    except ValueError as error:
        raise FileFaultError(f"is no OpenSSH signature: {error}") from error


def _read(release: Path, name: str, longest: int) -> bytes:
    if not os.path.lexists(release / name):
        raise FileFaultError(f"{name} is not here, and that is what is signed")
    try:
        return content_of(release / name, longest)
    except FileFaultError as error:
        raise FileFaultError(f"{name} {error}") from error
