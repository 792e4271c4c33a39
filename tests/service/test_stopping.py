"""Acknowledged changes survive a stop and a kill of the service."""

import json
import os
import select
import signal
import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit

import httpx
import pytest
from served import HANGING_SECONDS, TEA, Server, invent, readers_of, serving

import neardup

pytestmark = pytest.mark.slow

LINES = {"content-type": "application/x-ndjson"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_stops_the_service_and_closes_the_index(index, number):
    server = Server(index)
    server.client.put("/documents/a", json={"text": TEA})
    code, said, complained = server.end(number)
    assert (code, complained) == (0, "")
    assert said.endswith("Stopped.\n")
    # The last connection to close removes the write-ahead log.
    assert [path.name for path in index.parent.iterdir()] == [index.name]


def test_running_requests_are_finished_before_the_service_stops(index):
    server = Server(index)
    address = urlsplit(server.url)
    body = json.dumps({"text": TEA}).encode()
    with socket.create_connection((address.hostname, address.port)) as connection:
        head = f"PUT /documents/late HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        connection.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body[:5])
        assert server.client.get("/health").status_code == 200
        server.process.send_signal(signal.SIGTERM)
        wait_until_closed(address)
        connection.sendall(body[5:])
        assert connection.recv(1000).startswith(b"HTTP/1.1 201 ")
    assert server.end()[0] == 0
    with neardup.Index(index) as stored:
        assert stored.get("late").text == TEA


def wait_until_closed(address):
    """Return when the service accepts no more connections."""
    open_yet = True
    while open_yet:
        with suppress(OSError), socket.create_connection((address.hostname, address.port)) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            open_yet = bool(connection.recv(10))
            continue
        open_yet = False


def test_load_ends_after_the_current_batch_when_the_service_stops(index):
    server = Server(index)
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port)) as connection, connection.makefile("rb") as answer:
        head = "POST /documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall(f"{head}Content-Length: 1000000\r\n\r\n".encode() + b'{"id": "a", "text": "first"}\n')
        while b'"through":1' not in (line := answer.readline()):
            assert line
        server.process.send_signal(signal.SIGTERM)
        rest = answer.read()
    assert b'"done":false' in rest
    assert b"stopping" in rest
    assert server.end()[0] == 0
    with neardup.Index(index) as stored:
        assert stored.stats()["documents"] == 1


def test_no_process_is_left_after_a_kill(index):
    server = Server(index, "--readers", 2)
    watched = [os.pidfd_open(reader) for reader in readers_of(server)]
    server.end(signal.SIGKILL)
    for reader in watched:
        # The descriptor is readable when the process has ended.
        assert select.select([reader], [], [], HANGING_SECONDS)[0]
        os.close(reader)
    assert len(watched) == 2


def test_acknowledged_documents_are_stored_after_a_kill(index):
    """The service that comes back after a kill is the next one to be killed."""
    acknowledged = []
    for kill, puts in enumerate([0, 1, 9, 30, 60]):
        server = Server(index)
        assert_known(server, acknowledged)
        acknowledged += write_until_killed(server, f"kill{kill}-", puts)
    with serving(index) as server:
        assert_known(server, acknowledged)
    assert len(acknowledged) >= 100


def assert_known(server, acknowledged):
    known = {event["document"] for event in list_added(server.client)}
    assert set(acknowledged) <= known
    assert server.documents() == len(known)
    for name in acknowledged[-3:]:
        assert server.client.get(f"/documents/{name}").json()["text"].startswith(name)


def write_until_killed(server, prefix, puts):
    """Load documents until the service is killed after some puts, and return the ids that were acknowledged."""
    loaded = []
    loading = threading.Thread(target=load_until_killed, args=(server.url, f"{prefix}load", loaded))
    loading.start()
    put = put_documents(server.url, f"{prefix}put", puts)
    server.process.kill()
    loading.join()
    server.end()
    return [*put, *(f"{prefix}load{number}" for number in range(loaded[-1] if loaded else 0))]


def load_until_killed(url, prefix, acknowledged):
    """Load documents over a separate connection until it breaks, and record the acknowledged lines."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port)) as connection, connection.makefile("rb") as answer:
        head = "POST /documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        sender = threading.Thread(target=send_without_end, args=(connection, prefix))
        sender.start()
        try:
            for line in answer:
                if line.startswith(b'{"through"') and line.endswith(b"}\n"):
                    acknowledged.append(json.loads(line)["through"])
        except OSError:
            pass
        sender.join()


def send_without_end(connection, prefix):
    number = 0
    try:
        while True:
            name = f"{prefix}{number}"
            line = json.dumps({"id": name, "text": f"{name} {invent(number)}"}).encode() + b"\n"
            connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            number += 1
    except OSError:
        return


def put_documents(url, prefix, count):
    """Put documents until some are acknowledged, and return their ids."""
    acknowledged = []
    with httpx.Client(base_url=url, timeout=HANGING_SECONDS) as client:
        while len(acknowledged) < count:
            name = f"{prefix}{len(acknowledged)}"
            answer = client.put(f"/documents/{name}", json={"text": f"{name} {invent(len(acknowledged))}"})
            if answer.status_code == 201:
                acknowledged.append(name)
    return acknowledged


def list_added(client):
    since, added = 0, []
    while events := client.get("/events", params={"since": since, "limit": 10_000}).json()["events"]:
        added += [event for event in events if event["kind"] == "added"]
        since = events[-1]["number"]
    return added
