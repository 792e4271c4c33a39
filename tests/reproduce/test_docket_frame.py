import html
import re
from collections import Counter

import pytest

from neardup.reproduce.docket import FRAMES, make_docket
from neardup.reproduce.docket.chance import Chance
from neardup.reproduce.docket.frame import Correspondence, frame_letter, spell_docket
from neardup.reproduce.docket.people import PROVIDERS, SURNAMES, invent_person, invent_relayers

BODY = ["First I must say that <this> & that are not the same. " * 4, "Then I must say: don't."]
BODY = [paragraph.strip() for paragraph in BODY]
NONE = dict.fromkeys(FRAMES, 0.0)


def words(text):
    return re.findall(r"\w+", text)


def correspond(chance, **changes):
    relayer = invent_relayers(1, chance)[0]
    facts = {
        "person": invent_person(chance),
        "seconds": 1_705_000_000,
        "docket": "ENV-HQ-OAR-2024-0056",
        "cites": True,
        "salutation": "Dear Administrator,",
        "relayer": relayer,
    }
    return Correspondence(**(facts | changes))


def frame_many(count=60, **shares):
    chance = Chance(4, "frames")
    return [frame_letter(BODY, correspond(chance), NONE | shares, chance) for _ in range(count)]


def contains(text, body):
    """Say whether the words of the body stand in the text in one run."""
    return " ".join(words(body)) in " ".join(words(text))


def test_all_spellings_of_a_docket_number_mean_the_same():
    chance = Chance(1, "dockets")
    spelt = {spell_docket("ENV-HQ-OAR-2024-0056", chance) for _ in range(300)}
    assert len(spelt) > 20
    for spelling in spelt:
        number = re.sub(r"^\D*?(?=env)", "", re.sub(r"\s*[-–‑]\s*", "-", spelling.lower()))
        assert re.fullmatch(r"env-hq-oar-2024-0*56", number), spelling


def test_a_plain_frame_leaves_the_paragraphs_as_they_are():
    for framed in frame_many():
        assert framed.variants == ()
        assert not framed.html
        assert "\n\n".join(BODY) in framed.text
        before, after = framed.text.split("\n\n".join(BODY))
        assert "2024" in before
        assert ".example" in after or "behalf" in after


def test_salutations_closings_and_footers_vary():
    texts = [framed.text for framed in frame_many(200)]
    heads = Counter(text.split("First I must")[0].strip().split("\n")[-1] for text in texts)
    tails = Counter(text.split("don't.")[1].strip().split("\n")[0] for text in texts)
    assert heads["Dear Administrator,"] > 80
    assert len(heads) > 6
    assert {"Sincerely,", "Regards,", "Respectfully,"} <= set(tails)


def test_wrapped_lines_are_short_and_lose_no_word():
    for framed in frame_many(wrapped=1.0):
        assert framed.variants == ("wrapped",)
        assert max(len(line) for line in framed.text.split("\n")) <= 72
        assert contains(framed.text, " ".join(BODY))


def test_html_says_the_same_words():
    for framed in frame_many(html=1.0):
        assert framed.html
        assert framed.text.startswith("<html>")
        plain = html.unescape(re.sub(r"<[^>]+>", " ", framed.text))
        assert contains(plain, " ".join(BODY))
        assert "<p>Then I must say: don't.</p>" in framed.text


def test_a_quoted_letter_is_quoted_in_every_line():
    for framed in frame_many(quoted=1.0):
        first, blank, *quoted = framed.text.split("\n")
        assert re.fullmatch(r"On \w{3}, \w{3} \d+, 2024 at \d+:\d\d [AP]M .* <alerts@.*> wrote:", first)
        assert blank == ""
        assert all(line.startswith(">") for line in quoted)
        assert contains(framed.text, " ".join(BODY))


def test_a_forwarded_letter_has_the_headers_of_one_message_or_two():
    levels = Counter()
    for framed in frame_many(forwarded=1.0):
        levels[len(re.findall(r"^From: .*\nDate: .*\nSubject: .*\nTo: .*@", framed.text, re.MULTILINE))] += 1
        assert "\n\n".join(BODY) in framed.text
    assert set(levels) == {1, 2}


def test_a_flat_letter_is_one_line():
    for framed in frame_many(10, flat=1.0):
        assert "\n" not in framed.text
        assert " ".join(BODY) in framed.text


def test_a_formal_letter_begins_with_date_and_address():
    for framed in frame_many(10, formal=1.0):
        assert framed.text.startswith("January 11, 2024\n\nDocket Center\n")
        assert framed.variants == ("formal",)


def test_nobody_cites_a_docket_who_should_not():
    chance = Chance(9, "frames")
    for _ in range(30):
        framed = frame_letter(BODY, correspond(chance, cites=False), NONE, chance)
        assert "2024" not in framed.text


def test_people_and_places_are_invented():
    chance = Chance(5, "people")
    people = [invent_person(chance) for _ in range(300)]
    assert len({person.name for person in people}) > 280
    assert all(person.mail.partition("@")[2] in PROVIDERS for person in people)
    assert all(provider.endswith(".example") for provider in PROVIDERS)
    assert len(set(SURNAMES)) == len(SURNAMES) > 300


def test_relayers_have_different_names_and_reserved_domains():
    relayers = invent_relayers(200, Chance(6, "relayers"))
    assert len({relayer.name for relayer in relayers}) == 200
    assert all(relayer.domain.endswith(".example") for relayer in relayers)
    assert all(relayer.footer[0] in ("-- ", "_" * 40) or "was sent by" in relayer.footer[0] for relayer in relayers)


@pytest.mark.parametrize("share", ["html", "wrapped", "quoted", "forwarded", "flat"])
def test_a_frame_changes_no_answer(letters, share):
    plain = make_docket(letters, seed=8, size=60, campaigns=3, framed=False)
    framed = make_docket(letters, seed=8, size=60, campaigns=3, mix={share: 1.0})
    answers = ["id", "cluster", "relation", "reference", "added_text", "removed_text", "docket", "edits"]
    assert plain.gold.select(answers).equals(framed.gold.select(answers))
    for body, text in zip(plain.documents["Comment"].to_pylist(), framed.documents["Comment"].to_pylist(), strict=True):
        assert contains(html.unescape(re.sub(r"<[^>]+>", " ", text)), body)
