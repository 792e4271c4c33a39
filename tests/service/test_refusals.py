"""Refused requests: the status, the error with its location and remedy, and an unchanged index."""

import json
import socket
from urllib.parse import urlsplit

import pytest
from served import LETTER, make_index, serving

pytestmark = pytest.mark.slow

JSON = {"content-type": "application/json"}
LINES = {"content-type": "application/x-ndjson"}
TOKEN = "a-token_of.some~length"


def assert_refused(answer, status, *words):
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error", "where", "remedy"}
    assert all(answer.json().values())
    for word in words:
        assert word in answer.text


@pytest.fixture
def kept(client, server):
    """Return a client of an index with one document, and check afterwards that it is unchanged."""
    client.put("/documents/kept", json={"text": LETTER})
    before = client.get("/documents/kept").json()
    since = server.last_event()
    yield client
    assert client.get("/documents/kept").json() == before
    assert server.documents() == 1
    assert client.get("/events", params={"since": since}).json()["events"] == []


@pytest.mark.parametrize(
    "body", [b"{", b"", b"\xff", b'{"text": "\\ud800"}', b'{"text": NaN}', b"{}{}", b"\x00", b"[" * 9999]
)
@pytest.mark.parametrize("path", ["/query", "/group"])
def test_invalid_json_is_refused(kept, path, body):
    assert_refused(kept.post(path, content=body, headers=JSON), 400 if body else 422)
    assert_refused(kept.put("/documents/new", content=body, headers=JSON), 400 if body else 422)


def test_deeply_nested_json_is_refused(kept):
    for depth in (1_000, 1_000_000):
        body = b'{"text": ' + b"[" * depth + b"]" * depth + b"}"
        assert_refused(kept.post("/query", content=body, headers=JSON), 400, "recursion limit")


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("/query", {}, "body"),
        ("/query", {"text": "a", "id": "b"}, "body"),
        ("/query", {"text": 1}, "body.text"),
        ("/query", {"text": "a", "limit": 0}, "body.limit"),
        ("/query", {"text": "a", "limit": 10**9}, "body.limit"),
        ("/query", {"text": "a", "limit": 10**400}, "body.limit"),
        ("/query", {"text": "a", "limit": "5"}, "body.limit"),
        ("/query", {"text": "a", "limit": 1.5}, "body.limit"),
        ("/query", {"text": "a", "limit": True}, "body.limit"),
        ("/query", {"text": "a", "other": 1}, "body.other"),
        ("/query", {"id": ""}, "body.id"),
        ("/query", {"id": "x" * 513}, "body.id"),
        ("/query", [], "body"),
        ("/query", "text", "body"),
        ("/query", None, "body"),
        ("/group", {}, "body"),
        ("/group", {"ids": "abc"}, "body.ids"),
        ("/group", {"ids": [1]}, "body.ids.0"),
        ("/group", {"ids": ["a"] * 10_001}, "body.ids"),
        ("/group", {"ids": ["a"], "leader": "loudest"}, "body.leader"),
        ("/group", {"ids": ["a"], "offset": -1}, "body.offset"),
        ("/group", {"ids": ["a"], "offset": 2**70}, "body.offset"),
        ("/group", {"documents": [{"id": "a"}]}, "body.documents.0.text"),
        ("/group", {"ids": ["a"], "documents": []}, "body"),
    ],
)
def test_bodies_of_wrong_types_are_refused(kept, path, body, where):
    refused = kept.post(path, json=body)
    assert_refused(refused, 422)
    assert refused.json()["where"] == where


@pytest.mark.parametrize(
    "body", [{}, {"text": None}, {"text": ["a"]}, {"text": "a", "id": "b"}, {"text": "a", "more": 1}]
)
def test_documents_of_wrong_types_are_refused(kept, body):
    assert_refused(kept.put("/documents/kept", json=body), 422)
    assert_refused(kept.put("/documents/new", json=body), 422)


@pytest.mark.parametrize(
    "path", ["/events?since=x", "/events?since=-1", "/events?limit=0", "/events?limit=99999999", "/clusters/x"]
)
def test_parameters_of_wrong_types_are_refused(kept, path):
    assert_refused(kept.get(path), 422)


def test_unknown_ids_are_not_found(kept):
    assert_refused(kept.get("/documents/nobody"), 404, "nobody")
    assert_refused(kept.delete("/documents/nobody"), 404, "nobody")
    assert_refused(kept.post("/query", json={"id": "nobody"}), 404, "nobody")
    assert_refused(kept.get("/clusters/123456789"), 404)
    assert_refused(kept.get("/nowhere"), 404)


def test_wrong_method_is_refused_with_the_allowed_ones(kept):
    refused = kept.patch("/documents/kept", json={})
    assert_refused(refused, 405)
    assert refused.headers["allow"] == "DELETE, GET, PUT"
    assert kept.delete("/query").headers["allow"] == "POST"


