"""What one call of `read` carries along: the columns asked for, the limits, and what there is to say and to count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from neardup.errors import InputError

Progress = Callable[[str, int, int | None], None]

COUNTED = (
    "records",
    "empty",
    "unreadable",
    "repeated_ids",
    "times_unparsed",
    "blank_lines",
    "replaced_characters",
)
"""The counts that every Documents has."""

_STEP = 1 << 20
_SHOWN = 5
_SENTENCES = 20


@dataclass(frozen=True, slots=True)
class Limits:
    """How far an input may unfold before it is taken for a bomb, and how large one document may be.

    A compressed stream or archive member is cut off when it has given more than `member_bytes` and more than `ratio`
    times what it was made from; all members of one input together likewise at `total_bytes`. `depth` counts archives
    inside archives.
    """

    ratio: int = 200
    member_bytes: int = 1 << 30
    total_bytes: int = 8 << 30
    document_bytes: int = 1 << 30
    depth: int = 2


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns that the caller named; what is None is found by its name."""

    text: str | None = None
    id: str | None = None
    time: str | None = None

    def named(self) -> tuple[str, ...]:
        """Return the names that were given."""
        return tuple(name for name in (self.text, self.id, self.time) if name is not None)


class Unreadable(Exception):  # noqa: N818 - named for what happened
    """A file, member or record cannot be read, and why; it never leaves this room."""


class Reading:
    """The running state of one call of `read`."""

    def __init__(
        self,
        wanted: Wanted | None = None,
        *,
        strict: bool = False,
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.wanted = wanted or Wanted()
        self.strict = strict
        self.limits = limits or Limits()
        self.counts = dict.fromkeys(COUNTED, 0)
        self.total: int | None = None
        self.alone = True  # whether there is one thing to read, so that what is wrong with it is an error
        self._progress = progress
        self._done = self._told = 0
        self._notes: dict[str, tuple[str, int]] = {}
        self._problems: list[str] = []
        self._problem_count = 0

    def note(self, name: str, sentence: str) -> None:
        """Remember what was guessed about an input; the same guess about many is said once."""
        first, count = self._notes.get(sentence, (name, 0))
        self._notes[sentence] = (first, count + 1)

    def fail(self, place: str | Callable[[], str], reason: str) -> None:
        """Remember a record that cannot be read, or raise at once under `strict`.

        A place that takes time to tell is given as a function, which is called only if it is shown.
        """
        self._problem_count += 1
        if len(self._problems) == _SHOWN:
            return
        message = f"{place if isinstance(place, str) else place()}: {reason}"
        if self.strict:
            raise InputError(f"{message} (without strict it is kept as unreadable and counted)")
        self._problems.append(message)

    def advance(self, amount: int) -> None:
        """Count input bytes as done and tell whoever watches, about once in a mebibyte."""
        self._done += amount
        if self._progress is not None and self._done - self._told >= _STEP:
            self._told = self._done
            self._progress("read", self._done if self.total is None else min(self._done, self.total), self.total)

    def finish(self) -> None:
        """Tell whoever watches that everything is read."""
        if self._progress is not None:
            self._progress("read", self._done if self.total is None else self.total, self.total)

    def notes(self) -> tuple[str, ...]:
        """Return what was guessed and what could not be read, in plain sentences."""
        sentences = [
            f"{name}: {sentence}." if count == 1 else f"{name} and {count - 1:,} more: {sentence}."
            for sentence, (name, count) in self._notes.items()
        ]
        if len(sentences) > _SENTENCES:
            left = len(sentences) - _SENTENCES
            sentences[_SENTENCES:] = [f"The same was done, with other guesses, for {left:,} more groups of inputs."]
        sentences += [f"Could not be read: {problem}." for problem in self._problems]
        if self._problem_count > len(self._problems):
            sentences.append(f"Could not be read: {self._problem_count - len(self._problems):,} more.")
        return tuple(sentences)
