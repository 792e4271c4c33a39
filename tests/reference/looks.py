"""Letters of campaigns in the looks that portals, mail programs and scanners give them, with known answers.

A letter is dressed by one function for each look. The relation to the form and the words that its writer added are
known and do not depend on the look.
"""

import random
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace

FORMS = (
    (
        "I am writing to ask you to withdraw the proposal that would let refineries skip the yearly inspection of "
        "their storage tanks. Leaks from these tanks poison wells, and the people who drink from them don't learn of "
        "it until it is too late.",
        "The agency's own figures show that inspections found 1,400 leaks in the last decade. Most of them were small, "
        "and all of them were repaired because somebody looked. Without a visit, nobody will look.",
        "Companies say that sensors can do the work of inspectors. A sensor reports what it was built to report; an "
        'inspector sees the rust next to it. In the words of one of them, "a tank tells you when it is tired."',
        "Please keep the inspections as they are, publish the results, and fine the owners who refuse to open their "
        "gates.",
    ),
    (
        "Small farms can't carry another fee. The draft rule charges every orchard the same amount for a water permit, "
        "whether it has ten trees or ten thousand, and that will close the orchards which feed our markets.",
        "We ask the board to scale the fee with the water that is drawn, to measure it at the pump, and to forgive the "
        "first year for growers who install meters.",
        "A fee that follows use rewards those who save water. A flat fee rewards those who waste it, and it sends the "
        "bill to the family down the road.",
    ),
    (
        "The plan to close the reading rooms of the county libraries on Saturdays takes them away from the people who "
        "work all week. Children do their homework there, and older neighbours meet there when their homes are cold.",
        "Saturday is the busiest day of the week in nine of the eleven branches. The saving is less than what the "
        "county spends on the lights of its empty offices over the same hours.",
        "If hours have to be cut, cut them on Tuesday mornings, when the counters of the branches show hardly any "
        "visitors, and let the staff decide who takes which shift.",
        "I urge the commissioners to vote against this plan and to ask the readers before the next one.",
    ),
)
ADDITIONS = (
    "My grandmother's well in the valley was closed after a leak, and she carried water from the church for two years.",
    "I've worked as a pipe fitter since 1988 and have seen with my own eyes what happens when a valve isn't "
    "checked in time.",
    "Our town has already lost its bakery and its school bus; this would be the last straw for the families on "
    "Mill Lane.",
    "As a nurse on the night shift I meet the people who pay for such savings, and they never sit in your meetings.",
    "I drove forty miles to attend the hearing in May and was told at the door that the room was full.",
    "When my son asked me why the creek smells of petrol, I had no answer that wouldn't make me ashamed of us all.",
)
NAMES = ("Jane Roe", "Peter A. Lindqvist", "Maria del Carmen Ortiz", "John Smithers", "Agnes O'Connor", "Wei Zhang")
STREETS = (
    "12 Elm Street",
    "4401 N. Birch Ave",
    "77 Old Mill Road",
    "P.O. Box 512",
    "9 Harbor Court",
    "2300 Pine St Apt 4",
)
TOWNS = ("Springfield, IL 62701", "Dayton, OH 45402", "Salem, OR 97301", "Bangor, ME 04401", "Reno, NV 89501")
GREETINGS = ("Dear Administrator,", "To Whom It May Concern:", "Dear Members of the Board,", "Dear Sir or Madam,")
CLOSINGS = ("Sincerely,", "Respectfully,", "Thank you,", "Best regards,", "Yours truly,")


@dataclass(frozen=True)
class Letter:
    """A letter before it is dressed: its paragraphs, and what its writer added to the form."""

    form: int
    paragraphs: tuple[str, ...]
    relation: str
    added: str
    greeting: str
    closing: str
    name: str
    street: str
    town: str

    @property
    def head(self) -> list[str]:
        """The paragraphs above the text."""
        return [self.greeting]

    @property
    def foot(self) -> list[str]:
        """The lines below the text."""
        return [self.closing, self.name, self.street, self.town]

    @property
    def plain(self) -> str:
        """The letter as its writer typed it."""
        return "\n\n".join([*self.head, *self.paragraphs, "\n".join(self.foot)])


