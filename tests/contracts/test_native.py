"""The native module contains exactly what its stub declares."""

import ast
import inspect
from pathlib import Path

import pytest

import neardup
from neardup import _core

STUB = ast.parse(Path(neardup.__file__).with_name("_core.pyi").read_text("utf-8"))
CLASSES = {item.name: item for item in STUB.body if isinstance(item, ast.ClassDef)}
FUNCTIONS = {item.name: item for item in STUB.body if isinstance(item, ast.FunctionDef)}
CONSTANTS = {item.target.id for item in STUB.body if isinstance(item, ast.AnnAssign)}


def methods_of(declared):
    return {item.name: item for item in declared.body if isinstance(item, ast.FunctionDef)}


def attributes_of(declared):
    return {item.target.id for item in declared.body if isinstance(item, ast.AnnAssign)}


def parameters_of(declared):
    arguments = declared.args
    names = [argument.arg for argument in arguments.args if argument.arg != "self"]
    with_default = names[len(names) - len(arguments.defaults) :]
    return [(name, name in with_default) for name in names]


def offered_parameters(function):
    found = inspect.signature(function).parameters.values()
    return [(each.name, each.default is not each.empty) for each in found if each.name not in ("self", "$self")]


def public(thing):
    return {name for name in dir(thing) if not name.startswith("_")}


def test_module_has_exactly_the_declared_names():
    assert public(_core) == {*CLASSES, *FUNCTIONS, *CONSTANTS}


@pytest.mark.parametrize("name", CLASSES)
def test_class_has_exactly_the_declared_members(name):
    declared, offered = CLASSES[name], getattr(_core, name)
    named = {member for member in methods_of(declared) if not member.startswith("_")}
    assert public(offered) == named | attributes_of(declared)
    assert all(hasattr(offered, member) for member in methods_of(declared))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_has_the_declared_parameters(name):
    assert offered_parameters(getattr(_core, name)) == parameters_of(FUNCTIONS[name])


@pytest.mark.parametrize(
    ("name", "method"), [(name, member) for name in CLASSES for member in methods_of(CLASSES[name]) if member[0] != "_"]
)
def test_method_has_the_declared_parameters(name, method):
    declared = methods_of(CLASSES[name])[method]
    assert offered_parameters(getattr(getattr(_core, name), method)) == parameters_of(declared)


def test_classes_cannot_be_instantiated_from_python():
    for name in CLASSES:
        with pytest.raises(TypeError, match="cannot create"):
            getattr(_core, name)()
