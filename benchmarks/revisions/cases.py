"""The cases that are run on both sides, as data, and the names that differ between revisions.

A case has a name, which is also its folder, an action of `worker.py` and the options of the action. Settings have their
newest names here; the worker translates them for a revision that has the older ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from revisions.inputs import CORPORA, PAIR_SETS

RENAMED_SETTINGS = {"frames": "boilerplate", "patience_seconds": "lock_timeout_seconds"}
RENAMED_ATTRIBUTES = {"said": "notes"}
RENAMED_ERRORS = {"UnknownId": "IdNotFound", "KnownId": "DuplicateId"}
"""Older names and the newest ones: settings, attributes of results, classes of errors."""

METHODS = (
    "exact",
    "full",
    "dsc",
    "imatch",
    "jaccard",
    "minhash",
    "simhash",
    "durian",
    "simfinder",
    "concepts",
    "conrad",
)
INDEX_METHODS = ("exact", "full", "dsc", "imatch", "jaccard", "minhash", "simhash", "simfinder", "conrad")
DOCKET = "inputs/examples/docket.csv"
NOTICES = "inputs/examples/licence_notices.csv"
MANUAL = "inputs/examples/manual_pages.xml.gz"
REFERENCE = "inputs/examples/reference_pages.xml.gz"
MESSAGES = "inputs/examples/messages.csv"
LETTERS = "inputs/examples/letters"
GOLD = "inputs/examples/gold.csv"
EXAMPLES = (DOCKET, "inputs/examples/docket.json", LETTERS, NOTICES, MANUAL, REFERENCE, MESSAGES)
TABLES = ("docket.tsv", "docket.jsonl", "docket_rows.json", "docket.parquet", "docket.feather", "docket.jsonl.gz")
FORMATS = tuple(f"inputs/formats/{name}" for name in (*TABLES, "pages", "letters.zip", "pages.tar.gz"))


@dataclass(frozen=True)
class Case:
    """A case that is run on both sides; cases of one group run in one process."""

    name: str
    action: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def group(self) -> str:
        """The kind of case and, for runs, the corpus: starting a process costs more than most cases."""
        kind, place, _ = self.name.split("/", 2)
        return f"{kind}/{place}" if kind == "find" else kind


def list_cases(*, data: bool, postgres: bool) -> list[Case]:
    """Return all cases; those on real corpora and on PostgreSQL only if these are available."""
    cases = [*_read_cases(), *_default_runs(data), *_runs_with_settings(), *_index_calls(postgres)]
    cases += [*_evaluations(), *_explanations(), *_files(), *_command_cases()]
    if data:
        cases += [*_runs_with_settings_on_data(), *_pair_evaluations()]
    return sorted(cases, key=lambda case: case.group)


def _short(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _find(source: str, method: str, **options: Any) -> Case:
    """Return a run; `settings` and the other options make up its name."""
    given = {**options.get("settings", {}), **{name: options[name] for name in options if name != "settings"}}
    title = " ".join([method, *(f"{name}={_describe(value)}" for name, value in given.items())])
    return Case(f"find/{_corpus(source)}/{title}", "find", {"docs": source, "method": method, **options})


def _describe(value: Any) -> str:
    """Return an option's value for the name of a case: the last part of a path, the corpus of a lexicon."""
    if isinstance(value, dict):
        choices = [f"{name}:{item}" for name, item in value.items() if name != "docs"]
        return ",".join([_corpus(value["docs"]), *choices])
    return _short(str(value))


def _corpus(source: str) -> str:
    return source.split("/")[2] if source.startswith("inputs/data/") else _short(source)


def _data(name: str) -> str:
    return f"inputs/data/{name}/{CORPORA[name]}.jsonl.gz"


def _read_cases() -> Iterator[Case]:
    for source in (*EXAMPLES, *FORMATS):
        yield Case(f"read/examples/{_short(source)}", "read", {"docs": source})


def _default_runs(data: bool) -> Iterator[Case]:
    """Every method with its defaults on every example and corpus, and the choice of `auto`."""
    corpora = [_data(name) for name in CORPORA] if data else []
    for source in (*EXAMPLES, *corpora):
        for method in (*METHODS, "auto"):
            yield _find(source, method)


