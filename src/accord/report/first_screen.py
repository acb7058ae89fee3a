"""The first screen of an agreement: the answer in a line, what it means, who and what stands out.

The terminal and the top of the report show the same. Everything else that is known has an option.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations, Boxes, Ratings, Relations, Segments, Units
from accord.errors import AccordError
from accord.language import figures, headed, spoken
from accord.registry import find, measure_of
from accord.report.aligned import aligned
from accord.report.places import Places, of_relations, tally
from accord.result import Result, Row
from accord.study import Certainty, Study
from accord.study.verdict import shortened, verdict

#: annotators among whom every pair is measured, and documents that are each measured
_MOST_PEOPLE, _MOST_DOCUMENTS = 12, 100
#: ratings among which the most disputed item is looked for, and labels that may be confused
_MOST_RATINGS, _MOST_LABELS = 200_000, 200


#: what a row rests on at least to be called the weakest, where others do
_FEWEST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstScreen:
    """What is said of one value before anything else."""

    #: the measure, its value and its interval in a line
    value: str
    #: what that means, in sentences
    meaning: tuple[str, ...]
    #: (what stands out, in the words of the data)
    facts: tuple[tuple[str, str], ...]


def first_screen(data: Annotations, result: Result, options: Mapping[str, Any]) -> FirstScreen:
    """Put together what the value of a measure under these options says about the data.

    >>> data = Ratings.from_matrix([["a", "b", "a", "b"], ["a", "b", "b", "b"]], annotators=["Ana", "Ben"])
    >>> import accord
    >>> shown = first_screen(data, accord.agree(data, "kappa"), {})
    >>> print(shown.value, shown.meaning[0], *map(": ".join, shown.facts), sep="\\n")
    Cohen's κ = 0.50   95 % interval 0.05 to 0.93
    The same answer in 75 % of the comparisons; 50 % expected by chance.
    most confused: a / b (1 item)
    """
    return screen_of(_computed(result, options, data), result)


def _computed(result: Result, options: Mapping[str, Any], *data: Annotations) -> Study:
    """The study of a result that is there already: what is asked of it beside is all there is to do."""
    record = find(result.measure, "agree" if len(data) == 1 else "score")
    own = {name: value for name, value in options.items() if record.takes(name)}
    study = Study(record, *data, options=own, certainty=Certainty(ci=None))
    study.found = result
    return study


def screen_of(study: Study, result: Result) -> FirstScreen:
    """Put together the same for a result of this study."""
    data = study.data
    places = _places(study)
    told = [boundaries(data)] if isinstance(data, Segments) else []
    told += [_compared(data, result), verdict(result)]
    return FirstScreen(
        value=value_line(result),
        meaning=(
            *([places.sentence()] if places is not None and places.total else []),
            *(spoken(sentence) for sentence in told if sentence),
        ),
        facts=tuple((spoken(head), text) for head, text in _facts(study, result, places)),
    )


def score_screen(
    reference: Annotations, system: Annotations, result: Result, options: Mapping[str, Any]
) -> FirstScreen:
    """Put together what the score of one system under these options says.

    >>> key, own = (Ratings.from_matrix([row]) for row in (["a", "b", "b"], ["a", "a", "a"]))
    >>> import accord
    >>> shown = score_screen(key, own, accord.score(key, own, "accuracy"), {})
    >>> shown.facts
    (('most frequent error', 'b → a (2)'), ('weakest label', 'b (0.00)'))
    """
    study = _computed(result, options, reference, system)
    known = result.undefined is None
    facts = _of_score(study, similar=study.record.similarity) if known else ()
    return FirstScreen(
        value=value_line(result),
        meaning=tuple(spoken(sentence) for sentence in _scored(result)),
        facts=tuple((spoken(head), text) for head, text in facts),
    )


def _scored(result: Result) -> Iterator[str]:
    """What a score is a share of, in words."""
    precision, recall = (result.terms.get(name) for name in ("P", "R"))
    if result.undefined is None and precision is not None and recall is not None:
        yield (
            f"{100 * precision:.0f} % of what the system gives is right (precision); it has "
            f"{100 * recall:.0f} % of the reference (recall)."
        )
    if not measure_of(result).similarity:
        yield "This is an error: the lower, the better."


def _of_score(study: Study, *, similar: bool) -> Iterator[tuple[str, str]]:
    """The most frequent error, the weakest label and document."""
    result = study.result
    breakdowns = {*study.record.breakdowns, *result.offers, *result.by}
    if "confusion" in breakdowns:
        with suppress(AccordError):
            apart = [r for r in study.breakdown("confusion") if r["reference"] != r["system"]]
            worst = max(apart, key=lambda row: row["count"], default=None)
            if worst is not None and worst["count"]:
                times = figures(f"{worst['count']:g}")
                yield "most frequent error", f"{worst['reference']} → {worst['system']} ({times})"
    for by in ("category", "document"):
        if by in breakdowns:
            with suppress(AccordError):
                label = "label" if by == "category" else by
                yield from _of_rows(label, study.breakdown(by), similar=similar)


def _places(study: Study) -> Places | None:
    """The places that were aligned to measure them; nothing of a measure that aligns none."""
    data, record = study.data, study.record
    if not isinstance(data, Units | Boxes | Relations) or "document" not in record.breakdowns:
        return None
    if isinstance(data, Relations):
        return of_relations(study.breakdown("errors"))
    objective = {"objective": "holistic"} if record.name == "holistic" else {}
    return tally(data, aligned(data, {**study.options, **objective}))


def value_line(result: Result) -> str:
    """The measure, its value and its interval, with the digits that the interval bears.

    >>> from accord.result import Interval
    >>> value_line(Result(measure="alpha", value=0.59213, interval=Interval(0.46, 0.7051, 0.95, "")))
    "Krippendorff's α = 0.59   95 % interval 0.46 to 0.71"
    """
    name = shortened(spoken(measure_of(result).title)) + _metric(result)
    name = headed(result.system, name) if result.system else name
    if result.undefined is not None:
        return spoken(f"{name} is undefined: {result.undefined}")
    made = result.interval
    text = f"{name} = {_number(result.value, result)}"
    if made is None:
        return text
    low, high = (_number(end, result) for end in (made.low, made.high))
    return f"{text}   {spoken(f'{100 * made.level:g} % interval {low} to {high}')}"


def _metric(result: Result) -> str:
    """The distance between values, where it is not the usual one."""
    said = dict(part.partition(":")[::2] for part in result.signature.split("|"))
    named = [
        spoken(f"{said[key]} {key}")
        for key in ("metric", "weights")
        if said.get(key, "nominal") not in ("nominal", "identity", "")
    ]
    return f" ({', '.join(named)})" if named else ""


def _number(value: float, result: Result) -> str:
    """Two digits, more where the interval is narrower than that."""
    made = result.interval
    wide = 1.0 if made is None else made.high - made.low
    if not math.isfinite(wide):
        wide = 1.0
    digits = 2 if wide >= 0.02 or wide <= 0 else min(5, 1 - math.floor(math.log10(wide)))
    # (a value that rounds to nothing has no sign)
    return figures(f"{value:z.{digits}f}".replace("-", "\N{MINUS SIGN}"))


def _short(value: float) -> str:
    return figures(f"{value:z.2f}".replace("-", "\N{MINUS SIGN}"))


def _compared(data: Annotations, result: Result) -> str:
    """Two answers to the same item, compared."""
    observed, expected = result.observed, result.expected
    if not isinstance(data, Ratings) or observed is None or result.undefined is not None:
        return ""
    counted = "D_o" in result.terms
    if not counted and expected is None:
        return f"The same answer in {observed:.0%} of the comparisons.".replace("%", " %")
    if expected is None or not (0 <= observed <= 1 and 0 <= expected <= 1):
        return ""
    if ("metric:nominal" not in result.signature and counted) or "weights:" in result.signature:
        return ""
    if counted:
        observed, expected = 1 - observed, 1 - expected
    return (
        f"The same answer in {100 * observed:.0f} % of the comparisons; "
        f"{100 * expected:.0f} % expected by chance."
    )


def _facts(study: Study, result: Result, places: Places | None) -> Iterator[tuple[str, str]]:
    """Who and what stands out; nothing of a value that is undefined."""
    if result.undefined is not None or measure_of(result).several:
        return
    data = study.data
    # (γ of each pair would sample chance again)
    if places is None and 2 < len(data.annotators) <= _MOST_PEOPLE and not _counted(data):
        with suppress(AccordError):
            yield from _pairs(study)
    if places is not None:
        yield from places.people()
    if isinstance(data, Ratings):
        yield from _confused(data)
        yield from _disputed(study)
    if 1 < len(data.documents) <= _MOST_DOCUMENTS or "document" in study.record.breakdowns:
        with suppress(AccordError):
            yield from _weakest(study, "document")
    if isinstance(data, Ratings) and data.kind == "sets":
        yield from _of_rows("label", result.by.get("label", ()))
    elif isinstance(data, Units) and "category" in study.record.breakdowns:
        with suppress(AccordError):
            yield from _weakest(study, "category")


def _counted(data: Annotations) -> bool:
    """Whether nobody is known, or the ratings are an engine's."""
    return bool(getattr(data, "anonymous", False)) or getattr(data, "engine", None) is not None


