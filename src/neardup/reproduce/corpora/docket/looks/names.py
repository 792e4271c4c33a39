"""The names of the looks; their shares are 0 unless the style or the mix of a docket gives others."""

from __future__ import annotations

LAYOUTS = ("hyphenated", "paged", "portal", "escaped")
"""Layouts of the whole letter, of which it has at most one: lines with hyphenated words, pages of a PDF with numbers
and running heads, tags and entities of a portal, and escaped line breaks."""

DRESSES = ("preamble", "typographic", "bulleted", "capitals", "petition", "disclaimer", "unsubscribe", "closing")
"""Looks that are independent of each other."""

LOOKS = (*LAYOUTS, *DRESSES, "alert", "noisy")
"""All looks; `alert` is a quoted mail of an organisation after the letter, with a reply header in some language,
`noisy` are errors of character recognition in half a per cent of the characters."""
