"""Bulk loads: JSON lines in, acknowledgements out."""

import asyncio
import json
import socket
import threading
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from served import HANGING_SECONDS, LETTER, TEA, invent, make_index, read_metrics, serving

from neardup.service.bulk import MARK, BulkLoad, Lines
from neardup.service.messages import Written
from neardup.service.settings import ServiceSettings

LINES = {"content-type": "application/x-ndjson"}


def load(client, *lines, end=b"\n"):
    body = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + end for line in lines)
    return [json.loads(line) for line in client.post("/documents", content=body, headers=LINES).text.splitlines()]


@pytest.mark.slow
def test_bulk_load_counts_lines(client):
    told = load(client, {"id": "a", "text": LETTER, "time": "2024-03-01"}, {"id": "b", "text": TEA})
    assert told == [
        {"through": 2, "added": 2, "updated": 0, "failed": 0, "errors": []},
        {"done": True, "lines": 2, "added": 2, "updated": 0, "failed": 0},
    ]
    assert client.get("/documents/a").json()["time"] == "2024-03-01T00:00:00Z"
    assert client.get("/documents/b").json()["text"] == TEA


@pytest.mark.slow
def test_invalid_lines_are_reported_and_the_others_are_loaded(client):
    told = load(
        client,
        b'\xef\xbb\xbf{"id": "a", "text": "first"}\r',
        b"",
        b"nonsense",
        {"id": "b"},
        {"id": "a", "text": "second"},
        b'{"id": "c", "text": "\xff"}',
        {"id": "d", "text": "x", "time": "never"},
        {"id": "e", "text": "x", "colour": "red"},
        [],
        b'{"id": "f", "text": "\\ud800"}',
        b"[" * 5000,
        b'{"id": "g", "text": "last"}',
    )
    errors = told[0].pop("errors")
    assert told[0] == {"through": 12, "added": 2, "updated": 1, "failed": 8}
    assert [error["line"] for error in errors] == [3, 4, 6, 7, 8, 9, 10, 11]
    assert [error["where"] for error in errors] == ["line", "text", "line", "time", "colour", "line", "line", "line"]
    assert told[-1] == {"done": True, "lines": 12, "added": 2, "updated": 1, "failed": 8}
    assert client.get("/documents/a").json()["text"] == "second"
    assert client.get("/documents/g").json()["text"] == "last"
    assert client.get("/documents/d").status_code == 404


@pytest.mark.slow
def test_last_line_may_lack_a_line_break(client):
    assert load(client, {"id": "a", "text": TEA}, end=b"")[-1]["added"] == 1


@pytest.mark.slow
def test_long_load_is_acknowledged_in_batches(server):
    lines = ({"id": f"d{number}", "text": invent(number)} for number in range(2500))
    before = read_metrics(server.client).get('neardup_changes_total{change="added"}', 0)
    told = load(server.client, *lines)
    assert [line.get("through") for line in told] == [1000, 2000, 2500, None]
    assert told[-1] == {"done": True, "lines": 2500, "added": 2500, "updated": 0, "failed": 0}
    assert server.documents() == 2500
    assert read_metrics(server.client)['neardup_changes_total{change="added"}'] == before + 2500


