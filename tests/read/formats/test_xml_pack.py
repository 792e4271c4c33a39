import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from read_samples import ids, statuses, texts

from neardup import dedup
from neardup.errors import InputError
from neardup.read import Limits, read
from neardup.read.files.streams import Stream
from neardup.read.formats.packs.xml_pack import split_pack

PAGE = "<html><head><meta charset=windows-1251></head><body><p>Привет, мир &amp; все</p></body></html>"


def encoded(text, charset="cp1251"):
    return base64.encodebytes(text.encode(charset)).decode()


ROMIP = f"""<?xml version="1.0" encoding="windows-1251"?>
<romip:dataset xmlns:romip="http://collections.example/">
<document>
<docID>1</docID>
<docURL>{encoded("http://site.example/index.html")}</docURL>
<content>{encoded(PAGE)}</content>
</document>
<document><docID>2</docID><docURL>x</docURL><content><![CDATA[<p>вторая</p> </document> &nbsp;]]></content></document>
<document><docID>3</docID><content>&lt;p&gt;third &amp;amp; last&lt;/p&gt;</content></document>
</romip:dataset>
"""


def test_a_pack_is_many_documents(write):
    found = read(write("pack.xml", ROMIP.encode("cp1251")))
    assert ids(found) == ["1", "2", "3"]
    assert texts(found) == [PAGE, "<p>вторая</p> </document> &nbsp;", "<p>third &amp; last</p>"]
    assert found.html.tolist() == [True, True, True]
    assert found.notes == ("pack.xml: XML pack in CP1251, one document per element document.",)


@pytest.mark.parametrize(
    ("record", "text", "name", "html"),
    [
        ("<page url='u'><![CDATA[<b>x</b> y]]></page>", "<b>x</b> y", "u", True),
        ("<doc id='7'>plain words</doc>", "plain words", "7", False),
        (
            "<doc><URL>http://a.example/b</URL><text>one <b>two</b> &eacute;</text></doc>",
            None,
            "http://a.example/b",
            True,
        ),
        ("<r><id>q</id><content type='text/plain'>a &lt; b</content></r>", "a < b", "q", False),
        ("<r><id>q</id><content encoding='base64' charset='utf-8'>w6k=</content></r>", "é", "q", False),
        ("<r><title>t</title><body>long</body><key>k</key></r>", "long", "k", False),
        ("<r><content>AT&T \x01 R&D</content></r>", "AT&T   R&D", "pack.xml#1", False),
        ("<r><content/><id>9</id></r>", "", "9", False),
    ],
)
def test_content_of_every_kind_is_read(write, record, text, name, html):
    found = read(write("pack.xml", f"<?xml version='1.0'?><set>{record}</set>"))
    assert ids(found) == [name]
    assert texts(found) == ["one <b>two</b> &amp;eacute;" if text is None else text]
    assert (found.html is not None and found.html[0]) == html


def test_a_broken_document_is_one_unreadable_record(write):
    pack = "<set><d><id>1</id><text>a</text></d><d><id>2<text>b</d><d><id>3</id></d><d><id>4</id><text>c</text></d>"
    found = read(write("pack.xml", pack))
    assert statuses(found) == ["ok", "unreadable", "unreadable", "ok"]
    assert texts(found)[3] == "c"
    assert "not valid XML" in found.notes[1]
    assert "it has no text; its elements are d, id" in found.notes[2]


def test_documents_before_a_break_are_read(write):
    found = read(write("pack.xml", ROMIP.encode("cp1251")[:-60]))
    assert statuses(found) == ["ok", "ok", "unreadable"]


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % p SYSTEM "http://other.example/x">',
    ],
)
def test_entities_are_refused(write, declaration):
    pack = write("pack.xml", f"<!DOCTYPE d [{declaration}]><d><r><text>&a;</text></r></d>")
    found = read(pack)
    assert statuses(found) == ["unreadable"]
    with pytest.raises(InputError, match="declares entities"):
        read(pack, strict=True)


