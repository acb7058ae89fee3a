"""The simulations drawn: reading grids, prevalence curves, interval widths, measures compared."""

from __future__ import annotations

from collections.abc import Sequence

from accord.measures.ratings.limits import Limits
from accord.report.charts import Series, curves
from accord.report.figure import Figure
from accord.simulate import Grid, MeasureComparison, PrevalenceCurves, SampleSize
from accord.simulate.chains import InfluenceCurves
from accord.simulate.reliability import Reliability

_AXES = {
    "shift": "shift k (boundaries move by up to ± k/2 unit lengths)",
    "omission": "probability p of omitting a unit",
    "false-positives": "false units f, as a share of the units",
    "confusion": "probability c of another category",
    "splits": "probability s of cutting a unit in two",
    "together": "all at once, level m (shift k = 2m)",
    "noise": "probability e of answering at random",
    "neighbour": "probability n of a neighbouring value",
    "habit": "probability h of the commonest value",
}


def grid_figures(grid: Grid, *, value: float | None = None) -> list[Figure]:
    """One drawing per degradation; `value` is drawn as the line to read off."""
    return [
        curves(
            f"grid-{c.degradation}",
            f"{grid.measure} under {c.degradation}",
            [Series(grid.measure, c.levels, c.value, c.low, c.high)],
            x_label=_AXES.get(c.degradation, f"{c.degradation} {c.symbol}"),
            y_label=grid.measure,
            y_range=(min(0.0, *c.low), 1.0),
            level=value,
        )
        for c in grid.curves
    ]


def grid_figure(grid: Grid, *, value: float | None = None) -> Figure:
    """All degradations in one drawing, each on its own scale from none to its strongest."""
    series = [
        Series(
            f"{c.degradation} ≤ {c.levels[-1]:g}",
            [100 * x / (c.levels[-1] or 1) for x in c.levels],
            c.value,
            # more than three bands hide each other; the table has them all
            c.low if len(grid.curves) <= 3 else None,
            c.high if len(grid.curves) <= 3 else None,
        )
        for c in grid.curves
    ]
    floor = min((v for s in series for v in (s.low or s.y) if v == v), default=0.0)
    return curves(
        "grid",
        f"Reading grid of {grid.measure}: {grid.setting}",
        series,
        x_label="damage, % of the strongest",
        y_label=grid.measure,
        y_range=(min(0.0, floor), 1.0),
        level=value,
        width=720,
    )


def prevalence_figure(found: PrevalenceCurves) -> Figure:
    """The coefficients against prevalence; those that coincide share a curve."""
    together: dict[tuple[float, ...], list[str]] = {}
    for name, values in found.values.items():
        together.setdefault(tuple(round(v, 9) for v in values), []).append(name)
    return curves(
        "prevalence",
        f"Agreement of two annotators with sensitivity {found.sensitivity:g} "
        f"and specificity {found.specificity:g}",
        [Series(", ".join(names), found.prevalence, v) for v, names in together.items()],
        x_label="prevalence: share of positive items",
        y_label="agreement",
    )


def size_figure(found: SampleSize) -> Figure:
    """The share of campaigns that meet the aim against the number of items."""
    n = [p[0] for p in found.points]
    aim = (
        f"an interval of {found.measure} no wider than {found.width:g}"
        if found.width is not None
        else f"P({found.measure} < {found.threshold:g}) < .05"
    )
    return curves(
        "size",
        f"Campaigns with {aim}",
        [Series("share", n, [p[2] for p in found.points])],
        x_label=f"{found.unit}s",
        y_label="share of campaigns",
        y_range=(0.0, 1.0),
        level=found.assurance,
        logarithmic=True,
    )


def reliability_figure(found: Reliability) -> Figure:
    """The reliability of the mean of k labels against k, with its limits."""
    names = [n for n in ("consistency", "agreement") if n in found.rows[0]]
    k = [row["k"] for row in found.rows]

    def column(key: str) -> list[float] | None:
        return [max(row[key], -1.0) for row in found.rows] if key in found.rows[0] else None

    return curves(
        "reliability",
        "Reliability of the mean of k labels",
        [
            Series(n, k, [row[n] for row in found.rows], column(f"{n}_low"), column(f"{n}_high"))
            for n in names
        ],
        x_label="labels per item, k",
        y_label="reliability",
        y_range=(0.0, 1.0),
        level=found.target,
    )


def limits_figure(found: Limits) -> Figure:
    """Differences against means, with the bias and the limits (Bland & Altman 1986)."""
    x = found.points[:, 0]
    ends = [float(x.min()), float(x.max())]
    half = (found.bias_high - found.bias_low) / 2

    def line(name: str, at: float, margin: float) -> Series:
        return Series(name, ends, [at, at], [at - margin] * 2, [at + margin] * 2)

    y = [*found.points[:, 1].tolist(), found.lower - found.margin, found.upper + found.margin]
    pad = 0.05 * (max(y) - min(y) or 1.0)
    return curves(
        f"limits-{found.first}-{found.second}",
        f"{found.first} − {found.second}: limits of agreement",
        [
            line("bias", found.bias, half),
            line("upper limit", found.upper, found.margin),
            line("lower limit", found.lower, found.margin),
        ],
        x_label=f"mean of {found.first} and {found.second}",
        y_label=f"{found.first} − {found.second}",
        y_range=(min(y) - pad, max(y) + pad),
        points=[(float(a), float(b)) for a, b in found.points],
    )


def comparison_figures(found: MeasureComparison) -> list[Figure]:
    """One drawing per degradation, one curve per measure."""
    drawn = []
    for i, c in enumerate(found.grids[0].curves):
        values = [v for g in found.grids for v in g.curves[i].value if v == v]
        drawn.append(
            curves(
                f"compare-{c.degradation}",
                f"Measures under {c.degradation}",
                [Series(g.measure, c.levels, g.curves[i].value) for g in found.grids],
                x_label=_AXES.get(c.degradation, c.degradation),
                y_label="agreement",
                y_range=(min(0.0, *values), 1.0),
            )
        )
    return drawn


def influence_figures(found: Sequence[InfluenceCurves]) -> list[Figure]:
    """One drawing per factor, one curve per score; their limits are in the rows of the answer."""
    return [
        curves(
            f"influence-{c.factor}",
            f"{c.factor} ({c.sentence})",
            [Series(name, c.levels, [p.mean for p in at]) for name, at in c.values.items()],
            x_label=c.factor,
            y_label="score",
            logarithmic=min(c.levels) > 0,
        )
        for c in found
    ]


def stacked(figures: Sequence[Figure]) -> str:
    """Several drawings one under the other in a single SVG file."""
    from accord.report.svg import element, light_style, words

    y, parts, widest = 0.0, [], 0.0
    for f in figures:
        box = f.svg.partition('viewBox="0 0 ')[2].partition('"')[0].split()
        width, height = float(box[0]), float(box[1])
        parts.append(words(f.title, 16, y + 22, "strong"))
        inner = f.svg.replace("<svg", f'<svg x="0" y="{y + 30:.0f}" width="{width:g}"', 1)
        parts.append(inner.replace("<svg", f'<svg height="{height:g}"', 1))
        y, widest = y + height + 44, max(widest, width)
    return element(
        "svg",
        element("title", figures[0].title),
        element("style", light_style()),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {widest:g} {y:g}",
        width=widest,
        height=y,
        class_="chart",
        role="img",
    )
