"""Write the parts of the pages that come from the code: the table of settings, and the help of every command.

`python docs/tables.py` does it. What a setting means and where it stands in its paper is said here and nowhere else;
names and defaults come from the detectors. A generated part stands between two comments in its page and is replaced as
a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from neardup.cli.app import app
from neardup.detectors import METHODS, Detector

HERE = Path(__file__).parent
EVERY = tuple(METHODS)
OURS = "ours"
BASELINES = "Yang & Callan 2006, 6.3"
CONRAD = "Conrad et al. 2003"


@dataclass(frozen=True)
class Setting:
    """A setting of one or more methods: its values and meaning, and its place in the paper."""

    name: str
    methods: tuple[str, ...]
    meaning: str
    place: str = OURS


SETTINGS = (
    Setting(
        "markup",
        EVERY,
        "where tags are stripped: `auto` (texts that begin with a doctype or `<html`, HTML files and mail, columns "
        "called html), `html` (everywhere), `plain` (nowhere)",
    ),
    Setting(
        "boilerplate",
        EVERY,
        "what frames the content of a page (navigation, menus, sidebars, banners, footers; `noframes`): `keep`, or "
        "`drop`, so that pages that only share their frame are not alike",
        "similar framing: Ignatov & Kuznetsov 2009, Table 1",
    ),
    Setting(
        "form", EVERY, "Unicode normal form: `nfc`, or `nfkc`, to which full-width letters and ligatures are plain"
    ),
    Setting(
        "linkage",
        EVERY,
        "`star`: each member passes against its reference copy; `components`: whatever hangs together",
        "the papers leave it open",
    ),
    Setting(
        "keep",
        EVERY,
        "which copy is the reference: `earliest`, `latest`, `longest` (in words), `first` (in the input); not given: "
        "earliest where there are times, else the text with most copies, then most partners, then the smaller id",
        "the earliest: Yang & Callan 2006, 4.3",
    ),
    Setting(
        "docstring",
        ("exact",),
        "`safe` keeps words apart; `paper` writes them together, so that *to get her* is *together*",
        "`paper`: Yang & Callan 2006, 4.3",
    ),
    Setting("threshold", ("full", "dsc"), "share of common shingles, strictly above", f"above 80 %: {BASELINES}"),
    Setting("shingle", ("full", "dsc"), "units in a shingle, 1 to 10,000", f"s = 3: {BASELINES}"),
    Setting(
        "denominator",
        ("full", "dsc"),
        "share of what: of the smaller set (`min`), of the earlier text (`reference`), of the later one (`document`), "
        "of all (`union`)",
        f"not named in {BASELINES}",
    ),
    Setting(
        "selection",
        ("dsc",),
        "which fifth of the shingles: by `position`, or those whose `hash` is a multiple of 5",
        f"`position`: {BASELINES}; `hash`: Broder et al. 1997",
    ),
    Setting("terms", ("imatch",), "words in the signature", f"N = 30: {BASELINES}"),
    Setting("skip", ("imatch",), "words of highest idf left out as likely misspellings", f"5: {BASELINES}"),
    Setting(
        "lexicon",
        ("imatch",),
        "a `Lexicon` whose document counts replace the collection's own (Python only)",
        "collection statistics: Chowdhury et al. 2002",
    ),
    Setting("threshold", ("jaccard", "minhash"), "Jaccard similarity of the shingle sets, at least"),
    Setting("shingle", ("jaccard", "minhash"), "units in a shingle, 1 to 10,000"),
    Setting(
        "unit",
        ("full", "dsc", "jaccard", "minhash", "simhash"),
        "what shingles are made of: `word`, or `char` (their letters; a blank between words of scripts with blanks)",
    ),
    Setting(
        "recall",
        ("minhash",),
        "share of the pairs at the threshold that must be found, below 1; bands are chosen from it",
    ),
    Setting("threshold", ("simhash",), "differing bits of 64, at most; 0 to 11", "k = 3: Manku et al. 2007"),
    Setting("shingle", ("simhash",), "units in a shingle, 1 to 10,000", "features are free: Charikar 2002"),
    Setting(
        "threshold",
        ("durian",),
        "smoothed KL divergence in nats, below; not given: per reference, ln 2 at the start",
        "θ in Yang & Callan 2006, Figure 3; no value given",
    ),
    Setting("mu", ("durian",), "weight of the collection in the smoothed word model", "Yang & Callan 2006, 4.2"),
    Setting("alpha", ("durian",), "nats taken off the distance within a family", "Yang & Callan 2006, Figure 3, A"),
    Setting("min_copies", ("durian",), "identical copies that make a reference copy", "m = 5, more than: 4.3"),
    Setting("must", ("durian",), "must-links: `off`, `all`, or so many, drawn by `seed`", "4.4.1"),
    Setting("cannot", ("durian",), "cannot-links: `off`, `all`, or so many, drawn by `seed`", "4.4.2"),
    Setting("family", ("durian",), "family-links: `off`, `all`, or so many, drawn by `seed`", "4.4.3"),
    Setting("seed", ("durian",), "which links are drawn where a number of them is asked for"),
    Setting("paper", ("durian",), "`true`: must-links and thresholds as the paper has them", "4.4, Figure 3"),
    Setting("lexicon", ("durian",), "a `Lexicon` whose word counts are the background model (Python only)", "eq. 7"),
    Setting("dockets", ("durian",), "a file of the spellings of docket numbers", "4.1"),
    Setting("threshold", ("conrad",), "share of the terms of the longer vector in common, at least", f"{CONRAD}, 7.2"),
    Setting("terms", ("conrad",), "terms in a vector", f"60, between 30 and 60: {CONRAD}, 7.1"),
    Setting("days", ("conrad",), "days between the dates of publication, at most", f"six weeks: {CONRAD}, 7.2"),
    Setting(
        "length_tolerance", ("conrad",), "how much shorter the shorter text may be than the longer", f"{CONRAD}, 7.3"
    ),
    Setting("bins", ("conrad",), "offsets in a key are rounded up to multiples; 0: not", f"10, 25, n: {CONRAD}, 6.1"),
    Setting("max_idf", ("conrad",), "no key is made of terms of higher idf", f"{CONRAD}, 6.1"),
    Setting(
        "short",
        ("conrad",),
        "a vector of too few terms is filled up with the text's `own` other words, or, `pad_constant`, with entries "
        "that all such texts share",
        f"`pad_constant`: {CONRAD}, 7.2",
    ),
    Setting("reliable", ("conrad",), "texts of fewer terms are linked only to identical ones", f"20: {CONRAD}, 7.2"),
    Setting(
        "numeric_guard",
        ("conrad",),
        "texts of more than 30 % numbers must have the `threshold` of these in common too",
        f"the need of it: {CONRAD}, 7.2",
    ),
    Setting("header", ("conrad",), "titles and header lines: `skip` or `keep`", f"`skip`: {CONRAD}, 6.1"),
    Setting("paper", ("conrad",), "`true`: `short=pad_constant`, no `numeric_guard`", f"{CONRAD}, 7"),
    Setting(
        "lexicon",
        ("conrad",),
        "a [lexicon](lexicons.md), or the path of a saved one, in place of the collection's own statistics",
        f"{CONRAD}, 5",
    ),
    Setting(
        "image",
        ("concepts",),
        "the units of a document: its smallest shingles in one order (`bottom`), the smallest in each of several "
        "(`permutations`), its words of middling frequency (`words`)",
        "both orders, lexical images: Ignatov & Kuznetsov 2009, 2.1",
    ),
    Setting("size", ("concepts",), "units in an image", "100, 150: Ignatov & Kuznetsov 2009, 4"),
    Setting(
        "growth",
        ("concepts",),
        "images of `size` units (`fixed`), by the logarithm of the length (`log`), or one shingle in `size` (`linear`)",
        "Ignatov & Kuznetsov 2009, 1",
    ),
    Setting("shingle", ("concepts",), "words (or characters) in a shingle", "10, 20: Ignatov & Kuznetsov 2009, 4"),
    Setting("unit", ("concepts",), "what shingles are made of: `word` or `char`", "ours"),
    Setting("offset", ("concepts",), "how far apart shingles begin", "1: Ignatov & Kuznetsov 2009, 4"),
    Setting(
        "units",
        ("concepts",),
        "units that the members of a cluster share, at least: a number, or below 1 a share of `size`",
        "85 to 100 of 100: Ignatov & Kuznetsov 2009, Table 2",
    ),
    Setting(
        "short",
        ("concepts",),
        "documents of too few units: `report` them as too short, or take shares of their own images (`relative`)",
        "ours",
    ),
    Setting(
        "clusters",
        ("concepts",),
        "which sets of documents: a few that hold everyone with a partner (`cover`), `maximal` ones, all `closed` ones",
        "maximal, closed; a cover is the paper's future work: Ignatov & Kuznetsov 2009, 2.2 and 5",
    ),
    Setting("max_clusters", ("concepts",), "beyond so many in one component, a coarser choice of clusters", "ours"),
    Setting(
        "paper", ("concepts",), "`true`: orders by random binary matrices, untagged", "Ignatov & Kuznetsov 2009, 2.1"
    ),
    Setting(
        "lexicon",
        ("concepts",),
        "a `Lexicon` for `image=words` in place of the collection's own",
        "Ignatov & Kuznetsov 2009, 1",
    ),
    Setting("threshold", ("simfinder",), "duplicate degree, at least", "θ = 0.65: Gong et al. 2008, 4"),
    Setting("gram", ("simfinder",), "terms in a fingerprint, 1 to 12", "N = 3: Gong et al. 2008, 4"),
    Setting(
        "features",
        ("simfinder",),
        "heavy terms taken for fingerprints beyond k, the least number with more than the threshold's share of the "
        "weight; not given: `gram` and two more, with `paper` `gram`",
        "λ = k + N: Gong et al. 2008, inequality 5",
    ),
    Setting(
        "direction",
        ("simfinder",),
        "the heaviest of a class is its rarest term (`inverse`) or its most frequent (`paper`); not given: `inverse`, "
        "with `paper=true` `paper`",
        "most frequent: Gong et al. 2008, equation 1",
    ),
    Setting(
        "scale",
        ("simfinder",),
        "weights by the frequency (`linear`) or its logarithm (`log`), or all `equal`; not given: `linear`",
        "linear: Gong et al. 2008, equation 1; equal: equation 3",
    ),
    Setting(
        "length",
        ("simfinder",),
        "weights times the length of the term: not (`off`), in `characters`, or in Chinese characters and in threes of "
        "letters, at most 4 (`capped`); not given: `off`, with `paper` `characters`",
        "Gong et al. 2008, equation 2",
    ),
    Setting(
        "candidates",
        ("simfinder",),
        "`prefix`: every pair at the threshold; `fingerprints`: pairs that share one; not given: `prefix`, with "
        "`paper` `fingerprints`",
        "fingerprints: Gong et al. 2008, 3.2",
    ),
    Setting(
        "skip_connected",
        ("simfinder",),
        "do not compare what earlier pairs connect; needs `linkage=components`, and leaves those pairs out",
        "Gong et al. 2008, Remark 2",
    ),
    Setting(
        "classes",
        ("simfinder",),
        "a TOML file of weight intervals by class and of words by class",
        "intervals [a, b], not printed: Gong et al. 2008, 3.1",
    ),
    Setting(
        "lexicon",
        ("simfinder",),
        "a saved `Lexicon` of the unit `terms`, or its path: the background database; not given: the distinct texts "
        "themselves",
        "F(t): Gong et al. 2008, equation 1",
    ),
    Setting("paper", ("simfinder",), "`true`: weights and candidates as printed", "Gong et al. 2008"),
)


def settings_table() -> str:
    """Return the table of every setting of every method."""
    check_settings()
    rows = ["| setting | of | default | what it says | place in the paper |", "|---|---|---|---|---|"]
    for setting in SETTINGS:
        methods = [name for name in setting.methods if name in METHODS]
        if methods:
            of = "every method" if setting.methods == EVERY else ", ".join(f"`{name}`" for name in methods)
            default = "/".join(dict.fromkeys(_say_default(METHODS[name], setting.name) for name in methods))
            rows.append(f"| `{setting.name}` | {of} | {default} | {setting.meaning} | {setting.place} |")
    return "\n".join(rows)


def check_settings() -> None:
    """Refuse a setting that is described twice or not at all, and a description without a setting."""
    described = [(method, setting.name) for setting in SETTINGS for method in setting.methods if method in METHODS]
    known = [(method, item.name) for method, detector in METHODS.items() for item in fields(detector)]
    wrong = {pair for pair in described if described.count(pair) > 1} | set(described) ^ set(known)
    if wrong:
        raise ValueError(f"described twice, not at all, or without being there: {sorted(wrong)}; see SETTINGS")


def _say_default(detector: type[Detector], name: str) -> str:
    default = next(item.default for item in fields(detector) if item.name == name)
    return "-" if default is None or default is MISSING else f"`{str(default).lower()}`"


def command_help() -> str:
    """Return the help of every command, each under a heading of its own."""
    return "\n\n".join(_say_help(*words) for words, _ in list_commands())


def list_commands(command: Any = None, *words: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the words and the object of the program itself and of every command and subcommand below it."""
    command = command or get_command(app)
    yield words, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from list_commands(inner, *words, name)


def _say_help(*words: str) -> str:
    told = CliRunner().invoke(app, [*words, "--help"], prog_name="neardup", env={"COLUMNS": "100", "NO_COLOR": "1"})
    lines = [line.rstrip() for line in told.output.strip("\n").splitlines()]
    return "\n".join([f"## {' '.join(('neardup', *words))}", "", "```text", *lines, "```"])


PARTS = {"methods.md": {"settings": settings_table}, "command-line.md": {"help": command_help}}


def fresh_pages() -> Iterator[tuple[Path, str]]:
    """Yield each page that has generated parts, with the text that it should have."""
    for page, parts in PARTS.items():
        text = (HERE / page).read_text("utf-8")
        for name, make in parts.items():
            begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
            pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
            before, *after = pattern.split(text)
            if len(after) != 1:
                raise ValueError(f"{page} must have one part between {begin} and {end}")
            text = f"{before}{begin}\n\n{make()}\n\n{end}{after[0]}"
        yield HERE / page, text


if __name__ == "__main__":
    for path, text in fresh_pages():
        path.write_text(text, "utf-8")