def _runs_with_settings() -> Iterator[Case]:
    """Settings other than the defaults, on the examples."""
    for method in METHODS:
        for keep in ("earliest", "latest", "longest", "first"):
            yield _find(DOCKET, method, settings={"keep": keep})
        yield _find(NOTICES, method, settings={"linkage": "components"})
        yield _find(REFERENCE, method, settings={"boilerplate": "drop"})
        yield _find(MANUAL, method, settings={"markup": "plain"})
        yield _find(MESSAGES, method, settings={"form": "nfkc"})
    for method in ("full", "dsc", "jaccard", "minhash", "simhash"):
        yield _find(NOTICES, method, settings={"unit": "char", "shingle": 9})
    for method in METHODS:
        yield _find(DOCKET, method, against=LETTERS)
        yield _find(NOTICES, method, threads=1)
    for denominator in ("reference", "document", "union"):
        yield _find(DOCKET, "full", settings={"denominator": denominator, "threshold": 0.6})
    yield _find(DOCKET, "dsc", settings={"selection": "hash"})
    yield _find(DOCKET, "exact", settings={"docstring": "paper"})
    yield _find(NOTICES, "jaccard", settings={"threshold": 0.5, "shingle": 2})
    yield _find(NOTICES, "minhash", settings={"threshold": 0.5, "shingle": 2, "recall": 0.9})
    yield _find(NOTICES, "simhash", settings={"threshold": 8, "shingle": 1})
    yield from _campaign_settings()
    yield from _term_settings()
    for clusters in ("maximal", "closed"):
        yield _find(MANUAL, "concepts", settings={"clusters": clusters, "units": 0.5})
    for image in ("permutations", "words"):
        yield _find(MANUAL, "concepts", settings={"image": image, "units": 0.6})
    for growth in ("log", "linear"):
        yield _find(MANUAL, "concepts", settings={"growth": growth, "units": 0.6})
    yield _find(REFERENCE, "concepts", settings={"short": "relative", "units": 0.8})
    yield _find(REFERENCE, "concepts", settings={"paper": True, "image": "permutations", "units": 0.8})
    yield _find(REFERENCE, "concepts", settings={"unit": "char", "shingle": 10, "offset": 3, "units": 20})
    yield _find(REFERENCE, "concepts", settings={"clusters": "closed", "max_clusters": 3, "units": 0.3})


def _campaign_settings() -> Iterator[Case]:
    """Settings of `durian`."""
    yield _find(DOCKET, "durian", constraints="inputs/constraints.csv")
    yield _find(DOCKET, "durian", constraints="inputs/constraints.csv", settings={"paper": True})
    yield _find(DOCKET, "durian", settings={"dockets": "inputs/dockets.toml", "min_copies": 3})
    yield _find(DOCKET, "durian", settings={"must": 20, "cannot": 5, "family": 10, "seed": 3})
    yield _find(DOCKET, "durian", settings={"must": "off", "cannot": "off", "family": "off", "threshold": 0.5})
    yield _find(DOCKET, "durian", settings={"mu": 10.0, "alpha": 0.2})
    yield _find(DOCKET, "durian", lexicon={"docs": NOTICES})


def _term_settings() -> Iterator[Case]:
    """Settings of the methods that weigh terms, with and without a lexicon of their own."""
    yield _find(DOCKET, "imatch", settings={"terms": 10, "skip": 0})
    yield _find(DOCKET, "imatch", lexicon={"docs": NOTICES})
    yield _find(DOCKET, "conrad", settings={"days": 5, "terms": 30, "bins": 10})
    yield _find(DOCKET, "conrad", settings={"paper": True, "length_tolerance": 0.5})
    yield _find(DOCKET, "conrad", settings={"short": "pad_constant", "reliable": 5, "header": "keep"})
    yield _find(DOCKET, "conrad", settings={"numeric_guard": False, "max_idf": 0.5})
    yield _find(DOCKET, "conrad", lexicon={"docs": NOTICES, "order": "quantised"})
    yield _find(DOCKET, "conrad", lexicon={"docs": DOCKET, "kind": "all", "min_documents": 2}, saved=True)
    for source in (MESSAGES, DOCKET):
        yield _find(source, "simfinder", settings={"paper": True})
        yield _find(source, "simfinder", settings={"candidates": "fingerprints", "gram": 2})
        yield _find(source, "simfinder", settings={"direction": "paper", "scale": "log", "length": "capped"})
        yield _find(source, "simfinder", settings={"classes": "inputs/classes.toml", "threshold": 0.5})
        yield _find(source, "simfinder", settings={"linkage": "components", "skip_connected": True})
        yield _find(source, "simfinder", lexicon={"docs": NOTICES, "unit": "terms"})
        yield _find(source, "simfinder", lexicon={"docs": NOTICES, "unit": "terms"}, saved=True)
    yield _find(MANUAL, "concepts", settings={"image": "words", "units": 0.6}, lexicon={"docs": NOTICES})


