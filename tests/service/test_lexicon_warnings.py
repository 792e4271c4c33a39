"""Who serves an index with a lexicon learned from little is told so."""

import pytest
from served import LETTER, OTHER, TEA, serving

from neardup.index import Index

pytestmark = pytest.mark.slow


def test_a_lexicon_frozen_by_the_first_document_is_named_with_the_remedy(tmp_path):
    place = tmp_path / "news.db"
    Index(place, method="conrad").close()
    with serving(place) as server:
        (warning,) = server.client.get("/health").json()["warnings"]
        assert "no lexicon yet" in warning
        for name, text in (("a", LETTER), ("b", TEA), ("c", OTHER)):
            assert server.client.put(f"/documents/{name}", json={"text": text}).status_code == 201
        (warning,) = server.client.get("/health").json()["warnings"]
        assert "learned from one text" in warning
        assert "3 documents" in warning
        assert "neardup index migrate" in warning
        assert "neardup_index_lexicon_documents 1\n" in server.client.get("/metrics").text
        _, _, complained = server.end()
    assert "no lexicon yet" in complained
