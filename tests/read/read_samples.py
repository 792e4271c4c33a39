"""Access to the columns of collections, and small archives."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping

from neardup.records import Documents


def texts(documents: Documents) -> list[str]:
    """Return all texts, the empty string for those that could not be read."""
    return documents.texts.to_list()


def ids(documents: Documents) -> list[str]:
    """Return all ids."""
    return documents.id_column().to_pylist()


def statuses(documents: Documents) -> list[str]:
    """Return all statuses."""
    return ["ok"] * len(documents) if documents.statuses is None else documents.statuses.to_pylist()


def zipped(members: Mapping[str, bytes]) -> bytes:
    """Make a zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tarred(members: Mapping[str, bytes]) -> bytes:
    """Make a tar archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in members.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return buffer.getvalue()
