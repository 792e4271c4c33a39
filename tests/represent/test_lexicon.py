import pickle

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.errors import FormatError, OutputError
from neardup.represent import Lexicon
from reference.examples import all_documents, open_texts, sentences
from reference.hashes import hash_word
from reference.terms import count_words
from reference.tokens import read_words

TEXTS = ["The cat the", "a CAT", "Straße 中文 naïve"]


def count(texts, threads=2):
    opened = open_texts(texts, threads=threads)
    return Lexicon.count(opened, all_documents(opened))


@given(st.lists(sentences, max_size=8))
def test_words_are_counted_by_document_and_by_occurrence(texts):
    lexicon = count(texts)
    wanted = count_words([read_words(text) for text in texts])
    words = lexicon.words.to_pylist()
    assert words == sorted(wanted, key=str.encode)
    assert lexicon.document_counts.tolist() == [wanted[word][0] for word in words]
    assert lexicon.occurrences.tolist() == [wanted[word][1] for word in words]
    assert lexicon.hashes.tolist() == [hash_word(word) for word in words]
    assert lexicon.documents == len(texts)


def test_large_vocabulary_does_not_depend_on_the_number_of_threads():
    texts = [" ".join(f"w{number * step % 9001}" for number in range(40)) for step in range(1, 6000)]
    one, many = count(texts, 1), count(texts, 8)
    assert one.words.equals(many.words)
    assert one.fingerprint == many.fingerprint
    assert one.document_counts.tolist() == many.document_counts.tolist()


def test_lexicon_is_saved_loaded_and_pickled(tmp_path):
    lexicon = count(TEXTS)
    for copy in (Lexicon.load(lexicon.save(tmp_path / "words.parquet")), pickle.loads(pickle.dumps(lexicon))):
        assert copy.fingerprint == lexicon.fingerprint
        assert copy.words.to_pylist() == lexicon.words.to_pylist()
        assert copy.documents == 3
    assert [path.name for path in tmp_path.iterdir()] == ["words.parquet"]


def test_empty_lexicon_is_saved_and_loaded(tmp_path):
    assert len(Lexicon.load(count([]).save(tmp_path / "none.parquet"))) == 0


def test_different_lexicons_have_different_fingerprints():
    assert len({count(texts).fingerprint for texts in (TEXTS, TEXTS[:2], [*TEXTS, ""], [])}) == 4


def test_modified_lexicon_is_refused_with_both_fingerprints(tmp_path):
    path = count(TEXTS).save(tmp_path / "words.parquet")
    table = pq.read_table(path)
    changed = table.set_column(2, "documents", pa.array(np.zeros(len(table), np.uint32)))
    pq.write_table(changed, path)
    with pytest.raises(FormatError, match=r"has fingerprint .* its content has"):
        Lexicon.load(path)


@pytest.mark.parametrize("fact", [b"neardup_lexicon", b"tokeniser"])
def test_lexicon_of_another_version_is_refused(tmp_path, fact):
    path = count(TEXTS).save(tmp_path / "words.parquet")
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({**table.schema.metadata, fact: b"other"}), path)
    with pytest.raises(FormatError, match=r"other.*build the lexicon again"):
        Lexicon.load(path)


def test_file_that_is_not_a_lexicon_is_refused(tmp_path):
    (tmp_path / "text").write_text("no")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "table")
    for name in ("missing", "text", "table"):
        with pytest.raises(FormatError):
            Lexicon.load(tmp_path / name)


def test_failed_save_of_a_lexicon_leaves_no_file(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="cannot write the lexicon"):
        count(TEXTS).save(tmp_path / "folder")
    with pytest.raises(OutputError, match="cannot write the lexicon"):
        count(TEXTS).save(tmp_path / "file" / "words.parquet")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]
