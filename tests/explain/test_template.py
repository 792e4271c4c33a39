import numpy as np
import pyarrow as pa

import neardup
from neardup.explain import make_template
from neardup.normalise import LetterReader, Normaliser
from neardup.records import Documents

LETTER = (
    "I ask you to limit mercury from power plants. Children are harmed by it every day. "
    "The means to stop it exist in our state of Ohio. Please act."
)


def open_texts(texts):
    return Normaliser().open(Documents(texts))


def template(reference, members, **options):
    return make_template(open_texts([reference, *members]), 0, range(1, len(members) + 1), **options)


def test_words_that_a_fifth_changed_or_removed_become_slots():
    states = [LETTER.replace("Ohio", state) for state in ("Texas", "Utah", "Maine", "Iowa", "Idaho")]
    assert template(LETTER, states) == LETTER.replace("Ohio", "{…}")
    shorter = LETTER.replace(" Children are harmed by it every day.", "")
    assert template(LETTER, [shorter, *[LETTER] * 4]) == LETTER.replace("Children are harmed by it every day", "{…}")


def test_changes_by_fewer_than_a_fifth_make_no_slot():
    changed = [LETTER.replace("Ohio", "Texas"), LETTER.replace("Children", "My cats and children")]
    assert template(LETTER, [*changed, *[LETTER] * 9]) == LETTER


def test_insertions_by_a_fifth_are_marked():
    first, last = f"As a mother of three, {LETTER}", f"{LETTER} My own son has asthma."
    inside = LETTER.replace("The means", "My daughter coughs. The means")
    assert template(LETTER, [first, LETTER, LETTER]) == f"{{+}} {LETTER}"
    assert template(LETTER, [last, LETTER, LETTER]) == f"{LETTER} {{+}}"
    assert template(LETTER, [inside, LETTER, LETTER]) == LETTER.replace("The means", "{+} The means")


def test_adjacent_slots_are_merged():
    words = ("Texas", "northern Ohio", "Ohio and also of Utah")
    assert template(LETTER, [LETTER.replace("Ohio", word) for word in words]) == LETTER.replace("Ohio", "{…}")


def test_template_is_empty_without_common_words_or_members():
    assert template(LETTER, ["quite another text about tea and cake"] * 3) == ""
    assert template(LETTER, []) == ""
    assert template("", [LETTER]) == ""
    assert make_template(open_texts([LETTER]), 0, [0]) == ""


def test_members_beyond_the_maximum_are_sampled_evenly():
    members = [LETTER.replace("Ohio", "Texas") if number % 2 else LETTER for number in range(40)]
    assert template(LETTER, members, most=4) == LETTER
    assert "{…}" in template(LETTER, members, most=3)


def test_punctuation_other_scripts_and_composed_characters_are_kept():
    reference = "«Cafe\u0301» und 北京 sind schön, sagt Anna heute zu uns allen!"
    members = [reference.replace("Anna", name) for name in ("Eva", "Ida", "Uta")]
    assert template(reference, members) == "«Café» und 北京 sind schön, sagt {…} heute zu uns allen!"


def test_markup_is_left_out():
    page = "<html><body><p>Dear all,</p><p>{}</p></body></html>"
    pages = [page.format(LETTER.replace("Ohio", state)) for state in ("Ohio", "Utah", "Iowa")]
    assert template(pages[0], pages[1:]) == "Dear all,\n\n" + LETTER.replace("Ohio", "{…}")


def test_only_the_compared_parts_of_a_letter_are_in_its_template():
    def make(state, name, frame="{}"):
        text = f"Dear Administrator,\n\n{LETTER.replace('Ohio', state)}\n\nSincerely,\n{name}"
        return frame.format(text.replace("\n", "<br>") if "<" in frame else text)

    for frame in ("{}", "<html><body>{}</body></html>"):
        letters = [make("Ohio", "Jane Roe", frame), make("Utah", "John Doe", frame), make("Iowa", "Ann Poe", frame)]
        features = LetterReader().read(open_texts(letters), Documents(letters))
        assert make_template(features.texts, 0, np.array([1, 2])) == LETTER.replace("Ohio", "{…}")


def test_template_of_three_distinct_texts_does_not_depend_on_their_order():
    texts = {
        f"L{number}": LETTER.replace("Ohio", state) for number, state in enumerate(["Ohio", "Utah", "Iowa", "Ohio"])
    }
    pair = "Two cups of tea stood on the table in the garden all day long until it was dark"
    texts |= {"P1": pair, "P2": pair.replace("dark", "late"), "P3": pair}
    found = []
    for ids in (list(texts), list(reversed(texts))):
        table = pa.table({"id": ids, "text": [texts[name] for name in ids]})
        result = neardup.find(table, "jaccard", threshold=0.5, shingle=2)
        rows = result.table("clusters").to_pylist()
        found.append({row["cluster"]: row["template"] for row in rows})
    assert found[0] == found[1] == {"L0": LETTER.replace("Ohio", "{…}"), "P1": ""}


def test_long_reference_has_no_template():
    long = " ".join(f"word{number}" for number in range(4_000))
    result = neardup.find([long, f"{long} one", f"{long} two"], "jaccard")
    assert result.table("clusters")["template"].to_pylist() == [""]
