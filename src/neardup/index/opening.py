"""An index is made or opened: what it was made with is what it goes on with.

Method, settings, the versions of format and tokeniser and the lexicon are stored with the index. Whoever opens it need
not name them; whoever names others is told both values and what to do.
"""

from __future__ import annotations

import json
import os
import tempfile
import uuid
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from neardup import _core
from neardup.detectors import Detector, make_detector
from neardup.errors import FormatError, SettingsError
from neardup.index.linking import Linker
from neardup.index.packing import first_counters, read_counters
from neardup.index.sqlite import SQLiteDatabase
from neardup.index.tables import FORMAT, Database
from neardup.records import Documents
from neardup.represent import Lexicon
from neardup.version import VERSION

DEFAULT_METHOD = "conrad"
SCHEMES = ("postgresql://", "postgres://")
FEW_LEARNED = 100
OUTGROWN = 10
"""A lexicon learned from few documents, or from a small part of those that are there now, is spoken of."""


def open_index(
    path: str | os.PathLike[str],
    method: str | Detector | None,
    settings: Mapping[str, Any],
    *,
    read_only: bool,
    threads: int,
    lock_timeout_seconds: float,
) -> Opened:
    """Open an index, or make it if it is not there."""
    if isinstance(method, Detector) and settings:
        raise SettingsError("a detector object has its settings already: pass the method's name to set others")
    if method is not None or not ("://" in str(path) or Path(path).exists()):
        # A mistake is told before a file is made.
        Linker(_wished(method, settings))
    database = open_database(path, read_only=read_only, lock_timeout_seconds=lock_timeout_seconds)
    try:
        if not database.exists():
            if read_only:
                raise FormatError(f"{database.name} holds no index: neardup index build makes one")
            make_index(database, _wished(method, settings))
        return Opened(database, agree(database, method, settings), threads)
    except BaseException:
        database.close()
        raise


def open_database(
    path: str | os.PathLike[str], *, read_only: bool = False, lock_timeout_seconds: float = 600.0
) -> Database:
    """Open the database at a path or an address; a writer waits so long for its turn."""
    if isinstance(path, str) and path.startswith(SCHEMES):
        from neardup.index.postgres import PostgresDatabase  # noqa: PLC0415 - an extra: only who asks for it needs it

        return PostgresDatabase(path, read_only=read_only, lock_timeout_seconds=lock_timeout_seconds)
    if isinstance(path, str) and "://" in path:
        raise SettingsError(f"{path!r} is no place for an index: name a file, or a database as postgresql://…")
    return SQLiteDatabase(path, read_only=read_only, lock_timeout_seconds=lock_timeout_seconds)


def make_index(database: Database, detector: Detector, **further: bytes) -> None:
    """Make the tables and store what the index is made with, and further facts; all at once or not at all."""
    with database.writing():
        # Another process may have made it in the meantime: then it is only opened.
        if database.exists():
            return
        database.create()
        facts = {
            "format": FORMAT.encode(),
            "version": VERSION.encode(),
            "tokeniser": _core.TOKENISER_VERSION.encode(),
            "identity": uuid.uuid4().hex.encode(),
            "counters": json.dumps(first_counters()).encode(),
            **_said(detector),
            **further,
        }
        database.insert("facts", sorted(facts.items()))


def _wished(method: str | Detector | None, settings: Mapping[str, Any]) -> Detector:
    return method if isinstance(method, Detector) else make_detector(method or DEFAULT_METHOD, settings)


def _said(detector: Detector) -> dict[str, bytes]:
    """Return what is stored of a detector."""
    lexicon = getattr(detector, "lexicon", None)
    said = {
        "method": detector.name.encode(),
        "settings": json.dumps(detector.settings(), sort_keys=True).encode(),
        "fingerprint": detector.fingerprint().encode(),
    }
    return said if lexicon is None else {**said, "lexicon": _pack_lexicon(lexicon)}


def read_facts(database: Database) -> dict[str, bytes]:
    """Return everything that is known of an index as a whole."""
    return {name: bytes(value) for name, value in database.rows("SELECT name, value FROM facts")}


def agree(database: Database, method: str | Detector | None, settings: Mapping[str, Any]) -> Detector:
    """Return the stored detector, or say where what is stored and what is asked for differ."""
    facts = read_facts(database)
    for name, wanted in (("format", FORMAT), ("tokeniser", _core.TOKENISER_VERSION)):
        found = facts.get(name, b"").decode()
        if found != wanted:
            by = facts.get("version", b"?").decode()
            raise FormatError(
                f"{database.name} has {name} {found!r}, this version reads {wanted!r}: open it with neardup {by}, "
                "which made it, or build it again"
            )
    stored = _detector(facts)
    if isinstance(method, Detector):
        settings = {item.name: getattr(method, item.name) for item in fields(method)}
    named = method.name if isinstance(method, Detector) else method
    if named is not None and named != stored.name:
        raise FormatError(_differs(database, "method", stored.name, named))
    if settings:
        _compare(database, stored, make_detector(stored.name, settings), settings)
    return stored


