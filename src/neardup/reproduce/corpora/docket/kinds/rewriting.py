"""Form letters with a share of the words replaced, by words of similar meaning or by any words.

The table of synonyms is small. Another word gets three stand-ins from the vocabulary of the source, always the same,
as a thesaurus would offer the same ones to every writer. Writers differ in which words they replace, and by which.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from neardup.reproduce.corpora.docket.bodies.edits import Desk, Edited
from neardup.reproduce.corpora.docket.bodies.forms import Form
from neardup.reproduce.random_stream import RandomStream

_GROUPS = """
agency department bureau office|allow permit let|also too additionally|american national|always constantly forever|
ask request urge|bad poor terrible|begin start commence|believe think feel|benefit advantage gain|big large great huge|
business company firm|care concern|change alter modify|choose pick select|clear plain evident|comment remark note|
company enterprise corporation|continue proceed carry|cost expense price|country nation land|create make produce|
decide determine resolve|decrease reduce lower|difficult hard tough|economy market|employ hire engage|
employer boss firm|end finish stop|ensure guarantee secure|establish found build|every each|experience background|
fact truth|fair just equitable|fast quick rapid|finally lastly eventually|find discover see|future tomorrow|
gain win earn|get obtain receive|give provide offer|good fine excellent|government administration state|
group body association|grow expand rise|harm hurt damage|have possess own|help assist aid|however nevertheless still|
idea notion thought|impact effect influence|important vital crucial essential|improve better enhance|
increase raise boost|industry sector trade|issue matter problem question|job position post|keep retain hold|
know understand realise|lack absence shortage|law statute act|letter message note|limit restrict cap|
look see watch|lose forfeit|major main chief|many numerous several|may might could|more additional further|
need require want|new fresh novel|often frequently regularly|only merely solely|opportunity chance opening|
oppose resist reject|people citizens persons folks|plan scheme proposal|policy rule approach|
program programme scheme|propose suggest offer|protect guard defend shield|public common general|reason cause ground|
regulation rule provision|remain stay|remove withdraw drop|result outcome consequence|right correct proper|
risk danger hazard|safe secure|school college|science research|seek pursue|show demonstrate prove|small little minor|
society community|strong powerful solid|student pupil learner|study examine investigate|support back favour endorse|
take accept|talent skill ability|therefore thus hence|train teach prepare|try attempt|use employ apply utilise|
very extremely highly|way manner method|work labour toil|world globe|worker employee labourer|write compose draft|
year season|young youthful
"""
_WORD = re.compile(r"(\W*)([^\W\d_]+)(\W*)")
_LONG = 4


def _read_table() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for group in "".join(_GROUPS.split("\n")).split("|"):
        words = tuple(group.split())
        for word in words:
            table.setdefault(word, tuple(other for other in words if other != word))
    return table


SYNONYMS = _read_table()


def rewrite(form: Form, desk: Desk, share: float, *, synonyms: bool) -> Edited:
    """Replace a share of the words of a form letter; with `synonyms`, long words by words that stand in for them."""
    paragraphs = [paragraph.split() for paragraph in form.paragraphs]
    places = [(i, j) for i, words in enumerate(paragraphs) for j, word in enumerate(words) if _WORD.fullmatch(word)]
    count = round(share * sum(map(len, paragraphs)))
    if synonyms:
        long = [place for place in places if _measure(paragraphs, place) >= _LONG]
        places = long if len(long) >= count else places
    added: list[str] = []
    removed: list[str] = []
    for i, j in desk.rng.pick_some(places, count):
        old = paragraphs[i][j]
        paragraphs[i][j] = _replace(old, desk, synonyms=synonyms)
        added.append(paragraphs[i][j].strip(".,;:!?()\"'"))
        removed.append(old.strip(".,;:!?()\"'"))
    texts = [" ".join(words) for words in paragraphs]
    return Edited("", texts, (" ".join(added),), (" ".join(removed),), ("rewritten",))


def _measure(paragraphs: list[list[str]], place: tuple[int, int]) -> int:
    match = _WORD.fullmatch(paragraphs[place[0]][place[1]])
    return len(match[2]) if match else 0


def _replace(word: str, desk: Desk, *, synonyms: bool) -> str:
    match = _WORD.fullmatch(word)
    if match is None:
        return word
    before, old, after = match.groups()
    lower = old.lower()
    vocabulary = desk.stock.list_like(lower if synonyms else "")
    choice = (SYNONYMS.get(lower) or _find_stand_ins(lower, vocabulary)) if synonyms else vocabulary
    new = _pick_other(choice, lower, desk.rng)
    return before + (new.capitalize() if old[0].isupper() else new) + after


def _find_stand_ins(word: str, vocabulary: tuple[str, ...]) -> tuple[str, ...]:
    digest = blake2b(word.encode(), digest_size=12).digest()
    starts = (int.from_bytes(digest[start : start + 4], "big") for start in (0, 4, 8))
    return tuple(vocabulary[start % len(vocabulary)] for start in starts)


def _pick_other(words: tuple[str, ...], word: str, rng: RandomStream) -> str:
    others = [other for other in words if other != word]
    return rng.pick(others) if others else word + "s"
