"""What stands beside units for a person to read: further columns of tables, attributes, notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from accord.data.statements import NOTE, matched
from accord.data.units import Unit, Units


@dataclass(frozen=True, slots=True)
class Remarks:
    """Per document, units that have something beside them, with what it is."""

    by_document: Mapping[str, list[tuple[Unit, Mapping[str, str]]]]

    @classmethod
    def of(cls, units: Units) -> Remarks:
        """Everything that is said of single units.

        >>> u = Units.from_columns(["d"], ["A"], [0], [4], ["x"], extras={"comment": ["unsure"]})
        >>> Remarks.of(u).near("d", 0, 9)
        'A: comment unsure'
        """
        found: dict[str, list[tuple[Unit, Mapping[str, str]]]] = {}
        if not units.extras and not units.statements:
            return cls(found)
        rows: dict[tuple[str, str], list[Unit]] = {}
        beside: dict[tuple[str, str], list[dict[str, str]]] = {}
        for i, unit in enumerate(units):
            told = {name: cells[i] for name, cells in units.extras.items()}
            rows.setdefault((unit.document, unit.annotator), []).append(unit)
            beside.setdefault((unit.document, unit.annotator), []).append(
                {name: cell for name, cell in told.items() if cell is not None}
            )
        for key, said in units.statements.items():
            known, others, _ = matched(rows.get(key, []), said)
            places = {one.name: i for i, one in enumerate(known) if one is not None}
            for one in others:
                if one.kind in ("attribute", "note") and one.targets[0][1] in places:
                    name = "note" if one.label == NOTE else one.label
                    beside[key][places[one.targets[0][1]]].setdefault(name, one.value or "yes")
        for key, here in rows.items():
            found.setdefault(key[0], []).extend(
                (unit, told) for unit, told in zip(here, beside[key], strict=True) if told
            )
        return cls(found)

    def said(self, document: str, annotator: str, start: float, end: float) -> Mapping[str, str]:
        """What stands beside the unit of an annotator at a place."""
        for unit, told in self.by_document.get(document, ()):
            if (unit.annotator, unit.start, unit.end) == (annotator, start, end):
                return told
        return {}

    def near(self, document: str, start: float, end: float) -> str:
        """Who remarks what on units that share something with a place; texts are no remarks."""
        shown = []
        for unit, told in self.by_document.get(document, ()):
            words = [f"{name} {cell}" for name, cell in told.items() if name != "text"]
            if words and unit.start < end and start < unit.end:
                shown.append(f"{unit.annotator}: {', '.join(words)}")
        return "; ".join(shown)

    def text(self, document: str, start: float, end: float) -> str:
        """The text that a table gives to a unit at just this place."""
        for unit, told in self.by_document.get(document, ()):
            if (unit.start, unit.end) == (start, end) and "text" in told:
                return told["text"]
        return ""
