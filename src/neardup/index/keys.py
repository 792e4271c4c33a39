"""The keys of a batch as rows of a table and as questions to it, both in the order in which the table stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from neardup.stages import NOWHERE, Keys, Moments, Numbers

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Columns = tuple[Integers, ...]


@dataclass(frozen=True, slots=True)
class KeyRows:
    """Sorted keys: key, moment, place of the node in the batch, and size; and what each of them meets.

    A question is who asks, the key, and the least and the most of moment and size. Who asks by a key that is enough by
    itself has -1 - place. `beside` are the questions for what stands nowhere, where the others do not ask for that;
    `common` is how many common keys were known.
    """

    rows: Columns
    questions: Columns
    beside: Columns
    needed: Numbers | None
    common: int = 0

    @classmethod
    def sort(cls, keys: Keys, common: int = 0) -> Self:
        """Sort the keys of a batch, each node once under a key and moment, however often a rule names it."""
        counts = (keys.offsets[1:] - keys.offsets[:-1]).astype(np.int64)
        places = np.repeat(np.arange(len(keys), dtype=np.int64), counts)
        values = keys.values.view(np.int64)
        own, least, most = _line(keys.moments, len(values))
        size, smallest, largest = _line(keys.sizes, len(values))
        order = np.lexsort((places, own, values))
        rows = tuple(column[order] for column in (values, own, places, size))
        new = np.append(True, np.any([np.diff(column) != 0 for column in rows[:3]], axis=0))[: len(values)]
        # Who asks by a key that is enough by itself stands below zero, so that the answers can be told apart.
        asked = places if keys.enough is None else np.where(keys.enough, -1 - places, places)
        columns = (asked, values, least, most, smallest, largest)
        questions = tuple(column[order][new] for column in columns)
        beside = _beside(keys.moments, questions)
        return cls(tuple(column[new] for column in rows), questions, beside, keys.needed, common)

    def chosen(self, places: Flags, numbers: Integers) -> Columns:
        """Return the rows of the chosen places, which have these numbers in the index."""
        kept = places[self.rows[2]]
        key, moment, place, size = (column[kept] for column in self.rows)
        return key, moment, numbers[place], size

    def frequent(self, least: int) -> dict[int, int]:
        """Return the keys that at least so many have, and how many."""
        keys, counts = np.unique(self.rows[0], return_counts=True)
        often = counts >= least
        return dict(zip(keys[often].tolist(), counts[often].tolist(), strict=True))

    def probes(self, places: Flags, *, some_nowhere: bool) -> Columns:
        """Return the questions of the chosen places."""
        asked = _of(self.questions, places)
        if not some_nowhere or not len(self.beside[0]):
            return asked
        more = _of(self.beside, places)
        return tuple(np.concatenate(pair) for pair in zip(asked, more, strict=True))


def _of(questions: Columns, places: Flags) -> Columns:
    """Return the questions of some places."""
    asked = np.where(questions[0] < 0, -1 - questions[0], questions[0])
    return tuple(column[places[asked]] for column in questions)


def _line(moments: Moments | None, count: int) -> Columns:
    if moments is None:
        nothing = np.zeros(count, np.int64)
        return nothing, nothing, nothing
    return moments.own, moments.least, moments.most


def _beside(moments: Moments | None, questions: Columns) -> Columns:
    asked, values, least, _, smallest, largest = questions
    wanted = least > NOWHERE
    if moments is None or not moments.some_nowhere:
        wanted = np.zeros(len(least), bool)
    nowhere = np.full(int(wanted.sum()), NOWHERE, np.int64)
    return asked[wanted], values[wanted], nowhere, nowhere, smallest[wanted], largest[wanted]
