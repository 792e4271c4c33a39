//! Tests of whole runs: passages of small texts.
