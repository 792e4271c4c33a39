"""One side of the comparison: run cases with the neardup of this process, each into a folder of its own.

`worker REQUEST.json` is started in the side's folder, which has the inputs below `inputs/`. Only the public API and the
command line are used. If a case raises an error, its class is written to `error.json`.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from revisions.cases import RENAMED_ATTRIBUTES, RENAMED_ERRORS, RENAMED_SETTINGS

# neardup is imported where it is used: the main process, which has no revision, loads this file too.
# ruff: noqa: PLC0415

ANSWERS = "answers.jsonl"
ERROR = "error.json"
Options = dict[str, Any]


def main(path: Path) -> int:
    """Run the cases of a request."""
    request = json.loads(path.read_text())
    for case in request["cases"]:
        folder = Path("cases") / case["name"]
        folder.mkdir(parents=True)
        options = {**case["options"], "postgres": request["postgres"]}
        try:
            ACTIONS[case["action"]](options, folder)
        except Exception as problem:  # a failure is a result that the other side must have too
            (folder / ERROR).write_text(json.dumps(describe_error(problem)))
        (folder / "done").touch()
    return 0


def describe_error(problem: BaseException) -> dict[str, str]:
    """Return the newest name of the class, and the message."""
    name = type(problem).__name__
    return {
        "error": RENAMED_ERRORS.get(name, name),
        "message": str(problem).splitlines()[0][:300] if str(problem) else "",
    }


def plain(value: Any) -> Any:
    """Convert an answer of the API to JSON values."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, pa.Table):
        return plain(value.to_pylist())
    return value.isoformat() if isinstance(value, datetime) else _plain_array(value)


