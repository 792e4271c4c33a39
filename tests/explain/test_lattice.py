"""The lattice of a cluster: all concepts and covers, and passages that are really shared."""

import json
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup
from neardup import _core
from neardup.errors import InputError, OutputError, SettingsError
from neardup.report.lattices import render_lattice, to_dot, to_json, to_svg, write_lattice
from neardup.report.layers import lay_out
from reference.lattices import all_concepts, all_covers

contexts = st.lists(st.frozensets(st.integers(0, 9), max_size=8), min_size=1, max_size=7)


def flat(sets):
    ordered = [sorted(own) for own in sets]
    offsets = np.cumsum([0, *map(len, ordered)]).astype(np.uint64)
    return offsets, np.array([unit for own in ordered for unit in own], np.uint64)


def split(lists):
    offsets, items = lists
    return [frozenset(items[int(a) : int(b)].tolist()) for a, b in pairwise(offsets)]


@given(contexts)
@settings(max_examples=300)
def test_concepts_and_covers_equal_those_of_all_subsets(sets):
    documents, units, (lower, upper), included = _core.lattice(*flat(sets), 5000)
    extents, intents = split(documents), split(units)
    assert included == len(sets)
    assert dict(zip(extents, intents, strict=True)) == all_concepts(sets)
    assert {(extents[a], extents[b]) for a, b in zip(lower.tolist(), upper.tolist(), strict=True)} == all_covers(
        extents
    )
    assert len(lower) == len(all_covers(extents))


@given(contexts, st.integers(1, 20))
def test_limit_keeps_the_lattice_of_the_first_documents(sets, most):
    documents, _, _, included = _core.lattice(*flat(sets), most)
    assert set(split(documents)) == set(all_concepts(sets[:included]))
    assert len(split(documents)) <= most or included == 1
    assert included == len(sets) or len(all_concepts(sets[: included + 1])) > most


BASE = "the quick brown fox jumps over the lazy dog and runs away into the dark forest behind the old mill"
TEXTS = [
    f"{BASE} where nobody lives",
    f"{BASE} where somebody lives",
    f"{BASE} at once",
    f"Yesterday {BASE} at once",
    f"{BASE} where nobody lives",
]


def find_lattice(texts=TEXTS, **options):
    result = neardup.find(texts, "jaccard", shingle=3, threshold=0.3)
    return neardup.lattice(result, "0", texts, **options)


def test_every_concept_lists_what_its_documents_share():
    lattice = find_lattice()
    assert lattice.concepts[0].documents == ("0", "4", "1", "2", "3")
    assert [passage.text for passage in lattice.concepts[0].passages] == [BASE]
    for concept in lattice.concepts:
        for passage in concept.passages:
            first = TEXTS[int(concept.documents[0])]
            assert first[passage.start : passage.end] == passage.text
            assert all(passage.text in TEXTS[int(document)] for document in concept.documents)
    named = [name for concept in lattice.concepts for name in concept.own]
    assert sorted(named) == ["0", "1", "2", "3", "4"]


def test_gained_passages_exclude_those_of_larger_concepts():
    lattice = find_lattice()
    once = next(concept for concept in lattice.concepts if concept.documents == ("2", "3"))
    assert [passage.text for passage in once.gained] == ["old mill at once"]


def test_offsets_of_passages_point_into_the_page():
    pages = [f"<html><body><nav>menu</nav><p>caf&eacute; {BASE} <b>{word}</b></p>" for word in ("one", "two", "two x")]
    result = neardup.find(pages, "jaccard", shingle=3, threshold=0.3)
    passage = neardup.lattice(result, "0", pages).concepts[0].passages[0]
    assert passage.text == f"menu\n\ncafé {BASE}"
    assert pages[0][passage.start : passage.end] == f"menu</nav><p>caf&eacute; {BASE}"


def test_left_out_documents_are_reported():
    texts = [" ".join(word for index, word in enumerate(BASE.split()) if index != skip) for skip in range(12)]
    result = neardup.find(texts, "jaccard", shingle=1, threshold=0.5)
    lattice = neardup.lattice(result, "0", texts, limit=40)
    kept = lattice.concepts[0].documents
    assert len(lattice.concepts) <= 40
    assert sorted([*kept, *lattice.left_out]) == sorted(map(str, range(12)))
    assert "left out" in to_svg(lattice)


