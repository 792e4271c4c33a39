"""How a setting is declared: once, with its default, bounds, meaning and place in the paper.

A detector is a dataclass whose fields are declared by the functions of this module. Validation, `neardup methods NAME`,
the help of the command line and the table in the docs are derived from the declarations.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final, Generic, Protocol, TypeVar, get_args

import numpy as np

from neardup.errors import SettingsError
from neardup.represent import Lexicon

OURS: Final = "ours"
LEAST_SHARE = 0.001
METADATA = "setting"

T = TypeVar("T")


class Fingerprinted(Protocol):
    """An object that is identified by a fingerprint of its content."""

    @property
    def fingerprint(self) -> str:
        """What identifies the content."""


F = TypeVar("F", bound=Fingerprinted)


class Kind(ABC):
    """The values that a setting can have."""

    @abstractmethod
    def accept(self, name: str, value: object) -> object:
        """Return the value in its proper type, or raise an error that names the values that are possible."""

    @abstractmethod
    def describe(self) -> str:
        """Return the possible values in a few words."""

    @abstractmethod
    def hint(self) -> str:
        """Return the type of the values as a Python annotation."""

    def record(self, value: object) -> object:
        """Return what is stored of a value, in `run.json` and in an index."""
        return value


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a detector as it was declared."""

    name: str
    default: object
    meaning: str
    paper: str
    kind: Kind

    @property
    def values(self) -> str:
        """The possible values in a few words."""
        return self.kind.describe()


@dataclass(frozen=True, slots=True)
class _Declared:
    meaning: str
    paper: str
    kind: Kind


def list_settings(detector: type[Any]) -> Iterator[Setting]:
    """Yield the settings of a detector in the order of their declaration."""
    for item in fields(detector):
        declared: _Declared = item.metadata[METADATA]
        yield Setting(item.name, item.default, declared.meaning, declared.paper, declared.kind)


def check_field(item: Field[Any], value: object) -> object:
    """Return the value of a setting in its proper type, or raise SettingsError."""
    declared: _Declared = item.metadata[METADATA]
    return declared.kind.accept(item.name, value)


def record_field(item: Field[Any], value: object) -> object:
    """Return what is stored of the value of a setting."""
    declared: _Declared = item.metadata[METADATA]
    return declared.kind.record(value)


def _declare(default: T, meaning: str, paper: str, kind: Kind) -> T:
    return field(default=default, metadata={METADATA: _Declared(meaning, paper, kind)})


def choice(default: T, values: object, meaning: str, *, paper: str = OURS) -> T:
    """Declare a setting that is one of the values of a Literal type; if its default is None, it may also be None."""
    return _declare(default, meaning, paper, Choice(get_args(values), optional=default is None))


def share(default: float, meaning: str, *, paper: str = OURS, below_one: bool = False, zero: bool = False) -> float:
    """Declare a setting that is a number from a thousandth to 1, or `below_one`; `zero` is also possible if asked."""
    return _declare(default, meaning, paper, Share(below_one=below_one, zero=zero))


def whole(default: T, least: int, most: int, meaning: str, *, paper: str = OURS) -> T:
    """Declare a setting that is a whole number; if its default is None, it may also be None."""
    return _declare(default, meaning, paper, Whole(least, most, optional=default is None))


def positive(default: T, meaning: str, *, paper: str = OURS, zero: bool = False) -> T:
    """Declare a setting that is a number above 0; if its default is None, it may also be None."""
    return _declare(default, meaning, paper, Positive(zero=zero, optional=default is None))


def flag(meaning: str, *, default: bool = False, paper: str = OURS) -> bool:
    """Declare a setting that is true or false."""
    return _declare(default, meaning, paper, Flag())


def special(default: T, kind: Kind, meaning: str, *, paper: str = OURS) -> T:
    """Declare a setting whose values are of a kind of its own."""
    return _declare(default, meaning, paper, kind)


def lexicon_file(meaning: str, *, paper: str = OURS) -> Lexicon | None:
    """Declare a setting that is a Lexicon or the path of a saved one."""
    return _declare(None, meaning, paper, LoadedFile(Lexicon, Lexicon.load, "a Lexicon or the path of a saved one"))


