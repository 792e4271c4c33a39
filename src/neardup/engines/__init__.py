"""Runs a detector over a collection."""

from neardup.engines.local import run_local

__all__ = ["run_local"]
