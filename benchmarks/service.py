"""Measure the service: `python benchmarks/service.py REUTERS [--documents N] [--seconds S] [--index FILE]`.

An index of documents of news size (`news.py`) is built, or taken from `--index`, and served by a separate process.
Clients query for stored texts with one word changed, over connections that stay open, while others put documents one by
one and load them in bulk. The benchmark prints one line of JSON: queries and documents per second, and their durations.
A query that does not find the text it was made from counts as wrong, and wrong queries fail the run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa

import neardup
from news import make_news

QUERIES = 2_000
BULK = 500
FRESH = 20_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reuters", type=Path)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--folder", type=Path, default=Path("build"))
    parser.add_argument("--index", type=Path)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--putters", type=int, default=2)
    parser.add_argument("--loaders", type=int, default=1)
    parser.add_argument("--readers", type=int, default=2)
    options = parser.parse_args()
    path = options.index or build(options.reuters, options.documents, options.folder)
    command = [
        sys.executable,
        "-m",
        "neardup.cli",
        "serve",
        str(path),
        "--port",
        "0",
        "--readers",
        str(options.readers),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = urlsplit(server.stdout.readline().split(" on ")[1].strip())
        figures = {"documents": options.documents, "clients": options.clients}
        try:
            queries = make_queries(options.reuters, options.documents)
            news = News(options.reuters)
            before = processor_seconds(server.pid)
            quiet = run(url, queries, news, options.seconds, options.clients)
            queried = quiet["queries_a_second"] * options.seconds
            spent = processor_seconds(server.pid) - before
            quiet["processor_milliseconds_a_query"] = round(spent / max(queried, 1) * 1000, 2)
            figures |= {f"quiet_{name}": value for name, value in quiet.items()}
            figures |= run(url, queries, news, options.seconds, options.clients, options.putters, options.loaders)
        finally:
            server.terminate()
    print(json.dumps(figures))
    return 1 if figures["wrong"] or figures["quiet_wrong"] else 0


def processor_seconds(process: int) -> float:
    """Return the processor time of a process and its children."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    total = 0.0
    for each in (process, *map(int, children)):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def build(reuters: Path, size: int, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "served.db"
    for left in folder.glob("served.db*"):
        left.unlink()
    with neardup.Index(path, method="conrad") as index:
        index.add(pa.Table.from_batches(make_news(reuters, size)))
    return path


def make_queries(reuters: Path, size: int) -> list[tuple[bytes, bytes]]:
    """Return requests as bytes, each with the id that its answer must contain."""
    rng = random.Random(1)
    table = pa.Table.from_batches(make_news(reuters, size))
    queries = []
    for row in table.take(pa.array(rng.sample(range(size), min(QUERIES, size)))).to_pylist():
        words = row["text"].split(" ")
        words[rng.randrange(len(words))] = "altered"
        body = {"text": " ".join(words), "time": row["time"].isoformat()}
        queries.append((request("POST", "/query", json.dumps(body).encode()), f'"{row["id"]}"'.encode()))
    return queries


def request(method: str, path: str, body: bytes, kind: str = "application/json") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Connection:
    """A connection that stays open, with as little work as possible on the client's side."""

    def __init__(self, url: Any) -> None:
        self.socket = socket.create_connection((url.hostname, url.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def ask(self, question: bytes) -> tuple[int, bytes]:
        """Send a request and return the status and body; a chunked answer is returned undecoded."""
        self.socket.sendall(question)
        while b"\r\n\r\n" not in self.rest:
            self.receive()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        if length:
            while len(self.rest) < int(length):
                self.receive()
            body, self.rest = self.rest[: int(length)], self.rest[int(length) :]
        else:
            while not self.rest.endswith(b"0\r\n\r\n"):
                self.receive()
            body, self.rest = self.rest, b""
        return int(head[9:12]), body

    def receive(self) -> None:
        piece = self.socket.recv(65536)
        if not piece:
            raise ConnectionError("the service closed the connection")
        self.rest += piece


class Tally:
    """The counts of the clients of one kind."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.wrong = 0
        self.documents = 0


def run(
    url: Any,
    queries: list[tuple[bytes, bytes]],
    news: News,
    seconds: float,
    clients: int,
    putters: int = 0,
    loaders: int = 0,
) -> dict[str, Any]:
    until = time.perf_counter() + seconds
    queried, put, loaded = Tally(), Tally(), Tally()
    threads = [
        *(threading.Thread(target=ask, args=(url, queries, n, until, queried)) for n in range(clients)),
        *(threading.Thread(target=put_one_by_one, args=(url, news, until, put)) for _ in range(putters)),
        *(threading.Thread(target=load, args=(url, news, until, loaded)) for _ in range(loaders)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    figures = {"queries_a_second": round(len(queried.seconds) / seconds), "wrong": queried.wrong}
    figures |= percentiles("query", queried)
    if putters:
        figures |= {"puts_a_second": round(put.documents / seconds), **percentiles("put", put)}
    if loaders:
        figures |= {"loaded_a_second": round(loaded.documents / seconds)}
    return figures


def percentiles(name: str, tally: Tally) -> dict[str, float]:
    median, high = np.percentile(np.array(tally.seconds) * 1000, [50, 99])
    return {f"{name}_milliseconds_median": round(float(median), 1), f"{name}_milliseconds_p99": round(float(high), 1)}


def ask(url: Any, queries: list[tuple[bytes, bytes]], number: int, until: float, tally: Tally) -> None:
    connection, rng = Connection(url), random.Random(number)
    while (started := time.perf_counter()) < until:
        question, expected = rng.choice(queries)
        status, body = connection.ask(question)
        tally.seconds.append(time.perf_counter() - started)
        tally.wrong += status != 200 or expected not in body


def put_one_by_one(url: Any, news: Iterator[dict[str, str]], until: float, tally: Tally) -> None:
    connection = Connection(url)
    while (started := time.perf_counter()) < until:
        row = next(news)
        body = json.dumps({"text": row["text"], "time": row["time"]}).encode()
        status, _ = connection.ask(request("PUT", f"/documents/{row['id']}", body))
        tally.seconds.append(time.perf_counter() - started)
        tally.documents += status in (200, 201)


def load(url: Any, news: Iterator[dict[str, str]], until: float, tally: Tally) -> None:
    connection = Connection(url)
    while time.perf_counter() < until:
        body = "\n".join(json.dumps(row) for row in islice(news, BULK)).encode()
        status, answer = connection.ask(request("POST", "/documents", body, "application/x-ndjson"))
        tally.documents += BULK if status == 200 and b'"done":true' in answer else 0


class News(Iterator[dict[str, str]]):
    """An endless supply of documents that are not in the index, for any number of threads."""

    def __init__(self, reuters: Path) -> None:
        table = pa.Table.from_batches(make_news(reuters, FRESH, seed=2))
        self.rows = [{"text": row["text"], "time": row["time"].isoformat()} for row in table.to_pylist()]
        self.count = count()

    def __next__(self) -> dict[str, str]:
        number = next(self.count)
        return {"id": f"fresh-{number}", **self.rows[number % FRESH]}


if __name__ == "__main__":
    sys.exit(main())
