"""Evaluations in the terminal."""

from math import nan

import pytest

from neardup.report import render_evaluation

SCORES = {
    "documents": 6,
    "gold_clusters": 1,
    "found_clusters": 1200,
    "only_in_gold": 0,
    "only_in_result": 1,
    "pair_precision": 0.5714,
    "pair_recall": 1.0,
    "pair_f1": 0.7273,
    "bcubed_precision": 0.75,
    "bcubed_recall": 0.99999,
    "bcubed_f1": 0.8571,
    "adjusted_rand": -0.25,
    "ac1_micro": 0.6266,
    "ac1_macro": nan,
    "relations": {
        "minor_change_block_edit": {
            "support": 3,
            "precision": 1.0,
            "recall": 0.6667,
            "f1": 0.8,
            "detection_recall": nan,
        }
    },
}


def test_every_measure_is_shown(show):
    assert show(render_evaluation(SCORES)).splitlines() == [
        "6 documents compared: 1 cluster in the gold, 1,200 found",
        "Not compared: 1 document only in the run",
        "",
        "           precision  recall      F1",
        "  pairs       0.5714  1.0000  0.7273",
        "  B-cubed     0.7500  0.9999  0.8571",
        "",
        "  adjusted Rand  AC1 micro  AC1 macro",
        "        -0.2500     0.6266          -",
        "",
        "  relation                 texts  precision  recall      F1  detected",
        "  minor_change_block_edit      3     1.0000  0.6667  0.8000         -",
    ]


def test_relation_table_is_omitted_without_relations(show):
    assert "relation" not in show(render_evaluation(SCORES | {"relations": {}}))


@pytest.mark.parametrize("width", [40, 60, 140])
def test_evaluation_fits_the_terminal_without_cutting_figures(show, width):
    shown = show(render_evaluation(SCORES), width)
    assert max(map(len, shown.splitlines())) <= width
    assert "0.8000" in shown
    assert "…" not in shown
