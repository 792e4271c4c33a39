"""Services to ask.

Starting one takes seconds, so the tests share those that they do not stop; each finds an empty index.
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
    """Give a service whose index is empty, and empty it again."""
    yield shared_server
    shared_server.empty()


@pytest.fixture
def impatient_server(shared_impatient_server):
    """Give a service with an empty index that waits two seconds for a body, a turn or an answer."""
    yield shared_impatient_server
    shared_impatient_server.empty()


@pytest.fixture
def client(server):
    return server.client
