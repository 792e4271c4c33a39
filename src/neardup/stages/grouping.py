"""Groups of nodes: what clustering returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TypeAlias

from neardup import _core
from neardup.stages.arrays import Counts, Flags, Hashes, Numbers, Scores
from neardup.stages.pairs import Links

Fact: TypeAlias = "int | float | str | Sequence[Fact] | Mapping[str, Fact]"
"""A fact that a component reports in `run.json`; `document`, `documents` and `against` hold document numbers."""

Stage = Callable[[str, int], AbstractContextManager[None]]
"""Times a stage, given its name and the amount of work."""


def no_stage(name: str, total: int) -> AbstractContextManager[None]:
    """Time nothing."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class OverlappingClusters:
    """Clusters that may share members, the largest first.

    Members of cluster i are `members[offsets[i]:offsets[i+1]]`, ascending; all of them share `units[i]` description
    units. `references` holds the reference copy of each cluster, `own` the largest cluster of each node or -1.
    """

    offsets: Hashes
    members: Numbers
    units: Numbers
    references: Numbers
    own: Counts

    def __len__(self) -> int:
        return len(self.units)


@dataclass(frozen=True, slots=True)
class CampaignTexts:
    """The consensus texts of campaigns without an original, and the campaigns that letters have parts of.

    `texts` are the compared texts by document, and from document `first` on the consensus texts. `consensus` is the
    number of the consensus of each node's cluster, or -1, `similarities` the similarity of each node to the consensus
    or leader. `points` are the points of each consensus that is a menu, `points_of` those that a node has. `also` lists
    nodes with the leader of another campaign of which they have a good part.
    """

    texts: _core.Texts
    first: int
    consensus_texts: tuple[str, ...]
    consensus: Counts
    similarities: Scores
    points: tuple[tuple[str, ...], ...]
    points_of: Mapping[int, tuple[int, ...]]
    also: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """The result of clustering: links, the leader of each node, and what the components report.

    `overlapping` holds the clusters of a method whose clusters overlap; `short` marks the nodes that were too short to
    be compared; `campaigns` holds the consensus texts of a method that assembles them.
    """

    links: Links
    leaders: Numbers
    examined: int = 0
    guards: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, Fact] = field(default_factory=dict)
    overlapping: OverlappingClusters | None = None
    short: Flags | None = None
    campaigns: CampaignTexts | None = None
