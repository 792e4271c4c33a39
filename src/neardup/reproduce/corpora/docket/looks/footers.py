"""What stands around letters that organisations and portals relay: preambles, closings, footers and quoted alerts."""

from __future__ import annotations

from neardup.reproduce.corpora.docket.frame import Correspondence, format_moment
from neardup.reproduce.random_stream import RandomStream

CLOSINGS = (
    *("God bless,", "In solidarity,", "Peace,", "With hope,", "Cheers,", "Many thanks in advance,", "Blessings,"),
    *("Yours for a livable planet,", "With great concern,", "Best wishes,", "Warmly,", "Cordially,", "Take care,"),
)
_DISCLAIMERS = (
    "CONFIDENTIALITY NOTICE: This e-mail message, including any attachments, is for the sole use of the intended "
    "recipient and may contain confidential information. If you are not the intended recipient, please contact the "
    "sender and destroy all copies of the original message.",
    "The information contained in this communication is intended only for the use of the recipient named above. The "
    "views expressed are those of the author and not of any employer.",
    "This email has been checked for viruses. Please consider the environment before printing this email.",
)
_UNSUBSCRIBE = (
    "To unsubscribe from these alerts, visit https://www.{0}/unsubscribe",
    "You are receiving this message because you signed up at {0}. Unsubscribe | Manage preferences | Privacy policy",
    "If you no longer wish to receive these emails, click here to unsubscribe.",
)
_PETITIONS = (
    "Sent via {0}. Start your own petition at https://www.{1}/start",
    "This letter was submitted through the action center of {0} (https://act.{1}).",
    "Signed on {1} by {2}, signature number {3}",
    "{0} delivered this message for {2}. Powered by Voices for Everyone.",
)
_PREAMBLES = (
    ("General Comment",),
    ("Submitter Information", "Name: {2}", "Address: {4}", "General Comment"),
    ("Submitted Electronically via the Federal eRulemaking Portal",),
    ("PUBLIC SUBMISSION", "As of: {5}", "Tracking No. 1k{3}-8x{3}", "Submission Type: Web"),
    ("Comment submitted by {2}",),
)
_ALERTS = (
    "Thank you for taking action! Forward this message to five friends and ask them to write as well.",
    "Your voice counts. The comment period ends next week, and we still need a thousand letters from your state.",
    "Send your letter today with one click, and share it with everybody whom you know.",
)
_HEADERS = (
    "On {5} {0} <alerts@{1}> wrote:",
    "Am {5} schrieb {0} <alerts@{1}>:",
    "Le {5}, {0} <alerts@{1}> a écrit :",
    "El {5}, {0} <alerts@{1}> escribió:",
    "Il giorno {5} {0} <alerts@{1}> ha scritto:",
    "Em {5}, {0} <alerts@{1}> escreveu:",
    "Op {5} schreef {0} <alerts@{1}>:",
    "{5} {0} <alerts@{1}> пишет:",
)


def write_preamble(letter: Correspondence, rng: RandomStream) -> list[str]:
    """Return the lines that a portal puts before a comment."""
    return [fill(line, letter, rng) for line in rng.pick(_PREAMBLES)]


def write_footers(looks: frozenset[str], letter: Correspondence, rng: RandomStream) -> list[list[str]]:
    """Return the parts after the signature: lines of a petition site, a disclaimer, a line about unsubscribing."""
    choices = {"petition": _PETITIONS, "disclaimer": _DISCLAIMERS, "unsubscribe": _UNSUBSCRIBE}
    parts = [
        [fill(rng.pick(lines), letter, rng, name == "unsubscribe")] for name, lines in choices.items() if name in looks
    ]
    if "alert" in looks:
        parts += [[write_reply_header(letter, rng)], [f"> {rng.pick(_ALERTS)}", ">", f"> {rng.pick(_ALERTS)}"]]
    return parts


def write_reply_header(letter: Correspondence, rng: RandomStream) -> str:
    """Return the line before a quoted mail, in one of several languages."""
    return fill(rng.pick(_HEADERS), letter, rng)


def fill(line: str, letter: Correspondence, rng: RandomStream, domain_first: bool = False) -> str:
    """Fill in organisation, domain, name, a number, address and time."""
    relayer, person = letter.relayer, letter.person
    name, domain = (relayer.name, relayer.domain) if relayer else ("Voices for Everyone", "voices.example")
    address = f"{person.street}, {person.town}, {person.state} {person.postcode}"
    values = (name, domain, person.name, rng.between(1000, 99_999), address, format_moment(letter.seconds - 90_000))
    return line.format(*((domain,) if domain_first else ()), *values)
