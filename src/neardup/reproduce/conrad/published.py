"""The numbers of Conrad, Guo & Schriber 2003: Tables 2 to 4 and 6 to 8, and Figure 1 as described in the text."""

from __future__ import annotations

CATEGORY_SHARES = {
    "exact": (38.1, 36.1, 47.6, 54.9),
    "excerpt": (7.3, 3.6, 11.1, 9.7),
    "elaboration": (7.3, 5.9, 8.0, 6.9),
    "insertion": (7.3, 5.9, 0.0, 0.0),
    "focus": (40.0, 48.5, 33.3, 28.5),
    "revision": (0.0, 0.0, 0.0, 0.0),
}
"""Table 2, in percent: sets and documents of ALLNEWS, sets and documents of ALLNEWSPLUS."""

GROWTH = {
    "DJAP1": (258_812, 277_055, 291_178),
    "DJAP2": (216_250, 241_735, 256_368),
    "DJAPCOR": (342_698, 375_315, 388_609),
    "DJMISC11": (712_028, 833_589, 943_023),
    "USFT58": (108_169, 108_170, 108_170),
    "USFT60": (124_569, 124_569, 124_569),
    "USFT61K": (184_184, 184_169, 184_169),
    "USFT62K": (113_912, 120_998, 132_177),
}
"""Table 3: documents in August, September and October 2002. The printed 16.0 % for USFT62K should be 6.2 %."""

CORRELATIONS = {
    ("alphabetic", 0): (780_736, 0.9903),
    ("alphabetic", 1): (793_984, 0.9881),
    ("alphabetic", 2): (769_535, 0.9808),
    ("alphanumeric", 0): (1_047_252, 0.9888),
    ("alphanumeric", 1): (1_064_878, 0.9865),
    ("alphanumeric", 2): (1_030_163, 0.9783),
}
"""Table 4: terms in both and Spearman's coefficient, August to September, September to October, August to October."""

CHANGES = {(1, 0): 1 / 6, (1, 1): 1 / 6, (1, 2): 1 / 6, (30, 0): 1 / 3, (30, 1): 5 / 12, (30, 2): 5 / 12}
"""Figure 1 as described in section 6.2: the share of signatures that change, by length and period as above."""

QUERIES = {"training": (50, 41, 9), "test": (50, 44, 6)}
"""Table 6: queries, with and without duplicate sets."""

SET_SIZES = {"training": {2: 68, 3: 12, 4: 8, 5: 0, 6: 0}, "test": {2: 64, 3: 12, 4: 2, 5: 3, 6: 1}}
"""Table 7."""

AGREEMENT = {"training": (88, 86, 2, 3), "test": (82, 79, 3, 8)}
"""Table 8: sets, agreement, misses, over-identification, with a window of 12 weeks."""

PRECISION = {"training": 86 / 89, "test": 79 / 81}
"""Footnote 9: precision, if a window of 6 weeks and the treatment of numbers correct errors of the test round."""

COMPARED_TERMS = 15
"""Section 7.3: the largest average number of terms compared until a pair is ruled out."""
