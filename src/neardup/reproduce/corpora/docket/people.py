"""Invented people, places, mail providers and relaying organisations, none of them real.

Surnames and places are combined from parts; addresses use numbers and domains that are reserved for examples.
"""

from __future__ import annotations

from dataclasses import dataclass

from neardup.reproduce.random_stream import RandomStream


def _list(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(","))


_GIVEN = _list(
    "Ada, Agnes, Albert, Alma, Amos, Anita, Arlo, Beatriz, Bernard, Bruno, Camille, Carmen, Cedric, Chana, Clara, "
    "Conrad, Dalia, Daniel, Dora, Edgar, Elena, Elias, Emeka, Esther, Fatima, Felix, Flora, Gideon, Greta, Hana, "
    "Harvey, Hazel, Hugo, Ida, Imani, Ines, Irving, Ivy, Jamal, Joan, Jonas, Julia, Kenji, Lars, Leila, Lena, "
    "Leroy, Lotte, Louis, Mabel, Marco, Marta, Maya, Miles, Nadia, Nels, Nina, Noel, Olga, Omar, Oscar, Paula, "
    "Petra, Quincy, Rafael, Rita, Rosa, Rufus, Ruth, Samir, Selma, Silas, Stella, Tariq, Tess, Theo, Uma, Vera, "
    "Victor, Wanda, Wei, Winston, Xenia, Yusuf, Zelda"
)
_STEMS = _list(
    "Alder, Bram, Corrin, Dunn, Eller, Farn, Grist, Hobb, Inger, Jarra, Kess, Lorn, Marra, Nether, Orrin, Pem, Quen, "
    "Rusk, Sorrow, Thack, Umber, Varn, Wex, Yarrow, Zann"
)
_ENDS = _list("combe, dale, field, gate, hurst, land, ley, mere, more, ridge, stead, stone, thwaite, wick, worth")
SURNAMES = tuple(stem + end for stem in _STEMS for end in _ENDS)
"""Surnames; also used to replace proper names in letters."""

_STREETS = _list(
    "Alderbrook, Birchwind, Candlewick, Driftmill, Elmhollow, Foxglove, Greystile, Hartsong, Ivyreach, Juniper, "
    "Kestrel, Larkmeadow, Millrace, Orchard, Plumtree"
)
_WAYS = _list("Street, Avenue, Lane, Road, Drive, Court, Way")
_TOWNS = _list(
    "Ashbarrow, Brindle Falls, Caskett, Dovermill, East Larkin, Fennimore Springs, Gannet Harbor, Hollow Pines, "
    "Lower Tamsin, Mirefield, North Quarry, Oakenshade, Port Selwyn, Stillmarsh, Upper Tamsin, Wrenfield"
)
_STATES = _list("AK, AZ, CA, CO, FL, GA, ID, IL, IN, ME, MI, MN, MT, NC, NM, NY, OH, OR, PA, TN, TX, UT, VT, WA, WI")
PROVIDERS = _list("postbox.example, freemail.example, citymail.example, webletter.example")

_CAUSES = _list(
    "Clear Rivers, Open Skies, Fair Fields, Quiet Harbors, Safe Roads, Green Commons, Working Towns, Honest Measures, "
    "Healthy Homes, Common Ground, Bright Futures, Free Enterprise"
)
_BODIES = _list("Action Network, Alliance, Coalition, Council, Watch, Campaign, Forum, League")


@dataclass(frozen=True, slots=True)
class Person:
    """The writer of a letter."""

    given: str
    surname: str
    street: str
    town: str
    state: str
    postcode: str
    mail: str
    organisation: str

    @property
    def name(self) -> str:
        """The full name."""
        return f"{self.given} {self.surname}"


@dataclass(frozen=True, slots=True)
class Relayer:
    """An organisation that relays the letters of its members, and the footer that it adds."""

    name: str
    domain: str
    footer: tuple[str, ...]


def invent_person(rng: RandomStream) -> Person:
    """Return an invented person with an address."""
    given, surname = rng.pick(_GIVEN), rng.pick(SURNAMES)
    return Person(
        given,
        surname,
        f"{rng.between(1, 998)} {rng.pick(_STREETS)} {rng.pick(_WAYS)}",
        rng.pick(_TOWNS),
        rng.pick(_STATES),
        f"{rng.between(1, 99999):05d}",
        f"{given}.{surname}{rng.between(1, 99)}@{rng.pick(PROVIDERS)}".lower(),
        f"{rng.pick(_TOWNS)} {rng.pick(_BODIES)}" if rng.happens(0.06) else "",
    )


def invent_relayers(count: int, rng: RandomStream) -> list[Relayer]:
    """Return invented organisations with different names, each with a footer."""
    names = [f"{cause} {body}" for body in _BODIES for cause in _CAUSES]
    rng.shuffle(names)
    return [_make_relayer(names[index % len(names)], index // len(names), rng) for index in range(count)]


def _make_relayer(name: str, chapter: int, rng: RandomStream) -> Relayer:
    name += f" Chapter {chapter + 1}" if chapter else ""
    domain = name.lower().replace(" ", "") + ".example"
    sent = f"This message was sent by {name} on behalf of the person named above."
    footers = (
        ("-- ", f"{name}, https://www.{domain}", "Join the campaign and add your voice today."),
        ("_" * 40, sent, f"To learn more visit https://act.{domain}"),
        (sent, f"{name} does not keep a copy of your letter."),
        ("-- ", sent),
    )
    return Relayer(name, domain, rng.pick(footers))
