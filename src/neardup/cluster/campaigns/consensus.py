"""The consensus of a campaign without an original: the text that most letters keep.

The kernel assembles it (`rust/core/src/cluster/campaigns/consensus.rs`). A real letter stays the leader of the cluster:
the one nearest to the consensus.
"""

from __future__ import annotations

import numpy as np

from neardup import _core
from neardup.cluster.campaigns.settings import DISTANCE, PASSAGES
from neardup.cluster.campaigns.state import NO_CONSENSUS, Campaigns
from neardup.stages import Counts, Hashes, Numbers

LEAST_FOLLOWERS = 3
RUN_WORDS = 5
KNOWN_SHARE = 0.6
CONSENSUS_WORDS = 12
CONSENSUS_CHARACTERS = 24
LONGER_LETTERS = 1.25
LONGER_CONSENSUS = 1.5

Agreement = tuple[str, list[str], list[list[int]]]
"""A consensus text, the texts of its points, and the points of each letter."""


def assemble_consensus(state: Campaigns, members: Counts) -> None:
    """Assemble the consensus of each group; members are ordered by group. A group with too little of it is none."""
    for own, agreed in _assemble(state, members):
        if len(agreed[0].split()) < CONSENSUS_WORDS and len(agreed[0]) < CONSENSUS_CHARACTERS:
            _dissolve(state, own)
        else:
            _take(state, own, agreed)
    state.texts = state.letters.texts.extended(state.consensus_texts)
    state.measure_distances(members)


def found_campaign(state: Campaigns, members: Counts) -> None:
    """Let letters leave their reference, if their common text is one text, and not that of the reference."""
    ((_, agreed),) = _assemble(state, members)
    texts = state.letters.texts.extended([agreed[0]])
    reference = state.letters.documents[state.leaders[members[0]]]
    runs = [_list_runs(texts.tokens(int(document))[2]) for document in (len(texts) - 1, reference)]
    if agreed[1] or not runs[0] or len(runs[0] & runs[1]) > KNOWN_SHARE * len(runs[0]):
        return
    _take(state, members, agreed)
    state.texts = state.letters.texts.extended(state.consensus_texts)
    state.is_reference[members[0]] = True
    state.follow(members, np.full(len(members), members[0], np.uint32), PASSAGES)


def _list_runs(words: Hashes) -> set[tuple[int, ...]]:
    """Return the runs of a few words."""
    return set(zip(*(words[start:].tolist() for start in range(RUN_WORDS)), strict=False))


def assemble_menus(state: Campaigns, references: Numbers) -> None:
    """Give a consensus to campaigns of which the reference is only one choice from a menu.

    If letters choose from many points, some of them make the same choice, so that there are identical copies.
    """
    lengths = state.letters.nodes.lengths.astype(np.float64)
    following = np.flatnonzero(state.is_reference[state.leaders])
    order = following[np.argsort(state.leaders[following], kind="stable")]
    bounds = np.searchsorted(state.leaders[order], [references, references + 1])
    chosen = []
    for reference, start, end in zip(references.tolist(), *bounds.tolist(), strict=True):
        own = order[start:end]
        if state.consensus[reference] != NO_CONSENSUS:
            continue
        if len(own) > LEAST_FOLLOWERS and np.median(lengths[own]) >= LONGER_LETTERS * lengths[reference]:
            chosen.append(own)
    if not chosen:
        return
    members = np.concatenate(chosen)
    for own, agreed in _assemble(state, members):
        if agreed[1] and len(agreed[0].split()) >= LONGER_CONSENSUS * lengths[state.leaders[own[0]]]:
            _take(state, own, agreed)
    state.texts = state.letters.texts.extended(state.consensus_texts)
    state.measure_distances(members)


def lead_by_nearest(state: Campaigns) -> None:
    """Make the letter nearest to the consensus the leader of each campaign that has one."""
    with_consensus = np.flatnonzero(state.consensus[state.leaders] != NO_CONSENSUS)
    if not len(with_consensus):
        return
    leaders = state.leaders[with_consensus]
    own = state.consensus[with_consensus] == state.consensus[leaders]
    order = np.lexsort((with_consensus, state.distance[with_consensus], ~own, leaders))
    firsts = np.append(True, np.diff(leaders[order].astype(np.int64)) != 0)
    nearest = np.arange(len(state.leaders), dtype=np.uint32)
    nearest[leaders[order][firsts]] = with_consensus[order][firsts]
    state.leaders[with_consensus] = nearest[leaders]
    state.is_reference[leaders] = False
    state.is_reference[nearest[leaders]] = True
    state.also = [(letter, int(nearest[leader])) for letter, leader in state.also]


def _assemble(state: Campaigns, members: Counts) -> list[tuple[Counts, Agreement]]:
    """Return the members of each group with the consensus; members are ordered by leader."""
    letters, leaders = state.letters, state.leaders[members].astype(np.int64)
    if not len(members):
        return []
    offsets = np.append(np.flatnonzero(np.append(True, np.diff(leaders) != 0)), len(members)).astype(np.uint64)
    made = _core.assemble_consensus(state.texts, offsets, letters.documents[members], letters.nodes.copies[members])
    return list(zip(np.split(members, offsets[1:-1].astype(np.int64)), made, strict=True))


def _take(state: Campaigns, members: Counts, agreed: Agreement) -> None:
    """Make a text the consensus of these letters."""
    text, points, held = agreed
    state.consensus[members] = len(state.consensus_texts)
    state.consensus_texts.append(text)
    state.points.append(tuple(points))
    state.points_of.update(zip(map(int, members), map(tuple, held), strict=False))


def _dissolve(state: Campaigns, members: Counts) -> None:
    """Let the members of a group be without a campaign again."""
    state.leaders[members] = members
    state.is_reference[members] = False
    state.ground[members] = DISTANCE
