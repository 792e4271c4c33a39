"""A migration begins or goes on: what the new index is made with, whether it is the right one, how far it has come."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.detectors import Detector, make_detector
from neardup.errors import FormatError, SettingsError
from neardup.index.linking import Linker
from neardup.index.opening import Opened, agree, make_index, open_database, read_facts
from neardup.index.packing import place_of, read_counters, unpack_id, unpack_status, unpack_text
from neardup.index.tables import FAR, Database
from neardup.records import EMPTY, OK, Documents
from neardup.represent import Lexicon

FACT = "migration"
BATCH_DOCUMENTS = 10_000
BATCH_BYTES = 32 << 20
"""Of texts as they are stored, mostly compressed."""
COLUMNS = "d.number, d.id, d.node, d.place, d.time, d.status, t.text"
STORED = "documents d JOIN texts t ON t.number = d.number"


class Stored(NamedTuple):
    """A document as it is stored."""

    number: int
    id: bytes
    node: int
    place: int
    time: int | None
    status: int
    text: bytes

    @property
    def named(self) -> bool:
        """Whether it came with an id; one that did not stands behind others without a time, as it came."""
        return self.place <= FAR

    def place_by(self, keep: str | None) -> int:
        """Return its place where such documents are kept first."""
        place = place_of(keep, self.time, self.number)
        return place if self.named or place != FAR else FAR + self.number

    def content(self) -> tuple[object, ...]:
        """Return all of it that does not depend on the index; a text without a word is one where words are sought."""
        status, html = unpack_status(self.status)
        return self.number, self.time, OK if status == EMPTY else status, html, bytes(self.text)


@dataclass(frozen=True, slots=True)
class Position:
    """How far a migration has come.

    `source` names the old index, `event` the last event of it that the new one has taken in and `told` what that was;
    `copied` is the number of the last document copied, None when all are; `numbered` is the event at which the numbers
    of the clusters were taken over, and `own` the last event of the new index itself. `learned` says that its lexicon
    was learned for this migration.
    """

    source: str
    event: int
    told: str
    copied: int | None = -1
    numbered: int = -1
    own: int = 0
    learned: bool = False

    def pack(self) -> bytes:
        """Return what is stored."""
        return json.dumps(asdict(self)).encode()


@dataclass(frozen=True, slots=True)
class Wish:
    """What the new index is to be made with: a method and settings in the place of those of the old one."""

    method: str | Detector | None
    settings: Mapping[str, Any]
    relearn: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.method, Detector) and self.settings:
            raise SettingsError("a detector object has its settings already: pass the method's name to set others")
        if self.relearn and self.settings.get("lexicon") is not None:
            raise SettingsError("a lexicon is either given or learned anew: name one of the two")

    def detector(self, source: Detector) -> Detector:
        """Return the method of the new index; what is not named stays as it is if the method stays the same."""
        if isinstance(self.method, Detector):
            made = self.method
        else:
            same = self.method in (None, source.name)
            kept = {item.name: getattr(source, item.name) for item in fields(source)} if same else {}
            if self.relearn:
                kept.pop("lexicon", None)
            made = make_detector(self.method or source.name, {**kept, **self.settings})
        if self.relearn and not _wants_lexicon(made):
            raise SettingsError(f"method {made.name} uses no lexicon: there is nothing to learn anew")
        return made


def open_target(source: Opened, place: str | os.PathLike[str], wish: Wish, *, lock_timeout_seconds: float) -> Opened:
    """Open the new index, or make it if it is not there; one that is not the way of this source is refused."""
    if str(place) == ":memory:":
        raise SettingsError("an index in memory is gone when the migration is done: name a file, or postgresql://…")
    # A mistake is told before a file is made.
    detector = wish.detector(source.detector)
    Linker(detector)
    identity = read_facts(source.database)["identity"].decode()
    database = open_database(place, lock_timeout_seconds=lock_timeout_seconds)
    try:
        if not database.exists():
            _make(database, source, detector, identity)
        _check_target(database, source, identity, wish)
        return Opened(database, agree(database, wish.method, wish.settings), source.threads)
    except BaseException:
        database.close()
        raise


def _make(database: Database, source: Opened, detector: Detector, identity: str) -> None:
    # The place in the log is noted before anything is read: whatever happens from then on is followed later.
    with source.database.reading():
        event = read_counters(source.database)["next_event"] - 1
        position = Position(identity, event, tell_event(source.database, event))
    facts = {}
    if _wants_lexicon(detector) and detector.lexicon is None:  # type: ignore[attr-defined]
        lexicon = learn_lexicon(source, Linker(detector, source.threads))
        if lexicon is None:
            raise FormatError(f"{source.database.name} has no documents to learn a lexicon from: add some, or name one")
        detector = replace(detector, lexicon=lexicon)  # type: ignore[call-arg]
        position, facts["learned"] = replace(position, learned=True), b"for the migration"
    elif getattr(detector, "lexicon", None) is getattr(source.detector, "lexicon", detector):
        facts = {name: value for name, value in read_facts(source.database).items() if name == "learned"}
    make_index(database, detector, **facts, **{FACT: position.pack()})


def _check_target(database: Database, source: Opened, identity: str, wish: Wish) -> None:
    facts, position = read_facts(database), read_position(database)
    if facts.get("identity") == identity.encode():
        raise FormatError(f"{database.name} is {source.database.name} itself or a copy of it: name another place")
    if position is None:
        raise FormatError(
            f"{database.name} is an index already, and was not begun as a migration: name a place where there is none"
        )
    if position.source != identity:
        raise FormatError(
            f"{database.name} was begun as the migration of another index than {source.database.name}: name a place "
            "where there is none"
        )
    if wish.relearn and not position.learned:
        raise FormatError(
            f"{database.name} was begun without a lexicon learned anew: leave it out to go on, or name a place where "
            "there is no index"
        )


def _wants_lexicon(detector: Detector) -> bool:
    return any(item.name == "lexicon" for item in fields(detector))


def read_position(database: Database) -> Position | None:
    """Return how far the migration to this index has come; None if it was not begun as one."""
    rows = database.rows(f"SELECT value FROM facts WHERE name = '{FACT}'")
    return Position(**json.loads(bytes(rows[0][0]))) if rows else None


def learn_lexicon(source: Opened, linker: Linker) -> Lexicon | None:
    """Learn a lexicon from all distinct texts of one state of an index; None if it has no documents."""
    database, lexicon, after = source.database, None, -1
    distinct = "nodes n JOIN documents d ON d.number = n.first JOIN texts t ON t.number = d.number"
    with database.reading():
        while sizes := database.rows(
            f"SELECT n.node, length(t.text) FROM {distinct} WHERE n.node > ? ORDER BY n.node LIMIT ?",
            after,
            BATCH_DOCUMENTS,
        ):
            last = sizes[cut_sizes(size for _, size in sizes) - 1][0]
            rows = database.rows(
                f"SELECT {COLUMNS} FROM {distinct} WHERE n.node > ? AND n.node <= ? ORDER BY n.node", after, last
            )
            part = linker.learn(as_documents([Stored(*row) for row in rows]))
            lexicon, after = part if lexicon is None else Lexicon.merge([lexicon, part]), last
    return lexicon


def tell_event(database: Database, event: int) -> str:
    """Return what an event was, in a form that can be compared; nothing where the log does not have it."""
    rows = database.rows("SELECT kind, document, cluster, other FROM events WHERE number = ?", event)
    return json.dumps([[kind, bytes(name or b"").hex(), cluster, other] for kind, name, cluster, other in rows])


def cut_sizes(sizes: Iterable[int]) -> int:
    """Return how many of these texts are taken at once: one at least."""
    total = taken = 0
    for size in sizes:
        total += size
        if taken and total > BATCH_BYTES:
            break
        taken += 1
    return taken


def as_documents(stored: Sequence[Stored]) -> Documents:
    """Return stored documents as they came; whether a text has words is found out anew."""
    told = [unpack_status(document.status) for document in stored]
    html = np.array([marked for _, marked in told], bool)
    return Documents(
        [unpack_text(bytes(document.text)) for document in stored],
        ids=pa.chunked_array([[unpack_id(document.id) for document in stored]], pa.string()),
        times=pa.chunked_array([[document.time for document in stored]], pa.timestamp("us", "UTC")),
        statuses=pa.chunked_array([[OK if status == EMPTY else status for status, _ in told]], pa.string()),
        html=html if html.any() else None,
    )
