"""The concept lattice of a cluster of a run, from the texts of its members and the settings of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.detectors import list_settings, make_detector
from neardup.detectors.methods.concepts import ConceptDetector
from neardup.errors import InputError, SettingsError
from neardup.explain import build_lattice
from neardup.normalise import Normaliser
from neardup.records import Documents, Lattice, Result
from neardup.represent import Lexicon, ShingleImages, WordImages

MOST_CONCEPTS, MOST_LIMIT = 100, 5_000
READ_AS = {"form": "nfc", "markup": "auto", "boilerplate": "keep"}
SHINGLE = 5


def draw_up_lattice(result: Result, cluster: str, documents: Documents, limit: int = MOST_CONCEPTS) -> Lattice:
    """Build the lattice of a cluster, named by its id or that of a document in it."""
    if not isinstance(limit, int) or not 1 <= limit <= MOST_LIMIT:
        raise SettingsError(f"limit is {limit!r}, but must be a whole number of concepts from 1 to {MOST_LIMIT:,}")
    settings = result.summary.get("settings") or {}
    names = find_members(result, cluster)
    ids = documents.id_column().combine_chunks().cast(pa.string())
    rows = pc.index_in(pa.array(names, pa.string()), value_set=ids)
    if rows.null_count:
        missing = names[int(np.flatnonzero(rows.is_null().to_numpy(zero_copy_only=False))[0])]
        raise InputError(f"the document {missing!r} is not in the collection: give the one that the run was made from")
    texts = Normaliser(**{name: settings.get(name, usual) for name, usual in READ_AS.items()}).open(documents)
    # Passages are sequences of words, even if the run has shingles of characters.
    shingle = settings.get("shingle", SHINGLE) if settings.get("unit", "word") == "word" else SHINGLE
    maker = _image_maker(settings, shingle, lambda: Lexicon.count(texts, np.arange(len(documents), dtype=np.uint32)))
    members = rows.to_numpy().astype(np.uint32)
    return build_lattice(texts, members, names, maker, shingle=shingle, limit=limit)


def recorded_inputs(result: Result) -> list[Path]:
    """Return the files that a run was made from."""
    inputs = [Path(name) for name in result.summary.get("inputs") or ()]
    if not inputs:
        raise InputError("the run was not made from files: give the collection that it was made from")
    return inputs


def find_members(result: Result, cluster: str) -> list[str]:
    """Return the members of a cluster, or of the cluster of a document: the reference first, the others by id."""
    documents = result.documents
    found = _members_of(result, cluster)
    if not found:
        own = documents.filter(pc.equal(documents["id"], cluster))["cluster"].to_pylist()
        found = _members_of(result, own[0]) if own else []
    if not found:
        raise InputError(f"no cluster and no document is called {cluster!r}: neardup show RUN lists them")
    return found


def _members_of(result: Result, cluster: str) -> list[str]:
    """Return the members of the cluster of this name; none if there is none."""
    for name in ("memberships", "documents"):
        if name in result.tables:
            rows = result.table(name).filter(pc.equal(result.table(name)["cluster"], cluster))
            if len(rows):
                ordered = rows.append_column("later", pc.not_equal(pc.fill_null(rows["relation"], ""), "reference"))
                return [
                    str(member)
                    for member in ordered.sort_by([("later", "ascending"), ("id", "ascending")])["id"].to_pylist()
                ]
    return []


def _image_maker(
    settings: Mapping[str, object], shingle: int, count: Callable[[], Lexicon]
) -> ShingleImages | WordImages:
    """Return the image settings of the run; for a method without images, the defaults of `concepts`."""
    known = {setting.name for setting in list_settings(ConceptDetector)} - {"lexicon", "keep", "linkage", "short"}
    if "image" not in settings:
        known = {"unit", "paper", "shingle"}
        settings = {**settings, "shingle": settings.get("shingle", shingle)}
    detector = make_detector("concepts", {name: settings[name] for name in known & settings.keys()})
    assert isinstance(detector, ConceptDetector)
    return detector.with_lexicon(count()).images if detector.image == "words" else detector.images
