"""Acknowledged changes survive a stop and a kill of the service."""

import json
import os
import random
import select
import signal
import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit

import httpx
import pytest
from served import TEA, Server, invent, make_index, readers_of, serving

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
    with serving(index) as again:
        assert again.client.get("/documents/late").json()["text"] == TEA


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
    with serving(index) as again:
        assert again.documents() == 1


def test_no_process_is_left_after_a_kill(index):
    server = Server(index, "--readers", 2)
    watched = [os.pidfd_open(reader) for reader in readers_of(server)]
    server.end(signal.SIGKILL)
    for reader in watched:
        # The descriptor is readable when the process has ended.
        assert select.select([reader], [], [], 60)[0]
        os.close(reader)
    assert len(watched) == 2


@pytest.mark.parametrize("seed", range(5))
def test_acknowledged_documents_are_stored_after_a_kill(tmp_path, seed):
    index = make_index(tmp_path / "news.db")
    server = Server(index)
    moment = random.Random(seed).uniform(0.05, 1.0)
    threading.Timer(moment, server.process.kill).start()
    loaded, put = [], []
    threads = [
        threading.Thread(target=load_until_killed, args=(server.url, loaded)),
        threading.Thread(target=put_until_killed, args=(server.url, put)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    server.end()
    with serving(index) as again:
        known = {event["document"] for event in list_added(again.client)}
        assert {f"load{number}" for number in range(loaded[-1] if loaded else 0)} | set(put) <= known
        assert again.documents() == len(known)
        for name in [*put[-3:], *[f"load{number}" for number in range(loaded[-1] if loaded else 0)][-3:]]:
            assert again.client.get(f"/documents/{name}").json()["text"].startswith(name)


def load_until_killed(url, acknowledged):
    """Load documents over a separate connection until it breaks, and record the acknowledged lines."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port)) as connection, connection.makefile("rb") as answer:
        head = "POST /documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        sender = threading.Thread(target=send_without_end, args=(connection,))
        sender.start()
        try:
            for line in answer:
                if line.startswith(b'{"through"') and line.endswith(b"}\n"):
                    acknowledged.append(json.loads(line)["through"])
        except OSError:
            pass
        sender.join()


def send_without_end(connection):
    number = 0
    try:
        while True:
            line = json.dumps({"id": f"load{number}", "text": f"load{number} {invent(number)}"}).encode() + b"\n"
            connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            number += 1
    except OSError:
        return


def put_until_killed(url, acknowledged):
    with httpx.Client(base_url=url) as client:
        try:
            while True:
                name = f"put{len(acknowledged)}"
                if (
                    client.put(f"/documents/{name}", json={"text": f"{name} {invent(len(acknowledged))}"}).status_code
                    == 201
                ):
                    acknowledged.append(name)
        except httpx.HTTPError:
            return


def list_added(client):
    since, added = 0, []
    while events := client.get("/events", params={"since": since, "limit": 10_000}).json()["events"]:
        added += [event for event in events if event["kind"] == "added"]
        since = events[-1]["number"]
    return added
