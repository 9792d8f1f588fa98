"""A downloaded dataset can be checked by itself; whatever was altered is named."""

import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boardspace.spec.claims import load_claims
from boardspace.spec.registry import space_named
from boardspace.spec.space import CLAIMS, Draw, Outcome
from boardspace.storage.digest import add, rows_digest
from boardspace.storage.records import encoded
from boardspace.storage.release_folder import MANIFEST, SUMS
from boardspace.verify import Verification, verify
from boardspace.verify.files import opened
from boardspace.verify.recompute import NOT_SMALL, checks_of_release
from boardspace.verify.release_inputs import published_in
from tests import toy
from tests.daily import daily
from tests.pipeline.forging import write_rows
from tests.pipeline.publish.conftest import SHIPPED, in_process


@pytest.fixture
def downloaded(release: Path, tmp_path: Path) -> Path:
    return shutil.copytree(release, tmp_path / "downloaded")


def faulty(result: Verification) -> list[str]:
    return [fault.where for fault in result.faults]


def seal(folder: Path, changed: Path) -> None:
    """Put the SHA-256 of a changed file into the list and leave archive and manifest out, as a forger would."""
    for other in [*folder.parent.glob(f"{folder.name}.tar*"), folder.parent / MANIFEST]:
        other.unlink(missing_ok=True)
    name = changed.relative_to(folder).as_posix()
    sha256 = hashlib.sha256(changed.read_bytes()).hexdigest()
    lines = [line for line in (folder / SUMS).read_text().splitlines() if not line.endswith(f"  {name}")]
    (folder / SUMS).write_text("\n".join([*lines, f"{sha256}  {name}"]) + "\n")


@pytest.mark.parametrize("part", ["", "toy"])
def test_a_release_or_one_dataset_of_it_has_no_faults(release: Path, part: str) -> None:
    done = in_process("verify", release / part, "--json")
    assert done.exit_code == 0
    said = json.loads(done.output)
    assert (said["level"], said["faults"]) == ("logic", [])
    assert said["rows"] > 2000
    assert said["cases"] > 20


def test_what_a_release_does_not_allow_is_told(release: Path) -> None:
    result = verify(release, "logic")
    made = {one.check: one.left for one in result.rederived}
    assert made == {"made again": NOT_SMALL, "ways": "", "statements": "", "claims": made["claims"]}
    assert "of the stage 'sums', and a release holds none of that" in made["claims"]
    assert f"toy: {made['claims']}" in result.notes
    printed = in_process("verify", release, "--columns")
    assert printed.exit_code == 0
    assert "sums.ways" in printed.output


def test_a_wrong_value_with_all_sums_made_anew_is_found_by_logic(downloaded: Path) -> None:
    path = sorted((downloaded / "toy" / "sums").iterdir())[0]
    rows = pq.read_table(path, partitioning=None)
    ways = pa.array([value.as_py() + 1 for value in rows.column("ways")], rows.schema.field("ways").type)
    write_rows(path, toy.SUMS, rows.set_column(1, rows.schema.field("ways"), ways))
    digests = [rows_digest(pq.read_table(file, partitioning=None)) for file in (downloaded / "toy" / "sums").iterdir()]
    record = json.loads((downloaded / "toy" / "COMPLETE").read_bytes())["record"]
    record["tables"]["sums"]["digest"] = add(digests)
    (downloaded / "toy" / "COMPLETE").write_bytes(encoded(record))
    for changed in (path, downloaded / "toy" / "COMPLETE"):
        seal(downloaded / "toy", changed)
    assert verify(downloaded, "structure").faults == ()
    assert faulty(verify(downloaded, "logic")) == ["toy: ways"]


