"""Starts the service as a separate process on a free port."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx

import neardup

LETTER = (
    "Dear Administrator, I am writing to ask you to limit mercury from power plants as far as the law allows, "
    "because children are harmed by it and the means to stop it exist today."
)
TEA = "We drank two cups of tea in the garden of the old house and spoke about the weather until it was dark and cold."
OTHER = "Nothing here is like anything else, and it is long enough to be compared with the others of this docket."

SETTINGS = {"threshold": 0.6, "shingle": 2}

HANGING_SECONDS = 600
"""A request or a process that takes longer than this hangs."""


class Server:
    """A running service: its process, its URL, and an HTTP client."""

    def __init__(self, index, *options, environment=None):
        self.index = index
        command = [
            sys.executable,
            "-m",
            "neardup.cli",
            "serve",
            str(index),
            "--port",
            "0",
            "--readers",
            "1",
            *map(str, options),
        ]
        surroundings = {name: value for name, value in os.environ.items() if name != "NEARDUP_TOKEN"}
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=surroundings | (environment or {}),
        )
        first = self.process.stdout.readline()
        if " on http" not in first:
            self.process.kill()
            raise AssertionError(first + self.process.stderr.read())
        self.url = first.split(" on ")[1].strip()
        self.client = httpx.Client(base_url=self.url, timeout=HANGING_SECONDS)

    def end(self, signal=None):
        """Stop it, with SIGTERM by default; return the exit code, standard output and standard error."""
        if self.process.poll() is None:
            self.process.terminate() if signal is None else self.process.send_signal(signal)
        said, complained = self.process.communicate(timeout=HANGING_SECONDS)
        self.client.close()
        assert "Traceback" not in complained
        return self.process.returncode, said, complained

    def documents(self):
        """Return the number of documents from the metrics."""
        return int(read_metrics(self.client)["neardup_index_documents"])

    def last_event(self):
        """Return the number of the last event."""
        with neardup.Index(self.index, read_only=True) as index:
            return index.stats()["last_event"]

    def empty(self):
        """Remove all documents, directly from the index: the service would take one request for each."""
        with neardup.Index(self.index) as index:
            index.remove(index.documents()["id"].to_pylist())
        assert self.documents() == 0


def read_metrics(client):
    lines = client.get("/metrics").text.splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}


def readers_of(server):
    """Return the reading processes of a service."""
    process = server.process.pid
    children = [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@contextmanager
def serving(index, *options, environment=None):
    server = Server(index, *options, environment=environment)
    try:
        yield server
    finally:
        server.end()


def make_index(path, documents=()):
    """Create an index with some documents, and return its path."""
    with neardup.Index(path, method="jaccard", **SETTINGS) as index:
        if documents:
            index.add([{"id": name, "text": text} for name, text in documents])
    return path


def invent(number):
    """Return a text that is similar to no other; its words are derived from its number."""
    return " ".join(f"w{(number + 1) * (position + 7) % 100_003}" for position in range(12))
