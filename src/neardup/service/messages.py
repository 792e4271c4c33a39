"""The bodies of requests and responses, and their limits. The OpenAPI schema is generated from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, Self

import pyarrow as pa
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from neardup.read.times import parse_time
from neardup.records import Documents

MOST_MATCHES = 1000
MOST_RESULTS = 10_000
MOST_EVENTS = 10_000
MOST_MEMBERS = 10_000
LARGEST = 2**53 - 1
"""The largest integer that every JSON parser represents exactly."""
LONGEST_ID = 512
"""In characters: at most 2,048 bytes, which fit into the key of an index in every database."""
ISO_TIME = re.compile(r"\d{4}-?(\d{2}-?\d{2}|W\d{2}(-?\d)?)([T ][\d:.,+-]+Z?)?", re.IGNORECASE)
"""The form of a date or time in ISO 8601; the reader of collections also accepts other notations."""


def read_time(given: Any) -> Any:
    """Return a date or time in ISO 8601 as a datetime in UTC. Without a zone it is in UTC."""
    if not isinstance(given, str):
        return given
    found = parse_time(given.upper()) if ISO_TIME.fullmatch(given) else None
    if found is None:
        raise ValueError("must be a date or time in ISO 8601, such as 2024-03-01 or 2024-03-01T09:30:00Z")
    return found


def take_whole(given: Any) -> Any:
    """Return 3 for 3.0, which is an integer in JSON."""
    return int(given) if type(given) is float and given.is_integer() else given


Whole = Annotated[int, BeforeValidator(take_whole)]
Id = Annotated[str, Field(min_length=1, max_length=LONGEST_ID, description="The id of a document.")]
Text = Annotated[str, Field(description="The text of a document.")]
Time = Annotated[
    datetime | None,
    BeforeValidator(read_time),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "format": form} for form in ("date-time", "date")] + [{"type": "null"}]},
        mode="validation",
    ),
    Field(description="When it was published: a date or time in ISO 8601, in UTC if it has no zone."),
]


class Body(BaseModel):
    """The body of a request: types are not converted and unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Content(Body):
    """A document without its id."""

    text: Text
    time: Time = None


class Document(Body):
    """A document with its id: a line of a bulk load, or a result of a list."""

    id: Id
    text: Text
    time: Time = None


def collect(documents: Sequence[Document]) -> Documents:
    """Return documents as a collection, with unchanged ids and texts."""
    ids, texts, times = zip(*((each.id, each.text, each.time) for each in documents), strict=True)
    return Documents(
        pa.chunked_array([pa.array(texts, pa.large_string())]),
        ids=pa.chunked_array([pa.array(ids, pa.string())]),
        times=pa.chunked_array([pa.array(times, pa.timestamp("us", "UTC"))]) if any(times) else None,
    )


def _one_of(one: str, other: str) -> dict[str, Any]:
    """Return the part of a schema that requires exactly one of two fields."""
    nothing, something = {"type": "null"}, {"not": {"type": "null"}}
    return {
        "oneOf": [
            {"required": [first], "properties": {first: something, second: nothing}}
            for first, second in ((one, other), (other, one))
        ]
    }


class Query(Body):
    """A query for documents that are similar to a text or to a stored document."""

    model_config = ConfigDict(json_schema_extra=_one_of("text", "id") | {"examples": [{"text": "…", "limit": 20}]})

    text: Text | None = None
    id: Id | None = None
    time: Annotated[Time, Field(description="When the text was published, for methods that compare dates.")] = None
    limit: Whole = Field(20, ge=1, le=MOST_MATCHES, description="The maximum number of matches.")

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if (self.text is None) == (self.id is None):
            raise ValueError("give either text or id")
        return self


class ResultList(Body):
    """A result list, best first: ids of stored documents, or complete documents."""

    model_config = ConfigDict(
        json_schema_extra=_one_of("ids", "documents") | {"examples": [{"ids": ["a", "b"], "leader": "rank"}]}
    )

    ids: Annotated[list[Id], Field(max_length=MOST_RESULTS)] | None = None
    documents: Annotated[list[Document], Field(max_length=MOST_RESULTS)] | None = None
    leader: Literal["rank", "first", "last", "longest"] = Field(
        "rank",
        description="Which result leads a group: the first of the list, the earliest, latest or longest.",
    )
    offset: Whole = Field(0, ge=0, le=LARGEST, description="How many groups to skip.")
    limit: Whole = Field(MOST_RESULTS, ge=1, le=MOST_RESULTS, description="The maximum number of groups.")

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if (self.ids is None) == (self.documents is None):
            raise ValueError("give either ids or documents")
        return self


class Stored(BaseModel):
    """A stored document, the number of its cluster, and whether it is the reference copy."""

    id: str
    text: str
    time: datetime | None
    status: str = Field(description="ok, or the reason why it is not compared: empty, too_short.")
    cluster: int
    reference: bool


class Put(BaseModel):
    """The result of putting a document."""

    id: str
    created: bool = Field(description="Whether the id is new; otherwise the document replaced another one.")
    status: str = Field(description="ok, or the reason why it is not compared: empty, too_short.")
    cluster: int
    reference: bool


class Removed(BaseModel):
    """The result of deleting a document."""

    id: str
    removed: Literal[True] = True


class Written(BaseModel):
    """How many documents were new, and how many replaced another one."""

    added: int
    updated: int


class LineError(BaseModel):
    """A line of a load that could not be stored."""

    line: int
    error: str
    where: str


class Acknowledgement(BaseModel):
    """All lines up to `through` are on disk, except those that failed."""

    through: int
    added: int
    updated: int
    failed: int
    errors: list[LineError]


class LoadEnd(BaseModel):
    """The end of a load: the totals of what was acknowledged, and an error if that is not everything."""

    done: bool
    lines: int
    added: int
    updated: int
    failed: int
    error: str | None = None
    remedy: str | None = None


class MatchFound(BaseModel):
    """A document that is similar to the query."""

    id: str
    similarity: float
    relation: str = Field(description="How it relates to the query.")
    cluster: int


class Matches(BaseModel):
    """The matches, the most similar first."""

    matches: list[MatchFound]


class GroupedResult(BaseModel):
    """One result: its rank, its similarity to the leader, and whether its document is known."""

    id: str
    rank: int
    similarity: float
    known: bool


class ResultGroup(BaseModel):
    """Results that are copies of one leader, the leader first."""

    leader: str
    results: list[GroupedResult]


class GroupPage(BaseModel):
    """A page of the groups of a result list, ordered by the best result of each."""

    groups: list[ResultGroup]
    count: int = Field(description="The number of all groups.")
    results: int = Field(description="The number of all results.")
    next: int | None = Field(description="The offset of the next page; null on the last.")


class ClusterMember(BaseModel):
    """A document of a cluster and how it differs from the reference copy."""

    id: str
    relation: str
    similarity: float
    added: str = Field(description="Text that it has and the reference copy lacks.")
    removed: str = Field(description="Text that the reference copy has and it lacks.")


class ClusterFound(BaseModel):
    """A cluster. Its number outlives a change of its reference copy; `former` are numbers that it took over."""

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
    """Events in order; `next` is the value of `since` for the next page."""

    events: list[EventFound]
    next: int = Field(description="The number of the last event of this page; the given `since` if it is empty.")


class Health(BaseModel):
    """The state of the service."""

    status: Literal["ok"] = "ok"
    version: str
    warnings: list[str]
