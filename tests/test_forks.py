"""Processes that share tests report them as one would, and what one leaves undone has failed."""

import re
import subprocess
import sys
from pathlib import Path

from tests.pipeline.conftest import environment

FILES = {
    "test_right": "import warnings\ndef test_warned():\n    warnings.warn('mind this')\n",
    "test_wrong": "def test_told():\n    print('captured')\n    raise ValueError('because')\n",
    "test_ended": "import os\ndef test_first(): pass\ndef test_ends(): os._exit(0)\ndef test_later(): pass\n",
}


def test_what_became_of_tests_is_told_and_what_was_not_run_has_failed(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / f"{name}.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "tests.forks", "-p", "no:cacheprovider", "--processes", "2"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "3 failed, 2 passed, 1 warning" in done.stdout
    assert "UserWarning: mind this" in done.stdout
    assert re.search(r"ValueError: because(.|\n)*Captured stdout call -+\ncaptured\n", done.stdout)
    for name in ("ends", "later"):
        assert f"FAILED test_ended.py::test_{name} - not run to its end" in done.stdout
