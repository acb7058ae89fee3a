"""How a command speaks and writes."""

from __future__ import annotations

from accord.language import LANGUAGES
from accord.options.option import Option

OVERWRITE = Option(
    "overwrite", bool, "Write onto files that are read, and into full folders.", default=False
)
QUIET = Option(
    "quiet", bool, "The answer alone: no notes, no progress.", default=False, typed="--quiet -q"
)
LANG = Option(
    "lang", str, "Language of what is written: en or fr.", default="en", choices=LANGUAGES
)
