"""neardup serve: refused options and paths."""

import socket

import pytest

import neardup


@pytest.fixture
def index(tmp_path):
    with neardup.Index(tmp_path / "news.db", method="jaccard") as opened:
        opened.add([{"id": "a", "text": "The cat sat on the mat."}])
    return tmp_path / "news.db"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--port", "99999"), "between 0 and 65535"),
        (("--port", "-1"), "between 0 and 65535"),
        (("--timeout", "0"), "timeout"),
        (("--timeout", "nan"), "timeout"),
        (("--readers", "0"), "readers"),
        (("--body-limit", "0"), "body"),
        (("--token-file", "nowhere"), "cannot be read"),
        (("--token-file", "empty"), "is empty"),
        (("--token-file", "strange"), "ASCII"),
    ],
)
def test_invalid_serve_options_are_refused(run_in, index, options, message):
    (index.parent / "empty").write_text(" \n")
    (index.parent / "strange").write_text("schlüssel")
    done = run_in(index.parent, "serve", "news.db", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
def test_address_that_cannot_be_listened_on_is_refused(run_process_in, index, host):
    done = run_process_in(index.parent, "serve", "news.db", "--host", host)
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot listen" in done.stderr
    assert len(done.stderr.splitlines()) <= 2


@pytest.mark.slow
def test_port_in_use_is_refused(run_process_in, index):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run_process_in(index.parent, "serve", "news.db", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "--port" in done.stderr


def test_missing_index_is_refused_and_not_created(run_in, tmp_path):
    done = run_in(tmp_path, "serve", "nowhere.db", "--port", "0")
    assert done.returncode == 2
    assert "neardup index build" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_file_that_is_not_an_index_is_refused_and_not_changed(run_in, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Administrator")
    done = run_in(tmp_path, "serve", "letter.txt", "--port", "0")
    assert done.returncode == 2
    assert "letter.txt" in done.stderr
    assert (tmp_path / "letter.txt").read_text() == "Dear Administrator"
