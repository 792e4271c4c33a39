"""Keys in a SQLite file, as rows and in segments, compared with a list of rows."""

import random
from contextlib import suppress

import numpy as np
import pytest

from neardup import _core
from neardup.errors import FormatError
from neardup.index import Index
from neardup.index.store.databases import SQLiteDatabase
from neardup.index.store.databases.segments import SEGMENTS_PER_LEVEL, KeySegments
from neardup.stages import UNPLACED
from reference.keys import PlainKeys, tally

WIDE = (1 << 63) - 1


def columns(rows, count):
    table = np.array(rows, np.int64).reshape(-1, count)
    return tuple(np.ascontiguousarray(column) for column in table.T)


def some_rows(rng, count, first_node=0):
    """Return rows with frequent and rare keys, with points, without points, and at the limits of 64 bits."""

    def key():
        return rng.choice([rng.randint(-4, 4), rng.randint(-WIDE - 1, WIDE), WIDE, -WIDE - 1])

    def point():
        return rng.choice([UNPLACED, 0, rng.randint(11_000, 11_009), rng.randint(-9, 9)])

    found = {}
    for _ in range(count):
        row = (key(), point(), first_node + rng.randrange(200), rng.choice([0, 5, 300, 70_000]))
        found[row[:3]] = row
    return list(found.values())


def some_probes(rng, rows, count):
    made = []
    for asked in range(count):
        key, point, _, size = rng.choice(rows) if rows else (0, 0, 0, 0)
        earliest, latest = rng.choice([(point, point), (point - 3, point + 3), (UNPLACED, -UNPLACED), (1, 0)])
        smallest, largest = rng.choice([(size, size), (0, 1 << 40), (size + 1, size + 9)])
        made.append((rng.choice([asked, -1 - asked]), rng.choice([key, 3]), earliest, latest, smallest, largest))
    return made