def _compare(database: Database, stored: Detector, asked: Detector, named: Mapping[str, Any]) -> None:
    """Refuse settings that were named and are not those of the index."""
    mine, yours = stored.settings(), asked.settings()
    for name in named:
        if mine[name] != yours[name] and not (name == "lexicon" and yours[name] is None):
            raise FormatError(_differs(database, name, mine[name], yours[name]))


def _differs(database: Database, name: str, stored: object, asked: object) -> str:
    return (
        f"{database.name} was made with {name} {stored!r}, not {asked!r}: leave it out to use the index as it is, "
        "or build another index"
    )


def _detector(facts: Mapping[str, bytes]) -> Detector:
    settings = json.loads(facts["settings"])
    if "lexicon" in settings:
        settings["lexicon"] = _unpack_lexicon(facts["lexicon"]) if "lexicon" in facts else None
    return make_detector(facts["method"].decode(), settings)


def _pack_lexicon(lexicon: Lexicon) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return lexicon.save(Path(folder) / "lexicon").read_bytes()


def _unpack_lexicon(stored: bytes) -> Lexicon:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lexicon"
        path.write_bytes(stored)
        return Lexicon.load(path)


class Opened:
    """An open index: its database, its detector, and the stages that this stands for."""

    def __init__(self, database: Database, detector: Detector, threads: int) -> None:
        self.database = database
        self.threads = threads
        self._use(detector)

    @property
    def learning(self) -> bool:
        """Whether the method wants a lexicon and has none yet."""
        return any(item.name == "lexicon" for item in fields(self.detector)) and self.detector.lexicon is None  # type: ignore[attr-defined]

    def refresh(self) -> None:
        """Take over the lexicon that another process has learned."""
        if self.learning and self.database.rows("SELECT 1 FROM facts WHERE name = 'lexicon'"):
            self._use(_detector(read_facts(self.database)))

    def learn(self, documents: Documents) -> None:
        """Learn the lexicon from the first documents, and freeze it."""
        if not self.learning:
            return
        with self.database.writing():
            self.refresh()
            if not self.learning:
                return
            self._use(self.taught(documents).detector)
            said = {**_said(self.detector), "learned": b"at the first build"}
            self.database.run("DELETE FROM facts WHERE name = ?", [(name,) for name in said])
            self.database.insert("facts", sorted(said.items()))

    def taught(self, documents: Documents) -> Opened:
        """Return the same index with a lexicon of these documents, which is not kept."""
        lexicon = self.linker.learn(documents)
        return Opened(self.database, replace(self.detector, lexicon=lexicon), self.threads)  # type: ignore[call-arg]

    def _use(self, detector: Detector) -> None:
        self.detector = detector
        self.linker = Linker(detector, self.threads)
        # A question is too small to be shared out among threads.
        self.asking = Linker(detector, 1)

    def describe(self) -> dict[str, Any]:
        """Return counts, bytes, method and settings."""
        counters = read_counters(self.database)
        lexicon = getattr(self.detector, "lexicon", None)
        return {
            "documents": counters["documents"],
            "distinct": counters["distinct"],
            "clusters": counters["clusters"],
            "duplicates": counters["duplicates"],
            "links": counters["links"],
            "keys": counters["keys"],
            "last_event": counters["next_event"] - 1,
            "bytes": self.database.bytes_used(),
            **({} if lexicon is None else {"lexicon_documents": lexicon.documents}),
            "format": FORMAT,
            "version": VERSION,
            "method": self.detector.name,
            "settings": self.detector.settings(),
            "fingerprint": self.detector.fingerprint(),
            "warnings": self._warn(counters["documents"]),
        }

    def _warn(self, documents: int) -> list[str]:
        """Say so if the lexicon was learned from too little to tell rare words from others."""
        if self.learning:
            return [
                "there is no lexicon yet: the documents that are added first, in one call, decide it for good; add a "
                "good many at once, or build the index with --lexicon FILE"
            ]
        lexicon = getattr(self.detector, "lexicon", None)
        if lexicon is None:
            return []
        if lexicon.documents >= FEW_LEARNED and documents < OUTGROWN * lexicon.documents:
            return []
        if not self.database.rows("SELECT 1 FROM facts WHERE name = 'learned'"):
            return []
        learned = "one text" if lexicon.documents == 1 else f"{lexicon.documents:,} texts"
        return [
            f"the lexicon was learned from {learned} and is frozen, while there are {documents:,} documents now: when "
            "there are enough of them, make an index with a lexicon of all by neardup index migrate INDEX TARGET "
            "--relearn, or with one of your own by --lexicon FILE"
        ]
