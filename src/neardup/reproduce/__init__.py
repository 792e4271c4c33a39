"""Corpora with known answers, and the papers' tables and figures beside ours."""
