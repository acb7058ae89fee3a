"""The reliability diagram: how often a system is right where it is so sure."""

from __future__ import annotations

from collections.abc import Sequence

from accord.report.figure import Figure, Table
from accord.report.svg import drawing, element, escaped, tick_labels, ticks
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
        parts.append(element("path", d=f"M{px(0):.1f},{py(v):.1f}H{px(1):.1f}", class_="grid"))
        parts.append(
            element("text", text, x=left - 8, y=py(v) + 4, text_anchor="end", class_="soft small")
        )
        parts.append(
            element("text", text, x=px(v), y=base + 16, text_anchor="middle", class_="soft small")
        )
    parts.append(
        element("path", d=f"M{px(0):.1f},{py(0):.1f}L{px(1):.1f},{py(1):.1f}", class_="here")
    )
    parts.append(
        element(
            "text",
            "right as often as sure",
            x=px(0.08),
            y=py(0.08) - 6,
            class_="soft small",
            transform=f"rotate(-45 {px(0.08):.1f} {py(0.08) - 6:.1f})",
        )
    )
    for row in bins:
        x, y = px(row["confidence"]), py(row["value"])
        if row.get("low") is not None and row.get("high") is not None:
            parts.append(
                element(
                    "path",
                    d=f"M{x:.1f},{py(row['low']):.1f}V{py(row['high']):.1f}",
                    class_="whisker",
                )
            )
        said = f"{row['bin']}: sure {row['confidence']:.2f}, right {row['value']:.2f}, {row['n']} items"
        parts.append(element("circle", element("title", said), cx=x, cy=y, r=4.5, class_="dot"))
        tall = strip * float(row["n"]) / most
        low = float(str(row["bin"]).partition("–")[0])
        parts.append(
            element(
                "rect",
                element("title", f"{row['n']} items"),
                x=px(low) + 1,
                y=base - tall,
                width=px(0.1) - px(0) - 2,
                height=tall,
                class_="row",
            )
        )
    parts.append(element("path", d=f"M{px(0):.1f},{base:.1f}H{px(1):.1f}", class_="axis"))
    middle = px(0.5)
    for text, x, y, turn in (
        ("largest probability", middle, base + 36, None),
        ("share right", 14.0, py(0.5), f"rotate(-90 14 {py(0.5):.0f})"),
        ("items", 14.0, base - strip / 2, f"rotate(-90 14 {base - strip / 2:.0f})"),
    ):
        parts.append(
            element("text", text, x=x, y=y, text_anchor="middle", class_="soft", transform=turn)
        )
    columns = ("bin", "confidence", "value", "low", "high", "n")
    return Figure(
        name,
        title,
        drawing(
            width,
            base + 46,
            *parts,
            title=title,
            description=escaped(f"share of right answers in {len(bins)} bins of certainty"),
            standalone=False,
        ),
        Table.of(bins, columns),
    )
