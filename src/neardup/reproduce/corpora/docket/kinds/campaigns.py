"""The campaigns of a docket: a form letter or a menu of talking points, who relays it, and its salutation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from neardup.errors import InputError, SettingsError
from neardup.reproduce.corpora.docket.bodies.forms import Form, choose_forms
from neardup.reproduce.corpora.docket.bodies.source import Source
from neardup.reproduce.corpora.docket.frame import SALUTATIONS
from neardup.reproduce.corpora.docket.kinds.menus import FEWEST_POINTS, list_points
from neardup.reproduce.corpora.docket.people import Relayer, invent_relayers
from neardup.reproduce.corpora.docket.settings import DocketSettings
from neardup.reproduce.random_stream import RandomStream


@dataclass(frozen=True, slots=True)
class Campaign:
    """A form letter, the organisation that relays it, its salutation, and whether its paragraphs are a menu."""

    form: Form
    relayer: Relayer
    salutation: str
    menu: bool = False


def choose_campaigns(source: Source, settings: DocketSettings) -> tuple[list[Campaign], list[Sequence[str]]]:
    """Choose the campaigns of a docket from its source; return them and the other letters. Menus are last."""
    rng = RandomStream(settings.seed, "campaigns")
    wanted = settings.count_campaigns()
    forms, rest = choose_forms(source.letters, wanted, rng)
    if not forms:
        raise InputError(
            f"none of the {source.given} letters can be a form letter: it needs four paragraphs or more, "
            "150 to 700 words and eight sentences"
        )
    if settings.campaigns is not None and len(forms) < wanted:
        raise SettingsError(
            f"the letters are enough for {len(forms)} campaigns, not for {wanted}: give more letters of four "
            "paragraphs or more, or fewer campaigns"
        )
    relayers = invent_relayers(-(-len(forms) * 3 // 5), rng)
    salutations = [rng.pick(SALUTATIONS) for _ in forms]
    menus = settings.count_menus(len(forms))
    if menus:
        forms = _put_menus_last(forms, menus)
    first = len(forms) - menus
    campaigns = [
        Campaign(form, relayers[index % len(relayers)], salutation, index >= first)
        for index, (form, salutation) in enumerate(zip(forms, salutations, strict=True))
    ]
    return campaigns, rest


def _put_menus_last(forms: list[Form], menus: int) -> list[Form]:
    """Order the form letters so that those with most talking points are last."""
    ordered = sorted(forms, key=lambda form: len(list_points(form)))
    if len(list_points(ordered[-menus])) < FEWEST_POINTS:
        raise SettingsError(f"the letters are not long enough for {menus} menus of {FEWEST_POINTS} points or more")
    return ordered
