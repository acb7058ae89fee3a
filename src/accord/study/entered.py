"""What entered the values of some questions: the reading as it stands above them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from accord.data import Annotations, Ratings
from accord.data.reading import Answer, Decision, LeftOut, Reading
from accord.registry import Measure, RestsOn

_COUNTED = Answer("what one annotator alone rated counts for chance", ("missing", "available"))
_NOT_COUNTED = Answer("it does not", ("missing", "pairable"))


def entered(data: Annotations, asked: Iterable[tuple[Measure, Mapping[str, Any]]]) -> Reading:
    """What was read, of which `used` and `left_out` are those of these measures with their options.

    What one of them uses is not left out.

    >>> from accord.measures import find
    >>> data = Ratings.from_matrix([["x", "y", "x"], ["x", "y", None]], annotators=["A", "B"])
    >>> [len(entered(data, [(find(name), {})]).left_out) for name in ("alpha", "fleiss")]
    [1, 0]
    """
    found = data.reading
    if not found.alone:
        return found
    listed = list(asked)
    rests = {rests_on(record, options) for record, options in listed}
    if "everything" in rests:
        return found.whole()
    if "chance" in rests:
        others = any(record.takes("missing") for record, _ in listed)
        counted = Decision(
            about="alone", taken=_COUNTED, others=(_NOT_COUNTED,) if others else (), why=_why(found)
        )
        kept = found.provenance
        kept = replace(kept, decisions=(*kept.decisions, counted))
        return replace(found, alone=(), provenance=kept)
    if rests == {"complete"} and isinstance(data, Ratings):
        return _complete(found, data)
    return found


def rests_on(record: Measure, options: Mapping[str, Any]) -> RestsOn:
    """What the value of a measure rests on, with these options."""
    if record.rests_on == "chance" and options.get("missing") == "pairable":
        return "shared"
    return record.rests_on


def _why(reading: Reading) -> str:
    return "; ".join(one.what for one in reading.alone)


def _complete(reading: Reading, data: Ratings) -> Reading:
    """The same of the items alone that every annotator rated."""
    people = len(data.annotators)
    times = 1 if data.multiplicity is None else data.multiplicity
    whole = int(((data.per_item == people) * times).sum())
    lost = int(((data.per_item < people) * times).sum())
    used = {"annotators": people, "items": whole, "ratings": whole * people}
    alone = LeftOut(what=f"{lost:,} items", n=lost, why="not rated by all annotators")
    return reading.using(used, (alone,) if lost else ())
