"""One table in the ten carriers that people have it in."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from openpyxl import Workbook

Columns = dict[str, list[object]]


def carriers(columns: Columns, folder: Path) -> dict[str, object]:
    """Return name → the table: a file, a dataframe, records or columns."""
    names = list(columns)
    rows = list(zip(*columns.values(), strict=True))
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        with (folder / f"t.{name}").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=delimiter).writerows([names, *rows])
    records = [dict(zip(names, row, strict=True)) for row in rows]
    (folder / "t.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    book = Workbook()
    for row in (names, *rows):
        book.active.append(list(row))
    book.save(folder / "t.xlsx")
    arrow = pa.table(columns)
    pq.write_table(arrow, folder / "t.parquet")
    return {
        **{n: folder / f"t.{n}" for n in ("csv", "tsv", "jsonl", "xlsx", "parquet")},
        "pandas": pd.DataFrame(columns),
        "polars": pl.DataFrame(columns, strict=False),
        "pyarrow": arrow,
        "records": records,
        "columns": dict(columns),
    }
