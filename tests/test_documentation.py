"""The documentation matches the code: everything public is described, snippets run, generated parts are fresh."""

import ast
import importlib.util
import re
import shlex
import shutil
import sys
from dataclasses import fields, make_dataclass
from pathlib import Path
from types import ModuleType

import pytest

import neardup
from neardup import cli, errors, records
from neardup.detectors import METHODS, list_settings
from neardup.evaluate import ChainBreak, Evaluation, PairEvaluation, RelationScores

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
EXPECTED = re.compile(r"#\s*->\s*(.*)")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def page(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def by_hand(name: str) -> str:
    """Return a page without its generated parts."""
    return re.sub(r"<!-- begin: (help|settings) -->.*?<!-- end: \1 -->", "", page(name), flags=re.DOTALL)


def load_script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# Everything is described.

COMMANDS = {" ".join(words): command for words, command in load_script("tables").list_commands() if words}
OPTIONS = sorted(
    {option for command in COMMANDS.values() for item in command.params for option in item.opts if "--" in option}
)
ERRORS = [
    name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, errors.NeardupError)
]
STATUSES = [records.OK, records.EMPTY, records.UNREADABLE, records.TOO_SHORT]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_described_by_task(command):
    guide = "".join(by_hand(name_of(path)) for path in PAGES)
    assert f"neardup {command} " in guide
    assert f"## neardup {command}\n" in page("docs/command-line.md")


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_described_by_task(option):
    tasks = (
        "finding",
        "passages",
        "deduplicating",
        "comparing",
        "evaluating",
        "letters",
        "campaigns",
        "lexicons",
        "indexing",
        "reproducing",
        "web-pages",
        "service",
    )
    assert any(re.search(rf"{option}\b", by_hand(f"docs/{name}.md")) for name in tasks)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_a_section_and_a_row(method):
    assert f"\n## `{method}`\n" in page("docs/methods.md")
    assert re.search(rf"^\| (<!--.*?--> )?`{method}` \|", page("README.md"), re.MULTILINE)


@pytest.mark.parametrize("name", ERRORS)
def test_every_exception_is_described(name):
    assert f"`{name}`" in page("docs/errors.md")


@pytest.mark.parametrize("code", ["0", "1", "2", "3", "130"])
def test_every_exit_code_is_described(code):
    assert f"\n| {code} | " in page("docs/errors.md")


@pytest.mark.parametrize("relation", [*records.RELATIONS, "unique"])
def test_every_relation_is_defined(relation):
    assert f"\n| `{relation}` | " in page("docs/comparing.md")


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_is_described(status):
    assert f"\n| `{status}` | " in page("docs/files.md")


@pytest.mark.parametrize("table", records.TABLES)
def test_every_column_is_described(table):
    section = page("docs/files.md").split(f"### {table}.parquet\n")[1].split("\n### ")[0]
    for column in records.TABLES[table].names:
        assert f"`{column}`" in section, column


@pytest.mark.parametrize("method", METHODS)
def test_every_key_of_a_run_and_its_evidence_is_described(method, tmp_path):
    section = page("docs/files.md").split("### pairs.parquet\n")[1].split("\n## ")[0]
    letter = (
        "Please limit mercury from power plants because children are harmed by it and the means to stop it exist today."
    )
    result = neardup.find([letter] * 6 + [f"{letter} My son has asthma.", f"Dear agency, {letter}"], method)
    result.save(tmp_path / "run")
    keys = {*result.summary, *result.summary["counts"], *(result.audit or ()), "keys", "pairs_not_compared"}
    words = keys | set(result.pairs["evidence"].to_pylist())
    assert {word for word in words if f"`{word}`" not in section} == set()


@pytest.mark.parametrize("kind", [Evaluation, RelationScores, PairEvaluation, ChainBreak])
def test_every_measure_is_defined(kind):
    for item in fields(kind):
        assert f"`{item.name}`" in page("docs/evaluating.md"), item.name


def test_public_names_are_pinned_and_described():
    assert sorted(neardup.__all__) == [
        *("Cluster", "Comparison", "Documents", "DuplicateId", "FormatError", "IdNotFound", "Index", "InputError"),
        *("Lexicon", "Member", "MissingExtra", "NeardupError", "OutputError", "Passages", "Result", "SettingsError"),
        *("__version__", "compare", "dedup", "dedup_passages", "evaluate", "evaluate_pairs", "extract", "find"),
        *("lattice", "load", "passages", "read"),
    ]
    described = page("docs/python.md")
    for name in neardup.__all__:
        assert re.search(rf"`{name}[(`]", described), name


