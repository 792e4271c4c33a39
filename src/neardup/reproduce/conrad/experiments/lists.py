"""Result lists of simulated queries: duplicate sets in them, and the comparisons saved by the paper's algorithm.

Conrad, Guo & Schriber 2003, sections 6 and 7: Tables 6 to 8, and the effect of dates, lengths and early termination.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from neardup.evaluate.contingency import Integers
from neardup.reproduce.conrad import published
from neardup.reproduce.conrad.detection import count_effort, sign_documents
from neardup.reproduce.conrad.experiments.planted import (
    SETTINGS,
    Indices,
    Planted,
    Settings,
    as_documents,
    compare_sets,
    name_settings,
)
from neardup.reproduce.random_stream import RandomStream
from neardup.reproduce.tables import Row

LONG_RESULTS = 500
LONG_LISTS = 10
QUERY_COLUMNS = ("queries", "with_sets", "without_sets")
NOT_COUNTED = ("", "focus")
"""The categories of stories that belong to no set, or to one that no method based on words can find."""


def draw_lists(planted: Planted, seed: int, queries: int, results: int) -> list[Indices]:
    """Draw result lists: each has the documents that share most rare terms with a random one, itself included."""
    signatures = sign_documents(planted.documents, planted.lexicon)
    offsets, values = signatures.offsets, signatures.terms
    owners = np.repeat(np.arange(len(planted.items)), np.diff(offsets).astype(np.int64))
    rng = RandomStream(seed, f"queries {results}")
    lists = []
    for _ in range(queries):
        anchor = rng.below(len(planted.items))
        own = values[int(offsets[anchor]) : int(offsets[anchor + 1])]
        shared = np.bincount(owners[np.isin(values, own)], minlength=len(planted.items))
        lists.append(np.argsort(-shared, kind="stable")[:results])
    return lists


def measure_lists(planted: Planted, lists: Sequence[Indices]) -> tuple[list[Row], list[Row], list[Row]]:
    """Compute Tables 6 to 8 on result lists; the first half is the training round, though nothing is trained here."""
    rounds = {"training": lists[: len(lists) // 2], "test": lists[len(lists) // 2 :]}
    table6, table7, table8 = [], [], []
    for name, own in rounds.items():
        sizes = [_set_sizes(planted, indices) for indices in own]
        queries = (len(own), sum(map(bool, sizes)), sum(not each for each in sizes))
        paper = zip(QUERY_COLUMNS, published.QUERIES[name], strict=True)
        table6.append(
            {
                "round": name,
                **dict(zip(QUERY_COLUMNS, queries, strict=True)),
                **{f"paper_{column}": value for column, value in paper},
            }
        )
        counted = Counter(size for each in sizes for size in each)
        table7 += [
            {"round": name, "size": size, "sets": counted[size], "paper_sets": published.SET_SIZES[name][size]}
            for size in range(2, 7)
        ]
        table8 += [_agree(planted, own, name, settings) for settings in SETTINGS]
    return table6, table7, table8


def _set_sizes(planted: Planted, indices: Indices) -> list[int]:
    """Return the sizes of the duplicate sets in a result list, without rewritten stories."""
    kept = [index for index in indices if planted.items[index].category not in NOT_COUNTED]
    return [size for size in Counter(planted.origins[kept].tolist()).values() if size > 1]


def _agree(planted: Planted, lists: Sequence[Indices], name: str, settings: Settings) -> Row:
    sums = Counter[str]()
    for indices in lists:
        wanted = np.array([planted.items[index].category not in NOT_COUNTED for index in indices])
        found = compare_sets(planted.label(indices, **settings), planted.origins[indices], wanted)
        sums.update(sets=found.sets, agreement=found.agreeing, wrong=found.wrong)
    paper = published.AGREEMENT[name] if settings == SETTINGS[1] else (None,) * 4
    return {
        "round": name,
        **name_settings(settings),
        "sets": sums["sets"],
        "agreement": sums["agreement"],
        "misses": sums["sets"] - sums["agreement"],
        "over_identified": sums["wrong"],
        "recall": sums["agreement"] / max(sums["sets"], 1),
        "precision": sums["agreement"] / max(sums["agreement"] + sums["wrong"], 1),
        **dict(zip(("paper_sets", "paper_agreement", "paper_misses", "paper_over_identified"), paper, strict=True)),
    }


def measure_effort(planted: Planted, seed: int) -> Iterator[Row]:
    """Count the comparisons that dates, lengths and early termination save (section 7.3)."""
    lists = draw_lists(planted, seed, LONG_LISTS, LONG_RESULTS)
    all_indices = np.arange(len(planted.items), dtype=np.int64)
    for name, groups in ((f"result lists of {len(lists[0])}", lists), ("all documents", [all_indices])):
        for settings in SETTINGS:
            sums = np.zeros(8, np.int64)
            for indices in groups:
                sums += _count_effort(planted, indices, settings["terms"], settings["days"])
            yield {
                "of": name,
                **name_settings(settings),
                **_describe_effort(sums),
                "paper_terms": published.COMPARED_TERMS,
            }


def _count_effort(planted: Planted, indices: Indices, terms: int, window: int) -> Integers:
    items = [planted.items[index] for index in indices]
    return count_effort(as_documents(items), [item.day for item in items], planted.lexicon, terms, window)


def _describe_effort(sums: Indices) -> Row:
    pairs, dated, sized, compared, apart, alike_steps, full, alike = map(int, sums)
    return {
        "pairs": pairs,
        "within_days": dated,
        "of_like_length": sized,
        "compared": compared,
        "duplicates": alike,
        "terms_apart": apart / max(compared - alike, 1),
        "terms_alike": alike_steps / max(alike, 1),
        "terms_without_stopping": full / max(compared, 1),
    }
