import gzip

import numpy as np
import pytest
from read_samples import ids, texts, zipped
from toy_format import NOTES

import neardup
from neardup.read import read, write_kept
from neardup.read.formats import registry

CONTENT = b"NOTES\nfirst note\n---\nsecond note\n---\nfirst note"


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """Register the format; this is the only change besides its own file."""
    monkeypatch.setattr(registry, "FORMATS", (NOTES, *registry.FORMATS))


def test_format_names_and_suffixes_are_unique():
    names = [known.name for known in registry.FORMATS]
    suffixes = [suffix for known in registry.FORMATS for suffix in known.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
    assert {known.overrides for known in registry.FORMATS} - {""} <= set(names)


@pytest.mark.parametrize("name", ["a.notes", "without_suffix"])
def test_new_format_is_read_by_suffix_and_magic_bytes(write, name):
    found = read(write(name, CONTENT))
    assert texts(found) == ["first note", "second note", "first note"]
    assert ids(found) == [f"{name}#1", f"{name}#2", f"{name}#3"]
    assert found.notes == (f"{name}: notes.",)


def test_new_format_is_read_compressed_and_in_archives(write):
    packed = zipped({"b.notes": CONTENT, "c.notes.gz": gzip.compress(CONTENT)})
    assert len(read([write("a.notes.gz", gzip.compress(CONTENT)), write("all.zip", packed)])) == 9


def test_new_format_is_written_without_some_records(write, tmp_path):
    source = write("a.notes", CONTENT)
    assert write_kept(source, np.array([True, False, True]), tmp_path / "kept.notes") == 2
    assert (tmp_path / "kept.notes").read_bytes() == b"NOTES\nfirst note\n---\nfirst note"


def test_new_format_is_deduplicated(write, tmp_path):
    neardup.dedup(write("a.notes", CONTENT), tmp_path / "out.notes", "exact")
    assert (tmp_path / "out.notes").read_bytes() == b"NOTES\nfirst note\n---\nsecond note"
