"""A run of an earlier version, whose settings have other names."""

import json

import neardup


def test_setting_stored_under_its_former_name_is_known(tmp_path):
    neardup.find(["the cat sat", "the cat sat"], "exact", boilerplate="drop").save(tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    run = json.loads(path.read_text())
    run["settings"]["frames"] = run["settings"].pop("boilerplate")
    path.write_text(json.dumps(run))
    assert neardup.load(tmp_path / "run").summary["settings"]["boilerplate"] == "drop"
