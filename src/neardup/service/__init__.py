"""Serves an index over HTTP: put, get, delete, query and group documents."""

from neardup.service.guard import is_loopback
from neardup.service.server import serve
from neardup.service.settings import TOKEN_VARIABLE, ServiceSettings, read_token

__all__ = ["TOKEN_VARIABLE", "ServiceSettings", "is_loopback", "read_token", "serve"]
