"""The numbers of Ignatov & Kuznetsov 2009: Tables 2 to 6. Figures 1 to 7 have no numbers in the paper.

The descriptions of Tables 3 and 4 are exchanged in print: thresholds up to 100 belong to images of 100 shingles. The
text calls 0.61 the F1 of threshold 150; in Table 4 it is that of 125.
"""

from __future__ import annotations

from typing import NamedTuple


class FiveValues(NamedTuple):
    """A row of Tables 2 and 6: pairs in each list, in only one of them, and in both."""

    input: str
    threshold: int
    gold: int
    found: int
    only_gold: int
    only_found: int
    common: int


class Scored(NamedTuple):
    """A row of Tables 3 to 5; `setting` is a threshold or a number of clusters."""

    seconds: float
    precision: float
    recall: float
    setting: int
    f1: float


TABLE2 = (
    FiveValues("length 20, size 100, parts 1-12", 100, 105570, 15072, 97055, 6557, 8515),
    FiveValues("length 20, size 100, parts 1-12", 95, 105570, 20434, 93982, 8846, 11588),
    FiveValues("length 20, size 100, parts 1-12", 90, 105570, 30858, 87863, 13151, 17707),
    FiveValues("length 20, size 100, parts 1-12", 85, 105570, 41158, 83150, 18738, 22420),
    FiveValues("length 20, size 100, parts 1-24", 100, 191834, 41938, 175876, 25980, 15958),
    FiveValues("length 20, size 100, parts 1-24", 95, 191834, 55643, 169024, 32833, 22810),
    FiveValues("length 20, size 100, parts 1-24", 90, 191834, 84012, 155138, 47316, 36696),
    FiveValues("length 20, size 100, parts 1-24", 85, 191834, 113100, 136534, 57800, 55300),
    FiveValues("length 10, size 150, parts 1-6", 150, 33267, 6905, 28813, 2451, 4454),
    FiveValues("length 10, size 150, parts 1-6", 145, 33267, 9543, 27153, 3429, 6114),
    FiveValues("length 10, size 150, parts 1-6", 140, 33267, 13827, 24579, 5139, 8688),
    FiveValues("length 10, size 150, parts 1-6", 135, 33267, 17958, 21744, 6435, 11523),
    FiveValues("length 10, size 150, parts 1-6", 130, 33267, 21384, 19927, 8044, 13340),
    FiveValues("length 10, size 150, parts 1-6", 125, 33267, 24490, 19236, 10459, 14031),
)

TABLE3 = (
    Scored(1.2, 0.4, 0.2, 100, 0.24),
    Scored(2.0, 0.4, 0.2, 95, 0.31),
    Scored(3.1, 0.5, 0.4, 90, 0.42),
    Scored(5.3, 0.5, 0.4, 85, 0.44),
    Scored(7.2, 0.4, 0.5, 80, 0.46),
)

TABLE4 = (
    Scored(0.098, 0.76, 0.25, 150, 0.38),
    Scored(0.128, 0.74, 0.29, 145, 0.42),
    Scored(0.187, 0.70, 0.39, 140, 0.50),
    Scored(0.276, 0.67, 0.50, 135, 0.57),
    Scored(0.383, 0.63, 0.57, 130, 0.60),
    Scored(0.455, 0.58, 0.64, 125, 0.61),
    Scored(0.559, 0.47, 0.64, 120, 0.54),
    Scored(0.669, 0.37, 0.67, 115, 0.48),
    Scored(0.873, 0.29, 0.70, 110, 0.41),
    Scored(1.045, 0.23, 0.73, 105, 0.35),
    Scored(1.294, 0.18, 0.69, 100, 0.29),
)

TABLE5 = (
    Scored(11, 0.02, 0.90, 100, 0.04),
    Scored(766, 0.09, 0.78, 1000, 0.16),
    Scored(3125, 0.19, 0.74, 2000, 0.30),
    Scored(6402, 0.28, 0.71, 3000, 0.40),
    Scored(14484, 0.64, 0.61, 5000, 0.63),
    Scored(19127, 0.90, 0.35, 6000, 0.51),
)
CLUSTERED_DOCUMENTS = 6941
"""The number of documents in Tables 4 and 5."""

TABLE6 = (
    FiveValues("length 20, size 100, parts 1-3", 100, 16666, 4409, 14616, 2359, 2050),
    FiveValues("length 20, size 100, parts 1-3", 95, 16666, 5764, 13887, 2985, 2779),
    FiveValues("length 20, size 100, parts 1-3", 90, 16666, 7601, 12790, 3725, 3876),
    FiveValues("length 20, size 100, parts 1-3", 85, 16666, 9802, 11763, 4899, 4903),
    FiveValues("length 20, size 100, parts 1-6", 100, 33267, 13266, 28089, 8088, 5178),
    FiveValues("length 20, size 100, parts 1-6", 95, 33267, 15439, 26802, 8974, 6465),
    FiveValues("length 20, size 100, parts 1-6", 90, 33267, 19393, 24216, 10342, 9051),
    FiveValues("length 20, size 100, parts 1-12", 100, 105570, 21866, 95223, 11519, 10347),
    FiveValues("length 20, size 100, parts 1-12", 95, 105570, 25457, 93000, 12887, 12570),
)

BEST_F1 = 0.61
FALSE_CLUSTERS, FALSE_CLUSTER_DOCUMENTS, EXAMINED_PAIRS = 4, 58, 10_000
"""False duplicate clusters, the documents of the one that is shown, and about how many pairs were examined."""
