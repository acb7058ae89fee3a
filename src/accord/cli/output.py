"""Printing: one JSON document on stdout, or rich tables; everything else goes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from accord.result import to_plain


def print_json(document: Any) -> None:
    """Print exactly one JSON document on stdout."""
    json.dump(to_plain(document), sys.stdout, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


def say(sentences: Iterable[str], *, prefix: str = "note") -> None:
    """Tell the person something, on stderr, without repeating it."""
    for sentence in dict.fromkeys(sentences):
        print(f"accord: {prefix}: {sentence}", file=sys.stderr)  # noqa: T201
