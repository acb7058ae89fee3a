"""Which layer of an export is read, and as which shape: never a silent guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Annotations, Boxes, Chains, Ratings, Units
from accord.data.boxes import hull
from accord.data.reasons import leave_out
from accord.errors import InputError, UsageError, some
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import ReadOptions
from accord.reading.recode import with_new_categories
from accord.reading.scale import labels_of, values_of
from accord.reading.statements import said_of


def data_of(export: Export, options: ReadOptions) -> Annotations:
    """The chosen layer in the chosen shape; what is left out or assumed stands in its provenance."""
    if options.annotator is not None:
        export.name_annotator(options.annotator)
    export.record.path = str(export.path)
    data = _shaped(export, options, options.shape or _shape(export, options))
    if export.relations and data.shape != "relations":
        kinds = ", ".join(f"{name} ({n})" for name, n in sorted(export.relations.items()))
        left = f"{sum(export.relations.values()):,} relations"
        export.record.leave_out(left, why=kinds, keep=("shape", "relations"))
    return export.counted().kept_by(data)


def _shaped(export: Export, options: ReadOptions, shape: str) -> Annotations:
    if shape == "ratings":
        return _ratings(export, options)
    options = with_new_categories(options, export.record)
    if shape == "units":
        return _units(export, options)
    if shape == "chains":
        return _chains(export, options)
    if shape == "relations":
        from accord.reading.relations import relations_of

        return relations_of(export, options)
    if shape == "boxes":
        return _boxes(export, options)
    raise UsageError(
        f"{export.known.name} exports hold units, ratings, chains, relations or boxes, not {shape}"
    )


def _shape(export: Export, options: ReadOptions) -> str:
    if (export.shapes or export.of_images) and not export.marks:
        asked = options.layer is not None and not _matching(options.layer, export.drawn())
        return "ratings" if asked and export.judgements else "boxes"
    if options.layer is not None:
        named = set(_matching(options.layer, export.questions()))
        if named and not _matching(options.layer, export.layers()):
            return "ratings"
    if export.judgements and not [m for m in export.marks if m.layer not in export.scaffolding]:
        return "ratings"
    content = [m for m in export.marks if m.layer not in export.scaffolding]
    if options.layer is not None:
        named = set(_matching(options.layer, export.layers()))
        content = [m for m in content if m.layer in named]
    return "chains" if content and all(m.chain is not None for m in content) else "units"


def _chains(export: Export, options: ReadOptions) -> Chains:
    linked = Counter(m.layer for m in export.marks if m.chain is not None)
    if not linked:
        raise InputError("holds no chains", path=export.path, hint="read it with `shape=units`")
    chosen = _chosen_layers(export, linked, options, "layer", set())
    clusters: dict[tuple[str, str], dict[str, list[tuple[int, int]]]] = {
        key: {} for key in export.seen
    }
    for mark in export.marks:
        if mark.layer in chosen and mark.chain is not None:
            mention = (int(mark.start), int(mark.end))
            here = clusters.setdefault((mark.document, mark.annotator), {})
            here.setdefault(mark.chain, []).append(mention)
    return Chains.from_clusters(
        {key: list(entities.values()) for key, entities in clusters.items()},
        notes=export.notes,
    )


def _boxes(export: Export, options: ReadOptions) -> Boxes:
    if not export.seen and not export.shapes:
        raise InputError(
            "holds no boxes or polygons",
            path=export.path,
            hint="see what it holds: accord inspect",
        )
    chosen = _chosen_layers(export, export.drawn(), options, "layer", set())
    _leave_out(export, "ratings", "units")
    kept = [x for x in export.shapes if x.layer in chosen]
    if (unlabelled := sum(x.label is None for x in kept)) < len(kept):
        _say_unlabelled(export, unlabelled)
    return Boxes.from_columns(
        [x.document for x in kept],
        [x.annotator for x in kept],
        np.array([x.corners or hull(np.array(x.points)) for x in kept], dtype=np.float64).reshape(
            -1, 4
        ),
        labels_of([x.label for x in kept], options, export.record, usual=()),
        outlines=[None if x.points is None else np.array(x.points) for x in kept],
        sizes=export.sizes,
        images=export.images,
        coverage=list(export.seen) if export.told else None,
        categories=options.categories,
        duplicates="keep" if options.duplicates == "error" else options.duplicates,
        notes=export.notes,
        path=str(export.path),
    )


def _units(export: Export, options: ReadOptions) -> Units:
    if not export.seen and not export.marks:
        systems = any(one.keep == ("predictions", True) for one in export.ignored)
        raise InputError(
            "holds predictions of systems and no annotations"
            if systems
            else "holds no annotations",
            path=export.path,
            hint="read them with `predictions=True`"
            if systems
            else "see what it holds: accord inspect",
        )
    chosen = _chosen_layers(export, export.layers(), options, "layer", export.scaffolding)
    _leave_out(export, "ratings")
    pick = _label_picker(export, chosen, options)
    rows = _rows(export, chosen, options, pick)
    lengths = dict(export.lengths)
    if options.length is not None:
        lengths.update({d: options.length for d, _ in export.seen})
    units = Units.from_rows(
        rows,
        lengths=lengths,
        coverage=list(export.seen),
        texts=export.texts or None,
        categories=options.categories,
        points=options.points,
        # platforms let people stack equal annotations, and rows have no lines to point at
        duplicates="keep" if options.duplicates == "error" else options.duplicates,
        notes=export.notes,
        path=str(export.path),
    )
    said = said_of(export, chosen, options, pick)
    return replace(units, statements=said, unit=export.unit)


def _rows(
    export: Export,
    layers: set[str],
    options: ReadOptions,
    pick: Callable[[Mark], str | None],
) -> list[tuple[str, str, float, float, str | None]]:
    rows: list[tuple[str, str, float, float, str | None]] = []
    points = broken = unlabelled = 0
    for mark in export.marks:
        if mark.layer not in layers:
            continue
        pieces: Iterable[tuple[float, float]] = ((mark.start, mark.end),)
        if mark.fragments is not None and len(mark.fragments) > 1:
            broken += 1
            if options.discontinuous == "drop":
                continue
            if options.discontinuous == "fragments":
                pieces = mark.fragments
        label = pick(mark)
        unlabelled += label is None
        for start, end in pieces:
            if start == end and not options.points:
                points += 1
                continue
            rows.append((mark.document, mark.annotator, start, end, label))
    record = export.record
    if broken and options.discontinuous == "drop":
        record.leave_out(
            f"{broken:,} discontinuous unit(s)", broken, keep=("discontinuous", "hull")
        )
    elif broken and options.discontinuous == "hull":
        record.assume(
            f"{broken:,} discontinuous unit(s) are read from first to last",
            ("discontinuous", "fragments"),
            why="γ and alignments compare their fragments",
        )
    elif broken:
        means = f"{broken:,} discontinuous unit(s) are read as one unit per fragment"
        record.assume(means, ("discontinuous", "hull"))
    if points:
        record.leave_out(f"{points:,} unit(s) of length zero", points, keep=("points", True))
    _say_unlabelled(export, unlabelled)
    return rows


def _say_unlabelled(export: Export, n: int) -> None:
    if n:
        export.record.assume(f"{n:,} of them without a label")


def _leave_out(export: Export, *shapes: str) -> None:
    """Keep that there are annotations of other shapes."""
    for shape in shapes:
        what, held = (
            ("judgements on whole items", export.judgements)
            if shape == "ratings"
            else ("located units", export.marks)
        )
        if held:
            export.record.leave_out(f"{len(held):,} {what}", len(held), keep=("shape", shape))


def _label_picker(
    export: Export, layers: set[str], options: ReadOptions
) -> Callable[[Mark], str | None]:
    """What gives a mark its label, under the name that labels of this kind are given."""
    pick = _feature_picker(export, layers, options)
    if not (options.recode or options.merge or options.missing_values):
        return pick
    labels = [pick(m) for m in export.marks if m.layer in layers]
    new = dict(zip(labels, labels_of(labels, options, export.record, usual=()), strict=True))
    return lambda mark: new[pick(mark)]


def _feature_picker(
    export: Export, layers: set[str], options: ReadOptions
) -> Callable[[Mark], str | None]:
    wanted = options.feature
    if wanted is None:
        for layer in sorted(layers):
            if layer in export.label_features:
                others = sorted(
                    {f for m in export.marks if m.layer == layer for f in m.features or ()}
                    - {export.label_features[layer]}
                )
                if others:
                    export.record.assume(
                        f"the label of layer {layer!r} is its feature "
                        f"{export.label_features[layer]!r}",
                        *[("feature", other) for other in others],
                    )
        return lambda mark: mark.label
    known = {f for m in export.marks if m.layer in layers for f in m.features or ()}
    if wanted not in known:
        have = f"it has {some(sorted(known))}" if known else "it has no features"
        raise UsageError(f"no feature {wanted!r} in the chosen layer; {have}")
    return lambda mark: (mark.features or {}).get(wanted)


def _ratings(export: Export, options: ReadOptions) -> Ratings:
    from accord.data.tables import ratings_from_long

    if not export.judgements:
        raise InputError(
            "holds no judgements on whole items",
            path=export.path,
            hint="read its located units with `shape=units`",
        )
    chosen = _chosen_layers(export, export.questions(), options, "question", set())
    _leave_out(export, "units")
    rows = [j for j in export.judgements if j.question in chosen]
    rows += _without_value(export, {j.item for j in rows})
    sets = any(isinstance(j.value, frozenset) for j in rows)
    single = all(not isinstance(j.value, frozenset) or len(j.value) == 1 for j in rows)
    if sets and single:
        values: list[Any] = [
            next(iter(j.value)) if isinstance(j.value, frozenset) else j.value for j in rows
        ]
    elif sets:
        values = [
            j.value if isinstance(j.value, frozenset | None) else frozenset({str(j.value)})
            for j in rows
        ]
    else:
        values = [j.value for j in rows]
    read = values_of({"value": values}, options, export.record, usual=())
    return ratings_from_long(
        [j.item for j in rows],
        [j.annotator for j in rows],
        read.columns["value"],
        **read.options,
        separator=options.separator,
        multiple=options.multiple,
        none=options.none,
        duplicates=options.duplicates,
        notes=export.notes,
        path=str(export.path),
        # what was judged is read again where somebody has to judge by it
        extras=_beside(export, [j.item for j in rows]),
    )


def _without_value(export: Export, judged: set[str]) -> list[Judgement]:
    """The items of a reference that have no value; the record keeps how many, and why."""
    people: dict[str, str] = {}
    for item, who in export.seen:
        people.setdefault(item, who)
    none = [item for item in export.said if item in people and item not in judged]
    leave_out((str(export.said[item].get("reason") or "undecided") for item in none), export.record)
    return [Judgement(item, people[item], None) for item in none]


def _beside(export: Export, items: Sequence[str]) -> dict[str, list[Any]]:
    """Further columns: the texts that were judged, and what a reference says of its items."""
    columns = {"text": [export.texts.get(item) for item in items]} if export.texts else {}
    names = dict.fromkeys(name for told in export.said.values() for name in told)
    return columns | {n: [export.said.get(i, {}).get(n) for i in items] for n in names}


def _chosen_layers(
    export: Export, counts: Counter[str], options: ReadOptions, what: str, scaffolding: set[str]
) -> set[str]:
    """The layers to read: those named, or the only one there is; never a silent guess."""
    if options.layer is not None:
        found = _matching(options.layer, counts)
        if not found:
            raise UsageError(
                f"no {what} {options.layer!r} in {export.path}; it has "
                + (some(sorted(counts)) if counts else "none")
            )
        _leave_out_layers(export, counts, set(found), what)
        return set(found)
    content = [name for name in counts if name not in scaffolding]
    if len(content) > 1:
        listed = ", ".join(f"{n} ({counts[n]})" for n in sorted(content))
        hint = "choose one with `layer`"
        if export.known.people == "judges":
            hint = "choose one with `layer`, or name those that answer one question on one scale"
        raise InputError(f"holds several {what}s: {listed}", path=export.path, hint=hint)
    _leave_out_layers(export, counts, set(content), what)
    return set(content)


def _matching(wanted: str, names: Iterable[str]) -> list[str]:
    """Names asked for as a,b; each in full, or the last part of a dotted name."""
    words = [w.strip() for w in wanted.split(",") if w.strip()]
    return [n for n in names if n in words or n.rpartition(".")[2] in words]


def _leave_out_layers(export: Export, counts: Counter[str], chosen: set[str], what: str) -> None:
    """Keep which layers (questions, tiers) are not read, tokens and sentences among them."""
    others = sorted(name for name in counts if name not in chosen)
    if others:
        export.chosen |= chosen
        listed = ", ".join(f"{name} ({counts[name]:,})" for name in others)
        keep = ",".join([*sorted(chosen), others[0] if len(others) == 1 else "NAME"])
        left, why = (f"{what} {listed}", "")
        if len(others) > 1:
            left, why = f"{len(others)} {what}s", listed
        export.record.leave_out(left, len(others), why=why, keep=("layer", keep))
