"""Formats of texts and messages: plain text, HTML, PDF, DOCX, mail."""
