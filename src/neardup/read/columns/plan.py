"""Choose the columns of a table that are the text, the id, the time and the attributes, by their names.

Names are compared without case, spaces and punctuation. The columns that the caller names take precedence.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from neardup.errors import InputError
from neardup.read.reading import Reading

Picks = tuple[tuple[str, ...], ...]
"""Alternatives, of which the first one with a value is used; each is one column or several joined by a space."""

Longest = Callable[[Sequence[str]], str | None]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_TEXT = _words(
    "text fulltext rawtext content contents rawcontent body bodytext comment comments commenttext message messagetext "
    "description document documenttext html rawhtml abstract letter article post review tweet sms summary question "
    "sentence headline title subject"
)
_HTML = ("html", "rawhtml")
_ID = _words(
    "id documentid docid commentid textid articleid recordid uniqueid uid uuid guid messageid msgid identifier key"
)
_TIME = _words(
    "time timestamp datetime date created createdat createddate createdtime published publishedat publisheddate "
    "publicationdate pubdate publishdate received receivedat receiveddate receivedate posted postedat posteddate sent "
    "sentat sentdate datesent submitted submittedat submitteddate modified modifieddate updated updatedat"
)
_ATTRIBUTES = {
    "sender": _words("sender from author authorname organization organizationname"),
    "receiver": _words("receiver recipient to"),
    "docket": _words("docket docketid docketnumber"),
    "topic": _words("topic title subject"),
    "relayer": _words("relayer relay"),
}
_PORTAL = {"documentid", "docketid", "comment"}
"""Columns that together identify the bulk download of the US regulations portal."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The columns to use of one table; without a text column its records are unreadable."""

    text: str | None
    id: str | None = None
    time: Picks = ()
    attributes: dict[str, Picks] = field(default_factory=dict)
    html: bool = False
    guess: str = ""

    def columns(self) -> list[str]:
        """Return the columns to read, each once."""
        picks = (self.time, *self.attributes.values())
        names = [self.text, self.id, *(name for pick in picks for alternative in pick for name in alternative)]
        return list(dict.fromkeys(name for name in names if name is not None))


def plan_columns(names: Sequence[str], reading: Reading, where: str, longest: Longest) -> Plan:
    """Choose the columns of a table; `longest` names the column with the longest values, for a text of unknown name.

    A table without text is an error if it is the only input; among others, its records are unreadable.
    """
    wanted = reading.wanted
    known = {_plain(name): name for name in reversed(names)}
    identity = match_column(wanted.id, names, where) if wanted.id else _first(_ID, known)
    portal = known.keys() >= _PORTAL
    time = ((match_column(wanted.time, names, where),),) if wanted.time else _times(known, portal=portal)
    others = {identity, *(name for pick in time for name in pick)}
    text = match_column(wanted.text, names, where) if wanted.text else _first(_TEXT, known)
    guess = f"text from {text!r}"
    if text is None:
        text = longest([name for name in names if name not in others])
        guess = f"no column has a known name, so the text is the longest column, {text!r}"
    if text is None:
        return _without_text(names, reading, where)
    attributes = {
        attribute: picks
        for attribute in _ATTRIBUTES
        if (picks := tuple(pick for pick in _attribute(attribute, known) if {text, *others}.isdisjoint(pick)))
    }
    guess += f", id from {identity!r}" if identity else ""
    guess += f", time from {' or '.join(repr(name) for (name,) in time)}" if time else ""
    guess += " (the columns of the regulations portal)" if portal else ""
    return Plan(text, identity, time, attributes, _plain(text) in _HTML, guess)


def _without_text(names: Sequence[str], reading: Reading, where: str) -> Plan:
    problem = f"no column of {_list(names)} contains text"
    if reading.alone:
        raise InputError(f"{where}: {problem}: name one with text=")
    reading.fail(where, problem)
    return Plan(None, guess=problem)


def match_column(name: str, names: Sequence[str], where: str) -> str:
    """Find the column that the caller named, or raise InputError with the existing and the similar names."""
    if name in names:
        return name
    same = [other for other in names if _plain(other) == _plain(name)]
    if len(same) == 1:
        return same[0]
    close = difflib.get_close_matches(name.lower(), [other.lower() for other in names[:1000]], n=3)
    meant = [other for other in names if other.lower() in close]
    hint = f" Did you mean {_list(meant)}?" if meant else ""
    raise InputError(f"{where}: there is no column {name!r}; the columns are {_list(names)}.{hint}")


def is_known(name: str) -> bool:
    """Return whether a name is one of the names that columns are recognised by."""
    plain = _plain(name)
    return any(plain in group for group in (_TEXT, _ID, _TIME, *_ATTRIBUTES.values()))


@lru_cache(1024)
def names_text(name: str) -> bool:
    """Return whether a name is one of the names that texts are recognised by."""
    return _plain(name) in _TEXT


def names_id(name: str) -> bool:
    """Return whether a name is one of the names that ids are recognised by."""
    return _plain(name) in _ID


def best_text(names: Sequence[str]) -> str | None:
    """Return the name that is most likely the text."""
    return next((name for name in _TEXT if name in names), None)


def best_id(names: Sequence[str]) -> str | None:
    """Return the name that is most likely the id."""
    return next((name for name in _ID if name in names), None)


def best_time(names: Sequence[str]) -> str | None:
    """Return the name that is most likely the time."""
    return next((name for name in _TIME if name in names), None)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _first(candidates: Sequence[str], known: dict[str, str]) -> str | None:
    return next((known[name] for name in candidates if name in known), None)


def _times(known: dict[str, str], *, portal: bool) -> Picks:
    if portal or "receivedate" in known:
        return tuple((known[name],) for name in ("receiveddate", "receivedate", "posteddate") if name in known)
    found = _first(_TIME, known)
    return ((found,),) if found else ()


def _attribute(attribute: str, known: dict[str, str]) -> Picks:
    found = tuple((known[name],) for name in _ATTRIBUTES[attribute] if name in known)[:1]
    if attribute == "sender" and {"firstname", "lastname"} <= known.keys():
        return (*found, (known["firstname"], known["lastname"]))
    return found


def _list(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name if len(name) <= 40 else f"{name[:39]}…") for name in names[:20])
    return shown + (f" and {len(names) - 20} more" if len(names) > 20 else "") if names else "none"
