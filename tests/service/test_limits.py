"""Timeouts and concurrent clients."""

import os
import signal
import sqlite3
import threading
from contextlib import contextmanager

import httpx
import psycopg
import pytest
from served import HANGING_SECONDS, LETTER, invent, make_index, read_metrics, readers_of, serving

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_reader_that_does_not_answer_is_replaced(index, number):
    with serving(index, "--timeout", 2) as server:
        for reader in (readers := readers_of(server)):
            os.kill(reader, number)
        refused = server.client.get("/documents/a")
        assert refused.status_code == (504 if number == signal.SIGSTOP else 503)
        assert set(refused.json()) == {"error", "where", "remedy"}
        # A query that arrives while the new process starts may still time out.
        while server.client.get("/health").status_code != 200:
            pass
        assert set(readers_of(server)).isdisjoint(readers)


@contextmanager
def locked(index):
    """Keep other processes from writing to an index."""
    other = sqlite3.connect(index, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_change_that_cannot_start_in_time_is_refused(impatient_server):
    client = impatient_server.client
    with locked(impatient_server.index):
        refused = client.put("/documents/a", json={"text": LETTER})
        assert refused.status_code == 503
        assert refused.headers["retry-after"]
        assert "another process" in refused.json()["error"]
        assert client.post("/query", json={"text": LETTER}).json() == {"matches": []}
    assert client.get("/documents/a").status_code == 404
    assert client.put("/documents/a", json={"text": LETTER}).status_code == 201


def test_change_that_waits_too_long_for_another_is_refused(impatient_server):
    with locked(impatient_server.index):
        requests = [("PUT", f"/documents/{name}", {"text": LETTER}) for name in "abcdefgh"]
        assert {answer.status_code for answer in at_once(impatient_server.url, requests)} == {503}
    assert impatient_server.documents() == 0


def at_once(url, requests):
    """Send each request from its own thread, and return the answers."""
    answers = [None] * len(requests)
    ready = threading.Barrier(len(requests))

    def send(index):
        with httpx.Client(base_url=url, timeout=HANGING_SECONDS) as client:
            ready.wait()
            method, path, body = requests[index]
            answers[index] = client.request(method, path, json=body)

    threads = [threading.Thread(target=send, args=(index,)) for index in range(len(requests))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_concurrent_changes_are_all_applied(server):
    answers = at_once(server.url, [("PUT", f"/documents/{n}", {"text": invent(n)}) for n in range(40)])
    assert [answer.status_code for answer in answers] == [201] * 40
    assert [answer.json()["id"] for answer in answers] == [str(n) for n in range(40)]
    assert server.documents() == 40
    for number in range(40):
        assert server.client.get(f"/documents/{number}").json()["text"] == invent(number)


def test_concurrent_changes_of_one_document_leave_one_of_them(server):
    answers = at_once(server.url, [("PUT", "/documents/a", {"text": invent(n)}) for n in range(20)])
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert server.client.get("/documents/a").json()["text"] in {invent(n) for n in range(20)}
    removed = at_once(server.url, [("DELETE", "/documents/a", None)] * 5)
    assert sorted(answer.status_code for answer in removed) == [200, 404, 404, 404, 404]


def test_concurrent_readers_and_writers_get_correct_answers(server):
    """Two clients write and delete their own documents while two others query."""
    stop, wrong = threading.Event(), []

    def write(name):
        with httpx.Client(base_url=server.url, timeout=HANGING_SECONDS) as client:
            for number in range(25):
                text = f"{name} {invent(number)}"
                client.put(f"/documents/{name}", json={"text": text})
                stored = client.get(f"/documents/{name}").json()
                found = client.post("/query", json={"text": text}).json()["matches"]
                # Every later query sees an acknowledged change.
                if stored["text"] != text or name not in {match["id"] for match in found}:
                    wrong.append((name, number, stored, found))

    def ask():
        with httpx.Client(base_url=server.url, timeout=HANGING_SECONDS) as client:
            while not stop.is_set():
                for path in ("/events", "/metrics", "/health"):
                    if client.get(path).status_code != 200:
                        wrong.append(path)

    writers = [threading.Thread(target=write, args=(name,)) for name in ("one", "two")]
    askers = [threading.Thread(target=ask) for _ in range(2)]
    for thread in (*writers, *askers):
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    for thread in askers:
        thread.join()
    assert wrong == []
    assert server.documents() == 2


def test_metrics_are_in_the_prometheus_format(client):
    client.put("/documents/a", json={"text": LETTER})
    client.get("/documents/nobody")
    text = client.get("/metrics").text
    families = [line.split()[2:4] for line in text.splitlines() if line.startswith("# TYPE")]
    assert ["neardup_requests_total", "counter"] in families
    assert ["neardup_request_seconds", "histogram"] in families
    assert ["neardup_index_documents", "gauge"] in families
    assert len({name for name, _ in families}) == len(families)
    known = read_metrics(client)
    assert known["neardup_index_documents"] == 1
    assert known['neardup_requests_total{method="GET",route="/documents/{id}",status="404"}'] >= 1
    count = known['neardup_request_seconds_count{method="PUT",route="/documents/{id}"}']
    assert known['neardup_request_seconds_bucket{method="PUT",route="/documents/{id}",le="+Inf"}'] == count
    assert known["neardup_requests_in_flight"] == 1


@pytest.fixture(scope="module")
def server_on_postgresql(postgres_server):
    with serving(make_index(postgres_server.schema())) as running:
        yield running


def test_index_on_postgresql_is_served(server_on_postgresql):
    client = server_on_postgresql.client
    assert client.put("/documents/a%2F%F0%9F%99%82", json={"text": LETTER}).status_code == 201
    assert client.put("/documents/null", json={"text": "a\x00b"}).status_code == 201
    assert client.get("/documents/null").json()["text"] == "a\x00b"
    requests = [("PUT", f"/documents/{n}", {"text": invent(n)}) for n in range(10)]
    assert [answer.status_code for answer in at_once(server_on_postgresql.url, requests)] == [201] * 10
    found = client.post("/query", json={"text": LETTER + " Thank you."}).json()["matches"]
    assert [match["id"] for match in found] == ["a/🙂"]
    lines = b'{"id": "x", "text": "one"}\n{"id": "y", "text": "two"}\n'
    headers = {"content-type": "application/x-ndjson"}
    assert b'"added":2' in client.post("/documents", content=lines, headers=headers).content
    assert client.delete("/documents/x").status_code == 200
    assert server_on_postgresql.documents() == 13
    server_on_postgresql.empty()


def test_lost_connection_to_postgresql_is_reopened(server_on_postgresql):
    client, address = server_on_postgresql.client, server_on_postgresql.index
    with psycopg.connect(address, autocommit=True) as connection:
        assert client.put("/documents/a", json={"text": LETTER}).status_code == 201
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        assert client.get("/documents/a").status_code == 503
        assert client.put("/documents/b", json={"text": LETTER}).status_code == 503
        assert client.get("/documents/a").status_code == 200
        assert client.put("/documents/b", json={"text": LETTER}).status_code == 201
    server_on_postgresql.empty()
