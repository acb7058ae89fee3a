"""Limits of the rows of a table: two of them as one cell, and why a row has none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.language import figures

#: lower limit → name of the column that shows it with the upper one
LIMITS = {"low": "interval", "without_low": "without_interval"}


def with_interval(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with each pair of limits as one cell, after the value they belong to."""
    out: dict[str, Any] = {}
    later: dict[str, Any] = {}
    for name, value in row.items():
        upper = name.endswith("high") and name.removesuffix("high") + "low" in LIMITS
        if name == "no_interval" or upper:
            continue
        if name not in LIMITS:
            out[name] = value
            if name in ("value", "mean_pairwise") and "low" in row:
                out[LIMITS["low"]] = limits(row)
        elif LIMITS[name] not in out:
            ends = {"low": value, "high": row.get(name.removesuffix("low") + "high")}
            later[LIMITS[name]] = limits(ends)
    return {**out, **later}


def reasons(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Why rows have no interval: once for each reason, with the first of the rows."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.get("no_interval"):
            first = [str(v) for v in row.values() if isinstance(v, str)][:2]
            name = " and ".join(first) if "second" in row else first[0]
            found.setdefault(row["no_interval"], []).append(name)
    return [
        f"No interval for {', '.join(names[:5])}"
        + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")
        + f": {why}."
        if len(names) < len(rows)
        else f"No intervals: {why}."
        for why, names in found.items()
    ]


def limits(interval: Mapping[str, Any] | None) -> str:
    """Two limits as text; nothing where there are none."""
    if interval is None or interval["low"] is None or interval["high"] is None:
        return ""
    return figures(f"[{interval['low']:.3f}, {interval['high']:.3f}]")
