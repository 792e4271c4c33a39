"""The first phase: find the references and assign letters to them."""

from __future__ import annotations

import numpy as np

from neardup.cluster.campaigns.links import (
    choose_thresholds,
    find_cannot_links,
    find_family_links,
    find_must_links,
    limit_links,
)
from neardup.cluster.campaigns.settings import (
    DISTANCE,
    FAMILY,
    FARTHEST,
    OVERLAP_LEAST,
    PARAGRAPH_WORDS,
    REFERENCE_WORDS,
    VERSION_OVERLAP,
)
from neardup.cluster.campaigns.state import Campaigns, Comparisons
from neardup.stages import Counts, Flags, Numbers, Scores

VERSION_DISTANCE = 0.1


def find_references(state: Campaigns) -> Counts:
    """Return the texts with enough identical copies; with `paper`, including edited versions of other references."""
    nodes = state.letters.nodes
    often = np.flatnonzero((nodes.copies >= state.settings.min_copies) & (nodes.lengths >= REFERENCE_WORDS))
    return often if state.settings.paper else _leave_out_versions(state, often)


def _leave_out_versions(state: Campaigns, often: Counts) -> Counts:
    """Leave out edited versions of a text with more copies: they are not the original of a campaign."""
    letters = state.letters
    order = often[np.lexsort((often, -letters.nodes.copies[often].astype(np.int64)))]
    indexes = np.arange(len(order), dtype=np.uint32)
    documents = letters.documents[np.concatenate([order, order])]
    bounds = (state.settings.mu, VERSION_DISTANCE, PARAGRAPH_WORDS)
    rows = Comparisons(*letters.background.hold(letters.texts, documents, indexes, bounds, thorough=False))
    version = rows.letter - len(order)
    dockets = letters.dockets[order]
    apart = letters.docket_sets.exclude_each(dockets[version], dockets[rows.reference])
    alike = rows.whole | (rows.overlap > OVERLAP_LEAST) | (rows.paragraph & (rows.overlap >= VERSION_OVERLAP))
    kept = np.ones(len(order), bool)
    for index, original in sorted(zip(version[alike & ~apart], rows.reference[alike & ~apart], strict=True)):
        if original < index and kept[original]:
            kept[index] = False
    return np.sort(order[kept])


def assign_letters(state: Campaigns, references: Counts) -> None:
    """Let every unassigned letter follow the reference that it belongs to."""
    if not len(references):
        return
    state.is_reference[references] = True
    rows = _compare(state, references, np.flatnonzero(state.unassigned()))
    state.examined += len(rows.letter)
    cannot = find_cannot_links(state, rows)
    must, ground = find_must_links(state, rows)
    # A letter that can follow another reference is not a conflict: its text occurs in two dockets.
    free = np.isin(rows.letter, rows.letter[must & ~cannot])
    _record_conflicts(state, rows, must & cannot & ~free)
    threshold = state.default_threshold
    nearly = (rows.distance >= threshold) & (rows.distance < threshold + state.settings.alpha)
    family = limit_links(state, "family", ~cannot & find_family_links(state, rows), rows, nearly)
    adjusted = rows.distance - state.settings.alpha * family
    thresholds = choose_thresholds(state, references, rows, adjusted, (must & ~cannot, cannot))
    linked = ~cannot & (must | (adjusted < thresholds[rows.reference]))
    reasons = np.where(must, ground, np.where(family, FAMILY, DISTANCE)).astype(np.uint32)
    _follow_best(state, rows.take(linked), must[linked], reasons[linked], adjusted[linked])


def _follow_best(state: Campaigns, rows: Comparisons, must: Flags, reasons: Numbers, adjusted: Scores) -> None:
    """Let each letter follow one reference: by a must-link, the one it contains most of, otherwise the nearest.

    Beyond the paper, a near reference of which the letter contains more words comes before a must-link: the must-link
    may be a paragraph that two campaigns have.
    """
    literal = state.settings.paper or state.settings.must != "all"
    contained = np.where(must | (not literal), rows.contained.astype(np.int64), 0)
    first_by = (~must, rows.letter) if literal else (rows.letter,)
    order = np.lexsort((rows.reference, adjusted, ~must, -contained, *first_by))
    first = order[np.append(True, np.diff(rows.letter[order].astype(np.int64)) != 0)] if len(order) else order
    letters = rows.letter[first]
    state.leaders[letters] = rows.reference[first]
    state.distance[letters] = rows.distance[first]
    state.ground[letters] = reasons[first]


def _compare(state: Campaigns, references: Counts, others: Counts) -> Comparisons:
    letters, settings = state.letters, state.settings
    nodes = np.concatenate([references, others]).astype(np.uint32)
    bounds = (settings.mu, max(FARTHEST, settings.threshold or 0) + settings.alpha, PARAGRAPH_WORDS)
    indexes = np.arange(len(references), dtype=np.uint32)
    thorough = settings.paper or settings.must != "all"
    held = letters.background.hold(letters.texts, letters.documents[nodes], indexes, bounds, thorough)
    return Comparisons(nodes[held[0]], nodes[held[1]], *held[2:])


def _record_conflicts(state: Campaigns, rows: Comparisons, refused: Flags) -> None:
    dockets, names = state.letters.dockets, state.letters.docket_sets
    for row in np.flatnonzero(refused):
        letter, reference = int(rows.letter[row]), int(rows.reference[row])
        reasons = [names.name(int(dockets[reference])), names.name(int(dockets[letter]))]
        state.refuse("must", (reference, letter), reasons, (reference, letter))
