import mailbox
from datetime import UTC, datetime

from read_samples import ids, statuses, texts

from neardup.read import read

MESSAGE = """Return-Path: <bounce@campaign.example>
Received: from relay.example.net (relay [10.0.0.1]) by mx; Mon, 20 Nov 1995 19:12:09 -0500
From: "Lee, Ann" <ann@people.example>
To: docket@agency.example, Bo <bo@agency.example>
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= from
 two lines
Date: Mon, 20 Nov 1995 19:12:08 -0500
Message-ID: <1@people.example>

Body text.
"""

PARTS = """From: a@b.example
Content-Type: multipart/mixed; boundary=X

--X
Content-Type: multipart/alternative; boundary=Y

--Y
Content-Type: text/html; charset=utf-8

<p>HTML</p>
--Y
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

caf=E9
--Y--
--X
Content-Type: text/plain
Content-Disposition: attachment; filename=a.txt

attached
--X--
"""


def test_message_gives_text_and_attributes(write):
    found = read(write("a.eml", MESSAGE))
    assert texts(found) == ["Body text.\n"]
    assert ids(found) == ["1@people.example"]
    assert found.times.to_pylist() == [datetime(1995, 11, 21, 0, 12, 8, tzinfo=UTC)]
    assert found.attributes.to_pylist() == [
        {
            "sender": "ann@people.example",
            "receiver": "docket@agency.example, bo@agency.example",
            "topic": "Grüße from two lines",
            "relayer": "campaign.example",
        }
    ]
    assert found.html is None


def test_plain_text_is_preferred_and_attachments_are_left_out(write):
    found = read(write("a.eml", PARTS))
    assert texts(found) == ["café"]
    assert ids(found) == ["a.eml"]


def test_html_body_is_flagged(write):
    found = read(write("a.eml", "From: a@b.example\nContent-Type: text/html\n\n<p>x"))
    assert texts(found) == ["<p>x"]
    assert found.html.tolist() == [True]


def test_base64_with_an_unknown_charset_is_decoded(write):
    head = "From: a@b.example\nContent-Type: text/plain; charset=x-nothing\nContent-Transfer-Encoding: base64\n\n"
    assert texts(read(write("a.eml", head + "Y2Fmw6k=\n"))) == ["café"]


def test_attached_messages_are_not_the_text(write):
    inner = "From: c@d.example\n\ninner"
    outer = "From: a@b.example\nContent-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type: text/html\n\n<p>outer\n"
    attached = f"--X\nContent-Type: message/rfc822\nContent-Disposition: attachment\n\n{inner}\n--X--\n"
    assert texts(read(write("a.eml", outer + attached))) == ["<p>outer"]


def test_relayer_falls_back_to_the_last_received_line(write):
    received = "Received: from last.example by b\nReceived: from first.example.org (x) by a\n"
    found = read(write("a.eml", f"{received}From: a@b.example\n\nx"))
    assert found.attributes["relayer"].to_pylist() == ["first.example.org"]


def test_invalid_date_is_counted(write):
    found = read(write("a.eml", "From: a@b.example\nDate: yesterday\n\nx"))
    assert found.times is None
    assert found.counts["times_unparsed"] == 1


def test_a_file_without_headers_is_unreadable(write):
    assert statuses(read(write("a.eml", "\n\njust text"))) == ["unreadable"]


def test_mbox_gives_its_messages(tmp_path):
    box = mailbox.mbox(tmp_path / "in.mbox")
    box.add(MESSAGE)
    box.add("From: c@d.example\nSubject: two\n\nFrom here on\n\nFrom there\nend\n")
    box.close()
    found = read(tmp_path / "in.mbox")
    assert texts(found) == ["Body text.\n\n", "From here on\n\nFrom there\nend\n\n"]
    assert ids(found) == ["1@people.example", "in.mbox#2"]


def test_mbox_is_recognised_without_suffix(write):
    line = "From a@b.example Mon Nov 20 19:12:08 1995\n"
    found = read(write("Inbox", f"{line}From: a@b.example\n\none\n\n{line}From: a@b.example\n\ntwo\n"))
    assert texts(found) == ["one\n\n", "two\n"]


def test_message_is_recognised_without_suffix(write):
    assert texts(read(write("1.", MESSAGE))) == ["Body text.\n"]


def test_invalid_message_in_an_mbox_keeps_its_position(write):
    line = "From a@b.example Mon Nov 20 19:12:08 1995\n"
    found = read(
        write("a.mbox", f"{line}From: a@b.example\n\none\n\n{line}>From x\n\n\n{line}From: b@b.example\n\ntwo\n")
    )
    assert statuses(found) == ["ok", "unreadable", "ok"]
    assert "a.mbox, message 2" in found.notes[-1]


def test_maildir_gives_its_messages(tmp_path):
    box = mailbox.Maildir(tmp_path / "mail")
    box.add(MESSAGE)
    box.add_folder("Sent").add("From: c@d.example\n\nsent")
    (tmp_path / "mail" / "tmp" / "unfinished").write_text("x")
    assert sorted(texts(read(tmp_path / "mail"))) == ["Body text.\n", "sent"]
