"""Creates or opens an index, and checks that its settings are those that were asked for.

An index stores its method, settings and lexicon, and the versions of its format and of the tokeniser. They need not be
named when it is opened; settings that differ from the stored ones are refused with both values.
"""

from __future__ import annotations

import json
import os
import tempfile
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from neardup import _core
from neardup.detectors import Detector, make_detector
from neardup.errors import FormatError, SettingsError
from neardup.index.lexicons import lexicon_of, uses_lexicon, with_lexicon
from neardup.index.linking import Linker
from neardup.index.store import FORMAT, Counters, Store
from neardup.records import Documents
from neardup.represent import Lexicon
from neardup.version import VERSION

DEFAULT_METHOD = "conrad"
FORMER_NAMES = {"frames": "boilerplate"}
"""Settings that an index of version 0.1 stored under another name."""

FEW_LEARNED = 100
OUTGROWN = 10
"""A warning is due if the lexicon comes from fewer documents, or if the index has this many times as many."""


@dataclass(frozen=True, slots=True)
class RequestedSettings:
    """The method and the settings that a caller named."""

    method: str | Detector | None
    settings: Mapping[str, Any]

    def __post_init__(self) -> None:
        if isinstance(self.method, Detector) and self.settings:
            raise SettingsError("a detector object has its settings already: pass the method's name to set others")

    def detector(self) -> Detector:
        """Return the detector of a new index."""
        return self.method if isinstance(self.method, Detector) else make_detector(self.name(), self.settings)

    def name(self) -> str:
        """Return the name of the method."""
        return self.method.name if isinstance(self.method, Detector) else self.method or DEFAULT_METHOD

    def named_settings(self) -> Mapping[str, Any]:
        """Return the settings by name; of a detector object all of them."""
        if not isinstance(self.method, Detector):
            return self.settings
        return {item.name: getattr(self.method, item.name) for item in fields(self.method)}


def open_index(
    path: str | os.PathLike[str],
    requested: RequestedSettings,
    *,
    read_only: bool,
    threads: int,
    lock_timeout_seconds: float,
) -> OpenedIndex:
    """Open an index, or create it if it does not exist."""
    if requested.method is not None or not ("://" in str(path) or Path(path).exists()):
        # Wrong settings are reported before a file is created.
        Linker(requested.detector())
    store = Store.open(path, read_only=read_only, lock_timeout_seconds=lock_timeout_seconds)
    try:
        if not store.exists():
            if read_only:
                raise FormatError(f"{store.name} contains no index: neardup index build creates one")
            create_index(store, requested.detector())
        return OpenedIndex(store, read_detector(store, requested), threads)
    except BaseException:
        store.close()
        raise


def create_index(store: Store, detector: Detector, **further: bytes) -> None:
    """Create the tables, and store the settings and further facts, in one transaction."""
    with store.writing():
        # Another process may have created the index in the meantime.
        if store.exists():
            return
        store.create()
        store.facts.insert(
            {
                "format": FORMAT.encode(),
                "version": VERSION.encode(),
                "tokeniser": _core.TOKENISER_VERSION.encode(),
                "identity": uuid.uuid4().hex.encode(),
                "counters": Counters().pack(),
                **_detector_facts(detector),
                **further,
            }
        )


def _detector_facts(detector: Detector) -> dict[str, bytes]:
    lexicon = lexicon_of(detector)
    facts = {
        "method": detector.name.encode(),
        "settings": json.dumps(detector.settings(), sort_keys=True).encode(),
        "fingerprint": detector.fingerprint().encode(),
    }
    return facts if lexicon is None else {**facts, "lexicon": _pack_lexicon(lexicon)}


def read_detector(store: Store, requested: RequestedSettings) -> Detector:
    """Return the stored detector; refuse if the versions or the requested settings differ from the stored ones."""
    facts = store.facts.read_all()
    _check_versions(store, facts)
    stored = _make_detector(facts)
    if requested.method is not None and requested.name() != stored.name:
        raise FormatError(_differs(store, "method", stored.name, requested.name()))
    if named := requested.named_settings():
        _compare(store, stored, make_detector(stored.name, named), named)
    return stored


