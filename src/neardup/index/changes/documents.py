"""The first steps of a change: documents are matched to nodes, numbered and counted.

Each step takes the results of earlier steps and returns a value of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from neardup.index.changes.batches import Arrival
from neardup.index.graph.nodes import Neighbourhood, Node
from neardup.index.graph.sides import Days, SideLoader
from neardup.index.linking import Side
from neardup.index.store import Counters, Store
from neardup.index.store.documents import DocumentRecord, NewDocument, Representative, StoredDocument
from neardup.index.store.encoding import day_of, rank_document
from neardup.index.store.nodes import DayCount, Fingerprint
from neardup.stages import UNPLACED

WORDLESS = -1
"""In place of an index into the corpus, for a node that is a document without words."""
_NO_DAYS: Days = {}


@dataclass(frozen=True, slots=True)
class Change:
    """Documents that arrive and stored documents that go. A document that is updated does both.

    `records` are those of another index, whose numbers and ranks the arriving documents keep.
    """

    arrival: Arrival | None
    departures: Sequence[StoredDocument]
    records: Sequence[DocumentRecord] | None = None

    @property
    def arriving_ids(self) -> list[bytes]:
        """The ids of the documents that arrive."""
        return [] if self.arrival is None else self.arrival.ids


@dataclass(frozen=True, slots=True)
class Matched:
    """The nodes of the documents that arrive."""

    node_of: list[int] = field(default_factory=list)
    """The node of each document."""
    nodes: list[int] = field(default_factory=list)
    """The number of each node of the corpus."""
    fingerprints: list[Fingerprint] = field(default_factory=list)
    """The fingerprint of each node of the corpus."""
    new: dict[int, int] = field(default_factory=dict)
    """The nodes that are not stored yet, with their index in the corpus or `WORDLESS`."""
    next_node: int = 0

    @property
    def new_with_words(self) -> dict[int, int]:
        """The new nodes that have words, with their index in the corpus."""
        return {number: index for number, index in self.new.items() if index != WORDLESS}


@dataclass(frozen=True, slots=True)
class Numbered:
    """The numbers and the ranks of the documents that arrive."""

    numbers: list[int]
    ranks: list[int]
    next_document: int


@dataclass(frozen=True, slots=True)
class Movements:
    """How many documents each node loses and gains; for each updated document its former leader and its new node."""

    lost: Mapping[int, int]
    gained: Mapping[int, int]
    updated: list[tuple[int, int]]

    @property
    def touched(self) -> set[int]:
        """The nodes that lose or gain a document."""
        return self.lost.keys() | self.gained.keys()


@dataclass(frozen=True, slots=True)
class DayChange:
    """The copies of nodes by day before and after the change, and the nodes whose days are different."""

    before: dict[int, Days] = field(default_factory=dict)
    after: dict[int, Days] = field(default_factory=dict)
    different: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class PlacedDocuments:
    """The documents of a change after they are stored. Their nodes are not linked yet.

    `empty` are the nodes that lost their last document; `going` are those of them that had words, and `going_texts` is
    what they contained. `changed` are the stored nodes that have other copies or another representative. `before` and
    `counters` are the counters before the change and after this step.
    """

    change: Change
    matched: Matched
    numbers: list[int]
    movements: Movements
    days: DayChange
    empty: set[int]
    going: list[int]
    going_texts: Side
    changed: set[int]
    before: Counters
    counters: Counters


def place_documents(loader: SideLoader, change: Change, before: Counters) -> PlacedDocuments:
    """Match documents to nodes, number and count them, store them, and update their nodes."""
    store, around = loader.store, loader.around
    matched = match_documents(store, change.arrival, before.next_node)
    around.fetch({*(departure.node for departure in change.departures), *matched.node_of} - matched.new.keys())
    numbered = number_documents(change, loader.linker.detector.keep, before.next_document)
    movements = count_movements(change, matched, around)
    empty = find_empty_nodes(movements, around)
    days = count_days(loader, change, matched, empty) if loader.linker.dated else DayChange()
    going = sorted(number for number in empty if around.nodes[number].words)
    going_texts = replace(loader, days=days.before).load_texts(going)
    write_days(store, days)
    write_documents(store, change, matched, numbered)
    firsts = find_first_documents(change, matched, numbered)
    for node in create_nodes(change.arrival, matched, movements, firsts):
        around.add(node)
    changed = update_nodes(loader, change, movements, movements.touched - matched.new.keys() - empty, firsts)
    counters = replace(
        count_documents(before, change), next_node=matched.next_node, next_document=numbered.next_document
    )
    return PlacedDocuments(
        change, matched, numbered.numbers, movements, days, empty, going, going_texts, changed, before, counters
    )


def match_documents(store: Store, arrival: Arrival | None, next_node: int) -> Matched:
    """Find the nodes of texts that are stored already by their fingerprints, and number new nodes."""
    if arrival is None:
        return Matched(next_node=next_node)
    fingerprints = arrival.represented.fingerprints()
    known = store.nodes.find_by_fingerprint(list({print_.low for print_ in fingerprints if print_.low is not None}))
    nodes, new = [], {}
    for index, print_ in enumerate(fingerprints):
        number = known.get(print_)
        if number is None:
            number, next_node = next_node, next_node + 1
            new[number] = index
        nodes.append(number)
    node_of = []
    for index in arrival.node_of.tolist():
        if index == WORDLESS:
            node_of.append(next_node)
            new[next_node] = WORDLESS
            next_node += 1
        else:
            node_of.append(nodes[index])
    return Matched(node_of, nodes, fingerprints, new, next_node)


def number_documents(change: Change, keep: str | None, next_document: int) -> Numbered:
    """Number and rank the documents that arrive. A document that is updated keeps its number."""
    arrival = change.arrival
    if arrival is None:
        return Numbered([], [], next_document)
    if change.records is not None:
        numbers = [record.number for record in change.records]
        ranks = [record.rank_under(keep) for record in change.records]
        return Numbered(numbers, ranks, max(next_document, *(number + 1 for number in numbers)))
    former = {departure.id: departure.number for departure in change.departures}
    numbers = []
    for id_ in arrival.ids:
        number = former.get(id_)
        if number is None:
            number, next_document = next_document, next_document + 1
        numbers.append(number)
    dated = zip(arrival.times, numbers, strict=True)
    ranks = [rank_document(keep, time, number, named=arrival.named) for time, number in dated]
    return Numbered(numbers, ranks, next_document)


def count_movements(change: Change, matched: Matched, around: Neighbourhood) -> Movements:
    """Count the documents that each node loses and gains."""
    lost = Counter(departure.node for departure in change.departures)
    former = {departure.id: departure.node for departure in change.departures}
    updated = [
        (around.nodes[former[id_]].leader, node)
        for id_, node in zip(change.arriving_ids, matched.node_of, strict=True)
        if id_ in former
    ]
    return Movements(lost, Counter(matched.node_of), updated)


def find_empty_nodes(movements: Movements, around: Neighbourhood) -> set[int]:
    """Return the nodes that lose their last document."""
    gained = movements.gained
    return {
        number
        for number, lost in movements.lost.items()
        if around.nodes[number].copies - lost + gained.get(number, 0) == 0
    }


def count_documents(counters: Counters, change: Change) -> Counters:
    """Count the documents and those of them that have a time."""
    times = [] if change.arrival is None else change.arrival.times
    timed = len(times) - times.count(None) - sum(departure.time is not None for departure in change.departures)
    return counters.plus(documents=len(times) - len(change.departures), timed=timed)


def count_days(loader: SideLoader, change: Change, matched: Matched, empty: set[int]) -> DayChange:
    """Count the copies of each touched node by day."""
    steps: Counter[tuple[int, int]] = Counter()
    if change.arrival is not None:
        steps.update(zip(matched.node_of, map(day_of, change.arrival.times), strict=True))
    steps.subtract((departure.node, day_of(departure.time)) for departure in change.departures)
    before = loader.count_days(sorted({node for node, _ in steps} - matched.new.keys()))
    after = {node: dict(days) for node, days in before.items()}
    for (node, day), step in steps.items():
        days = after.setdefault(node, {})
        days[day] = days.get(day, 0) + step
        if not days[day]:
            del days[day]
    different = {n for n in before if n not in empty and _known_days(before[n]) != _known_days(after[n])}
    return DayChange(before, after, different)


def _known_days(days: Iterable[int]) -> set[int]:
    """Return the days of a node; none if one of its copies has no day."""
    known = set(days)
    return set() if UNPLACED in known else known


def write_days(store: Store, change: DayChange) -> None:
    """Store the counts of copies by day that are different."""
    before, after = change.before, change.after
    store.nodes.delete_days([(n, day) for n, days in before.items() for day in days if days[day] != after[n].get(day)])
    rows = (DayCount(n, day, copies) for n, days in after.items() for day, copies in days.items())
    store.nodes.insert_days(sorted(row for row in rows if before.get(row.node, _NO_DAYS).get(row.day) != row.copies))


def write_documents(store: Store, change: Change, matched: Matched, numbered: Numbered) -> None:
    """Delete the documents that go and insert those that arrive."""
    store.documents.delete([departure.number for departure in change.departures])
    arrival = change.arrival
    if arrival is not None:
        columns = (numbered.numbers, arrival.ids, matched.node_of, numbered.ranks, arrival.times, arrival.statuses)
        store.documents.insert(map(NewDocument, *columns), zip(numbered.numbers, arrival.texts, strict=True))


def find_first_documents(change: Change, matched: Matched, numbered: Numbered) -> dict[int, Representative]:
    """Return the first of the arriving documents of each node."""
    firsts: dict[int, Representative] = {}
    documents = map(Representative, numbered.ranks, change.arriving_ids, numbered.numbers)
    for node, document in zip(matched.node_of, documents, strict=True):
        if node not in firsts or document < firsts[node]:
            firsts[node] = document
    return firsts


def create_nodes(
    arrival: Arrival | None, matched: Matched, movements: Movements, firsts: Mapping[int, Representative]
) -> list[Node]:
    """Return the new nodes."""
    lengths = [] if arrival is None else arrival.represented.lengths()
    made = []
    for number, index in matched.new.items():
        words, first = 0 if index == WORDLESS else lengths[index], firsts[number]
        copies = movements.gained[number]
        made.append(Node(number, words, copies, 0, first.number, number, None, first.rank, first.id))
    return made


def update_nodes(
    loader: SideLoader, change: Change, movements: Movements, numbers: set[int], firsts: Mapping[int, Representative]
) -> set[int]:
    """Update the copies and the representatives of stored nodes; return the nodes for which they are different."""
    deleted = {departure.number for departure in change.departures}
    changed = set()
    for number in numbers:
        node = loader.around.nodes[number]
        before = (node.rank, node.id, node.copies)
        node.copies += movements.gained.get(number, 0) - movements.lost.get(number, 0)
        first = firsts.get(number)
        if node.first in deleted:
            node.rank, node.id, node.first = loader.store.documents.read_representative(number)
        elif first is not None and first < (node.rank, node.id, node.first):
            node.rank, node.id, node.first = first
        if (node.rank, node.id, node.copies) != before:
            changed.add(number)
    return changed
