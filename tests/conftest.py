"""Settings of every property test: the same examples in each run, and no clock, since the machine may be busy.

And the places where an index can be: a file, and a schema on a server of the tests' own.
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
def place(request, tmp_path):
    """The path or address of an index that is not there yet."""
    if request.param == "sqlite":
        return str(tmp_path / "index.db")
    return request.getfixturevalue("postgres_server").schema()
