"""The protocol of a study: a paper, its options, and a run that returns a reproduction.

A reproduction consists of measurements (one CSV file per experiment) and a report: tables that compare our numbers
with the published ones, and figures. `folder.write_reproduction` writes all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from neardup.records import Documents
from neardup.reproduce.figures import Figure
from neardup.reproduce.tables import Measurements, Table

Options = TypeVar("Options")

Progress = Callable[[str, int, int | None], None]
"""Called with the name of a stage, the number of steps done, and the total or None."""


def ignore_progress(stage: str, done: int, total: int | None) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a reproduction: an introduction in Markdown, then tables and figures in reading order."""

    title: str
    introduction: Sequence[str]
    sections: Sequence[Table | Figure]

    def to_markdown(self, *, with_figures: bool) -> str:
        """Return the report as Markdown, without links to figures unless `with_figures`."""
        lines = [f"# {self.title}", "", *self.introduction]
        for section in self.sections:
            if isinstance(section, Table) or with_figures:
                lines += section.to_markdown()
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The result of a study.

    If `json_name` is given, `facts` and all measurements are also written to that JSON file. `inputs` are the documents
    that the study read.
    """

    report: Report
    measurements: Measurements
    json_name: str = ""
    facts: Mapping[str, str | int] = field(default_factory=dict)
    inputs: Sequence[Documents] = ()

    @property
    def tables(self) -> list[Table]:
        """The tables of the report."""
        return [section for section in self.report.sections if isinstance(section, Table)]

    @property
    def figures(self) -> list[Figure]:
        """The figures of the report."""
        return [section for section in self.report.sections if isinstance(section, Figure)]


@dataclass(frozen=True, slots=True)
class Study(Generic[Options]):
    """A paper whose experiments can be repeated; `options` is the type of what `run` takes."""

    name: str
    paper: str
    options: type[Options]
    run: Callable[[Options, Progress], Reproduction]
