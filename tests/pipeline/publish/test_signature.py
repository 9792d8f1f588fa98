"""A release says who made it: its manifest is signed by OpenSSH, and every way in which that may fail is told apart."""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from boardspace.release.dataset import PublishError
from boardspace.release.publish import publish
from boardspace.release.sign import sign
from boardspace.storage.archive import fill_archive
from boardspace.storage.release_documents import entry_of, release_documents
from boardspace.storage.release_folder import MANIFEST, RELEASE_DOCUMENTS, SIGNATURE, ReleaseFolder, read_sums
from boardspace.verify import Verification, verify
from boardspace.verify.signature import NAMESPACE, SignatureError, parse_signature, unnamed_signature
from tests.pipeline.publish.conftest import in_process, publish_quietly
from tests.pipeline.publish.test_verify_release import forge_claim, seal

KEYGEN = shutil.which("ssh-keygen")
pytestmark = pytest.mark.skipif(KEYGEN is None, reason="OpenSSH is not here")
WHO = "publisher@example.org"


def quietly(text: str) -> None:
    """Hear nothing."""


def key_in(folder: Path, name: str, kind: str = "ed25519") -> Path:
    """A new private key; its public one lies beside it."""
    subprocess.run([str(KEYGEN), "-q", "-t", kind, "-N", "", "-C", "", "-f", folder / name], check=True)
    return folder / name


def allow(key: Path, options: str = "", name: str = WHO) -> Path:
    """A file that allows a key."""
    file = key.with_name("allowed")
    file.write_text(f"{name} {options} {key.with_name(f'{key.name}.pub').read_text()}")
    return file


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return key_in(tmp_path_factory.mktemp("key"), "publisher")


@pytest.fixture
def signed(release: Path, key: Path, tmp_path: Path) -> Path:
    """A signed release."""
    folder = Path(shutil.copytree(release, tmp_path / "signed"))
    sign(folder, key, quietly)
    return folder


@pytest.fixture
def signers(key: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(allow(key), tmp_path / "signers"))


def told(result: Verification) -> str:
    return "\n".join(f"{fault.where}: {fault.what}" for fault in result.faults)


def sign_by_hand(content: bytes, key: Path, namespace: str) -> bytes:
    command = [str(KEYGEN), "-Y", "sign", "-q", "-f", str(key), "-n", namespace]
    return subprocess.run(command, input=content, capture_output=True, check=True).stdout


def test_a_signed_release_says_who_made_it(signed: Path, signers: Path) -> None:
    done = in_process("verify", signed, "--signer", signers)
    assert done.exit_code == 0, done.output
    assert f"signed by {WHO} with ssh-ed25519 SHA256:" in done.output
    assert json.loads(in_process("verify", signed, "--signer", signers, "--json").output)["signed"]["by"] == WHO


def test_one_dataset_of_a_signed_release_says_so_too(signed: Path, signers: Path) -> None:
    result = verify(signed / "toy", "hashes", signers=signers)
    assert result.signed is not None
    assert result.signed.by == WHO


def test_a_signature_that_nobody_asked_about_says_nothing_of_who_made_it(signed: Path) -> None:
    result = verify(signed, "hashes")
    assert result.faults == ()
    assert result.signed is None
    assert f"{SIGNATURE}: of this {MANIFEST}; `--signer FILE`, of allowed signers, tells whose it is" in result.notes