def _pairs(study: Study) -> Iterator[tuple[str, str]]:
    """The two who agree least, and the two who agree most."""
    people = study.data.annotators
    known = [
        (found.value, a, b)
        for i, a in enumerate(people)
        for b in people[i + 1 :]
        if math.isfinite((found := study.part(annotators=[a, b]).result).value)
    ]
    if len(known) > 1:
        (low, *least), (high, *most) = min(known), max(known)
        best = headed(spoken("strongest"), f"{most[0]}, {most[1]} ({_short(high)})")
        yield "weakest pair", f"{least[0]}, {least[1]} ({_short(low)}) · {best}"


def _confused(data: Ratings) -> Iterator[tuple[str, str]]:
    """The two labels that most items have both of."""
    q = len(data.values)
    if not 1 < q <= _MOST_LABELS or data.kind == "sets" or data.code.size > 50 * _MOST_RATINGS:
        return
    met = np.unique(data.item.astype(np.int64) * q + data.code)
    item, code = met // q, met % q
    times = np.ones(len(met)) if data.multiplicity is None else data.multiplicity[item]
    both: NDArray[np.float64] = np.zeros((q, q))
    start = np.flatnonzero(np.r_[True, item[1:] != item[:-1]]) if len(item) else item
    size = np.diff(np.r_[start, len(item)])
    for k in np.unique(size[size > 1]).tolist():
        own = start[size == k][:, None] + np.arange(k)
        for i in range(k):
            for j in range(i + 1, k):
                np.add.at(both, (code[own[:, i]], code[own[:, j]]), times[own[:, i]])
    first, second = np.unravel_index(int(both.argmax()), both.shape)
    n = int(both[first, second])
    if n:
        items = spoken(f"{n:,} item{'' if n == 1 else 's'}")
        shown = figures if data.kind == "numbers" else str
        one, other = (shown(data.labels[k]) for k in (first, second))
        yield "most confused", f"{one} / {other} ({items})"


