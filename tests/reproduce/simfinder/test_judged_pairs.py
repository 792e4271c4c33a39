import gzip
import json
from pathlib import Path

import pytest

from neardup.errors import InputError
from neardup.reproduce.simfinder.pairs import name_path, read_pairs


def test_csv_and_json_lines_give_same_pairs(tmp_path):
    (tmp_path / "table.csv").write_text('a,b,label\n"hi, there",hello,1\n你好,再见,0\n,x,TRUE\n', "utf-8")
    rows = [{"a": "hi, there", "b": "hello", "label": 1}, {"a": "你好", "b": "再见", "label": 0}]
    lines = "".join(json.dumps(row) + "\n" for row in [*rows, {"a": "", "b": "x", "label": True}])
    (tmp_path / "lines.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    for name in ("table.csv", "lines.jsonl.gz"):
        pairs = read_pairs(tmp_path / name)
        assert list(zip(pairs.a, pairs.b, pairs.alike.tolist(), strict=True)) == [
            ("hi, there", "hello", True),
            ("你好", "再见", False),
            ("", "x", True),
        ]


def test_unknown_label_is_refused(tmp_path):
    (tmp_path / "table.csv").write_text("a,b,label\nx,y,1\nx,y,perhaps\n", "utf-8")
    with pytest.raises(InputError, match=r"pair 2: label is 'perhaps'"):
        read_pairs(tmp_path / "table.csv")


def test_missing_column_is_refused(tmp_path):
    (tmp_path / "table.csv").write_text("a,c,label\nx,y,1\n", "utf-8")
    with pytest.raises(InputError, match="'b'"):
        read_pairs(tmp_path / "table.csv")


def test_corpus_is_named_by_file_or_folder():
    assert name_path(Path("corpora/titles.csv")) == "titles"
    assert name_path(Path("corpora/pairs_en/pairs.jsonl.gz")) == "pairs_en"
