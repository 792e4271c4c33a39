"""Running services: one shared by tests that only put and delete documents, and one for a single test."""

from urllib.parse import quote

import pytest
from served import make_index, serving


@pytest.fixture
def index(tmp_path):
    return make_index(tmp_path / "news.db")


@pytest.fixture
def server(index):
    with serving(index) as running:
        yield running


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory):
    with serving(make_index(tmp_path_factory.mktemp("shared") / "news.db")) as running:
        yield running


@pytest.fixture
def client(shared_server):
    """Return a client of a service with an empty index, and empty it afterwards."""
    client = shared_server.client
    before = list_events(client, 0)
    yield client
    after = list_events(client, before[-1]["number"] if before else 0)
    for name in {event["document"] for event in after if event["kind"] == "added"}:
        client.delete(f"/documents/{quote(name, safe='')}")
    assert shared_server.documents() == 0


def list_events(client, since):
    events = []
    while page := client.get("/events", params={"since": since, "limit": 1000}).json()["events"]:
        events += page
        since = page[-1]["number"]
    return events
