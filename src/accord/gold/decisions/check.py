"""Whether a decision may be stored: the item exists, the value is one that these data can have."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.label_sets import LabelSets
from accord.data.label_sets import written as as_cell
from accord.data.values import is_number
from accord.errors import InputError, UsageError, some
from accord.gold.decisions.decision import WORDS, Decision, Value, canonical, number
from accord.gold.decisions.element import JOINT, NO_LABEL, Element, is_added, unit_name

#: why shapes in images have no cards
NO_BOXES = (
    "decisions about boxes cannot be taken in: `accord gold` makes their consensus and lists what is "
    "doubtful, `accord align` shows the images, the worst first; edit the table of the reference"
)
#: names among which a misspelt one is looked for
_MOST = 5_000
#: a reason or a name longer than this is an accident
_LONGEST = 10_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Check:
    """Checks decisions on one campaign; `element` gives what a name stands for, or None.

    The element bears its identity as its name, which may be another than it was asked for by.

    Calling it returns the decision as it is to be stored: its value as these data write it, where
    its element is, and the digest of what it was made on.
    """

    data: Annotations
    names: Sequence[str]
    element: Callable[[str], Element | None]
    new_labels: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.data, Boxes):
            raise UsageError(NO_BOXES)

    def __call__(self, decision: Decision) -> Decision:
        if len(decision.why) > _LONGEST or len(decision.who) > _LONGEST:
            raise InputError(f"the name or the reason is longer than {_LONGEST} characters")
        if decision.item.endswith(":+") or is_added(decision.item):
            return self._added(decision)
        element = self.element(decision.item)
        if element is None:
            raise InputError(
                f"there is no item {decision.item!r}{meant(decision.item, self.names)}"
            )
        value = self._value(decision, element) if decision.kind == "label" else None
        return replace(
            decision,
            item=element.item,
            value=value,
            place=element.place or None,
            digest=decision.digest or element.digest,
        )

    def _added(self, decision: Decision) -> Decision:
        """A unit or boundary that no annotator marked."""
        document, _, rest = decision.item.rpartition(":")
        if document not in self.data.documents or not isinstance(self.data, (Units, Segments)):
            raise InputError(
                f"nothing can be added to {document!r}{meant(document, self.data.documents)}"
            )
        if decision.kind != "label" and rest == "+":
            raise InputError("what is added must have a value")
        if decision.kind != "label":
            return replace(decision, value=None)
        d = self.data.documents.index(document)
        place: dict[str, Any] = {"document": document}
        if isinstance(self.data, Units):
            value: Value = self._unit(decision, d, None)
            assert isinstance(value, Mapping)
            place |= value
            named = unit_name(document, float(value["start"] or 0), float(value["end"] or 0))
        else:
            value = self._boundary(decision, d)
            place["position"] = value
            named = f"{document}:{number(float(value))}"
        item = decision.item
        if rest == "+":
            item = f"{document}:+{named[len(document) + 1 :]}"
        return replace(decision, item=item, value=value, place=place)

    def _value(self, decision: Decision, element: Element) -> Value:
        if isinstance(self.data, Ratings):
            return self._rating(decision)
        d = self.data.documents.index(element.document)
        if isinstance(self.data, Units):
            return self._unit(decision, d, element)
        if isinstance(self.data, Segments):
            return self._boundary(decision, d)
        if isinstance(self.data, Relations):
            return self._relation(decision)
        return self._mention(decision, element)

    def _rating(self, decision: Decision) -> Value:
        data, value = self.data, decision.value
        assert isinstance(data, Ratings)
        if isinstance(value, Mapping) or (data.kind != "sets" and isinstance(value, (list, tuple))):
            raise InputError(f"the value of item {decision.item!r} must be a label")
        text = canonical(value)
        if data.kind == "numbers":
            if not is_number(text):
                raise InputError(
                    f"the value of item {decision.item!r} must be a number, got {text!r}"
                    f"{meant(text, WORDS)}"
                )
            low, high = float(np.min(data.numbers)), float(np.max(data.numbers))
            if not low <= float(text) <= high and not self.new_labels:
                raise InputError(
                    f"the value {text} of item {decision.item!r} is outside those given, "
                    f"{number(low)} to {number(high)}",
                    hint="allow it with `new_labels=True`",
                )
            return number(float(text))
        known = (
            sorted({str(x) for v in data.values for x in v}) if data.kind == "sets" else data.labels
        )
        parts = LabelSets().read(text) if data.kind == "sets" else frozenset([text])
        for part in sorted(parts):
            self._label(part, known, declared=data.declared)
        return as_cell(parts) if data.kind == "sets" else text

    def _label(self, label: str, known: Iterable[str], *, declared: bool = False) -> str:
        names = list(known)
        if label in names:
            return label
        near = meant(label, [*names, *WORDS])
        if label.startswith("(") and label.endswith(")"):
            raise InputError(f"there is no decision {label!r}{near}")
        if not label.strip():
            raise InputError("the label is empty")
        if self.new_labels and not declared:
            return label
        raise InputError(
            f"nobody used the label {label!r}{near or f'; the labels are {some(names)}'}",
            hint=None if declared else "a new label must be allowed with `new_labels=True`",
        )

    def _unit(self, decision: Decision, d: int, element: Element | None) -> Value:
        data = self.data
        assert isinstance(data, Units)
        value = decision.value
        if not isinstance(value, Mapping):
            if element is None or not isinstance(value, str):
                raise InputError('a unit is decided as a label or as {"start", "end", "label"}')
            return self._label(value, data.categories)
        label = value.get("label")
        if label is None:
            if np.all(data.label >= 0) and len(data):
                raise InputError("the unit has no label; the annotators' units all have one")
        elif not isinstance(label, str):
            raise InputError(f"the label of a unit must be a text, got {label!r}")
        else:
            self._label(label, data.categories)
        start, end = _finite(value.get("start"), "start"), _finite(value.get("end"), "end")
        length = float(data.lengths[d])
        points = bool(np.any(data.start == data.end))
        if start > end or (start == end and not points):
            raise InputError(
                f"the unit must end after it starts, got {number(start)} to {number(end)}"
            )
        low = min(0.0, float(data.start.min(initial=0.0)))
        if start < low or (np.isfinite(length) and end > length):
            raise InputError(
                f"the unit {number(start)}-{number(end)} is not inside document "
                f"{data.documents[d]!r}"
                + (f" (0 to {number(length)})" if np.isfinite(length) else "")
            )
        return {"start": start, "end": end, "label": label}

    def _boundary(self, decision: Decision, d: int) -> int:
        data = self.data
        assert isinstance(data, Segments)
        text = canonical(decision.value)
        if not is_number(text) or not float(text).is_integer():
            raise InputError(
                f"a boundary is decided as a position, a whole number, got {text!r}"
                f"{meant(text, WORDS)}"
            )
        position = int(float(text))
        if not 0 < position < int(data.lengths[d]):
            raise InputError(
                f"the boundary {position} is not inside document {data.documents[d]!r} "
                f"(1 to {int(data.lengths[d]) - 1})"
            )
        return position

    def _relation(self, decision: Decision) -> Value:
        """A label, or several of one pair."""
        assert isinstance(self.data, Relations)
        if not isinstance(decision.value, str):
            raise InputError(f"the relation {decision.item!r} is decided as a label")
        known = [*self.data.categories, NO_LABEL]
        for part in decision.value.split(JOINT):
            self._label(part, known)
        return decision.value

    def _mention(self, decision: Decision, element: Element) -> Value:
        assert isinstance(self.data, Chains)
        text = canonical(decision.value)
        prefix = element.document + ":"
        name = text if text.startswith(prefix) else prefix + text
        if self.element(name) is None:
            near = [n.removeprefix(prefix) for n in self.names if n.startswith(prefix)]
            raise InputError(
                f"{text!r} is no mention of document {element.document!r} to join"
                f"{meant(text, [*near, *WORDS])}"
            )
        return name.removeprefix(prefix)


def meant(name: str, known: Iterable[str]) -> str:
    """ "; did you mean 'x'?", or nothing.

    >>> meant("Positive", ["negative", "positive"]), meant("q", ["a"])
    ("; did you mean 'positive'?", '')
    """
    names = list(known)
    if len(names) > _MOST:
        names = [n for n in names if n[:2] == name[:2]][:_MOST]
    folded = {n.casefold(): n for n in names}
    same = folded.get(name.casefold())
    near = [same] if same is not None else get_close_matches(name[:200], names, n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def _finite(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InputError(f"the {what} of a unit must be a number, got {value!r}")
    return float(value)