@pytest.mark.slow
def test_lines_are_acknowledged_when_the_client_pauses(client):
    heard = threading.Event()

    def lines():
        yield b'{"id": "a", "text": "first"}\n'
        assert heard.wait(HANGING_SECONDS)
        yield b'{"id": "b", "text": "second"}\n'
        yield b""

    # httpx reads nothing until it has sent everything, so two threads share one socket.
    address = urlsplit(str(client.base_url))
    with socket.create_connection((address.hostname, address.port)) as connection, connection.makefile("rb") as answer:
        head = "POST /documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall(f"{head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        sender = threading.Thread(target=lambda: [connection.sendall(chunk(line)) for line in lines()])
        sender.start()
        acknowledged = read_until(answer, b'"through":1')
        assert client.get("/documents/a").status_code == 200
        assert client.get("/documents/b").status_code == 404
        heard.set()
        rest = answer.read()
        sender.join()
    assert acknowledged.startswith(b"HTTP/1.1 200 ")
    assert b'"through":2' in rest
    assert b'"done":true' in rest


def chunk(content):
    return b"%x\r\n%s\r\n" % (len(content), content)


def read_until(stream, word):
    said = b""
    while word not in said:
        line = stream.readline()
        assert line, said
        said += line
    return said


def test_load_does_not_wait_for_a_client_that_does_not_read():
    """Many clients send everything before they read; a service that waits for them to read would never end."""
    pieces = [b'{"id": "%d", "text": "x"}\n' % number for number in range(3000)]
    sent, read = [], asyncio.Event()

    async def write(documents):
        return Written(added=len(documents), updated=0)

    async def receive():
        if not pieces:
            read.set()
            return {"type": "http.request", "body": b"", "more_body": False}
        return {"type": "http.request", "body": pieces.pop(0), "more_body": True}

    async def send(message):
        await read.wait()
        sent.append(message)

    async def run():
        load = BulkLoad(write, ServiceSettings(), asyncio.Event())
        await asyncio.wait_for(load({}, receive, send), HANGING_SECONDS)

    asyncio.run(run())
    told = [json.loads(message["body"]) for message in sent[1:-1]]
    assert [line.get("through") for line in told] == [1000, 2000, 3000, None]


@pytest.mark.slow
def test_line_errors_are_listed_up_to_a_limit_and_all_counted(client):
    body = b"x\n" * 12_000 + b'{"id": "last", "text": "it came to this"}\n' + b'{"%s": 1}\n' % (b"y" * 5000)
    said = client.post("/documents", content=body, headers=LINES).text
    assert said.count('"line":') == 10_000
    assert json.loads(said.splitlines()[-1]) == {
        "done": True,
        "lines": 12_002,
        "added": 1,
        "updated": 0,
        "failed": 12_001,
    }


@pytest.mark.slow
def test_error_messages_are_short(client):
    told = load(client, {"id": "a", "text": "x"}, {"y" * 5000: 1, "id": "b", "text": "x"})
    assert [len(error["where"]) for error in told[0]["errors"]] == [200]
    assert len(client.post("/query", json={"text": "x", "y" * 5000: 1}).text) < 1000


@pytest.mark.slow
def test_acknowledged_lines_stay_when_the_client_disconnects(server):
    address = urlsplit(server.url)
    lines = [json.dumps({"id": f"d{number}", "text": invent(number)}).encode() + b"\n" for number in range(1500)]
    with socket.create_connection((address.hostname, address.port)) as connection:
        head = "POST /documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall(f"{head}Content-Length: 10000000\r\n\r\n".encode() + b"".join(lines[:1000]))
        with connection.makefile("rb") as answer:
            read_until(answer, b'"through":1000')
        connection.sendall(lines[1000][:-20])
    assert server.client.get("/documents/d999").status_code == 200
    assert server.documents() == 1000


@pytest.mark.slow
def test_load_above_the_limit_ends_with_an_error(tmp_path):
    lines = [json.dumps({"id": f"d{number}", "text": invent(number)}).encode() + b"\n" for number in range(3000)]
    limit = sum(map(len, lines[:1500]))
    with serving(make_index(tmp_path / "news.db"), "--bulk-limit", limit) as server:
        answer = server.client.post("/documents", content=iter(lines), headers=LINES)
        told = [json.loads(line) for line in answer.text.splitlines()]
        acknowledged = max(line.get("through", 0) for line in told)
        assert acknowledged <= 1500
        # The first lines may or may not be acknowledged before the load is found to be too large.
        assert answer.status_code == (200 if acknowledged else 413)
        assert told[-1].get("done", False) is False
        assert told[-1].get("lines", 0) == acknowledged
        assert "larger than" in told[-1]["error"]
        assert server.documents() == acknowledged


@given(st.lists(st.binary(max_size=12).filter(lambda line: b"\n" not in line), max_size=8), st.data())
def test_lines_do_not_depend_on_chunk_boundaries(pieces, data):
    lines = [piece or b"x" for piece in pieces]
    if lines and lines[0].startswith(MARK):
        lines[0] = b"x" + lines[0]
    stream = b"\n".join(lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    cutter = Lines(most_bytes=8)
    found = []
    for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += cutter.feed(stream[start:stop])
    found += cutter.end()
    assert found == [line if len(line) <= 8 else None for line in lines]


@pytest.mark.parametrize("stream", [b"", b"\n", b"a\n", b"\n\na", b"\xef\xbb\xbfa\n\xef\xbb\xbf"])
def test_byte_order_mark_is_removed(stream):
    cutter = Lines(most_bytes=8)
    expected = stream.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    assert [*cutter.feed(stream), *cutter.end()] == (expected if expected[-1] else expected[:-1])
