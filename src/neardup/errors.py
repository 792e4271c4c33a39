"""Every exception that neardup raises on purpose.

    NeardupError
    ├── InputError        the input cannot be read as asked (missing file, column, format)
    │   ├── IdNotFound     an index has no document or cluster of this id
    │   └── DuplicateId    an index has a document of this id already
    ├── SettingsError     an unknown method, an unknown or impossible setting
    ├── OutputError       the result cannot be written where asked
    ├── FormatError       a stored run, lexicon or index of another version or with other settings
    └── MissingExtra      an optional part is needed and not installed

A bad document among good ones is not an exception but a status in the result, unless `strict` asks for one. Each
message says what happened, where, and what to do.
"""


class NeardupError(Exception):
    """Anything that neardup raises on purpose."""


class InputError(NeardupError):
    """The input cannot be read as asked."""


class IdNotFound(InputError):  # noqa: N818 - named for what happened
    """An index has no document or cluster of this id."""


class DuplicateId(InputError):  # noqa: N818 - named for what happened
    """An index has a document of this id already."""


class SettingsError(NeardupError):
    """An unknown method or an impossible setting."""


class OutputError(NeardupError):
    """The result cannot be written where asked."""


class FormatError(NeardupError):
    """A stored artefact of another version or with other settings."""


class MissingExtra(NeardupError):  # noqa: N818 - named for what happened
    """An optional dependency is needed and not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs the package {package}: install it with  pip install 'neardup[{extra}]'")
        self.package = package
        self.extra = extra
