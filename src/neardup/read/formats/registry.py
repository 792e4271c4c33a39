"""The formats, in the order in which files are compared with them.

To add a format, write a file with its `DocumentFormat` (or `ArchiveFormat`) and add it here. Plain text accepts
everything, so it is the last one.
"""

from __future__ import annotations

from neardup.read.formats.archives.office import OFFICE
from neardup.read.formats.archives.tar_archive import TAR
from neardup.read.formats.archives.zip_archive import ZIP
from neardup.read.formats.columnar.arrow import ARROW
from neardup.read.formats.columnar.parquet import PARQUET
from neardup.read.formats.format import AnyFormat
from neardup.read.formats.lines.delimited import CSV
from neardup.read.formats.lines.json_lines import JSON_LINES
from neardup.read.formats.packs.json_array import JSON
from neardup.read.formats.packs.xml_pack import XML
from neardup.read.formats.pages.docx import DOCX
from neardup.read.formats.pages.mail import MBOX, MESSAGE
from neardup.read.formats.pages.pdf import PDF
from neardup.read.formats.pages.text import HTML, TEXT

FORMATS: tuple[AnyFormat, ...] = (
    TAR,
    PARQUET,
    ARROW,
    PDF,
    ZIP,
    DOCX,
    OFFICE,
    HTML,
    XML,
    MBOX,
    JSON_LINES,
    JSON,
    CSV,
    MESSAGE,
    TEXT,
)
