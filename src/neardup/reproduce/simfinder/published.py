"""The numbers of Gong, Huang, Cheng & Bai 2008. The text states no values of the curves in Figures 1 to 10."""

from __future__ import annotations

THRESHOLD = 0.65
GRAM = 3

CORPORA = {"short messages": (12_000_000, 735), "BBS titles": (5_000_000, 157)}
"""Texts and megabytes of the two corpora."""

INTERVALS = tuple(twentieths / 20 for twentieths in range(11, 21))
"""The upper ends of the intervals of duplicate degree, each 0.05 wide: 0.55, 0.60, … 1.00."""

PAIRS_PER_INTERVAL = 200

COMPARISONS = 642_404_813
COMPARISONS_SKIPPING = 120_725_627
"""Comparisons on the short messages without and with the optimisation of Remark 2."""

POTENTIAL_PAIRS = 10_000
BELOW = 23
"""Potential duplicate pairs that were drawn, and the number of them with a degree below the threshold."""

UNREADABLE = "the curve has no values in the text"
