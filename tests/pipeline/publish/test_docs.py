"""The examples of docs/datasets.md run as they stand, inside a release of small runs."""

from contextlib import chdir
from pathlib import Path

import duckdb
import pytest

from tests.pipeline.publish.reading import blocks
from tests.pipeline.publish.serving import served

pytestmark = pytest.mark.timeout(1200)  # on a cold cache the kernels of every space are compiled
DOC = Path(__file__).resolve().parents[3] / "docs" / "datasets.md"


@pytest.mark.parametrize("block", blocks(DOC, "sql"))
def test_the_sql_examples_find_rows(every_space: Path, block: str) -> None:
    with chdir(every_space):
        assert duckdb.execute(block).fetchall()


@pytest.mark.parametrize("block", blocks(DOC, "python"))
def test_the_python_examples_run(every_space: Path, block: str) -> None:
    with served(every_space) as traffic, chdir(every_space):
        exec(block.replace("https://example.org/release", traffic.url), {})