def _runs_with_settings_on_data() -> Iterator[Case]:
    """Settings other than the defaults, on the corpora that suit them."""
    epa, stories, pages = map(_data, ("public_comments_epa", "reuters21578", "html_postgresql_versions"))
    messages, titles, notices = map(_data, ("sms_uci_spam", "titles_thucnews_zh", "licence_notices_scancode"))
    for method in METHODS:
        yield _find(epa, method, settings={"linkage": "components", "keep": "longest"})
    for method in ("jaccard", "minhash"):
        yield _find(notices, method, against=NOTICES)
        yield _find(titles, method, settings={"unit": "char", "shingle": 3, "threshold": 0.5})
        yield _find(messages, method, settings={"unit": "char", "shingle": 5, "threshold": 0.6})
        yield _find(stories, method, settings={"keep": "latest", "threshold": 0.5, "shingle": 3})
    yield _find(epa, "durian", settings={"paper": True})
    yield _find(epa, "durian", settings={"must": 100, "seed": 5})
    yield _find(stories, "conrad", settings={"days": 7, "bins": 25})
    yield _find(stories, "conrad", settings={"paper": True})
    yield _find(stories, "conrad", lexicon={"docs": _data("newsgroups_comp")}, saved=True)
    yield _find(pages, "concepts", settings={"clusters": "maximal", "units": 0.7, "boilerplate": "drop"})
    yield _find(_data("html_boost_versions"), "concepts", settings={"short": "relative", "boilerplate": "drop"})
    yield _find(messages, "simfinder", settings={"paper": True})
    yield _find(titles, "simfinder", settings={"candidates": "fingerprints"})
    yield _find(messages, "simfinder", lexicon={"docs": _data("titles_thucnews_zh"), "unit": "terms"})


def _index_calls(postgres: bool) -> Iterator[Case]:
    """A sequence of index calls for each method with its defaults, and some with other settings."""
    others: list[tuple[str, dict[str, Any]]] = [
        ("jaccard", {"keep": "latest", "linkage": "components", "threshold": 0.6}),
        ("jaccard", {"unit": "char", "shingle": 9, "boilerplate": "drop"}),
        ("minhash", {"keep": "first", "threshold": 0.6, "shingle": 3}),
        ("conrad", {"keep": "longest", "days": 10}),
        ("simfinder", {"keep": "earliest", "scale": "log"}),
    ]
    for database in ("sqlite", "postgres") if postgres else ("sqlite",):
        for method in INDEX_METHODS:
            yield Case(f"index/{database}/{method}", "call_index", {"method": method, "database": database})
        for method, settings in others:
            title = " ".join([method, *(f"{name}={value}" for name, value in settings.items())])
            options = {"method": method, "database": database, "settings": settings}
            yield Case(f"index/{database}/{title}", "call_index", options)


def _evaluations() -> Iterator[Case]:
    """Measures against the gold labels of the example and of generated dockets, which each side generates itself."""
    for method in METHODS:
        options = {"docs": DOCKET, "method": method, "gold": GOLD}
        yield Case(f"evaluate/docket.csv/{method}", "evaluate", options)
    for style, form in (("paper", "csv"), ("ntf", "jsonl"), ("ntf2", "mbox"), ("dot", "eml")):
        make = ["corpus", "make", "--letters", LETTERS, "--seed", "11", "--size", "400", "--style", style, "-q"]
        arguments = [*make, "--format", form, "-o", "{out}/docket"]
        made = "docket" if form == "eml" else f"docket.{form}"
        for method in ("durian", "jaccard", "conrad"):
            options = {"make": arguments, "made": made, "method": method}
            yield Case(f"evaluate/planted {style}/{method}", "planted", options)


def _pair_evaluations() -> Iterator[Case]:
    """Measures against labelled pairs."""
    for name in PAIR_SETS:
        for method, settings in (
            ("simfinder", {}),
            ("jaccard", {"unit": "char", "shingle": 4, "threshold": 0.6}),
            ("minhash", {"shingle": 2, "threshold": 0.5}),
        ):
            options = {"docs": f"inputs/{name}.jsonl", "method": method, "settings": settings}
            yield Case(f"pairs/{name}/{method}", "evaluate_pairs", {**options, "gold": f"inputs/{name}.csv"})


