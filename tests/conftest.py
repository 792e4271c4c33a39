"""Settings of the property tests, and databases for indexes.

Property tests use the same examples in each run and no deadline, since the machine may be busy.
"""

import os

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

# pytest-xdist sets the terminal size in its workers, and the commands would wrap their lines at that width.
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)


@pytest.fixture(scope="session")
def postgres_server():
    """Start a PostgreSQL server, one for each worker process."""
    with postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def url(request, tmp_path):
    """Return the path or the URL of an index that does not exist yet."""
    if request.param == "sqlite":
        return str(tmp_path / "index.db")
    return request.getfixturevalue("postgres_server").schema()
