"""How a setting is declared: once, with its default, bounds, meaning and place in the paper.

A detector is a dataclass whose fields are declared by the functions of this module. Validation, `neardup methods NAME`,
the help of the command line and the table in the docs are derived from the declarations.
"""

from __future__ import annotations

import math
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
LONGEST_VALUE = 80
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
        declared = _declaration(item)
        yield Setting(item.name, item.default, declared.meaning, declared.paper, declared.kind)


def check_field(item: Field[Any], value: object) -> object:
    """Return the value of a setting in its proper type, or raise SettingsError."""
    return _declaration(item).kind.accept(item.name, value)


def record_field(item: Field[Any], value: object) -> object:
    """Return what is stored of the value of a setting."""
    return _declaration(item).kind.record(value)


def _declaration(item: Field[Any]) -> _Declared:
    if METADATA not in item.metadata:
        raise TypeError(f"{item.name} is not declared as a setting: see neardup.detectors.settings")
    declared: _Declared = item.metadata[METADATA]
    return declared


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
        if (isinstance(value, str) and value in self.known) or (self.optional and value is None):
            return value
        raise SettingsError(f"{name} is {shorten(value)}, but must be one of {', '.join(self.known)}")

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
        number = as_number(value)
        if number is not None:
            if LEAST_SHARE <= number <= 1 and not (self.below_one and number == 1):
                return number
            if self.zero and number == 0:
                return number
        raise SettingsError(f"{name} is {shorten(value)}, but must be a number: {self.describe()}")

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
            raise SettingsError(
                f"{name} is {shorten(value)}, but must be a whole number from {self.least} to {self.most}"
            )
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
        number = as_number(value)
        if number is not None and (number > 0 or (self.zero and number == 0)):
            return number
        raise SettingsError(f"{name} is {shorten(value)}, but must be a number: {self.describe()}")

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
        if isinstance(value, bool | np.bool_) or (isinstance(value, int) and value in (0, 1)):
            return bool(value)
        raise SettingsError(f"{name} is {shorten(value)}, but must be true or false")

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
            raise SettingsError(f"{name} is {shorten(value)}, but must be {self.wanted}")
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


def as_number(value: object) -> float | None:
    """Return a finite number as a float; None for anything else."""
    if not isinstance(value, int | float | np.floating) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def shorten(value: object) -> str:
    """Return a value as an error message shows it."""
    try:
        text = repr(value)
    except ValueError:
        return "too large"
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def strip_markdown(text: str) -> str:
    """Return a description as plain text, for the terminal."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("*", "")