def _explanations() -> Iterator[Case]:
    """Lattices of the larger clusters, and comparisons of two texts."""
    for source, method, settings in (
        (MANUAL, "concepts", {"units": 0.6}),
        (REFERENCE, "concepts", {"units": 0.6, "short": "relative"}),
        (DOCKET, "durian", {}),
        (NOTICES, "jaccard", {"threshold": 0.7}),
    ):
        options = {"docs": source, "method": method, "settings": settings}
        yield Case(f"lattice/examples/{_short(source)}", "lattice", options)
    for source in (DOCKET, NOTICES, MESSAGES, MANUAL):
        yield Case(f"compare/examples/{_short(source)}", "compare", {"docs": source})


def _files() -> Iterator[Case]:
    """Files that are written: collections without duplicates, tables of letters, exports, lexicons."""
    for source in (*EXAMPLES, *FORMATS):
        for method in ("jaccard", "exact"):
            options = {"docs": source, "method": method}
            yield Case(f"dedup/examples/{_short(source)} {method}", "dedup", options)
    for source in (DOCKET, LETTERS, NOTICES, MESSAGES):
        yield Case(f"extract/examples/{_short(source)}", "extract", {"docs": source})
    yield Case("extract/examples/dockets=dockets.toml", "extract", {"docs": DOCKET, "dockets": "inputs/dockets.toml"})
    for method, source in (("durian", DOCKET), ("jaccard", NOTICES), ("concepts", MANUAL)):
        commands = [["find", source, "-m", method, "-o", "{out}/run", "-q"]]
        commands += [["export", "{out}/run", "-o", f"{{out}}/run{end}"] for end in (".csv", ".jsonl", ".xlsx", "-csv")]
        yield Case(f"export/examples/{_short(source)}", "commands", {"commands": commands})


def _command_cases() -> Iterator[Case]:
    """Commands whose output is for programs: their files and JSON are compared, not their messages."""
    find = ["find", DOCKET, "-m", "jaccard", "-t", "0.7", "--set", "boilerplate=drop", "-o", "{out}/run", "-q"]
    evaluate = ["evaluate", "{out}/run", GOLD, "--json"]
    yield Case("command/examples/evaluate", "commands", {"commands": [find, evaluate]})
    lattice = ["lattice", "{out}/run", "ENV-HQ-OAR-2024-0056-0002"]
    drawings = [[*lattice, "-o", f"{{out}}/lattice{end}"] for end in (".svg", ".dot", ".json")]
    yield Case("command/examples/lattice", "commands", {"commands": [find, *drawings]})
    letters = [["letters", DOCKET, "-q", "-o", f"{{out}}/letters{end}"] for end in (".parquet", ".jsonl", ".xml")]
    yield Case("command/examples/letters", "commands", {"commands": letters})
    first, second = "{out}/first.lexicon", "{out}/second.lexicon"
    lexicons = [
        ["lexicon", "build", DOCKET, "-o", first, "-q"],
        ["lexicon", "build", DOCKET, LETTERS, "--order", "quantised", "-o", second, "-q"],
        ["lexicon", "build", NOTICES, "--order", "quantised", "--after", second, "-o", "{out}/third.lexicon", "-q"],
        ["lexicon", "compare", first, second, "--json"],
        ["lexicon", "stability", first, second, "--on", DOCKET, "--json"],
    ]
    yield Case("command/examples/lexicon", "commands", {"commands": lexicons})
    yield Case("command/examples/index", "commands", {"commands": _index_commands()})
    duplicates = [["find", LETTERS, "-q", "--fail-on-duplicates"], ["find", DOCKET, "-q", "--fail-on-duplicates"]]
    yield Case("command/examples/exit codes", "commands", {"commands": [*duplicates, ["find", "nowhere.csv"]]})


def _index_commands() -> list[list[str]]:
    index, document = "{out}/letters.db", "ENV-HQ-OAR-2024-0056-0002"
    return [
        ["index", "build", index, DOCKET, "-q"],
        ["index", "add", index, NOTICES, "-q"],
        ["index", "query", index, "--document", document, "--json"],
        ["index", "query", index, f"{LETTERS}/camp.txt", "--json"],
        ["index", "group", index, document, "ENV-HQ-OAR-2024-0056-0003", "ENV-HQ-OAR-2024-0056-0008", "--json"],
        ["index", "cluster", index, "--document", document, "--json"],
        ["index", "remove", index, document],
        ["index", "expire", index, "2024-01-20"],
        ["index", "events", index, "--since", "880"],
        ["index", "migrate", index, "{out}/next.db", "--relearn"],
        ["index", "cluster", "{out}/next.db", "--document", "ENV-HQ-OAR-2024-0056-0008", "--json"],
        ["index", "query", index, "--document", "nowhere", "--json"],
    ]
