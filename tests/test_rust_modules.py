"""The modules of the Rust core form no cycle, and its folders are used in one direction only."""

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "rust" / "core" / "src"
# A folder may use only itself and the folders before it.
FOLDER_ORDER = ("support", "text", "passages", "letters", "represent", "candidates", "explain", "cluster", "index")

Module = tuple[str, ...]
Graph = dict[Module, set[Module]]


def module_name(path: Path, source: Path) -> Module:
    """Return the module path of a file: `text/words/mod.rs` is `("text", "words")`."""
    parts = path.relative_to(source).with_suffix("").parts
    return parts[:-1] if parts[-1] in ("mod", "lib") else parts


def strip_comments_and_strings(code: str) -> str:
    """Blank out comments and literals, in which a path is no import."""
    pattern = r'//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\''
    return re.sub(pattern, " ", code)


def strip_tests(code: str) -> str:
    """Remove every item that is compiled for tests only."""
    while (found := re.search(r"#\[cfg\(test\)\]", code)) is not None:
        code = code[: found.start()] + code[item_end(code, found.end()) :]
    return code


def item_end(code: str, start: int) -> int:
    """Return the offset after the item that begins at `start`: after its semicolon or its closing brace."""
    depth = 0
    for offset in range(start, len(code)):
        depth += {"{": 1, "}": -1}.get(code[offset], 0)
        if depth == 0 and code[offset] in ";}":
            return offset + 1
    return len(code)


def expand(tree: str) -> Iterator[list[str]]:
    """Yield the paths of a `use` tree: `a::{b, c::d}` has `a::b` and `a::c::d`."""
    prefix, brace, rest = tree.partition("{")
    segments = [segment.strip() for segment in prefix.split("::") if segment.strip()]
    if not brace:
        yield [segment.split(" as ")[0].strip() for segment in segments]
        return
    for branch in split_branches(rest[: rest.rindex("}")]):
        for path in expand(branch):
            yield segments + [segment for segment in path if segment != "self"]


def split_branches(branches: str) -> Iterator[str]:
    """Split the inside of braces at the commas that are not in inner braces."""
    depth, start = 0, 0
    for offset, character in enumerate(branches + ","):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            if branch := branches[start:offset].strip():
                yield branch
            start = offset + 1


def used_paths(code: str) -> Iterator[list[str]]:
    """Yield the paths that a file names: those of its imports, and qualified ones in its code."""
    for found in re.finditer(r"\buse\s+([^;]+);", code):
        yield from expand(" ".join(found[1].split()))
    rest = re.sub(r"\buse\s+[^;]+;", " ", code)
    for found in re.finditer(r"(?<![\w:])(?:crate|super|self|[a-z_][a-z0-9_]*)(?:::\w+)+", rest):
        yield found[0].split("::")


def resolve(path: list[str], module: Module, modules: set[Module]) -> Module | None:
    """Return the module in which a path ends, or nothing if it leads out of the crate."""
    if path[0] == "crate":
        at: Module = ()
    elif path[0] in ("super", "self"):
        at = module
    elif (*module, path[0]) in modules:
        at, path = module, ["self", *path]
    else:
        return None
    for segment in path[1:] if path[0] in ("crate", "self") else path:
        if segment == "super":
            at = at[:-1]
        elif (*at, segment) in modules:
            at = (*at, segment)
        else:
            break
    return at


def read_graph(source: Path) -> Graph:
    """Return the modules that each module names; that a module declares another is no use of it."""
    code = {module_name(path, source): path.read_text(encoding="utf-8") for path in source.rglob("*.rs")}
    tests_only = {
        (*module, name)
        for module, text in code.items()
        for name in re.findall(r"#\[cfg\(test\)\]\s*(?:pub(?:\(\w+\))? )?mod (\w+);", text)
    }
    modules = set(code) - tests_only
    graph: Graph = {module: set() for module in modules}
    for module in modules:
        # Modules inside a file belong to it: their `super` is the file itself.
        clean = strip_tests(strip_comments_and_strings(code[module]))
        clean = re.sub(r"\bmod \w+ \{.*?\n\}", lambda inner: inner[0].replace("super::", "self::"), clean, flags=re.S)
        targets = (resolve(path, module, modules) for path in used_paths(clean) if path)
        graph[module] = {target for target in targets if target is not None and target != module}
    return graph


