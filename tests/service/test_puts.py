"""PUT, GET and DELETE of documents, and queries about them."""

from urllib.parse import quote

import pytest
from served import LETTER, OTHER, TEA

pytestmark = pytest.mark.slow


def put(client, name, text, **more):
    return client.put(f"/documents/{quote(name, safe='')}", json={"text": text, **more})


def test_document_is_put_replaced_and_deleted(client):
    first = put(client, "a", LETTER, time="2024-03-01")
    assert (first.status_code, first.json()["created"], first.json()["status"]) == (201, True, "ok")
    stored = client.get("/documents/a").json()
    assert (stored["text"], stored["time"], stored["reference"]) == (LETTER, "2024-03-01T00:00:00Z", True)
    assert stored["cluster"] == first.json()["cluster"]
    second = put(client, "a", TEA)
    assert (second.status_code, second.json()["created"]) == (200, False)
    assert client.get("/documents/a").json()["text"] == TEA
    assert client.get("/documents/a").json()["time"] is None
    assert client.delete("/documents/a").json() == {"id": "a", "removed": True}
    assert client.get("/documents/a").status_code == 404
    assert client.delete("/documents/a").status_code == 404


@pytest.mark.parametrize(
    "name",
    [
        *(
            "a/b",
            "/",
            "//a//",
            "a b",
            " a ",
            "ü",
            "e\u0301",
            "日本語",
            "🙂",
            "\u202eabc",
            "a%2Fb",
            "%",
            "a?b#c",
            "a\nb",
        ),
        *("a\n", "\x00", "\x7f", "..%", "a+b", ";", "'\"", "\\", "a" * 512, "🙂" * 512, "cluster", "0"),
    ],
)
def test_any_id_can_be_put_read_and_deleted(client, name):
    assert put(client, name, LETTER).json()["id"] == name
    assert client.get(f"/documents/{quote(name, safe='')}").json()["id"] == name
    assert client.post("/query", json={"text": LETTER}).json()["matches"][0]["id"] == name
    assert client.delete(f"/documents/{quote(name, safe='')}").json()["id"] == name


@pytest.mark.parametrize("text", ["", " ", "\x00", "🙂", "a\x00b", "\u202e", "x" * 1_000_000, "<html>a</html>", "\r\n"])
def test_any_text_is_returned_unchanged(client, text):
    assert put(client, "a", text).status_code == 201
    assert client.get("/documents/a").json()["text"] == text


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("2024-03-01T10:30:00+02:00", "2024-03-01T08:30:00Z"),
        ("2024-03-01T10:30:00z", "2024-03-01T10:30:00Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("2024-03-01T10:30:00.123456Z", "2024-03-01T10:30:00.123456Z"),
        ("1850-01-01", "1850-01-01T00:00:00Z"),
        ("0001-01-01", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        (None, None),
    ],
)
def test_times_are_stored_in_utc(client, given, stored):
    assert put(client, "a", LETTER, time=given).status_code == 201
    assert client.get("/documents/a").json()["time"] == stored


@pytest.mark.parametrize("time", ["yesterday", "2024-02-30", "0001-01-01T00:00:00+14:00", 3, True, [], ""])
def test_invalid_times_are_refused(client, time):
    refused = put(client, "a", LETTER, time=time)
    assert (refused.status_code, refused.json()["where"]) == (422, "body.time")
    assert client.get("/documents/a").status_code == 404


def test_query_finds_copies_by_text_and_by_id(client):
    for name, text in (("L1", LETTER), ("L2", LETTER), ("L3", LETTER + " My daughter has asthma."), ("T1", TEA)):
        put(client, name, text)
    by_text = client.post("/query", json={"text": LETTER}).json()["matches"]
    assert [(match["id"], match["relation"]) for match in by_text] == [
        ("L1", "exact"),
        ("L2", "exact"),
        ("L3", "minor_change"),
    ]
    assert [match["similarity"] == 1 for match in by_text] == [True, True, False]
    by_id = client.post("/query", json={"id": "L1"}).json()["matches"]
    assert [match["id"] for match in by_id] == ["L2", "L3"]
    assert len(client.post("/query", json={"text": LETTER, "limit": 1}).json()["matches"]) == 1
    assert client.post("/query", json={"text": OTHER}).json() == {"matches": []}
    assert client.post("/query", json={"text": ""}).json() == {"matches": []}