def test_members_are_read_again_from_files(tmp_path):
    path = tmp_path / "letters.jsonl"
    path.write_text("".join(json.dumps({"id": f"d{n}", "text": text}) + "\n" for n, text in enumerate(TEXTS)))
    result = neardup.find(path, "jaccard", shingle=3, threshold=0.3)
    result.save(tmp_path / "run")
    loaded = neardup.load(tmp_path / "run")
    assert neardup.lattice(loaded, "d3") == neardup.lattice(loaded, "d0", str(path))
    path.write_text('{"id": "other", "text": "x"}\n')
    with pytest.raises(InputError, match="'d0' is not in the collection"):
        neardup.lattice(loaded, "d0")


def test_invalid_arguments_are_refused():
    result = neardup.find(TEXTS, "jaccard", shingle=3, threshold=0.3)
    with pytest.raises(InputError, match="no cluster and no document is called 'x'"):
        neardup.lattice(result, "x", TEXTS)
    with pytest.raises(InputError, match="not made from files"):
        neardup.lattice(result, "0")
    with pytest.raises(SettingsError, match="limit is 0"):
        neardup.lattice(result, "0", TEXTS, limit=0)


def test_drawing_is_valid_and_shows_every_concept(tmp_path):
    texts = [*TEXTS, f"<&> \x00\ufffe {BASE} 中文中文中文中文中文中文中文中文中文中文中文中文 at once"]
    lattice = find_lattice(texts)
    path = write_lattice(lattice, tmp_path / "lattice.svg")
    drawing = ElementTree.fromstring(path.read_text("utf-8"))
    name = "{http://www.w3.org/2000/svg}"
    assert len(drawing.findall(f"{name}g")) == len(lattice.concepts)
    assert len(drawing.findall(f"{name}path")) == len(lattice.covers)
    width, height = float(drawing.get("width")), float(drawing.get("height"))
    cards = [
        [float(card.get(key)) for key in ("x", "y", "width", "height")]
        for card in drawing.iterfind(f"{name}g/{name}rect")
    ]
    for x, y, wide, high in cards:
        assert 0 <= x <= x + wide <= width
        assert 0 <= y <= y + high <= height
    apart = [(a, b) for at, a in enumerate(cards) for b in cards[at + 1 :]]
    assert not any(
        a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3] for a, b in apart
    )
    assert json.loads(to_json(lattice))["reference"] == "0"
    assert to_dot(lattice).count(" -> ") == len(lattice.covers)
    assert "Written" not in str(render_lattice(lattice))
    with pytest.raises(OutputError, match=r"\.svg, \.dot or \.json"):
        write_lattice(lattice, tmp_path / "lattice.png")


graphs = st.integers(1, 12).flatmap(
    lambda nodes: st.lists(
        st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)).filter(lambda edge: edge[0] > edge[1]),
        unique=True,
        max_size=20,
    ).map(lambda edges: (nodes, edges))
)


@given(graphs)
def test_layout_separates_nodes_and_directs_edges_upwards(graph):
    nodes, edges = graph
    layout = lay_out(nodes, edges, 100, 10)
    assert all(layout.layers[lower] > layout.layers[upper] for lower, upper in edges)
    for layer in range(layout.depth):
        row = sorted(layout.middles[node] for node in range(nodes) if layout.layers[node] == layer)
        assert all(b - a >= 110 - 1e-6 for a, b in pairwise(row))
    for (lower, upper), bends in layout.bends.items():
        assert [layer for _, layer in bends] == list(range(layout.layers[lower] - 1, layout.layers[upper], -1))


def test_no_documents_give_no_concepts():
    documents, _, _, included = _core.lattice(np.zeros(1, np.uint64), np.zeros(0, np.uint64), 10)
    assert (len(documents[0]), included) == (1, 0)
    empty = neardup.records.Lattice("", (), ())
    assert ElementTree.fromstring(to_svg(empty)) is not None
    assert "No concepts" in str(render_lattice(empty))
