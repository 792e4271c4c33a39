"""Questions to an index: what is like this text or document, what is in that cluster, what happened since."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from neardup.errors import IdNotFound
from neardup.explain import relate_members
from neardup.index.answers import EVENT_KINDS, Event, Match, StoredCluster, StoredDocument
from neardup.index.leading import Neighbourhood, Node, lead_by
from neardup.index.linking import Order, Side
from neardup.index.loading import Loader
from neardup.index.opening import Opened
from neardup.index.packing import day_of, place_of, read_counters, unpack_id, unpack_status, unpack_text, unpack_time
from neardup.index.tables import FAR
from neardup.records import Documents, Member
from neardup.stages import Corpus

EXACT = ("exact", "", "")


class Asker:
    """Answers questions inside one state of the index."""

    def __init__(self, opened: Opened) -> None:
        self._database = opened.database
        self._linker = opened.asking
        self._learning = opened.learning
        if self._linker.shuns_common:
            self._linker.know_common(opened.database, read_counters(opened.database)["common"])
        self._around = Neighbourhood(opened.database)
        self._loader = Loader(opened.database, opened.asking, self._around)

    def document(self, id_: bytes) -> StoredDocument:
        """Return a stored document."""
        row = self._row(id_)
        text = self._database.rows("SELECT text FROM texts WHERE number = ?", row[0])[0][0]
        leader = self._leader(row[1])
        cluster = leader.cluster
        assert cluster is not None, "a leader has a cluster"
        return StoredDocument(
            unpack_id(id_),
            unpack_text(text),
            unpack_time(row[2]),
            unpack_status(row[3])[0],
            cluster,
            leader.first == row[0],
        )

    def _row(self, id_: bytes) -> tuple[int, int, int | None, int]:
        rows = self._database.rows("SELECT number, node, time, status FROM documents WHERE id = ?", id_)
        if not rows:
            raise IdNotFound(f"{self._database.name} has no document of the id {unpack_id(id_)!r}")
        number, node, time, status = rows[0]
        return number, node, time, status

    def _leader(self, number: int) -> Node:
        self._around.fetch((number,))
        leader = self._around.nodes[number].leader
        self._around.fetch((leader,))
        return self._around.nodes[leader]

    def like_document(self, id_: bytes, limit: int) -> tuple[Match, ...]:
        """Return what is linked to a stored document, its identical copies first."""
        _, number, _, _ = self._row(id_)
        self._around.fetch((number,))
        if not self._around.nodes[number].words:
            return ()
        alike = {number: 1.0, **self._around.partners(number)}
        asked = self._loader.texts([number])
        return self._expand(asked, number, alike, limit, without=id_)

    def like_text(self, text: str, time: int | None, limit: int) -> tuple[Match, ...]:
        """Return what would be linked to a text if it were added."""
        linker, days = self._linker, [[day_of(time)]] if self._linker.dated else []
        asked = Side([text], [False], days=list(days), copies=[1])
        corpus = linker.text_corpus(asked)
        if self._learning or not corpus.lengths[0]:
            return ()
        same = self._same(corpus)
        corpus = linker.with_features(corpus)
        keys = linker.keys(corpus)
        counters = read_counters(self._database)
        undated = counters["timed"] < counters["documents"]
        places, nodes = linker.meet(self._database, keys, np.ones(1, bool), some_nowhere=undated)
        other = nodes != same
        features = [] if corpus.features is None else corpus.features.split()
        orders = [self._place(time, int(corpus.lengths[0]))] if linker.directed else []
        popular = linker.detector.keep is None and time is None and not counters["timed"]
        own = Side([] if features else [text], [] if features else [False], features, list(days), [1], orders)
        found = linker.link_stored(
            (places[other], nodes[other]), lambda _: own, self._loader.candidates, by_popularity=popular
        )
        alike = dict(zip(found.nodes.tolist(), found.similarities.tolist(), strict=True))
        if same >= 0:
            alike[same] = 1.0
        self._around.fetch(alike)
        return self._expand(asked, same, alike, limit)

    def _place(self, time: int | None, words: int) -> Order:
        """Return the place in the order of a text that is only asked about: behind all others of its time."""
        keep = self._linker.detector.keep
        place = (place_of(keep, time, FAR), b"\xff")
        return (-words, *place) if keep == "longest" else place

    def _same(self, corpus: Corpus) -> int:
        """Return the node of the same text, -1 if there is none."""
        survey = corpus.survey
        low, high = (int(half[0].view(np.int64)) for half in (survey.fingerprints, survey.other_halves))
        rows = self._database.rows("SELECT node, other_half FROM nodes WHERE fingerprint = ?", low)
        return next((node for node, other in rows if other == high), -1)

    def _expand(
        self, asked: Side, same: int, alike: dict[int, float], limit: int, without: bytes = b""
    ) -> tuple[Match, ...]:
        """Return the documents of nodes, the most similar node first, and describe as many as are wanted."""
        by_place = lead_by(None, popular=False, by_partners=False)
        nodes = sorted(alike, key=lambda n: (-alike[n], n != same, by_place(self._around.nodes[n])))
        chosen: list[tuple[bytes, int]] = []
        for number in nodes:
            if len(chosen) >= limit:
                break
            rows = self._database.rows(
                "SELECT id FROM documents WHERE node = ? ORDER BY place, id LIMIT ?", number, limit + 1 - len(chosen)
            )
            chosen += [(row[0], number) for row in rows if bytes(row[0]) != without]
        chosen = chosen[:limit]
        described = self._describe(asked, [n for n in dict.fromkeys(number for _, number in chosen) if n != same])
        self._around.fetch(self._around.nodes[number].leader for _, number in chosen)
        return tuple(
            Match(unpack_id(id_), alike[number], described.get(number, EXACT)[0], self._cluster_of(number))
            for id_, number in chosen
        )

    def _cluster_of(self, number: int) -> int:
        cluster = self._leader(number).cluster
        assert cluster is not None, "a leader has a cluster"
        return cluster

    def _describe(self, reference: Side, numbers: list[int]) -> dict[int, tuple[str, str, str]]:
        """Return relation, added and removed text of nodes against a reference."""
        if not numbers:
            return {}
        members = self._loader.texts(numbers)
        html = np.array(reference.html + members.html, bool)
        texts = self._linker.open(Documents(reference.texts + members.texts, html=html if html.any() else None))
        places = np.arange(1, len(numbers) + 1, dtype=np.uint32)
        found = relate_members(texts, places, np.zeros_like(places))
        columns = (found.relations.to_pylist(), found.added.to_pylist(), found.removed.to_pylist())
        return dict(zip(numbers, zip(*columns, strict=True), strict=True))

    def cluster(self, number: int, limit: int | None) -> StoredCluster:
        """Return a cluster by its number, also a former one."""
        number = self._current(number)
        rows = self._database.rows("SELECT leader, size FROM clusters WHERE cluster = ?", number)
        if not rows:
            raise IdNotFound(f"{self._database.name} has no cluster of the number {number}")
        leader, size = rows[0]
        self._around.fetch((leader,))
        followers = self._database.rows("SELECT node FROM nodes WHERE leader = ? AND leader <> node", leader)
        self._around.fetch(row[0] for row in followers)
        by_place = lead_by(None, popular=False, by_partners=False)
        nodes = sorted((row[0] for row in followers), key=lambda node: by_place(self._around.nodes[node]))
        members = self._members(leader, nodes, size if limit is None else limit)
        return StoredCluster(number, unpack_id(self._around.nodes[leader].id), size, members, self._formers(number))

    def _current(self, number: int) -> int:
        """Follow a former number to the one that took it over."""
        while rows := self._database.rows("SELECT successor FROM former WHERE cluster = ?", number):
            number = rows[0][0]
        return number

    def _formers(self, number: int) -> tuple[int, ...]:
        found: list[int] = []
        edge = [number]
        while edge:
            edge = [row[0] for row in self._database.among("SELECT cluster FROM former WHERE successor IN ?", edge)]
            found += edge
        return tuple(sorted(found))

    def _members(self, leader: int, followers: list[int], limit: int) -> tuple[Member, ...]:
        chosen: list[tuple[bytes, int]] = []
        for number in (leader, *followers):
            if len(chosen) >= limit:
                break
            rows = self._database.rows(
                "SELECT id FROM documents WHERE node = ? ORDER BY place, id LIMIT ?", number, limit - len(chosen)
            )
            chosen += [(row[0], number) for row in rows]
        shown = [number for number in dict.fromkeys(number for _, number in chosen) if number != leader]
        described = self._describe(self._loader.texts([leader]), shown)
        alike = self._similarities(leader, shown)
        reference = self._around.nodes[leader].id
        alone = not followers and self._around.nodes[leader].copies == 1
        return tuple(
            Member(unpack_id(id_), "unique" if alone else "reference", 1.0, "", "")
            if id_ == reference
            else Member(unpack_id(id_), *_similar(described.get(number, EXACT), alike.get(number, 1.0)))
            for id_, number in chosen
        )

    def _similarities(self, leader: int, numbers: list[int]) -> dict[int, float]:
        """Return how alike nodes and their leader are: as linked, or worked out where a chain led here."""
        links = self._around.partners(leader)
        chained = np.array([number for number in numbers if number not in links], np.int64)
        found = {number: links[number] for number in numbers if number in links}
        if len(chained):
            texts = self._loader.texts([leader, *chained.tolist()])
            corpus = self._linker.text_corpus(texts)
            places = np.arange(1, len(chained) + 1, dtype=np.uint32)
            scores = self._linker.verifier.scores(corpus, np.zeros_like(places), places)
            found.update(zip(chained.tolist(), scores.tolist(), strict=True))
        return found

    def events(self, since: int, limit: int | None) -> tuple[Event, ...]:
        """Return the events after the one of this number."""
        most = "" if limit is None else f" LIMIT {limit}"
        rows = self._database.rows(
            f"SELECT number, kind, cluster, document, other FROM events WHERE number > ? ORDER BY number{most}", since
        )
        return tuple(
            Event(number, EVENT_KINDS[kind], cluster, None if document is None else unpack_id(document), other)
            for number, kind, cluster, document, other in rows
        )

    def documents(self) -> pa.Table:
        """Return a table of all documents."""
        rows = self._database.rows(
            "SELECT d.id, l.cluster, r.id, d.status FROM documents d JOIN nodes n ON n.node = d.node "
            "JOIN nodes l ON l.node = n.leader JOIN documents r ON r.number = l.first ORDER BY d.number"
        )
        return pa.table(
            {
                "id": pa.array([unpack_id(row[0]) for row in rows], pa.string()),
                "cluster": pa.array([row[1] for row in rows], pa.int64()),
                "reference": pa.array([unpack_id(row[2]) for row in rows], pa.string()),
                "status": pa.array([unpack_status(row[3])[0] for row in rows], pa.string()),
            }
        )


def _similar(described: tuple[str, str, str], similarity: float) -> tuple[str, float, str, str]:
    relation, added, removed = described
    return relation, similarity, added, removed