def write(form: int, change: str, stream: random.Random) -> Letter:
    """Write a letter of a campaign: `exact`, `block_added` (anywhere) or `block_deleted`."""
    paragraphs, added, relation = list(FORMS[form]), "", change
    if change == "block_added":
        added = stream.choice(ADDITIONS)
        paragraphs.insert(stream.randrange(len(paragraphs) + 1), added)
    elif change == "block_deleted":
        del paragraphs[stream.randrange(1, len(paragraphs))]
    choose = stream.choice
    return Letter(
        form,
        tuple(paragraphs),
        relation,
        added,
        choose(GREETINGS),
        choose(CLOSINGS),
        choose(NAMES),
        choose(STREETS),
        choose(TOWNS),
    )


def plain(letter: Letter, stream: random.Random) -> str:
    return letter.plain


def break_tags(letter: Letter, stream: random.Random) -> str:
    return escape(letter.plain).replace("\n", "<br/>")


def break_tags_and_lines(letter: Letter, stream: random.Random) -> str:
    return escape(letter.plain).replace("\n\n", "\n<br/><br/>").replace("Sincerely,\n", "Sincerely,<br />\n")


def paragraph_tags(letter: Letter, stream: random.Random) -> str:
    blocks = letter.plain.split("\n\n")
    return "\n".join(f"<p>{escape(block)}</p>".replace("\n", "<br>") for block in blocks)


def wrapped_paragraph_tags(letter: Letter, stream: random.Random) -> str:
    blocks = letter.plain.split("\n\n")
    return "".join(f"<p>{textwrap.fill(escape(block), 70)}</p>" for block in blocks[:-1]) + f"<p>{blocks[-1]}</p>"


def entities(letter: Letter, stream: random.Random) -> str:
    return escape(letter.plain).replace(". ", ".&nbsp; ").replace("-", "&#45;")


def escaped_twice(letter: Letter, stream: random.Random) -> str:
    return escape(escape(letter.plain).replace("\n", "<br />"))


def escaped_lines(letter: Letter, stream: random.Random) -> str:
    return letter.plain.replace('"', '\\"').replace("\n", stream.choice(["\\n", "\\r\\n"]))


def hard_spaces(letter: Letter, stream: random.Random) -> str:
    return "".join("\u00a0" if c == " " and stream.random() < 0.4 else c for c in letter.plain)


def divisions(letter: Letter, stream: random.Random) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in letter.plain.split("\n"))


def one_line(letter: Letter, stream: random.Random) -> str:
    return " ".join(letter.plain.split())


def one_line_without_closing(letter: Letter, stream: random.Random) -> str:
    return " ".join([*letter.head, *letter.paragraphs, letter.name, *letter.foot[2:]])


def hard_wrapped(letter: Letter, stream: random.Random) -> str:
    return wrap(letter, stream.choice([60, 72]))


def hyphenated(letter: Letter, stream: random.Random) -> str:
    """Wrap at 60 columns and divide long words at the ends of lines."""
    lines = wrap(letter, 58).split("\n")
    for at in range(len(lines) - 1):
        word = lines[at + 1].split(" ")[0]
        if len(word) > 7 and word.isalpha() and lines[at] and not lines[at].endswith((".", ",", ":")):
            lines[at], lines[at + 1] = f"{lines[at]} {word[:4]}-", word[4:] + lines[at + 1][len(word) :]
    return "\n".join(lines)


def pdf_pages(letter: Letter, stream: random.Random) -> str:
    """Wrap, and cut into pages with a running line and a number; paragraphs run over the pages."""
    lines = wrap(letter, 66).split("\n")
    head = f"{letter.name} - comment on the proposal"
    pages = [lines[at : at + 9] for at in range(0, len(lines), 9)]
    numbered = [
        f"{head}\n" + "\n".join(page) + f"\nPage {number} of {len(pages)}" for number, page in enumerate(pages, 1)
    ]
    return "\n\f".join(numbered)


