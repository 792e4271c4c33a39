"""The numbers of Yang & Callan 2006: Tables 1 to 3, and the points of Figure 4 that section 6.2 states."""

from __future__ import annotations

SAMPLES = {"ntf": "NTF", "ntf2": "NTF2", "dot": "DOT"}
"""The three samples of 1,000 letters, by the style of docket that is modelled on each."""

METHODS = {"full": "Full", "dsc": "DSC", "imatch": "I-Match", "durian": "DURIAN"}

FORM_LETTERS = {"ntf": 28, "ntf2": 26, "dot": 4}

AGREEMENT = {
    ("A", "B"): {"macro": (0.93, 0.90, 0.95), "micro": (0.99, 0.95, 0.96)},
    ("A", "program"): {"macro": (0.92, 0.80, 0.86), "micro": (0.93, 0.90, 0.88)},
    ("B", "program"): {"macro": (0.90, 0.82, 0.94), "micro": (0.91, 0.91, 0.98)},
}
"""Table 1: AC1 between two coders, or a coder and the program, in NTF, NTF2 and DOT."""

_EFFECTIVENESS = """
exact           full    1.00 1.00 1.00  1.00 1.00 1.00  1.00 1.00 1.00
exact           dsc     0.97 0.98 0.93  0.98 0.97 0.97  0.97 0.97 0.95
exact           imatch  0.91 0.90 0.90  0.75 0.85 0.60  0.82 0.87 0.72
exact           durian  1.00 1.00 1.00  1.00 1.00 1.00  1.00 1.00 1.00
minor_change    full    0.95 0.95 0.96  0.95 0.95 0.96  0.95 0.95 0.96
minor_change    dsc     0.90 0.90 0.88  0.90 0.90 0.90  0.90 0.90 0.89
minor_change    imatch  0.79 0.80 0.80  0.78 0.77 0.80  0.78 0.78 0.80
minor_change    durian  0.95 0.95 1.00  1.00 0.98 1.00  0.97 0.96 1.00
block_added     full    0.97 0.98 0.90  0.98 0.98 0.86  0.97 0.98 0.88
block_added     dsc     0.73 0.70 0.30  0.78 0.73 0.30  0.75 0.71 0.30
block_added     imatch  0.32 0.35 0.20  0.42 0.36 0.30  0.36 0.35 0.24
block_added     durian  0.98 0.98 0.98  0.98 0.98 0.98  0.98 0.98 0.98
block_deleted   full    0.90 0.90 0.90  1.00 0.98 0.90  0.95 0.94 0.90
block_deleted   dsc     0.72 0.75 0.72  0.78 0.73 0.70  0.75 0.74 0.71
block_deleted   imatch  0.30 0.33 0.35  0.40 0.36 0.35  0.34 0.34 0.35
block_deleted   durian  0.98 0.98 0.96  0.98 0.98 0.96  0.98 0.98 0.96
singleton       full    0.90 0.90 1.00  0.90 0.93 0.98  0.90 0.91 0.99
singleton       dsc     0.72 0.74 0.85  0.80 0.76 0.84  0.76 0.75 0.84
singleton       imatch  0.84 0.88 0.90  0.80 0.81 0.90  0.82 0.84 0.90
singleton       durian  0.94 0.94 0.98  0.94 0.94 0.98  0.94 0.94 0.98
rearrange       full    1.00 1.00 1.00  1.00 1.00 1.00  1.00 1.00 1.00
rearrange       dsc     0.67 0.83 0.50  0.83 0.67 0.56  0.74 0.74 0.53
rearrange       imatch  1.00 1.00 0.90  1.00 1.00 0.87  1.00 1.00 0.88
rearrange       durian  1.00 1.00 0.90  1.00 1.00 0.90  1.00 1.00 0.90
"""

Scores = tuple[float, float, float]


def read_effectiveness() -> dict[tuple[str, str, str], Scores]:
    """Return precision, recall and F1 of Table 2 by subcategory, method and style."""
    found = {}
    for line in _EFFECTIVENESS.split("\n"):
        if fields := line.split():
            numbers = [float(field) for field in fields[2:]]
            for index, style in enumerate(SAMPLES):
                scores = (numbers[index], numbers[index + 3], numbers[index + 6])
                found[fields[0], fields[1], style] = scores
    return found


SECONDS = {
    "full": (2233, 2054, 1878),
    "dsc": (1674, 1584, 1444),
    "imatch": (763, 568, 532),
    "durian": (1566, 1333, 933),
}
"""Table 3, in NTF, NTF2 and DOT."""

WITHOUT_CONSTRAINTS = {"ntf": 0.81, "ntf2": 0.85, "dot": 0.90}
WITH_CONSTRAINTS = {"ntf": 0.96, "ntf2": 0.97, "dot": 0.98}
"""Average F1 without constraints and with 50 of all three kinds. The text states no other points of Figure 4."""

MOST_CONSTRAINTS = 50
