"""Runs of earlier versions."""

import pyarrow.parquet as pq

import neardup


def test_run_of_an_earlier_version_has_null_in_later_columns(tmp_path):
    neardup.find(["a b c d e f g h", "a b c d e f g h", "other"], method="exact").save(tmp_path / "run")
    for name, columns in (("documents", ["also", "points"]), ("clusters", ["consensus", "points"])):
        file = tmp_path / "run" / f"{name}.parquet"
        pq.write_table(pq.read_table(file).drop_columns(columns), file)
    run = neardup.load(tmp_path / "run")
    assert run.clusters[0].consensus is None
    assert run.documents["also"].null_count == 3