def _disputed(study: Study) -> Iterator[tuple[str, str]]:
    """The item that divides people most, with everybody's answer."""
    data = study.data
    if "item" not in study.record.breakdowns or not isinstance(data, Ratings):
        return
    if data.code.size > _MOST_RATINGS or _counted(data) or data.multiplicity is not None:
        return
    with suppress(AccordError):
        rows = study.breakdown("item")
        worst = max(rows, key=lambda row: row["disagreement"], default=None)
        if worst is not None and worst["disagreement"] > 0 and len(data.annotators) > 2:
            votes = list(worst["values"].items())
            shown = figures if data.kind == "numbers" else str
            said = ", ".join(f"{who} {shown(str(value))}" for who, value in votes[:6])
            yield "most disputed", headed(str(worst["item"]), said + ", …" * (len(votes) > 6))


def _weakest(study: Study, by: str) -> Iterator[tuple[str, str]]:
    """The row of the least value; of units the name of a label is its category's."""
    yield from _of_rows("label" if by == "category" else by, study.breakdown(by))


def _of_rows(what: str, rows: Sequence[Row], *, similar: bool = True) -> Iterator[tuple[str, str]]:
    # (what the judges tie on has no label)
    known = [
        row
        for row in rows
        if math.isfinite(row.get("value", math.nan)) and "(tie)" not in row.values()
    ]
    # (one case says little)
    known = [row for row in known if row.get("n", row.get("count", _FEWEST)) >= _FEWEST] or known
    if len(known) > 1:
        worst = (min if similar else max)(known, key=lambda row: row["value"])
        name = worst[what] if what in worst else worst["category"]
        yield f"weakest {what}", f"{name} ({_short(worst['value'])})"


def boundaries(data: Segments) -> str:
    """How many places are boundaries for everybody, for some, for one person."""
    everybody = some = one = 0
    for d in range(len(data.documents)):
        cuts = [np.unique(p) for (doc, _), p in data.boundaries.items() if doc == d]
        if len(cuts) < 2:
            continue
        _, times = np.unique(np.concatenate(cuts), return_counts=True)
        everybody += int((times == len(cuts)).sum())
        one += int((times == 1).sum())
        some += int(((times > 1) & (times < len(cuts))).sum())
    middle = f"{some} of some people, " if some else ""
    return (
        f"{everybody + some + one} places have a boundary: {everybody} of everybody, {middle}"
        f"{one} of one person only."
    )
