"""Letters without content: a status of their own, in no cluster, counted."""

import neardup

BODY = (
    "I am writing to oppose the rule, since it would harm the river that my family drinks from every day, and since it "
    "was made without asking anybody who lives here."
)
NOTICE = "The personal identifying information of this commenter was redacted."
EMPTY_LETTERS = ["See attached file(s)", "Dear EPA,\n\nSincerely,\nAda Bell", "N/A", "Comment from Ada Bell", NOTICE]


def test_letters_without_content_are_in_no_cluster_and_are_counted():
    texts = [*EMPTY_LETTERS * 7, *[BODY] * 7, " \n"]
    found = neardup.find(texts, method="durian")
    rows = found.documents.to_pylist()
    without = rows[: 7 * len(EMPTY_LETTERS)]
    assert {row["status"] for row in without} == {"no_content"}
    assert {row["relation"] for row in without} == {"unique"}
    assert {(row["similarity"], row["added"], row["removed"]) for row in without} == {(None, None, None)}
    assert [len(cluster.members) for cluster in found.clusters] == [7]
    assert rows[-1]["status"] == "empty"
    counts = found.summary["counts"]
    assert (counts["no_content"], counts["empty"], counts["unreadable"]) == (len(without), 1, 0)


def test_notices_are_not_compared():
    texts = [*[BODY] * 7, f"{BODY}\n\n{NOTICE}", f"{BODY} See attached file(s)", f"Comment from Ada Bell\n\n{BODY}"]
    found = neardup.find(texts, method="durian").documents.to_pylist()
    assert [row["relation"] for row in found] == ["reference", *["exact"] * 9]


def test_other_methods_compare_notices_as_they_are():
    found = neardup.find(["See attached file(s)"] * 3, method="exact")
    assert [row["status"] for row in found.documents.to_pylist()] == ["ok"] * 3
    assert "no_content" not in found.summary["counts"]


def test_extracted_letters_have_the_status_and_notices_as_parts():
    found = neardup.extract([*EMPTY_LETTERS, BODY, f"{BODY} {NOTICE}", ""]).to_pylist()
    assert [row["status"] for row in found] == [*["no_content"] * len(EMPTY_LETTERS), "ok", "ok", "empty"]
    assert [part["kind"] for part in found[0]["parts"]] == ["notice"]
    assert [part["kind"] for part in found[-2]["parts"]] == ["main", "notice"]
    assert found[-2]["main"] == BODY
