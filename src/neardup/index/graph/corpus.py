"""What an index reads from a Corpus and from a detector; no other module of the index looks inside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

import numpy as np

from neardup.detectors import Detector
from neardup.index.keys import Integers
from neardup.index.linking import Linker, join_days
from neardup.index.store.encoding import day_of
from neardup.index.store.nodes import Fingerprint
from neardup.represent import Lexicon
from neardup.stages import Corpus, Links


def read_fingerprints(corpus: Corpus) -> list[Fingerprint]:
    """Return the fingerprint of each node."""
    halves = (corpus.survey.fingerprints, corpus.survey.other_halves)
    low, high = (half[corpus.nodes].view(np.int64).tolist() for half in halves)
    return list(map(Fingerprint, low, high))


def read_lengths(corpus: Corpus) -> list[int]:
    """Return the number of words of each node."""
    lengths: list[int] = corpus.lengths.tolist()
    return lengths


def read_features(corpus: Corpus) -> list[bytes]:
    """Return the features of each node that are to be stored; nothing if the method stores none."""
    return [] if corpus.features is None else corpus.features.split()


def read_representatives(corpus: Corpus, nodes: list[int]) -> list[int]:
    """Return the index of the document that represents each of some nodes."""
    found: list[int] = corpus.nodes[nodes].tolist()
    return found


def nodes_of_documents(corpus: Corpus, documents: int) -> Integers:
    """Return the index of the node of each document; -1 for a document without words."""
    index = np.full(documents, -1, np.int64)
    index[corpus.nodes] = np.arange(len(corpus))
    return index[corpus.survey.representatives]


def set_days(corpus: Corpus, node_of: Integers, times: Iterable[int | None]) -> Corpus:
    """Return a corpus with the days of its nodes, from the times of its documents."""
    days: list[set[int]] = [set() for _ in range(len(corpus))]
    for node, time in zip(node_of.tolist(), times, strict=True):
        if node >= 0:
            days[node].add(day_of(time))
    return replace(corpus, days=join_days([list(each) for each in days]))


def link_corpus(linker: Linker, corpus: Corpus, *, by_popularity: bool) -> Links:
    """Link the nodes of a corpus with each other, where the direction of a link depends on what leads."""
    return linker.link_within(replace(corpus, by_popularity=by_popularity))


def uses_lexicon(detector: Detector) -> bool:
    """Return whether a method uses a lexicon."""
    return any(item.name == "lexicon" for item in fields(detector))


def lexicon_of(detector: Detector) -> Lexicon | None:
    """Return the lexicon of a detector; None if it has none."""
    found: Lexicon | None = getattr(detector, "lexicon", None)
    return found


def with_lexicon(detector: Detector, lexicon: Lexicon) -> Detector:
    """Return a detector with another lexicon."""
    return replace(detector, lexicon=lexicon)  # type: ignore[call-arg]  # only where uses_lexicon is true
