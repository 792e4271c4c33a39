"""What an addition costs: a detector from existing components is one file, one with a new representation four."""

import ast
import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import ClassVar

import pytest

import additions
import neardup
from additions.letters.detector import SimilarLetters
from additions.shared_words import SharedWords
from neardup.candidates import EqualSignatures
from neardup.cli import main
from neardup.cluster import PairLinkage
from neardup.detectors import METHODS, Detector, Recipe
from neardup.represent import WordSignatureRepresenter
from neardup.verify import SameSignature

ADDED = (SharedWords, SimilarLetters)
FOLDER = Path(additions.__file__).parent
TEXTS = {
    "a": "the quick brown fox jumps over the lazy dog near the old river bank",
    "b": "the quick brown fox jumps over the lazy dog near the old river bank today",
    "c": "Over the lazy dog jumps the quick brown fox near the old river bank!",
    "d": "completely different words about music, tea and paper boats on a pond",
    "e": "completely different words about music, tea and paper boats on one pond",
}


def share_words(first, second):
    one, other = (set(re.findall(r"\w+", text.lower())) for text in (first, second))
    return len(one & other) / min(len(one), len(other)) > 0.6


def have_similar_letters(first, second):
    one, other = (Counter(re.findall(r"[a-z]", text.lower())) for text in (first, second))
    different = sum(abs(one[letter] - other[letter]) for letter in one | other)
    return set(one) == set(other) and 1 - different / (one + other).total() >= 0.8


SLOW_RULES = {"shared_words": share_words, "letters": have_similar_letters}


@pytest.fixture(params=ADDED, ids=lambda detector: detector.name)
def method(request, monkeypatch):
    """Register an added detector: the one line that the registry needs."""
    monkeypatch.setitem(METHODS, request.param.name, request.param)
    return request.param.name


@pytest.fixture
def documents():
    return [{"id": name, "text": text} for name, text in TEXTS.items()]


def settings_of(method):
    return {"threshold": 0.8} if method == "letters" else {}


def test_added_method_finds_pairs_and_clusters(method, documents):
    result = neardup.find(documents, method, **settings_of(method))
    found = set(zip(result.pairs["a"].to_pylist(), result.pairs["b"].to_pylist(), strict=True))
    rule = SLOW_RULES[method]
    assert found == {(a, b) for a, b in combinations(TEXTS, 2) if rule(TEXTS[a], TEXTS[b])}
    assert ("a", "c") in found
    assert result.summary["method"] == method


def test_added_method_compares_two_collections(method, documents):
    result = neardup.find(documents[:1], method, against=documents[2:], **settings_of(method))
    assert result.documents["cluster"].to_pylist()[:2] == ["c", "c"]


def test_added_method_gives_the_same_links_in_an_index(method, documents, tmp_path):
    batch = neardup.find(documents, method, **settings_of(method))
    with neardup.Index(tmp_path / "index.db", method=method, **settings_of(method)) as index:
        for document in documents:
            index.add([document])
        one_by_one = index.documents()
        matches = {match.id for match in index.query(TEXTS["c"], limit=10)}
    assert {"a", "c"} <= matches
    clusters = dict(zip(one_by_one["id"].to_pylist(), one_by_one["reference"].to_pylist(), strict=True))
    assert clusters == dict(zip(batch.documents["id"].to_pylist(), batch.documents["cluster"].to_pylist(), strict=True))


def test_added_method_is_used_from_the_command_line(method, documents, tmp_path, capsys):
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(f'{{"id": "{name}", "text": "{text}"}}' for name, text in TEXTS.items()))
    assert main(["find", str(path), "--method", method, "-o", str(tmp_path / "run"), "-q"]) == 0
    assert neardup.load(tmp_path / "run").summary["method"] == method
    assert main(["methods", method]) == 0
    assert "threshold" in capsys.readouterr().out


def test_cost_of_an_addition():
    one_file = FOLDER / "shared_words.py"
    four_files = sorted(path for path in (FOLDER / "letters").glob("*.py") if path.name != "__init__.py")
    assert len(four_files) == 4
    for path in (one_file, *four_files):
        assert not {"engines", "index", "pipeline"} & imported_packages(path), path


def imported_packages(path):
    tree = ast.parse(path.read_text("utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {module.split(".")[1] for module in modules if module.startswith("neardup.")}


@dataclass(frozen=True)
class LearnsInSilence(Detector):
    """A method that learns from the collection, but has no setting for what it learned."""

    name: ClassVar[str] = "learns_in_silence"
    source: ClassVar[str] = "the tests"

    def recipe(self):
        return Recipe(
            self.whole_texts, WordSignatureRepresenter(), EqualSignatures(), SameSignature(), PairLinkage(self.linkage)
        )


def test_index_refuses_a_method_that_cannot_store_what_it_learns(monkeypatch, tmp_path):
    monkeypatch.setitem(METHODS, LearnsInSilence.name, LearnsInSilence)
    with pytest.raises(neardup.SettingsError, match="has no setting lexicon"):
        neardup.Index(tmp_path / "index.db", method=LearnsInSilence.name)


def test_index_refuses_a_method_that_is_not_registered(tmp_path):
    with pytest.raises(neardup.SettingsError, match="'shared_words' is not registered"):
        neardup.Index(tmp_path / "index.db", method=SharedWords())
    assert list(tmp_path.iterdir()) == []
