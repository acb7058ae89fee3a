"""A chart and the table behind it: nothing is shown that cannot be read as numbers."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.files.atomic import write_text
from accord.report.headings import heading
from accord.report.svg import drawing, element, escaped, standalone


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of plain values under named columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> Table:
        """Build from mappings; columns in order of first appearance unless given.

        >>> Table.of([{"a": 1}, {"a": 2, "b": 3}]).rows
        ((1, None), (2, 3))
        """
        names = tuple(columns or dict.fromkeys(name for row in rows for name in row))
        return cls(names, tuple(tuple(row.get(n) for n in names) for row in rows))

    def known(self, *always: str) -> Table:
        """Return the table without the columns that hold nothing, these excepted."""
        kept = [
            j
            for j, name in enumerate(self.columns)
            if name in always or any(row[j] is not None for row in self.rows)
        ]
        return Table(
            tuple(self.columns[j] for j in kept),
            tuple(tuple(row[j] for j in kept) for row in self.rows),
        )

    def csv(self) -> str:
        """The table as CSV, numbers in full."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([["" if _empty(v) else v for v in row] for row in self.rows])
        return out.getvalue()

    def html(self, caption: str, *, most: int | None = None) -> str:
        """The table as HTML: first column is the row's header, numbers to three decimals."""
        shown = self.rows if most is None else self.rows[:most]
        numeric = [
            all(_empty(r[j]) or isinstance(r[j], (int, float)) for r in shown)
            for j in range(len(self.columns))
        ]
        head = "".join(
            element("th", escaped(heading(c)), scope="col", class_="num" if n else None)
            for c, n in zip(self.columns, numeric, strict=True)
        )
        body = "".join(
            "<tr>"
            + "".join(
                element(
                    "td" if j else "th",
                    escaped(shown_value(v)) or " ",
                    scope=None if j else "row",
                    class_="num" if numeric[j] else None,
                )
                for j, v in enumerate(row)
            )
            + "</tr>"
            for row in shown
        )
        more = ""
        if len(shown) < len(self.rows):
            more = element("p", f"The first {len(shown)} of {len(self.rows)} rows.", class_="aside")
        table = (
            f"<table><caption>{escaped(caption)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )
        return (
            f'<div class="scroll" tabindex="0" role="group" aria-label="Table: {escaped(caption)}">'
            f"{table}</div>{more}"
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """An SVG, its title, and its table."""

    name: str
    title: str
    #: drawing without style, for a page; `standalone` has it
    svg: str
    table: Table

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        size: tuple[float, float],
        parts: Sequence[str],
        description: str,
        table: Table,
        *,
        role: str = "img",
    ) -> Figure:
        """Set the parts of a drawing (:func:`drawing`) beside their table."""
        svg = drawing(
            *size, *parts, title=title, description=description, standalone=False, role=role
        )
        return cls(name, title, svg, table)

    def standalone(self) -> str:
        """The drawing as a file of its own."""
        return standalone(self.svg)

    def save(self, path: str | Path) -> None:
        """Write the standalone SVG."""
        write_text(path, self.standalone())

    def html(self, *, most: int | None = 200, caption: str | None = None) -> str:
        """The figure for a page: drawing, caption, and the table folded away."""
        words = caption if caption is not None else self.title
        return (
            f'<figure class="figure"><div class="scroll" tabindex="0" role="group" '
            f'aria-label="{escaped(self.title)}">{self.svg}</div>'
            f"<figcaption>{escaped(words)}</figcaption>"
            f"<details class='behind'><summary>Table"
            f"<span class='hidden'>: {escaped(self.title)}</span></summary>"
            f"{self.table.html(self.title, most=most)}</details></figure>"
        )

    def _repr_html_(self) -> str:
        return self.standalone()


def shown_value(value: Any) -> str:
    """A value as a person reads it: three decimals, an em dash for nothing.

    >>> shown_value(0.12345), shown_value(3), shown_value(None), shown_value(float("nan"))
    ('0.123', '3', '–', '–')
    """
    if _empty(value):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) >= 10 else f"{value:.3f}"
    return str(value)


def _empty(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
