"""The formats as they are listed: known without being loaded, from what ``index.json`` says of each.

The file is made of the records by ``scripts/make_index.py``, as the stub of the measures is; the most
specific stand first. Formats of other packages stand before all, for they know their files best.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from accord.errors import InputError, UsageError
from accord.files.archive import Tree
from accord.formats.format import Format, Head, Known, Regex, Sniff
from accord.plugins import plugged_in

_INDEX = Path(__file__).with_name("index.json")
_LOOKED_FOR = frozenset({"start", "begins", "rows", "every", "some", "none"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed(Known):
    """A format that is loaded when it is read or written, or when bytes do not tell its files."""

    #: where it stands, in this package or another
    module: str
    tested: bool = False
    tree_tested: bool = False
    writes: bool = False

    def load(self) -> Format:
        """The format itself."""
        if ":" in self.module:
            return next(f for where, f in _of_others() if where == self.module)
        found = import_module(f"accord.formats.{self.module}")
        every: tuple[Format, ...] = getattr(found, "FORMATS", None) or (found.FORMAT,)
        return next(f for f in every if f.name == self.name)

    def recognises(self, path: Path, head: Head) -> bool:
        """Whether a file is of this format, by its path and first bytes."""
        if not any(way.holds(head) for way in self.sniff):
            return False
        test = self.load().test if self.tested else None
        return test is None or test(path, head.text)

    def recognises_tree(self, tree: Tree) -> bool:
        """Whether the files of a folder are those of this format together, where no single one tells."""
        if self.tree and not any(
            all(any(re.search(name, e.name) for e in tree) for name in way) for way in self.tree
        ):
            return False
        test = self.load().test_tree if self.tree_tested else None
        return bool(self.tree) if test is None else test(tree)


def listed() -> tuple[Listed, ...]:
    """All formats, the most specific first."""
    return (*(listing(f, where) for where, f in _of_others()), *_indexed())


def listing(format: Format, module: str) -> Listed:  # noqa: A002
    """What the index says of a format."""
    return Listed(
        **{field.name: getattr(format, field.name) for field in fields(Known)},
        module=module,
        tested=format.test is not None,
        tree_tested=format.test_tree is not None,
        writes=format.writes,
    )


def refuse(path: Path, head: bytes) -> None:
    """Refuse a file that is known to hold nothing to compare, or not to be read."""
    seen = Head(path.name, head)
    for what, instead, way in _unreadable():
        if way.holds(seen):
            raise InputError(what, path=path, hint=instead)


@cache
def _indexed() -> tuple[Listed, ...]:
    return tuple(
        Listed(**{k: _held(v) for k, v in row.items() if k != "sniff"}, sniff=_sniffs(row))
        for row in _rows()["formats"]
    )


@cache
def _unreadable() -> tuple[tuple[str, str, Sniff], ...]:
    """What a file is, what to do, and a way to know it: by bytes first, then by names alone."""
    found = [(r["what"], r["do"], way) for r in _rows()["unreadable"] for way in _sniffs(r)]
    return tuple(sorted(found, key=lambda each: each[2].is_of_name))


@cache
def _rows() -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = json.loads(_INDEX.read_text(encoding="utf-8"))
    return rows


def _sniffs(row: Mapping[str, Any]) -> tuple[Sniff, ...]:
    return tuple(
        Sniff(**{k: (_marks if k in _LOOKED_FOR else _held)(v) for k, v in way.items()})
        for way in row.get("sniff", ())
    )


def _marks(value: Any) -> Any:
    """Bytes and patterns, which the index writes as texts and as objects with one."""
    if isinstance(value, list):
        return tuple(_marks(each) for each in value)
    if isinstance(value, dict):
        return Regex(value["pattern"].encode("latin-1"))
    return value.encode("latin-1")


def _held(value: Any) -> Any:
    return tuple(_held(each) for each in value) if isinstance(value, list) else value


@cache
def _of_others() -> tuple[tuple[str, Format], ...]:
    """The formats of other packages, and where each stands."""
    found = []
    for source, brought in plugged_in("accord.formats"):
        if not isinstance(brought, Format):
            raise UsageError(
                f"the format {source} must be an accord.formats.Format, "
                f"got {type(brought).__name__}"
            )
        found.append((source, brought))
    return tuple(found)
