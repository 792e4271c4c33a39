"""Work that a run does once."""

import sys

import pyarrow as pa
import pytest

import neardup

DOCUMENTS = pa.table(
    {
        "id": ["c", "b", "a", "d"],
        "text": ["the cat sat on the mat", "the cat sat on the mat", "the cat sat on the red mat", "a dog"],
    }
)


@pytest.fixture
def count_calls(monkeypatch):
    """Count the calls of a function, given by the module that uses it and its name."""

    def count(module, name):
        calls = []
        original = getattr(sys.modules[module], name)
        monkeypatch.setattr(
            sys.modules[module], name, lambda *given, **named: (calls.append(given), original(*given, **named))[1]
        )
        return calls

    return count


def test_documents_are_ranked_once(count_calls, tmp_path):
    calls = count_calls("neardup.pipeline.collapse", "rank_documents")
    result = neardup.find(DOCUMENTS, "jaccard", shingle=1, threshold=0.5)
    result.save(tmp_path / "run")
    assert len(result.clusters) == 1
    assert len(calls) == 1


def test_lexicon_file_is_loaded_once(count_calls, tmp_path):
    path = neardup.Lexicon.build(DOCUMENTS, min_documents=1).save(tmp_path / "words.lexicon")
    source = tmp_path / "texts.csv"
    source.write_text("id,text\n" + "\n".join(f"{name},{text}" for name, text in zip(*DOCUMENTS.columns, strict=True)))
    calls = count_calls("neardup.represent.lexicons.lexicon", "load_table")
    neardup.find(source, "conrad", lexicon=path)
    assert len(calls) == 1
    neardup.dedup(source, tmp_path / "kept.csv", "conrad", lexicon=str(path))
    assert len(calls) == 2
