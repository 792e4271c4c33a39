import html
import re
from collections import Counter

import pytest

from neardup.reproduce.corpora.docket import FRAMES, DocketSettings, make_docket
from neardup.reproduce.corpora.docket.frame import Correspondence, frame_letter, spell_docket
from neardup.reproduce.corpora.docket.people import PROVIDERS, SURNAMES, invent_person, invent_relayers
from neardup.reproduce.random_stream import RandomStream

BODY = ["First I must say that <this> & that are not the same. " * 4, "Then I must say: don't."]
BODY = [paragraph.strip() for paragraph in BODY]
NONE = dict.fromkeys(FRAMES, 0.0)


def words(text):
    return re.findall(r"\w+", text)


def correspond(rng, **changes):
    relayer = invent_relayers(1, rng)[0]
    facts = {
        "person": invent_person(rng),
        "seconds": 1_705_000_000,
        "docket": "ENV-HQ-OAR-2024-0056",
        "cites": True,
        "salutation": "Dear Administrator,",
        "relayer": relayer,
    }
    return Correspondence(**(facts | changes))


def frame_many(count=60, **shares):
    rng = RandomStream(4, "frames")
    return [frame_letter(BODY, correspond(rng), NONE | shares, rng) for _ in range(count)]


def contains(text, body):
    """Return whether the text contains the words of the body in succession."""
    return " ".join(words(body)) in " ".join(words(text))


def test_all_spellings_of_docket_number_are_equivalent():
    rng = RandomStream(1, "dockets")
    spelt = {spell_docket("ENV-HQ-OAR-2024-0056", rng) for _ in range(300)}
    assert len(spelt) > 20
    for spelling in spelt:
        number = re.sub(r"^\D*?(?=env)", "", re.sub(r"\s*[-–‑]\s*", "-", spelling.lower()))
        assert re.fullmatch(r"env-hq-oar-2024-0*56", number), spelling


def test_plain_frame_keeps_paragraphs():
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


def test_wrapped_lines_are_short_and_keep_all_words():
    for framed in frame_many(wrapped=1.0):
        assert framed.variants == ("wrapped",)
        assert max(len(line) for line in framed.text.split("\n")) <= 72
        assert contains(framed.text, " ".join(BODY))


def test_html_has_the_same_words():
    for framed in frame_many(html=1.0):
        assert framed.html
        assert framed.text.startswith("<html>")
        plain = html.unescape(re.sub(r"<[^>]+>", " ", framed.text))
        assert contains(plain, " ".join(BODY))
        assert "<p>Then I must say: don't.</p>" in framed.text


def test_every_line_of_quoted_letter_is_quoted():
    for framed in frame_many(quoted=1.0):
        first, blank, *quoted = framed.text.split("\n")
        assert re.fullmatch(r"On \w{3}, \w{3} \d+, 2024 at \d+:\d\d [AP]M .* <alerts@.*> wrote:", first)
        assert blank == ""
        assert all(line.startswith(">") for line in quoted)
        assert contains(framed.text, " ".join(BODY))


def test_forwarded_letter_has_headers_of_one_or_two_messages():
    levels = Counter()
    for framed in frame_many(forwarded=1.0):
        levels[len(re.findall(r"^From: .*\nDate: .*\nSubject: .*\nTo: .*@", framed.text, re.MULTILINE))] += 1
        assert "\n\n".join(BODY) in framed.text
    assert set(levels) == {1, 2}


def test_flat_letter_is_one_line():
    for framed in frame_many(10, flat=1.0):
        assert "\n" not in framed.text
        assert " ".join(BODY) in framed.text


def test_formal_letter_begins_with_date_and_address():
    for framed in frame_many(10, formal=1.0):
        assert framed.text.startswith("January 11, 2024\n\nDocket Center\n")
        assert framed.variants == ("formal",)


def test_docket_number_is_absent_if_not_cited():
    rng = RandomStream(9, "frames")
    for _ in range(30):
        framed = frame_letter(BODY, correspond(rng, cites=False), NONE, rng)
        assert "2024" not in framed.text


def test_mail_addresses_use_reserved_domains():
    rng = RandomStream(5, "people")
    people = [invent_person(rng) for _ in range(300)]
    assert len({person.name for person in people}) > 280
    assert all(person.mail.partition("@")[2] in PROVIDERS for person in people)
    assert all(provider.endswith(".example") for provider in PROVIDERS)
    assert len(set(SURNAMES)) == len(SURNAMES) > 300


def test_relayers_have_different_names_and_reserved_domains():
    relayers = invent_relayers(200, RandomStream(6, "relayers"))
    assert len({relayer.name for relayer in relayers}) == 200
    assert all(relayer.domain.endswith(".example") for relayer in relayers)
    assert all(relayer.footer[0] in ("-- ", "_" * 40) or "was sent by" in relayer.footer[0] for relayer in relayers)


@pytest.mark.parametrize("share", ["html", "wrapped", "quoted", "forwarded", "flat"])
def test_frame_does_not_change_gold(letters, share):
    plain = make_docket(letters, DocketSettings(seed=8, size=60, campaigns=3, framed=False))
    framed = make_docket(letters, DocketSettings(seed=8, size=60, campaigns=3, mix={share: 1.0}))
    answers = ["id", "cluster", "relation", "reference", "added_text", "removed_text", "docket", "edits"]
    assert plain.gold.select(answers).equals(framed.gold.select(answers))
    for body, text in zip(plain.documents["Comment"].to_pylist(), framed.documents["Comment"].to_pylist(), strict=True):
        assert contains(html.unescape(re.sub(r"<[^>]+>", " ", text)), body)
