from pathlib import Path

import neardup
from neardup.detectors.suggestion import FEWEST, examine, suggest_letters
from neardup.records import Documents

EXAMPLES = Path(__file__).parents[2] / "examples"
PLEA = "please keep the limits on mercury from power plants as strict as the law allows because children eat fish "
OWN = ("river", "lake", "harbor", "valley", "market", "school", "clinic", "garden", "bridge", "forest")


def letter(number):
    own = " ".join(f"{word}{number}" for word in (*OWN, *OWN))
    return f"Dear Administrator,\n\n{PLEA * 2}\n\n{own}\n\nSincerely,\nPerson {number}"


def suggestions(result):
    return [note for note in result.summary["notes"] if "durian" in note]


def test_auto_suggests_durian_for_a_docket_and_keeps_its_choice():
    result = neardup.find(EXAMPLES / "docket.csv")
    assert result.summary["method"] == "jaccard"
    (note,) = suggestions(result)
    assert "a docket column" in note
    assert "--method durian" in note


def test_named_method_gets_no_suggestion():
    assert not suggestions(neardup.find(EXAMPLES / "docket.csv", "exact"))


def test_letters_without_docket_column_are_recognised():
    assert suggest_letters(Documents([letter(number) for number in range(FEWEST)])) is not None


def test_few_letters_are_not_enough():
    assert suggest_letters(Documents([letter(number) for number in range(FEWEST - 1)])) is None


def test_letters_without_shared_text_get_no_suggestion():
    texts = [letter(number).replace(PLEA, "") for number in range(40)]
    assert examine(Documents(texts)).letters == 1.0
    assert suggest_letters(Documents(texts)) is None


def test_identical_letters_are_no_additions():
    assert suggest_letters(Documents([letter(1)] * 40)) is None


def test_shared_text_without_letters_gets_no_suggestion():
    texts = [f"{PLEA * 2} {' '.join(f'{word}{number}' for word in OWN * 2)}" for number in range(40)]
    assert suggest_letters(Documents(texts)) is None


def test_licences_manuals_and_messages_get_no_suggestion():
    for name in ("licence_notices.csv", "manual_pages.xml.gz", "messages.csv"):
        assert suggest_letters(neardup.read(EXAMPLES / name)) is None
