"""How far a migration has come. It is stored in the target, in the same transaction as each batch."""

from __future__ import annotations

import json
from dataclasses import dataclass

from neardup.index.store import Store

FACT = "migration"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a migration.

    `source` is the identity of the source. `event` is its last event that the target has followed and `event_content`
    what that event was. `copied` is the number of the last document that was copied, None when all are. `numbered` is
    the event at which the cluster numbers were taken over. `own_event` is the last event of the target itself.
    `learned` is true if the lexicon of the target was learned for this migration.
    """

    source: str
    event: int
    event_content: str
    copied: int | None = -1
    numbered: int = -1
    own_event: int = 0
    learned: bool = False

    def pack(self) -> bytes:
        """Return the stored form."""
        stored = {
            "source": self.source,
            "event": self.event,
            "told": self.event_content,
            "copied": self.copied,
            "numbered": self.numbered,
            "own": self.own_event,
            "learned": self.learned,
        }
        return json.dumps(stored).encode()

    @classmethod
    def unpack(cls, stored: bytes) -> Checkpoint:
        """Return the state of a stored form."""
        found = json.loads(stored)
        return cls(
            found["source"],
            found["event"],
            found["told"],
            found["copied"],
            found["numbered"],
            found["own"],
            found["learned"],
        )


def read_checkpoint(store: Store) -> Checkpoint | None:
    """Return how far the migration to this index has come; None if it was not created by a migration."""
    stored = store.facts.read(FACT)
    return None if stored is None else Checkpoint.unpack(stored)


def write_checkpoint(store: Store, checkpoint: Checkpoint) -> None:
    """Store how far the migration has come."""
    store.facts.update(FACT, checkpoint.pack())
