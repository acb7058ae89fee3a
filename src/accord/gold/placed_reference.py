"""The reference of located annotations, whatever their shape: elements, kept or not, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, Self, TypeAlias

from accord.data import Boxes, Chains, Relations, Segments, Units
from accord.data.brief import brief, count
from accord.data.located import Located
from accord.data.reading import Record
from accord.data.reasons import leave_out
from accord.data.remarks import Remarks
from accord.errors import InputError, some
from accord.gold.decisions.decision import number
from accord.gold.decisions.element import Element
from accord.gold.decisions.identity import Resolution
from accord.gold.notebook import reference_html
from accord.gold.reference import Reference
from accord.gold.worklist import BLANK, quoted
from accord.result import Row, signature

#: data that lie in documents
Placed: TypeAlias = Units | Segments | Chains | Relations | Boxes
#: what a person who judges afresh must not see
_OPINIONS = ("label", "support", "label_share", "tie", "disorder", "kept", "confidence", "dissent",
             "entity", "source")  # fmt: skip
#: corners of a shape
_CORNERS = ("x0", "y0", "x1", "y1")
#: ends of a relation in a row of a table, and in one of the elements
_ENDS = (("source", "from"), ("target", "to"))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlacedReference(Reference):
    """A reference for units, segments, chains, relations or boxes, as one more annotator.

    `considered` has one row per element (unitary alignment, pooled boundary, mention): where it is, how
    many annotators support it, its confidence, and whether it was kept. `elements` are the same (those
    a person added excepted) with what each annotator says; `resolution` tells which of them the
    decisions are about.
    """

    reference: Placed
    considered: tuple[Row, ...]
    elements: tuple[Element, ...] = ()
    resolution: Resolution = field(default_factory=lambda: Resolution(names=()))

    @classmethod
    def of(cls, data: Placed) -> Self:
        """The reference that the annotations of one annotator are, with what its table says of each.

        >>> from accord.reading import read
        >>> row = {"document": "d", "start": 0, "end": 4, "label": "x", "confidence": 1, "reason": ""}
        >>> made = PlacedReference.of(read([row, {**row, "end": 2, "label": None, "reason": "tie"}]))
        >>> [(row["end"], row["label"], row["reason"]) for row in made.rows()]
        [(4, 'x', ''), (2, None, 'tie')]
        """
        if len(data.annotators) != 1:
            raise InputError(
                f"a reference is one annotator's, and here are {some(data.annotators)}",
                hint="build one with accord gold",
            )
        told = data.provenance.elements if data.provenance is not None else ()
        there = set(data.documents)
        rows = [_element(data, cells) for cells in told if str(cells["document"]) in there]
        considered = [row for row in rows if row["reason"] != "nobody"]
        if not told:
            plain = {"reason": "", "confidence": 1.0, "source": "rule", "kept": True}
            considered = [{**_found(data, row), **plain} for row in _rows(data)]
        elements = tuple(
            Element(item=r["item"], document=r["document"], place=r, versions=())
            for r in considered
        )
        return cls(
            method="given",
            data=data,
            name=data.annotators[0],
            reference=data,
            considered=tuple(considered),
            elements=elements,
            resolution=Resolution(names=tuple(e.item for e in elements)),
            signature=signature("gold:given", len(considered)),
        )

    def __len__(self) -> int:
        return len(self.considered)

    def __repr__(self) -> str:
        kept = sum(bool(r["kept"]) for r in self.considered)
        return brief(
            "Reference",
            self.method,
            f"{kept} of {count(len(self), 'element')} kept",
            f"{len(self.resolution.held)} decided by people" if self.resolution.held else "",
        )

    @property
    def columns(self) -> tuple[str, ...]:
        # ends of relations between given items are a source and a target already
        given = isinstance(self.reference, Relations) and self.reference.given
        return (
            *_columns(self.reference),
            "confidence",
            "reason",
            "decided" if given else "source",
            "who",
        )

    def rows(self, *, soft: bool = False, details: bool = False) -> Iterator[Row]:
        """One row per element: where it is, with its label; or the reason why it has none."""
        waiting: dict[tuple[Any, ...], list[int]] = {}
        reasons = self.reasons()
        who = self._deciders()
        for i, row in enumerate(self.considered):
            if row["kept"]:
                waiting.setdefault(_place(row), []).append(i)
        silent = dict.fromkeys(document for document, _ in self.reference.seen_pairs())
        lengths = _lengths(self.reference)
        for own in _rows(self.reference):
            silent.pop(own["document"], None)
            known = waiting.get(_place(own), [])
            i = known.pop(0) if len(known) > 1 else known[0] if known else -1
            yield self._row(own, i, "", who, details)
        for i, row in enumerate(self.considered):
            if not row["kept"]:
                silent.pop(row["document"], None)
                own = _without_value(row, self.columns, self.name)
                own |= {"length": lengths.get(row["document"])} if lengths else {}
                yield self._row(own, i, reasons[i], who, details)
        for document in silent:
            # somebody looked, and there is nothing
            own = {"document": document, "annotator": self.name}
            own |= {"length": lengths.get(document)} if lengths else {}
            yield dict.fromkeys(self.columns) | own | {"reason": "nobody"}

    def _row(
        self, own: Row, i: int, reason: str, who: Mapping[str, str], details: bool
    ) -> dict[str, Any]:
        row = self.considered[i] if i >= 0 else {}
        told = {
            "confidence": round(float(row.get("confidence", 1.0)), 6),
            "reason": reason,
            self.columns[-2]: row.get("source", "rule"),
            "who": who.get(str(row.get("item")), row.get("who", "")),
        }
        more = {k: v for k, v in row.items() if k not in own and k != "kept"} if details else {}
        return {**own, **told, **{k: v for k, v in more.items() if k not in told}}

    def reasons(self) -> list[str]:
        """Why each element has no value, "" where it has one."""
        found = []
        for i, row in enumerate(self.considered):
            decision = self.resolution.decision(i)
            why = "threshold"
            if decision is not None and row["source"] == "human":
                why = "rejected" if decision.kind == "reject" else "undecided"
            found.append("" if row["kept"] else str(row.get("reason") or why))
        return found

    def _deciders(self) -> dict[str, str]:
        """Element → who decided it."""
        held = self.resolution
        decided = {held.names[i]: d for i in held.held if (d := held.decision(i)) is not None}
        decided |= {s.item: s.in_force for s in held.added if s.in_force is not None}
        human = {str(row["item"]) for row in self.considered if row["source"] == "human"}
        return {item: decision.who for item, decision in decided.items() if item in human}

    def _repr_html_(self) -> str:
        doubtful = sorted(self.considered, key=lambda row: row["confidence"])
        hidden = ("item", "tie", "source")
        shown = [{k: v for k, v in row.items() if k not in hidden} for row in doubtful]
        return reference_html(self, "least sure first", shown, self.annotators, self.warnings)

    def valued(self) -> Placed:
        """What is scored: the elements that were kept; the data say how many were not, and why."""
        if self.method == "given":
            return self.reference
        record = Record()
        leave_out(self.reasons(), record, "element")
        return record.kept_by(self.reference)

    def alone(self, name: str | None = None) -> Placed:
        return replace(self.reference, annotators=(name or self.name,))

    def carried(self, *, soft: bool = False) -> Placed:
        """The elements that were kept, which platforms put where they were annotated."""
        return replace(self.reference, provenance=self.data.provenance)

    def worklist(
        self,
        *,
        confidence: float = 0.75,
        blind: bool = False,
        texts: Mapping[str, str] | None = None,
    ) -> list[Row]:
        """Elements kept or dropped with less than this confidence, or in high disorder, by gain.

        High disorder: among the tenth of the kept unitary alignments that cost most. An element whose
        annotations changed since it was decided is there again. `blind` hides what the annotators said
        and what the rule would choose.
        """
        costs = sorted(r["disorder"] for r in self.considered if "disorder" in r and r["kept"])
        high = costs[(9 * len(costs)) // 10] if costs else float("inf")
        todo = []
        beside = Remarks.of(self.data) if isinstance(self.data, Units) else Remarks({})
        for i, row in enumerate(self.considered):
            reasons = []
            if i in self.resolution.changed:
                reasons.append("changed since it was decided")
            elif row["source"] == "human":
                continue
            if row.get("tie"):
                reasons.append("label tie")
            if row["confidence"] < confidence:
                reasons.append("low confidence")
            if row["kept"] and row.get("disorder", 0.0) >= high and len(costs) >= 10:
                reasons.append("high disorder")
            if reasons:
                told = {"item": row["item"], "reason": "; ".join(reasons)}
                told["gain"] = round(1 - row["confidence"], 6)
                place = self.elements[i].place
                told["text"] = quoted(self.data, place, texts or {}) or beside.text(*_at(place))
                if beside.by_document and not blind:
                    told["remarks"] = beside.near(*_at(place))
                hidden = {"item", *(_OPINIONS if blind else ())}
                rest = {k: v for k, v in row.items() if k not in hidden}
                decision = self.resolution.decision(i)
                blank = {"replaces": "" if decision is None else decision.id}
                todo.append(told | rest | dict.fromkeys(BLANK, "") | blank)
        return sorted(todo, key=lambda r: (-r["gain"], str(r["item"])))

    def to_dict(self, *, soft: bool = False) -> dict[str, object]:
        return {
            "shape": self.data.shape,
            "method": self.method,
            "n": len(self.considered),
            "items": [
                {**row, "reason": why}
                for row, why in zip(self.considered, self.reasons(), strict=True)
            ],
            "annotators": [dict(r) for r in self.annotators],
            "terms": dict(self.terms),
            "aside": [s.item for s in self.resolution.aside],
            "moved": [self.resolution.names[i] for i in self.resolution.moved],
            "changed": [self.resolution.names[i] for i in sorted(self.resolution.changed)],
            "conflicts": [s.item for s in self.resolution.held.values() if s.conflict],
            "warnings": list(self.warnings),
            "signature": self.signature,
        }


def _at(place: Mapping[str, Any]) -> tuple[str, float, float]:
    """Document, start and end of a unit; what has no extent is nowhere."""
    return str(place.get("document", "")), place.get("start", 0.0), place.get("end", 0.0)


def _columns(data: Placed) -> tuple[str, ...]:
    """The columns that say where an element is, and which."""
    if isinstance(data, Segments):
        return ("document", "annotator", "boundary", "length")
    if isinstance(data, Units) and _lengths(data):
        return ("document", "annotator", "start", "end", "label", "length")
    if isinstance(data, Chains):
        spans = all(isinstance(m, tuple) and len(m) == 2 for here in data.mentions for m in here)
        return ("document", "annotator", *(("start", "end") if spans else ("mention",)), "entity")
    extras = data.extras if isinstance(data, Located) else {}
    return tuple(name for name in data.columns if name not in extras)


def _rows(data: Placed) -> Iterator[dict[str, Any]]:
    """The rows of a table of these elements, with whole numbers as such."""
    if isinstance(data, Segments):
        for (d, a), positions in sorted(data.boundaries.items()):
            for at in positions.tolist():
                own = (data.documents[d], data.annotators[a], at, int(data.lengths[d]))
                yield dict(zip(_columns(data), own, strict=True))
        return
    columns, lengths = _columns(data), _lengths(data)
    for row in data.rows():
        told = {"length": lengths.get(str(row["document"]))} if lengths else {}
        yield {name: _whole({**row, **told}.get(name)) for name in columns}


def _lengths(data: Placed) -> dict[str, int | float]:
    """The lengths of documents, of shapes that have some, as far as they are known."""
    if not isinstance(data, (Units, Segments)):
        return {}
    pairs = zip(data.documents, data.lengths.tolist(), strict=True)
    return {name: _whole(length) for name, length in pairs if isfinite(length)}


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _place(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Where an element is, the same of a row of a table and of one of the elements."""
    document = row["document"]
    if "x0" in row:
        return (document, *(float(row[c]) for c in _CORNERS), row["label"])
    if "position" in row or "boundary" in row:
        return (document, int(row["position"] if "position" in row else row["boundary"]))
    if "from" in row or ("source" in row and "target" in row) or "source_start" in row:
        return (document, *_ends(row))
    if "entity" in row:
        return (document, _mention(row))
    return (document, float(row["start"]), float(row["end"]), row["label"])


