import pytest
from read_samples import statuses, texts

from neardup.read import read
from neardup.read.files.encodings import Transcoder, decode_bytes, guess_encoding, is_utf8
from neardup.read.files.streams import Stream
from neardup.read.reading import Reading

WESTERN = "Une très belle journée, déjà – « voilà » naïve œuvre d’été"
CHINESE = "秦川雄帝宅，函谷壯皇居。綺殿千尋起，離宮百雉餘。今天天气很好，我们去公园玩。"
RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему."


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", CHINESE),
        ("utf-8-sig", CHINESE),
        ("utf-16", CHINESE),
        ("utf-16-le", "plain text without a mark"),
        ("utf-16-be", "plain text without a mark"),
        ("utf-32", CHINESE),
        ("latin-1", "Une très belle journée, déjà"),
        ("cp1252", WESTERN),
        ("gb18030", CHINESE),
        ("cp1251", RUSSIAN),
        ("shift_jis", "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"),
    ],
)
@pytest.mark.parametrize("kind", ["csv", "txt", "jsonl", "json"])
def test_encodings_are_found(write, encoding, text, kind):
    whole = {
        "csv": f'id,text\n1,"{text}"\n',
        "txt": text,
        "jsonl": f'{{"text": "{text}"}}\n',
        "json": f'[{{"text": "{text}"}}]',
    }
    found = read(write(f"a.{kind}", whole[kind].encode(encoding)))
    assert texts(found) == [text]
    assert found.counts["replaced_characters"] == 0


def test_guessed_encoding_is_noted(write):
    assert "in CP1252" in read(write("a.csv", b"id,text\n1,caf\xe9\n")).notes[0]


def test_few_invalid_bytes_do_not_change_the_encoding(write):
    rows = "".join(f"{n},über alle Maßen schön\n" for n in range(50)).encode()
    found = read(write("a.csv", b"id,text\n" + rows + b"x,cut \xc3\n"))
    assert texts(found)[0] == "über alle Maßen schön"
    assert texts(found)[-1] == "cut \ufffd"
    assert found.counts["replaced_characters"] == 1


def test_encoding_is_guessed_from_a_late_accent(write):
    found = read(write("a.csv", b"id,text\n" + b"1,plain words\n" * 200_000 + b"2,caf\xe9 na\xefve\n"))
    assert texts(found)[-1] == "café naïve"


def test_text_in_an_unknown_encoding_is_unreadable(write):
    noise = bytes((n * 7919 + n // 3) % 256 for n in range(5000))
    assert statuses(read(write("a.txt", noise))) == ["unreadable"]


def test_characters_split_between_blocks_are_decoded():
    raw = "aé漢😀".encode() * 3
    for size in range(1, 8):
        position = 0

        def read_piece(_size: int, size: int = size) -> bytes:
            nonlocal position
            position += size
            return raw[position - size : position]

        transcoder = Transcoder(Stream(read_piece), Reading())
        assert Stream(transcoder.read).read() == raw


def test_declared_encoding_is_used_if_it_fits():
    reading = Reading()
    assert decode_bytes("日本語".encode("iso-2022-jp"), "iso-2022-jp", reading) == "日本語"
    assert decode_bytes("é".encode(), "iso-8859-1", reading) == "é"
    assert decode_bytes(b"\xe9t\xe9", "no-such-encoding", reading) == "été"
    assert decode_bytes(b"plain", None, reading) == "plain"


def test_encodings_are_guessed():
    assert guess_encoding("é".encode()) == "utf-8"
    assert guess_encoding(b"\xe9") == "cp1252"
    assert is_utf8(b"a")
    assert not is_utf8(b"\xed\xa0\x80")
