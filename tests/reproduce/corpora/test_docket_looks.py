"""The looks of letters change everything but their words."""

import html
import re

import pytest

from neardup.reproduce.corpora.docket import DocketSettings, make_docket
from neardup.reproduce.corpora.docket.bodies.edits import Edited
from neardup.reproduce.corpora.docket.looks.layouts import LAYOUT
from neardup.reproduce.corpora.docket.looks.names import LOOKS
from neardup.reproduce.corpora.docket.looks.noise import RATE, add_noise, distort
from neardup.reproduce.random_stream import RandomStream

PARTS = [
    ["Dear Administrator,"],
    ['It\'s "vital" that old thermometers & incandescent lamps be collected separately. Nobody knows how otherwise.']
    * 3,
    ["Sincerely,", "Jane Roe"],
]
CLEAN = {
    "hyphenated": lambda text: text.replace("-\n", ""),
    "paged": lambda text: re.sub(r"\n\n(?:Page |- )?\d+[^\n]*\n(?:\f|\n)Title\n\n", "\n", text),
    "portal": lambda text: html.unescape(re.sub(r"<[^>]+>", " ", text)),
    "escaped": lambda text: text.replace("\\r", " ").replace("\\n", " ").replace('\\"', '"'),
}


def words(text):
    return re.findall(r"\w+", text.lower())


@pytest.mark.parametrize("name", LAYOUT)
@pytest.mark.parametrize("seed", range(6))
def test_layout_keeps_the_words(name, seed):
    parts = [*PARTS[:1], *PARTS[1:2] * 20, *PARTS[2:]]
    laid_out = LAYOUT[name](parts, "Title", RandomStream(seed, "test"))
    assert laid_out != "\n\n".join("\n".join(part) for part in parts)
    assert words(CLEAN[name](laid_out)) == words(" ".join(line for part in parts for line in part))


def test_lines_are_hyphenated_and_pages_numbered():
    parts = PARTS[1:2] * 30
    assert re.search(r"\w-\n\w", LAYOUT["hyphenated"](parts, "Title", RandomStream(1, "test")))
    assert LAYOUT["paged"](parts, "Title", RandomStream(1, "test")).count("Title") > 2


@pytest.mark.parametrize("name", LOOKS)
def test_every_look_is_recorded_and_keeps_added_words(name, letters):
    docket = make_docket(letters, DocketSettings(2, 60, "personal", campaigns=2, mix={name: 1.0, "flat": 0.0}))
    for row, text in zip(docket.gold.to_pylist(), docket.documents["Comment"].to_pylist(), strict=True):
        assert name in row["frame"].split()
        shown = CLEAN.get(name, str)(text) if name != "paged" else re.sub(r"\s+", " ", text)
        missing = [word for word in words(row["added_text"]) if word not in words(shown)]
        assert not missing, row["id"]


def test_letters_without_looks_are_those_of_the_plain_docket(letters):
    plain = make_docket(letters, DocketSettings(2, 60, "paper", campaigns=2))
    explicit = make_docket(letters, DocketSettings(2, 60, "paper", campaigns=2, mix=dict.fromkeys(LOOKS, 0.0)))
    assert plain.documents.equals(explicit.documents)


def test_noise_changes_half_a_per_cent_of_the_characters():
    text = "the children of the valley drink the water of the river " * 400
    noisy = distort(text, RandomStream(5, "noise"))
    wrong = sum(a != b for a, b in zip(text.split(), noisy.split(), strict=True))
    assert 0.5 < wrong / (RATE * len(text)) < 1.5


def test_noise_of_the_added_text_is_that_of_the_letter():
    own = "my own sentence about the old mill and the people who worked there " * 30
    edited = Edited("block_added", ["the form letter begins here", own.strip(), "and ends"], (own.strip(),))
    noisy = add_noise(edited, RandomStream(9, "noise"))
    assert noisy.added[0] == noisy.paragraphs[1] != own.strip()
