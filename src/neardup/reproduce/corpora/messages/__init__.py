"""Short messages with known origins: written by a grammar, or grown from a corpus that is given."""

from neardup.reproduce.corpora.messages.grammar import LANGUAGES, write_messages
from neardup.reproduce.corpora.messages.growth import Messages, grow, grow_to

__all__ = ["LANGUAGES", "Messages", "grow", "grow_to", "write_messages"]
