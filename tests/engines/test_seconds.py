"""The seconds of a run add up to what the whole took."""

import json
import time

import pytest

import neardup
from reference.examples import make_collection


@pytest.mark.parametrize("method", ["jaccard", "minhash", "concepts"])
def test_reading_and_explaining_are_timed_too(tmp_path, method):
    texts = [record.text for record in make_collection(1)] * 40
    (tmp_path / "texts.csv").write_text("text\n" + "".join(json.dumps(text) + "\n" for text in texts), "utf-8")
    start = time.perf_counter()
    result = neardup.find(tmp_path / "texts.csv", method)
    result.save(tmp_path / "run")
    whole = time.perf_counter() - start
    seconds = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["seconds"]
    assert {"read", "collapse", "explain", "save"} <= set(seconds)
    assert ("audit" in seconds) == (method == "minhash")
    assert 0.7 * whole < sum(seconds.values()) <= whole