def test_every_flipped_bit_of_a_signature_is_found_though_nobody_asked_who_made_it(signed: Path) -> None:
    path = signed / SIGNATURE
    content = path.read_bytes()
    for bit in range(0, 8 * len(content), 61):
        path.write_bytes(content[: bit // 8] + bytes([content[bit // 8] ^ 1 << bit % 8]) + content[bit // 8 + 1 :])
        assert [where for where, _ in unnamed_signature(signed)[0]] == [SIGNATURE], bit


def test_openssh_by_itself_takes_the_signature(signed: Path, signers: Path) -> None:
    names = ["-f", str(signers), "-I", WHO, "-n", NAMESPACE, "-s", str(signed / SIGNATURE)]
    subprocess.run(
        [str(KEYGEN), "-Y", "verify", *names], input=(signed / MANIFEST).read_bytes(), check=True, capture_output=True
    )


@pytest.mark.parametrize("kind", ["ecdsa", "rsa"])
def test_keys_of_other_kinds_sign(release: Path, tmp_path: Path, kind: str) -> None:
    folder, key = shutil.copytree(release, tmp_path / "signed"), key_in(tmp_path, "key", kind)
    sign(folder, key, quietly)
    assert verify(folder, "hashes", signers=allow(key)).signed is not None


def without_signature(release: Path, key: Path) -> None:
    (release / SIGNATURE).unlink()


def of_another_manifest(release: Path, key: Path) -> None:
    (release / SIGNATURE).write_bytes(sign_by_hand(b"something else", key, NAMESPACE))


def for_another_namespace(release: Path, key: Path) -> None:
    (release / SIGNATURE).write_bytes(sign_by_hand((release / MANIFEST).read_bytes(), key, "git"))


def of_an_altered_byte(release: Path, key: Path) -> None:
    lines = (release / SIGNATURE).read_text().splitlines()
    last = lines[-2]
    lines[-2] = last[:8] + ("A" if last[8] != "A" else "B") + last[9:]
    (release / SIGNATURE).write_text("\n".join(lines) + "\n")


def torn(release: Path, key: Path) -> None:
    (release / SIGNATURE).write_bytes((release / SIGNATURE).read_bytes()[:-40])


def no_text(release: Path, key: Path) -> None:
    (release / SIGNATURE).write_bytes(os.urandom(300))


def a_link(release: Path, key: Path) -> None:
    (release / SIGNATURE).rename(release.with_name("elsewhere"))
    (release / SIGNATURE).symlink_to(release.with_name("elsewhere"))


def a_pipe(release: Path, key: Path) -> None:
    (release / SIGNATURE).unlink()
    os.mkfifo(release / SIGNATURE)


def without_manifest(release: Path, key: Path) -> None:
    (release / MANIFEST).unlink()


def one_more_blank(release: Path, key: Path) -> None:
    (release / MANIFEST).write_bytes((release / MANIFEST).read_bytes() + b"\n")


def without_the_dataset(release: Path, key: Path) -> None:
    shutil.copytree(release / "toy", release / "yot")
    shutil.rmtree(release / "toy")


def forged_anew(release: Path, key: Path) -> None:
    """All that follows from a forged claim made again, the manifest too, but for the signature."""
    archive = json.loads((release / MANIFEST).read_bytes())["datasets"][0]["archive"]
    claims = json.loads(in_process("claims", release, "--json").output)["toy"]
    forge_claim(release / "toy", claims[0]["claim"], {"evidence": "hearsay"})
    for name, text in release_documents([{**entry_of(release / "toy"), "archive": archive}]).items():
        (release / name).write_bytes(text)
    assert [fault.where for fault in verify(release, "structure").faults] == [SIGNATURE]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (without_signature, "is not here: the release is not signed"),
        (of_another_manifest, "is not a signature of this release.json"),
        (for_another_namespace, "was made for 'git', and the signature of a release is for 'boardspace-release'"),
        (of_an_altered_byte, "is not a signature of this release.json"),
        (torn, "is no OpenSSH signature"),
        (no_text, "is no OpenSSH signature"),
        (a_link, "cannot be read"),
        (a_pipe, "it is no regular file"),
        (without_manifest, "release.json is not here"),
        (one_more_blank, "is not a signature of this release.json"),
        (without_the_dataset, "toy: is not here, and the signed release.json names it"),
        (forged_anew, "is not a signature of this release.json: one of the two was altered"),
    ],
)
def test_what_is_wrong_with_a_signature_is_told(
    signed: Path, key: Path, signers: Path, damage: Callable[[Path, Path], None], said: str
) -> None:
    damage(signed, key)
    result = verify(signed, "hashes", signers=signers)
    assert said in told(result)
    assert result.signed is None
    assert in_process("verify", signed, "--level", "hashes", "--signer", signers).exit_code == 1


