"""Campaigns: letters around reference copies, guided by constraints.

Yang & Callan 2006, section 4 and Figure 3, reconstructed (DESIGN.md says how and why). References are the texts with at
least `min_copies` identical copies, the earliest standing for them. Each other letter goes to the reference that it
must be linked to, of several the one of which it holds most words; else to the nearest by smoothed KL divergence, if
that is below the reference's threshold. What no reference takes seeds clusters of its own: dense groups of near-copies
become references too, then the rest gathers around whatever is near enough.

Cannot-links (different docket numbers) are never listed: they are looked up where a link is about to be made. In the
end every cluster is checked, and a member that cannot be with an earlier one leaves it. Time is linear in the letters,
but for the groups without reference, which a set-similarity join finds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.cluster.closure import Closure
from neardup.cluster.linkage import find_leaders
from neardup.stages import CandidateRule, Candidates, Corpus, Grouping, Links, Numbers, Scores, Stage

GROUNDS = ("contained", "overlap", "paragraph", "distance", "family", "constraint", "near copies")
CONTAINED, OVERLAP, PARAGRAPH, DISTANCE, FAMILY, CONSTRAINT, NEAR = range(len(GROUNDS))

OVERLAP_LEAST = 0.95
VERSION_OVERLAP = 0.5
PARAGRAPH_WORDS = 20
REFERENCE_WORDS = 5
NEAR_COPY = 0.9
FARTHEST = 0.8
SIMILAR_SIZE = 1.10

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Held:
    """What letters have of references, row by row: both by node number, the distance, and what makes a must-link."""

    letter: Numbers
    reference: Numbers
    distance: Scores
    overlap: Scores
    contained: Numbers
    whole: Flags
    paragraph: Flags

    def take(self, rows: Flags) -> Held:
        """Return the chosen rows."""
        return Held(*(getattr(self, name)[rows] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class CampaignGrouper:
    """The settings of constrained clustering; `must`, `cannot` and `family` are `off`, `all` or a number of links."""

    near: CandidateRule
    threshold: float | None = None
    mu: float = 1.0
    alpha: float = 0.05
    min_copies: int = 6
    must: str | int = "all"
    cannot: str | int = "all"
    family: str | int = "all"
    seed: int = 0
    paper: bool = False
    background: Any = None

    @property
    def along(self) -> None:
        """Nothing beside the fingerprints."""
        return

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return 1 / (1 + distance) of any pairs of nodes."""
        distances = self._model(corpus).distances(corpus.texts, corpus.nodes[a], corpus.nodes[b], self.mu)
        return 1 / (1 + distances)

    def _model(self, corpus: Corpus) -> _core.Background:
        if self.background is None:
            return _core.Background.count(corpus.texts, corpus.nodes, corpus.copies)
        return _core.Background.from_counts(self.background.hashes, self.background.occurrences)

    def group(self, corpus: Corpus, *, stage: Stage) -> Grouping:
        """Assign letters to references, then let the rest gather."""
        with stage("background", len(corpus)):
            work = _Work(self, corpus, self._model(corpus))
        with stage("references", len(corpus)):
            often = np.flatnonzero((corpus.copies >= self.min_copies) & (corpus.lengths >= REFERENCE_WORDS))
            work.assign(often if self.paper else work.originals(often))
        with stage("rest", int(work.unassigned().sum())):
            work.gather()
        with stage("cluster", len(corpus)):
            work.grant()
            work.separate()
        return work.grouping()


