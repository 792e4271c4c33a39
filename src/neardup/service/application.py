"""The routes of the service: each reads a message, calls the readers or the writer, and returns the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Annotated, Any, cast
from urllib.parse import unquote_to_bytes

from fastapi import Depends, FastAPI, Path, Request, Response
from fastapi import Query as Parameter
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from pydantic_core import from_json
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse

from neardup.errors import NeardupError
from neardup.service import messages
from neardup.service.bulk import MEDIA_TYPE, BulkLoad
from neardup.service.messages import LARGEST, LONGEST_ID, MOST_EVENTS, MOST_MEMBERS
from neardup.service.metrics import CONTENT_TYPE, Metrics
from neardup.service.problems import ErrorBody, Problem, explain_error, explain_validation
from neardup.service.readers import Readers
from neardup.service.settings import ServiceSettings
from neardup.service.writer import Writer
from neardup.version import VERSION

ABOUT = "An index of documents: add and remove them, query for near-duplicates, and read the log of changes."
# The page runs its own script and sends requests to this service only.
PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
STATUSES = {
    400: "The request cannot be parsed.",
    401: "The token is missing or wrong.",
    404: "The document or cluster does not exist.",
    408: "The body did not arrive in time.",
    413: "The body is too large.",
    415: "The body has another content type.",
    422: "The request does not match the schema.",
    503: "The change could not start in time, or the index cannot be reached or written; nothing was changed.",
    504: "The query was not answered in time.",
}
JSON_KINDS = ("application/json",)
LINE_KINDS = (MEDIA_TYPE, "application/ndjson", "application/jsonl", "application/x-jsonlines")
LINES = '{"id": "a", "text": "First text", "time": "2024-03-01"}\n{"id": "b", "text": "Second text"}\n'


class AnyId(Convertor[str]):
    """An id in a path: any characters, including slashes and line breaks."""

    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        """Return it unchanged."""
        return value

    def to_string(self, value: str) -> str:
        """Return it unchanged."""
        return value


register_url_convertor("any_id", AnyId())


class StrictRequest(Request):
    """A request whose JSON is parsed with a limit of depth, and without NaN and Infinity."""

    async def json(self) -> Any:
        """Return the body as JSON."""
        try:
            return from_json(await self.body(), allow_inf_nan=False)
        except ValueError as error:
            raise Problem(400, f"the body is not JSON: {error}", "body") from None


class StrictRoute(APIRoute):
    """A route that uses StrictRequest."""

    def get_route_handler(self) -> Callable[[Request], Any]:
        """Return the function that answers a request."""
        answer = super().get_route_handler()

        async def answer_strictly(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            if self.body_field is not None and await strict.body():
                _check_kind(strict, JSON_KINDS)
            return await answer(strict)

        return answer_strictly


def _check_kind(request: Request, kinds: Sequence[str]) -> None:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in kinds:
        raise Problem(415, f"the content type is {kind!r}, but must be {kinds[0]}", request.url.path)


def read_id(
    request: Request,
    id: Annotated[  # noqa: A002 - the name in the path
        str, Path(min_length=1, max_length=LONGEST_ID, description="The id of a document, percent-encoded.")
    ],
) -> str:
    """Return the id in the path; refuse bytes that are not UTF-8, since they would be decoded to another id."""
    try:
        unquote_to_bytes(request.scope["raw_path"]).decode()
    except UnicodeDecodeError:
        raise Problem(400, "the path is not in UTF-8", "path.id", "percent-encode the id in UTF-8") from None
    return id


DocumentId = Annotated[str, Depends(read_id)]


class Service:
    """The methods that answer requests."""

    def __init__(
        self, readers: Readers, writer: Writer, metrics: Metrics, settings: ServiceSettings, stopping: asyncio.Event
    ) -> None:
        self._readers = readers
        self._writer = writer
        self._metrics = metrics
        self._settings = settings
        self._stopping = stopping

    async def put(self, id: DocumentId, content: messages.Content, response: Response) -> Any:  # noqa: A002
        """Store a document under an id, or replace the one that is stored. It is on disk when this is answered."""
        document = messages.Document.model_construct(id=id, text=content.text, time=content.time)
        report = await self._writer.put(document, f"/documents/{id}")
        response.status_code = 201 if report.created else 200
        self._metrics.changes["added" if report.created else "updated"] += 1
        return report

    async def get(self, id: DocumentId) -> Any:  # noqa: A002
        """Return a stored document and its cluster."""
        return await self._readers.ask(f"/documents/{id}", "get", id)

    async def remove(self, id: DocumentId) -> Any:  # noqa: A002
        """Remove a document."""
        report = await self._writer.remove(id, f"/documents/{id}")
        self._metrics.changes["removed"] += 1
        return report

    async def load(self, request: Request) -> Response:
        """Store many documents, one per line; each batch is acknowledged by a line when it is on disk.

        A line that is not a document is reported, and the others are stored. The last line says how the load ended.
        Lines that were not acknowledged must be sent again.
        """
        _check_kind(request, LINE_KINDS)
        return BulkLoad(self._load, self._settings, self._stopping)

    async def _load(self, documents: list[messages.Document]) -> messages.Written:
        written = await self._writer.load(documents, "/documents")
        self._metrics.changes.update(added=written.added, updated=written.updated)
        return written

    async def query(self, query: messages.Query) -> Any:
        """Find the documents that are similar to a text or to a stored document."""
        options: dict[str, Any] = {"id": query.id} if query.id is not None else {"text": query.text, "time": query.time}
        return {"matches": await self._readers.ask("/query", "query", limit=query.limit, **options)}

    async def group(self, results: messages.ResultList) -> Any:
        """Group a result list: every result is kept, and copies follow their leader."""
        listed: Any = messages.collect(results.documents) if results.documents else results.ids or []
        return await self._readers.ask(
            "/group", "group", listed, leader=results.leader, offset=results.offset, limit=results.limit
        )

    async def cluster(
        self,
        number: Annotated[int, Path(ge=0, le=LARGEST, description="The number of the cluster, or a former one.")],
        limit: Annotated[int, Parameter(ge=1, le=MOST_MEMBERS, description="The maximum number of members.")] = 100,
    ) -> Any:
        """Return a cluster by its number."""
        return await self._readers.ask(f"/clusters/{number}", "cluster", number, limit=limit)

    async def cluster_of(
        self,
        document: Annotated[str, Parameter(min_length=1, max_length=LONGEST_ID, description="The id of a document.")],
        limit: Annotated[int, Parameter(ge=1, le=MOST_MEMBERS, description="The maximum number of members.")] = 100,
    ) -> Any:
        """Return the cluster of a document."""
        return await self._readers.ask("/clusters", "cluster", document, limit=limit)

    async def events(
        self,
        since: Annotated[int, Parameter(ge=0, le=LARGEST, description="The number of the last known event.")] = 0,
        limit: Annotated[int, Parameter(ge=1, le=MOST_EVENTS, description="The maximum number of events.")] = 100,
    ) -> Any:
        """Return the events after a given one."""
        events = await self._readers.ask("/events", "events", since, limit=limit)
        return {"events": events, "next": events[-1].number if events else since}

    async def health(self) -> Any:
        """Return whether the index can be read, and warnings about it."""
        stats = await self._readers.ask("/health", "stats")
        return {"status": "ok", "version": VERSION, "warnings": stats["warnings"]}

    async def metrics(self) -> Response:
        """Return counts, durations and the state of the index, for Prometheus."""
        stats = await self._readers.ask("/metrics", "stats")
        known = {name: value for name, value in stats.items() if type(value) in (int, float)}
        gauges = {f"index_{name}": value for name, value in known.items()}
        waiting = {"reads_waiting": self._readers.waiting(), "changes_waiting": self._writer.waiting()}
        return PlainTextResponse(self._metrics.render(gauges | waiting), headers={"content-type": CONTENT_TYPE})

    async def page(self) -> Response:
        """Return the page that documents the service."""
        text = files("neardup.service").joinpath("page.html").read_text("utf-8")
        return HTMLResponse(text, headers={"content-security-policy": PAGE_POLICY})


def make_application(service: Service, settings: ServiceSettings) -> FastAPI:
    """Return the application with its routes, errors and description."""
    application = FastAPI(
        title="neardup", version=VERSION, description=ABOUT, docs_url=None, redoc_url=None, redirect_slashes=False
    )
    application.router.route_class = StrictRoute
    add = application.add_api_route
    guarded: dict[str, Any] = {"dependencies": [Depends(HTTPBearer())]} if settings.token is not None else {}
    changing, reading = (413, 415, 422, 503), (422, 503, 504)
    document = "/documents/{id:any_id}"
    add(
        document,
        service.put,
        methods=["PUT"],
        response_model=messages.Put,
        responses=_describe(400, 408, *changing) | {201: {"model": messages.Put, "description": "The id is new."}},
        **guarded,
    )
    add(document, service.get, response_model=messages.Stored, responses=_describe(400, 404, *reading), **guarded)
    add(
        document,
        service.remove,
        methods=["DELETE"],
        response_model=messages.Removed,
        responses=_describe(400, 404, 422, 503),
        **guarded,
    )
    add(
        "/documents",
        service.load,
        methods=["POST"],
        response_class=Response,
        responses=_describe_plainly(408, *changing) | {200: _describe_load()},
        openapi_extra={"requestBody": {"required": True, "content": {MEDIA_TYPE: _describe_lines()}}},
        **guarded,
    )
    asking = _describe(400, 404, 408, 413, 415, *reading)
    add("/query", service.query, methods=["POST"], response_model=messages.Matches, responses=asking, **guarded)
    add("/group", service.group, methods=["POST"], response_model=messages.GroupPage, responses=asking, **guarded)
    cluster: dict[str, Any] = {"response_model": messages.ClusterFound, "responses": _describe(404, *reading)}
    add("/clusters/{number}", service.cluster, **cluster, **guarded)
    add("/clusters", service.cluster_of, **cluster, **guarded)
    add("/events", service.events, response_model=messages.EventPage, responses=_describe(*reading), **guarded)
    add("/health", service.health, response_model=messages.Health, responses=_describe(503, 504))
    plain = _describe_plainly(503, 504)
    add("/metrics", service.metrics, response_class=PlainTextResponse, responses=plain, **guarded)
    add("/docs", service.page, include_in_schema=False)
    _add_error_answers(application)
    return application


def _describe(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": ErrorBody, "description": STATUSES[status]} for status in sorted((401, *statuses))}


def _describe_plainly(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe errors of a route whose answers are not JSON: the framework would give them the same type."""
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
    return {status: {"description": STATUSES[status], "content": content} for status in sorted((401, *statuses))}