def test_a_file_that_is_gone_is_missed_though_its_sum_is_gone_too(signed: Path, signers: Path) -> None:
    """What a signature of every single file would not tell."""
    (signed / "toy" / "dictionary.csv").unlink()
    lines = (signed / "toy" / "SHA256SUMS").read_text().splitlines(keepends=True)
    (signed / "toy" / "SHA256SUMS").write_text("".join(line for line in lines if "dictionary.csv" not in line))
    for place in (signed, signed / "toy"):
        assert "is not the list whose SHA-256 the signed" in told(verify(place, "hashes", signers=signers))


def test_a_card_that_is_altered_with_its_sum_is_noticed(signed: Path, signers: Path) -> None:
    """No check derives a card again; a signature covers it."""
    card = signed / "toy" / "README.md"
    card.write_text(card.read_text().replace("CC0", "CC1"))
    seal_only_the_list(signed / "toy", card)
    assert verify(signed / "toy", "hashes").faults == ()
    assert "is not the list" in told(verify(signed / "toy", "hashes", signers=signers))


def seal_only_the_list(dataset: Path, changed: Path) -> None:
    """Make the list of sums follow, and put the manifest back, which is signed."""
    manifest = (dataset.parent / MANIFEST).read_bytes()
    seal(dataset, changed)
    (dataset.parent / MANIFEST).write_bytes(manifest)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ('valid-before="20200101"', "does not allow: .*has expired"),
        ('valid-after="20990101"', "does not allow: .*not yet valid"),
        ('namespaces="git,file"', "does not allow: .*not permitted for use in signature namespace"),
    ],
)
def test_a_key_that_is_allowed_at_another_time_or_for_something_else_is_told(
    signed: Path, key: Path, options: str, said: str
) -> None:
    with pytest.raises(AssertionError, match=said):
        raise AssertionError(told(verify(signed, "hashes", signers=allow(key, options))))


def test_a_key_that_nobody_allowed_is_told_with_its_fingerprint(signed: Path, key: Path, tmp_path: Path) -> None:
    said = told(verify(signed, "hashes", signers=allow(key_in(tmp_path, "other"))))
    fingerprint = parse_signature((signed / SIGNATURE).read_bytes()).fingerprint
    assert f"was made with the key {fingerprint} (ssh-ed25519), which" in said
    assert "does not have" in said
    listed = subprocess.run([str(KEYGEN), "-l", "-f", f"{key}.pub"], capture_output=True, text=True, check=True).stdout
    assert fingerprint in listed


@pytest.mark.parametrize("content", [None, "", "\n"])
def test_a_list_of_signers_that_is_none_is_an_error_before_anything_is_read(
    signed: Path, tmp_path: Path, content: str | None
) -> None:
    if content is not None:
        (tmp_path / "list").write_text(content)
    done = in_process("verify", signed, "--signer", tmp_path / "list")
    assert done.exit_code == 2
    assert "a name, then the line of their .pub file" in done.output


