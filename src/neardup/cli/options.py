"""The options shared by all commands that look for duplicates.

With `takes_detection` a command receives them as one Detection, while Typer sees one option per field.
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

from neardup.detectors import METHODS, Detector, list_settings
from neardup.detectors.settings import strip_markdown
from neardup.engines import ENGINES
from neardup.errors import SettingsError

Value = int | float | bool | str

# Arguments are hidden in the help, where Typer would list them with their Python types; the docstrings describe them.
Inputs = Annotated[list[str], Argument(metavar="INPUT", hidden=True)]
Run = Annotated[Path, Argument(metavar="RUN", hidden=True)]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print nothing but errors.")]
TextColumn = Annotated[
    str | None, Option(metavar="COLUMN", help="The column of the texts; guessed from its name by default.")
]
IdColumn = Annotated[
    str | None, Option("--id", metavar="COLUMN", help="The column of the ids; guessed from its name by default.")
]
TimeColumn = Annotated[
    str | None, Option(metavar="COLUMN", help="The column of the times; guessed from its name by default.")
]
Strict = Annotated[bool, Option("--strict", help="Fail if a document cannot be read.")]
Threads = Annotated[int | None, Option(metavar="N", min=1, help="Number of threads; by default all cores.")]

WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def parse_value(text: str) -> Value:
    """Parse a value from the command line as a number, a boolean or a string."""
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


def _list_values(name: str) -> str:
    """Return the values of a setting that all methods have, as the help shows them."""
    return _SHARED[name].values.replace(", ", "|")


def _describe_setting(name: str) -> str:
    """Return the meaning of a setting that all methods have, as a sentence."""
    meaning = strip_markdown(_SHARED[name].meaning)
    return f"{meaning[0].upper()}{meaning[1:]}."


def _describe_threshold() -> str:
    """Return what the threshold of each method means."""
    meanings: dict[str, list[str]] = {}
    for method, detector in METHODS.items():
        for setting in list_settings(detector):
            if setting.name == "threshold":
                default = "" if setting.default is None else f"; {setting.default}"
                meanings.setdefault(f"{strip_markdown(setting.meaning)}{default}", []).append(method)
    return ". ".join(f"{', '.join(methods)}: {meaning}" for meaning, methods in meanings.items()) + "."


_SHARED = {setting.name: setting for setting in list_settings(Detector)}


@dataclass(frozen=True, slots=True)
class Detection:
    """The values of the options: what to read, and how to look for duplicates."""

    text: TextColumn = None
    id_column: IdColumn = None
    time: TimeColumn = None
    against: Annotated[
        str | None,
        Option(metavar="OTHER", help="Find only duplicates between INPUT and OTHER."),
    ] = None
    strict: Strict = False
    method: Annotated[
        str,
        Option(
            "--method",
            "-m",
            metavar="NAME",
            help=f"The method: {', '.join(METHODS)}; auto picks one by the length of the texts. "
            "neardup methods lists them.",
        ),
    ] = "auto"
    threshold: Annotated[
        float | None,
        Option("--threshold", "-t", metavar="T", parser=_parse_number, help=_describe_threshold()),
    ] = None
    shingle: Annotated[
        int | None, Option(metavar="N", min=1, help="Number of words, or with unit=char of characters, in a shingle.")
    ] = None
    linkage: Annotated[
        str | None,
        Option(metavar=_list_values("linkage"), help=_describe_setting("linkage")),
    ] = None
    keep: Annotated[
        str | None,
        Option(metavar=_list_values("keep"), help=_describe_setting("keep")),
    ] = None
    constraints: Annotated[
        Path | None, Option(metavar="FILE", help="CSV with the columns a, b and kind (must, cannot or family).")
    ] = None
    assignments: Annotated[
        list[str],
        Option("--set", metavar="NAME=VALUE", help="Set any other setting of the method; may be repeated."),
    ] = field(default_factory=list)
    engine: Annotated[str, Option(metavar="|".join(ENGINES), help="The engine to run on.")] = "local"
    threads: Threads = None

    def reading(self) -> dict[str, Any]:
        """Return the arguments for `api.read`."""
        return {"text": self.text, "id": self.id_column, "time": self.time, "strict": self.strict}

    def finding(self) -> dict[str, Any]:
        """Return the arguments for `api.find`, with only those settings of the detector that were given."""
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
                raise SettingsError(f"--set {name}: use the option --{name} instead")
            if name in settings:
                raise SettingsError(f"the setting {name} is given twice: remove one of them")
            settings[name] = value
        return arguments | settings


def split_assignment(assignment: str) -> tuple[str, Value]:
    """Split a setting given as NAME=VALUE into its name and its parsed value."""
    name, equals, value = assignment.partition("=")
    if not equals or not name.strip():
        raise SettingsError(f"--set {assignment}: expected --set name=value")
    return name.strip().replace("-", "_"), parse_value(value.strip())


def takes_detection(command: Callable[..., int]) -> Callable[..., int]:
    """Replace the parameter `detection` of a command with one parameter for each field of Detection."""
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