def test_result_list_is_grouped_by_ids_and_by_documents(client):
    for name, text in (("L1", LETTER), ("T1", TEA), ("L2", LETTER + " Thank you."), ("X1", OTHER)):
        put(client, name, text)
    by_ids = client.post("/group", json={"ids": ["L2", "T1", "L1", "X1", "unknown"]}).json()
    assert [[one["id"] for one in group["results"]] for group in by_ids["groups"]] == [
        ["L2", "L1"],
        ["T1"],
        ["X1"],
        ["unknown"],
    ]
    assert (by_ids["count"], by_ids["results"], by_ids["next"]) == (4, 5, None)
    documents = [{"id": "n1", "text": TEA}, {"id": "n2", "text": OTHER}, {"id": "n3", "text": TEA, "time": None}]
    by_documents = client.post("/group", json={"documents": documents}).json()
    assert [[one["id"] for one in group["results"]] for group in by_documents["groups"]] == [["n1", "n3"], ["n2"]]
    assert client.post("/group", json={"ids": []}).json()["groups"] == []


def test_groups_are_returned_in_pages(client):
    names = [f"d{number}" for number in range(7)]
    asked = {"documents": [{"id": name, "text": f"{name} {OTHER[number:]}"} for number, name in enumerate(names)]}
    whole = client.post("/group", json=asked).json()
    pages, offset = [], 0
    while offset is not None:
        page = client.post("/group", json={**asked, "offset": offset, "limit": 2}).json()
        pages += page["groups"]
        offset = page["next"]
    assert pages == whole["groups"]


def test_longest_result_can_lead_a_group(client):
    put(client, "L1", LETTER)
    put(client, "L2", LETTER + " Thank you very much for reading this.")
    for leader, expected in (("rank", "L1"), ("longest", "L2")):
        groups = client.post("/group", json={"ids": ["L1", "L2"], "leader": leader}).json()["groups"]
        assert [group["leader"] for group in groups] == [expected]


def test_clusters_are_found_by_number_and_by_document(client):
    put(client, "L1", LETTER)
    put(client, "L2", LETTER + " Thank you.")
    number = client.get("/documents/L2").json()["cluster"]
    cluster = client.get(f"/clusters/{number}").json()
    assert (cluster["reference"], cluster["size"], cluster["number"]) == ("L1", 2, number)
    assert [(member["id"], member["added"].strip()) for member in cluster["members"]] == [
        ("L1", ""),
        ("L2", "Thank you."),
    ]
    assert client.get("/clusters", params={"document": "L2"}).json() == cluster
    assert len(client.get(f"/clusters/{number}", params={"limit": 1}).json()["members"]) == 1
    assert client.get("/clusters/999999").status_code == 404
    assert client.get("/clusters", params={"document": "nobody"}).status_code == 404


def test_events_are_returned_after_a_given_number(client):
    since = put(client, "before", TEA) and client.get("/events", params={"limit": 10_000}).json()["next"]
    for name in ("a", "b", "c"):
        put(client, name, LETTER)
    client.delete("/documents/b")
    seen = []
    while events := (page := client.get("/events", params={"since": since, "limit": 2}).json())["events"]:
        seen += events
        since = page["next"]
    assert page["next"] == since
    told = [(event["kind"], event["document"]) for event in seen if event["kind"] in ("added", "removed")]
    assert told == [("added", "a"), ("added", "b"), ("added", "c"), ("removed", "b")]
    assert [event["number"] for event in seen] == sorted({event["number"] for event in seen})
