"""An index of an earlier version, whose settings have other names."""

import json

from neardup.index import Index
from neardup.index.store import Store


def test_setting_stored_under_its_former_name_is_used(url):
    with Index(url, method="jaccard", boilerplate="drop", shingle=1, threshold=0.5) as index:
        index.add([{"id": "a", "text": "the cat sat on the mat"}])
    store = Store.open(url)
    with store.writing():
        settings = json.loads(store.facts.read_all()["settings"])
        settings["frames"] = settings.pop("boilerplate")
        store.facts.update("settings", json.dumps(settings).encode())
    store.close()
    with Index(url) as index:
        assert index.stats()["settings"]["boilerplate"] == "drop"
        assert [match.id for match in index.query("the cat sat on the mat")] == ["a"]
