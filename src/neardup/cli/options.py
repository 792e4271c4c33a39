"""The options that every command shares which looks for duplicates, and their values.

`takes_detection` lets a command take them as one Detection: Typer sees one option per field.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from typer import Argument, BadParameter, Option

from neardup.errors import SettingsError

Value = int | float | bool | str

# Arguments are hidden from the list of options: Typer would show their Python types; the commands describe them.
Inputs = Annotated[list[str], Argument(metavar="INPUT", hidden=True)]
Run = Annotated[Path, Argument(metavar="RUN", hidden=True)]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Say nothing but errors.")]

WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def parse_value(text: str) -> Value:
    """Return the number, the boolean or the text that a value on the command line is."""
    if WHOLE.fullmatch(text):
        return int(text)
    if NUMBER.fullmatch(text):
        return float(text)
    return {"true": True, "false": False}.get(text.lower(), text)


def _parse_number(text: str) -> float:
    value = parse_value(text)
    if isinstance(value, str | bool):
        raise BadParameter(f"{text!r} is not a number")
    return value


@dataclass(frozen=True, slots=True)
class Detection:
    """What to read and how to look for duplicates, as the command line says it."""

    text: Annotated[str | None, Option(metavar="COLUMN", help="The column of the texts; guessed by its name.")] = None
    id_column: Annotated[
        str | None, Option("--id", metavar="COLUMN", help="The column of the ids; guessed by its name.")
    ] = None
    time: Annotated[str | None, Option(metavar="COLUMN", help="The column of the times; guessed by its name.")] = None
    against: Annotated[
        str | None,
        Option(metavar="OTHER", help="Find only duplicates between INPUT and OTHER."),
    ] = None
    strict: Annotated[bool, Option("--strict", help="A document that cannot be read is an error.")] = False
    method: Annotated[
        str, Option("--method", "-m", metavar="NAME", help="auto picks by the length of the texts and says why.")
    ] = "auto"
    threshold: Annotated[
        float | None,
        Option(
            "--threshold", "-t", metavar="T", parser=_parse_number, help="How alike; the method's own unless given."
        ),
    ] = None
    shingle: Annotated[int | None, Option(metavar="N", min=1, help="Words in a shingle.")] = None
    linkage: Annotated[
        str | None,
        Option(metavar="star|components", help="Each text like the reference, or chains of likeness."),
    ] = None
    keep: Annotated[
        str | None,
        Option(
            metavar="earliest|latest|longest|first",
            help="Which copy is the reference and is kept.",
        ),
    ] = None
    constraints: Annotated[
        Path | None, Option(metavar="FILE", help="CSV of a,b,kind with kind must, cannot or family.")
    ] = None
    assignments: Annotated[
        list[str],
        Option("--set", metavar="NAME=VALUE", help="Any other setting of the method; may be repeated."),
    ] = field(default_factory=list)
    engine: Annotated[str, Option(metavar="local", help="Where it runs.")] = "local"
    threads: Annotated[int | None, Option(metavar="N", min=1, help="All cores unless given.")] = None

    def reading(self) -> dict[str, Any]:
        """Return the arguments of the api for reading."""
        return {"text": self.text, "id": self.id_column, "time": self.time, "strict": self.strict}

    def finding(self) -> dict[str, Any]:
        """Return the arguments of the api for finding: the detector's settings only where they were given."""
        named = {"threshold": self.threshold, "shingle": self.shingle, "linkage": self.linkage, "keep": self.keep}
        settings: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
        arguments = {
            "method": self.method,
            "against": None if self.against is None else Path(self.against),
            "constraints": self.constraints,
            "engine": self.engine,
            "threads": self.threads,
        }
        for name, value in map(split_assignment, self.assignments):
            if name in arguments or name in self.reading():
                raise SettingsError(f"--set {name}: this has an option of its own, --{name}")
            if name in settings:
                raise SettingsError(f"the setting {name} is given twice: give it once")
            settings[name] = value
        return arguments | settings


def split_assignment(assignment: str) -> tuple[str, Value]:
    """Return the name and the value of a setting on the command line."""
    name, equals, value = assignment.partition("=")
    if not equals or not name.strip():
        raise SettingsError(f"--set {assignment}: write it as --set name=value")
    return name.strip().replace("-", "_"), parse_value(value.strip())


def takes_detection(command: Callable[..., int]) -> Callable[..., int]:
    """Replace the parameter `detection` of a command by one parameter for each field of Detection."""
    hints = get_type_hints(Detection, include_extras=True)
    options = [
        inspect.Parameter(
            item.name, inspect.Parameter.KEYWORD_ONLY, default=_default(item), annotation=hints[item.name]
        )
        for item in fields(Detection)
    ]
    own = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in inspect.signature(command, eval_str=True).parameters.values()
        if parameter.name != "detection"
    ]

    @wraps(command)
    def split(**values: Any) -> int:
        chosen = {option.name: values.pop(option.name) for option in options}
        return command(detection=Detection(**chosen), **values)

    parameters = [*own, *options]
    split.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    split.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return split


def _default(item: Field[Any]) -> Any:
    return item.default if item.default_factory is MISSING else item.default_factory()
