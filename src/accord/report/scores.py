"""What can be drawn of scores: confusions as a matrix, probabilities as a reliability diagram."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord.errors import UsageError
from accord.language import speaker, translator
from accord.report.figure import Figure
from accord.report.matrices import heat_map
from accord.report.reliability import reliability
from accord.report.svg import escaped
from accord.report.template import style
from accord.result import Result, Row

#: labels that a drawn matrix has room for
_MOST = 40
_MAIN = "main{max-width:54rem;margin:0 auto;padding:1.5rem;overflow-wrap:anywhere}"
#: what stands for no answer, or no unit on the other side
NONE = "(none)"


def score_figures(results: Sequence[Result]) -> list[Figure]:
    """A figure for each confusion and each reliability that the results hold."""
    found: dict[tuple[str, str], Figure] = {}
    for result in results:
        of = result.system or "system"
        if "bin" in result.by and result.measure == "ece":
            title = f"{of}: right as often as it is sure?"
            found.setdefault((of, "bin"), reliability(f"reliability-{of}", title, result.by["bin"]))
        rows = result.by.get("confusion", ())
        if rows and {"reference", "system", "count"} <= set(rows[0]):
            found.setdefault((of, "confusion"), confusion_matrix(of, rows))
    return list(found.values())


def confusion_matrix(system: str, rows: Sequence[Row]) -> Figure:
    """Reference down, system across; shaded by the share of the reference's row."""
    names, columns, counts = confusion_counts(rows)
    if len(names) > _MOST or len(columns) > _MOST:
        raise UsageError(
            f"{max(len(names), len(columns))} classes are too many to draw; "
            "their counts are in the breakdown by confusion"
        )
    whole = all(float(v).is_integer() for line in counts for v in line)
    return heat_map(
        f"confusion-{system}",
        f"{system}: reference (rows) against system (columns)",
        names,
        columns,
        counts,
        corner="reference",
        low=0,
        decimals=0 if whole else 1,
    )


def confusion_counts(rows: Sequence[Row]) -> tuple[list[str], list[str], list[list[float]]]:
    """Names of the rows and columns of the matrix, and its counts."""
    labels = dict.fromkeys(
        str(row[side]) for row in rows for side in ("reference", "system") if row[side] is not None
    )
    sides = []
    for side in ("reference", "system"):
        empty = any(row[side] is None for row in rows)
        sides.append([*labels, *([NONE] if empty else [])])
    place = [{name: i for i, name in enumerate(names)} for names in sides]
    counts = [[0.0] * len(sides[1]) for _ in sides[0]]
    for row in rows:
        i, j = (
            place[k][NONE if row[side] is None else str(row[side])]
            for k, side in enumerate(("reference", "system"))
        )
        counts[i][j] += float(row["count"])
    return sides[0], sides[1], counts


def figures_page(
    title: str, figures: Sequence[Figure], under: Sequence[str] = (), names: Iterable[str] = ()
) -> str:
    """One self-contained page with these figures and their tables, and what is said under the title.

    `names` are of measures or of the data: they are no words of ours.
    """
    if not figures:
        raise UsageError(
            "there is nothing to draw; ask for a breakdown that can be drawn: `by=confusion`, or "
            "`measure=ece` and `by=bin`"
        )
    say = speaker()
    return translator(say.lang, {*say.keep, *names}).html(
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        "<meta name='viewport' content='width=device-width,initial-scale=1'>"
        f"<title>{escaped(title)}</title><style>{style('page.css', 'chart.css')}{_MAIN}</style></head>"
        f"<body><main><h1>{escaped(title)}</h1>"
        + "".join(f"<p class='aside' translate='no'>{escaped(line)}</p>" for line in under)
        + "".join(figure.html() for figure in figures)
        + "</main></body></html>\n"
    )
