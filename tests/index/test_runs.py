"""Keys in a SQLite file: what comes, goes and is met, in rows and in runs, like a plain list of rows."""

import random
from contextlib import suppress

import numpy as np
import pytest

from neardup import _core
from neardup.errors import FormatError
from neardup.index import Index
from neardup.index.runs import RUNS_ALIKE, KeyRuns
from neardup.index.sqlite import SQLiteDatabase
from neardup.stages import NOWHERE
from reference.keys import PlainKeys, tally

WIDE = (1 << 63) - 1


def columns(rows, count):
    table = np.array(rows, np.int64).reshape(-1, count)
    return tuple(np.ascontiguousarray(column) for column in table.T)


def some_rows(rng, count, first_node=0):
    """Return rows of few and of many keys, at days, at none and at the ends of what numbers can be."""

    def key():
        return rng.choice([rng.randint(-4, 4), rng.randint(-WIDE - 1, WIDE), WIDE, -WIDE - 1])

    def moment():
        return rng.choice([NOWHERE, 0, rng.randint(11_000, 11_009), rng.randint(-9, 9)])

    found = {}
    for _ in range(count):
        row = (key(), moment(), first_node + rng.randrange(200), rng.choice([0, 5, 300, 70_000]))
        found[row[:3]] = row
    return list(found.values())


def some_questions(rng, rows, count):
    made = []
    for asked in range(count):
        key, moment, _, size = rng.choice(rows) if rows else (0, 0, 0, 0)
        earliest, latest = rng.choice([(moment, moment), (moment - 3, moment + 3), (NOWHERE, -NOWHERE), (1, 0)])
        smallest, largest = rng.choice([(size, size), (0, 1 << 40), (size + 1, size + 9)])
        made.append((rng.choice([asked, -1 - asked]), rng.choice([key, 3]), earliest, latest, smallest, largest))
    return made


def met(asked, nodes):
    return sorted(zip(asked.tolist(), nodes.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(12))
def test_blocks_hold_what_was_packed_and_give_what_is_asked_for(seed):
    rng, twin = random.Random(seed), PlainKeys()
    rows = some_rows(rng, seed * seed * 20)
    twin.add(rows)
    content, ends, keys, moments = _core.pack_keys(*columns(rows, 4))
    assert list(zip(*(c.tolist() for c in _core.unpack_keys(content, ends)), strict=True)) == twin.rows
    questions = some_questions(rng, rows, 60)
    probes = _core.KeyProbes.from_arrays(*columns(questions, 6))
    assert met(*probes.meet(content, ends)) == twin.meet(questions)
    chosen = probes.choose(keys, moments, -(1 << 62), 1 << 62, NOWHERE)
    parts = [content.tobytes()[ends[place] : ends[place + 1]] for place in chosen.tolist()]
    some = (
        np.frombuffer(b"".join(parts), np.uint8),
        np.append(0, np.cumsum([len(part) for part in parts], dtype=np.int64)),
    )
    assert met(*probes.meet(*some)) == twin.meet(questions)
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
def test_who_meets_often_enough_is_paired(seed, few):
    rng, places = random.Random(seed), 9
    asked = [rng.choice([1, 1, 1, -1]) * rng.randrange(places) for _ in range(40 * seed)]
    asked = [place if place >= 0 else -1 + place for place in asked if place > -places]
    nodes = [rng.randrange(6 if few else 1 << 60) for _ in asked]
    for needed in (None, [rng.randint(1, 5) for _ in range(places)]):
        wanted = None if needed is None else np.array(needed, np.uint32)
        found = _core.tally_meetings(np.array(asked, np.int64), np.array(nodes, np.int64), places, wanted)
        assert list(zip(*(column.tolist() for column in found), strict=True)) == tally(asked, nodes, needed)


def test_what_is_no_block_is_refused():
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
def test_keys_come_go_and_are_met_like_a_list_of_rows(tmp_path, monkeypatch, seed):
    sizes = {"RUN_ROWS": 40, "RECENT_ROWS": 90, "BLOCKS_AT_ONCE": 2, "FEW_KEYS": 10}
    for name, number in sizes.items():
        monkeypatch.setattr(f"neardup.index.runs.{name}", number)
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
        questions = some_questions(rng, twin.rows, rng.choice([1, 30]))
        assert met(*database.meet(columns(questions, 6))) == twin.meet(questions)
    stored = [row for part in database.all_keys() for row in zip(*(column.tolist() for column in part), strict=True)]
    assert sorted(stored) == twin.rows
    levels = [run.level for run in KeyRuns(database)._runs()]
    assert levels
    assert max(levels.count(level) for level in levels) < RUNS_ALIKE
    with database.writing():
        database.remove_keys(columns([row[:3] for row in twin.rows], 3))
    database.compact()
    assert database.rows("SELECT count(*) FROM blocks") == [(0,)]
    database.close()


def test_what_was_not_kept_is_not_remembered(tmp_path, monkeypatch):
    monkeypatch.setattr("neardup.index.runs.RUN_ROWS", 2)
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


def test_a_reader_sees_runs_that_another_has_merged(tmp_path, monkeypatch):
    monkeypatch.setattr("neardup.index.runs.RUN_ROWS", 2)
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


def test_a_broken_block_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("neardup.index.runs.RUN_ROWS", 2)
    path = tmp_path / "index.db"
    with Index(path, method="jaccard", shingle=1, threshold=0.5) as index:
        index.add([{"id": "a", "text": "the cat sat on the mat"}])
        with index._database.writing():
            index._database.run("UPDATE blocks SET bytes = ?", [(b"\xff" * 30,)])
        with pytest.raises(FormatError, match=r"not a sound index.*restore it from a backup"):
            index.query("the cat sat on a mat")
