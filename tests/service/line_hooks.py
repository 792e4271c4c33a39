"""Makes Schemathesis write JSON lines."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def write_lines(_context, value):
    items = value if isinstance(value, list) else [value]
    return "".join(f"{json.dumps(item)}\n" for item in items).encode("utf-8", "surrogatepass")