def find_cycle(graph: Graph) -> list[Module]:
    """Return the modules of a cycle, or an empty list."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        cycle: list[Module] = error.args[1]
        return cycle
    return []


def folder_graph(graph: Graph) -> Graph:
    """Return which folders name modules of which other folders."""
    folders: Graph = {module[:1]: set() for module in graph if module}
    for module, targets in graph.items():
        if module:
            folders[module[:1]] |= {target[:1] for target in targets if target and target[:1] != module[:1]}
    return folders


def write_tree(folder: Path, files: dict[str, str]) -> Path:
    for name, code in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    return folder


def test_core_has_the_declared_folders() -> None:
    graph = read_graph(SOURCE)
    assert {module[0] for module in graph if module} == set(FOLDER_ORDER)
    assert len(graph) > 50


def test_modules_form_no_cycle() -> None:
    assert find_cycle(read_graph(SOURCE)) == []


def test_folders_form_no_cycle() -> None:
    assert find_cycle(folder_graph(read_graph(SOURCE))) == []


@pytest.mark.parametrize("folder", FOLDER_ORDER)
def test_folder_uses_only_earlier_folders(folder: str) -> None:
    used = {target[0] for target in folder_graph(read_graph(SOURCE))[folder,]}
    assert used <= set(FOLDER_ORDER[: FOLDER_ORDER.index(folder)])


def test_letters_and_represent_are_independent() -> None:
    folders = folder_graph(read_graph(SOURCE))
    assert ("letters",) not in folders["represent",]
    assert ("represent",) not in folders["letters",]


@pytest.mark.parametrize(
    "imports",
    [
        ("use crate::b::two::Two;", "use crate::a::one::One;"),
        ("use crate::{b::{two::Two}};", "use super::super::a::one;"),
        ("fn f() { crate::b::two::g(); }", "fn g() { crate::a::one::f(); }"),
    ],
)
def test_checker_finds_a_cycle_between_modules_and_folders(tmp_path: Path, imports: tuple[str, str]) -> None:
    source = write_tree(
        tmp_path,
        {
            "lib.rs": "pub mod a;\npub mod b;\n",
            "a/mod.rs": "pub mod one;\n",
            "b/mod.rs": "pub mod two;\n",
            "a/one.rs": imports[0],
            "b/two.rs": imports[1],
        },
    )
    graph = read_graph(source)
    assert set(find_cycle(graph)) == {("a", "one"), ("b", "two")}
    assert set(find_cycle(folder_graph(graph))) == {("a",), ("b",)}


def test_checker_finds_a_cycle_between_a_module_and_its_child(tmp_path: Path) -> None:
    parent = "mod child;\nuse child::work;\npub struct Shared;\n"
    source = write_tree(tmp_path, {"a/mod.rs": parent, "a/child.rs": "use super::Shared;\npub fn work() {}\n"})
    assert set(find_cycle(read_graph(source))) == {("a",), ("a", "child")}


def test_checker_finds_a_cycle_between_folders_whose_modules_have_none(tmp_path: Path) -> None:
    files = {
        "a/mod.rs": "mod one;\npub mod three;\n",
        "b/mod.rs": "pub mod two;\n",
        "a/one.rs": "use crate::b::two::X;",
        "a/three.rs": "",
        "b/two.rs": "use crate::a::three::Y;",
    }
    graph = read_graph(write_tree(tmp_path, files))
    assert find_cycle(graph) == []
    assert set(find_cycle(folder_graph(graph))) == {("a",), ("b",)}


def test_checker_ignores_tests_comments_and_strings(tmp_path: Path) -> None:
    code = """//! See [`crate::b`].
const NAME: &str = "crate::b::f";
#[cfg(test)]
use crate::b::g;
#[cfg(test)]
mod tests {
    use crate::b::f;
    fn test() { if true { f() } }
}
"""
    graph = read_graph(write_tree(tmp_path, {"a.rs": code, "b.rs": "use crate::a::NAME;"}))
    assert graph == {("a",): set(), ("b",): {("a",)}}
