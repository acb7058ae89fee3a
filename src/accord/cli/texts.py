"""Tables beside the data: the texts that were annotated, so that drawings and reports can quote them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from accord.errors import InputError
from accord.files.text import decode, read_bytes, table_rows

if TYPE_CHECKING:
    from accord.data import Annotations


def read_pairs(path: Path, keys: tuple[str, ...], value: str) -> dict[str, str]:
    """Read two columns of a table as a mapping: the first of `keys` that it has, and `value`.

    A key that is there twice must have the same value.
    """
    rows = table_rows(decode(read_bytes(path), str(path)), str(path))
    _, header = next(rows, (1, []))
    key = next((name for name in keys if name in header), None)
    if key is None or value not in header:
        raise InputError(
            f"has the columns {', '.join(header) or '(none)'}",
            path=path,
            line=1,
            hint=f"name them {' or '.join(f'{name},{value}' for name in keys)}",
        )
    found: dict[str, str] = {}
    for line, row in rows:
        if len(row) < len(header):
            raise InputError("has too few cells", path=path, line=line)
        name, of = row[header.index(key)], row[header.index(value)]
        if found.setdefault(name, of) != of:
            raise InputError(f"names {name!r} twice", path=path, line=line)
    return found


def read_texts(path: Path | None) -> Mapping[str, str]:
    """Read the text of each item or document."""
    if path is None:
        return {}
    if not path.is_dir():
        return read_pairs(path, ("item", "document"), "text")
    # files named like the documents, at any depth; line ends stay, since offsets count them
    found: dict[str, str] = {}
    for file in sorted(path.rglob("*.txt")):
        name = file.relative_to(path).with_suffix("").as_posix()
        try:
            found[name] = read_bytes(file).decode("utf-8-sig")
        except UnicodeDecodeError as problem:
            raise InputError(f"is not UTF-8 ({problem})", path=file) from None
    if not found:
        raise InputError("holds no .txt file", path=path, hint="name them like the documents")
    return found


def quoted(data: Annotations, path: Path | None) -> tuple[Annotations, Mapping[str, str]]:
    """Return the data with the texts that are given, and all texts: also those that the data brought."""
    from accord.data import Ratings

    own = data.texts if isinstance(data, Ratings) else {}
    texts = {**own, **read_texts(path)}
    return with_texts(data, texts), texts


def with_texts(data: Annotations, texts: Mapping[str, str]) -> Annotations:
    """The same data, units and relations with the texts that are given."""
    from accord.data import Relations, Units

    if not texts or not isinstance(data, Units | Relations):
        return data
    known = data.texts or (None,) * len(data.documents)
    found = tuple(texts.get(d, t) for d, t in zip(data.documents, known, strict=True))
    if isinstance(data, Units):
        return replace(data, texts=found)
    return replace(data, texts=found)
