"""The functions of the public package; each calls the packages that do the work."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from neardup import represent
from neardup.detectors import Detector, MethodName, Settings, choose_detector, prepare_detector, suggest_letters
from neardup.engines import EngineName, Job, find_engine
from neardup.errors import InputError, SettingsError
from neardup.evaluate import evaluate, evaluate_pairs
from neardup.explain import Keep, compare_texts
from neardup.index import Index
from neardup.lattices import MOST_CONCEPTS, draw_up_lattice, recorded_inputs
from neardup.normalise import (
    BodyReader,
    Boilerplate,
    Form,
    LetterReader,
    Markup,
    Normaliser,
    extract_attributes,
)
from neardup.outputs import replacing
from neardup.passages import PassageSettings, Removal, find_passages, remove_repetitions
from neardup.pipeline import Progress
from neardup.read import check_beside, check_kept, read, stack, write_kept
from neardup.read.constraints import read_constraints, resolve_constraints
from neardup.records import Comparison, Documents, Lattice, Passages, Result
from neardup.records import load_run as load
from neardup.represent import LexiconUnit, TermKind, TermOrder

__all__ = [
    "Index",
    "Lexicon",
    "compare",
    "dedup",
    "dedup_passages",
    "evaluate",
    "evaluate_pairs",
    "extract",
    "find",
    "lattice",
    "load",
    "passages",
    "read",
]

MOST_THREADS = 1024


def find(  # noqa: PLR0913 - the front door names what it takes
    docs: Any,
    method: MethodName | Detector = "auto",
    *,
    against: Any = None,
    constraints: Any = None,
    engine: EngineName = "local",
    progress: Progress | None = None,
    text: str | None = None,
    id: str | None = None,  # noqa: A002 - the name of the option on both sides
    time: str | None = None,
    strict: bool = False,
    threads: int | None = None,
    **settings: Unpack[Settings],
) -> Result:
    """Find the texts of a collection that come from the same origin, and group them.

    `docs` is a path or glob, a list of strings, an iterable of mappings, a pandas or polars frame, an Arrow table or a
    Hugging Face dataset; `text`, `id` and `time` name its columns where the guess is not right. With `against`, only
    duplicates between the two collections count, and the rows of the other one follow those of `docs`. Everything else
    is a setting of the method: `neardup methods NAME` lists them.

    >>> letters = ["Please save the whales now", "please SAVE the whales, now!", "Something else"]
    >>> find(letters, method="exact").labels.tolist()
    [0, 0, 1]
    """
    run_engine = find_engine(engine)
    _check_threads(threads)
    detector = prepare_detector(method, settings)
    columns = {"text": text, "id": id, "time": time}
    documents = _documents(docs, progress=progress, strict=strict, **columns)
    sides = None
    if against is not None:
        other = _documents(against, progress=progress, strict=strict, **columns)
        documents, sides = stack(documents, other)
    reason = suggestion = None
    if detector is None:
        detector, reason = choose_detector(settings, *documents.texts.measure())
        suggestion = suggest_letters(documents) if sides is None else None
    if sides is not None:
        detector.check_comparison()
    notes = () if suggestion is None else (suggestion,)
    job = Job(documents, sides, threads=threads or 0, reason=reason, notes=notes)
    if constraints is not None:
        detector.check_constraints()
        between, remarks = resolve_constraints(read_constraints(constraints), documents)
        job = replace(job, constraints=between, notes=notes + remarks)
    return run_engine(detector, job, progress)


class FindOptions(Settings, total=False):
    """The options of `find`: how to read and compare, and the settings of the method."""

    against: Any
    constraints: Any
    engine: EngineName
    progress: Progress | None
    text: str | None
    id: str | None
    time: str | None
    strict: bool
    threads: int | None


OTHER_OPTIONS = FindOptions.__annotations__.keys() - Settings.__annotations__.keys()


def dedup(
    source: Any,
    output: str | os.PathLike[str],
    method: MethodName | Detector = "auto",
    **options: Unpack[FindOptions],
) -> Result:
    """Write a collection of files without its duplicates, in its own format, nothing else changed.

    Takes the options of `find`. For texts in memory use `find` and the flags in `result.kept`.
    """
    check_kept(source, output)
    given: dict[str, Any] = dict(options)
    settings = {name: given[name] for name in given.keys() - OTHER_OPTIONS}
    detector = prepare_detector(method, settings)
    columns: dict[str, Any] = {name: given.get(name) for name in ("text", "id", "time")}
    documents = read(source, **columns, strict=given.get("strict", False), progress=given.get("progress"))
    if detector is not None:
        given = {name: value for name, value in given.items() if name not in settings}
    result = find(documents, method if detector is None else detector, **given)
    kept = result.kept[: len(documents)]
    write_kept(source, kept, Path(output), **columns)
    result.count(kept=int(kept.sum()), removed=int((~kept).sum()))
    return result


def dedup_passages(  # noqa: PLR0913 - the front door names what it takes
    source: Any,
    output: str | os.PathLike[str],
    *,
    min_words: int = 25,
    similarity: float = 1.0,
    min_documents: int = 1,
    max_documents: int | float | None = None,
    keep: Keep | None = None,
    mask: str | None = None,
    shortest: int = 5,
    drop_short: bool = False,
    manifest: str | os.PathLike[str] | None = None,
    text: str | None = None,
    id: str | None = None,  # noqa: A002 - the name of the option on both sides
    time: str | None = None,
    strict: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Passages:
    """Write a collection of files without repeated passages, in its own format, nothing else changed.

    The first occurrence of a passage by `keep` stays. Later ones are cut, or replaced by `mask`. Only exact
    repetitions are removed unless `similarity` is below 1. A document with fewer than `shortest` words left counts as
    too short, and is dropped if `drop_short` is set. `manifest` is a Parquet file with a row for each removed stretch.
    """
    settings = PassageSettings(min_words, similarity, min_documents, max_documents, keep)
    removal = Removal(mask, shortest, drop_short)
    _check_threads(threads)
    check_kept(source, output)
    if manifest is not None:
        check_beside(source, output, manifest)
    columns: dict[str, Any] = {"text": text, "id": id, "time": time}
    documents = read(source, **columns, strict=strict, progress=progress)
    removed = remove_repetitions(documents, settings, removal, threads=threads or 0, progress=progress)
    write_kept(source, removed.kept, Path(output), texts=removed.texts, **columns)
    if manifest is not None:
        with replacing(manifest) as path:
            pq.write_table(removed.manifest, path, compression="zstd")
    return removed.passages


def passages(  # noqa: PLR0913 - the front door names what it takes
    docs: Any,
    *,
    min_words: int = 25,
    similarity: float = 0.8,
    against: Any = None,
    min_documents: int = 1,
    max_documents: int | float | None = None,
    keep: Keep | None = None,
    text: str | None = None,
    id: str | None = None,  # noqa: A002 - the name of the option on both sides
    time: str | None = None,
    form: Form = "nfc",
    markup: Markup = "auto",
    strict: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Passages:
    """Find the passages that otherwise different documents share, exact or edited, with all their places.

    `docs` is whatever `find` takes. A passage has at least `min_words` words (characters in scripts without spaces) and
    occurs in two documents, or twice in one; `similarity` is the share of equal words, 1 for exact passages only. With
    `against`, only passages of `docs` that are also in the other collection count. A passage in more documents than
    `max_documents` (a number, or a share of all documents) is boilerplate: it is counted, and its places are not
    listed.

    >>> shared = "the committee shall report to the council before the end of each year"
    >>> found = passages([f"First, {shared}.", f"As we know, {shared}!", "Nothing"], min_words=10)
    >>> found.passages["text"].to_pylist()
    ['the committee shall report to the council before the end of each year']
    >>> found.occurrences.select(["id", "start", "end"]).to_pylist()
    [{'id': '0', 'start': 7, 'end': 76}, {'id': '1', 'start': 12, 'end': 81}]
    """
    settings = PassageSettings(min_words, similarity, min_documents, max_documents, keep, form, markup)
    _check_threads(threads)
    columns = {"text": text, "id": id, "time": time}
    documents, sides = _documents(docs, progress=progress, strict=strict, **columns), None
    if against is not None:
        documents, sides = stack(documents, _documents(against, progress=progress, strict=strict, **columns))
    return find_passages(documents, settings, sides, threads=threads or 0, progress=progress)


def compare(a: str, b: str) -> Comparison:
    """Compare two texts: every measure of similarity, how b relates to a, and what was changed where.

    >>> compare("The cat sat on the mat.", "The cat sat on a mat.").relation
    'minor_change'
    """
    for name, text in (("a", a), ("b", b)):
        if not isinstance(text, str):
            raise InputError(f"{name} is {type(text).__name__}, but compare takes two strings")
    return compare_texts(a, b)


def lattice(
    result: Result,
    cluster: str,
    docs: Any = None,
    *,
    limit: int = MOST_CONCEPTS,
    text: str | None = None,
    id: str | None = None,  # noqa: A002 - the name of the option on both sides
) -> Lattice:
    """Build the concept lattice of a cluster: every set of members that share something, with what they share.

    `cluster` is the name of a cluster or of a document in it; `docs` is the collection that the result was found in,
    which is read again from its files if it is not given. Documents with which there would be more than `limit`
    concepts are left out, which the lattice says.

    >>> letters = ["save the whales and the seals", "save the whales and the cats", "save the whales and dogs"]
    >>> result = find(letters, "jaccard", shingle=2, threshold=0.3)
    >>> lattice(result, "0", letters).concepts[0].passages[0].text
    'save the whales and'
    """
    inputs = recorded_inputs(result) if docs is None else docs
    return draw_up_lattice(result, cluster, _documents(inputs, text=text, id=id), limit)


def extract(
    docs: Any,
    *,
    dockets: str | os.PathLike[str] | None = None,
    text: str | None = None,
    id: str | None = None,  # noqa: A002 - the name of the option on both sides
    time: str | None = None,
    threads: int | None = None,
) -> pa.Table:
    """Take letters apart: one row per document with who wrote to whom, when, about what, and the parts of its text.

    `docs` is whatever `find` takes; `dockets` is a TOML file with further patterns and aliases of docket numbers.

    >>> letter = "Dear Administrator,\\n\\nPlease limit mercury.\\n\\nSincerely,\\nJane Roe"
    >>> extract([letter])["sender"].to_pylist()
    ['Jane Roe']
    """
    _check_threads(threads)
    reader = LetterReader() if dockets is None else LetterReader.load(dockets)
    documents = _documents(docs, text=text, id=id, time=time)
    return extract_attributes(documents, Normaliser().for_letters().open(documents, threads or 0), reader)


class Lexicon(represent.Lexicon):
    """The words of a collection with their frequencies: built once, saved, and used wherever they are needed."""

    @classmethod
    def build(  # noqa: PLR0913 - the front door names what it takes
        cls,
        docs: Any,
        *,
        min_documents: int = 5,
        kind: TermKind = "alphabetic",
        min_letters: int = 3,
        order: TermOrder = "idf",
        unit: LexiconUnit = "words",
        form: Form = "nfc",
        markup: Markup = "auto",
        boilerplate: Boilerplate = "keep",
        text: str | None = None,
        threads: int = 0,
    ) -> Self:
        """Count the words of a collection of any kind that `read` takes.

        All words are counted; those of `min_documents` documents or more, of this `kind` (`alphabetic`, `alphanumeric`,
        `all`) and with `min_letters` characters or more are the terms of signatures, chosen in the `order` of `idf` or
        `quantised`. Method simfinder wants the `unit` `terms`.

        >>> Lexicon.build(["one two", "two three"], min_documents=2).list_terms()
        ['two']
        """
        choice = represent.TermChoice(min_documents, kind, min_letters, order)
        documents = _documents(docs, text=text)
        texts = Normaliser(form, markup, boilerplate).open(documents, threads)
        counted = cls.count(texts, np.arange(len(documents), dtype=np.uint32), unit)
        source = represent.Source(", ".join(documents.inputs), len(documents))
        return replace(counted, choice=choice, sources=(source,))

    def compare(self, other: represent.Lexicon) -> represent.LexiconComparison:
        """Compare the ranks by idf of the terms that both lexicons have: Spearman's coefficient with ties."""
        return represent.compare_lexicons(self, other)

    def stability(self, other: represent.Lexicon, docs: Any, *, longest: int = 30) -> represent.Stability:
        """Measure which share of the signatures of documents the other lexicon would change, by their length."""
        return represent.measure_stability(BodyReader().open(Normaliser().open(_documents(docs))), self, other, longest)


def _check_threads(threads: int | None) -> None:
    if threads is not None and not (type(threads) is int and 0 <= threads <= MOST_THREADS):
        raise SettingsError(f"threads is {threads!r}, but must be a whole number up to {MOST_THREADS}")


def _documents(docs: Any, **options: Any) -> Documents:
    return docs if isinstance(docs, Documents) else read(docs, **options)