def test_without_openssh_it_is_said_what_is_missing(
    signed: Path, signers: Path, key: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for arguments in (("verify", signed, "--signer", signers), ("sign", signed, key)):
        done = in_process(*arguments)
        assert done.exit_code == 2
        assert "ssh-keygen is not here" in done.output
    done = in_process("verify", signed, "--level", "hashes")
    assert done.exit_code == 0
    assert f"{SIGNATURE}: here, and not checked" in done.output


def test_a_run_is_not_signed(run: Path, signers: Path) -> None:
    with pytest.raises(SignatureError, match="no release"):
        verify(run, "hashes", signers=signers)


def test_publish_signs_what_it_publishes(run: Path, key: Path, signers: Path, tmp_path: Path) -> None:
    command = ("publish", run, "--out", tmp_path / "release", "--verified", "--sign", key)
    done = in_process(*command)
    assert done.exit_code == 0, done.output
    before = (tmp_path / "release" / SIGNATURE).read_bytes()
    assert in_process(*command).exit_code == 0
    assert (tmp_path / "release" / SIGNATURE).read_bytes() == before
    assert verify(tmp_path / "release", "hashes", signers=signers).signed is not None
    assert {path.name for path in (tmp_path / "release").iterdir()} == {
        *("toy", "toy.tar", "toy.tar.sha256", *RELEASE_DOCUMENTS, SIGNATURE)
    }


def test_a_signature_goes_when_the_manifest_changes(signed: Path, run: Path, tmp_path: Path) -> None:
    said: list[str] = []
    publish(run, signed, [], said.append, verified=True)
    assert (signed / SIGNATURE).exists()
    (signed / MANIFEST).write_bytes((signed / MANIFEST).read_bytes().replace(b'"toy"', b'"yot"', 1))
    publish(run, signed, [], said.append, verified=True)
    assert not (signed / SIGNATURE).exists()
    assert any("removed, as it was of the release before" in line for line in said)


def test_the_signature_of_somebody_else_stays(signed: Path, tmp_path: Path) -> None:
    before = (signed / SIGNATURE).read_bytes()
    with pytest.raises(PublishError, match="is the signature of another key"):
        sign(signed, key_in(tmp_path, "other"), quietly)
    assert (signed / SIGNATURE).read_bytes() == before


def test_nobody_signs_a_release_with_faults(release: Path, key: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(release, tmp_path / "damaged"))
    (folder / "toy" / "README.md").write_text("altered")
    with pytest.raises(PublishError, match=r"so not to be signed:\n  toy/README.md"):
        sign(folder, key, quietly)
    with pytest.raises(PublishError, match="no release here"):
        sign(tmp_path, key, quietly)


def test_a_key_that_cannot_sign_is_told(release: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(release, tmp_path / "release"))
    (tmp_path / "key").write_text("no key")
    with pytest.raises(SignatureError, match="cannot sign with it"):
        sign(folder, tmp_path / "key", quietly)
    assert not (folder / SIGNATURE).exists()


def test_a_key_of_a_tebibyte_of_nothing_is_not_read(release: Path, tmp_path: Path) -> None:
    (tmp_path / "key").touch()
    os.truncate(tmp_path / "key", 1 << 40)
    with pytest.raises(SignatureError, match="a hole"):
        sign(release, tmp_path / "key", quietly)
    os.truncate(tmp_path / "key", 0)
    (tmp_path / "key").write_bytes(b"k" * (2 << 20))
    with pytest.raises(SignatureError, match="longer than 1,048,576 bytes"):
        sign(release, tmp_path / "key", quietly)


def test_what_is_published_again_is_the_same_whoever_signs(run: Path, release: Path, key: Path, tmp_path: Path) -> None:
    publish_quietly(run, tmp_path / "again")
    sign(tmp_path / "again", key, quietly)
    assert (tmp_path / "again" / MANIFEST).read_bytes() == (release / MANIFEST).read_bytes()


@pytest.mark.parametrize("cut", [0, 6, 10, 14, 40, 70, -1])
def test_a_signature_that_ends_anywhere_is_none(signed: Path, cut: int) -> None:
    text = (signed / SIGNATURE).read_bytes()
    content = base64.b64decode(b"".join(text.splitlines()[1:-1]))[:cut]
    lines = [b"-----BEGIN SSH SIGNATURE-----", base64.b64encode(content) or b"=", b"-----END SSH SIGNATURE-----", b""]
    with pytest.raises(ValueError, match="it "):
        parse_signature(b"\n".join(lines))


@pytest.mark.parametrize("lost", ["toy", "toy.tar"])
def test_nobody_signs_a_release_that_lacks_what_its_manifest_speaks_of(
    run: Path, release: Path, tmp_path: Path, lost: str
) -> None:
    folder = shutil.copytree(release, tmp_path / "release")
    shutil.copytree(release / "toy", folder / "other")
    names = sorted([*read_sums(folder / "other" / "SHA256SUMS"), "SHA256SUMS"])
    ReleaseFolder(folder, "other").put_archive(partial(fill_archive, folder / "other", names), lambda _: None)
    publish_quietly(run, folder)
    for path in folder.glob(f"{lost}*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(PublishError, match=f"release.json names {lost}"):
        sign(folder, key_in(tmp_path, "key"), lambda _: None)
    assert not (folder / "release.json.sig").exists()
