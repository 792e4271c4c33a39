"""Groups from pairs: candidates, verified one by one, linked as stars or components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from neardup import _core
from neardup.cluster.linkage import find_leaders, leading_order
from neardup.stages import CandidateRule, Corpus, Grouping, Links, Numbers, Scores, Stage, Verifier

NONE = np.zeros(0, np.uint32)
EMPTY_LINKS = Links(NONE, NONE, np.zeros(0), ())
"""Where the direction of a pair mattered when it was verified, the number of partners no longer decides who leads."""


@dataclass(frozen=True, slots=True)
class PairGrouper:
    """A candidate rule, a verifier and a linkage; `audited` says that the rule may miss pairs."""

    candidates: CandidateRule
    verifier: Verifier
    linkage: str = "star"
    audited: bool = False

    @property
    def along(self) -> _core.FirstPass | None:
        """What the candidate rule wants."""
        return self.candidates.along

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return what the verifier says of any pairs."""
        return self.verifier.scores(corpus, a, b)

    def group(self, corpus: Corpus, *, stage: Stage) -> Grouping:
        """Find, verify and link pairs."""
        with stage("candidates", len(corpus)):
            candidates = self.candidates.pairs(corpus)
        with stage("verify", len(candidates.a)):
            links = self.verifier.link(corpus, candidates)
        with stage("cluster", len(corpus)):
            counted = EMPTY_LINKS if getattr(self.verifier, "directed", False) else links
            order = leading_order(counted, corpus.copies, by_popularity=corpus.by_popularity)
            order = _side_first(corpus, order)
            leaders = find_leaders(self.linkage, links, order)
        return Grouping(links, leaders, candidates.examined, candidates.guards, self._facts())

    def _facts(self) -> dict[str, Any]:
        """Return what the candidate rule chose by itself."""
        chosen = {name: getattr(self.candidates, name, None) for name in ("bands", "rows")}
        return {"sketch": chosen} if chosen["bands"] is not None else {}


def _side_first(corpus: Corpus, order: Numbers) -> Numbers:
    """Let the other collection lead: what is looked for is copies of its texts."""
    if corpus.sides is None:
        return order
    return order[np.argsort(corpus.sides[order] == 0, kind="stable")]
