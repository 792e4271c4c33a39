"""Formats with a record per line or row of text: CSV and its relatives, JSON lines."""
