"""Types of the native module: the loops, over batches of documents."""

import numpy as np
import numpy.typing as npt

TOKENISER_VERSION: str

_Bytes = npt.NDArray[np.uint8]
_Numbers = npt.NDArray[np.uint32]
_Keys = npt.NDArray[np.uint64]
_Offsets = npt.NDArray[np.int64]
_Scores = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.bool_]
_Run = tuple[int, str]
_Kept = tuple[str, int]
_Matches = tuple[_Numbers, _Numbers, _Numbers]

class Survey:
    representatives: _Numbers
    words: _Numbers
    fingerprints: _Keys
    keys: _Keys
    slots: _Bytes

class Sets:
    def __len__(self) -> int: ...
    def sizes(self) -> _Numbers: ...
    def overlaps(
        self, a: _Numbers, b: _Numbers, measure: str | None = None, threshold: tuple[int, int] = (1, 1)
    ) -> _Numbers: ...
    def similar(
        self,
        measure: str,
        threshold: tuple[int, int],
        sides: _Bytes | None,
        budget: int,
        copies: _Numbers | None = None,
    ) -> tuple[_Matches, tuple[int, int]]: ...

class Background:
    @staticmethod
    def from_counts(hashes: _Keys, counts: _Keys) -> Background: ...
    @staticmethod
    def count(texts: Texts, documents: _Numbers, copies: _Numbers) -> Background: ...
    def distances(self, texts: Texts, a: _Numbers, b: _Numbers, mu: float) -> _Scores: ...
    def hold(
        self,
        texts: Texts,
        documents: _Numbers,
        references: _Numbers,
        bounds: tuple[float, float, int],
        thorough: bool,
    ) -> tuple[_Numbers, _Numbers, _Scores, _Scores, _Numbers, _Flags, _Flags]: ...

class LetterRules:
    @staticmethod
    def learn(texts: Texts, patterns: list[str], aliases: list[tuple[str, str]]) -> LetterRules: ...
    @staticmethod
    def kinds() -> list[str]: ...
    def spell(self, numbers: list[str]) -> list[str]: ...
    def open(self, texts: Texts) -> tuple[_Keys, _Bytes, _Numbers, _Numbers, list[str], list[str], _Keys]: ...
    def fields(self, texts: Texts, documents: _Numbers) -> tuple[list[str], list[str], list[str]]: ...

class Texts:
    @staticmethod
    def from_strings(strings: list[str], html: _Flags | None, form: str, markup: str, threads: int) -> Texts: ...
    @staticmethod
    def from_columns(
        columns: list[tuple[_Offsets, _Bytes]], html: _Flags | None, form: str, markup: str, threads: int
    ) -> Texts: ...
    def __len__(self) -> int: ...
    def restricted(self, offsets: _Keys, starts: _Numbers, ends: _Numbers) -> Texts: ...
    def survey(self, ranks: _Numbers, groups: _Numbers | None, along: tuple[object, ...] | None) -> Survey: ...
    def bottom(self, documents: _Numbers, shingling: _Run, count: int) -> tuple[_Keys, _Keys]: ...
    def simhashes(self, documents: _Numbers, shingling: _Run) -> _Keys: ...
    def vocabulary(self, documents: _Numbers) -> tuple[tuple[_Offsets, _Bytes], _Keys, _Numbers, _Keys]: ...
    def signatures(self, documents: _Numbers, hashes: _Keys, ranks: _Numbers, terms: int, skip: int) -> _Keys: ...
    def sets(
        self,
        documents: _Numbers,
        shingling: _Run,
        selection: _Kept,
        counted_by: Survey | None,
        jaccard: tuple[int, int] | None = None,
    ) -> Sets: ...
    def partners(
        self, documents: _Numbers, chosen: _Numbers, shingling: _Run, measure: str, threshold: tuple[int, int]
    ) -> _Matches: ...
    def describe(self, members: _Numbers, references: _Numbers) -> tuple[list[str], list[str], list[str]]: ...
    def align(self, a: int, b: int) -> list[tuple[str, int, int, int, int]]: ...
    def paragraphs(self, document: int) -> list[tuple[int, int]]: ...
    def tokens(self, document: int) -> tuple[_Numbers, _Numbers, _Keys]: ...
    def prepared(self, document: int) -> str: ...

def candidates(
    keys: _Keys,
    offsets: _Keys,
    lengths: _Numbers,
    sides: _Bytes | None,
    budget: int,
    threads: int,
    copies: _Numbers | None = None,
) -> tuple[_Numbers, _Numbers, int, int]: ...
def banded_candidates(
    keys: _Keys,
    slots: _Bytes,
    widths: tuple[int, int],
    nodes: _Numbers,
    agreement: tuple[int, int],
    lengths: _Numbers,
    sides: _Bytes | None,
    budget: int,
    threads: int,
    copies: _Numbers | None = None,
) -> tuple[_Numbers, _Numbers, int, int, int]: ...
def block_keys(hashes: _Keys, bits: int, blocks: int) -> _Keys: ...
def components(nodes: int, a: _Numbers, b: _Numbers) -> _Numbers: ...
def stars(order: _Numbers, a: _Numbers, b: _Numbers, similarities: _Scores) -> _Numbers: ...
