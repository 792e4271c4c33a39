"""Passages of small and random texts, compared with the slow reference implementation."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.passages import SuffixAutomaton, align, are_disjoint, covered_tokens, repeated_tokens

import neardup
from neardup.normalise import Normaliser
from neardup.passages import PassageSettings
from neardup.passages.finder import Occurrences, locate_passages

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

SHARED = (
    "the proposed limit would apply to every hull on the water from the first day and most of the boats that we look "
    "after were built before makers were asked to measure anything at all"
)


def words(count: int, name: str) -> str:
    return " ".join(f"{name}{number}" for number in range(count))


@st.composite
def collections(draw) -> tuple[list[list[str]], int]:
    """Draw short documents over a small vocabulary, some of which share a run, and the length of passages."""
    vocabulary = draw(st.sampled_from([1, 2, 3, 5, 20]))
    word = st.integers(0, vocabulary - 1).map(lambda number: f"w{number}")
    documents = draw(st.lists(st.lists(word, max_size=50), min_size=1, max_size=5))
    run = draw(st.lists(word, max_size=20))
    for document in documents:
        place = draw(st.integers(-1, len(document)))
        if place >= 0:
            document[place:place] = run
    return documents, draw(st.sampled_from([2, 3, 4, 5, 8]))


def spans_of(found: Occurrences, documents: list[list[str]]) -> list[tuple[int, int, int]]:
    """Return the documents of occurrences with the numbers of their words."""
    offsets = [np.cumsum([0] + [len(word) + 1 for word in document]).tolist() for document in documents]
    rows = zip(found.document.tolist(), found.start.tolist(), found.end.tolist(), strict=True)
    return [(row, offsets[row].index(start), offsets[row].index(end + 1)) for row, start, end in rows]


def locate(found: neardup.Passages, documents: list[list[str]]) -> list[dict[str, object]]:
    """Return the occurrences with the numbers of their words."""
    offsets = [np.cumsum([0] + [len(word) + 1 for word in document]).tolist() for document in documents]
    rows = found.occurrences.to_pylist()
    for row in rows:
        ends = offsets[int(row["id"])]
        row["document"] = int(row["id"])
        row["words"] = (ends.index(row["start"]), ends.index(row["end"] + 1))
    return rows


@settings(max_examples=300, deadline=None)
@given(collections())
def test_exact_passages_cover_the_words_of_the_reference(drawn):
    documents, size = drawn
    texts = neardup.read([" ".join(document) for document in documents])
    located = locate_passages(texts, Normaliser().open(texts), PassageSettings(size, 1))
    tokens, copied = (
        {(document, token) for document, start, end in spans_of(part, documents) for token in range(start, end)}
        for part in (located.occurrences, located.copies)
    )
    assert tokens == covered_tokens(documents, size)
    assert copied == repeated_tokens(documents, size)


@pytest.mark.parametrize(("name", "size"), [("licence_notices.csv", 25), ("docket.csv", 12)])
def test_exact_passages_of_real_texts_cover_the_words_of_the_reference(name, size):
    texts = neardup.read(EXAMPLES / name)
    opened = Normaliser().open(texts)
    tokens = [opened.tokens(document) for document in range(len(texts))]
    located = locate_passages(texts, opened, PassageSettings(size, 1, keep="first"))
    for part, expected in ((located.occurrences, covered_tokens), (located.copies, repeated_tokens)):
        rows = zip(part.document.tolist(), part.start.tolist(), part.end.tolist(), strict=True)
        found = {
            (document, token)
            for document, start, end in rows
            for token in range(*np.searchsorted(tokens[document][0], [start, end]).tolist())
        }
        assert found == expected([hashes.tolist() for _, _, hashes in tokens], size)


@settings(max_examples=100, deadline=None)
@given(collections())
def test_edited_passages_cover_all_exact_ones(drawn):
    documents, size = drawn
    found = neardup.passages([" ".join(document) for document in documents], min_words=size, similarity=0.8)
    tokens = {(row["document"], token) for row in locate(found, documents) for token in range(*row["words"])}
    assert covered_tokens(documents, size) <= tokens


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=6))
def test_exact_passages_are_maximal_repeats(slices):
    run = words(30, "shared").split()
    documents = [[f"before{number}", *run[start:end], f"after{number}"] for number, (start, end) in enumerate(slices)]
    found = neardup.passages([" ".join(document) for document in documents], min_words=6, similarity=1)
    automaton = SuffixAutomaton(documents)
    for row in locate(found, documents):
        document, (start, end) = documents[row["document"]], row["words"]
        count = automaton.occurrences(document[start:end])
        if row["first"] and count >= 2:
            assert automaton.occurrences(document[start - 1 : end]) < count
            assert automaton.occurrences(document[start : end + 1]) < count


def test_similarity_is_that_of_an_alignment():
    original = words(60, "a").split()
    edited = [word if number % 9 else f"x{number}" for number, word in enumerate(original)][1:]
    texts = [f"{words(30, 'b')} {' '.join(original)}", f"{words(20, 'c')} {' '.join(edited)} {words(5, 'd')}"]
    found = neardup.passages(texts)
    (first, second) = found.occurrences.to_pylist()
    parts = [texts[int(row["id"])][row["start"] : row["end"]].split() for row in (first, second)]
    assert second["similarity"] == pytest.approx(align(*parts) / max(map(len, parts)))
    assert parts[0][0] == parts[1][0] == "a1"
    assert parts[0][-1] == parts[1][-1] == "a59"


def test_exact_search_does_not_join_edited_passages():
    edited = SHARED.replace(" from ", " since ")
    assert len(neardup.passages([SHARED, edited], similarity=1)) == 0
    assert len(neardup.passages([SHARED, edited])) == 1


def test_a_passage_twice_in_one_document_is_found():
    found = neardup.passages([f"{SHARED}. {words(9, 'other')} {SHARED}."])
    assert found.passages["documents"].to_pylist() == [1]
    assert found.occurrences["first"].to_pylist() == [True, False]
    assert len(neardup.passages([f"{SHARED}. {words(9, 'other')} {SHARED}."], min_documents=2)) == 0


def test_offsets_point_into_the_original_through_markup_and_line_breaks():
    page = "<!doctype html><p>" + SHARED.replace(" water ", " <b>wa&#116;er</b><br>\n") + "</p>"
    wrapped = "Dear all,\n\n> " + SHARED.replace(" the boats", "\n> the boats") + "\n"
    found = neardup.passages([page, wrapped], similarity=1)
    spans = [(int(row["id"]), row["start"], row["end"]) for row in found.occurrences.to_pylist()]
    assert spans == [(0, page.index("the pro"), page.index("</p>")), (1, wrapped.index("the pro"), len(wrapped) - 1)]


def test_a_passage_counts_characters_in_scripts_without_spaces():
    shared = "天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏閏"
    found = neardup.passages([f"前言說的是另一回事{shared}。", f"完全不同的開頭{shared}也不同的結尾"])
    assert found.passages["text"].to_pylist() == [shared]
    assert found.passages["words"].to_pylist() == [25]


def test_a_decomposed_passage_equals_a_composed_one():
    composed = SHARED.replace("limit", "l\u00edmit")
    decomposed = SHARED.replace("limit", "li\u0301mit")
    found = neardup.passages([composed, f"So {decomposed}"], similarity=1)
    ends = found.occurrences["end"].to_pylist()
    assert ends == [len(composed), len(decomposed) + 3]


@pytest.mark.parametrize("similarity", [0.8, 1])
def test_results_do_not_depend_on_order_or_threads(similarity):
    generator = np.random.default_rng(5)
    texts = [SHARED.split() for _ in range(40)]
    for number, text in enumerate(texts):
        for place in generator.integers(0, len(text), number % 7):
            text[place] = f"changed{place}"
        text[:0] = words(number, f"before{number}x").split()
    rows = [{"id": f"d{number:02}", "text": " ".join(text)} for number, text in enumerate(texts)]
    expected = neardup.passages(rows, similarity=similarity, threads=1)
    for threads, order in ((2, generator.permutation(40)), (1, generator.permutation(40))):
        other = neardup.passages([rows[index] for index in order], similarity=similarity, threads=threads)
        assert other.passages.equals(expected.passages)
        assert other.occurrences.equals(expected.occurrences)


def test_the_first_occurrence_is_the_earliest():
    rows = [
        {"id": "a", "text": f"{SHARED} late", "time": "2024-05-01"},
        {"id": "b", "text": f"early {SHARED}", "time": "2023-05-01"},
    ]
    found = neardup.passages(rows)
    assert found.occurrences["id"].to_pylist() == ["b", "a"]
    assert found.passages["first_time"].to_pylist()[0].year == 2023
    assert neardup.passages(rows, keep="latest").occurrences["id"].to_pylist() == ["a", "b"]


def test_against_finds_only_what_the_other_collection_has():
    own = words(30, "own")
    asked = [f"{own} {SHARED}", f"{own} something else"]
    found = neardup.passages(asked, against=[f"The other text. {SHARED}", words(40, "unrelated")])
    assert found.passages["text"].to_pylist() == [SHARED]
    assert len(found.occurrences) == 2


def test_boilerplate_is_counted_and_not_listed():
    texts = [f"{words(9, f'd{number}x')} {SHARED}" for number in range(10)]
    texts[:2] = [f"{text} {words(30, 'rare')}" for text in texts[:2]]
    found = neardup.passages(texts, max_documents=0.5)
    assert found.summary["counts"]["boilerplate"] == 1
    assert found.summary["counts"]["boilerplate_occurrences"] == 10
    assert found.boilerplate["documents"].to_pylist() == [10]


def test_identical_documents_share_their_whole_text():
    found = neardup.passages([SHARED, SHARED.upper(), "short", "short"])
    assert found.occurrences["id"].to_pylist() == ["0", "1"]
    assert found.passages["text"].to_pylist() == [SHARED]


@pytest.mark.parametrize("similarity", [0.8, 1])
def test_a_text_of_one_repeated_word_has_places_that_do_not_overlap(similarity):
    found = neardup.passages(["buffalo " * 1000], similarity=similarity)
    spans = list(zip(*(found.occurrences[name].to_pylist() for name in ("start", "end")), strict=True))
    assert are_disjoint(spans)
    assert spans[0][0] == 0
    assert spans[-1][1] == 8 * 1000 - 1


@pytest.mark.parametrize("similarity", [0.8, 1])
def test_a_passage_in_many_documents_is_one_passage(similarity):
    texts = [f"{words(5, f'own{number}x')} {SHARED} {words(5, f'end{number}x')}" for number in range(3000)]
    found = neardup.passages(texts, similarity=similarity)
    assert found.passages["occurrences"].to_pylist() == [3000]


@pytest.mark.parametrize(
    ("setting", "value"),
    [("min_words", 1), ("similarity", 0.2), ("max_documents", 0), ("min_documents", 0), ("keep", "best")],
)
def test_a_setting_out_of_bounds_is_refused(setting, value):
    with pytest.raises(neardup.SettingsError, match=setting):
        neardup.passages(["text"], **{setting: value})


def test_a_saved_run_is_loaded_as_it_was(tmp_path):
    found = neardup.passages([SHARED, f"{SHARED} again", "nothing"])
    found.save(tmp_path / "run")
    loaded = neardup.load(tmp_path / "run")
    assert isinstance(loaded, neardup.Passages)
    assert loaded.occurrences.equals(found.occurrences)
    assert loaded.summary["method"] == "passages"


def test_what_only_the_other_collection_repeats_is_not_counted_as_left_out():
    repeated = " ".join(f"other{number}" for number in range(30))
    found = neardup.passages(["Nothing of it."], against=[repeated, f"again {repeated}"])
    assert found.summary["counts"]["in_too_few_documents"] == 0
