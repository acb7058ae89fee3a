"""The texts that were annotated, from a table or a folder, so that drawings and reports can quote them."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.errors import InputError

if TYPE_CHECKING:
    from accord.data import Annotations

Texts = Annotated[
    Path | None,
    typer.Option(
        "--texts", help="The texts: a CSV (item,text or document,text) or a folder of .txt files."
    ),
]


def read_texts(path: Path | None) -> Mapping[str, str]:
    """The text of each item or document."""
    if path is None:
        return {}
    if path.is_dir():
        return _from_folder(path)
    from accord.files.text import open_table

    try:
        with open_table(path) as file:
            rows = csv.DictReader(file)
            header = rows.fieldnames or ()
            key = next((name for name in ("item", "document") if name in header), None)
            if key is None or "text" not in header:
                raise InputError(
                    f"has the columns {', '.join(header) or '(none)'}",
                    path=path,
                    line=1,
                    hint="name them item,text or document,text",
                )
            return {str(row[key]): str(row["text"] or "") for row in rows}
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None
    except (UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"is not a readable table ({problem})", path=path) from None


def _from_folder(folder: Path) -> Mapping[str, str]:
    """Files named like the documents, at any depth; line ends stay, since offsets count them."""
    from accord.files.text import read_bytes

    found: dict[str, str] = {}
    for file in sorted(folder.rglob("*.txt")):
        name = file.relative_to(folder).with_suffix("").as_posix()
        try:
            found[name] = read_bytes(file).decode("utf-8-sig")
        except OSError as problem:
            raise InputError(f"cannot be read ({problem.strerror})", path=file) from None
        except UnicodeDecodeError as problem:
            raise InputError(f"is not UTF-8 ({problem})", path=file) from None
    if not found:
        raise InputError("holds no .txt file", path=folder, hint="name them like the documents")
    return found


def texts_of(data: Annotations) -> Mapping[str, str]:
    """The texts that the data brought along, of the items of ratings."""
    from accord.data import Ratings

    return data.texts if isinstance(data, Ratings) else {}


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
