"""The experiments of Gong et al. 2008, section 4, on corpora that are given or grown.

The paper's corpora are not public. A corpus that is given is taken as it is for recall and comparisons; grown from it
by a seeded generator, with the origin of every message known, are the corpora for precision, time and memory. Where
none is given, messages are written by a grammar. The same texts and seed give the same figures, times and memory aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from neardup.errors import InputError, SettingsError
from neardup.reproduce.docket.chance import Chance
from neardup.reproduce.folder import Progress, Row
from neardup.reproduce.messages import LANGUAGES, grow, write_messages
from neardup.reproduce.simfinder.labelled import LabelledPairs
from neardup.reproduce.simfinder.optimisation import measure_optimisation
from neardup.reproduce.simfinder.precision import judge_grown, judge_pairs
from neardup.reproduce.simfinder.recall import measure_recall
from neardup.reproduce.simfinder.scale import measure_scale

SIZE = 60_000
LEAST = 100
"""The smallest corpus that the experiments are made for."""

TABLES = ("precision", "grams", "features", "lengths", "optimisation", "potential", "scale")


@dataclass(frozen=True, slots=True)
class Source:
    """Texts to work on, by name; those that were `written` by a grammar are used grown alone."""

    name: str
    texts: Sequence[str]
    written: bool = False


@dataclass
class Reproduction:
    """What came out: one row per figure of each table."""

    seed: int
    size: int
    corpora: list[Row] = field(default_factory=list)
    precision: list[Row] = field(default_factory=list)
    grams: list[Row] = field(default_factory=list)
    features: list[Row] = field(default_factory=list)
    lengths: list[Row] = field(default_factory=list)
    optimisation: list[Row] = field(default_factory=list)
    potential: list[Row] = field(default_factory=list)
    scale: list[Row] = field(default_factory=list)


def reproduce_simfinder(
    corpora: Sequence[Source],
    pairs: Sequence[LabelledPairs],
    seed: int,
    *,
    size: int = SIZE,
    progress: Progress | None = None,
) -> Reproduction:
    """Run every experiment; without corpora and pairs, on messages written by a grammar."""
    if size < LEAST:
        raise SettingsError(f"size is {size}, but must be at least {LEAST}")
    tell = progress or (lambda stage, done, total: None)
    sources = corpora if corpora or pairs else [write_source(language, seed, size) for language in LANGUAGES]
    found = Reproduction(seed, size)
    for labelled in pairs:
        tell(f"{labelled.name}: precision", 0, None)
        found.precision += judge_pairs(labelled)
    for source in sources:
        _explore(source, found, tell)
    return found


def write_source(language: str, seed: int, size: int) -> Source:
    """Write messages of our own, a tenth of what is wanted."""
    return Source(language, write_messages(language, seed, max(LEAST, size // 10)), written=True)


def _explore(source: Source, found: Reproduction, tell: Progress) -> None:
    """Run what needs a corpus: on the given one where there is one, and on one grown from it."""
    tell(f"{source.name}: growing", 0, None)
    grown = grow(source.texts, found.seed, found.size)
    name = f"{source.name}, grown"
    samples = {name: grown.texts}
    if not source.written:
        samples = {source.name: sample_texts(source, found.size, found.seed), **samples}
    for sample, texts in samples.items():
        found.corpora.append(_describe(sample, texts))
        for table, row in measure_recall(sample, texts, tell):
            getattr(found, table).append(row)
        for table, row in measure_optimisation(sample, texts, found.seed, tell):
            getattr(found, table).append(row)
    found.precision += judge_grown(name, grown, found.seed)
    found.scale += measure_scale(source.name, source.texts, found.seed, found.size, tell)


def sample_texts(source: Source, size: int, seed: int) -> list[str]:
    """Return the texts of a corpus, or so many of them drawn if there are more."""
    if not any(text.strip() for text in source.texts):
        raise InputError(f"{source.name} has no text that is not empty")
    return Chance(seed, f"sample {source.name}").pick_some(source.texts, size)


def _describe(name: str, texts: Sequence[str]) -> Row:
    copies: dict[str, int] = {}
    for text in texts:
        copies[text] = copies.get(text, 0) + 1
    return {
        "corpus": name,
        "texts": len(texts),
        "distinct": len(copies),
        "megabytes": sum(len(text.encode("utf-8", "replace")) for text in texts) / 1e6,
        "copied": sum(count for count in copies.values() if count > 1) / len(texts),
    }
