"""What all tests share: the settings of property tests, and the databases in which an index can be stored.

The settings: the same examples in each run, and no deadline, since the machine may be busy.
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

# A worker of pytest-xdist has the size of a terminal that it does not have; the commands would break their lines at it.
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)


@pytest.fixture(scope="session")
def postgres_server():
    """Give a PostgreSQL server; each process that runs tests has its own."""
    with postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def place(request, tmp_path):
    """The path or address of an index that is not there yet."""
    if request.param == "sqlite":
        return str(tmp_path / "index.db")
    return request.getfixturevalue("postgres_server").schema()
