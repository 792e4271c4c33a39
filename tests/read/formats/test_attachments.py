import io
import sys

import docx
import pytest
from read_samples import ids, statuses, texts, zipped

from neardup.errors import MissingExtra
from neardup.read import Limits, read


def make_pdf(text: str) -> bytes:
    """Make the smallest PDF that shows a line of text."""
    stream = f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R "
        "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
    ]
    body = "%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return f"{body}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()


def make_docx() -> bytes:
    document = docx.Document()
    document.add_paragraph("First paragraph.")
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "left", "right"
    document.add_paragraph("Last paragraph.")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def test_pdf_is_one_document(write):
    found = read(write("a.pdf", make_pdf("Hello from a page")))
    assert texts(found) == ["Hello from a page"]
    assert ids(found) == ["a.pdf"]


def test_docx_is_one_document(write):
    assert texts(read(write("a.docx", make_docx()))) == ["First paragraph.\nleft\nright\nLast paragraph."]


def test_pdf_and_docx_are_recognised_in_archives_and_without_suffix(write):
    found = read(write("a.zip", zipped({"letter": make_docx(), "page": make_pdf("Hello")})))
    assert texts(found)[1] == "Hello"
    assert texts(found)[0].startswith("First paragraph.")


@pytest.mark.parametrize("name", ["a.pdf", "a.docx"])
def test_broken_files_are_unreadable(write, name):
    content = make_pdf("x")[:60] if name == "a.pdf" else make_docx()[:300]
    assert statuses(read(write(name, content))) == ["unreadable"]


@pytest.mark.parametrize(("name", "package"), [("a.pdf", "pypdfium2"), ("a.docx", "docx")])
def test_missing_extra_is_reported(write, monkeypatch, name, package):
    path = write(name, make_pdf("x") if name == "a.pdf" else make_docx())
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=r"pip install 'neardup\[documents\]'"):
        read(path)


def test_docx_bomb_is_unreadable(write, read_within):
    path = write("a.docx", zipped({"[Content_Types].xml": b"x", "word/document.xml": bytes(5_000_000)}))
    found = read_within(path, Limits(member_bytes=1_000_000))
    assert statuses(found) == ["unreadable"]
    assert "bomb" in found.notes[0]


def test_other_office_files_are_refused_by_name(write):
    found = read(write("a.xlsx", zipped({"[Content_Types].xml": b"x", "xl/workbook.xml": b"x"})))
    assert statuses(found) == ["unreadable"]
    assert "save it as text, CSV" in found.notes[0]
