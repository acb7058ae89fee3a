"""The same units in what another format counts: milliseconds as seconds, words as characters."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import numpy as np

from accord.data import Annotations, Relations, Units
from accord.data.statements import Statement
from accord.errors import UsageError

#: formats that count seconds, and formats that count characters of a text
_SECONDS = frozenset({"textgrid", "rttm"})
_CHARACTERS = frozenset({"brat", "doccano", "glozz", "label-studio", "uima", "webanno-tsv3"})

#: formats of units that hold relations between them
_SAYING = frozenset({"brat", "doccano", "label-studio", "uima", "webanno-tsv3"})


def suited(data: Annotations, name: str) -> Annotations:
    """The data as the format of this name counts, as far as they say what they count."""
    if isinstance(data, Relations) and name in _SAYING:
        data = as_statements(data, name)
    if not isinstance(data, Units):
        return data
    if data.unit == "milliseconds" and name in _SECONDS:
        return replace(
            data,
            start=data.start / 1000,
            end=data.end / 1000,
            lengths=data.lengths / 1000,
            unit="seconds",
        )
    if data.unit == "tokens" and name in _CHARACTERS and data.words is not None:
        return _in_characters(data)
    return data


def _in_characters(units: Units) -> Units:
    """Words between blanks are a text; a unit of words is what they cover of it."""
    if units.words is None or None in units.words:
        return units
    texts = tuple(" ".join(words) for words in units.words if words is not None)
    start, end = units.start.copy(), units.end.copy()
    for d, words in enumerate(units.words):
        sizes = [len(w) for w in words or ()]
        begins = np.array([0, *accumulate(n + 1 for n in sizes)], dtype=np.float64)
        here = units.document == d
        first, last = units.start[here].astype(int), units.end[here].astype(int)
        if max(last, default=0) > len(sizes):
            raise UsageError(
                f"document {units.documents[d]!r} has {len(sizes)} words and a unit that ends at word "
                f"{max(last)}: its files have different words; write a long table instead"
            )
        start[here] = begins[first]
        stops = begins[last] - 1
        # a point between words has no length in the text either
        end[here] = np.where(last > first, stops, begins[first])
    lengths = np.array([float(len(t)) if t else np.nan for t in texts])
    return replace(
        units, start=start, end=end, texts=texts, lengths=lengths, unit="characters", words=None
    )


def as_statements(relations: Relations, title: str | None = None) -> Units:
    """The units with what is said of them: relations as formats of units hold them.

    `title` names a format, which links places in a text; without it given items are places, too.
    """
    if relations.given and title is not None:
        raise UsageError(
            f"{title} links places in a text, these relations link given items; write a long table instead"
        )
    units = relations.ends_as_units()
    said: dict[tuple[str, str], list[Statement]] = {}
    names: dict[tuple[str, str, float, float], str] = {}
    for unit in units:
        here = said.setdefault((unit.document, unit.annotator), [])
        name = f"T{len(here) + 1}"
        names.setdefault((unit.document, unit.annotator, unit.start, unit.end), name)
        place = ((unit.start, unit.end),)
        here.append(Statement(name, "unit", unit.label or "", places=place))
    places = zip(relations.source.tolist(), relations.target.tolist(), strict=True)
    for number, (one, (source, target)) in enumerate(zip(relations, places, strict=True), 1):
        targets = tuple(
            (role, names[one.document, one.annotator, end[0], end[1]])
            for role, end in (("Arg1", source), ("Arg2", target))
        )
        said[one.document, one.annotator].append(
            Statement(f"R{number}", "relation", one.label or "", targets)
        )
    texts = dict(zip(units.documents, units.texts or (), strict=False))
    texts |= {
        name: text
        for name, text in zip(relations.documents, relations.texts or (), strict=False)
        if text is not None
    }
    return replace(
        units,
        texts=tuple(texts.get(name) for name in units.documents) if texts else None,
        statements={key: tuple(held) for key, held in said.items()},
        notes=(),
    )