def test_a_release_that_is_small_by_its_config_is_made_again_unasked(
    divided: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (result,) = [one for one in verify(divided, "logic").rederived if one.check == "made again"]
    assert (result.cases, result.left) == (result.of, "")
    work, complete = published_in(divided / "board_division")
    lines = complete.tables["lines"]
    forged = {**complete.tables, "lines": lines.model_copy(update={"digest": "0" + lines.digest[1:]})}
    check = checks_of_release(work, complete.model_copy(update={"tables": forged}))[0]
    assert check.run(work.config, None, Draw()).fault.startswith("lines: something else")  # type: ignore[arg-type]
    claims = complete.tables["claims"]
    complete.tables["claims"] = claims.model_copy(update={"digest": "0" + claims.digest[1:]})
    others = replace(work, plan=work.plan.model_copy(update={"sources": "0" * 64}))
    own, other = (checks_of_release(one, complete)[0].run(one.config, None, Draw()) for one in (work, others))  # type: ignore[arg-type]
    assert (own.fault.partition(":")[0], other.fault) == ("claims", "")
    monkeypatch.setattr("boardspace.verify.recompute.SMALL", 0.0)
    assert check.run(work.config, None, Draw()) == Outcome(0, result.of, left=NOT_SMALL)  # type: ignore[arg-type]


def forge_claim(folder: Path, claim: str, changed: Mapping[str, str]) -> None:
    """Change columns of a claim, and all digests and sums that follow."""
    path = folder / "claims.parquet"
    rows = pq.read_table(path)
    values = [{**row, **(changed if row["claim"] == claim else {})} for row in rows.to_pylist()]
    forged = pa.Table.from_pylist(values, rows.schema)
    assert forged != rows
    write_rows(path, CLAIMS, forged)
    record = json.loads((folder / "COMPLETE").read_bytes())["record"]
    record["tables"]["claims"]["digest"] = rows_digest(forged)
    (folder / "COMPLETE").write_bytes(encoded(record))
    for file in (path, folder / "COMPLETE"):
        seal(folder, file)


@pytest.fixture
def divided(every_space: Path, tmp_path: Path) -> Path:
    """A download with a dataset whose claims can be judged again in part."""
    shutil.copytree(every_space / "board_division", tmp_path / "divided" / "board_division")
    return tmp_path / "divided"


def test_claims_are_judged_anew_as_far_as_a_release_allows_and_the_rest_is_named(divided: Path) -> None:
    result = verify(divided, "logic")
    (judged,) = [one for one in result.rederived if one.check == "claims"]
    assert (result.faults, judged.impossible) == ((), "")
    assert 20 < judged.cases < judged.of
    assert "line-construction" in judged.left
    assert "line-lemma-2" not in judged.left


@pytest.mark.parametrize(
    ("claim", "changed", "fault"),
    daily(
        [
            ("line-lemma-2", {"verdict": "refuted"}, "line-lemma-2: its verdict is 'confirmed'"),
            ("line-lemma-2", {"measured": "1"}, "line-lemma-2: its measured is"),
            ("line-construction", {"measured": ""}, "line-construction: nothing was measured"),
            ("line-construction", {"verdict": "certain"}, "line-construction: 'certain' is no verdict"),
            ("line-construction", {"basis": "hearsay"}, "line-construction: 'hearsay' is nothing"),
            ("line-construction", {"measured": "123"}, "line-construction: confirmed, and stated is"),
            ("line-construction", {"verdict": "refuted"}, "line-construction: refuted, and stated is"),
            ("line-construction", {"verdict": "answered"}, "line-construction: answered, and stated is"),
            ("line-construction", {"statement": "Anything."}, "line-construction: its statement is"),
        ],
        3,
        several=True,
    ),
)
def test_a_forged_claim_of_a_release_is_found(
    divided: Path, claim: str, changed: Mapping[str, str], fault: str
) -> None:
    forge_claim(divided / "board_division", claim, changed)
    assert verify(divided, "structure").faults == ()
    assert fault in next(one.what for one in verify(divided, "logic").faults if one.where.endswith(": claims"))


def test_a_claim_that_is_forged_to_be_not_covered_is_counted_among_those_of_which_nothing_is_known(
    divided: Path,
) -> None:
    def left() -> str:
        return next(one.left for one in verify(divided, "logic").rederived if one.check == "claims")

    [number] = re.findall(r"of (\d+) that are not covered", left())
    forged = {"verdict": "not_covered", "measured": "", "basis": ""}
    uncovered = "this run did not cover it; the config laptop does"
    forge_claim(divided / "board_division", "line-construction", {**forged, "evidence": uncovered})
    assert "line-construction" not in left()
    assert f"of {int(number) + 1} that are not covered" in left()
    for changed in ({"evidence": ""}, {"verdict": "open"}, {"measured": "1"}):
        forge_claim(divided / "board_division", "line-construction", {**forged, "evidence": uncovered, **changed})
        assert any(fault.where.endswith(": claims") for fault in verify(divided, "logic").faults), changed


@pytest.mark.parametrize("name", ["schemas/sums.json", "schemas/claims.json", "dictionary.csv"])
def test_descriptions_that_are_altered_or_gone_are_found_though_sums_are_made_anew(downloaded: Path, name: str) -> None:
    path = downloaded / "toy" / name
    path.write_text(path.read_text().replace("statement", "sentence").replace("squares", "cubes"))
    seal(downloaded / "toy", path)
    assert faulty(verify(downloaded, "structure")) == [f"toy/{name}"]
    path.unlink()
    lines = (downloaded / "toy" / SUMS).read_text().splitlines(keepends=True)
    (downloaded / "toy" / SUMS).write_text("".join(line for line in lines if not line.endswith(f"  {name}\n")))
    assert f"toy/{name}" in faulty(verify(downloaded, "structure"))


def test_a_config_that_is_not_that_of_complete_is_found(downloaded: Path) -> None:
    path = downloaded / "toy" / "datapackage.json"
    package = json.loads(path.read_text())
    package["plan"]["config"]["roots"] = 12
    path.write_text(json.dumps(package, indent=1, ensure_ascii=False) + "\n")
    seal(downloaded / "toy", path)
    assert verify(downloaded, "structure").faults[0].what == "its plan is not the one whose digest COMPLETE holds"


def test_a_claim_that_is_an_equation_is_confirmed_by_the_stated_value_alone(every_space: Path) -> None:
    judged = 0
    for table in every_space.glob("*/claims.parquet"):
        equations = {claim.id for claim in load_claims(space_named(table.parent.name).claims_file) if claim.equation}
        for row in pq.read_table(table).to_pylist():
            if row["claim"] in equations and row["verdict"] in {"confirmed", "refuted"}:
                judged += 1
                assert (row["stated"] == row["measured"]) == (row["verdict"] == "confirmed"), row["claim"]
            assert row["verdict"] != "answered" or row["stated"] == "null", row["claim"]
    assert judged > 50


def test_a_release_of_every_space_has_no_faults_and_its_claims_are_judged_anew(every_space: Path) -> None:
    result = verify(every_space, "logic")
    judged = {one.dataset: one.cases for one in result.rederived if one.check == "claims"}
    assert result.faults == ()
    assert judged.keys() == set(SHIPPED)
    assert all(judged.values()), judged


@pytest.mark.parametrize("damage", [lambda p: p.write_bytes(p.read_bytes()[:-1]), Path.unlink])
@pytest.mark.parametrize("pattern", ["sums/*", "arrays.zarr/ways/c/1", "COMPLETE", "README.md", "claims.parquet"])
def test_damage_to_any_kind_of_file_is_found_and_named(
    downloaded: Path, damage: Callable[[Path], None], pattern: str
) -> None:
    path = sorted((downloaded / "toy").glob(pattern))[-1]
    damage(path)
    name, *folder = faulty(verify(downloaded, "hashes"))  # the last file of a folder leaves that behind
    assert name == path.relative_to(downloaded).as_posix()
    assert folder in ([], [Path(name).parent.as_posix()])
    assert in_process("verify", downloaded / "toy").exit_code == 1


def test_a_foreign_file_is_named(downloaded: Path) -> None:
    (downloaded / "toy" / "sums" / "more.parquet").write_bytes(b"")
    assert faulty(verify(downloaded, "hashes")) == ["toy/sums/more.parquet"]


def test_a_list_that_leads_out_of_its_folder_is_refused(downloaded: Path) -> None:
    with (downloaded / "toy" / SUMS).open("a") as stream:
        stream.write(f"{'0' * 64}  ../../etc/passwd\n")
    result = verify(downloaded, "structure")
    assert faulty(result) == [f"toy/{SUMS}"]
    assert "does not stay in its folder" in result.faults[0].what


def test_changed_rows_under_a_forged_hash_do_not_match_the_digest(downloaded: Path) -> None:
    folder = downloaded / "toy"
    path = sorted((folder / "sums").iterdir())[0]
    rows = pq.read_table(path, partitioning=None)
    place = rows.schema.get_field_index("ways")
    more = pa.compute.add(rows.column("ways"), 1).cast(rows.schema.field("ways").type)
    changed = rows.set_column(place, rows.schema.field("ways"), more)
    write_rows(path, toy.SUMS, changed)
    seal(folder, path)
    assert faulty(verify(downloaded, "hashes")) == []
    assert faulty(verify(downloaded, "structure")) == ["toy/sums"]


def test_a_record_of_the_content_under_a_forged_hash_needs_its_own_checksum(downloaded: Path) -> None:
    folder = downloaded / "toy"
    complete = json.loads((folder / "COMPLETE").read_text())
    complete["record"]["tables"]["sums"]["rows"] += 1
    (folder / "COMPLETE").write_text(json.dumps(complete))
    seal(folder, folder / "COMPLETE")
    assert faulty(verify(downloaded, "structure")) == ["toy/COMPLETE"]
    (folder / "COMPLETE").write_bytes(encoded(complete["record"]))
    seal(folder, folder / "COMPLETE")
    assert faulty(verify(downloaded, "structure")) == ["toy/sums"]


def test_files_of_tables_are_opened_once_and_none_is_decoded_beyond_what_complete_says(
    downloaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, looked_at = downloaded / "toy", list[str]()

    def opened_and_noted(path: Path, size: int | None = None) -> Any:
        looked_at.append(path.relative_to(downloaded).as_posix())
        return opened(path, size)

    def decoded(*arguments: Any) -> Any:
        raise AssertionError("rows are decoded, though there are more of them than COMPLETE says")

    files = [path.relative_to(downloaded).as_posix() for path in folder.rglob("*.parquet")]
    monkeypatch.setattr("boardspace.verify.files.opened", opened_and_noted)
    assert not verify(downloaded, "hashes").faults
    hashed = Counter(looked_at)
    assert not verify(downloaded, "structure").faults
    assert {Counter(looked_at)[name] - 2 * hashed[name] for name in files} == {1}
    monkeypatch.undo()
    complete = json.loads((folder / "COMPLETE").read_text())
    for content in complete["record"]["tables"].values():
        content["rows"] = 0
    (folder / "COMPLETE").write_bytes(encoded(complete["record"]))
    seal(folder, folder / "COMPLETE")
    monkeypatch.setattr("boardspace.verify.files._check_rows", decoded)
    named = {f"toy/{name}" for name, content in complete["record"]["tables"].items()}
    assert set(faulty(verify(downloaded, "structure"))) <= named


def test_a_folder_that_is_neither_run_nor_release_is_refused(tmp_path: Path) -> None:
    done = in_process("verify", tmp_path)
    assert done.exit_code == 2
    assert "no run here" in done.output
