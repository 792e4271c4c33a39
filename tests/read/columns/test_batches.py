from datetime import UTC, datetime

import pyarrow as pa

from neardup.read.columns.batches import SCHEMA, Row, gather, make_batch, string_array, without_surrogates


def test_rows_and_batches_stay_in_order():
    batch = make_batch(pa.array(["b"], pa.large_string()))
    found = list(
        gather([Row("a"), batch, Row(None, "c", unreadable=True), Row("d", time=datetime(2020, 1, 1, tzinfo=UTC))])
    )
    assert all(part.schema == SCHEMA for part in found)
    assert [part["text"].to_pylist() for part in found] == [["a"], ["b"], [None, "d"]]
    assert found[2]["unreadable"].to_pylist() == [True, False]


def test_many_rows_give_several_batches():
    sizes = [len(part) for part in gather(Row("x") for _ in range(10_000))]
    assert sum(sizes) == 10_000
    assert max(sizes) < 5000
    assert len(list(gather(Row("x" * 10_000_000) for _ in range(4)))) == 2


def test_surrogates_are_joined_or_replaced():
    assert without_surrogates("a\ud83d\ude00b\ud800") == "a😀b\ufffd"
    assert string_array(["\udfff", None, "x"], pa.string()).to_pylist() == ["\ufffd", None, "x"]
