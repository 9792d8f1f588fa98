"""The run and the release that the tests of publishing have."""

from tests.pipeline.publish.conftest import release, run

__all__ = ["release", "run"]