def _describe_lines() -> dict[str, Any]:
    items = {"$ref": "#/components/schemas/Document"}
    return {"schema": {"type": "array", "items": items, "description": "One document per line."}, "example": LINES}


def _describe_load() -> dict[str, Any]:
    return {
        "description": "One line of JSON for each batch, and one at the end.",
        "content": {MEDIA_TYPE: {"schema": {"type": "array", "items": {"type": "object"}}}},
    }


def _add_error_answers(application: FastAPI) -> None:
    def explain_ours(request: Request, error: Exception) -> Response:
        return explain_error(error, request.url.path).response()

    def explain_request(_: Request, error: Exception) -> Response:
        return explain_validation(cast(RequestValidationError, error).errors()).response()

    def explain_routing(request: Request, error: Exception) -> Response:
        known = cast(HTTPException, error)
        headers = {"Allow": ", ".join(_methods(application, request))} if known.status_code == 405 else {}
        return Problem(known.status_code, str(known.detail).lower(), request.url.path).response(headers)

    application.add_exception_handler(Problem, explain_ours)
    application.add_exception_handler(NeardupError, explain_ours)
    application.add_exception_handler(RequestValidationError, explain_request)
    application.add_exception_handler(HTTPException, explain_routing)


def _methods(application: FastAPI, request: Request) -> Sequence[str]:
    """Return every method of a path: the framework names those of the first route only."""
    routes = [route for route in application.routes if isinstance(route, APIRoute)]
    fitting = [route.methods for route in routes if route.path_regex.match(request.scope["path"])]
    return sorted({method for methods in fitting for method in methods or ()})
