"""Lone surrogates, which UTF-8 cannot encode, are replaced and counted for every kind of input."""

import pandas as pd
import pytest

import neardup

TEXTS = ["half \ud800 a \udfff pair", "whole \U0001f40b and \ufffd", "half \ufffd a \ufffd pair"]


@pytest.mark.parametrize(
    "source",
    [
        lambda _: TEXTS,
        lambda _: [{"text": text} for text in TEXTS],
        lambda _: pd.DataFrame({"text": TEXTS}, dtype=object),
        lambda folder: write_lines(folder / "texts.jsonl"),
    ],
    ids=["strings", "mappings", "frame", "lines"],
)
def test_lone_surrogates_are_replaced_and_counted(source, tmp_path):
    result = neardup.find(source(tmp_path), "exact")
    assert result.labels.tolist() == [0, 1, 0]
    assert result.summary["counts"]["replaced_characters"] == 2


def write_lines(path):
    lines = ['{"text": "half \\ud800 a \\udfff pair"}', '{"text": "whole \\ud83d\\udc0b and \\ufffd"}']
    path.write_text("\n".join([*lines, '{"text": "half \\ufffd a \\ufffd pair"}']), "utf-8")
    return path
