"""Linked pairs to groups: stars around reference copies, or connected components.

`stars` is the default: a text joins the most similar reference copy that it is linked to, so every member passes the
threshold against its reference and nothing chains. `components` is the transitive closure.
"""

from __future__ import annotations

import numpy as np

from neardup import _core
from neardup.stages import Links, Numbers

LINKAGES = ("star", "components")


def find_leaders(linkage: str, links: Links, order: Numbers) -> Numbers:
    """Return the leader of each node; `order` lists the nodes from the one that leads most willingly."""
    if linkage == "star":
        return _core.stars(order, links.a, links.b, links.similarities)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    # Components are named by their smallest number: numbering by rank makes that the first in the order.
    return order[_core.components(len(order), rank[links.a], rank[links.b])[rank]]


def leading_order(links: Links, copies: Numbers, *, by_popularity: bool) -> Numbers:
    """Order the nodes by how willingly they lead: by number, or first by most copies and most partners."""
    nodes = np.arange(len(copies), dtype=np.uint32)
    if not by_popularity:
        return nodes
    partners = np.bincount(links.a, minlength=len(nodes)) + np.bincount(links.b, minlength=len(nodes))
    some = (partners > 0) | (copies > 1)
    wanted = nodes[some]
    order = wanted[np.lexsort((-partners[wanted], -copies[wanted].astype(np.int64)))]
    return np.concatenate([order, nodes[~some]])
