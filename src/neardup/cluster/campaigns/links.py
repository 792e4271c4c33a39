"""The kinds of links between letters and references (Yang & Callan 2006, section 4.4), and learned thresholds."""

from __future__ import annotations

import numpy as np

from neardup.cluster.campaigns.settings import (
    CONTAINED,
    FARTHEST,
    OVERLAP,
    OVERLAP_LEAST,
    PARAGRAPH,
    SIMILAR_SIZE,
    LinkKind,
)
from neardup.cluster.campaigns.state import Campaigns, Comparisons
from neardup.stages import Counts, Flags, Hashes, Numbers, Scores

LEAST_MUST_LINKS = 10
LEAST_THRESHOLD = 0.3


def find_must_links(state: Campaigns, rows: Comparisons) -> tuple[Flags, Numbers]:
    """Return which rows are must-links and for what reason."""
    alike = rows.overlap > OVERLAP_LEAST
    paragraph = np.zeros(len(rows.whole), bool) if state.settings.paper else rows.paragraph
    ground = np.where(rows.whole, CONTAINED, np.where(alike, OVERLAP, PARAGRAPH)).astype(np.uint32)
    must = rows.whole | alike | paragraph
    if state.settings.must not in ("all", "off"):
        must &= _is_best(rows, must)
    return limit_links(state, "must", must, rows, rows.distance >= state.default_threshold), ground


def find_cannot_links(state: Campaigns, rows: Comparisons) -> Flags:
    """Return which rows are cannot-links: different docket numbers, or a constraint of the user."""
    apart = state.exclude_each(rows.letter, rows.reference)
    apart = limit_links(state, "cannot", apart, rows, rows.distance < state.default_threshold)
    named = _constrained_rows(state, rows)
    apart[named] |= np.array([state.closure.cannot(*pair) for pair in _pairs(rows, named)], bool)
    return apart


def find_family_links(state: Campaigns, rows: Comparisons) -> Flags:
    """Return which rows are family-links: same relayer, docket and footer, similar size, or the user's."""
    families, sizes = state.letters.families, state.letters.sizes
    same = (families[rows.letter] == families[rows.reference]) & (families[rows.letter] > 0)
    a, b = sizes[rows.letter], sizes[rows.reference]
    related: Flags = same & (np.maximum(a, b) <= SIMILAR_SIZE * np.minimum(a, b))
    named = _constrained_rows(state, rows)
    related[named] |= np.array([state.closure.family(*pair) for pair in _pairs(rows, named)], bool)
    return related


def limit_links(state: Campaigns, kind: LinkKind, links: Flags, rows: Comparisons, decisive: Flags) -> Flags:
    """Keep all links of a kind, none, or as many as the setting allows.

    A number of links is drawn by the seed, independent of their order: first from the decisive ones, which change what
    the distance alone would decide.
    """
    allowed = state.limit(kind)
    if allowed == "off":
        return np.zeros_like(links)
    if allowed != "all":
        left = max(0, int(allowed) - state.link_counts[kind])
        prints = state.letters.nodes.fingerprints
        chosen = np.flatnonzero(links)
        lots = _draw(prints[rows.letter[chosen]], prints[rows.reference[chosen]], state.settings.seed)
        chosen = chosen[np.lexsort((lots, ~decisive[chosen]))[:left]]
        links = np.zeros_like(links)
        links[chosen] = True
    state.link_counts[kind] += int(links.sum())
    return links


def choose_thresholds(
    state: Campaigns, references: Counts, rows: Comparisons, adjusted: Scores, links: tuple[Flags, Flags]
) -> Scores:
    """Choose the threshold of each reference, by node: given, learned from its must- and cannot-links, or ln 2."""
    must, cannot = links
    thresholds = np.full(len(state.leaders), state.default_threshold)
    origin = "given" if state.settings.threshold else "default"
    state.thresholds.update((int(node), (float(thresholds[node]), origin)) for node in references)
    if state.settings.threshold is not None or state.settings.paper:
        return thresholds
    order = np.argsort(rows.reference, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(rows.reference[order].astype(np.int64))) + 1):
        if not len(own):
            continue
        learned = _best_threshold(adjusted[own], must[own], cannot[own])
        if learned is not None:
            node = int(rows.reference[own[0]])
            thresholds[node] = learned
            state.thresholds[node] = (learned, "must-links")
    return thresholds


def _constrained_rows(state: Campaigns, rows: Comparisons) -> Counts:
    """Return the rows of letters that the user's constraints name."""
    named = state.letters.nodes.constraints.named()
    return np.flatnonzero(np.isin(rows.letter, list(named))) if named else np.zeros(0, np.int64)


def _pairs(rows: Comparisons, chosen: Counts) -> list[tuple[int, int]]:
    return [(int(rows.letter[row]), int(rows.reference[row])) for row in chosen]


def _is_best(rows: Comparisons, links: Flags) -> Flags:
    """Return which links go to the reference of which the letter contains most."""
    best = np.zeros(int(rows.letter.max(initial=0)) + 1, np.uint32)
    np.maximum.at(best, rows.letter[links], rows.contained[links])
    chosen: Flags = rows.contained == best[rows.letter]
    return chosen


def _draw(a: Hashes, b: Hashes, seed: int) -> Hashes:
    """Return a random number for each pair that depends only on the two texts and the seed."""
    mixed = (a ^ (b << np.uint64(1))) + np.uint64((seed * 0x9E3779B97F4A7C15 + 0xD6E8FEB86659FD93) % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    lots: Hashes = mixed ^ (mixed >> np.uint64(29))
    return lots


def _best_threshold(distances: Scores, must: Flags, cannot: Flags) -> float | None:
    """Return the threshold that best separates must-links from cannot-links; None where there are too few."""
    if must.sum() < LEAST_MUST_LINKS or not cannot.any():
        return None
    order = np.argsort(distances, kind="stable")
    right = np.cumsum(must[order])
    wrong = np.cumsum(cannot[order])
    score = 2 * right / (right + wrong + must.sum())
    best = int(np.argmax(score))
    return float(np.clip(np.nextafter(distances[order][best], np.inf), LEAST_THRESHOLD, FARTHEST))