def test_other_xml_is_one_document(write):
    found = read(write("a.xml", "<?xml version='1.0'?><article><p>one</p><p>two</p></article>"))
    assert (len(found), found.html.tolist()) == (1, [True])
    page = read(write("b.xml", "<?xml version='1.0'?>\n<!DOCTYPE html><html><body>x</body></html>"))
    assert page.notes == ("b.xml: HTML in UTF-8, one document per file.",)
    assert len(read(write("c.xml", "<never"))) == 1
    assert statuses(read(write("d.xml", ""))) == ["empty"]


def test_elements_can_be_named(write):
    pack = write("pack.xml", "<s><r><code>x</code><text>a</text><note>b</note><when>2001-02-03</when></r></s>")
    found = read(pack, text="note", id="code", time="when")
    assert (texts(found), ids(found), found.times[0].as_py().year) == (["b"], ["x"], 2001)


def test_items_of_a_feed_are_documents(write):
    item = "<item><title>t</title><description>news {}</description><link>http://n.example/{}</link></item>"
    feed = f"<rss><channel><title>T</title><description>D</description>{item.format(1, 1)}{item.format(2, 2)}"
    found = read(write("feed.xml", feed + "</channel></rss>"))
    assert texts(found) == ["news 1", "news 2"]
    assert ids(found) == ["http://n.example/1", "http://n.example/2"]


def test_document_over_the_limit_in_a_pack_is_unreadable(write, read_within):
    pack = write("pack.xml", "<s><r><text>" + "x" * 5_000_000)
    assert statuses(read_within(pack, Limits(document_bytes=1_000_000))) == ["unreadable"]


@pytest.mark.slow
@pytest.mark.parametrize("filler", [b"<![CDATA[", b"<!--", b"<r ", b"</r", b'<r a="', b"<r>", b"<text>", b"&", b"<"])
def test_hostile_pack_is_read_in_linear_time(write, filler):
    found = read(write("pack.xml", b"<s><r><text>a</text></r>" + filler * (300_000 // len(filler))))
    assert texts(found)[0] == "a"


parts = st.lists(
    st.sampled_from(["<r>", "</r>", "<r/>", "<r a='>'>", "<![CDATA[", "]]>", "<!--", "-->", "<rr>", "x", "<", "\n"]),
    max_size=30,
)


@given(parts, st.integers(1, 7))
def test_cutting_loses_nothing(pieces, step):
    whole = "".join(pieces).encode()
    position = 0

    def fetch(_):
        nonlocal position
        position += step
        return whole[position - step : position]

    found = list(split_pack(Stream(fetch), "r", 1 << 20))
    assert b"".join(piece.content for piece in found) == whole
    again = list(split_pack(Stream(lambda _, left=[whole, b""]: left.pop(0) if left else b""), "r", 1 << 20))
    assert [p.content for p in found if p.is_record] == [p.content for p in again if p.is_record]


@pytest.mark.slow
def test_a_large_pack_is_streamed(write):
    record = f"<document><docID>{{}}</docID><content>{encoded(PAGE * 20)}</content></document>\n"
    pack = write("big.xml", "<s>" + "".join(record.format(number) for number in range(3000)) + "</s>")
    found = read(pack)
    assert (len(found), set(texts(found))) == (3000, {PAGE * 20})


@pytest.mark.parametrize("charset", ["cp1251", "utf-8", "utf-16"])
def test_duplicates_are_removed_from_a_pack(write, tmp_path, charset):
    page = "<document><docID>{}</docID><content>&lt;p&gt;{}&lt;/p&gt;</content></document>\n"
    head = f'<?xml version="1.0" encoding="{charset}"?>\n<s><!-- <document> -->\n'
    pack = (
        head
        + page.format(1, "один и тот же текст") * 1
        + page.format(2, "один и тот же текст")
        + page.format(3, "другой")
    )
    source = write("pack.xml", (pack + "</s>").encode(charset))
    dedup(source, tmp_path / "out.xml", "exact")
    left = head + page.format(1, "один и тот же текст") + "\n" + page.format(3, "другой") + "</s>"
    assert (tmp_path / "out.xml").read_bytes().decode(charset) == left
    assert np.array_equal(ids(read(tmp_path / "out.xml")), ["1", "3"])
