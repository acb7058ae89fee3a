"""Relations from what a file or an export says: its table of units, its named marks and statements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.data import Units
from accord.data.relations import ItemRow
from accord.errors import InputError, UsageError
from accord.formats.format import ReadOptions


def units_beside(
    options: ReadOptions, *, given: bool, annotators: Sequence[str]
) -> Units | list[ItemRow] | None:
    """The units that are told of beside a table of relations; those of given items by name."""
    found = options.units
    if found is None or (isinstance(found, Units) and not given):
        return found
    if given and isinstance(found, Path):
        return _items(found, list(dict.fromkeys(annotators)))
    raise UsageError(
        "`units` must be a table document,item where relations link given items"
        if given
        else "`units` must be a table document,annotator,start,end,label where relations link places"
    )


def lists_items(path: Path) -> bool:
    """Whether it is a table of given items, not of located units."""
    if not path.is_file():
        raise InputError("does not exist", path=path, hint="check the path")
    with path.open("rb") as file:
        header = file.readline(1 << 16).decode("utf-8", "replace").strip().split(",")
    return "item" in header and "start" not in header


def _items(path: Path, annotators: Sequence[str]) -> list[ItemRow]:
    """A table document,item (annotator, label): without an annotator, items are everybody's."""
    import csv

    from accord.formats.text import open_table

    try:
        with open_table(path) as file:
            reader = csv.DictReader(file)
            header = reader.fieldnames or []
            if "item" not in header:
                raise InputError(
                    f"has no column 'item'; it has {', '.join(header) or 'none'}",
                    path=path,
                    hint="units of relations between given items are a table document,item,label",
                )
            rows: list[dict[str, Any]] = list(reader)
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None
    except (UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"is not a readable table ({problem})", path=path) from None
    return [
        (row.get("document") or "document", who, row["item"], row.get("label") or None)
        for row in rows
        for who in ([row["annotator"]] if row.get("annotator") else annotators)
    ]
