"""Ignatov & Kuznetsov 2009, reproduced: frequent itemset mining for clustering near-duplicate web documents."""
