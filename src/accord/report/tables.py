"""Results as tables for a terminal (rich)."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from accord.language import figures, headed, spoken
from accord.markup import are_whole
from accord.registry import measure_of
from accord.report.cell import bar, bar_width, cell, interval, number, probability, share, written
from accord.report.headings import heading
from accord.report.name import LEAST, Name
from accord.report.row_limits import LIMITS, limits, reasons, with_interval
from accord.result import Interval, Result, Row

#: rows of a breakdown shown on a terminal; all of them are in --json
_MOST_ROWS = 30
#: characters that a matrix of confusions may take
_MATRIX = 78
#: few columns have room for headings of this width
_FEW, _HEADING = 5, 10
#: columns that stay out first where there is no room
_READ_LAST = ((LIMITS["without_low"],), ("share",), ("expected",), ("observed",))


def results_table(results: Sequence[Result], width: int | None = None) -> Table:
    """One row per result, that fits a terminal: the axis stays out and names are cut, numbers never."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 1))
    systems = any(r.system for r in results)
    categories = any("category" in r.terms for r in results)
    level = next((f" {r.interval.level:.0%}" for r in results if r.interval), "")
    # names of systems need the room, and so does what agreement on chains leaves out
    alone = any(r.terms.get("unpaired") for r in results)
    # precision and recall for scores (F is their value); observed and expected for coefficients
    shown = [t for t in ("P", "R") if any(t in r.terms for r in results)]
    shown += ["unpaired"] if alone else []
    whole: dict[str, list[str]] = {
        spoken("value"): ["—" if r.undefined else number(r.value) for r in results],
        spoken("interval") + figures(level): ["" if r.undefined else interval(r) for r in results],
        **{spoken(term): [written(r.terms.get(term)) for r in results] for term in shown},
    }
    if any(r.observed is not None or r.expected is not None for r in results):
        whole[spoken("observed")] = [share(r, r.observed) for r in results]
        whole[spoken("expected")] = [share(r, r.expected) for r in results]
    whole["n"] = [figures(f"{r.n:,}") for r in results]
    named = {"measure": [r.measure for r in results]}
    if systems:
        named = {"system": [r.system or "" for r in results], **named}
    if categories:
        named["category"] = [str(r.terms.get("category", "")) for r in results]
    plain = {spoken(name): [escape(text) for text in column] for name, column in named.items()}
    room = (width or get_terminal_size((80, 24)).columns) - _cells({**plain, **whole})
    axis = 0 if systems or alone or categories else bar_width(room)
    for name in named:
        table.add_column(spoken(name))
    for name in whole:
        left = name == list(whole)[1]
        table.add_column(name, justify="left" if left else "right", no_wrap=True)
        if left and axis:
            table.add_column("0" + " " * (axis - 1) + "1", no_wrap=True, min_width=axis + 1)
    for i, r in enumerate(results):
        cells: list[Any] = [
            Name(column[i], "bold" if name == "measure" else "", among=column)
            for name, column in named.items()
        ]
        value, between, *others = (column[i] for column in whole.values())
        cells += [Text(value, style="bold"), between]
        if axis:
            undefined = r.undefined is not None
            cells.append(Text(spoken("undefined"), style="dim") if undefined else bar(r, axis))
        table.add_row(*cells, *others)
    return table


def _cells(columns: Mapping[str, Sequence[str]]) -> int:
    """What columns take on a terminal, two cells between them."""
    widths = [
        max(len(name), *(Text.from_markup(cell).cell_len for cell in cells))
        for name, cells in columns.items()
    ]
    return sum(widths) + 2 * (len(widths) - 1)


