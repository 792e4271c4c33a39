"""Remove the repetitions of passages from a collection of files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup import _core
from neardup.errors import SettingsError
from neardup.normalise import Normaliser
from neardup.passages.cutting import MANIFEST_SCHEMA, Cut, apply_cuts, merge_cuts
from neardup.passages.finder import choose_passages, describe_passages, locate_passages
from neardup.passages.settings import PassageSettings
from neardup.pipeline import Clock, Progress
from neardup.records import Documents, Passages


@dataclass(frozen=True, slots=True)
class Removal:
    """How repetitions are removed: cut, or replaced by `mask`.

    A document of which fewer than `shortest` words are left counts as too short; it is dropped if `drop_short` is set.
    """

    mask: str | None = None
    shortest: int = 5
    drop_short: bool = False

    def __post_init__(self) -> None:
        """Check the values."""
        if type(self.shortest) is not int or self.shortest < 0:
            raise SettingsError(f"shortest is {self.shortest!r}, but must be a number of words")


@dataclass(frozen=True, slots=True)
class Removed:
    """What was removed: the passages, the new texts by document, which documents stay, and the manifest."""

    passages: Passages
    texts: dict[int, str]
    kept: npt.NDArray[np.bool_]
    manifest: pa.Table


def remove_repetitions(
    documents: Documents,
    settings: PassageSettings,
    removal: Removal,
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> Removed:
    """Find the passages of a collection and remove all but the first occurrence of each."""
    clock = Clock(progress, {"read": documents.seconds})
    with clock.stage("passages", len(documents)):
        texts = Normaliser(settings.form, settings.markup).for_letters().open(documents, threads)
        located = locate_passages(documents, texts, settings)
        chosen = choose_passages(located, settings, len(documents))
        found = describe_passages(documents, settings, chosen, clock, located)
    with clock.stage("cut", len(documents)):
        copies = chosen.copies
        columns = (copies.document.tolist(), copies.start.tolist(), copies.end.tolist(), copies.passage.tolist())
        return _remove(documents, texts, [Cut(*row) for row in zip(*columns, strict=True)], removal, found)


def _remove(documents: Documents, texts: _core.Texts, cuts: list[Cut], removal: Removal, found: Passages) -> Removed:
    changed: dict[int, str] = {}
    kept = np.ones(len(documents), np.bool_)
    rows: list[tuple[str, int, int, int, str, int, bool]] = []
    short = characters = 0
    ids = documents.id_column()
    for merged in merge_cuts(cuts):
        document = merged[0].document
        text, replaced = apply_cuts(documents, merged, removal.mask)
        left = _count_left(texts, document, merged)
        dropped = left < removal.shortest and removal.drop_short
        short += left < removal.shortest
        kept[document] = not dropped
        changed[document] = text
        characters += sum(cut.end - cut.start for cut in merged)
        name = str(ids[document].as_py())
        for cut, replacement in zip(merged, replaced, strict=True):
            rows.append((name, cut.start, cut.end, cut.passage, replacement, left, dropped))
    found.count(
        changed_documents=len(changed),
        removed_stretches=len(rows),
        removed_characters=characters,
        too_short=short,
        kept=int(kept.sum()),
        removed=int((~kept).sum()),
    )
    columns = list(zip(*rows, strict=True)) or [()] * len(MANIFEST_SCHEMA)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, MANIFEST_SCHEMA, strict=True)]
    return Removed(found, changed, kept, pa.table(arrays, schema=MANIFEST_SCHEMA))


def _count_left(texts: _core.Texts, document: int, cuts: Sequence[Cut]) -> int:
    """Count the words of a document outside of its cuts."""
    starts, _, _ = texts.tokens(document)
    inside = sum(int(np.searchsorted(starts, cut.end) - np.searchsorted(starts, cut.start)) for cut in cuts)
    return len(starts) - inside
