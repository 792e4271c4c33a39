"""Running services, shared by all tests that do not stop them.

To start one takes seconds. Each test gets an empty index.
"""

import pytest
from served import make_index, serving


@pytest.fixture
def index(tmp_path):
    return make_index(tmp_path / "news.db")


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory):
    with serving(make_index(tmp_path_factory.mktemp("shared") / "news.db")) as running:
        yield running


@pytest.fixture(scope="session")
def shared_impatient_server(tmp_path_factory):
    with serving(make_index(tmp_path_factory.mktemp("impatient") / "news.db"), "--timeout", 2) as running:
        yield running


@pytest.fixture
def server(shared_server):
    """Return a service with an empty index, and empty it afterwards."""
    yield shared_server
    shared_server.empty()


@pytest.fixture
def impatient_server(shared_impatient_server):
    """Return a service with an empty index and a timeout of two seconds, and empty it afterwards."""
    yield shared_impatient_server
    shared_impatient_server.empty()


@pytest.fixture
def client(server):
    return server.client
