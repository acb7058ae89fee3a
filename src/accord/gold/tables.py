"""Tables of references, of annotators and of what needs a human, as their readers want them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.data.frame import to_frame
from accord.data.ratings import label_of
from accord.errors import missing_dependency
from accord.files.atomic import replacing, write_csv, write_text
from accord.result import Row, to_plain


def write_table(path: Path, rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Write rows as CSV, or JSON Lines or Parquet by its ending; the columns named, then any other."""
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        lines = (json.dumps(to_plain(dict(row)), ensure_ascii=False) for row in rows)
        write_text(path, "".join(f"{line}\n" for line in lines))
        return
    if path.suffix.lower() == ".parquet":
        try:
            import pyarrow.parquet
        except ModuleNotFoundError:
            raise missing_dependency("pyarrow", "parquet", "writing Parquet files") from None
        with replacing(path) as beside:
            pyarrow.parquet.write_table(to_frame(rows, "pyarrow", columns), beside)
        return
    names = [*columns, *dict.fromkeys(k for row in rows for k in row if k not in columns)]
    write_csv(path, names, ([_cell(row.get(name, "")) for name in names] for row in rows))


def _cell(value: Any) -> Any:
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else label_of(float(value))
    if isinstance(value, (list, tuple)):
        return ";".join(map(str, value))
    return value
