import pyarrow as pa
import pytest

from neardup.errors import InputError
from neardup.read.constraints import Constraint, read_constraints, resolve_constraints
from neardup.records import Documents


def test_constraints_are_read_from_csv_and_from_mappings(write):
    path = write("c.csv", "a,b,kind,note\nx,y,must,\ny,z,Cannot,why\n")
    expected = [Constraint("x", "y", "must"), Constraint("y", "z", "cannot")]
    assert read_constraints(path) == expected
    rows = [{"a": "x", "b": "y", "kind": "must"}, {"a": "y", "b": "z", "kind": "cannot"}]
    assert read_constraints(rows) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\nx,y\n", "has no column kind"),
        ("a,b,kind\nx,y,maybe\n", "line 2: kind is 'maybe', but must be one of must, cannot, family"),
        ("a,b,kind\nx,,must\n", "line 2: a constraint names two documents"),
    ],
)
def test_invalid_constraints_are_input_errors(write, content, message):
    with pytest.raises(InputError, match=message):
        read_constraints(write("c.csv", content))


def test_constraints_are_resolved_to_rows():
    documents = Documents(["1", "2", "3"], ids=pa.chunked_array([["x", "y", "z"]]))
    links = [Constraint("x", "z", "must"), Constraint("y", "x", "family"), Constraint("z", "y", "cannot")]
    found, notes = resolve_constraints(links, documents)
    assert (found.must, found.family, found.cannot) == (((0, 2),), ((1, 0),), ((2, 1),))
    assert notes == ()


def test_constraints_on_unknown_documents_are_noted():
    found, notes = resolve_constraints(
        [Constraint("0", "7", "must"), Constraint("0", "1", "must")], Documents(["a", "b"])
    )
    assert found.must == ((0, 1),)
    assert notes == ("1 of 2 constraints name documents that are not in the collection",)