def test_attributes_of_a_result_are_described():
    public = {name for name in vars(records.Result) if not name.startswith("_") and name != "count"} | {"labels"}
    described = page("docs/python.md")
    assert {name for name in public if not re.search(rf"`{name}[(`]", described)} == set()


def test_changelog_begins_with_this_version():
    assert re.findall(r"^## (\S+)", page("CHANGELOG.md"), re.MULTILINE)[0] == neardup.__version__


# Generated parts are fresh.


def test_generated_parts_are_fresh():
    for path, fresh in load_script("tables").fresh_pages():
        assert path.read_text("utf-8") == fresh, f"{path.name} is stale: run  python docs/tables.py"


def test_setting_without_declaration_is_refused(monkeypatch):
    tables = load_script("tables")
    undeclared = make_dataclass("Undeclared", [("size", int, 3)])
    monkeypatch.setattr(tables, "METHODS", {**tables.METHODS, "undeclared": undeclared})
    with pytest.raises(TypeError, match="size is not declared"):
        tables.settings_table()


@pytest.mark.parametrize("method", METHODS)
def test_every_setting_is_described(method):
    for setting in list_settings(METHODS[method]):
        assert setting.values
        assert setting.meaning
        assert setting.paper


def test_pictures_are_fresh():
    pictures = load_script("pictures")
    for name, draw in pictures.PICTURES.items():
        kept = (ROOT / "docs" / "pictures" / name).read_text("utf-8")
        assert words_of(kept) == words_of(draw()), f"{name} is stale: run  python docs/pictures.py"


def words_of(picture: str) -> list[str]:
    """Return the text of a picture, without the markup, which depends on the version of Rich."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", picture)


# Links resolve.


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_resolve(path):
    for link in LINK.findall(FENCE.sub("", path.read_text("utf-8"))):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file) if file else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# Snippets run.


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [path for path in PAGES if re.search("^```(console|python)$", path.read_text("utf-8"), re.MULTILINE)],
    ids=name_of,
)
def test_snippets_run(path, tmp_path, monkeypatch, capsys):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    names: dict[str, object] = {}
    for language, code in FENCE.findall(path.read_text("utf-8")):
        if language == "python":
            run_python(code, names)
        elif language == "console":
            run_console(code, capsys)


def run_python(code: str, names: dict[str, object]) -> None:
    """Run a block; an expression followed by `# -> value` must have that value."""
    lines = code.splitlines()
    for statement in ast.parse(code).body:
        expected = find_expected(lines, statement) if isinstance(statement, ast.Expr) else None
        if expected is None:
            exec(compile(ast.Module([statement], []), "<snippet>", "exec"), names)
        else:
            assert isinstance(statement, ast.Expr)
            value = eval(compile(ast.Expression(statement.value), "<snippet>", "eval"), names)
            assert repr(value) == expected, ast.unparse(statement)


def find_expected(lines: list[str], statement: ast.Expr) -> str | None:
    """Return the expected value from the line of the statement or the next line."""
    last = statement.end_lineno or 0
    for line in (lines[last - 1][statement.end_col_offset or 0 :], *lines[last : last + 1]):
        match = EXPECTED.match(line.strip())
        if match:
            return match.group(1)
    return None


def run_console(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Run each command; its output must contain the lines below it in this order, with anything where a line is `…`."""
    parts = re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]
    for part in parts:
        command, *shown = part.splitlines()
        program, *arguments = shlex.split(command)
        assert program == "neardup"
        assert cli.main(arguments) == 0, command
        output = squeeze(capsys.readouterr().out)
        pattern = r"(.*\n)?".join("".join(re.escape(line) + r"\n" for line in block) for block in split_at_gaps(shown))
        assert re.search(pattern, output, re.DOTALL), f"{command}\n{output}"


def split_at_gaps(shown: list[str]) -> list[list[str]]:
    blocks: list[list[str]] = [[]]
    for line in map(str.strip, shown):
        if line == "…":
            blocks.append([])
        elif line:
            blocks[-1].append(" ".join(line.split()))
    return blocks


def squeeze(output: str) -> str:
    """Return the non-blank lines, with single spaces."""
    return "".join(f"{' '.join(line.split())}\n" for line in output.splitlines() if line.strip())
