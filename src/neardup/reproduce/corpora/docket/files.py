"""A docket on disk: letters as CSV, JSON lines, mbox or mail files, answers in gold.csv, the recipe in docket.json.

Letters are written as they are generated, so memory does not grow with their number. All files are written to a
temporary folder and moved at the end: an interrupted run leaves no incomplete files.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from neardup.errors import OutputError, SettingsError
from neardup.outputs import check_inside, explained
from neardup.reproduce.corpora.docket.letters import Letter, LetterWriter, format_time
from neardup.reproduce.corpora.docket.mail import name_message, write_message

COLUMNS = (
    "Document ID",
    "Agency ID",
    "Docket ID",
    "Document Type",
    "Posted Date",
    "Received Date",
    "Title",
    "First Name",
    "Last Name",
    "City",
    "State/Province",
    "Zip/Postal Code",
    "Country",
    "Organization Name",
    "Comment",
)
"""The columns of a bulk download of the US regulations portal that a docket fills."""

GOLD_COLUMNS = (
    *("id", "cluster", "relation", "reference", "added_text", "removed_text", "docket", "edits", "frame"),
    *("also", "also_text", "points"),
)

FORMATS = {"csv": "docket.csv", "jsonl": "docket.jsonl", "mbox": "docket.mbox", "eml": "docket"}
GOLD, RECIPE = "gold.csv", "docket.json"

Progress = Callable[[str, int, int | None], None]


def list_columns(letter: Letter) -> tuple[str, ...]:
    """Return the row of a letter in the table of documents."""
    person = letter.person
    return (
        letter.id,
        letter.docket.partition("-")[0],
        letter.docket,
        "Public Submission",
        format_time(letter.posted),
        format_time(letter.received),
        f"Comment from {person.organisation or person.name}",
        person.given,
        person.surname,
        person.town,
        person.state,
        person.postcode,
        "United States",
        person.organisation,
        letter.framed.text,
    )


def list_gold(letter: Letter, *, mail: bool = False) -> tuple[str, ...]:
    """Return the row of a letter in the gold; in mail formats the ids are Message-IDs."""
    reference = "" if letter.relation == "unique" else letter.cluster
    return (
        name_message(letter.id) if mail else letter.id,
        name_message(letter.cluster) if mail else letter.cluster,
        letter.relation,
        name_message(reference) if mail and reference else reference,
        letter.added,
        letter.removed,
        letter.cited,
        " ".join(letter.deeds),
        " ".join(letter.variants),
        name_message(letter.also) if mail and letter.also else letter.also,
        letter.other,
        " ".join(map(str, letter.points)),
    )


def write_docket(
    writer: LetterWriter, folder: str | os.PathLike[str], *, form: str = "csv", progress: Progress | None = None
) -> dict[str, Any]:
    """Write all letters of a docket with their gold to a folder; return its description."""
    target = Path(folder)
    check_docket_folder(target, form)
    with explained(target, "a docket to"):
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".docket-", dir=target) as name:
            temporary = Path(name)
            _write_all(writer, temporary, form, progress)
            description = {**writer.describe(), "format": form}
            _write_text(temporary / RECIPE, json.dumps(description, indent=2, ensure_ascii=False) + "\n")
            _move_files(temporary, target)
    return description


def check_docket_folder(folder: str | os.PathLike[str], form: str) -> None:
    """Raise an error if a docket cannot be written there; an older docket may be replaced."""
    if form not in FORMATS:
        raise SettingsError(f"there is no format {form!r}: the formats are {', '.join(FORMATS)}")
    target = check_inside(folder, "a docket")
    if (target / RECIPE).exists():
        return
    for name in (*FORMATS.values(), GOLD):
        if (target / name).exists():
            raise OutputError(f"{target / name} exists and was not written by neardup: name another folder")


def _write_all(writer: LetterWriter, temporary: Path, form: str, progress: Progress | None) -> None:
    mail = form in ("mbox", "eml")
    with ExitStack() as files:
        gold = csv.writer(files.enter_context(_open(temporary / GOLD)), lineterminator="\n")
        gold.writerow(GOLD_COLUMNS)
        put = _open_documents(temporary / FORMATS[form], form, files)
        for number, letter in enumerate(writer, 1):
            put(letter)
            gold.writerow(list_gold(letter, mail=mail))
            if progress is not None and not number % 1000:
                progress("writing letters", number, writer.settings.size)


def _open_documents(path: Path, form: str, files: ExitStack) -> Callable[[Letter], Any]:
    if form == "eml":
        path.mkdir()
        return lambda letter: (path / f"{letter.id}.eml").write_bytes(write_message(letter))
    if form == "mbox":
        box = files.enter_context(path.open("wb"))
        return lambda letter: box.write(write_message(letter, mbox=True))
    stream = files.enter_context(_open(path))
    if form == "jsonl":
        return lambda letter: stream.write(
            json.dumps(dict(zip(COLUMNS, list_columns(letter), strict=True)), ensure_ascii=False) + "\n"
        )
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(COLUMNS)
    return lambda letter: table.writerow(list_columns(letter))


def _open(path: Path) -> TextIOWrapper:
    return path.open("w", encoding="utf-8", newline="")


def _write_text(path: Path, text: str) -> None:
    with _open(path) as stream:
        stream.write(text)


def _move_files(temporary: Path, target: Path) -> None:
    """Replace the files of an older docket by the new ones."""
    for name in FORMATS.values():
        old = target / name
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink(missing_ok=True)
    for file in sorted(temporary.iterdir()):
        file.replace(target / file.name)