class _Work:
    """One run of the clustering: who leads whom, on what ground, how far away."""

    def __init__(self, settings: CampaignGrouper, corpus: Corpus, background: _core.Background) -> None:
        self.settings = settings
        self.corpus = corpus
        self.background = background
        self.marks = corpus.marks
        self.wishes = Closure(corpus.wishes.must, corpus.wishes.cannot, corpus.wishes.family)
        self.leaders: Numbers = np.arange(len(corpus), dtype=np.uint32)
        self.is_reference = np.zeros(len(corpus), bool)
        self.ground = np.full(len(corpus), DISTANCE, np.uint8)
        self.distance: Scores = np.zeros(len(corpus))
        self.thresholds: dict[int, tuple[float, str]] = {}
        self.conflicts: list[dict[str, Any]] = []
        self.counts = {"must": 0, "cannot": 0, "family": 0}
        self.guards: dict[str, int] = {}
        self.examined = 0

    @property
    def _usual(self) -> float:
        """The threshold of a reference about which nothing else is known."""
        return self.settings.threshold or math.log(2)

    def unassigned(self) -> Flags:
        """Return which nodes neither lead as a reference nor follow one."""
        free: Flags = ~self.is_reference & (self.leaders == np.arange(len(self.corpus)))
        return free

    def originals(self, often: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Leave out the texts that are but an edited version of one with more copies: these lead no campaign."""
        order = often[np.lexsort((often, -self.corpus.copies[often].astype(np.int64)))]
        places = np.arange(len(order), dtype=np.uint32)
        nodes = self.corpus.nodes[np.concatenate([order, order])]
        bounds = (self.settings.mu, 0.1, PARAGRAPH_WORDS)
        rows = Held(*self.background.hold(self.corpus.texts, nodes, places, bounds, thorough=False))
        version = rows.letter - len(order)
        dockets = self.marks.dockets[self.corpus.nodes[order]]
        apart = self.marks.incompatible(dockets[version], dockets[rows.reference])
        alike = rows.whole | (rows.overlap > OVERLAP_LEAST) | (rows.paragraph & (rows.overlap >= VERSION_OVERLAP))
        kept = np.ones(len(order), bool)
        for place, original in sorted(zip(version[alike & ~apart], rows.reference[alike & ~apart], strict=True)):
            if original < place and kept[original]:
                kept[place] = False
        return np.sort(order[kept])

    def assign(self, references: npt.NDArray[np.int64]) -> None:
        """Give every unassigned node to the reference that it belongs to."""
        if not len(references):
            return
        self.is_reference[references] = True
        rows = self._hold(references, np.flatnonzero(self.unassigned()))
        self.examined += len(rows.letter)
        cannot = self._cannot(rows)
        must, ground = self._must(rows)
        # A letter that may follow another reference is not in conflict: its text stands in two dockets.
        free = np.isin(rows.letter, rows.letter[must & ~cannot])
        self._note_conflicts(rows, must & cannot & ~free)
        nearly = (rows.distance >= self._usual) & (rows.distance < self._usual + self.settings.alpha)
        family = self._choose("family", ~cannot & self._family(rows), rows, nearly)
        adjusted = rows.distance - self.settings.alpha * family
        thresholds = self._calibrate(references, rows, adjusted, must & ~cannot, cannot)
        linked = ~cannot & (must | (adjusted < thresholds[rows.reference]))
        rows, must, ground, family, adjusted = (
            rows.take(linked),
            must[linked],
            ground[linked],
            family[linked],
            adjusted[linked],
        )
        # The first of each letter: a must-link before any other, of several the one that holds most, else the nearest.
        holds = np.where(must, rows.contained.astype(np.int64), 0)
        order = np.lexsort((rows.reference, adjusted, -holds, ~must, rows.letter))
        first = order[np.append(True, np.diff(rows.letter[order].astype(np.int64)) != 0)] if len(order) else order
        letters = rows.letter[first]
        self.leaders[letters] = rows.reference[first]
        self.distance[letters] = rows.distance[first]
        self.ground[letters] = np.where(must[first], ground[first], np.where(family[first], FAMILY, DISTANCE))

    def _hold(self, references: npt.NDArray[np.int64], letters: npt.NDArray[np.int64]) -> Held:
        nodes = np.concatenate([references, letters]).astype(np.uint32)
        bounds = (self.settings.mu, max(FARTHEST, self.settings.threshold or 0) + self.settings.alpha, PARAGRAPH_WORDS)
        places = np.arange(len(references), dtype=np.uint32)
        thorough = self.settings.paper or self.settings.must != "all"
        held = self.background.hold(self.corpus.texts, self.corpus.nodes[nodes], places, bounds, thorough)
        return Held(nodes[held[0]], nodes[held[1]], *held[2:])

    def _must(self, rows: Held) -> tuple[Flags, npt.NDArray[np.uint8]]:
        """Return which rows are must-links and on what ground."""
        alike = rows.overlap > OVERLAP_LEAST
        paragraph = np.zeros(len(rows.whole), bool) if self.settings.paper else rows.paragraph
        ground = np.where(rows.whole, CONTAINED, np.where(alike, OVERLAP, PARAGRAPH)).astype(np.uint8)
        must = rows.whole | alike | paragraph
        if self.settings.must not in ("all", "off"):
            must &= _is_best(rows, must)
        return self._choose("must", must, rows, rows.distance >= self._usual), ground

    def _cannot(self, rows: Held) -> Flags:
        dockets = self.marks.dockets[self.corpus.nodes]
        apart = self.marks.incompatible(dockets[rows.letter], dockets[rows.reference])
        apart = self._choose("cannot", apart, rows, rows.distance < self._usual)
        wished = self._wished_rows(rows)
        apart[wished] |= np.array([self.wishes.cannot(*pair) for pair in self._pairs(rows, wished)], bool)
        return apart

    def _family(self, rows: Held) -> Flags:
        families, sizes = self.marks.families[self.corpus.nodes], self.marks.sizes[self.corpus.nodes]
        same = (families[rows.letter] == families[rows.reference]) & (families[rows.letter] > 0)
        a, b = sizes[rows.letter], sizes[rows.reference]
        related: Flags = same & (np.maximum(a, b) <= SIMILAR_SIZE * np.minimum(a, b))
        wished = self._wished_rows(rows)
        related[wished] |= np.array([self.wishes.family(*pair) for pair in self._pairs(rows, wished)], bool)
        return related

    def _wished_rows(self, rows: Held) -> npt.NDArray[np.int64]:
        """Return the rows of letters that the user's constraints name."""
        wishes = self.corpus.wishes
        named = {node for pair in (*wishes.must, *wishes.cannot, *wishes.family) for node in pair}
        return np.flatnonzero(np.isin(rows.letter, list(named))) if named else np.zeros(0, np.int64)

    def _pairs(self, rows: Held, places: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
        return [(int(rows.letter[place]), int(rows.reference[place])) for place in places]

    def _choose(self, kind: str, links: Flags, rows: Held, telling: Flags) -> Flags:
        """Keep all links of a kind, none, or as many as the setting says.

        A number of links is drawn by the seed, whatever their order: first from the telling ones, which change what the
        distance alone would decide.
        """
        allowed = getattr(self.settings, kind)
        if allowed == "off":
            return np.zeros_like(links)
        if allowed != "all":
            left = max(0, int(allowed) - self.counts[kind])
            prints = self.corpus.survey.fingerprints[self.corpus.nodes]
            places = np.flatnonzero(links)
            lots = _draw(prints[rows.letter[places]], prints[rows.reference[places]], self.settings.seed)
            chosen = places[np.lexsort((lots, ~telling[places]))[:left]]
            links = np.zeros_like(links)
            links[chosen] = True
        self.counts[kind] += int(links.sum())
        return links

    def _note_conflicts(self, rows: Held, refused: Flags) -> None:
        dockets = self.marks.dockets[self.corpus.nodes]
        for row in np.flatnonzero(refused):
            letter, reference = int(rows.letter[row]), int(rows.reference[row])
            because = [self.marks.name(dockets[reference]), self.marks.name(dockets[letter])]
            self._refuse("must", reference, letter, because, (reference, letter))

    def _calibrate(
        self, references: npt.NDArray[np.int64], rows: Held, adjusted: Scores, must: Flags, cannot: Flags
    ) -> Scores:
        """Choose the threshold of each reference, by node: given, learned from its must-links, or ln 2."""
        thresholds = np.full(len(self.corpus), self._usual)
        origin = "given" if self.settings.threshold else "default"
        self.thresholds.update((int(node), (float(thresholds[node]), origin)) for node in references)
        if self.settings.threshold is not None or self.settings.paper:
            return thresholds
        order = np.argsort(rows.reference, kind="stable")
        for run in np.split(order, np.flatnonzero(np.diff(rows.reference[order].astype(np.int64))) + 1):
            if not len(run):
                continue
            learned = _best_threshold(adjusted[run], must[run], cannot[run])
            if learned is not None:
                node = int(rows.reference[run[0]])
                thresholds[node] = learned
                self.thresholds[node] = (learned, "must-links")
        return thresholds

    def gather(self) -> None:
        """Let the nodes that no reference took become clusters of their own."""
        rest = np.flatnonzero(self.unassigned()).astype(np.uint32)
        if len(rest) < 2:
            return
        found = self._near_pairs(rest)
        if not self.settings.paper:
            self.assign(self._dense(found))
        left = self.unassigned()
        free = left[found.a] & left[found.b]
        a, b = found.a[free], found.b[free]
        distances = self._distances(a, b)
        dockets = self.marks.dockets[self.corpus.nodes]
        near = distances < self._usual
        if self.settings.cannot == "all":
            near &= ~self.marks.incompatible(dockets[a], dockets[b])
        links = Links(a[near], b[near], 1 / (1 + distances[near]), GROUNDS)
        # Seeds by most copies, then by time and id, which the numbers of the nodes follow.
        order = np.lexsort((np.arange(len(self.corpus)), -self.corpus.copies.astype(np.int64))).astype(np.uint32)
        leaders = find_leaders("star", links, order)
        moved = left & (leaders != np.arange(len(self.corpus)))
        self.leaders[moved] = leaders[moved]
        self.ground[moved] = NEAR
        follow = np.flatnonzero(moved).astype(np.uint32)
        self.distance[follow] = self._distances(follow, leaders[follow])

    def _near_pairs(self, rest: Numbers) -> Candidates:
        corpus = self.corpus
        some = Corpus(
            corpus.texts,
            corpus.survey,
            corpus.nodes[rest],
            corpus.lengths[rest],
            corpus.copies[rest],
            threads=corpus.threads,
        )
        found = self.settings.near.pairs(some)
        self.examined += found.examined
        for name, count in found.guards.items():
            self.guards[name] = self.guards.get(name, 0) + count
        return Candidates(rest[found.a], rest[found.b], found.similarities)

    def _dense(self, found: Candidates) -> npt.NDArray[np.int64]:
        """Return the most typical text of each group of near-copies that is as large as an exact one must be."""
        if found.similarities is None:
            return np.zeros(0, np.int64)
        close = found.similarities >= NEAR_COPY
        a, b = found.a[close], found.b[close]
        copies = self.corpus.copies.astype(np.int64)
        weight = copies + np.bincount(a, copies[b], len(copies)) + np.bincount(b, copies[a], len(copies))
        order = np.lexsort((np.arange(len(copies)), -weight)).astype(np.uint32)
        leaders = find_leaders("star", Links(a, b, found.similarities[close], GROUNDS), order)
        sizes = np.bincount(leaders, copies, len(copies))
        long_enough = self.corpus.lengths >= REFERENCE_WORDS
        return np.flatnonzero((sizes >= self.settings.min_copies) & long_enough & self.unassigned())

    def grant(self) -> None:
        """Bring together what the user wishes together, unless something keeps it apart."""
        dockets = self.marks.dockets[self.corpus.nodes]
        for conflict in self.wishes.conflicts:
            self._refuse(conflict.kind, conflict.a, conflict.b, ["constraint", "constraint"], conflict.against)
        for a, b in self.corpus.wishes.must:
            first, second = sorted((int(self.leaders[a]), int(self.leaders[b])))
            if first == second or not self.wishes.must(a, b):
                continue
            moving = self._bound_to(b if int(self.leaders[b]) == second else a)
            if self.settings.cannot != "off" and self._keeps_apart(first, moving, dockets):
                because = [self.marks.name(dockets[first]), self.marks.name(dockets[moving[0]])]
                self._refuse("must", a, b, because, (first, int(moving[0])))
                continue
            self.leaders[moving] = first
            self.is_reference[moving] = False
            self.ground[moving] = np.where(self.ground[moving] < DISTANCE, self.ground[moving], CONSTRAINT)
            follow = moving.astype(np.uint32)
            self.distance[follow] = self._distances(follow, self.leaders[follow])

    def _bound_to(self, node: int) -> npt.NDArray[np.int64]:
        """Return what moves with a node: its whole cluster if must-links hold it there, else itself."""
        leader = int(self.leaders[node])
        if leader == node or self.ground[node] < DISTANCE:
            return np.flatnonzero(self.leaders == leader)
        return np.array([node])

    def _keeps_apart(self, leader: int, moving: npt.NDArray[np.int64], dockets: Numbers) -> bool:
        kinds = {int(docket) for docket in dockets[moving]}
        return any(self.marks.incompatible_sets(int(dockets[leader]), kind) for kind in kinds) or any(
            self.wishes.cannot(leader, int(node)) for node in moving
        )

    def _refuse(self, kind: str, a: int, b: int, because: list[str], against: tuple[int, int]) -> None:
        documents = [int(self.corpus.nodes[node]) for node in (a, b, *against)]
        self.conflicts.append(
            {"refused": kind, "documents": documents[:2], "against": documents[2:], "because": because}
        )

    def separate(self) -> None:
        """See to it that no cluster holds two that cannot be together: who comes later leaves, with his kind."""
        dockets = self.marks.dockets[self.corpus.nodes]
        if self.settings.cannot != "all":
            dockets = np.zeros_like(dockets)
        wished = {int(self.leaders[a]) for a, b in self.corpus.wishes.cannot if self.leaders[a] == self.leaders[b]}
        for leader in sorted({int(leader) for leader in self._mixed_leaders(dockets)} | wished):
            members = np.flatnonzero(self.leaders == leader)
            self._split(np.append(leader, members[members != leader]), dockets)

    def _mixed_leaders(self, dockets: Numbers) -> npt.NDArray[np.int64]:
        known = np.flatnonzero(dockets > 0)
        kinds = np.unique(np.stack([self.leaders[known].astype(np.int64), dockets[known].astype(np.int64)]), axis=1)
        leaders, count = np.unique(kinds[0], return_counts=True)
        return leaders[count > 1]

    def _split(self, members: npt.NDArray[np.int64], dockets: Numbers) -> None:
        named = {node for pair in self.corpus.wishes.cannot for node in pair}
        groups: list[tuple[int, set[int], list[int]]] = []
        for member in map(int, members):
            docket = int(dockets[member])
            fitting = (group for group in groups if not self._excludes(group, member, docket))
            if (group := next(fitting, None)) is None:
                group = (member, set(), [])
                groups.append(group)
            leader, kinds, enemies = group
            kinds.add(docket)
            if member in named:
                enemies.append(member)
            self.leaders[member] = leader
        moved = members[self.leaders[members] != members[0]]
        follow = moved[self.leaders[moved] != moved].astype(np.uint32)
        self.distance[follow] = self._distances(follow, self.leaders[follow])

    def _excludes(self, group: tuple[int, set[int], list[int]], member: int, docket: int) -> bool:
        _, kinds, enemies = group
        apart = any(self.marks.incompatible_sets(docket, other) for other in kinds)
        return apart or any(self.wishes.cannot(member, other) for other in enemies)

    def _distances(self, a: Numbers, b: Numbers) -> Scores:
        nodes = self.corpus.nodes
        return self.background.distances(self.corpus.texts, nodes[a], nodes[b], self.settings.mu)

    def grouping(self) -> Grouping:
        """Return the links of letters to their leaders and what is to be reported."""
        follow = np.flatnonzero(self.leaders != np.arange(len(self.corpus))).astype(np.uint32)
        leaders = self.leaders[follow]
        a, b = np.minimum(follow, leaders), np.maximum(follow, leaders)
        order = np.lexsort((b, a))
        similarities = 1 / (1 + self.distance[follow])
        links = Links(a[order], b[order], similarities[order], GROUNDS, self.ground[follow][order])
        facts = {
            "references": [
                {
                    "document": int(self.corpus.nodes[node]),
                    "copies": int(self.corpus.copies[node]),
                    "threshold": threshold,
                    "origin": origin,
                }
                for node, (threshold, origin) in sorted(self.thresholds.items())
            ],
            "constraints": self.counts,
            "conflicts": self.conflicts,
        }
        return Grouping(links, self.leaders, self.examined, self.guards, facts)


def _is_best(rows: Held, links: Flags) -> Flags:
    """Return which links lead to the reference of which their letter holds most."""
    best = np.zeros(int(rows.letter.max(initial=0)) + 1, np.uint32)
    np.maximum.at(best, rows.letter[links], rows.contained[links])
    chosen: Flags = rows.contained == best[rows.letter]
    return chosen


def _draw(a: npt.NDArray[np.uint64], b: npt.NDArray[np.uint64], seed: int) -> npt.NDArray[np.uint64]:
    """Give each pair a lot that depends on the two texts and the seed alone."""
    mixed = (a ^ (b << np.uint64(1))) + np.uint64((seed * 0x9E3779B97F4A7C15 + 0xD6E8FEB86659FD93) % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    lots: npt.NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(29))
    return lots


def _best_threshold(distances: Scores, must: Flags, cannot: Flags) -> float | None:
    """Return the threshold that best tells ten must-links or more from cannot-links; None where there are too few."""
    if must.sum() < 10 or not cannot.any():
        return None
    order = np.argsort(distances, kind="stable")
    right = np.cumsum(must[order])
    wrong = np.cumsum(cannot[order])
    score = 2 * right / (right + wrong + must.sum())
    best = int(np.argmax(score))
    return float(np.clip(np.nextafter(distances[order][best], np.inf), 0.3, FARTHEST))
