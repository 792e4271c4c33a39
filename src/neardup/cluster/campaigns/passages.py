"""Campaigns by shared passages: letters to which every writer added something, so that no original is left unchanged.

The kernel groups the letters (`rust/core/src/cluster/campaigns/passages`). A letter joins the campaign of a reference
copy if it has enough of its passages; other groups are campaigns of their own, whose reference is the consensus.
"""

from __future__ import annotations

import numpy as np

from neardup import _core
from neardup.cluster.campaigns.consensus import assemble_consensus, assemble_menus, found_campaign
from neardup.cluster.campaigns.settings import PARAGRAPH, PASSAGES, REWRITTEN
from neardup.cluster.campaigns.state import Campaigns
from neardup.stages import Counts, Numbers

NO_GROUP = np.uint32(2**32 - 1)
WINDOW_WORDS = 8
WINDOW_CHARACTERS = 16
SPACED_BYTES = 4.2
"""With fewer bytes for each token, most tokens are characters of a script without spaces."""
LEAST_LETTERS = 3
NEAR_REFERENCE = 0.2
REWRITTEN_WORDS = 25
REWRITTEN_SHARE = 0.3
REWRITTEN_WHOLE = 0.8


def assign_by_passages(state: Campaigns) -> None:
    """Let unassigned letters follow references by common passages, and form campaigns without an original."""
    references = np.flatnonzero(state.is_reference).astype(np.uint32)
    given = _number_campaigns(state, references)
    groups, letters, others = _group(state, references, given)
    changed = (groups != given) & (groups != NO_GROUP)
    known = np.flatnonzero(changed & (groups < len(references)))
    state.follow(known, references[groups[known]], PASSAGES)
    new = np.flatnonzero(changed & (groups >= len(references)))
    order = new[np.argsort(groups[new], kind="stable")]
    firsts = order[np.append(True, np.diff(groups[order].astype(np.int64)) != 0)] if len(order) else order
    leaders = np.concatenate([references, np.zeros(int(groups[new].max(initial=0)) + 1, np.uint32)])
    leaders[groups[firsts]] = firsts
    state.is_reference[firsts] = True
    state.follow(new, leaders[groups[new]], PASSAGES)
    assemble_consensus(state, order)
    assemble_menus(state, references)
    state.also = [(int(letter), int(leaders[group])) for letter, group in zip(letters, others, strict=True)]


def separate_campaigns(state: Campaigns) -> None:
    """Form campaigns of letters that follow a reference only for a paragraph, if they have other text in common.

    Two campaigns may have the paragraph, and only one of them an original.
    """
    far = (state.ground == PARAGRAPH) & (state.distance >= state.default_threshold) & state.is_reference[state.leaders]
    loose = np.flatnonzero(far & (state.leaders != np.arange(len(state.leaders))))
    order = loose[np.argsort(state.leaders[loose], kind="stable")]
    bounds = np.flatnonzero(np.diff(state.leaders[order].astype(np.int64))) + 1
    for members in np.split(order, bounds):
        if len(members) >= state.settings.min_copies:
            _separate(state, members)


def _separate(state: Campaigns, members: Counts) -> None:
    """Form campaigns of some letters of one reference, as far as their common text is not that of the reference."""
    nodes = state.letters.nodes
    none = np.full(len(members), NO_GROUP, np.uint32)
    lengths, copies = nodes.lengths[members], nodes.copies[members]
    found, _, _ = _core.group_by_passages(
        state.texts,
        state.letters.documents[members],
        (lengths, copies),
        (none, np.zeros(0, np.uint32)),
        (_window(state), state.settings.min_copies),
    )
    for group in range(int(found[found != NO_GROUP].max(initial=0)) + 1):
        own = members[found == group]
        if len(own) >= state.settings.min_copies:
            found_campaign(state, own)


def _number_campaigns(state: Campaigns, references: Numbers) -> Numbers:
    """Return the number of the reference that each letter follows, or `NO_GROUP`."""
    numbers = np.full(len(state.leaders), NO_GROUP, np.uint32)
    numbers[references] = np.arange(len(references), dtype=np.uint32)
    return numbers[state.leaders]


def _group(state: Campaigns, references: Numbers, given: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Group the letters by passages; the campaigns of references are given.

    Letters that are near to the reference that they follow are left out: they have no part of another campaign.
    """
    letters, nodes = state.letters, state.letters.nodes
    differs = state.distance > NEAR_REFERENCE
    chosen = np.flatnonzero((given == NO_GROUP) | state.is_reference | differs).astype(np.uint32)
    sharing = (_window(state), max(LEAST_LETTERS, state.settings.min_copies // 2))
    found, rows, others = _core.group_by_passages(
        state.texts,
        letters.documents[chosen],
        (nodes.lengths[chosen], nodes.copies[chosen]),
        (given[chosen], np.searchsorted(chosen, references).astype(np.uint32)),
        sharing,
    )
    groups = given.copy()
    groups[chosen] = found
    return groups, chosen[rows], others


def _window(state: Campaigns) -> int:
    """Return how many tokens a window has: more where most tokens are single characters."""
    spaced = state.letters.sizes.sum() >= SPACED_BYTES * state.letters.nodes.lengths.sum(dtype=np.int64)
    return WINDOW_WORDS if spaced else WINDOW_CHARACTERS


def assign_rewritten(state: Campaigns, span: float = 0) -> None:
    """Let unassigned letters follow the reference or consensus that they rewrite, word by word in the same order.

    The aligned words must span this share of the reference: a letter with one paragraph of it may belong elsewhere.
    """
    lengths = state.letters.nodes.lengths
    letters = np.flatnonzero(state.unassigned() & (lengths >= REWRITTEN_WORDS))
    references = np.flatnonzero(state.is_reference & (lengths >= REWRITTEN_WORDS))
    if not len(letters) or not len(references):
        return
    found = state.letters.background.rewritten(
        state.texts, state.letters.documents[letters], state.reference_documents(references), REWRITTEN_SHARE
    )
    spanning = found[3] >= span
    rows, leaders = letters[found[0][spanning]], references[found[1][spanning]].astype(np.uint32)
    if state.settings.cannot == "all":
        together = ~state.exclude_each(rows.astype(np.uint32), leaders)
        rows, leaders = rows[together], leaders[together]
    state.follow(rows, leaders, REWRITTEN)
