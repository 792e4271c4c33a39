"""From linked pairs to groups: stars around reference copies, or connected components.

With `star`, the default, a text joins the most similar reference copy that it is linked to. So every member passes the
threshold against its reference and clusters do not chain. `components` is the transitive closure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from neardup import _core
from neardup.stages import NO_LINKS, Links, Nodes, Numbers

Linkage = Literal["star", "components"]
LINKAGES: tuple[Linkage, ...] = get_args(Linkage)


@dataclass(frozen=True, slots=True)
class PairLinkage:
    """Turns linked pairs into groups."""

    linkage: Linkage = "star"

    def leaders(self, nodes: Nodes, links: Links, *, directed: bool = False) -> Numbers:
        """Return the leader of each node.

        Where the direction of a pair mattered when it was verified (`directed`), the number of partners does not
        decide which node leads.
        """
        order = leading_order(nodes, NO_LINKS if directed else links)
        return find_leaders(self.linkage, links, _other_side_first(nodes, order))


def find_leaders(linkage: Linkage, links: Links, order: Numbers) -> Numbers:
    """Return the leader of each node; `order` lists the nodes, those that lead first at the beginning."""
    if linkage == "star":
        return _core.stars(order, links.a, links.b, links.similarities)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    # A component is identified by its smallest number: with ranks as numbers, that is the first in the order.
    return order[_core.components(len(order), rank[links.a], rank[links.b])[rank]]


def leading_order(nodes: Nodes, links: Links) -> Numbers:
    """Order the nodes by number, or by popularity: most copies first, then most partners, then by number."""
    numbers = np.arange(len(nodes), dtype=np.uint32)
    if not nodes.by_popularity:
        return numbers
    partners = np.bincount(links.a, minlength=len(numbers)) + np.bincount(links.b, minlength=len(numbers))
    some = (partners > 0) | (nodes.copies > 1)
    popular = numbers[some]
    order = popular[np.lexsort((-partners[popular], -nodes.copies[popular].astype(np.int64)))]
    return np.concatenate([order, numbers[~some]])


def _other_side_first(nodes: Nodes, order: Numbers) -> Numbers:
    """Put the texts of the other collection first: they are the originals whose copies are searched."""
    if nodes.sides is None:
        return order
    return order[np.argsort(nodes.sides[order] == 0, kind="stable")]