def pdf_numbers(letter: Letter, stream: random.Random) -> str:
    lines = wrap(letter, 66).split("\n")
    pages = [lines[at : at + 9] for at in range(0, len(lines), 9)]
    return "\n\n".join("\n".join(page) + f"\n\n{number}" for number, page in enumerate(pages, 1))


PREAMBLES = (
    "Comment Submitted by {name}\nDocument ID: EPA-HQ-OAR-2019-0044-0311\nPosted: 12/03/2019\n\nView document:\n\n",
    "Submitter Information\n\nName: {name}\nAddress: {street}\n{town}\nEmail: writer@mail.example\n\n"
    "General Comment\n\n",
    "Public Submission\nAs of: March 3, 2020\nReceived: March 1, 2020\nStatus: Posted\nTracking No. 1k4-9gx2-abcd\n\n",
)
HELD_OUT_PREAMBLES = (
    "Date Received: Feb 11, 2020\nComments Due: Mar 30, 2020\nSubmission Type: Web\nFull Name: {name}\n\n"
    "Comment Text:\n\n",
    "Comment ID: DEP-0042\nStatus: Open for comment\nFirst Name: {name}\nCity: {town}\n\nYour comment:\n\n",
)


def preamble(letter: Letter, stream: random.Random) -> str:
    return fill(stream.choice(PREAMBLES), letter) + letter.plain


def held_out_preamble(letter: Letter, stream: random.Random) -> str:
    return fill(stream.choice(HELD_OUT_PREAMBLES), letter) + letter.plain


def smart_quotes(letter: Letter, stream: random.Random) -> str:
    text = re.sub(r'"(?=\w)', "\u201c", letter.plain).replace('"', "\u201d").replace("'", "\u2019")
    return text.replace("fi", "\ufb01").replace("; ", " \u2014 ")


def bullets(letter: Letter, stream: random.Random) -> str:
    mark = stream.choice(["* ", "\u2022 ", "- ", "\u00b7\t"])
    return "\n\n".join([*letter.head, *(mark + block for block in letter.paragraphs), "\n".join(letter.foot)])


def numbers(letter: Letter, stream: random.Random) -> str:
    points = [f"{number}. {block}" for number, block in enumerate(letter.paragraphs, 1)]
    return "\n\n".join([*letter.head, *points, "\n".join(letter.foot)])


def capitals(letter: Letter, stream: random.Random) -> str:
    return letter.plain.upper()


def misread(letter: Letter, stream: random.Random) -> str:
    """Misread half a per cent of the letters of the form; what the writer added stays readable for the comparison."""
    wrong = {"l": "1", "o": "0", "e": "c", "i": "l", "s": "5", "a": "o", "t": "f", "n": "h"}
    blocks = [
        block if block == letter.added else "".join(wrong.get(c, c) if stream.random() < 0.005 else c for c in block)
        for block in letter.paragraphs
    ]
    return replace(letter, paragraphs=tuple(blocks)).plain


FOOTERS = (
    "This message was sent by {name} through the Clean Tanks Alliance action center. You can reach the sender at "
    "writer@mail.example.",
    "To unsubscribe from these messages, visit https://lists.example/unsubscribe",
    "CONFIDENTIALITY NOTICE: This e-mail and any attachments are for the sole use of the intended recipient and may "
    "contain privileged information. If you have received it in error, please delete it.",
    "Sent from my iPhone",
)
HELD_OUT_FOOTERS = (
    "{name} signed this letter at https://petitions.example/tanks together with 4,211 other supporters.",
    "You are getting this because you took part in a campaign of Friends of the Valley. Manage your preferences: "
    "https://valley.example/prefs",
    "The contents of this e-mail are intended for the named recipient only. If you are not the intended recipient, "
    "notify the sender and delete this message.",
    "Powered by ActNow. Copyright 2019 ActNow Inc. All rights reserved.",
    "Envoyé de mon iPhone",
)


def footer(letter: Letter, stream: random.Random) -> str:
    return f"{letter.plain}\n\n{fill(stream.choice(FOOTERS), letter)}"


