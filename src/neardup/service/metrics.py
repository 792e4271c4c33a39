"""Counts and durations of the service, in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LIMITS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

Labels = tuple[tuple[str, str], ...]


class Metrics:
    """Counts of requests and changes, and durations of requests. Only the thread of the event loop updates them."""

    def __init__(self) -> None:
        self.requests: Counter[Labels] = Counter()
        self.changes: Counter[str] = Counter()
        self.in_flight = 0
        self._within: dict[Labels, list[int]] = {}
        self._seconds: dict[Labels, float] = {}

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        labels = (("method", method), ("route", route))
        self.requests[*labels, ("status", str(status))] += 1
        counts = self._within.setdefault(labels, [0] * (len(LIMITS) + 1))
        counts[bisect_left(LIMITS, seconds)] += 1
        self._seconds[labels] = self._seconds.get(labels, 0.0) + seconds

    def render(self, gauges: Mapping[str, float]) -> str:
        """Return all metrics as text, with these current values."""
        parts = [
            _family("requests_total", "counter", "Requests answered.", _counted("requests_total", self.requests)),
            _family("request_seconds", "histogram", "Seconds to answer a request.", self._histogram()),
            _family(
                "changes_total",
                "counter",
                "Documents added, updated and removed by this service.",
                (_line("changes_total", (("change", name),), count) for name, count in sorted(self.changes.items())),
            ),
            _gauge("requests_in_flight", "Requests being answered.", self.in_flight),
            *(_gauge(name, _describe(name), value) for name, value in sorted(gauges.items())),
        ]
        return "".join(parts)

    def _histogram(self) -> Iterable[str]:
        for labels, counts in sorted(self._within.items()):
            names = [*(f"{limit:g}" for limit in LIMITS), "+Inf"]
            for name, total in zip(names, accumulate(counts), strict=True):
                yield _line("request_seconds_bucket", (*labels, ("le", name)), total)
            yield _line("request_seconds_sum", labels, self._seconds[labels])
            yield _line("request_seconds_count", labels, sum(counts))


def _describe(name: str) -> str:
    if not name.startswith("index_"):
        return "Current value."
    return f"Of the index: {name.removeprefix('index_').replace('_', ' ')}."


def _gauge(name: str, meaning: str, value: float) -> str:
    return _family(name, "gauge", meaning, [_line(name, (), value)])


def _family(name: str, kind: str, meaning: str, lines: Iterable[str]) -> str:
    return f"# HELP neardup_{name} {meaning}\n# TYPE neardup_{name} {kind}\n{''.join(lines)}"


def _counted(name: str, counts: Mapping[Labels, int]) -> Iterable[str]:
    return (_line(name, labels, count) for labels, count in sorted(counts.items()))


def _line(name: str, labels: Labels, value: float) -> str:
    inside = ",".join(f'{label}="{_escape(text)}"' for label, text in labels)
    return f"neardup_{name}{{{inside}}} {value}\n" if inside else f"neardup_{name} {value}\n"


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
