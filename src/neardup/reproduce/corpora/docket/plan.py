"""The plan of a docket: kind, campaign, docket number and time of every letter, as columns of numbers in order of time.

Sizes of campaigns follow Zipf's law, flattened at the head where several campaigns are large. A campaign begins with
its reference copy; copies are later, most of them soon after. Memory: about 20 bytes per letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from neardup.errors import SettingsError
from neardup.reproduce.corpora.docket.settings import ALONE, COPIES, MENU, QUOTING, STYLES, WRONG_DOCKET, DocketSettings
from neardup.reproduce.random_stream import RandomStream

REFERENCE = "reference"
OPENING = 1_704_672_000  # 2024-01-08T00:00:00Z
DAY = 86_400
PERIOD = 60 * DAY
SCATTERED = 4
"""The least number of letters of a campaign without identical copies."""

_NO_EDITS = ("exact", WRONG_DOCKET, MENU, *QUOTING, *ALONE)

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Plan:
    """For each letter in order of time: its kind, its campaign (-1 for none), its docket and its time."""

    names: tuple[str, ...]
    kinds: Numbers
    campaigns: Numbers
    dockets: Numbers
    seconds: Numbers
    homes: tuple[int, ...]
    docket_numbers: tuple[str, ...]


def make_plan(settings: DocketSettings, campaigns: int) -> Plan:
    """Plan every letter."""
    rng = RandomStream(settings.seed, "plan")
    style = STYLES[settings.style]
    counts = count_kinds(settings, campaigns)
    names = (REFERENCE, *counts)
    homes = tuple(index % len(style.dockets) for index in range(campaigns))
    kinds, owners = _deal_kinds(settings, counts, campaigns, rng)
    docket_numbers = style.dockets + style.misfiled
    dockets = [homes[owner] if owner >= 0 else rng.below(len(style.dockets)) for owner in owners]
    starts = [OPENING + DAY // 4 + rng.below(PERIOD * 3 // 5) for _ in range(campaigns)]
    seconds = []
    for kind, owner in zip(kinds, owners, strict=True):
        start = starts[owner] if owner >= 0 else OPENING
        delay = rng.random()
        later = 60 + int((OPENING + PERIOD - start - 60) * (delay * delay if owner >= 0 else delay))
        seconds.append(start if kind == REFERENCE else start + later)
    _misfile(kinds, dockets, seconds, len(docket_numbers), rng)
    numbers = {name: number for number, name in enumerate(names)}
    order = np.argsort(np.array(seconds, np.int64), kind="stable")
    columns = ([numbers[kind] for kind in kinds], owners, dockets, seconds)
    kind_column, owner_column, docket_column, second_column = (np.array(column, np.int64)[order] for column in columns)
    return Plan(names, kind_column, owner_column, docket_column, second_column, homes, docket_numbers)


def count_kinds(settings: DocketSettings, campaigns: int) -> dict[str, int]:
    """Return the number of letters of each kind; every campaign gets its least number of copies, whatever the mix."""
    mix = settings.resolve_mix()
    scattered = settings.count_scattered(campaigns)
    bound = COPIES * (campaigns - scattered) + scattered
    least = bound + (SCATTERED - 1) * scattered
    if least > settings.size:
        raise SettingsError(
            f"{campaigns} campaigns need {least} letters at least, the docket has {settings.size}: "
            "choose fewer campaigns or a larger size"
        )
    # Rounded up: if all other shares are 0, no letter may be left over.
    exact = max(bound, ceil(mix["exact"] * settings.size - 1e-9))
    counts = {"exact": exact} | _count_others(settings, mix, settings.size - exact)
    if scattered == campaigns:
        # There are no exact copies; the letters that would be copies get minor changes.
        kind = MENU if settings.count_menus(campaigns) == campaigns else "minor_change"
        counts[kind] += exact - campaigns + counts[WRONG_DOCKET]
        counts |= {"exact": campaigns, WRONG_DOCKET: 0}
    return counts


def _count_others(settings: DocketSettings, mix: dict[str, float], left: int) -> dict[str, int]:
    """Return the numbers of letters that are not exact copies: the requested shares if they fit, then the others."""
    others = {name: share for name, share in mix.items() if name != "exact"}
    asked = {name: round(share * settings.size) for name, share in others.items() if name in settings.mix}
    rest = {name: share for name, share in others.items() if name not in asked}
    spare = left - sum(asked.values())
    if spare < 0 or not sum(rest.values()):
        asked, rest, spare = {}, others, left
    return dict.fromkeys(others, 0) | asked | dict(zip(rest, share_out(spare, list(rest.values())), strict=True))


def share_out(total: int, weights: Sequence[float]) -> list[int]:
    """Divide an integer in proportion to weights, by the largest remainders."""
    whole = sum(weights) or 1
    exact = [total * weight / whole for weight in weights]
    parts = [int(part) for part in exact]
    by_remainder = sorted(range(len(weights)), key=lambda index: (parts[index] - exact[index], index))
    for index in by_remainder[: total - sum(parts)]:
        parts[index] += 1
    return parts


def _deal_kinds(
    settings: DocketSettings, counts: dict[str, int], campaigns: int, rng: RandomStream
) -> tuple[list[str], list[int]]:
    """Assign kinds and campaigns: first the letters that each campaign must have, then the others in proportion."""
    copied = campaigns - settings.count_scattered(campaigns)
    first_menu = campaigns - settings.count_menus(campaigns)
    weights = [1 / (rank + 1 + STYLES[settings.style].level) for rank in range(campaigns)]
    edits = [name for name, count in counts.items() if name not in _NO_EDITS for _ in range(count)]
    rng.shuffle(edits)
    kinds = [REFERENCE] * campaigns
    owners = list(range(campaigns))

    def deal(names: list[str], among: Sequence[int]) -> None:
        kinds.extend(names)
        shares = share_out(len(names), [weights[owner] for owner in among]) if among else []
        owners.extend(owner for owner, share in zip(among, shares, strict=True) for _ in range(share))

    for owner in range(copied):
        deal(["exact"] * (COPIES - 1), [owner])
    for owner in range(copied, first_menu):
        deal([edits.pop() for _ in range(SCATTERED - 1) if edits], [owner])
    deal(edits, range(first_menu))
    deal([MENU] * counts[MENU], range(first_menu, campaigns))
    deal([name for name in QUOTING for _ in range(counts[name])], range(first_menu))
    deal(["exact"] * (counts["exact"] - campaigns - copied * (COPIES - 1)), range(copied))
    # Only few campaigns are misfiled, or each misfiled letter would be alone on its docket.
    deal([WRONG_DOCKET] * counts[WRONG_DOCKET], range(-(-copied // 8)))
    alone = [name for name in ALONE for _ in range(counts[name])]
    return kinds + alone, owners + [-1] * len(alone)


def _misfile(kinds: list[str], dockets: list[int], seconds: list[int], numbers: int, rng: RandomStream) -> None:
    """Give letters with a wrong docket number another docket than their campaign's, no two in the same second."""
    taken: set[int] = set()
    for index, kind in enumerate(kinds):
        if kind == WRONG_DOCKET:
            dockets[index] = (dockets[index] + 1 + rng.below(numbers - 1)) % numbers
            while seconds[index] in taken:
                seconds[index] += 1
            taken.add(seconds[index])
