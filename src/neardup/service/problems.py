"""Errors of requests: a status, and a JSON body that says what happened, where, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import HTTPException
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from neardup.errors import IdNotFound, InputError, NeardupError, OutputError, SettingsError

REMEDIES = {
    400: "send the body as valid JSON in UTF-8",
    401: "send the header  Authorization: Bearer TOKEN  with the token that the service was started with",
    404: "see /docs for the available paths",
    405: "see the header Allow, or /docs",
    408: "send the body faster, or start the service with a longer --timeout",
    413: "send less at once, or start the service with a larger limit",
    415: "send JSON as application/json, and JSON lines as application/x-ndjson",
    422: "see /docs for what is expected",
    500: "this is a bug in neardup: the service has printed a line about it",
    503: "try again later",
    504: "send a smaller request, or start the service with a longer --timeout",
}


LONGEST_LOCATION = 200
"""A location in a body may contain a field name from the request, of any length."""


class ErrorBody(BaseModel):
    """An error: what happened, where, and what to do."""

    error: str = Field(description="What happened.")
    where: str = Field(description="Where: the path, or the location in the body.")
    remedy: str = Field(description="What to do.")


class Problem(HTTPException):
    """A request that is refused; it has changed nothing."""

    def __init__(self, status: int, error: str, where: str, remedy: str | None = None) -> None:
        super().__init__(status, error)
        self.where = where
        self.remedy = remedy or REMEDIES.get(status, REMEDIES[422])

    def response(self, headers: Mapping[str, str] | None = None) -> JSONResponse:
        """Return the response that describes it."""
        body = ErrorBody(error=str(self.detail), where=self.where, remedy=self.remedy)
        own = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}.get(self.status_code, {})
        return JSONResponse(body.model_dump(), self.status_code, headers={**own, **(headers or {})})


def explain_error(error: BaseException, where: str) -> Problem:
    """Turn an exception of the index into a problem for the client."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, IdNotFound):
        return Problem(
            404, str(error), where, "see GET /events for what happened to it, or add it by PUT /documents/{id}"
        )
    if isinstance(error, OutputError):
        return Problem(503, str(error), where, "fix what the error names, then send the request again")
    if isinstance(error, InputError | SettingsError):
        return Problem(422, str(error), where)
    if isinstance(error, NeardupError):
        return Problem(503, str(error), where, "repair the index; the service continues when it can be read again")
    return Problem(500, f"unexpected {type(error).__name__}", where)


def explain_validation(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """Return a problem for the first invalid part of a request, with the number of further ones."""
    first = errors[0]
    location = ".".join(str(part) for part in first["loc"])[:LONGEST_LOCATION]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    message = first["msg"].removeprefix("Value error, ").replace("\n", " ")
    return Problem(422, f"{message}{more}", location)
