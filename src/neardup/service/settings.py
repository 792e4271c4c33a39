"""The settings of the service: address, token and limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from neardup.errors import InputError, SettingsError

TOKEN_VARIABLE = "NEARDUP_TOKEN"
MOST_READERS = 64
MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """Host and port, token, limits of size and time, and the number of reading processes."""

    host: str = "127.0.0.1"
    port: int = 8630
    token: str | None = field(default=None, repr=False)
    body_bytes: int = 16 * MEBIBYTE
    bulk_bytes: int = 4096 * MEBIBYTE
    timeout_seconds: float = 30.0
    readers: int = 2

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise SettingsError(f"port is {self.port}, but must be between 0 and 65535; 0 chooses a free one")
        for name in ("body_bytes", "bulk_bytes"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}, but must be at least 1")
        # The comparison also refuses NaN.
        if not 0 < self.timeout_seconds <= 86_400:
            raise SettingsError(f"timeout is {self.timeout_seconds}, but must be above 0 seconds and at most a day")
        if not 1 <= self.readers <= MOST_READERS:
            raise SettingsError(f"readers is {self.readers}, but must be between 1 and {MOST_READERS}")
        if self.token is not None and not (self.token.isascii() and self.token.isprintable() and self.token.strip()):
            raise SettingsError("the token must consist of printable ASCII characters and must not be empty")


def read_token(path: Path | None) -> str | None:
    """Return the token from a file or, without a file, from the environment; None if neither has one."""
    if path is None:
        token = os.environ.get(TOKEN_VARIABLE)
        return None if token is None else _check(token, f"the environment variable {TOKEN_VARIABLE}")
    try:
        return _check(path.read_text("utf-8"), f"the token file {path}")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the token file {path} cannot be read: {error}") from error


def _check(token: str, source: str) -> str:
    if not token.strip():
        raise SettingsError(f"{source} is empty: write the token into it, or leave it out to serve without a token")
    return token.strip()
