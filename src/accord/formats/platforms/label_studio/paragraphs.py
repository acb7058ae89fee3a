"""Regions of Label Studio's Paragraphs: a number of a paragraph, and an offset inside of it."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from accord.errors import InputError
from accord.files import safe_json


def dialogue(fields: dict[str, Any]) -> list[str] | None:
    """The paragraphs of a task, where its data hold them; an address of a file does not.

    >>> dialogue({"talk": [{"author": "A", "text": "Hi."}, {"author": "B", "text": "Ho."}]})
    ['Hi.', 'Ho.']
    """
    for value in fields.values():
        if isinstance(value, list) and value:
            texts = [v.get("text") if isinstance(v, dict) else None for v in value]
            kept = [t for t in texts if isinstance(t, str)]
            if len(kept) == len(texts):
                return kept
    return None


def flattened(value: dict[str, Any], paragraphs: list[str], where: str) -> dict[str, Any]:
    """The region with offsets in the paragraphs joined by line ends, instead of its own.

    >>> flattened({"start": "1", "end": "1", "startOffset": 0, "endOffset": 2}, ["Hi.", "Ho."], "f")
    {'start': 4, 'end': 6, 'startOffset': 0, 'endOffset': 2}
    """
    begins = [0, *accumulate(len(p) + 1 for p in paragraphs)]
    found = {}
    for name in ("start", "end"):
        number = value.get(name)
        if not isinstance(number, str) or not number.isdecimal() or int(number) >= len(paragraphs):
            raise InputError(f"has a region in the paragraph {str(number)[:20]!r}", path=where)
        offset = safe_json.integer(value.get(f"{name}Offset"), f"{name}Offset", where)
        found[name] = begins[int(number)] + offset
    # the text of a region over several paragraphs comes without the line ends between them
    kept = {k: v for k, v in value.items() if k != "text" or value["start"] == value["end"]}
    return {**kept, **found}
