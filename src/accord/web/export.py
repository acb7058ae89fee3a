"""The reference in any format that accord writes, as bytes to send."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from accord.errors import UsageError
from accord.formats import listed, write
from accord.gold.consensus import Consensus
from accord.gold.reference import COLUMNS, Reference
from accord.gold.worklist import write_table
from accord.result import to_plain


def writable(shape: str) -> list[str]:
    """The formats that can hold a reference of this shape."""
    names = [f.name for f in listed() if f.writes and shape in f.holds]
    return ["csv", "json", *(n for n in names if n not in ("csv", "json"))]


def written(
    reference: Reference | Consensus, name: str, *, blind: bool = False
) -> tuple[bytes, str, list[str]]:
    """The reference as a file: its bytes, a file name, and what the format could not hold.

    `blind` leaves out who dissented.

    `name` is that of a format, looked up among those there are: it never becomes part of a path.
    """
    shape = reference.data.shape
    if name not in writable(shape):
        raise UsageError(
            f"unknown format {name!r} for {shape}; there are {', '.join(writable(shape))}"
        )
    if name == "json":
        told: dict[str, Any] = reference.to_dict()
        if blind:
            told = {k: v for k, v in told.items() if k not in ("annotators", "confusion", "groups")}
            told["items"] = [{k: v for k, v in r.items() if k != "dissent"} for r in told["items"]]
        text = json.dumps(to_plain(told), ensure_ascii=False, allow_nan=False)
        return text.encode(), "reference.json", []
    with tempfile.TemporaryDirectory(prefix="accord-") as folder:
        if isinstance(reference, Reference) and name == "csv":
            target = Path(folder) / "reference.csv"
            write_table(target, list(reference.rows(details=not blind)), COLUMNS)
            return target.read_bytes(), target.name, []
        data = reference.reference if isinstance(reference, Consensus) else reference.to_ratings()
        suffix = ".csv"
        if name != "csv":
            record = next(f for f in listed() if f.name == name)
            suffix = next(iter(record.suffixes), "")
        target = Path(folder) / f"reference{suffix}"
        lost = write(data, target, format=None if name == "csv" else name)
        made = sorted(p for p in Path(folder).rglob("*") if p.is_file())
        if len(made) == 1 and made[0].parent == Path(folder):
            return made[0].read_bytes(), made[0].name, lost
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in made:
                archive.write(path, str(path.relative_to(folder)))
        return out.getvalue(), "reference.zip", lost
