"""Letters in the looks of portals, mail programs and scanners: relations and added text stay right."""

import random
from collections import Counter

import pytest

import neardup
from reference import looks

COPIES, LETTERS = 8, 12
MARKUP = (
    looks.break_tags,
    looks.break_tags_and_lines,
    looks.paragraph_tags,
    looks.wrapped_paragraph_tags,
    looks.entities,
    looks.escaped_twice,
    looks.escaped_lines,
    looks.hard_spaces,
    looks.divisions,
)


def score(look):
    """Return the share of letters with the right relation and added words, and the precision of the added words."""
    stream = random.Random(11)
    rows, answers = [], {}
    for form in range(len(looks.FORMS)):
        rows += [{"id": f"{form}-{n}", "text": looks.write(form, "exact", stream).plain} for n in range(COPIES)]
        for number in range(LETTERS):
            change = stream.choice(["exact", "block_added", "block_added", "block_deleted"])
            letter = looks.write(form, change, stream)
            answers[f"{form}-x{number}"] = letter
            rows.append({"id": f"{form}-x{number}", "text": look(letter, stream)})
    found = {row["id"]: row for row in neardup.find(rows, method="durian").documents.to_pylist()}
    right, true, false = 0, 0, 0
    for id_, letter in answers.items():
        added, expected = (Counter(looks.words(text or "")) for text in (found[id_]["added"], letter.added))
        right += found[id_]["relation"] == letter.relation and added == expected
        true += (added & expected).total()
        false += (added - expected).total()
    return right / len(answers), true / max(true + false, 1)


@pytest.mark.parametrize("look", MARKUP, ids=lambda look: look.__name__)
def test_portal_markup_changes_neither_relation_nor_added_text(look):
    assert score(look) == (1.0, 1.0)
