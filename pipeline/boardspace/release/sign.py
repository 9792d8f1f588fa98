"""Signing a release: its manifest, and by that every file of every dataset, with an OpenSSH key of the publisher's."""

from collections.abc import Callable
from pathlib import Path

from boardspace.release.dataset import PublishError
from boardspace.storage.files import read_regular
from boardspace.storage.locations import Location
from boardspace.storage.mirror import held, local_copy
from boardspace.storage.release_documents import LONGEST as LONGEST_MANIFEST
from boardspace.storage.release_documents import entries_in
from boardspace.storage.release_folder import MANIFEST, SIGNATURE
from boardspace.storage.stored import put_bytes, stored
from boardspace.verify.files import FileFaultError
from boardspace.verify.release import verify_release
from boardspace.verify.release_inputs import datasets_in
from boardspace.verify.result import faults_text
from boardspace.verify.signature import (
    Signature,
    SignatureError,
    copied,
    require_ssh_keygen,
    signature_of,
    signed,
    why_altered,
)

LONGEST_KEY = 1 << 20
HOW = "`ssh-keygen -t ed25519 -f FILE` makes one"


def sign(release: Location, key: Path, report: Callable[[str], None]) -> Signature:
    """Sign a release with the private key in a file, or by an agent that has that of a public key.

    It is verified by its hashes first: nobody signs what is damaged, or has a dataset that is not what the manifest
    says. A release that this key signed already stays as it is. PublishError, or SignatureError, says what stands in
    the way, such as a signature of somebody else.
    """
    require_key(key)
    with local_copy(release) as folder:
        manifest = _sound_manifest(release, folder, report)
        made, there = signed(manifest, key), _valid(folder, manifest)
    if there is not None and there.key != made.key:
        raise PublishError(
            f"{release / SIGNATURE}: is the signature of another key, {there.fingerprint}; delete it to sign again"
        )
    if there is None:
        with held(release, report):
            if stored(release / MANIFEST).read(LONGEST_MANIFEST) != manifest:
                raise PublishError(f"{release}: another command changed it meanwhile; sign it again")
            put_bytes(release / SIGNATURE, made.text, "release-signature")
    return there or made


def _sound_manifest(release: Location, folder: Path, report: Callable[[str], None]) -> bytes:
    """The manifest of a release, a local copy of which lies in a folder; PublishError where the release has faults."""
    if not datasets_in(folder) or not (folder / MANIFEST).is_file():
        raise PublishError(f"{release}: no release here: there is no {MANIFEST}; `boardspace publish` makes one")
    report(f"{release}: comparing the hashes of what is to be signed")
    result = verify_release(folder, "hashes", [])
    if result.faults:
        raise PublishError(faults_text(release, result.faults, "signed"))
    manifest = stored(folder / MANIFEST).read(LONGEST_MANIFEST)
    for entry in entries_in(manifest):  # of which the verification made the pages, so that it is whole
        for path in (entry["sums"]["path"], entry["archive"]["path"]):
            if not (folder / path).is_file():
                raise PublishError(
                    f"{release}: its {MANIFEST} names {path}, which is not here, so that nobody knows what would "
                    "be signed; fetch it, or publish again what is here"
                )
    return manifest


def require_key(key: Path) -> None:
    """SignatureError where nothing can be signed with this key, as far as that is known without its passphrase."""
    require_ssh_keygen()
    if not key.is_file():
        raise SignatureError(f"{key}: no file of a key is here; {HOW}")
    try:
        read_regular(key, LONGEST_KEY, follow=True)
    except OSError as error:
        raise SignatureError(f"{key}: no file of a key ({error.strerror}); {HOW}") from error


def drop_signature(release: Location, manifest: bytes, report: Callable[[str], None]) -> None:
    """Remove the signature of a release whose manifest is about to be another one: it would be of nothing."""
    there, signature = stored(release / MANIFEST), stored(release / SIGNATURE)
    if signature.exists() and (there.size() != len(manifest) or there.read(len(manifest)) != manifest):
        signature.remove()
        report(f"{release / SIGNATURE}: removed, as it was of the release before; sign it again with `boardspace sign`")


def _valid(folder: Path, manifest: bytes) -> Signature | None:
    try:
        found = signature_of(folder)
    except FileFaultError:
        return None
    with copied(found) as copy:
        return None if why_altered(found, copy, manifest) else found
