"""Creates or opens the target of a migration, and checks that it belongs to the source."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace

from neardup.detectors import Detector, make_detector
from neardup.errors import FormatError, SettingsError
from neardup.index.lexicons import lexicon_of, uses_lexicon, with_lexicon
from neardup.index.linking import Linker
from neardup.index.migration.checkpoint import FACT, Checkpoint, read_checkpoint
from neardup.index.migration.source import describe_event, learn_lexicon
from neardup.index.settings import OpenedIndex, RequestedSettings, create_index, read_detector
from neardup.index.store import Store


@dataclass(frozen=True, slots=True)
class TargetSettings:
    """The method and the settings of the target, where they differ from those of the source."""

    requested: RequestedSettings
    relearn: bool = False

    def __post_init__(self) -> None:
        if self.relearn and self.requested.settings.get("lexicon") is not None:
            raise SettingsError("a lexicon is either given or learned again: name one of the two")

    def detector(self, source: Detector) -> Detector:
        """Return the detector of the target. If the method stays the same, settings that are not named do too."""
        method = self.requested.method
        if isinstance(method, Detector):
            made = method
        else:
            same = method in (None, source.name)
            kept = {item.name: getattr(source, item.name) for item in fields(source)} if same else {}
            if self.relearn:
                kept.pop("lexicon", None)
            made = make_detector(method or source.name, {**kept, **self.requested.settings})
        if self.relearn and not uses_lexicon(made):
            raise SettingsError(f"method {made.name} uses no lexicon: there is nothing to learn")
        return made


def open_target(
    source: OpenedIndex, path: str | os.PathLike[str], wanted: TargetSettings, *, lock_timeout_seconds: float
) -> OpenedIndex:
    """Open the target, or create it if it does not exist; refuse an index that is not the target of this source."""
    if str(path) == ":memory:":
        raise SettingsError("the target cannot be in memory: name a file, or a database as postgresql://…")
    # Wrong settings are reported before a file is created.
    detector = wanted.detector(source.detector)
    Linker(detector)
    identity = source.store.facts.read_all()["identity"].decode()
    store = Store.open(path, lock_timeout_seconds=lock_timeout_seconds)
    try:
        if not store.exists():
            _create_target(store, source, detector, identity)
        _check_target(store, source, identity, wanted)
        return OpenedIndex(store, read_detector(store, wanted.requested), source.threads)
    except BaseException:
        store.close()
        raise


def _create_target(store: Store, source: OpenedIndex, detector: Detector, identity: str) -> None:
    # The position in the log is read before anything else: every later change is followed.
    with source.store.reading():
        event = source.store.facts.read_counters().last_event
        checkpoint = Checkpoint(identity, event, describe_event(source.store, event))
    facts = {}
    if uses_lexicon(detector) and lexicon_of(detector) is None:
        lexicon = learn_lexicon(source.store, Linker(detector, source.threads))
        if lexicon is None:
            raise FormatError(f"{source.store.name} has no documents to learn a lexicon from: add some, or name one")
        detector = with_lexicon(detector, lexicon)
        checkpoint, facts["learned"] = replace(checkpoint, learned=True), b"for the migration"
    elif uses_lexicon(source.detector) and lexicon_of(detector) is lexicon_of(source.detector):
        learned = source.store.facts.read("learned")
        facts = {} if learned is None else {"learned": learned}
    create_index(store, detector, **facts, **{FACT: checkpoint.pack()})


def _check_target(store: Store, source: OpenedIndex, identity: str, wanted: TargetSettings) -> None:
    checkpoint = read_checkpoint(store)
    if store.facts.read("identity") == identity.encode():
        raise FormatError(f"{store.name} is {source.store.name} itself or a copy of it: name another target")
    if checkpoint is None:
        raise FormatError(f"{store.name} is an index, but not the target of a migration: name a target that is new")
    if checkpoint.source != identity:
        raise FormatError(
            f"{store.name} is the target of a migration of another index than {source.store.name}: name a target that "
            "is new"
        )
    if wanted.relearn and not checkpoint.learned:
        raise FormatError(
            f"{store.name} was created without learning a lexicon: leave out relearn to continue, or name a target "
            "that is new"
        )
