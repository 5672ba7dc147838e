"""One synthetic study for all tests of tables."""

import pytest

from tests.report.tables.sample_study import Sample, write_sample


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """The study with its logs and prices."""
    return write_sample(tmp_path_factory.mktemp("sample_study"))