def _check_versions(store: Store, facts: Mapping[str, bytes]) -> None:
    for name, wanted in (("format", FORMAT), ("tokeniser", _core.TOKENISER_VERSION)):
        found = facts.get(name, b"").decode()
        if found != wanted:
            version = facts.get("version", b"?").decode()
            raise FormatError(
                f"{store.name} has {name} {found!r}, this version reads {wanted!r}: open it with neardup {version}, "
                "which created it, or build it again"
            )


def _compare(store: Store, stored: Detector, asked: Detector, named: Mapping[str, Any]) -> None:
    """Refuse settings that were named and differ from those of the index."""
    mine, yours = stored.settings(), asked.settings()
    for name in named:
        if mine[name] != yours[name] and not (name == "lexicon" and yours[name] is None):
            raise FormatError(_differs(store, name, mine[name], yours[name]))


def _differs(store: Store, name: str, stored: object, asked: object) -> str:
    return (
        f"{store.name} was created with {name} {stored!r}, not {asked!r}: leave it out to use the index as it is, "
        "or build another index"
    )


def _make_detector(facts: Mapping[str, bytes]) -> Detector:
    stored: dict[str, Any] = json.loads(facts["settings"])
    settings = {FORMER_NAMES.get(name, name): value for name, value in stored.items()}
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


class OpenedIndex:
    """An open index: its store, its detector, and the detector's stages for changes and for queries."""

    def __init__(self, store: Store, detector: Detector, threads: int) -> None:
        self.store = store
        self.threads = threads
        self._use(detector)

    def _use(self, detector: Detector) -> None:
        self.detector = detector
        self.linker = Linker(detector, self.threads)
        # A query is too small to gain from several threads.
        self.query_linker = Linker(detector, 1)

    @property
    def lacks_lexicon(self) -> bool:
        """Whether the method uses a lexicon and has not learned one yet."""
        return uses_lexicon(self.detector) and lexicon_of(self.detector) is None

    def refresh(self) -> None:
        """Load the lexicon if another process has learned one."""
        if self.lacks_lexicon and self.store.facts.exists("lexicon"):
            self._use(_make_detector(self.store.facts.read_all()))

    def learn(self, documents: Documents) -> None:
        """Learn the lexicon from the first documents and store it."""
        if not self.lacks_lexicon:
            return
        with self.store.writing():
            self.refresh()
            if not self.lacks_lexicon:
                return
            self._use(self.taught(documents).detector)
            self.store.facts.replace({**_detector_facts(self.detector), "learned": b"at the first build"})

    def taught(self, documents: Documents) -> OpenedIndex:
        """Return the same index with a lexicon of these documents, which is not stored."""
        return OpenedIndex(self.store, with_lexicon(self.detector, self.linker.learn(documents)), self.threads)

    def describe(self) -> dict[str, Any]:
        """Return counts, bytes, method and settings."""
        counters = self.store.facts.read_counters()
        lexicon = lexicon_of(self.detector)
        return {
            "documents": counters.documents,
            "distinct": counters.distinct,
            "clusters": counters.clusters,
            "duplicates": counters.duplicates,
            "links": counters.links,
            "keys": counters.keys,
            "last_event": counters.last_event,
            "bytes": self.store.database.bytes_used(),
            **({} if lexicon is None else {"lexicon_documents": lexicon.documents}),
            "format": FORMAT,
            "version": VERSION,
            "method": self.detector.name,
            "settings": self.detector.settings(),
            "fingerprint": self.detector.fingerprint(),
            "warnings": self._warnings(counters.documents),
        }

    def _warnings(self, documents: int) -> list[str]:
        """Warn if the lexicon was learned from too few documents to tell rare words from others."""
        if self.lacks_lexicon:
            return [
                "the index has no lexicon yet: it is learned from the documents of the first add, and then fixed; add "
                "many documents at once, or build the index with --lexicon FILE"
            ]
        lexicon = lexicon_of(self.detector)
        if lexicon is None:
            return []
        if lexicon.documents >= FEW_LEARNED and documents < OUTGROWN * lexicon.documents:
            return []
        if not self.store.facts.exists("learned"):
            return []
        learned = "one text" if lexicon.documents == 1 else f"{lexicon.documents:,} texts"
        return [
            f"the lexicon was learned from {learned} and is fixed, but the index now has {documents:,} documents: once "
            "there are enough of them, create an index with a lexicon of all documents by neardup index migrate INDEX "
            "TARGET --relearn, or with your own by --lexicon FILE"
        ]
