import threading

import pytest

from neardup.read.formats.lines.prefetch import prefetch
from neardup.read.formats.lines.scanning import Rule, cut
from neardup.read.reading import Unreadable


def blocks(count, *, broken=False):
    for number in range(count):
        yield cut(b"%d\n" % number, Rule(), final=True)
    if broken:
        raise Unreadable("broken off")


def test_blocks_are_parsed_in_another_thread_and_stay_in_order():
    here = threading.get_ident()
    found = list(prefetch(blocks(20), lambda block: (block.raw(0), threading.get_ident())))
    assert [raw for _, (raw, _) in found] == [b"%d" % number for number in range(20)]
    assert [block.raw(0) for block, _ in found] == [b"%d" % number for number in range(20)]
    assert here not in {thread for _, (_, thread) in found}


def test_blocks_before_a_break_are_yielded():
    found = []
    with pytest.raises(Unreadable, match="broken off"):
        found.extend(block.raw(0) for block, _ in prefetch(blocks(6, broken=True), len_of))
    assert found == [b"0", b"1", b"2", b"3", b"4", b"5"]


def len_of(block):
    return len(block.buffer)
