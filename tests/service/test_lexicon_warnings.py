"""Warnings about a lexicon that was learned from few documents."""

import pytest
from served import LETTER, OTHER, TEA, serving

from neardup.index import Index

pytestmark = pytest.mark.slow


def test_lexicon_learned_from_one_document_is_reported_with_the_remedy(tmp_path):
    path = tmp_path / "news.db"
    Index(path, method="conrad").close()
    with serving(path) as server:
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
