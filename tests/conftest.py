"""Settings of the property tests, and databases for indexes.

Property tests use the same examples in each run and no deadline, since the machine may be busy.
"""

import pytest
from hypothesis import HealthCheck, settings

from servers import postgres

settings.register_profile(
    "deterministic",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("deterministic")


@pytest.fixture(scope="session")
def postgres_server():
    with postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path):
    """Return the path or the URL of an index that does not exist yet."""
    if request.param == "sqlite":
        return str(tmp_path / "index.db")
    return request.getfixturevalue("postgres_server").schema()
