"""Relations: labelled links between two units, or between two given items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, Unpack

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes, encode_as, encode_sorted, natural_key
from accord.data.located import Beside, Located, Problem, Rows, encoded, first_of
from accord.data.protocol import Shape
from accord.data.said import pairs_of
from accord.data.schema import GIVEN, LOCATED, RELATIONS, Columns
from accord.data.units import Units
from accord.errors import InputError, some

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame


#: an end of a relation: the name of a given item, or the place of a unit
End = str | tuple[float, float]
#: the same as it may be given
Written = str | int | tuple[float, float]
Places = NDArray[np.float64]
#: a unit where items are given: (document, annotator, item, label)
ItemRow = tuple[str, str, str, str | None]


class Relation(NamedTuple):
    """One relation as people write it."""

    document: str
    annotator: str
    source: End
    target: End
    label: str | None


class BesideRelations(Beside, total=False):
    """What may be told beside the rows of relations and the units that they link."""

    texts: Mapping[str, str] | None
    kinds: Sequence[tuple[str | None, str | None]] | None


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Relations(Located):
    """Who linked what to what, sorted by document, annotator, source, target, label.

    The ends are *located* by the annotators, as half-open places on a continuum, or they are *given*
    items (messages, sentences, tokens): item i is then the place [i, i+1), so that everything below is
    written once. A relation may be a loop. `coverage` says who saw which document: who saw it and linked
    nothing counts. `units` are those of the annotators, in a relation or not.

    >>> rows = [("d", "Ana", "he", "Bob", "same"), ("d", "Ben", "he", "Bob", "same")]
    >>> relations = Relations.from_rows(rows)
    >>> relations.annotators, len(relations)
    (('Ana', 'Ben'), 2)
    """

    shape: ClassVar[Shape] = "relations"

    #: relations × (start, end)
    source: Places
    target: Places
    #: the names of given items; None where ends are located
    items: tuple[str, ...] | None = None
    #: labels of the ends, and those of each relation's; -1 where unknown
    kinds: tuple[str, ...] = ()
    source_kind: Codes
    target_kind: Codes
    units: Units | None = None
    #: text of each document, when known
    texts: tuple[str | None, ...] | None = None

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[tuple[str, str, Written, Written, str | None]],
        *,
        units: Units | Sequence[ItemRow] | None = None,
        **beside: Unpack[BesideRelations],
    ) -> Self:
        """Build from (document, annotator, source, target, label) rows.

        An end is the name of a given item, or a place (start, end). `coverage` lists (document,
        annotator) pairs, added to those that occur in the rows; without it, every annotator is taken to
        have seen every document, and a note counts the pairs without a relation. `units` must hold all
        ends; those of given items are (document, annotator, item, label) rows. `kinds` are the labels
        of source and target of each row; those of the units by default. The same relation
        twice counts once.

        >>> r = Relations.from_rows([("d", "A", (0, 5), (10, 15), "cause"),
        ...                          ("d", "B", (0, 5), (10, 16), "cause")])
        >>> len(r), r.categories, r.given
        (2, ('cause',), False)
        >>> Relations.from_rows([("d", "A", 2, 1, "reply"), ("d", "B", 2, 2, None)]).items
        ('1', '2')
        """
        documents, annotators, sources, targets, labels = RELATIONS.of_rows(rows)[:5]
        both = [*sources, *targets]
        located = [isinstance(end, (tuple, list)) for end in both]
        if any(located) and not all(located):
            raise InputError(
                "some ends of relations are places and some are names of items",
                path=beside.get("path"),
            )
        items: list[str] | None = None
        if located and all(located):
            ends = np.asarray(both, dtype=np.float64).reshape(-1, 2)
        else:
            among = [] if units is None or isinstance(units, Units) else [u[2] for u in units]
            code, items = encode_sorted(map(str, both), among)
            ends = np.column_stack([code, code + 1]).astype(np.float64).reshape(-1, 2)
        sides = ends[: len(rows)], ends[len(rows) :]
        return cls.from_columns(
            documents, annotators, *sides, labels, items=items, units=units, **beside
        )

    @classmethod
    def from_columns(
        cls,
        document_names: Sequence[str],
        annotator_names: Sequence[str],
        sources: Places,
        targets: Places,
        labels: Sequence[str | None],
        *,
        items: Sequence[str] | None = None,
        units: Units | Sequence[ItemRow] | None = None,
        texts: Mapping[str, str] | None = None,
        kinds: Sequence[tuple[str | None, str | None]] | None = None,
        **beside: Unpack[Beside],
    ) -> Self:
        """Build from columns of equal length, ends as places; the options are those of
        :meth:`from_rows`, `items` the names of given ones (item i is the place [i, i+1))."""
        if items is not None and units is not None and not isinstance(units, Units):
            units = _items_as_units(units, items, beside.get("path"))
        assert units is None or isinstance(units, Units)
        seen = [] if units is None else units.seen_pairs()
        if units is not None and units.told:
            beside["coverage"] = [*pairs_of(beside.get("coverage") or (), "coverage"), *seen]
        # the same relation twice is one; it cannot be kept
        if beside.get("duplicates", "error") not in ("first", "keep", "last"):
            beside["duplicates"] = "error"
        rows = encoded(
            document_names,
            annotator_names,
            labels,
            documents=[d for d, _ in seen],
            annotators=[a for _, a in seen],
            **beside,
        )

        def end(place: NDArray[np.float64]) -> str:
            if items is None:
                return f"[{place[0]:g}, {place[1]:g})"
            return repr(items[int(place[0])])

        def name(i: int) -> str:
            return (
                f"the relation {end(sources[i])} → {end(targets[i])} {labels[i] or '(no label)'} of "
                f"annotator {annotator_names[i]!r} in document {document_names[i]!r}"
            )

        for side, ends in (("source", sources), ("target", targets)):
            if (wrong := first_of(_problems(ends))) is not None:
                i, what, hint = wrong
                raise rows.origin.error(i, f"the {side} of {name(i)} {what}", hint)
        if rows.foreign.any():
            i = int(np.argmax(rows.foreign))
            what = "has a label that is not among the declared categories"
            raise rows.origin.error(i, f"{name(i)} {what}")
        order, fields = rows.settled((*sources.T, *targets.T), what="relations", keepable=False)
        told: list[tuple[str | None, str | None]]
        told = list(kinds) if kinds is not None else [(None, None)] * len(labels)
        if units is not None:
            of_unit = {tuple(u[:4]): u.label for u in reversed(list(units))}
            for i, who in enumerate(zip(document_names, annotator_names, strict=True)):
                for side, ends in (("source", sources), ("target", targets)):
                    if (*who, *ends[i].tolist()) not in of_unit:
                        raise rows.origin.error(
                            i,
                            f"the {side} {end(ends[i])} of {name(i)} is not among the units of that "
                            "annotator",
                            "add it to the units, or correct its offsets",
                        )
                told[i] = (
                    told[i][0] or of_unit[*who, *sources[i].tolist()],
                    told[i][1] or of_unit[*who, *targets[i].tolist()],
                )
        all_kinds = sorted({k for pair in told for k in pair if k is not None}, key=natural_key)
        source_kind, target_kind = (encode_as([p[k] for p in told], all_kinds) for k in (0, 1))
        return cls(
            **fields,
            source=sources[order],
            target=targets[order],
            items=None if items is None else tuple(items),
            kinds=tuple(all_kinds),
            source_kind=source_kind[order],
            target_kind=target_kind[order],
            units=units,
            texts=rows.of_documents(texts),
        )

    @classmethod
    def from_frame(
        cls,
        frame: IntoFrame,
        *,
        units: Units | IntoFrame | None = None,
        **beside: Unpack[BesideRelations],
    ) -> Self:
        """Build from any dataframe with the columns of :meth:`to_frame`.

        document, annotator, then source_start, source_end, target_start, target_end (located), or
        source and target (given items); label, source_label and target_label where there are some.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"annotator": ["A", "B"], "source": [2, 2], "target": [1, 1],
        ...                       "label": ["reply", "reply"]})
        >>> len(Relations.from_frame(frame))
        2
        """
        columns = RELATIONS.of_frame(frame, *RELATIONS.roles)
        if units is not None and not isinstance(units, Units):
            units = Units.from_frame(units)
        return cls.of(columns, units=units, **beside)

    @classmethod
    def of(
        cls,
        columns: Columns,
        *,
        units: Units | Sequence[ItemRow] | None = None,
        **beside: Unpack[BesideRelations],
    ) -> Self:
        """Build from the columns of the roles of a table, the ends located or given."""
        ends: list[Sequence[object]] = [list(columns[end]) for end in GIVEN if end in columns]
        if not ends:
            start, end, other_start, other_end = (list(map(float, columns[c])) for c in LOCATED)
            ends = [
                list(zip(start, end, strict=True)),
                list(zip(other_start, other_end, strict=True)),
            ]
        sides = (columns["document"], columns["annotator"])
        beside["kinds"] = list(zip(columns["source_label"], columns["target_label"], strict=True))
        rows = list(zip(*sides, *ends, columns["label"], strict=True))
        return cls.from_rows(rows, units=units, **beside)

    @property
    def given(self) -> bool:
        """The ends are given items, not places that annotators chose."""
        return self.items is not None

    @property
    def loops(self) -> NDArray[np.bool_]:
        """Which relations lead from a thing to itself."""
        same: NDArray[np.bool_] = (self.source == self.target).all(axis=1)
        return same

    def end(self, place: NDArray[np.float64]) -> End:
        """Return an end as people write it: the name of an item, or a place."""
        if self.items is not None:
            return self.items[int(place[0])]
        return float(place[0]), float(place[1])

    @property
    def columns(self) -> tuple[str, ...]:
        told = ("source_label", "target_label") if self.kinds else ()
        ends = GIVEN if self.given else LOCATED
        return ("document", "annotator", *ends, "label", *told, *self.extras)

    def _cells(self) -> Iterator[Sequence[object]]:
        for (*who, source, target, label), kinds in zip(self, self.end_labels(), strict=True):
            ends = (source, target) if self.given else (*source, *target)
            yield (*who, *ends, label, *(kinds if self.kinds else ()))

    def __iter__(self) -> Iterator[Relation]:
        """The relations as people write them, in canonical order."""
        documents, annotators, labels = self._named()
        ends = map(self.end, self.source), map(self.end, self.target)
        return map(Relation, documents, annotators, *ends, labels)

    def _followed(self, fields: Mapping[str, Any], where: Rows, who: Rows) -> dict[str, Any]:
        if self.units is None:
            return {}
        documents, annotators = set(fields["documents"]), set(fields["annotators"])
        return {
            "units": self.units.select(
                annotators=[a for a in self.units.annotators if a in annotators],
                documents=[d for d in self.units.documents if d in documents],
            )
        }

    def end_labels(self) -> list[tuple[str | None, str | None]]:
        """Return the labels of source and target of each relation."""
        names: tuple[str | None, ...] = (*self.kinds, None)
        return [
            (names[s], names[t])
            for s, t in zip(self.source_kind.tolist(), self.target_kind.tolist(), strict=True)
        ]

    def item_rows(self) -> list[ItemRow]:
        """Return the units as (document, annotator, item, label), where items are given."""
        if self.units is None or self.items is None:
            return []
        return [(u.document, u.annotator, self.items[int(u.start)], u.label) for u in self.units]

    def ends_as_units(self) -> Units:
        """Return the units: those that were given, or else every end of every relation, once."""
        if self.units is not None:
            return self.units
        rows = {
            (self.documents[d], self.annotators[a], float(s), float(e), k)
            for places_of, kind in (
                (self.source, self.source_kind),
                (self.target, self.target_kind),
            )
            for d, a, (s, e), k in zip(
                self.document, self.annotator, places_of, kind.tolist(), strict=True
            )
        }
        names: tuple[str | None, ...] = (*self.kinds, None)
        return Units.from_rows(
            [(d, a, s, e, names[k]) for d, a, s, e, k in sorted(rows)],
            coverage=self.seen_pairs(),
            texts=None
            if self.texts is None
            else {d: t for d, t in zip(self.documents, self.texts, strict=True) if t is not None},
        )


def _problems(ends: Places) -> tuple[Problem, ...]:
    """Places that no end can have."""
    start, end = ends[:, 0], ends[:, 1]
    return (
        (~(np.isfinite(start) & np.isfinite(end)), "has an offset that is not a number", None),
        (end < start, "ends before it starts", "swap the two offsets"),
        (end == start, "has length zero", "a unit has a length: correct it or drop the row"),
    )


def _items_as_units(rows: Sequence[ItemRow], items: Sequence[str], path: str | None) -> Units:
    number = {name: float(i) for i, name in enumerate(items)}
    unknown = [r[2] for r in rows if r[2] not in number]
    if unknown:
        raise InputError(f"the units name items that are not listed: {some(unknown)}", path=path)
    return Units.from_rows(
        [(d, a, number[i], number[i] + 1, kind) for d, a, i, kind in rows],
        coverage=list(dict.fromkeys((d, a) for d, a, _, _ in rows)),
    )
