"""The reliability diagram: how often a system is right where it is so sure."""

from __future__ import annotations

from collections.abc import Sequence

from accord.report.figure import Figure, Table
from accord.report.svg import box, element, line, tick_labels, ticks, words
from accord.result import Row


def reliability(name: str, title: str, bins: Sequence[Row]) -> Figure:
    """Accuracy against confidence by bin, with intervals, and how many items each bin holds.

    `bins` are the rows of ``ece`` by bin. Below the diagonal the system is surer than it is right.
    """
    width, side, left, top, strip = 460.0, 340.0, 56.0, 12.0, 56.0
    most = max((float(row["n"]) for row in bins), default=1.0) or 1.0

    def px(v: float) -> float:
        return left + v * (side - 10)

    def py(v: float) -> float:
        return top + (1 - v) * side

    base = top + side + 14 + strip
    parts: list[str] = []
    marks = ticks(0, 1)
    for v, text in zip(marks, tick_labels(marks), strict=True):
        parts.append(line(f"M{px(0):.1f},{py(v):.1f}H{px(1):.1f}", "grid"))
        parts.append(words(text, left - 8, py(v) + 4, "soft small", anchor="end"))
        parts.append(words(text, px(v), base + 16, "soft small", anchor="middle"))
    parts.append(line(f"M{px(0):.1f},{py(0):.1f}L{px(1):.1f},{py(1):.1f}", "here"))
    parts.append(words("right as often as sure", px(0.08), py(0.08) - 6, "soft small", turned=-45))
    for row in bins:
        x, y = px(row["confidence"]), py(row["value"])
        if row.get("low") is not None and row.get("high") is not None:
            parts.append(line(f"M{x:.1f},{py(row['low']):.1f}V{py(row['high']):.1f}", "whisker"))
        said = f"{row['bin']}: sure {row['confidence']:.2f}, right {row['value']:.2f}, {row['n']} items"
        parts.append(element("circle", element("title", said), cx=x, cy=y, r=4.5, class_="dot"))
        tall = strip * float(row["n"]) / most
        low = float(str(row["bin"]).partition("–")[0])
        items = element("title", f"{row['n']} items")
        parts.append(box(px(low) + 1, base - tall, px(0.1) - px(0) - 2, tall, "row", inside=items))
    parts.append(line(f"M{px(0):.1f},{base:.1f}H{px(1):.1f}", "axis"))
    for text, x, y, turn in (
        ("largest probability", px(0.5), base + 36, None),
        ("share right", 14.0, py(0.5), -90.0),
        ("items", 14.0, base - strip / 2, -90.0),
    ):
        parts.append(words(text, x, y, "soft", anchor="middle", turned=turn))
    columns = ("bin", "confidence", "value", "low", "high", "n")
    said = f"share of right answers in {len(bins)} bins of certainty"
    return Figure.of(name, title, (width, base + 46), parts, said, Table.of(bins, columns))
