"""The reference in any format that accord writes, as bytes to send."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from accord.errors import UsageError
from accord.formats import listed
from accord.gold.reference import Reference
from accord.result import to_plain


def writable(shape: str) -> list[str]:
    """The formats that can hold a reference of this shape."""
    names = [f.name for f in listed() if f.writes and shape in f.holds]
    return ["csv", "json", *(n for n in names if n not in ("csv", "json"))]


def written(
    reference: Reference, name: str, *, blind: bool = False
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
        if name == "csv":
            target = Path(folder) / "reference.csv"
            reference.write(target, details=not blind and shape == "ratings")
            return target.read_bytes(), target.name, []
        record = next(f for f in listed() if f.name == name)
        target = Path(folder) / f"reference{next(iter(record.suffixes), '')}"
        lost = reference.write(target, format=name)
        made = sorted(p for p in Path(folder).rglob("*") if p.is_file())
        if len(made) == 1 and made[0].parent == Path(folder):
            return made[0].read_bytes(), made[0].name, lost
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in made:
                archive.write(path, str(path.relative_to(folder)))
        return out.getvalue(), "reference.zip", lost
