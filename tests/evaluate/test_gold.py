"""Gold labels from every source give the same measures; invalid ones are refused."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from neardup.errors import InputError
from neardup.evaluate import evaluate
from neardup.records import DOCUMENT_SCHEMA, Result

IDS = ["a", "b", "c", "d", "007"]
CLUSTERS = ["one", "one", "two", "two", None]
GOLD = {"id": IDS, "cluster": CLUSTERS}


def a_result(labels=(0, 0, 1, 1, 2)):
    columns = {name: pa.nulls(len(IDS), DOCUMENT_SCHEMA.field(name).type) for name in DOCUMENT_SCHEMA.names}
    columns["id"] = pa.array(IDS)
    return Result(np.array(labels), {"documents": pa.table(columns, DOCUMENT_SCHEMA)}, {})


def write(path, content):
    path.write_text(content, "utf-8")
    return path


def csv(tmp_path):
    return write(tmp_path / "gold.csv", "id,cluster\na,one\nb,one\nc,two\nd,two\n007,\n")


def quoted_tsv_with_mark(tmp_path):
    return write(
        tmp_path / "gold.tsv",
        '\ufeff"ID"\tnote\t"Cluster"\r\na\t\tone\r\nb\t"x\ny"\tone\r\nc\t\ttwo\r\nd\t\ttwo\r\n007\t\t\r\n',
    )


def semicolons(tmp_path):
    return str(write(tmp_path / "gold.txt", "Id;Cluster\na;one\nb;one\nc;two\nd;two\n007;\n"))


def parquet(tmp_path):
    pq.write_table(pa.table(GOLD), tmp_path / "gold.parquet")
    return tmp_path / "gold.parquet"


SOURCES = {
    "csv": csv,
    "tsv": quoted_tsv_with_mark,
    "semicolons": semicolons,
    "parquet": parquet,
    "table": lambda _: pa.table(GOLD),
    "dictionary": lambda _: pa.table({"id": IDS, "cluster": pa.array(CLUSTERS).dictionary_encode()}),
    "pandas": lambda _: pd.DataFrame(GOLD),
    "polars": lambda _: pl.DataFrame(GOLD),
    "mapping": lambda _: dict(zip(IDS, CLUSTERS, strict=True)),
    "list": lambda _: CLUSTERS,
    "numbers": lambda _: np.array([3.0, 3.0, 1.0, 1.0, np.nan]),
    "series": lambda _: pd.Series(CLUSTERS),
    "arrow": lambda _: pa.chunked_array([CLUSTERS[:2], CLUSTERS[2:]]),
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_kind_of_gold_is_read(source, tmp_path):
    evaluation = evaluate(a_result(), SOURCES[source](tmp_path))
    assert (evaluation.documents, evaluation.gold_clusters, evaluation.adjusted_rand) == (5, 2, 1.0)
    worse = evaluate(a_result((0, 0, 0, 1, 2)), SOURCES[source](tmp_path))
    assert (worse.pair_precision, worse.pair_recall) == (pytest.approx(1 / 3), 1 / 2)


def test_only_common_documents_are_compared_and_the_others_counted():
    evaluation = evaluate(a_result(), {"d": "two", "c": "two", "zz": "two", "b": "one"})
    assert (evaluation.documents, evaluation.only_in_gold, evaluation.only_in_result) == (3, 1, 2)
    assert (evaluation.gold_clusters, evaluation.pair_recall) == (1, 1.0)


def test_numeric_ids_are_compared_as_strings():
    result = a_result()
    result = Result(result.labels, {"documents": result.documents.set_column(0, "id", pa.array(list("01234")))}, {})
    assert evaluate(result, {0: "x", 1: "x", 2: "y", 3: "y", 4: None}).pair_f1 == 1.0
    frame = pd.DataFrame({"id": [0.0, 1.0, 2.0], "cluster": [7, 7, 8]})
    assert evaluate(result, frame).documents == 3


def test_missing_column_is_named(tmp_path):
    with pytest.raises(InputError, match=r"gold\.csv has no column cluster, only id, group"):
        evaluate(a_result(), write(tmp_path / "gold.csv", "id,group\na,1\n"))


def test_no_common_id_shows_examples_of_both_sides():
    with pytest.raises(InputError, match="no id in common: the gold contains 'x', 'y', the result 'a', 'b', 'c'"):
        evaluate(a_result(), {"x": 1, "y": 1})


def test_empty_gold_has_no_common_id(tmp_path):
    with pytest.raises(InputError, match="the gold contains none, the result 'a'"):
        evaluate(a_result(), write(tmp_path / "gold.csv", "id,cluster\n"))


def test_repeated_id_is_refused():
    with pytest.raises(InputError, match="the id 'a' more than once"):
        evaluate(a_result(), pa.table({"id": ["a", "b", "a"], "cluster": ["1", "1", "2"]}))


def test_row_without_id_is_refused(tmp_path):
    with pytest.raises(InputError, match="no id in row 2"):
        evaluate(a_result(), write(tmp_path / "gold.csv", "id,cluster\na,1\n,1\n"))


def test_too_few_labels_are_refused():
    with pytest.raises(InputError, match="2 gold labels for 5 documents"):
        evaluate(a_result(), [1, 2])


def test_labels_of_mixed_type_are_refused():
    with pytest.raises(InputError, match="one type"):
        evaluate(a_result(), [1, "one", 2, 2, 3])


@pytest.mark.parametrize("content", [b"id,cluster\na,1,2\n", b"id,cluster\n\xff,1\n", b""])
def test_broken_file_raises_input_error(tmp_path, content):
    (tmp_path / "gold.csv").write_bytes(content)
    with pytest.raises(InputError, match=r"gold\.csv cannot be read"):
        evaluate(a_result(), tmp_path / "gold.csv")


def test_missing_file_and_folder_raise_input_error(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        evaluate(a_result(), tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be read"):
        evaluate(a_result(), tmp_path)