def _ends(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The ends of a relation as elements name them."""
    if "from" in row:
        return (str(row["from"]), str(row["to"]))
    if "source_start" in row:
        return tuple(
            f"{number(float(row[f'{end}_start']))}-{number(float(row[f'{end}_end']))}"
            for end, _ in _ENDS
        )
    return (str(row["source"]), str(row["target"]))


def _mention(row: Mapping[str, Any]) -> str:
    if "mention" in row:
        return str(row["mention"])
    return "-".join(str(_whole(float(row[end]))) for end in ("start", "end"))


def _without_value(row: Row, columns: tuple[str, ...], name: str) -> dict[str, Any]:
    """The row of a table for an element that was not kept: where it is, and no more."""
    own = dict.fromkeys(columns[:-4]) | {"document": row["document"], "annotator": name}
    for key in ("start", "end", "mention", "points", *_CORNERS):
        if key in own and key in row:
            own[key] = _whole(row[key])
    if "boundary" in own:
        own["boundary"] = int(row["position"])
    if "entity" in own and "start" in own and "mention" in row:
        own |= dict(zip(("start", "end"), map(int, str(row["mention"]).split("-")), strict=True))
    for end, written in _ENDS if "from" in row else ():
        if f"{end}_start" in own:
            first, _, last = str(row[written]).rpartition("-")
            own |= {f"{end}_start": _whole(float(first)), f"{end}_end": _whole(float(last))}
        else:
            own[end] = row[written]
    return own


def _found(data: Placed, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a table as one of the elements, named as such."""
    own = {k: v for k, v in row.items() if k != "annotator"}
    if isinstance(data, Segments):
        own["position"] = int(own.pop("boundary"))
        place = str(own["position"])
    elif isinstance(data, Relations):
        first, last = _ends(row)
        own = {"document": row["document"], "from": first, "to": last, "label": row["label"]}
        place = f"{first}→{last}"
    elif isinstance(data, Chains):
        own = {"document": row["document"], "mention": _mention(row), "entity": row["entity"]}
        place = own["mention"]
    elif isinstance(data, Units):
        place = f"{number(float(row['start']))}-{number(float(row['end']))}"
    else:
        place = ",".join(f"{float(row[c]):g}" for c in _CORNERS)
    return {"item": f"{own['document']}:{place}", **own}


def _element(data: Placed, cells: Mapping[str, Any]) -> dict[str, Any]:
    """What a table says of an element."""
    row: dict[str, Any] = {name: cells.get(name) for name in _columns(data)}
    reason = str(cells.get("reason") or "")
    if reason == "nobody":
        return {"document": str(row["document"]), "reason": reason}
    for name in row.keys() & {"start", "end", "boundary", "length", *_CORNERS}:
        row[name] = None if row[name] in (None, "") else float(row[name])
    for end, _ in _ENDS:
        for name in row.keys() & {f"{end}_start", f"{end}_end"}:
            row[name] = float(row[name])
    for name in row.keys() & {"label", "mention", "document"}:
        row[name] = None if row[name] in (None, "") else str(row[name])
    sure = cells.get("confidence")
    return {
        **_found(data, row),
        "reason": reason,
        "kept": reason == "",
        "confidence": 1.0 if sure in (None, "") else float(sure),
        "source": str(cells.get("decided") or cells.get("source") or "rule"),
        "who": str(cells.get("who") or ""),
    }