def captions(results: Sequence[Result]) -> list[str]:
    """What each measure is, once, and why a value is undefined."""
    named = dict.fromkeys((r.measure, measure_of(r).title) for r in results)
    lines = [headed(name, spoken(title)) for name, title in named]
    lines += [spoken(f"{r.measure} is undefined: {r.undefined}") for r in results if r.undefined]
    made = [r for r in results if r.interval is not None]
    about: dict[str, dict[str, None]] = {}
    for r in made:
        if r.interval is not None:
            about.setdefault(_moves(r.interval), {})[r.measure] = None
    everybody = dict.fromkeys(r.measure for r in results)
    for text, names in about.items():
        which = "" if names == everybody else f" of {', '.join(names)}"
        lines.append(spoken(f"Interval{which}: {text}"))
    if any(r.observed is not None and "D_o" in r.terms for r in results):
        lines.append(spoken("D: disagreement, 0 is perfect; n: how much the value rests on"))
    lines += [faults(r) for r in results if "without_counterpart" in r.terms]
    for r in made:
        below = r.terms.get("p_below")
        if below is not None:
            shown = below if isinstance(below, Mapping) else {"the threshold": below}
            lines += [
                f"{spoken(f'P({r.measure} < {t})')} = {probability(p)}" for t, p in shown.items()
            ]
    return lines


def _moves(made: Interval) -> str:
    """What an interval says, and how it was made."""
    whom = made.claim.replace("these annotators, other", "the same annotators and other")
    return f"how far the value might move with {whom} ({made.words})."


def faults(result: Result) -> str:
    """What stands beside γ of boxes: missing shapes, loose outlines and unlike labels, each by itself."""
    terms = result.terms
    parts = [spoken(f"{terms['without_counterpart']:.0%} of shapes without counterpart")]
    if terms.get("mean_iou") is not None:
        parts.append(spoken(f"mean IoU of aligned pairs {number(terms['mean_iou'])}"))
    if terms.get("label_alpha") is not None:
        parts.append(spoken(f"α of the labels of aligned groups {number(terms['label_alpha'])}"))
    return headed(result.measure, ", ".join(parts))


def breakdown_tables(results: Sequence[Result]) -> list[Group]:
    """One table per breakdown; what is the same for several measures stands there once."""
    found: list[tuple[str, list[str], Sequence[Row]]] = []
    for result in results:
        similarity = measure_of(result).similarity
        for name, every in result.by.items():
            if not every:
                continue
            rows = _disputed_first(name, every, similarity=similarity)
            who = result.measure if result.system is None else f"{result.system}, {result.measure}"
            for known, measures, same in found:
                if known == name and list(same) == list(rows):
                    measures.append(who)
                    break
            else:
                found.append((name, [who], rows))
    several = len({r.system for r in results}) > 1
    return [
        _confusions(f"{_about(measures, several)}by {name}", rows)
        if name == "confusion" and {"reference", "system", "count"} <= set(rows[0])
        else rows_table(f"{_about(measures, several)}by {name}", rows)
        for name, measures, rows in found
    ]


#: breakdowns of many rows of one kind, which have no order of their own
_UNORDERED = ("pair", "annotator", "document", "category", "label", "item", "mention")
#: two columns that are the same where people agree, and how often that is
_MEETING = (("value", "other_value", "items"), ("first", "second", "coincidences"))


def _disputed_first(name: str, rows: Sequence[Row], *, similarity: bool) -> Sequence[Row]:
    """The rows as a terminal shows them, which has room for the first: those on which people differ most."""
    for one, other, times in _MEETING:
        if name in ("confusion", "coincidence") and all(times in row for row in rows):
            return sorted(rows, key=lambda row: (row[one] == row[other], -row[times]))
    if name not in _UNORDERED:
        return rows
    if all("disagreement" in row for row in rows):
        return sorted(rows, key=lambda row: -float(row["disagreement"] or 0))
    for column in ("value", "mean_pairwise"):
        if all(isinstance(row.get(column), float) for row in rows):
            sign = 1 if similarity else -1
            return sorted(rows, key=lambda row: (math.isnan(row[column]), sign * row[column]))
    return rows