def test_ids_must_be_utf8_and_not_empty(kept):
    assert_refused(kept.get("/documents/%ff"), 400, "UTF-8")
    assert_refused(kept.put("/documents/%ff", json={"text": "a"}), 400, "UTF-8")
    assert_refused(kept.put("/documents/", json={"text": "a"}), 422)
    assert_refused(kept.put(f"/documents/{'x' * 513}", json={"text": "a"}), 422)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_bodies_of_another_content_type_are_refused(kept, kind):
    headers = {"content-type": kind}
    assert_refused(kept.put("/documents/new", content=b'{"text": "a"}', headers=headers), 415)
    assert_refused(kept.post("/query", content=b'{"text": "a"}', headers=headers), 415)
    assert_refused(kept.post("/documents", content=b'{"id": "a", "text": "a"}', headers=headers), 415)


def test_unknown_host_is_refused(kept):
    """A web page can point its host name at this machine, so that browsers send requests here under that name."""
    assert_refused(kept.get("/documents/kept", headers={"host": "elsewhere.example"}), 421)
    assert kept.get("/documents/kept", headers={"host": "localhost:1"}).status_code == 200
    assert kept.get("/documents/kept", headers={"host": "[::1]:1"}).status_code == 200


def test_load_without_documents_is_refused(kept):
    assert_refused(kept.post("/documents", content=b"", headers=LINES), 422, "no line")
    assert_refused(kept.post("/documents", content=b"\n\n", headers=LINES), 422, "no line")
    refused = kept.post("/documents", content=b'{"id": "a"}\n[]\n{"id": "", "text": ""}\nnonsense', headers=LINES)
    assert_refused(refused, 422, "none of 4 lines", "line 1: text")


def chunks(size, count):
    for _ in range(count):
        yield b" " * size


def test_large_bodies_are_refused(tmp_path):
    index = make_index(tmp_path / "news.db", [("kept", LETTER)])
    with serving(index, "--body-limit", 1000, "--bulk-limit", 5000) as server:
        client = server.client
        fitting = {"text": "a" * (1000 - len('{"text":""}'))}
        assert client.put("/documents/fits", json=fitting).status_code == 201
        larger = {"text": fitting["text"] + "a"}
        assert_refused(client.put("/documents/new", json=larger), 413, "1,000 bytes")
        assert_refused(client.post("/query", content=chunks(1000, 50), headers=JSON), 413)
        assert_refused(client.put("/documents/new", content=b"x" * 50_000_000, headers=JSON), 413)
        assert_refused(client.post("/documents", content=b"x" * 5001, headers=LINES), 413, "5,000 bytes")
        line = json.dumps({"id": "long", "text": "a" * 1000}).encode()
        assert_refused(client.post("/documents", content=line, headers=LINES), 413, "1,000 bytes")
        assert_refused(client.post("/documents", content=chunks(1000, 50), headers=LINES), 413)
        assert server.documents() == 2
        assert client.get("/documents/new").status_code == 404


def test_requests_without_the_token_are_refused(tmp_path):
    index = make_index(tmp_path / "news.db", [("kept", LETTER)])
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    with serving(index, "--token-file", tmp_path / "token") as server:
        client = server.client
        for headers in (
            {},
            *({"authorization": value} for value in ("", "Bearer", "Bearer x", f"Basic {TOKEN}", TOKEN)),
            *({"authorization": f"Bearer {token}"} for token in (TOKEN[:-1], TOKEN + "x", TOKEN.upper())),
            {"authorization": b"Bearer \xff\xfe"},
        ):
            for answer in (
                client.get("/documents/kept", headers=headers),
                client.put("/documents/new", json={"text": "a"}, headers=headers),
                client.delete("/documents/kept", headers=headers),
                client.post("/query", json={"text": "a"}, headers=headers),
                client.post("/documents", content=b'{"id": "a", "text": "a"}', headers={**LINES, **headers}),
                client.get("/metrics", headers=headers),
                client.get("/nowhere", headers=headers),
            ):
                assert_refused(answer, 401, "token")
                assert answer.headers["www-authenticate"] == "Bearer"
                assert TOKEN not in answer.text
        for path in ("/health", "/docs", "/openapi.json"):
            assert client.get(path).status_code == 200
        client.headers["authorization"] = f"bearer {TOKEN}"
        assert client.get("/documents/kept", headers={"host": "elsewhere.example"}).status_code == 200
        assert server.documents() == 1


def test_token_is_read_from_the_environment(index):
    with serving(index, environment={"NEARDUP_TOKEN": TOKEN}) as server:
        assert server.client.get("/events").status_code == 401
        assert server.client.get("/events", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_body_that_does_not_arrive_in_time_is_refused(impatient_server):
    address = urlsplit(impatient_server.url)
    for request in (
        b"PUT /documents/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
        b"POST /documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n",
    ):
        with socket.create_connection((address.hostname, address.port)) as connection:
            connection.sendall(request + b'Content-Length: 100\r\n\r\n{"text"')
            assert connection.recv(100).startswith(b"HTTP/1.1 408 ")
    assert impatient_server.documents() == 0


def test_invalid_http_does_not_stop_the_service(server):
    address = urlsplit(server.url)
    for request in (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /\xff HTTP/1.1\r\n\r\n"):
        with socket.create_connection((address.hostname, address.port)) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(100)[:9] in (b"HTTP/1.1 ", b"")
    assert server.client.get("/health").status_code == 200
