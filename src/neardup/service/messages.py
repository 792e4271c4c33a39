"""What goes over the wire: the bodies of requests and answers, and their limits. The OpenAPI page is made from them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, Self

import pyarrow as pa
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from neardup.records import Documents

MOST_MATCHES = 1000
MOST_RESULTS = 10_000
MOST_EVENTS = 10_000
MOST_MEMBERS = 10_000
LARGEST = 2**53 - 1
"""The largest whole number that every reader of JSON knows exactly."""
LONGEST_ID = 512
"""So many characters have at most 2,048 bytes, which the keys of every database hold."""


def parse_time(given: Any) -> Any:
    """Return the moment that a date or time in ISO 8601 means, in UTC unless it says otherwise."""
    if not isinstance(given, str):
        return given
    # A leap second, which the notation has and the clock of the machine has not, is the second after.
    leap = given[16:19] == ":60"
    plain = given[:17] + "59" + given[19:] if leap else given
    try:
        moment = datetime.fromisoformat(plain.upper()) + timedelta(seconds=int(leap))
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("must be a date or time in ISO 8601, such as 2024-03-01 or 2024-03-01T09:30:00Z") from None


def take_whole(given: Any) -> Any:
    """Return 3 for 3.0, which is a whole number in JSON."""
    return int(given) if type(given) is float and given.is_integer() else given


Whole = Annotated[int, BeforeValidator(take_whole)]
Id = Annotated[str, Field(min_length=1, max_length=LONGEST_ID, description="The id of a document.")]
Text = Annotated[str, Field(description="The text of a document.")]
Time = Annotated[
    datetime | None,
    BeforeValidator(parse_time),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "format": form} for form in ("date-time", "date")] + [{"type": "null"}]},
        mode="validation",
    ),
    Field(description="When it was published: a date or time in ISO 8601, in UTC if it names no zone."),
]


class Body(BaseModel):
    """What is sent: types as they are, nothing that is not known."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Content(Body):
    """A document without its id."""

    text: Text
    time: Time = None


class Document(Body):
    """A document with its id: one line of a bulk load, or one result of a list."""

    id: Id
    text: Text
    time: Time = None


def collect(documents: Sequence[Document]) -> Documents:
    """Return documents as a collection, with ids and texts exactly as they were sent."""
    ids, texts, times = zip(*((each.id, each.text, each.time) for each in documents), strict=True)
    return Documents(
        pa.chunked_array([pa.array(texts, pa.large_string())]),
        ids=pa.chunked_array([pa.array(ids, pa.string())]),
        times=pa.chunked_array([pa.array(times, pa.timestamp("us", "UTC"))]) if any(times) else None,
    )


def _one_of(one: str, other: str) -> dict[str, Any]:
    """Say in a schema that exactly one of two fields is given."""
    nothing, something = {"type": "null"}, {"not": {"type": "null"}}
    return {
        "oneOf": [
            {"required": [first], "properties": {first: something, second: nothing}}
            for first, second in ((one, other), (other, one))
        ]
    }


class Query(Body):
    """What to look for: documents like a text, or like a stored document."""

    model_config = ConfigDict(json_schema_extra=_one_of("text", "id") | {"examples": [{"text": "…", "limit": 20}]})

    text: Text | None = None
    id: Id | None = None
    time: Annotated[Time, Field(description="When the text was published, for methods that go by it.")] = None
    limit: Whole = Field(20, ge=1, le=MOST_MATCHES, description="How many matches at most.")

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if (self.text is None) == (self.id is None):
            raise ValueError("give either text or id")
        return self


class ResultList(Body):
    """A result list, best first: ids of stored documents, or documents as they are."""

    model_config = ConfigDict(
        json_schema_extra=_one_of("ids", "documents") | {"examples": [{"ids": ["a", "b"], "leader": "rank"}]}
    )

    ids: Annotated[list[Id], Field(max_length=MOST_RESULTS)] | None = None
    documents: Annotated[list[Document], Field(max_length=MOST_RESULTS)] | None = None
    leader: Literal["rank", "first", "last", "longest"] = Field(
        "rank", description="Who leads a group: the first of the list, the earliest, the latest, the longest."
    )
    offset: Whole = Field(0, ge=0, le=LARGEST, description="How many groups to leave out.")
    limit: Whole = Field(MOST_RESULTS, ge=1, le=MOST_RESULTS, description="How many groups at most.")

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if (self.ids is None) == (self.documents is None):
            raise ValueError("give either ids or documents")
        return self


class Stored(BaseModel):
    """A document as it was put, its cluster's number, and whether it is the reference copy there."""

    id: str
    text: str
    time: datetime | None
    status: str = Field(description="ok, or why it is not compared: empty, too_short.")
    cluster: int
    reference: bool


class Put(BaseModel):
    """What became of a document that was put."""

    id: str
    created: bool = Field(description="Whether the id is new; otherwise the document took the place of another.")
    status: str = Field(description="ok, or why it is not compared: empty, too_short.")
    cluster: int
    reference: bool


class Removed(BaseModel):
    """What became of a document that was deleted."""

    id: str
    removed: Literal[True] = True


class Written(BaseModel):
    """How many documents were new, and how many took the place of another."""

    added: int
    updated: int


class LineError(BaseModel):
    """A line of a load that could not be taken."""

    line: int
    error: str
    where: str


class Acknowledgement(BaseModel):
    """Everything up to the line `through` is on disk, but for the lines that failed."""

    through: int
    added: int
    updated: int
    failed: int
    errors: list[LineError]


class LoadEnd(BaseModel):
    """How a load ended: the totals of what was acknowledged, and, if it was not all, why."""

    done: bool
    lines: int
    added: int
    updated: int
    failed: int
    error: str | None = None
    remedy: str | None = None


class MatchFound(BaseModel):
    """A document like the one that was asked about."""

    id: str
    similarity: float
    relation: str = Field(description="How it relates to what was asked about.")
    cluster: int


class Matches(BaseModel):
    """What was found, the most similar first."""

    matches: list[MatchFound]


class GroupedResult(BaseModel):
    """One result: its place in the list, how alike the leader it is, and whether the index knows it."""

    id: str
    rank: int
    similarity: float
    known: bool


class ResultGroup(BaseModel):
    """Results that are copies of one leader, the leader first."""

    leader: str
    results: list[GroupedResult]


class GroupPage(BaseModel):
    """A page of the groups of a result list, in the order of the best result of each."""

    groups: list[ResultGroup]
    count: int = Field(description="The number of all groups.")
    results: int = Field(description="The number of all results.")
    next: int | None = Field(description="The offset of the next page; null on the last.")


class ClusterMember(BaseModel):
    """A document of a cluster and how it differs from the reference copy."""

    id: str
    relation: str
    similarity: float
    added: str = Field(description="What it has and the reference copy has not.")
    removed: str = Field(description="What the reference copy has and it has not.")


class ClusterFound(BaseModel):
    """A cluster: its number stays when its reference copy changes; `former` are the numbers that it took over."""

    number: int
    reference: str
    size: int
    members: list[ClusterMember]
    former: list[int]


class EventFound(BaseModel):
    """Something that happened to a document or a cluster."""

    number: int
    kind: str
    cluster: int
    document: str | None
    other: int | None


class EventPage(BaseModel):
    """What happened, in order; ask again since `next`."""

    events: list[EventFound]
    next: int = Field(description="The number of the last event of this page, or what was asked for if there is none.")


class Health(BaseModel):
    """Whether the index answers."""

    status: Literal["ok"] = "ok"
    version: str
    warnings: list[str]
