"""Letters in the looks of portals, mail programs and scanners: relations and added text stay right."""

import random
from collections import Counter
from dataclasses import replace

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


LOOKS = (
    looks.plain,
    looks.one_line,
    looks.one_line_without_closing,
    looks.hard_wrapped,
    looks.pdf_pages,
    looks.pdf_numbers,
    looks.preamble,
    looks.held_out_preamble,
    looks.smart_quotes,
    looks.bullets,
    looks.capitals,
    looks.footer,
    looks.one_line_footer,
    looks.other_closing,
    looks.held_out_closing,
    looks.reply,
    looks.held_out_reply,
    looks.unmarked_reply,
)


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.__name__)
def test_the_look_of_a_letter_changes_neither_relation_nor_added_text(look):
    assert score(look) == (1.0, 1.0)


@pytest.mark.parametrize("look", MARKUP, ids=lambda look: look.__name__)
def test_portal_markup_changes_neither_relation_nor_added_text(look):
    assert score(look) == (1.0, 1.0)


OWN, FOREIGN = "EPA-HQ-OAR-2019-0044", ("EPA-HQ-OW-2011-0880", "EPA-R06-OAR-2020-0510", "NHTSA-2018-0067")
PERSONAL = (
    "I also wrote to you about {} two years ago and nobody in my family ever got an answer from anybody.",
    "The same mistake was made in docket {}, as every farmer in our valley can tell you to this day.",
    "My neighbour, who sent a letter on {} last spring, asked me to say that she agrees with all of this.",
)


def place_foreign_numbers(**columns):
    """Return the clusters of copies of a form, some of them with a sentence that cites another docket."""
    stream = random.Random(3)
    rows = [{"id": f"c{n}", "text": looks.write(0, "exact", stream).plain} for n in range(8)]
    for number in range(30):
        letter = looks.write(0, "exact", stream)
        paragraphs = list(letter.paragraphs)
        sentence = stream.choice(PERSONAL).format(stream.choice(FOREIGN))
        paragraphs.insert([0, 2, len(paragraphs)][number % 3], sentence)
        rows.append({"id": f"f{number}", "text": replace(letter, paragraphs=tuple(paragraphs)).plain})
    rows = [row | columns for row in rows]
    found = neardup.find(rows, method="durian").documents.to_pylist()
    return {row["cluster"] for row in found}


def test_docket_number_in_a_personal_sentence_does_not_expel_a_copy():
    assert len(place_foreign_numbers(docket=OWN)) == 1
    assert len(place_foreign_numbers()) == 1


@pytest.mark.parametrize("place", ["Re: Docket ID No. {}\n\n{}", "Docket ID: {}\n\n{}", "My comment is on {}.\n\n{}"])
def test_one_form_sent_to_two_dockets_stays_apart(place):
    stream = random.Random(4)
    rows = []
    for number in range(16):
        docket = (OWN, FOREIGN[0])[number % 2]
        text = place.format(docket, looks.write(0, "exact", stream).plain)
        rows.append({"id": str(number), "text": text})
    found = neardup.find(rows, method="durian").documents.to_pylist()
    assert len({row["cluster"] for row in found}) == 2
    assert len({row["cluster"] for row in found if int(row["id"]) % 2}) == 1


def test_paper_counts_every_number_that_a_letter_cites():
    stream = random.Random(4)
    copies = [{"id": f"c{n}", "text": looks.write(0, "exact", stream).plain, "docket": OWN} for n in range(8)]
    text = looks.write(0, "exact", stream).plain.replace("\n\nPlease", f"\n\nI wrote on {FOREIGN[0]} too. Please")
    rows = [*copies, {"id": "f", "text": text, "docket": OWN}]
    clusters = [
        {row["id"]: row["cluster"] for row in neardup.find(rows, method="durian", paper=paper).documents.to_pylist()}
        for paper in (False, True)
    ]
    assert clusters[0]["f"] == clusters[0]["c0"]
    assert clusters[1]["f"] != clusters[1]["c0"]


def test_a_letter_that_quotes_the_form_to_oppose_it_is_not_a_copy():
    stream = random.Random(6)
    rows = [{"id": f"c{n}", "text": looks.write(0, "exact", stream).plain} for n in range(8)]
    form = "\n\n".join(looks.FORMS[0]).replace('"', "'")
    own = "None of this is true. I have run a refinery for thirty years, and sensors found every leak that mattered."
    rows.append({"id": "quoted", "text": f'The form letter says:\n\n"{form}"\n\n{own}'})
    rows.append({"id": "marked", "text": f"You wrote:\n{looks.mark_quoted(form)}\n\n{own}"})
    found = {row["id"]: row for row in neardup.find(rows, method="durian").documents.to_pylist()}
    assert found["quoted"]["cluster"] != found["c0"]["cluster"]
    assert found["marked"]["cluster"] != found["c0"]["cluster"]
