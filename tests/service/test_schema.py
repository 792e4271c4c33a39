"""The service is what its description says: requests made from the schema, good and bad, meet no server error."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from served import HANGING_SECONDS

pytestmark = pytest.mark.slow

# A load takes what it can of its lines: a body with a wrong line among others is accepted.
CONFIGURATION = """
[[operations]]
include-name = "POST /documents"
checks.negative_data_rejection.enabled = false
checks.positive_data_acceptance.enabled = false
"""


def test_requests_from_the_schema_are_answered_as_described(server, tmp_path):
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", "schemathesis.toml", "run"]
    options = ["--max-examples", "15", "--seed", "1", "--phases", "examples,coverage,fuzzing"]
    # The hooks teach it to write JSON lines.
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


def test_the_page_fetches_nothing_from_elsewhere(server):
    page = server.client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert re.findall(r"(?:https?:)?//[a-z]", re.sub(r"^\s*//.*$", "", page.text, flags=re.MULTILINE)) == []


def test_every_status_of_a_refusal_is_described_with_its_shape(server):
    for path, methods in server.client.get("/openapi.json").json()["paths"].items():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                if status[0] in "45":
                    assert answer["content"]["application/json"]["schema"]["$ref"].endswith("ErrorBody"), (path, status)
