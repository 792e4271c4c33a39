"""The state of one clustering: which letter follows which, for what reason, and how far away it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from neardup import _core
from neardup.cluster.campaigns.settings import DISTANCE, GROUNDS, CampaignSettings, LinkKind, LinkLimit
from neardup.cluster.closure import Closure
from neardup.represent import Letters
from neardup.stages import CampaignTexts, Counts, Fact, Flags, Grouping, Links, Numbers, Scores

NO_CONSENSUS = np.uint32(2**32 - 1)


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Letters compared with references, row by row: both by node, their distance, and what makes a must-link.

    `contained` counts the words of the reference that the letter contains, `whole` says that it contains all of them,
    `paragraph` that it contains a whole paragraph.
    """

    letter: Numbers
    reference: Numbers
    distance: Scores
    overlap: Scores
    contained: Numbers
    whole: Flags
    paragraph: Flags

    def take(self, rows: Flags) -> Comparisons:
        """Return the chosen rows."""
        return Comparisons(
            self.letter[rows],
            self.reference[rows],
            self.distance[rows],
            self.overlap[rows],
            self.contained[rows],
            self.whole[rows],
            self.paragraph[rows],
        )


@dataclass(slots=True)
class Campaigns:
    """The letters with the leader of each; `thresholds` holds the threshold of each reference and its origin.

    `texts` are the texts of the letters and after them the `consensus_texts`. `consensus` is the number of each
    letter's consensus, `points` holds the points of each one that is a menu, and `points_of` those of a letter. `also`
    lists letters with the leader of another campaign of which they have a good part.
    """

    letters: Letters
    settings: CampaignSettings
    closure: Closure
    leaders: Numbers
    is_reference: Flags
    ground: Numbers
    distance: Scores
    texts: _core.Texts
    consensus: Numbers
    consensus_texts: list[str] = field(default_factory=list)
    points: list[tuple[str, ...]] = field(default_factory=list)
    points_of: dict[int, tuple[int, ...]] = field(default_factory=dict)
    also: list[tuple[int, int]] = field(default_factory=list)
    thresholds: dict[int, tuple[float, str]] = field(default_factory=dict)
    conflicts: list[Fact] = field(default_factory=list)
    link_counts: dict[LinkKind, int] = field(default_factory=lambda: {"must": 0, "cannot": 0, "family": 0})
    guards: dict[str, int] = field(default_factory=dict)
    examined: int = 0

    @classmethod
    def start(cls, letters: Letters, settings: CampaignSettings) -> Campaigns:
        """Return the state in which each letter leads itself."""
        count, given = len(letters.nodes), letters.nodes.constraints
        return cls(
            letters,
            settings,
            Closure(given.must, given.cannot, given.family),
            np.arange(count, dtype=np.uint32),
            np.zeros(count, bool),
            np.full(count, DISTANCE, np.uint32),
            np.zeros(count),
            letters.texts,
            np.full(count, NO_CONSENSUS, np.uint32),
        )

    @property
    def default_threshold(self) -> float:
        """The given threshold or ln 2, for a reference without a learned one."""
        return self.settings.threshold or math.log(2)

    def limit(self, kind: LinkKind) -> LinkLimit:
        """Return which links of a kind are used."""
        limits: dict[LinkKind, LinkLimit] = {
            "must": self.settings.must,
            "cannot": self.settings.cannot,
            "family": self.settings.family,
        }
        return limits[kind]

    def unassigned(self) -> Flags:
        """Return which nodes neither lead as a reference nor follow one."""
        free: Flags = ~self.is_reference & (self.leaders == np.arange(len(self.leaders)))
        return free

    def exclude_each(self, a: Numbers, b: Numbers) -> Flags:
        """Return which pairs of nodes cite docket numbers that exclude each other."""
        dockets = self.letters.dockets
        return self.letters.docket_sets.exclude_each(dockets[a], dockets[b])

    def distances(self, a: Numbers, b: Numbers) -> Scores:
        """Return the distance of pairs of nodes."""
        return self.letters.distances(a, b, self.settings.mu)

    def reference_documents(self, leaders: Counts | Numbers) -> Numbers:
        """Return the text with which the followers of a leader are compared: its consensus, if it has one."""
        consensus = self.consensus[leaders]
        first = np.uint32(len(self.letters.texts))
        with np.errstate(over="ignore"):
            documents = np.where(consensus == NO_CONSENSUS, self.letters.documents[leaders], first + consensus)
        return documents.astype(np.uint32)

    def measure_distances(self, nodes: Counts) -> None:
        """Compute the distance of nodes from their leaders, or from the consensus of their campaign."""
        follow = self.letters.documents[nodes]
        references = self.reference_documents(self.leaders[nodes])
        self.distance[nodes] = self.letters.background.distances(self.texts, follow, references, self.settings.mu)

    def follow(self, nodes: Counts, leaders: Numbers, ground: int) -> None:
        """Let nodes follow leaders for a reason; those with a consensus take it over."""
        self.leaders[nodes] = leaders
        self.ground[nodes] = ground
        self.consensus[nodes] = self.consensus[leaders]
        self.examined += len(nodes)
        self.measure_distances(nodes)

    def refuse(self, kind: str, pair: tuple[int, int], reasons: list[str], against: tuple[int, int]) -> None:
        """Record a link that is not made, and the two letters that a stronger link keeps apart."""
        documents = [int(self.letters.documents[node]) for node in (*pair, *against)]
        self.conflicts.append(
            {"refused": kind, "documents": documents[:2], "against": documents[2:], "because": reasons}
        )

    def grouping(self) -> Grouping:
        """Return the links of letters to their leaders, and the facts to report."""
        follow = np.flatnonzero(self.leaders != np.arange(len(self.leaders))).astype(np.uint32)
        leaders = self.leaders[follow]
        a, b = np.minimum(follow, leaders), np.maximum(follow, leaders)
        order = np.lexsort((b, a))
        similarities = 1 / (1 + self.distances(follow, leaders))
        evidence = self.ground[follow][order].astype(np.uint8)
        links = Links(a[order], b[order], similarities[order], GROUNDS, evidence)
        facts: dict[str, Fact] = {
            "references": [
                {
                    "document": int(self.letters.documents[node]),
                    "copies": int(self.letters.nodes.copies[node]),
                    "threshold": threshold,
                    "origin": origin,
                }
                for node, (threshold, origin) in sorted(self.thresholds.items())
            ],
            "constraints": {str(kind): count for kind, count in self.link_counts.items()},
            "conflicts": self.conflicts,
        }
        return Grouping(links, self.leaders, self.examined, self.guards, facts, campaigns=self._campaign_texts())

    def _campaign_texts(self) -> CampaignTexts | None:
        if not self.consensus_texts and not self.also:
            return None
        consensus = self.consensus[self.leaders].astype(np.int64)
        consensus[consensus == NO_CONSENSUS] = -1
        return CampaignTexts(
            self.texts,
            len(self.letters.texts),
            tuple(self.consensus_texts),
            consensus,
            1 / (1 + self.distance),
            tuple(self.points),
            self.points_of,
            tuple(sorted({(letter, int(self.leaders[leader])) for letter, leader in self.also})),
        )
