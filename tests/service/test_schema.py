"""Requests generated from the OpenAPI schema, valid and invalid, cause no server error."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from served import HANGING_SECONDS

pytestmark = pytest.mark.slow

# A load stores its valid lines: a body with one invalid line is accepted.
CONFIGURATION = """
[[operations]]
include-name = "POST /documents"
checks.negative_data_rejection.enabled = false
checks.positive_data_acceptance.enabled = false
"""


def test_requests_generated_from_the_schema_get_described_answers(server, tmp_path):
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", "schemathesis.toml", "run"]
    options = ["--max-examples", "15", "--seed", "1", "--phases", "examples,coverage,fuzzing"]
    # The hooks make it write JSON lines.
    surroundings = os.environ | {"PYTHONPATH": str(Path(__file__).parent), "SCHEMATHESIS_HOOKS": "line_hooks"}
    done = subprocess.run(
        [*command, f"{server.url}/openapi.json", *options],
        cwd=tmp_path,
        env=surroundings,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=HANGING_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Operations:       11 selected / 11 total" in done.stdout
    assert server.client.get("/health").status_code == 200


def test_page_loads_nothing_from_other_hosts(server):
    page = server.client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert re.findall(r"(?:https?:)?//[a-z]", re.sub(r"^\s*//.*$", "", page.text, flags=re.MULTILINE)) == []


def test_schema_describes_every_error_status(server):
    for path, methods in server.client.get("/openapi.json").json()["paths"].items():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                if status[0] in "45":
                    assert answer["content"]["application/json"]["schema"]["$ref"].endswith("ErrorBody"), (path, status)
