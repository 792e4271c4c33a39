"""The store: all SQL of the package is there."""

import ast
import re
from pathlib import Path

import neardup

SOURCE = Path(neardup.__file__).parent
STORE = SOURCE / "index" / "store"
SQL = re.compile(r"\b(SELECT .* FROM|SELECT 1|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE (TABLE|INDEX)|PRAGMA) ?\b")


def find_sql(path):
    tree = ast.parse(path.read_text("utf-8"))
    strings = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [text for text in strings if SQL.search(text)]


def test_sql_is_only_in_the_store():
    outside = [path for path in SOURCE.rglob("*.py") if STORE not in path.parents]
    assert {str(path.relative_to(SOURCE)): found for path in outside if (found := find_sql(path))} == {}


def test_sql_of_the_store_is_recognised():
    assert sum(len(find_sql(path)) for path in STORE.rglob("*.py")) > 50