@dataclass(frozen=True, slots=True)
class Choice(Kind):
    """One of a few values."""

    known: tuple[str, ...]
    optional: bool = False

    def accept(self, name: str, value: object) -> object:
        """Refuse a value that is not among the known ones."""
        if value in self.known or (self.optional and value is None):
            return value
        raise SettingsError(f"{name} is {value!r}, but must be one of {', '.join(self.known)}")

    def describe(self) -> str:
        """List the values."""
        return ", ".join(self.known)

    def hint(self) -> str:
        """Return a Literal type."""
        values = ", ".join(f'"{value}"' for value in self.known)
        return f"Literal[{values}]" + (" | None" if self.optional else "")


@dataclass(frozen=True, slots=True)
class Share(Kind):
    """A number from a thousandth to 1."""

    below_one: bool = False
    zero: bool = False

    def accept(self, name: str, value: object) -> object:
        """Refuse what is not a number within the bounds."""
        if is_number(value):
            number = float(value)  # type: ignore[arg-type]
            if LEAST_SHARE <= number <= 1 and not (self.below_one and number == 1):
                return number
            if self.zero and number == 0:
                return number
        bound = "to below 1" if self.below_one else "to 1"
        raise SettingsError(f"{name} is {value!r}, but must be a number from {LEAST_SHARE} {bound}")

    def describe(self) -> str:
        """Give the bounds."""
        return f"{'0, or ' if self.zero else ''}{LEAST_SHARE} to {'below ' if self.below_one else ''}1"

    def hint(self) -> str:
        """Return the type of the number."""
        return "float"


@dataclass(frozen=True, slots=True)
class Whole(Kind):
    """A whole number within bounds."""

    least: int
    most: int
    optional: bool = False

    def accept(self, name: str, value: object) -> object:
        """Refuse what is not a whole number within the bounds."""
        if self.optional and value is None:
            return value
        if not isinstance(value, int) or isinstance(value, bool) or not self.least <= value <= self.most:
            raise SettingsError(f"{name} is {value!r}, but must be a whole number from {self.least} to {self.most}")
        return value

    def describe(self) -> str:
        """Give the bounds."""
        return f"{self.least:,} or more" if self.most >= 2**31 else f"{self.least:,} to {self.most:,}"

    def hint(self) -> str:
        """Return the type of the number."""
        return "int | None" if self.optional else "int"


@dataclass(frozen=True, slots=True)
class Positive(Kind):
    """A number above 0."""

    zero: bool = False
    optional: bool = False

    def accept(self, name: str, value: object) -> object:
        """Refuse what is not a number above 0."""
        if self.optional and value is None:
            return value
        if is_number(value):
            number = float(value)  # type: ignore[arg-type]
            if number > 0 or (self.zero and number == 0):
                return number
        raise SettingsError(f"{name} is {value!r}, but must be a number above 0")

    def describe(self) -> str:
        """Give the bound."""
        return "0 or more" if self.zero else "above 0"

    def hint(self) -> str:
        """Return the type of the number."""
        return "float | None" if self.optional else "float"


@dataclass(frozen=True, slots=True)
class Flag(Kind):
    """True or false."""

    def accept(self, name: str, value: object) -> object:
        """Refuse what is neither."""
        if not isinstance(value, bool):
            raise SettingsError(f"{name} is {value!r}, but must be true or false")
        return value

    def describe(self) -> str:
        """Name both."""
        return "true, false"

    def hint(self) -> str:
        """Return the type."""
        return "bool"


@dataclass(frozen=True, slots=True)
class LoadedFile(Kind, Generic[F]):
    """An object, or the path of a file that holds it; its fingerprint is stored."""

    type: type[F]
    load: Callable[[str | os.PathLike[str]], F]
    wanted: str

    def accept(self, name: str, value: object) -> object:
        """Load the file of a path; refuse what is neither a path nor the object."""
        if isinstance(value, str | os.PathLike):
            return self.load(value)
        if value is not None and not isinstance(value, self.type):
            raise SettingsError(f"{name} is {value!r:.80}, but must be {self.wanted}")
        return value

    def record(self, value: object) -> object:
        """Return the fingerprint of the object."""
        return value.fingerprint if isinstance(value, self.type) else value

    def describe(self) -> str:
        """Name what it must be."""
        return self.wanted

    def hint(self) -> str:
        """Return the object's type, or that of a path."""
        return f"{self.type.__name__} | str | PathLike[str] | None"


def is_number(value: object) -> bool:
    """Whether a value is a number and not a boolean."""
    return isinstance(value, int | float | np.floating) and not isinstance(value, bool)


def strip_markdown(text: str) -> str:
    """Return a description as plain text, for the terminal."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("*", "")