def held_out_footer(letter: Letter, stream: random.Random) -> str:
    return f"{letter.plain}\n\n{fill(stream.choice(HELD_OUT_FOOTERS), letter)}"


def one_line_footer(letter: Letter, stream: random.Random) -> str:
    return " ".join(footer(letter, stream).split())


MORE_CLOSINGS = (
    "God bless,",
    "Many blessings,",
    "In hope,",
    "Yours in Christ,",
    "Peace and thanks,",
    "Respectfully submitted by,",
)
HELD_OUT_CLOSINGS = (
    "With deep concern,",
    "Hopefully yours,",
    "For our children,",
    "Take care,",
    "In faith,",
    "With appreciation,",
)


def other_closing(letter: Letter, stream: random.Random) -> str:
    return replace(letter, closing=stream.choice(MORE_CLOSINGS)).plain


def held_out_closing(letter: Letter, stream: random.Random) -> str:
    return replace(letter, closing=stream.choice(HELD_OUT_CLOSINGS)).plain


REPLIES = (
    "Am Di., 3. März 2020 um 14:05 Uhr schrieb Karl Weber <weber@post.example>:",
    "Le mar. 3 mars 2020 à 14:05, Paul Petit <petit@poste.example> a écrit :",
    "El mar, 3 mar 2020 a las 14:05, Rosa Gil (<gil@correo.example>) escribió:",
    "Il giorno mar 3 mar 2020 alle ore 14:05 Ugo Neri <neri@posta.example> ha scritto:",
)
HELD_OUT_REPLIES = (
    "Op di 3 mrt. 2020 om 14:05 schreef Jan Bos <bos@post.example>:",
    "Em ter., 3 de mar. de 2020 às 14:05, Ana Reis <reis@correio.example> escreveu:",
    "Den tis 3 mars 2020 kl 14:05 skrev Eva Lund <lund@post.example>:",
    "On 3 Mar 2020, at 14:05, Action Desk <desk@valley.example> wrote:",
)
QUOTED = """\
Thank you for signing up with us last week.
Please copy the letter above and send it to the board.
Every voice counts."""


def reply(letter: Letter, stream: random.Random) -> str:
    return f"{letter.plain}\n\n{stream.choice(REPLIES)}\n\n{mark_quoted(QUOTED)}"


def held_out_reply(letter: Letter, stream: random.Random) -> str:
    return f"{letter.plain}\n\n{stream.choice(HELD_OUT_REPLIES)}\n\n{mark_quoted(QUOTED)}"


def unmarked_reply(letter: Letter, stream: random.Random) -> str:
    return f"{letter.plain}\n\n{stream.choice(REPLIES)}\n\n{QUOTED}"


Look = Callable[[Letter, random.Random], str]
LOOKS: tuple[Look, ...] = (
    plain, break_tags, break_tags_and_lines, paragraph_tags, wrapped_paragraph_tags, entities, escaped_twice,
    escaped_lines, hard_spaces, divisions, one_line, one_line_without_closing, hard_wrapped, hyphenated,
    pdf_pages, pdf_numbers, preamble, held_out_preamble, smart_quotes, bullets, numbers, capitals, misread, footer,
    held_out_footer, one_line_footer, other_closing, held_out_closing, reply, held_out_reply, unmarked_reply,
)  # fmt: skip


def wrap(letter: Letter, width: int) -> str:
    blocks = [textwrap.fill(block, width) for block in [*letter.head, *letter.paragraphs]]
    return "\n\n".join([*blocks, "\n".join(letter.foot)])


def escape(text: str) -> str:
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;")
        .replace('"', "&quot;")
    )


def fill(text: str, letter: Letter) -> str:
    return text.format(name=letter.name, street=letter.street, town=letter.town)


def mark_quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.split("\n"))


def words(text: str) -> list[str]:
    """Return the words of a text without quotation marks, case and punctuation."""
    straight = text.replace("\u2019", "'").replace("\ufb01", "fi").lower()
    return re.findall(r"[a-z0-9']+", straight)
