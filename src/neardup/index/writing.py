"""One change of an index: documents go, documents come, and everything that follows from it, in one transaction.

Documents become nodes, nodes lose and win links, links decide who leads, leaders name clusters, and all of it is told
in the log. A change costs what it touches: the documents that come and go, their links and whoever depends on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from neardup.index.answers import ADDED, REMOVED, UPDATED, Changes
from neardup.index.collecting import uninterrupted
from neardup.index.common import CommonKeys
from neardup.index.identity import KIND, Before, Ledger, Naming, Told, event_rows, name_clusters
from neardup.index.keys import Flags, Integers, KeyRows
from neardup.index.leading import Neighbourhood, Node, lead_by, settle_components, settle_stars
from neardup.index.linking import Linker, Side
from neardup.index.loading import Loader
from neardup.index.packing import day_of, place_of, read_counters, write_counters
from neardup.index.tables import FAR, Database
from neardup.records import Documents
from neardup.stages import NOWHERE, Corpus, Links, Scores

Days = dict[int, int]
NO_DAYS: Days = {}


@dataclass(frozen=True, slots=True)
class Arrival:
    """Documents that come in, and what could be worked out of them alone.

    `at` is the place of each document's node in the corpus, -1 for one without a word. `links` are those between the
    nodes of the corpus, None where they depend on what is stored. Without `named` ids the order of coming decides.
    """

    ids: list[bytes]
    times: list[int | None]
    statuses: list[int]
    packed: list[bytes]
    documents: Documents
    corpus: Corpus
    keys: KeyRows
    features: list[bytes]
    at: Integers
    links: Links | None
    named: bool = True

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Departure:
    """A stored document that goes, or comes back as another."""

    number: int
    id: bytes
    node: int
    time: int | None


class Change:
    """A change that is applied inside a transaction."""

    def __init__(
        self, database: Database, linker: Linker, arrival: Arrival | None, departures: Sequence[Departure]
    ) -> None:
        self.database, self.linker = database, linker
        self.arrival, self.departures = arrival, departures
        self.counters = read_counters(database)
        if linker.shuns_common:
            linker.know_common(database, self.counters["common"])
        self.around = Neighbourhood(database)
        self.loader = Loader(database, linker, self.around)
        self.ledger = Ledger()
        self.numbers: list[int] = []
        self.places: list[int] = []
        self.nodes_of: list[int] = []
        self.node_at: list[int] = []
        self.prints: list[tuple[int, int]] = []
        self.fresh: dict[int, int] = {}
        self.dead: set[int] = set()
        self.changed: set[int] = set()
        self.days_before: dict[int, Days] = {}

    @uninterrupted
    def apply(self) -> Changes:
        """Take documents out and put documents in; a document of the same id comes back in its old place."""
        was_popular = self._popular()
        self._find_nodes()
        self._count()
        relinked = self._count_days()
        dying = sorted(number for number in self.dead if self.around.nodes[number].words)
        last_words = self.loader.texts(dying)
        self._write_documents()
        self._lead_nodes()
        if self.linker.directed:
            relinked |= self.changed
        if was_popular != self._popular():
            relinked |= self._turn_over()
        again = sorted(relinked)
        stored = self.loader.texts(again)
        self._unlink(dying, last_words)
        self._unlink(again, stored)
        self._link_fresh()
        self._relink(again, stored)
        self._settle()
        naming = self._name()
        self._write_nodes(naming)
        self._write_clusters(naming)
        self._tell(naming)
        write_counters(self.database, self.counters)
        return self._summary()

    def _popular(self) -> bool:
        """Whether the text of most copies leads: where nothing else is wished and nothing has a time."""
        return self.linker.detector.keep is None and not self.counters["timed"]

    def _count_up(self, name: str) -> int:
        number = self.counters[name]
        self.counters[name] = number + 1
        return number

    def _find_nodes(self) -> None:
        """Find the node of each document that comes, or number a new one, and fetch all nodes that are touched."""
        touched = {departure.node for departure in self.departures}
        if self.arrival is not None:
            touched |= self._match(self.arrival.corpus)
            for at in self.arrival.at.tolist():
                if at < 0:
                    number = self._count_up("next_node")
                    self.fresh[number] = -1
                    self.nodes_of.append(number)
                else:
                    self.nodes_of.append(self.node_at[at])
        self.around.fetch(touched)

    def _match(self, corpus: Corpus) -> set[int]:
        """Find the nodes of known texts by their fingerprints, number the others, and return the known ones."""
        prints = corpus.survey.fingerprints[corpus.nodes].view(np.int64).tolist()
        others = corpus.survey.other_halves[corpus.nodes].view(np.int64).tolist()
        rows = self.database.among(
            "SELECT fingerprint, other_half, node FROM nodes WHERE fingerprint IN ?", list(set(prints))
        )
        known = {(row[0], row[1]): row[2] for row in rows}
        self.prints = list(zip(prints, others, strict=True))
        for place, pair in enumerate(self.prints):
            number = known.get(pair)
            if number is None:
                number = self._count_up("next_node")
                self.fresh[number] = place
            self.node_at.append(number)
        return set(known.values()).intersection(self.node_at)

    def _count(self) -> None:
        """Count who goes and comes; number and place what comes."""
        back = {departure.id: departure for departure in self.departures}
        for departure in self.departures:
            self.ledger.gone[departure.node] += 1
            self.counters["timed"] -= departure.time is not None
        self.counters["documents"] -= len(self.departures)
        if self.arrival is not None:
            arrival = self.arrival
            self.counters["documents"] += len(arrival)
            self.counters["timed"] += len(arrival) - arrival.times.count(None)
            self.ledger.come = Counter(self.nodes_of)
            for at, (id_, node) in enumerate(zip(arrival.ids, self.nodes_of, strict=True)):
                former = back.get(id_)
                if former is not None:
                    self.ledger.returned.append((self.around.nodes[former.node].leader, node))
                self.numbers.append(self._number(at) if former is None else former.number)
            self.places = self._places(arrival)
        gone, come = self.ledger.gone, self.ledger.come
        self.dead = {n for n in gone if self.around.nodes[n].copies - gone[n] + come.get(n, 0) == 0}

    def _number(self, at: int) -> int:
        """Return the number of the document at this place of the arrival, which is new."""
        return self._count_up("next_document")

    def _places(self, arrival: Arrival) -> list[int]:
        keep = self.linker.detector.keep
        dated = zip(arrival.times, self.numbers, strict=True)
        if arrival.named:
            return [place_of(keep, time, number) for time, number in dated]
        return [FAR + number if (place := place_of(keep, time, number)) == FAR else place for time, number in dated]

    def _count_days(self) -> set[int]:
        """Count the copies of each touched node by day; return the nodes that lost or won a day."""
        if not self.linker.dated:
            return set()
        steps: Counter[tuple[int, int]] = Counter()
        if self.arrival is not None:
            steps.update(zip(self.nodes_of, map(day_of, self.arrival.times), strict=True))
        steps.subtract((departure.node, day_of(departure.time)) for departure in self.departures)
        touched = {node for node, _ in steps}
        before = self.days_before = self.loader.count_days(sorted(touched - self.fresh.keys()))
        now = self.loader.days
        now.update({node: dict(days) for node, days in before.items()})
        for (node, day), step in steps.items():
            days = now.setdefault(node, {})
            days[day] = days.get(day, 0) + step
            if not days[day]:
                del days[day]
        other = [(n, day) for n, days in before.items() for day in days if days[day] != now[n].get(day)]
        self.database.run("DELETE FROM days WHERE node = ? AND day = ?", other)
        rows = ((n, day, copies) for n, days in now.items() for day, copies in days.items())
        self.database.insert("days", sorted(row for row in rows if before.get(row[0], NO_DAYS).get(row[1]) != row[2]))
        return {n for n in before if n not in self.dead and _said_days(before[n]) != _said_days(now[n])}

    def _write_documents(self) -> None:
        """Take out and put in the documents themselves."""
        gone = [(departure.number,) for departure in self.departures]
        self.database.run("DELETE FROM documents WHERE number = ?", gone)
        self.database.run("DELETE FROM texts WHERE number = ?", gone)
        if self.arrival is not None:
            arrival = self.arrival
            columns = (self.numbers, arrival.ids, self.nodes_of, self.places, arrival.times, arrival.statuses)
            self.database.insert("documents", zip(*columns, strict=True))
            self.database.insert("texts", zip(self.numbers, arrival.packed, strict=True))

    def _lead_nodes(self) -> None:
        """Find the document that stands for each touched node, and make the nodes that are new."""
        lost = {departure.number for departure in self.departures}
        best: dict[int, tuple[int, bytes, int]] = {}
        if self.arrival is not None:
            columns = zip(self.nodes_of, self.places, self.arrival.ids, self.numbers, strict=True)
            for node, place, id_, number in columns:
                if node not in best or (place, id_, number) < best[node]:
                    best[node] = (place, id_, number)
        lengths = [] if self.arrival is None else self.arrival.corpus.lengths.tolist()
        for number in self.ledger.gone.keys() | self.ledger.come.keys():
            if number in self.fresh:
                at = self.fresh[number]
                self._make_node(number, lengths[at] if at >= 0 else 0, *best[number])
            elif number not in self.dead:
                self._renew_node(self.around.nodes[number], best.get(number), lost)

    def _make_node(self, number: int, words: int, place: int, id_: bytes, first: int) -> None:
        copies = self.ledger.come[number]
        self.around.nodes[number] = Node(number, words, copies, 0, first, number, None, place, id_)
        self.around.links[number] = {}

    def _renew_node(self, node: Node, best: tuple[int, bytes, int] | None, lost: set[int]) -> None:
        before = (node.place, node.id, node.copies)
        node.copies += self.ledger.come.get(node.number, 0) - self.ledger.gone.get(node.number, 0)
        if node.first in lost:
            node.place, node.id, node.first = self.database.rows(
                "SELECT place, id, number FROM documents WHERE node = ? ORDER BY place, id LIMIT 1", node.number
            )[0]
        elif best is not None and best < (node.place, node.id, node.first):
            node.place, node.id, node.first = best
        if (node.place, node.id, node.copies) != before:
            self.changed.add(node.number)

    def _turn_over(self) -> set[int]:
        """Put every node into its new place when the first time came or the last one went.

        Return the nodes whose links change by it.
        """
        self.changed |= {row[0] for row in self.database.rows("SELECT DISTINCT a FROM links")} - self.dead
        if not self.linker.directed:
            return set()
        return {row[0] for row in self.database.rows("SELECT node FROM nodes WHERE words > 0")} - self.dead

    def _unlink(self, numbers: list[int], texts: Side) -> None:
        """Take out the keys and the links of nodes."""
        if not numbers:
            return
        if self.linker.dated:
            now, known = self.loader.describe(numbers).days, self.days_before
            before = [list(known[n]) if n in known else days for n, days in zip(numbers, now, strict=True)]
            texts = replace(texts, days=before)
        keys = self.linker.keys(self.linker.text_corpus(texts))
        rows = keys.chosen(np.ones(len(numbers), bool), np.array(numbers, np.int64))
        self.database.remove_keys(rows[:3])
        self.counters["keys"] -= len(rows[0])
        self.around.fetch_links(numbers)
        ends = [(a, b) for a in numbers for b in self.around.links[a]]
        self.database.run("DELETE FROM links WHERE a = ? AND b = ?", sorted({*ends, *((b, a) for a, b in ends)}))
        # A link between two of them is there from both ends.
        self.counters["links"] -= len({frozenset(end) for end in ends})
        for a, b in ends:
            self.around.nodes[b].partners -= 1
            self.around.links.get(b, {}).pop(a, None)
            self.changed.add(b)
        for number in numbers:
            self.around.links[number] = {}
            self.around.nodes[number].partners = 0
            self.changed.add(number)
        self.changed -= self.dead

    def _link_fresh(self) -> None:
        """Link the new nodes with those that are stored and among each other, and store their keys."""
        if self.arrival is None or not any(place >= 0 for place in self.fresh.values()):
            return
        arrival, popular = self.arrival, self._popular()
        new = np.zeros(len(self.node_at), bool)
        new[[place for place in self.fresh.values() if place >= 0]] = True
        common = CommonKeys(self.database, self.linker, self.loader, self.counters)
        keys = common.shun(arrival.corpus, arrival.keys)
        met = self.linker.meet(self.database, keys, new, some_nowhere=self._some_undated())
        found = self.linker.link_stored(met, self._arrived, self.loader.candidates, by_popularity=popular)
        node_at = np.array(self.node_at, np.int64)
        self._add_links(node_at[found.places], found.nodes, found.similarities)
        links = arrival.links
        if links is None:
            links = self.linker.link_within(replace(arrival.corpus, by_popularity=popular))
        both = new[links.a] & new[links.b]
        self._add_links(node_at[links.a[both]], node_at[links.b[both]], links.similarities[both])
        self._store_keys(keys, new, node_at)
        common.look_at_crowds(keys, met[0])

    def _arrived(self, places: list[int]) -> Side:
        """Return what verification wants to know of nodes that came."""
        assert self.arrival is not None
        arrival, numbers = self.arrival, [self.node_at[place] for place in places]
        side = self.loader.describe(numbers)
        if self.linker.featured:
            return replace(side, features=[arrival.features[place] for place in places])
        at = arrival.corpus.nodes[places].tolist()
        texts = [arrival.documents.text(position) for position in at]
        return replace(side, texts=texts, html=[bool(arrival.statuses[position] % 2) for position in at])

    def _relink(self, numbers: list[int], texts: Side) -> None:
        """Link nodes anew that are stored already, and store their keys."""
        if not numbers:
            return
        keys = self.linker.keys(self.linker.text_corpus(replace(texts, days=self.loader.describe(numbers).days)))
        if self.linker.featured and self.arrival is not None:
            features = self.arrival.features
            self.loader.features = {n: features[place] for n, place in self.fresh.items() if place >= 0}
        own, every = np.array(numbers, np.int64), np.ones(len(numbers), bool)
        self._store_keys(keys, every, own)
        places, nodes = self.linker.meet(self.database, keys, every, some_nowhere=self._some_undated())
        # Two that are linked anew meet twice, and each meets itself.
        once = (own[places] < nodes) | ~np.isin(nodes, own)
        once &= own[places] != nodes
        found = self.linker.link_stored(
            (places[once], nodes[once]),
            lambda chosen: self.loader.candidates([numbers[place] for place in chosen]),
            self.loader.candidates,
            by_popularity=self._popular(),
        )
        self._add_links(own[found.places], found.nodes, found.similarities)

    def _some_undated(self) -> bool:
        """Whether there is, or was before this change, a document without a day."""
        return self.counters["timed"] < self.counters["documents"] + len(self.departures)

    def _store_keys(self, keys: KeyRows, chosen: Flags, numbers: Integers) -> None:
        rows = keys.chosen(chosen, numbers)
        self.database.add_keys(rows)
        self.counters["keys"] += len(rows[0])

    def _add_links(self, a: Integers, b: Integers, similarities: Scores) -> None:
        """Store links in both directions, and count the partners."""
        rows = list(zip(a.tolist(), b.tolist(), similarities.tolist(), strict=True))
        if not rows:
            return
        self.around.fetch({end for row in rows for end in row[:2]})
        self.around.fetch_links({end for row in rows for end in row[:2]})
        for one, other, similarity in rows:
            self.around.links[one][other] = self.around.links[other][one] = similarity
            self.around.nodes[one].partners += 1
            self.around.nodes[other].partners += 1
            self.changed |= {one, other}
        both = [*rows, *((other, one, similarity) for one, other, similarity in rows)]
        self.database.insert("links", sorted(both))
        self.counters["links"] += len(rows)

    def _settle(self) -> None:
        """Find the leaders of all nodes whose links or place changed, and of whoever depends on them."""
        by_partners = not self.linker.directed
        order = lead_by(self.linker.detector.keep, popular=self._popular(), by_partners=by_partners)
        settle = settle_stars if self.linker.linkage == "star" else settle_components
        settle(self.around, self.changed, order)

    def _name(self) -> Naming:
        """Find out which cluster is which."""
        nodes, touched = self.around.nodes, self.ledger.gone.keys() | self.ledger.come.keys()
        affected = {
            number: node for number, node in nodes.items() if number in touched or node.leader != node.was_leader
        }
        leaders = {node.was_leader for node in affected.values()} | {node.leader for node in affected.values()}
        self.around.fetch(leader for leader in leaders if leader is not None)
        former = {n: nodes[n] for n in leaders if n is not None and nodes[n].was_leader == n}
        numbers = {node.cluster: n for n, node in former.items() if node.cluster is not None}
        rows = self.database.among("SELECT cluster, size FROM clusters WHERE cluster IN ?", list(numbers))
        before = {numbers[cluster]: Before(cluster, numbers[cluster], size) for cluster, size in rows}
        naming = name_clusters(affected | former, self.dead, self.ledger, before, self.counters["next_cluster"])
        self.counters["next_cluster"] = max(self.counters["next_cluster"], *(n + 1 for n in naming.numbers.values()), 0)
        self.before = before
        return naming

    def _write_nodes(self, naming: Naming) -> None:
        nodes = self.around.nodes
        self.database.run("DELETE FROM nodes WHERE node = ?", [(number,) for number in sorted(self.dead)])
        rows = []
        for number, place in self.fresh.items():
            node = nodes[number]
            prints = self.prints[place] if place >= 0 else (None, None)
            rows.append((number, *prints, *self._state(node, naming), self._features(place)))
        self.database.insert("nodes", rows)
        self.counters["distinct"] += sum(place >= 0 for place in self.fresh.values())
        self.counters["distinct"] -= sum(nodes[number].words > 0 for number in self.dead)
        touched = self.ledger.gone.keys() | self.ledger.come.keys() | self.changed | naming.numbers.keys()
        touched |= {number for number, node in nodes.items() if node.leader != node.was_leader}
        changes = [
            (*self._state(nodes[number], naming)[1:], number)
            for number in sorted(touched - self.fresh.keys() - self.dead)
            if number in nodes
        ]
        self.database.run(
            "UPDATE nodes SET copies = ?, partners = ?, first = ?, leader = ?, cluster = ? WHERE node = ?", changes
        )

    def _state(self, node: Node, naming: Naming) -> tuple[int | None, ...]:
        cluster = naming.numbers.get(node.number, node.cluster) if node.leader == node.number else None
        return node.words, node.copies, node.partners, node.first, node.leader, cluster

    def _features(self, place: int) -> bytes | None:
        return (
            self.arrival.features[place] if self.arrival is not None and self.linker.featured and place >= 0 else None
        )

    def _write_clusters(self, naming: Naming) -> None:
        known = {cluster.number for cluster in self.before.values()}
        self.database.run("DELETE FROM clusters WHERE cluster = ?", [(number,) for number in sorted(naming.ended)])
        rows = sorted((number, leader, naming.sizes[leader]) for leader, number in naming.numbers.items())
        self.database.insert("clusters", [row for row in rows if row[0] not in known])
        self.database.run(
            "UPDATE clusters SET leader = ?, size = ? WHERE cluster = ?",
            [(leader, size, number) for number, leader, size in rows if number in known],
        )
        self.database.insert("former", sorted(naming.merged))
        for sizes, sign in ((naming.sizes.values(), 1), ([cluster.size for cluster in self.before.values()], -1)):
            self.counters["clusters"] += sign * sum(size > 1 for size in sizes)
            self.counters["duplicates"] += sign * sum(size - 1 for size in sizes)

    def _tell(self, naming: Naming) -> None:
        """Write the log: first what happened to documents, then to clusters."""
        nodes = self.around.nodes
        back = set(self.arrival.ids) if self.arrival is not None else set()
        gone = {departure.id for departure in self.departures}
        told: list[Told] = []
        for departure in self.departures:
            if departure.id not in back:
                leader = nodes[departure.node].was_leader
                told.append((KIND[REMOVED], departure.id, self.before[leader or 0].number, None))
        if self.arrival is not None:
            for id_, node in zip(self.arrival.ids, self.nodes_of, strict=True):
                kind = UPDATED if id_ in gone else ADDED
                told.append((KIND[kind], id_, naming.numbers[nodes[node].leader], None))
        told += naming.events
        self.database.insert("events", event_rows(told, self.counters["next_event"]))
        self.counters["next_event"] += len(told)

    def _summary(self) -> Changes:
        came = len(self.arrival) if self.arrival is not None else 0
        updated = len(self.ledger.returned)
        return Changes(came - updated, updated, len(self.departures) - updated, 0, self.counters["next_event"] - 1)


def _said_days(days: Iterable[int]) -> set[int]:
    """Return the days that count: none if one copy has no day."""
    known = set(days)
    return set() if NOWHERE in known else known
