"""Letters without content of their own: references to an attachment, placeholders and notices of the portal."""

from __future__ import annotations

from neardup.reproduce.corpora.docket.people import Person
from neardup.reproduce.random_stream import RandomStream

_TEXTS = (
    *("See attached", "See attached.", "See attached file(s)", "See Attached File", "Please see attached comments."),
    *("Please see the attached letter.", "Comment attached.", "Attached please find my comments.", "see attachment"),
    *("N/A", "n/a", "None", "No comment", "-", ".", "test", "[no text]", "Comments are attached in PDF format."),
    "The personal identifying information of this commenter was redacted.",
    "Duplicate comment submitted twice by the same person; see the first submission.",
    "Please see attached comments submitted by {} on behalf of the organization named above.",
    "Attached are the comments of {}.",
    "Comment withdrawn at the request of the submitter.",
)


def write_nothing(person: Person, rng: RandomStream) -> str:
    """Return the text of a comment without content."""
    return rng.pick(_TEXTS).format(person.organisation or person.name)
