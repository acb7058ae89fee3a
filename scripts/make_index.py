"""Write src/accord/formats/index.json: how each format is known, from the records of the formats.

python scripts/make_index.py            # write it
python scripts/make_index.py --check    # exit 1 when it is not current (a test)
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import accord.formats
from accord.formats.format import Regex, Sniff
from accord.formats.index import Listed, listing
from accord.formats.unreadable import UNREADABLE

ROOM = Path(accord.formats.__file__).parent


def index() -> str:
    """The text of the index: a record a line, without what is as usual."""
    known = [_plain(f) for f in ordered(list(_found()))]
    unread = [{"what": what, "do": do, "sniff": _plain(ways)} for what, do, ways in UNREADABLE]
    parts = {"formats": known, "unreadable": unread}
    return "{" + ",\n".join(f'"{name}": {_lines(rows)}' for name, rows in parts.items()) + "}\n"


def _lines(rows: Sequence[Any]) -> str:
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]"


def ordered(left: list[Listed]) -> Iterator[Listed]:
    """By name, each after those that are over it; tables and what takes the rest come last."""
    left.sort(key=lambda f: (f.fallback, f.module.startswith("tables."), f.name))
    while left:
        free = [f for f in left if not any(f.name in other.over for other in left)]
        if not free:
            raise SystemExit(f"formats are over each other: {[f.name for f in left]}")
        left.remove(free[0])
        yield free[0]


def _found() -> Iterator[Listed]:
    for path in sorted(ROOM.rglob("*.py")):
        name = ".".join(path.relative_to(ROOM).with_suffix("").parts).removesuffix(".__init__")
        module = import_module(f"accord.formats.{name}" if name != "__init__" else "accord.formats")
        here = (getattr(module, "FORMAT", None), *getattr(module, "FORMATS", ()))
        yield from (listing(f, name) for f in here if f is not None)


def _plain(value: Any) -> Any:
    """A value as JSON has it: bytes are texts, a pattern an object."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, Regex):
        return {"pattern": _plain(value.pattern)}
    if isinstance(value, (Listed, Sniff)):
        held = {f.name: (getattr(value, f.name), f.default) for f in fields(value)}
        return {name: _plain(v) for name, (v, usual) in held.items() if v != usual}
    return (
        [_plain(v) for v in value] if isinstance(value, Sequence) and value != str(value) else value
    )


if __name__ == "__main__":
    where, text = ROOM / "index.json", index()
    if "--check" in sys.argv:
        sys.exit(0 if where.is_file() and where.read_text(encoding="utf-8") == text else 1)
    where.write_text(text, encoding="utf-8")
