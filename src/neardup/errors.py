"""Every exception that neardup raises on purpose.

    NeardupError
    ├── InputError        the input cannot be read as requested (missing file, column or format)
    │   ├── IdNotFound     the index has no document or cluster with this id
    │   └── DuplicateId    the index already has a document with this id
    ├── SettingsError     an unknown method, or an unknown or invalid setting
    ├── OutputError       the result cannot be written to this path
    ├── FormatError       a stored run, lexicon or index has another version or other settings
    └── MissingExtra      an optional package is needed and not installed

A bad document among good ones does not raise: it gets a status in the result, unless `strict` is set. Each message
names the problem, where it is, and what to do about it.
"""


class NeardupError(Exception):
    """Base class of every exception that neardup raises on purpose."""


class InputError(NeardupError):
    """The input cannot be read as requested."""


class IdNotFound(InputError):  # noqa: N818 - named for what happened
    """The index has no document or cluster with this id."""


class DuplicateId(InputError):  # noqa: N818 - named for what happened
    """The index already has a document with this id."""


class SettingsError(NeardupError):
    """A method is unknown, or a setting is unknown or invalid."""


class OutputError(NeardupError):
    """The result cannot be written to this path."""


class FormatError(NeardupError):
    """A stored run, lexicon or index has another version or other settings."""


class MissingExtra(NeardupError):  # noqa: N818 - named for what happened
    """An optional package is needed and not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} requires the package {package}: install it with  pip install 'neardup[{extra}]'")
        self.package = package
        self.extra = extra
