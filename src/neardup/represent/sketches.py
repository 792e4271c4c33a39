"""Sketches: one-permutation MinHash of shingle sets, and SimHash."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.represent.representer import DistinctTexts, Features, Packer, Representer
from neardup.represent.shingles import Shingles, ShingleSets
from neardup.stages import Days, Hashes, Nodes


@dataclass(frozen=True, slots=True)
class Banding:
    """The shape of a sketch: `bands` of `rows` slots each."""

    bands: int
    rows: int

    @property
    def slots(self) -> int:
        """The number of slots of a sketch."""
        return self.bands * self.rows


@dataclass(frozen=True, slots=True)
class Sketches:
    """The sketches of nodes, and their shingle sets.

    `band_keys` and `slots` hold, document by document, one key for each band and the low byte of each slot; node i is
    document `sets.documents[i]`.
    """

    sets: ShingleSets
    banding: Banding
    band_keys: Hashes
    slots: npt.NDArray[np.uint8]

    @property
    def nodes(self) -> Nodes:
        """The nodes that are represented."""
        return self.sets.nodes


@dataclass(frozen=True, slots=True)
class SketchRepresenter(Representer[Sketches]):
    """One-permutation MinHash, computed in the first pass (Li, Owen & Zhang 2012; Shrivastava 2017)."""

    shingles: Shingles
    banding: Banding

    @property
    def first_pass(self) -> _core.FirstPass:
        """The sketches."""
        return _core.FirstPass.sketches(self.shingles.shingling, self.banding.bands, self.banding.rows)

    def represent(self, texts: DistinctTexts) -> Sketches:
        """Return the sketches that the first pass computed."""
        sets = ShingleSets(texts.nodes, texts.texts, texts.documents, self.shingles)
        return Sketches(sets, self.banding, texts.survey.keys, texts.survey.slots)


@dataclass(frozen=True, slots=True)
class SimHashes:
    """The 64-bit SimHash of each node."""

    nodes: Nodes
    hashes: Hashes


@dataclass(frozen=True, slots=True)
class SimHashRepresenter(Representer[SimHashes]):
    """SimHash of the shingles of each text (Charikar 2002)."""

    shingles: Shingles

    def represent(self, texts: DistinctTexts) -> SimHashes:
        """Compute the hash of each distinct text."""
        return SimHashes(texts.nodes, texts.texts.simhashes(texts.documents, self.shingles.shingling))

    @property
    def packer(self) -> Packer[SimHashes]:
        """The eight bytes of each hash."""
        return SimHashPacker()


class SimHashPacker(Packer[SimHashes]):
    """Stores hashes as eight bytes each."""

    def pack(self, representation: SimHashes) -> Features:
        """Return the hashes as bytes."""
        hashes = np.ascontiguousarray(representation.hashes)
        return Features(hashes.view(np.uint8), np.arange(len(hashes) + 1, dtype=np.int64) * 8)

    def unpack(self, features: Features, nodes: Nodes, days: Days | None) -> SimHashes:
        """Return the hashes that the bytes encode."""
        return SimHashes(nodes, features.content.view(np.uint64))
