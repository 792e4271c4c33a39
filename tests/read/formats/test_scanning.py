import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.read.formats.lines import scanning
from neardup.read.formats.lines.scanning import Rule, cut, scan, split_fields

CSV = Rule(b",", quoting=True)

pieces = st.lists(st.sampled_from(['"', '""', ",", "\n", "\r\n", "\r", " ", "a", "b\\", ',"', '",', "é"]), max_size=30)


def records(buffer: bytes, rule: Rule = CSV) -> list[bytes]:
    block = cut(buffer, rule, final=True)
    return [block.raw(index) for index in range(len(block.starts)) if not block.blank[index]]


def test_line_ends_in_quotes_do_not_end_a_record():
    assert records(b'a,"b\nc"\r\nd,e') == [b'a,"b\nc"', b"d,e"]


def test_unfinished_record_is_left_for_the_next_block():
    block = cut(b'a,b\nc,"d\n', CSV, final=False)
    assert block.ends.tolist() == [4]
    assert cut(b"a,b\r", CSV, final=False).ends.tolist() == []
    assert cut(b"a,b\r", CSV, final=True).ends.tolist() == [4]


def test_lines_of_spaces_are_blank():
    block = cut(b"a\n  \n\n \t\n", Rule(), final=True)
    assert block.blank.tolist() == [False, True, True, True]
    assert block.records == 1
    assert cut(b'\r\n\r{"a": 1}\n', Rule(), final=True).blank.tolist() == [True, False]
    assert cut(b"\t\t\n", Rule(b"\t"), final=True).blank.tolist() == [False]


def test_lines_are_counted():
    block = cut(b'a\n"b\nc"\nd\n', CSV, final=True, line=10)
    assert [block.locate("x", index) for index in range(3)] == ["x, line 11", "x, line 12", "x, line 14"]


@pytest.mark.parametrize(
    ("record", "fields"),
    [
        (b"", [b""]),
        (b"a,", [b"a", b""]),
        (b'"a,b","c""d"', [b"a,b", b'c"d']),
        (b'a"b,"c"d', [b'a"b', b"cd"]),
        (b'""""', [b'"']),
        (b'"a', [b"a"]),
    ],
)
def test_records_are_split_into_fields(record, fields):
    assert split_fields(record, CSV) == fields


def test_quotes_may_be_escaped():
    assert split_fields(rb'"a\"b","c\\",d\,e', Rule(b",", quoting=True, escaping=True))[:2] == [b'a"b', b"c\\"]


def test_endless_record_is_broken(monkeypatch):
    monkeypatch.setattr(scanning, "BLOCK", 4)
    monkeypatch.setattr(scanning, "LONGEST", 20)
    pieces = iter([b"a,b\n", b"x" * 40, b"yz\nc,d\n", b""])
    blocks = list(scan(lambda _size: next(pieces), CSV))
    found = [(block.raw(index), bool(block.broken[index])) for block in blocks for index in range(len(block.starts))]
    assert found == [(b"a,b", False), (b"x" * 40, True), (b"yz", False), (b"c,d", False)]


@given(pieces)
def test_nothing_is_lost_between_records(parts):
    buffer = "".join(parts).encode()
    block = cut(buffer, CSV, final=True)
    assert b"".join(buffer[s:e] for s, e in zip(block.starts, block.ends, strict=True)) == buffer


@given(pieces, st.integers(1, 9), st.sampled_from([1, 3, 1 << 22]))
def test_cutting_does_not_depend_on_the_block_size(parts, size, block_size):
    buffer = "".join(parts).encode()
    position = 0

    def read(_wanted: int) -> bytes:
        nonlocal position
        position += size
        return buffer[position - size : position]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "BLOCK", block_size)
        found = [
            (block.raw(index), bool(block.broken[index]), bool(block.blank[index]))
            for block in scan(read, CSV)
            for index in range(len(block.starts))
        ]
    whole = cut(buffer, CSV, final=True)
    count = len(whole.starts)
    assert found == [(whole.raw(i), bool(whole.broken[i]), bool(whole.blank[i])) for i in range(count)]