def _about(measures: Sequence[str], several: bool) -> str:
    """Whose breakdown it is; nothing when it is that of all measures of one system."""
    names = list(measures) if several else [m.rpartition(", ")[2] for m in measures]
    return f"{names[0]} " if len(names) == 1 else ""


def _confusions(title: str, rows: Sequence[Mapping[str, Any]]) -> Group:
    """A matrix where it fits a terminal, else the most frequent confusions."""
    from accord.report.scores import confusion_counts

    names, columns, counts = confusion_counts(rows)
    if sum(max(len(c), 5) + 2 for c in columns) + max(map(len, names)) > _MATRIX:
        apart = [r for r in rows if r["reference"] != r["system"] and r["count"]]
        return rows_table(f"{title}, the errors", sorted(apart, key=lambda r: -r["count"]))
    lines = [
        {"reference \\ system": name, **{c: f"{v:g}" for c, v in zip(columns, line, strict=True)}}
        for name, line in zip(names, counts, strict=True)
    ]
    return rows_table(title, lines)


def rows_table(
    title: str, rows: Sequence[Mapping[str, Any]], most: int = _MOST_ROWS, width: int | None = None
) -> Group:
    """Rows of dicts as a table, the first few of them, that fits a terminal, under its title.

    Names are cut in the middle. Where there is no room for that, the columns that are read last
    stay out, and that is said below. Two limits are one column; why a row has none stands below.
    """
    shown = [with_interval(row) for row in rows[:most]]
    names = _columns(shown)
    for name in names:
        if are_whole([row.get(name) for row in shown]):
            shown = [{**row, name: v if (v := row.get(name)) is None else int(v)} for row in shown]
    numeric = {n for n in names if all(_is_number(row.get(n)) for row in shown)}
    room = width or get_terminal_size((80, 24)).columns
    gone: list[str] = []
    for last in _READ_LAST:
        if _least_width(names, numeric, shown) > room:
            gone += [n for n in names if n in last]
            names = [n for n in names if n not in last]
    # a column that is cut off would show another number
    kept = list(names)
    while len(kept) > 2 and _least_width(kept, numeric, shown) > room:
        kept.pop()
    gone, names = [*gone, *names[len(kept) :]], kept
    told = []
    if len(rows) > most:
        told.append(spoken(f"{len(rows) - most:,} more rows with --json"))
    if gone:
        names_gone = ", ".join(spoken(heading(n)) for n in gone)
        told.append(spoken(f"the terminal is too narrow for {names_gone} (--json has them)"))
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 1))
    whole = {*numeric, *LIMITS.values()}
    least = _HEADING if len(names) <= _FEW else 1
    for name in names:
        widest = max((len(written(row.get(name))) for row in shown), default=0)
        table.add_column(
            _heading(name, max(widest, least) if name in whole else None),
            justify="right" if name in numeric else "left",
            min_width=max(map(len, spoken(heading(name)).split()), default=0),
            no_wrap=name in whole,
            overflow="fold",
        )
    said = set(_IN_WORDS.values())
    # a name may stand in one column and the name that it is compared with in another
    among = list(dict.fromkeys(v for r in shown for v in r.values() if isinstance(v, str)))
    prose = {n: [r.get(n) for r in shown if not isinstance(r.get(n), str)] for n in names}
    for row in shown:
        cells = {n: _shortened(row.get(n)) if n in said else row.get(n) for n in names}
        table.add_row(*(cell(value, name, [*among, *prose[name]]) for name, value in cells.items()))
    parts: list[RenderableType] = [Text(spoken(title), style="bold")] if title else []
    parts.append(table)
    parts += [Text(spoken(line), style="dim") for line in reasons(rows)]
    parts += [Text(line, style="dim italic") for line in told]
    return Group(*parts)


def _heading(name: str, widest: int | None) -> str:
    """The words of a column's name, one under the other where its numbers need less room."""
    text = spoken(heading(name.removesuffix("_text")))
    if widest is None:
        return text
    room = max(widest, *map(len, text.split()), 1)
    return fill(text, room, break_long_words=False, break_on_hyphens=False)


