"""The reference implementation of a run: every method by its definition, over all pairs of distinct texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from reference import groups, hashes, messages, sets, signatures, terms
from reference.tokens import read_units, read_words

DEFAULTS: dict[str, dict[str, Any]] = {
    "exact": {"docstring": "safe"},
    "full": {"threshold": 0.8, "shingle": 3, "unit": "word", "denominator": "min"},
    "dsc": {"threshold": 0.8, "shingle": 3, "unit": "word", "denominator": "min", "selection": "position"},
    "imatch": {"terms": 30, "skip": 5},
    "jaccard": {"threshold": 0.8, "shingle": 5, "unit": "word"},
    "minhash": {"threshold": 0.8, "shingle": 5, "unit": "word", "recall": 0.999},
    "simhash": {"threshold": 3, "shingle": 3, "unit": "word"},
    "conrad": {
        "threshold": 0.8,
        "terms": 60,
        "days": 42,
        "length_tolerance": 0.2,
        "bins": 0,
        "max_idf": 0.8,
        "short": "own",
        "reliable": 20,
        "numeric_guard": True,
    },
    "simfinder": {"threshold": 0.65, **messages.DEFAULTS},
}
MICROSECONDS_A_DAY = 86_400_000_000
COMMON = {"form": "nfc", "markup": "auto", "linkage": "star", "keep": None}


@dataclass(frozen=True)
class Record:
    """One input document; `time` in microseconds."""

    id: str
    text: str
    time: int | None = None


@dataclass
class Run:
    """The expected result of a run: one row for each record, and the verified pairs."""

    labels: list[int]
    references: list[str]
    similarities: list[float | None]
    pairs: dict[tuple[str, str], float]
    links: dict[tuple[int, int], float] = field(repr=False)
    nodes: list[int] = field(repr=False)


def run_slowly(method: str, settings: dict[str, Any], records: Sequence[Record]) -> Run:
    chosen = {**COMMON, **DEFAULTS[method], **settings}
    read = messages.read_terms if method == "simfinder" else read_words
    words = [read(record.text, chosen["form"]) for record in records]
    ranked = sorted(range(len(records)), key=lambda at: rank_key(records[at], at, chosen["keep"]))
    copies = collapse(words, ranked, joined=chosen.get("docstring") == "paper")
    nodes = list(copies)
    if chosen["keep"] == "longest":
        nodes.sort(key=lambda node: -len(words[node]))
    texts = [records[node].text for node in nodes]
    chosen["published"] = [list_days([records[at].time for at in copies[node]]) for node in nodes]
    links = link_all(MEASURES[method](texts, [words[node] for node in nodes], chosen), len(nodes))
    order = lead(links, [len(copies[node]) for node in nodes], chosen["keep"], records)
    leaders = follow(chosen["linkage"], order, links)
    return describe(records, nodes, copies, links, leaders, MEASURES[method](texts, [words[n] for n in nodes], chosen))


def rank_key(record: Record, position: int, keep: str | None) -> tuple[Any, ...]:
    """Order records by time, then id; records without a time come last."""
    if keep == "first":
        return (position,)
    time = record.time if keep != "latest" or record.time is None else -record.time
    return (time is None, time or 0, record.id.encode())


def collapse(words: Sequence[Sequence[str]], ranked: Sequence[int], *, joined: bool) -> dict[int, list[int]]:
    """Return the records of each distinct text, in the order of its first record; texts without words are left out."""
    by_words: dict[Any, list[int]] = {}
    for at in ranked:
        if words[at]:
            by_words.setdefault("".join(words[at]) if joined else tuple(words[at]), []).append(at)
    return {copies[0]: copies for copies in by_words.values()}


Measure = Callable[[int, int], tuple[float, bool]]


def measure_exact(texts: Sequence[str], words: Sequence[Sequence[str]], settings: dict[str, Any]) -> Measure:
    return lambda a, b: (float(a == b), False)


def measure_jaccard(texts: Sequence[str], words: Sequence[Sequence[str]], settings: dict[str, Any]) -> Measure:
    shingled = shingle_all(texts, settings)
    threshold = Fraction(str(settings["threshold"]))

    def measure(a: int, b: int) -> tuple[float, bool]:
        found = sets.jaccard(shingled[a], shingled[b])
        return float(found), found >= threshold

    return measure


def measure_overlap(texts: Sequence[str], words: Sequence[Sequence[str]], settings: dict[str, Any]) -> Measure:
    selection = (settings["selection"], 5) if "selection" in settings else ("all", 1)
    shingled = shingle_all(texts, settings, *selection)
    threshold = Fraction(str(settings["threshold"]))

    def measure(a: int, b: int) -> tuple[float, bool]:
        found = (sets.jaccard if settings["denominator"] == "union" else sets.overlap)(shingled[a], shingled[b])
        return float(found), found > threshold and min(len(shingled[a]), len(shingled[b])) >= 5

    return measure


def shingle_all(
    texts: Sequence[str], settings: dict[str, Any], selection: str = "all", step: int = 1
) -> list[set[sets.Shingle]]:
    unit = settings["unit"]
    units = [read_units(text, unit, settings["form"]) for text in texts]
    return [sets.choose_shingles(each, settings["shingle"], unit, selection, step) for each in units]


def measure_signature(texts: Sequence[str], words: Sequence[Sequence[str]], settings: dict[str, Any]) -> Measure:
    vocabulary = terms.count_words(words)
    signatures = [terms.choose_terms(each, vocabulary, settings["terms"], settings["skip"]) for each in words]

    def measure(a: int, b: int) -> tuple[float, bool]:
        similarity = sets.jaccard({(word,) for word in words[a]}, {(word,) for word in words[b]})
        return float(similarity), signatures[a] == signatures[b]

    return measure


def measure_bits(texts: Sequence[str], words: Sequence[Sequence[str]], settings: dict[str, Any]) -> Measure:
    unit = settings["unit"]
    units = [read_units(text, unit, settings["form"]) for text in texts]
    shingles = [[hashes.hash_shingle(s, unit) for s in sets.list_shingles(each, settings["shingle"])] for each in units]
    hashed = [hashes.simhash(each) for each in shingles]

    def measure(a: int, b: int) -> tuple[float, bool]:
        bits = (hashed[a] ^ hashed[b]).bit_count()
        return 1 - bits / 64, bits <= settings["threshold"]

    return measure


def list_days(times: Sequence[int | None]) -> set[int] | None:
    """Return the days of the copies of a text; None, which is close to every day, if one of them has no time."""
    known = [time for time in times if time is not None]
    return {time // MICROSECONDS_A_DAY for time in known} if len(known) == len(times) else None


def measure_terms(texts: Sequence[str], words: Sequence[Sequence[str]], settings: dict[str, Any]) -> Measure:
    signed = signatures.sign_all(words, settings)
    published = settings["published"]

    def measure(a: int, b: int) -> tuple[float, bool]:
        share, ground = signatures.judge(signed[a], signed[b], (published[a], published[b]), settings)
        return share, ground is not None

    return measure


def measure_degree(texts: Sequence[str], words: Sequence[Sequence[str]], settings: dict[str, Any]) -> Measure:
    settings = messages.resolve(settings)
    weights = messages.weigh(words, settings)
    keys = [messages.fingerprints(each, weights, settings) for each in words]
    threshold = Fraction(str(settings["threshold"]))

    def measure(a: int, b: int) -> tuple[float, bool]:
        found = messages.degree(set(words[a]), set(words[b]), weights)
        compared = settings["candidates"] == "prefix" or bool(keys[a] & keys[b])
        return float(found), found >= threshold and compared

    return measure


MEASURES = {
    "conrad": measure_terms,
    "exact": measure_exact,
    "full": measure_overlap,
    "dsc": measure_overlap,
    "imatch": measure_signature,
    "jaccard": measure_jaccard,
    "minhash": measure_jaccard,
    "simhash": measure_bits,
    "simfinder": measure_degree,
}


def link_all(measure: Measure, nodes: int) -> dict[tuple[int, int], float]:
    scored = {(a, b): measure(a, b) for a, b in combinations(range(nodes), 2)}
    return {pair: similarity for pair, (similarity, passed) in scored.items() if passed}


def lead(
    links: dict[tuple[int, int], float], copies: Sequence[int], keep: str | None, records: Sequence[Record]
) -> list[int]:
    """Order the nodes by which of them becomes a leader first."""
    nodes = list(range(len(copies)))
    if keep is not None or any(record.time is not None for record in records):
        return nodes
    partners = [sum(node in pair for pair in links) for node in nodes]
    return sorted(nodes, key=lambda node: (-copies[node], -partners[node], node))


def follow(linkage: str, order: Sequence[int], links: dict[tuple[int, int], float]) -> list[int]:
    if linkage == "star":
        return groups.stars(order, links)
    named = groups.components(len(order), list(links))
    first = {name: next(node for node in order if named[node] == name) for name in set(named)}
    return [first[name] for name in named]


def describe(
    records: Sequence[Record],
    nodes: Sequence[int],
    copies: dict[int, list[int]],
    links: dict[tuple[int, int], float],
    leaders: Sequence[int],
    measure: Measure,
) -> Run:
    node_of = {at: node for node, first in enumerate(nodes) for at in copies[first]}
    leading = [nodes[leaders[node_of[at]]] if at in node_of else at for at in range(len(records))]
    similarities: list[float | None] = []
    for at in range(len(records)):
        node = node_of.get(at)
        apart = node is not None and leaders[node] != node
        similarities.append(None if node is None else measure(node, leaders[node])[0] if apart else 1.0)
    numbers: dict[int, int] = {}
    labels = [numbers.setdefault(leader, len(numbers)) for leader in leading]
    pairs = pair_up(records, nodes, copies, links)
    return Run(labels, [records[leader].id for leader in leading], similarities, pairs, links, list(nodes))


def pair_up(
    records: Sequence[Record],
    nodes: Sequence[int],
    copies: dict[int, list[int]],
    links: dict[tuple[int, int], float],
) -> dict[tuple[str, str], float]:
    """List the pairs, a before b by time and id: of distinct texts, and of each copy with its first copy."""

    def name(*pair: int) -> tuple[str, str]:
        first, second = sorted(pair, key=lambda at: rank_key(records[at], at, None))
        return records[first].id, records[second].id

    pairs = {name(nodes[a], nodes[b]): similarity for (a, b), similarity in links.items()}
    for same in copies.values():
        first, *later = sorted(same, key=lambda at: rank_key(records[at], at, None))
        pairs.update({name(first, at): 1.0 for at in later})
    return pairs
