"""Formats in which one structured document contains many records: JSON arrays, XML packs."""