def _is_number(value: Any) -> bool:
    return value is None or isinstance(value, (int, float))


def _least_width(
    names: Sequence[str], numeric: Container[str], rows: Sequence[Mapping[str, Any]]
) -> int:
    """Cells that a table needs when its names are cut as short as may be."""
    whole = 0
    for name in names:
        cells = [len(written(row.get(name))) for row in rows]
        words = [len(word) for word in spoken(heading(name)).split()]
        if name in numeric or name in LIMITS.values():
            whole += max(*words, *cells, 0) + 2
        else:
            whole += max(min(max(cells, default=0), LEAST + 2), *words, 0) + 2
    return whole - 2


#: characters of a mention that a table shows at most
_WORDS = 48
#: mentions of an entity that a table lists at most
_LISTED = 5
#: offsets, and what says the same in words
_IN_WORDS = {"mentions": "text", "mention": "text", "parts": "parts_text", "others": "others_text",
             "nearest": "nearest_text"}  # fmt: skip


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns of a table: words stand for offsets wherever they are known."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    known = {name for name in names if all(_spoken(row.get(name)) for row in rows)}
    left_out = {name for name in names if name in _IN_WORDS and _IN_WORDS[name] in known}
    left_out |= {words for words in _IN_WORDS.values() if words in names and words not in known}
    left_out |= {name for name in names if all(row.get(name) is None for row in rows)}
    return [name for name in names if name not in left_out]


def _shortened(value: Any) -> Any:
    """Words of a mention, the middle of a long one left out."""
    if isinstance(value, (list, tuple)):
        more = [f"and {len(value) - _LISTED} more"] if len(value) > _LISTED else []
        return [_shortened(v) for v in value[:_LISTED]] + more
    if isinstance(value, str) and len(value) > _WORDS:
        return f"{value[: _WORDS // 2]} … {value[-_WORDS // 3 :]}"
    return value


def _spoken(value: Any) -> bool:
    return value is not None and not (
        isinstance(value, (list, tuple)) and any(not _spoken(v) for v in value)
    )


def extra_tables(extra: Mapping[str, Any]) -> list[Group]:
    """Further findings of a command: lists of rows, or one mapping."""
    tables = []
    for name, found in extra.items():
        rows = [found] if isinstance(found, Mapping) else found
        if isinstance(found, Mapping):
            rows = [{"finding": spoken(k.replace("_", " ")), "value": v} for k, v in found.items()]
        if name == "comparisons" and rows:
            tables.append(comparisons_table("two by two", rows))
        elif rows:
            tables.append(rows_table(name.replace("_", " "), rows))
    return tables


def _test(name: str | None) -> str:
    """The name of a test without what was drawn, which the interval says: swap of swap-items."""
    return (name or "").partition("-")[0]


def comparisons_table(
    title: str, rows: Sequence[Mapping[str, Any]], *, first: str = "measure"
) -> Group:
    """Differences with their interval, the p-value and the test it comes from."""
    family = next((row["family"] for row in rows if "family" in row), 0)
    shown = [
        {
            first: row[first],
            "a": row["a"],
            "b": row["b"],
            "a − b": row["difference"],
            "interval": limits(row["interval"]),
            "p": probability(row["p"]),
            **({"p (Holm)": probability(row.get("p_holm"))} if family > 1 else {}),
            "test": spoken(row["undefined"]) if row.get("undefined") else _test(row["test"]),
        }
        for row in rows
    ]
    # one pair is named once, above
    pairs = {(row["a"], row["b"]) for row in rows}
    if len(pairs) == 1 < len(rows):
        shown = [{k: v for k, v in row.items() if k not in ("a", "b")} for row in shown]
        title = headed(spoken(title), f"a = {rows[0]['a']}, b = {rows[0]['b']}")
    holm = f", p corrected over {family} comparisons by Holm's method" if family > 1 else ""
    return rows_table(title + holm, shown)
