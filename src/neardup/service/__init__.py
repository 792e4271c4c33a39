"""REST over an index: documents are put, asked about, grouped and removed over HTTP."""

from neardup.service.guard import is_loopback
from neardup.service.server import serve
from neardup.service.settings import TOKEN_VARIABLE, ServiceSettings, read_token

__all__ = ["TOKEN_VARIABLE", "ServiceSettings", "is_loopback", "read_token", "serve"]
