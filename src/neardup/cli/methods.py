"""`neardup methods`: the methods, and the settings of one method."""

from __future__ import annotations

import inspect
from typing import Annotated

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from typer import Argument

from neardup.cli.terminal import print_output
from neardup.detectors import METHODS, Detector, Setting, find_method, list_settings
from neardup.detectors.settings import OURS, strip_markdown

DONE = 0


def methods(name: Annotated[str | None, Argument(metavar="[NAME]", hidden=True)] = None) -> int:
    """List the methods, or the settings of one of them.

    NAME is a method: each of its settings is shown with its default, the values it can have and what it means.
    """
    if name is None:
        print_output(_list_methods(), Text(), Text("neardup methods NAME shows the settings of a method."))
        return DONE
    if name == "auto":
        print_output(
            "auto: picks simfinder, jaccard or minhash by the length of the texts and the size of the collection"
        )
        return DONE
    detector = find_method(name)
    print_output(Text(f"{name}: {summarise(detector)} ({detector.source})"), Text(), *_list_settings(detector))
    return DONE


def summarise(detector: type[Detector]) -> str:
    """Return the first sentence of a detector's description."""
    return strip_markdown((inspect.getdoc(detector) or "").split("\n\n")[0].replace("\n", " ")).rstrip(".")


def _list_methods() -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_row(Text("auto", style="bold"), Text("Picks simfinder, jaccard or minhash by the length of the texts"))
    for name, detector in METHODS.items():
        table.add_row(Text(name, style="bold"), Text(f"{summarise(detector)} ({detector.source})"))
    return table


def _list_settings(detector: type[Detector]) -> list[RenderableType]:
    """Describe the settings, those of the method itself first."""
    shared = {setting.name for setting in list_settings(Detector)}
    settings = sorted(list_settings(detector), key=lambda setting: (setting.name in shared, setting.name == "lexicon"))
    lines: list[RenderableType] = []
    for setting in settings:
        lines += [_describe(setting), _indent(setting.meaning)]
        if setting.paper != OURS:
            lines.append(_indent(f"Paper: {setting.paper}", "dim"))
    return lines


def _describe(setting: Setting) -> Text:
    default = "not set" if setting.default is None else str(setting.default).lower()
    return Text.assemble((setting.name, "bold"), f" = {default}", (f"   ({setting.values})", "dim"))


def _indent(text: str, style: str = "") -> Padding:
    return Padding(Text(strip_markdown(text), style), (0, 0, 0, 4))
