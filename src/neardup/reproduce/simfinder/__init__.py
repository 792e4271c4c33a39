"""Gong, Huang, Cheng & Bai 2008, reproduced: detecting near-duplicates in large-scale short text databases."""
