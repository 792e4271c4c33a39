"""The state of one call of `read`: the columns requested, the limits, the notes and the counts."""

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
"""The counts of every collection that is read."""

_STEP = 1 << 20
_SHOWN = 5
_SENTENCES = 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits against decompression bombs, and the largest size of one document.

    A compressed stream or archive member is cut off when it has produced more than `member_bytes` and more than `ratio`
    times its compressed size; all members of one input together are cut off likewise at `total_bytes`. `depth` limits
    archives inside archives.
    """

    ratio: int = 200
    member_bytes: int = 1 << 30
    total_bytes: int = 8 << 30
    document_bytes: int = 1 << 30
    depth: int = 2

    def check_expansion(self, produced: int, compressed: int) -> None:
        """Raise Unreadable if this many bytes from this many compressed ones indicate a decompression bomb."""
        if produced > self.member_bytes and produced > self.ratio * max(compressed, 1):
            raise Unreadable(f"it decompresses to more than {self.ratio} times its size, which suggests a bomb")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns that the caller named; the others are recognised by their names."""

    text: str | None = None
    id: str | None = None
    time: str | None = None

    def named(self) -> tuple[str, ...]:
        """Return the names that the caller gave."""
        return tuple(name for name in (self.text, self.id, self.time) if name is not None)


class Unreadable(Exception):  # noqa: N818 - named for what happened
    """A file, member or record cannot be read, for the given reason; never raised to the caller of `read`."""


class Reading:
    """The state of one call of `read`."""

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
        self.alone = True  # whether there is only one file, so that a problem with it is an error
        self._progress = progress
        self._done = self._reported = 0
        self._notes: dict[str, tuple[str, int]] = {}
        self._problems: list[str] = []
        self._problem_count = 0

    def note(self, name: str, sentence: str) -> None:
        """Add a note about an input; the same note about several inputs is shown once."""
        first, count = self._notes.get(sentence, (name, 0))
        self._notes[sentence] = (first, count + 1)

    def fail(self, where: str | Callable[[], str], reason: str) -> None:
        """Note a record that cannot be read; under `strict`, raise InputError.

        If `where` takes time to compute it may be a function, which is called only if the note is shown.
        """
        self._problem_count += 1
        if len(self._problems) == _SHOWN:
            return
        message = f"{where if isinstance(where, str) else where()}: {reason}"
        if self.strict:
            raise InputError(f"{message} (without strict, it would be kept as unreadable and counted)")
        self._problems.append(message)

    def advance(self, amount: int) -> None:
        """Count input bytes as read and report progress about once per mebibyte."""
        self._done += amount
        if self._progress is not None and self._done - self._reported >= _STEP:
            self._reported = self._done
            self._progress("read", self._done if self.total is None else min(self._done, self.total), self.total)

    def finish(self) -> None:
        """Report that everything is read."""
        if self._progress is not None:
            self._progress("read", self._done if self.total is None else self.total, self.total)

    def notes(self) -> tuple[str, ...]:
        """Return the guesses and the problems as sentences."""
        sentences = [
            f"{name}: {sentence}." if count == 1 else f"{name} and {count - 1:,} more: {sentence}."
            for sentence, (name, count) in self._notes.items()
        ]
        if len(sentences) > _SENTENCES:
            left = len(sentences) - _SENTENCES
            sentences[_SENTENCES:] = [f"{left:,} more groups of inputs were read with other guesses."]
        sentences += [f"Could not be read: {problem}." for problem in self._problems]
        if self._problem_count > len(self._problems):
            sentences.append(f"Could not be read: {self._problem_count - len(self._problems):,} more.")
        return tuple(sentences)
