import html
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup.errors import SettingsError
from neardup.normalise import Normaliser
from neardup.records import Documents
from reference.examples import open_texts, texts
from reference.fragments import decode_fragments
from reference.tokens import find_spans, normalise, read_words

INLINE = ["b", "i", "span", "a", "em"]
BLOCK = ["p", "div", "li", "td", "h1", "blockquote", "section"]
HIDDEN = ["script", "style"]


def strip(page):
    return open_texts([page], markup="html").prepared(0)


class Parser(HTMLParser):
    """Another reader of pages: the text outside scripts and styles, with a blank where a block begins or ends."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.hidden = 0

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in HIDDEN
        self.text += " " if tag in BLOCK or tag == "br" else ""

    def handle_endtag(self, tag):
        self.hidden -= tag in HIDDEN
        self.text += " " if tag in BLOCK else ""

    def handle_data(self, data):
        self.text += "" if self.hidden else data


def parse(page):
    parser = Parser()
    parser.feed(page)
    parser.close()
    return parser.text


words = st.text(st.sampled_from("abcéß中ไع0 ,;<>&\"'\n\u0301"), min_size=1, max_size=12)


@st.composite
def pages(draw, depth=3):
    """Draw well-formed markup with entities, attributes, comments and scripts."""
    pieces = []
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(["text", "text", "inline", "block", "break", "comment", "script"]))
        if kind == "text":
            pieces.append(html.escape(draw(words)))
        elif kind in ("inline", "block") and depth:
            tag = draw(st.sampled_from(INLINE if kind == "inline" else BLOCK))
            value = html.escape(draw(words))
            pieces.append(f'<{tag} title="{value}">{draw(pages(depth=depth - 1))}</{tag}>')
        else:
            hidden = {"break": "<br/>", "comment": "<!-- <p>no -->", "script": "<script>if (a<b) 'x' </ p</script>"}
            pieces.append(hidden.get(kind, ""))
    return "".join(pieces)


@given(pages())
@settings(max_examples=300)
def test_words_of_a_page_equal_those_of_another_parser(page):
    page = f"<body>word {page}</body>"
    assert read_words(strip(page)) == read_words(parse(page))


@given(st.one_of(texts, st.text(st.sampled_from("<>/!-'\"=&#;x a[CDATA]?pscritle\n中"), max_size=60)))
@settings(max_examples=500)
def test_broken_markup_is_read_and_offsets_stay_inside(page):
    stripped = normalise(strip(page))
    starts, ends, hashes = open_texts([page], markup="html").tokens(0)
    assert len(hashes) == len(find_spans(stripped))
    assert np.all(starts <= ends)
    assert np.all(np.diff(starts.astype(int)) >= 0)
    assert ends.max(initial=0) <= len(page)


def test_offsets_of_words_point_into_the_page():
    page = "<html><p>caf&eacute; <b>n</b>oir</p>\n<p>e&#x301;t&eacute; &#128512;&amp; 中<i>文</i>"
    starts, ends, _ = open_texts([page], markup="html").tokens(0)
    found = [page[start:end] for start, end in zip(starts, ends, strict=True)]
    assert found == ["caf&eacute;", "n</b>oir", "e&#x301;t&eacute;", "&#128512;", "中", "文"]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<html><head><title>no</title></head><body>yes", "yes"),
        ("<p>a<p>b", "a\n\nb"),
        ("a<br>b<BR/>c", "a\nb\nc"),
        ("<pre>a  b\n c</pre>", "a  b\n c"),
        ("a  \n\t b", "a b"),
        ("a&nbsp;b &lt;p&gt; &notathing; &", "a b <p> &notathing; &"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("x<![CDATA[ y ]]>z", "x y z"),
        ("<a href='>'>in</a>", "in"),
        ("<script>a</scripty>b</script>c", "c"),
        ("<svg/>seen<svg><text>no</text></svg>", "seen"),
        ("&#0;&#xd800;&#x110000;", "\0\ufffd\ufffd"),
    ],
)
def test_markup_becomes_text(page, text):
    assert strip(page) == text


@pytest.mark.parametrize(
    "start", ["<!DOCTYPE html>", "\n <HTML lang=en>", "\ufeff<!doctype HTML >", "<!-- c --><html>"]
)
def test_text_that_begins_like_a_page_is_stripped(start):
    assert open_texts([f"{start}<p>text</p>"], markup="auto").prepared(0).strip("\n\ufeff") == "text"


@pytest.mark.parametrize("text", ["<p>text</p>", "see <html>", "<htm>", "<!doctype rss>", "<", "<!-- only", ""])
def test_other_texts_are_not_changed(text):
    assert open_texts([text], markup="auto").prepared(0) == text


def test_document_marked_as_a_page_is_stripped_unless_markup_is_plain():
    documents = Documents(["<p>one</p>", "<p>one</p>"], html=np.array([True, False]))
    assert [Normaliser().open(documents).prepared(at) for at in (0, 1)] == ["one", "<p>one</p>"]
    assert Normaliser(markup="plain").open(documents).prepared(0) == "<p>one</p>"
    assert Normaliser(markup="html").open(documents).prepared(1) == "one"


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("<p>text</p>", "text"),
        ("it isn&#39;t<br/><br/>fair", "it isn't\n\nfair"),
        ("one\n<br/><br/>two\nthree", "one\n\ntwo\nthree"),
        ("Dear all,\\r\\n\\r\\nplease stop", "Dear all,\n\nplease stop"),
        ("a&lt;br /&gt;b&amp;#39;c", "a\nb'c"),
        ("plain text\nof two lines", "plain text\nof two lines"),
    ],
)
def test_pieces_of_markup_are_decoded_and_line_ends_stay(text, decoded):
    assert open_texts([text], markup="fragments").prepared(0) == decoded
    assert open_texts([text], markup="plain").prepared(0) == text


TAGS = ["<br>", "<br/>", "<p>", "</p>", "<div>", "</div>", "<b>", "</i>", "<td>", "<li>", '<a href="x>y">']
ENTITIES = ["&amp;", "&#39;", "&nbsp;", "&#10;", "&lt;br/&gt;"]
SIGNS = ["one", "two", "é", "<", "&", ">", ";", " ", "\n", "\r\n", "\n\n"]
pieces = st.lists(st.sampled_from([*TAGS, *ENTITIES, *SIGNS]), max_size=12)


@given(pieces)
@settings(max_examples=300)
def test_decoded_fragments_equal_those_of_the_reference(pieces):
    text = "".join(pieces)
    assert open_texts([text], markup="fragments").prepared(0) == decode_fragments(text)


def drop_boilerplate(page):
    return Normaliser(markup="html", boilerplate="drop").open(Documents([page])).prepared(0)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<nav>a</nav>b<aside>c</aside>d<menu>e</menu>f<noframes>g</noframes>", "b\n\nd\n\nf"),
        ("<div class='navheader'>a<div>b</div>c</div><p>d</p>", "d"),
        ("<header>a</header><article><header>b</header><footer>c</footer></article><footer>d</footer>", "b\n\nc"),
        ("<div role=navigation>a</div><table id='left-menu'><td>b</table>c<ul class=BreadCrumbs><li>d</ul>", "c"),
        ("<div class='with-sidebar'>a<div class='sidebar'>b</div></div>", "a"),
        ("<div class='footnotes'>a</div><span class=nav>b</span><li class=menu>c", "a\n\nb\nc"),
        ("a<div class=nav>b<div>c</div>", "a\n\nb\n\nc"),
        ("<nav>only</nav>", "only"),
        ("<script><nav></script>a<!-- <nav> -->b<nav title='</nav>'>c</nav>", "ab"),
        ("<body class=nav>a</body>", "a"),
    ],
)
def test_boilerplate_is_dropped_on_request(page, text):
    assert drop_boilerplate(page) == text


@given(
    st.lists(st.sampled_from(["<nav>", "</nav>", "<div class=menu>", "<div>", "</div>", "a ", "b ", "<p>", "<nav/>"]))
)
def test_dropping_boilerplate_adds_no_words_and_keeps_some(pieces):
    page = "".join(pieces)
    kept, whole = read_words(drop_boilerplate(page)), read_words(strip(page))
    assert len(kept) <= len(whole)
    assert bool(kept) == bool(whole)
    words = iter(whole)
    assert all(word in words for word in kept)


def test_offsets_after_boilerplate_point_into_the_page():
    page = "<nav>menu</nav><p>caf&eacute; noir</p>"
    texts = Normaliser(markup="html", boilerplate="drop").open(Documents([page]))
    starts, ends, _ = texts.tokens(0)
    assert [page[a:b] for a, b in zip(starts, ends, strict=True)] == ["caf&eacute;", "noir"]


def test_boilerplate_is_kept_or_dropped():
    with pytest.raises(SettingsError, match="boilerplate is 'hide', but must be one of keep, drop"):
        Normaliser(boilerplate="hide")


@pytest.mark.parametrize(
    "piece", ["<nav>", "<div class=nav>", "<nav ", "<div class='", "</nav>", "<div class=nav></div>"]
)
def test_megabyte_of_boilerplate_is_read_at_most_twice(piece):
    page = piece * (1_000_000 // len(piece))
    assert len(drop_boilerplate(page)) <= len(page)


@pytest.mark.parametrize(
    "piece", ["<", "<a ", "<a b='", '<a b=">', "&", "&#", "<!--", "<![CDATA[", "</", "<script>", "<p>"]
)
def test_megabyte_of_broken_markup_is_read_once(piece):
    page = piece * (1_000_000 // len(piece))
    assert len(strip(page)) <= len(page)