def _plain_array(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def write_answers(folder: Path, answers: list[Any]) -> None:
    """Write answers as lines of JSON."""
    lines = (json.dumps(plain(answer), ensure_ascii=False) for answer in answers)
    (folder / ANSWERS).write_text("".join(line + "\n" for line in lines), encoding="utf-8", errors="surrogateescape")


def name_settings(method: str, settings: Options) -> Options:
    """Return settings under the names that this revision uses."""
    import neardup

    if not settings:
        return {}
    known = neardup.find(["one text"], method).summary["settings"]
    older = {new: old for old, new in RENAMED_SETTINGS.items()}
    return {name if name in known else older.get(name, name): value for name, value in settings.items()}


def find_result(options: Options, folder: Path) -> Any:
    """Run `find` with the options; a lexicon is built, saved next to the run, and passed as object or as path."""
    import neardup

    method = options["method"]
    settings = {} if method == "auto" else name_settings(method, options.get("settings", {}))
    given = {name: options[name] for name in ("against", "constraints", "threads") if name in options}
    if "lexicon" in options:
        lexicon = neardup.Lexicon.build(**options["lexicon"])
        lexicon.save(folder / "words.lexicon")
        settings["lexicon"] = str(folder / "words.lexicon") if options.get("saved") else lexicon
    return neardup.find(read_once(options["docs"]), method, **given, **settings)


@lru_cache(maxsize=1)
def read_once(source: str) -> Any:
    """Read a collection, which the cases of one group share; other cases give `find` the path."""
    import neardup

    return neardup.read(source)


def run_find(options: Options, folder: Path) -> None:
    """Write the run folder, and the arrays that a result has before its tables are built."""
    result = find_result(options, folder)
    write_answers(folder, [{"labels": result.labels, "kept": result.kept, "audit": result.audit}])
    result.save(folder / "run")


def run_read(options: Options, folder: Path) -> None:
    """Write the documents that `read` returns, with its notes."""
    import neardup

    documents = neardup.read(options["docs"])
    older = {new: old for old, new in RENAMED_ATTRIBUTES.items()}
    notes = documents.notes if "notes" in dir(documents) else getattr(documents, older["notes"])
    columns = (documents.ids, documents.times, documents.statuses)
    ids, times, statuses = (itertools.repeat(None) if column is None else column.to_pylist() for column in columns)
    texts = (documents.text(number) for number in range(len(documents)))
    rows = zip(texts, ids, times, statuses, strict=False)
    answers: list[Any] = [dict(zip(("text", "id", "time", "status"), row, strict=True)) for row in rows]
    whole = {name: getattr(documents, name) for name in ("html", "attributes", "inputs", "counts")}
    write_answers(folder, [*answers, {**whole, "notes": notes}])


def run_evaluate(options: Options, folder: Path) -> None:
    """Write the measures against gold labels."""
    import neardup

    result = find_result(options, folder)
    write_answers(folder, [neardup.evaluate(result, options["gold"]).as_dict()])


def run_planted(options: Options, folder: Path) -> None:
    """Make a docket with known answers, run on it, and write the run and its measures."""
    import neardup

    run_command(options["make"], folder)
    result = neardup.find(str(folder / "docket" / options["made"]), options["method"])
    result.save(folder / "run")
    write_answers(folder, [neardup.evaluate(result, folder / "docket" / "gold.csv").as_dict()])


def run_evaluate_pairs(options: Options, folder: Path) -> None:
    """Write the measures against a list of pairs."""
    import neardup

    result = find_result(options, folder)
    result.save(folder / "run")
    write_answers(folder, [neardup.evaluate_pairs(result, options["gold"]).as_dict()])


def run_lattice(options: Options, folder: Path) -> None:
    """Write the lattices of the five largest clusters."""
    import neardup

    result = find_result(options, folder)
    lattices = [neardup.lattice(result, cluster.id, options["docs"], limit=40) for cluster in result.clusters[:5]]
    write_answers(folder, [result.clusters[:5], *(lattice.as_dict() for lattice in lattices)])


def run_compare(options: Options, folder: Path) -> None:
    """Compare each of the first documents with the next one and with the seventh after it."""
    import neardup

    documents = neardup.read(options["docs"])
    count = min(60, len(documents))
    texts = [documents.text(number) or "" for number in range(count)]
    pairs = [(texts[number], texts[(number + step) % count]) for step in (1, 7) for number in range(count)]
    comparisons = (asdict(neardup.compare(a, b)) for a, b in pairs)
    write_answers(folder, [{**comparison, "a": None, "b": None} for comparison in comparisons])


def run_dedup(options: Options, folder: Path) -> None:
    """Write a collection without its duplicates, under the name of the input."""
    import neardup

    result = neardup.dedup(options["docs"], folder / Path(options["docs"]).name, options["method"])
    write_answers(folder, [result.summary["counts"], result.kept])


def run_extract(options: Options, folder: Path) -> None:
    """Write the table of letters split into their parts."""
    import neardup

    table = neardup.extract(options["docs"], dockets=options.get("dockets"))
    pq.write_table(table, folder / "letters.parquet")


def run_index_calls(options: Options, folder: Path) -> None:
    """Make a sequence of calls to an index and write all answers."""
    from revisions.index_calls import IndexCalls

    settings = name_settings(options["method"], options.get("settings", {}))
    with open_databases(options, folder) as (source, target):
        calls = IndexCalls(options["method"], settings, source, target)
        try:
            calls.run()
        finally:
            write_answers(folder, calls.answers)


@contextlib.contextmanager
def open_databases(options: Options, folder: Path) -> Any:
    """Yield where the index and its migration are stored: two files, or two schemas of a PostgreSQL database."""
    if options["database"] == "sqlite":
        yield str(folder / "source.db"), str(folder / "target.db")
        return
    import psycopg

    names = [f"revisions_{os.getpid()}_{name}" for name in ("source", "target")]
    mark = "&" if "?" in options["postgres"] else "?"
    with psycopg.connect(options["postgres"], autocommit=True) as connection:
        for name in names:
            connection.execute(f"CREATE SCHEMA {name}")
        try:
            yield tuple(f"{options['postgres']}{mark}options=-csearch_path%3D{name}" for name in names)
        finally:
            for name in names:
                connection.execute(f"DROP SCHEMA {name} CASCADE")


def run_commands(options: Options, folder: Path) -> None:
    """Run commands one after the other; keep their exit codes, and the output that is for programs."""
    codes = []
    for number, arguments in enumerate(options["commands"]):
        code, output = run_command(arguments, folder)
        codes.append(code)
        if "--json" in arguments or "events" in arguments:
            (folder / f"output-{number}.json").write_text(output)
    write_answers(folder, [{"exit_codes": codes}])


def run_command(arguments: list[str], folder: Path) -> tuple[int, str]:
    """Run the command line in this process; `{out}` in an argument is the folder of the case."""
    from neardup.cli import main as run

    older = {new: old for old, new in RENAMED_SETTINGS.items()}
    filled = [argument.replace("{out}", folder.as_posix()) for argument in arguments]
    for number, argument in enumerate(filled):
        name, _, value = argument.partition("=")
        if value and name in older:
            filled[number] = "=".join([*name_settings("exact", {name: value}), value])
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = run(filled)
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1
    return code, output.getvalue()


ACTIONS: dict[str, Callable[[Options, Path], None]] = {
    "find": run_find,
    "read": run_read,
    "evaluate": run_evaluate,
    "planted": run_planted,
    "evaluate_pairs": run_evaluate_pairs,
    "lattice": run_lattice,
    "compare": run_compare,
    "dedup": run_dedup,
    "extract": run_extract,
    "call_index": run_index_calls,
    "commands": run_commands,
}
