"""Relations from what a file or an export says: its table of units, its named marks and statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from accord.data import Relations, Units
from accord.data.relations import ItemRow
from accord.data.statements import Statement
from accord.errors import InputError, UsageError, some
from accord.formats.format import ReadOptions
from accord.reading.scale import labels_of
from accord.reading.sidecars import beside

if TYPE_CHECKING:
    from accord.formats.export import Export, Mark


def relations_of(export: Export, options: ReadOptions) -> Relations:
    """The relations that an export says of its marks.

    An event, like everything with more than two ends, is one relation from its trigger to each argument,
    labelled with the argument's role (Theme2 is a second Theme). Ends are the marks themselves, a
    discontinuous one from its first to its last character; all marks beside them are units.
    """
    said = {
        key: [one for one in statements if one.kind in ("relation", "event")]
        for key, statements in export.statements.items()
    }
    kinds = Counter(one.layer for held in said.values() for one in held if one.layer)
    chosen = _chosen_layer(export, kinds, options.layer)
    rows: list[tuple[str, str, tuple[float, float], tuple[float, float], str | None]] = []
    ends: list[tuple[str | None, str | None]] = []
    used: set[tuple[str, str, str]] = set()
    marks: dict[tuple[str, str, str], Mark] = {}
    for mark in export.marks:
        if mark.name:
            marks.setdefault((mark.document, mark.annotator, mark.name), mark)
    lost = points = 0
    for key, held in said.items():
        triggers = {
            one.name: one.targets[0][1] for one in held if one.kind == "event" and one.targets
        }
        for one in held:
            if chosen is not None and one.layer and one.layer != chosen:
                continue
            for source, target, label in _links(one, triggers):
                a, b = (marks.get((*key, name)) for name in (source, target))
                if a is None or b is None:
                    lost += 1
                elif a.start == a.end or b.start == b.end:
                    points += 1
                else:
                    used.update({(*key, source), (*key, target)})
                    rows.append((*key, (a.start, a.end), (b.start, b.end), label or None))
                    ends.append((a.label, b.label))
    if not rows:
        raise InputError(
            "holds no relations" if not lost else "holds relations whose ends are not there",
            path=export.path,
            hint="see what it holds: accord inspect",
        )
    record = export.record
    said_same = [one for held in export.statements.values() for one in held]
    same = sum(one.kind == "equivalence" for one in said_same)
    if same:
        why = "groups, not relations"
        record.leave_out(f"{same:,} equivalences", same, why=why, keep=("shape", "chains"))
    if lost:
        record.leave_out(
            f"{lost:,} relations", lost, why="they lead to something that is not there"
        )
    if points:
        record.leave_out(f"{points:,} relations", points, why="they lead to a unit of length zero")
    units = Units.from_rows(
        [
            (m.document, m.annotator, m.start, m.end, m.label)
            for m in export.marks
            if m.start < m.end
            and (m.layer not in export.scaffolding or (m.document, m.annotator, m.name) in used)
        ],
        lengths=dict(export.lengths),
        coverage=list(export.seen),
        texts=export.texts or None,
        duplicates="first",
    )
    labels = labels_of([row[4] for row in rows], options, export.record, usual=())
    return Relations.from_rows(
        [(*row[:4], label) for row, label in zip(rows, labels, strict=True)],
        coverage=list(export.seen),
        units=replace(units, unit=export.unit, notes=()),
        texts=export.texts or None,
        categories=options.categories,
        kinds=ends,
        # platforms let people stack equal annotations, and rows have no lines to point at
        duplicates="first",
        notes=export.notes,
        path=str(export.path),
    )


def _links(one: Statement, triggers: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """(source, target, label) by the names of their ends; an event stands for its trigger."""
    names = [triggers.get(name, name) for _, name in one.targets]
    if one.kind == "relation" and len(names) == 2:
        yield names[0], names[1], one.label
        return
    for (role, _), name in zip(one.targets[1:], names[1:], strict=True):
        yield names[0], name, role.rstrip("0123456789") or role or one.label


def _chosen_layer(export: Export, kinds: Counter[str], wanted: str | None) -> str | None:
    """The layer of relations to read: the one named, or the only one; never a silent guess."""
    if wanted is not None:
        found = [k for k in kinds if wanted in (k, k.rpartition(".")[2])]
        if kinds and not found:
            raise UsageError(
                f"no layer of relations {wanted!r} in {export.path}; it has {some(sorted(kinds))}"
            )
        for name in [k for k in kinds if k not in found[:1]]:
            left = f"layer {name} ({kinds[name]:,})"
            export.record.leave_out(left, kinds[name], keep=("layer", name))
        return found[0] if found else None
    if len(kinds) > 1:
        listed = ", ".join(f"{k} ({n})" for k, n in sorted(kinds.items()))
        raise InputError(
            f"holds several layers of relations: {listed}",
            path=export.path,
            hint="choose one with `layer`",
        )
    return None


def units_beside(
    options: ReadOptions, *, given: bool, annotators: Sequence[str]
) -> Units | list[ItemRow] | None:
    """The units that are told of beside a table of relations; those of given items by name."""
    found = options.units
    if found is None or (isinstance(found, Units) and not given):
        return found
    if given and isinstance(found, Path):
        return _items(found, list(dict.fromkeys(annotators)))
    raise UsageError(
        "`units` must be a table document,item where relations link given items"
        if given
        else "`units` must be a table document,annotator,start,end,label where relations link places"
    )


def lists_items(path: Path) -> bool:
    """Whether it is a table of given items, not of located units."""
    if not path.is_file():
        raise InputError("does not exist", path=path, hint="check the path")
    with path.open("rb") as file:
        header = file.readline(1 << 16).decode("utf-8", "replace").strip().split(",")
    return "item" in header and "start" not in header


def _items(path: Path, annotators: Sequence[str]) -> list[ItemRow]:
    """A table document,item (annotator, label): without an annotator, items are everybody's."""
    hint = "units of relations between given items are a table document,item,label"
    return [
        (row.get("document") or "document", who, row["item"] or "", row.get("label") or None)
        for _, row in beside(path, ("item",), hint)
        for who in ([row["annotator"]] if row.get("annotator") else annotators)
        if who is not None
    ]
