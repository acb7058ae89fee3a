"""Alignments as PNG and PDF, with matplotlib (the ``plot`` extra)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from accord.alignment.alignment import Alignment
from accord.data import Units
from accord.errors import missing_dependency
from accord.files.atomic import replacing
from accord.report.palette import heat
from accord.report.scene import scene
from accord.report.svg import shortened

_HATCHES = {"plain": None, "stripes": "////", "dots": "...", "grid": "++"}


def save_alignment(units: Units, alignment: Alignment, path: str | Path) -> None:
    """Write one document in the format of the suffix: .png, .pdf, or any other of matplotlib's."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_dependency("matplotlib", "plot", "drawing to PNG or PDF") from None
    drawn = scene(units, alignment)
    busiest = max((int((drawn.row == a).sum()) for a in range(len(drawn.annotators))), default=1)
    height = 1.2 + 0.32 * sum(drawn.lanes) + 0.3 * len(drawn.lanes)
    wide = min(max(9.0, 0.4 * busiest), 100.0)
    figure = Figure(figsize=(wide, height), layout="constrained")
    axes, strip = figure.subplots(
        2, 1, sharex=True, height_ratios=[max(height - 1.2, 1.0), 0.7], squeeze=True
    )
    tops, y = [], 0.0
    for lanes in drawn.lanes:
        tops.append(y)
        y += lanes + 1.0
    _boxes(axes, units, drawn, tops, wide)
    for k, group in enumerate(drawn.groups):
        share = float(drawn.disorders[k]) / drawn.most
        for i, j in pairwise(group):
            x = [(drawn.start[m] + drawn.end[m]) / 2 for m in (i, j)]
            at = [tops[drawn.row[i]] + drawn.lane[i] + 0.84, tops[drawn.row[j]] + drawn.lane[j]]
            skips = drawn.row[j] - drawn.row[i] > 1
            axes.plot(x, at, color=heat(share), lw=1.1, ls="--" if skips else "-", zorder=1)
        middle = sum((drawn.start[i] + drawn.end[i]) / 2 for i in group) / len(group)
        strip.plot([middle] * 2, [0, drawn.disorders[k]], color=heat(share), lw=1.4)
        strip.plot(
            middle,
            drawn.disorders[k],
            "o",
            ms=4,
            mec=heat(share),
            mfc="white" if len(group) == 1 else heat(share),
        )
    axes.set_ylim(y - 0.7, -0.4)
    axes.set_yticks([t + n / 2 - 0.1 for t, n in zip(tops, drawn.lanes, strict=True)])
    axes.set_yticklabels([shortened(a, 20) for a in drawn.annotators])
    axes.set_title(f"{drawn.document} · disorder {drawn.disorder:.3f}", loc="left", fontsize=10)
    strip.set_ylabel("disorder", fontsize=8)
    strip.set_ylim(bottom=0)
    strip.set_xlim(*drawn.extent)
    for one in (axes, strip):
        one.spines[["top", "right", "left"]].set_visible(False)
        one.tick_params(length=0, labelsize=8)
    axes.spines["bottom"].set_visible(False)
    with replacing(path) as beside:
        figure.savefig(beside, dpi=160, format=Path(path).suffix[1:])


def _boxes(axes: Any, units: Units, drawn: Any, tops: list[float], wide: float) -> None:
    from matplotlib.patches import Rectangle

    alone = drawn.alone
    letter = (drawn.extent[1] - drawn.extent[0]) / (wide * 13)
    for i in range(len(drawn.start)):
        look = drawn.look(i)
        at = (drawn.start[i], tops[drawn.row[i]] + drawn.lane[i])
        span = drawn.end[i] - drawn.start[i]
        axes.add_patch(
            Rectangle(
                at,
                span,
                0.84,
                facecolor=look.hue,
                hatch=_HATCHES[look.pattern],
                edgecolor="#b84d00" if alone[i] else "#00000055",
                linestyle="--" if alone[i] else "-",
                linewidth=1.2 if alone[i] else 0.6,
                zorder=2,
            )
        )
        # what a unit leaves out is a thin line
        for begin, stop in ((b, e) for unit, b, e in drawn.gaps if unit == i):
            for low in (-0.02, 0.48):
                axes.add_patch(
                    Rectangle(
                        (begin, at[1] + low), stop - begin, 0.38, facecolor="white", zorder=2.5
                    )
                )
        room = int(span / letter)
        if room >= 3 and drawn.label[i] >= 0:
            axes.text(
                at[0] + span / 2,
                at[1] + 0.43,
                shortened(units.categories[drawn.label[i]], room),
                ha="center",
                va="center",
                fontsize=7,
                color=look.ink,
                zorder=3,
            )