def met(asked, nodes):
    return sorted(zip(asked.tolist(), nodes.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(12))
def test_packed_blocks_return_the_rows_that_match_probes(seed):
    rng, twin = random.Random(seed), PlainKeys()
    rows = some_rows(rng, seed * seed * 20)
    twin.add(rows)
    content, ends, keys, points = _core.pack_keys(*columns(rows, 4))
    assert list(zip(*(c.tolist() for c in _core.unpack_keys(content, ends)), strict=True)) == twin.rows
    probe_rows = some_probes(rng, rows, 60)
    probes = _core.KeyProbes.from_arrays(*columns(probe_rows, 6))
    assert met(*probes.meet(content, ends)) == twin.meet(probe_rows)
    chosen = probes.choose(keys, points, -(1 << 62), 1 << 62, UNPLACED)
    parts = [content.tobytes()[ends[index] : ends[index + 1]] for index in chosen.tolist()]
    some = (
        np.frombuffer(b"".join(parts), np.uint8),
        np.append(0, np.cumsum([len(part) for part in parts], dtype=np.int64)),
    )
    assert met(*probes.meet(*some)) == twin.meet(probe_rows)
    gone = rng.sample(rows, len(rows) // 3)
    twin.remove(gone)
    left, left_ends, count = _core.remove_keys(content, ends, *columns([row[:3] for row in gone], 3))
    assert count == len(gone)
    packed, count = _core.merge_keys(left, left_ends, None, (0, 0))
    rest, more = _core.merge_keys(left, left_ends, (0, 0), None)
    halves = [zip(*(c.tolist() for c in _core.unpack_keys(*part[:2])), strict=True) for part in (packed, rest)]
    assert [row for half in halves for row in half] == twin.rows
    assert count + more == len(twin.rows)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("few", [True, False])
def test_pairs_are_those_that_share_enough_keys(seed, few):
    rng, count = random.Random(seed), 9
    asked = [rng.choice([1, 1, 1, -1]) * rng.randrange(count) for _ in range(40 * seed)]
    asked = [asker if asker >= 0 else -1 + asker for asker in asked if asker > -count]
    nodes = [rng.randrange(6 if few else 1 << 60) for _ in asked]
    for needed in (None, [rng.randint(1, 5) for _ in range(count)]):
        wanted = None if needed is None else np.array(needed, np.uint32)
        found = _core.tally_meetings(np.array(asked, np.int64), np.array(nodes, np.int64), count, wanted)
        assert list(zip(*(column.tolist() for column in found), strict=True)) == tally(asked, nodes, needed)


def test_invalid_blocks_and_columns_are_refused():
    ends = np.array([0, 5])
    with pytest.raises(ValueError, match="not blocks of keys"):
        _core.unpack_keys(np.full(5, 255, np.uint8), ends)
    with pytest.raises(ValueError, match="not blocks of keys"):
        _core.unpack_keys(np.zeros(4, np.uint8), ends)
    with pytest.raises(ValueError, match="out of range"):
        _core.pack_keys(*columns([(0, 0, -1, 0)], 4))
    with pytest.raises(ValueError, match="same length"):
        _core.pack_keys(*columns([(0, 0, 1, 0)], 4)[:3], np.zeros(0, np.int64))


@pytest.mark.parametrize("seed", range(6))
def test_stored_keys_equal_a_list_of_rows_after_random_changes(tmp_path, monkeypatch, seed):
    sizes = {"SEGMENT_ROWS": 40, "RECENT_ROWS": 90, "BLOCKS_AT_ONCE": 2, "FEW_KEYS": 10}
    for name, number in sizes.items():
        monkeypatch.setattr(f"neardup.index.store.databases.segments.{name}", number)
    rng, twin = random.Random(seed), PlainKeys()
    database = SQLiteDatabase(tmp_path / "keys.db")
    with database.writing():
        database.create()
    for step in range(60):
        with database.writing():
            if rng.random() < 0.7:
                rows = some_rows(rng, rng.choice([1, 5, 30, 150, 900]), step * 200)
                twin.add(rows)
                database.add_keys(columns(rows, 4))
            else:
                rows = rng.sample(twin.rows, rng.randint(0, len(twin.rows) // 2))
                twin.remove(rows)
                database.remove_keys(columns([row[:3] for row in rows], 3))
        probe_rows = some_probes(rng, twin.rows, rng.choice([1, 30]))
        assert met(*database.meet(columns(probe_rows, 6))) == twin.meet(probe_rows)
    stored = [row for part in database.all_keys() for row in zip(*(column.tolist() for column in part), strict=True)]
    assert sorted(stored) == twin.rows
    levels = [segment.level for segment in KeySegments(database)._segments()]
    assert levels
    assert max(levels.count(level) for level in levels) < SEGMENTS_PER_LEVEL
    with database.writing():
        database.remove_keys(columns([row[:3] for row in twin.rows], 3))
    database.compact()
    assert database.query("SELECT count(*) FROM blocks") == [(0,)]
    database.close()


def test_keys_of_an_undone_transaction_are_not_found(tmp_path, monkeypatch):
    monkeypatch.setattr("neardup.index.store.databases.segments.SEGMENT_ROWS", 2)
    database = SQLiteDatabase(tmp_path / "keys.db")
    with database.writing():
        database.create()
    asked = columns([(0, 7, 0, 9, 0, 9)], 6)
    with suppress(ZeroDivisionError), database.writing():
        database.add_keys(columns([(7, 0, 1, 0), (7, 0, 2, 0)], 4))
        assert len(database.meet(asked)[0]) == 2
        raise ZeroDivisionError
    assert len(database.meet(asked)[0]) == 0
    with database.writing():
        database.add_keys(columns([(5, 0, 4, 0), (6, 0, 4, 0), (7, 3, 5, 0)], 4))
    assert met(*database.meet(asked)) == [(0, 5)]
    database.close()


def test_reader_finds_keys_in_segments_that_another_connection_merged(tmp_path, monkeypatch):
    monkeypatch.setattr("neardup.index.store.databases.segments.SEGMENT_ROWS", 2)
    writer = SQLiteDatabase(tmp_path / "keys.db")
    with writer.writing():
        writer.create()
    reader = SQLiteDatabase(tmp_path / "keys.db", read_only=True)
    asked = columns([(0, 7, 0, 99, 0, 9)], 6)
    for number in range(30):
        with writer.writing():
            writer.add_keys(columns([(7, number, number, 0), (8, number, number, 0)], 4))
        with reader.reading():
            assert met(*reader.meet(asked)) == [(0, node) for node in range(number + 1)]
    reader.close()
    writer.close()


def test_damaged_block_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr("neardup.index.store.databases.segments.SEGMENT_ROWS", 2)
    path = tmp_path / "index.db"
    with Index(path, method="jaccard", shingle=1, threshold=0.5) as index:
        index.add([{"id": "a", "text": "the cat sat on the mat"}])
        with index._store.database.writing():
            index._store.database.execute_many("UPDATE blocks SET bytes = ?", [(b"\xff" * 30,)])
        with pytest.raises(FormatError, match=r"damaged or not an index.*restore it from a backup"):
            index.query("the cat sat on a mat")
