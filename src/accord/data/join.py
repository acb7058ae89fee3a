"""Several files as one campaign; a reference or a system as one more annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data.boxes import Boxes
from accord.data.chains import Chains
from accord.data.protocol import Annotations, changed
from accord.data.ratings import Ratings, label_of
from accord.data.reading import together
from accord.data.relations import Relations
from accord.data.segments import Segments
from accord.data.texts import agreed_texts
from accord.data.units import Units
from accord.errors import InputError, some


def joined(parts: Sequence[Annotations], *, sources: Sequence[str] | None = None) -> Annotations:
    """Put annotations of one shape together, with the annotators and documents of all.

    `sources`, the file of each part, makes errors name the place.

    >>> a = Ratings.from_matrix([["x", "y"]], annotators=["A"], items=["i", "j"])
    >>> b = Ratings.from_matrix([["x", "x"]], annotators=["B"], items=["i", "j"])
    >>> joined([a, b]).annotators
    ('A', 'B')
    """
    if len(parts) == 1:
        return parts[0]
    return changed(_joined(parts, sources), provenance=together(parts))


def _joined(parts: Sequence[Annotations], sources: Sequence[str] | None) -> Annotations:
    first = parts[0]
    shapes = {p.shape for p in parts}
    if len(shapes) > 1:
        raise InputError(
            f"the files hold different shapes: {', '.join(sorted(shapes))}",
            hint="evaluate each shape on its own",
        )
    if isinstance(first, Ratings):
        return _ratings([p for p in parts if isinstance(p, Ratings)])
    if isinstance(first, Units):
        return _units([p for p in parts if isinstance(p, Units)], sources)
    if isinstance(first, Relations):
        return _relations([p for p in parts if isinstance(p, Relations)])
    if isinstance(first, Segments):
        return _segments([p for p in parts if isinstance(p, Segments)])
    if isinstance(first, Boxes):
        return _boxes([p for p in parts if isinstance(p, Boxes)])
    return _chains([p for p in parts if isinstance(p, Chains)])


def _ratings(parts: Sequence[Ratings]) -> Ratings:
    from accord.data.tables import ratings_from_long

    parts = [p.fetched() for p in parts]
    notes = _notes(parts)
    if any(p.multiplicity is not None for p in parts):
        return _counted(parts, notes)
    kinds = {p.kind for p in parts}
    categories, ordered = _declared(parts)
    columns: list[list[Any]] = [[], [], [], [], [], []]
    for part in parts:
        values: Sequence[Any] = part.values if len(kinds) == 1 else part.labels
        if len(kinds) > 1 and "sets" in kinds:
            values = part.as_sets().values
        # who gives probabilities alone names no value
        named = [True] * len(part.code)
        if part.probabilities is not None:
            named = part.probabilities.named.tolist()
        # 1 and "1" name the same item
        names = [name if isinstance(name, str) else label_of(name) for name in part.items]
        for (i, a, c), says in zip(_rows_of(part), named, strict=True):
            columns[0].append(names[i])
            columns[1].append(part.annotators[a])
            columns[2].append(values[c] if says else None)
            columns[3].append(None if part.document is None else part.documents[part.document[i]])
            columns[4].append(None if part.time is None else part.times[part.time[i]])
            columns[5].append(1.0 if part.weights is None else float(part.weights[i]))
    known = {
        name: all(getattr(p, name) is not None for p in parts) for name in ("document", "time")
    }
    for name, everywhere in known.items():
        if not everywhere and any(getattr(p, name) is not None for p in parts):
            notes.append(f"the {name} of items is known in some of the files only; it is not used")
    weighted = [p.weights is not None for p in parts]
    if any(weighted) and not all(weighted):
        notes.append("items of files without weights have the weight 1")
    # a repeat was resolved when its file was read: both its values, and the choice, are kept
    whole = ratings_from_long(
        columns[0],
        columns[1],
        columns[2],
        documents=columns[3] if known["document"] else None,
        times=columns[4] if known["time"] else None,
        weights=columns[5] if any(weighted) else None,
        kind=next(iter(kinds)) if len(kinds) == 1 else "sets" if "sets" in kinds else "categories",
        categories=categories,
        ordered=ordered,
        probabilities=_probabilities(parts),
        notes=() if any(p.probabilities is not None for p in parts) else notes,
    )
    if whole.probabilities is not None:
        whole = replace(whole, notes=tuple(notes))
    return replace(
        whole,
        repeats=_repeats(parts, whole),
        extras=_extras(parts, whole),
        anonymous=any(part.anonymous for part in parts),
    )


def _rows_of(part: Ratings) -> Iterator[tuple[int, int, int]]:
    return zip(part.item.tolist(), part.annotator.tolist(), part.code.tolist(), strict=True)


def _probabilities(parts: Sequence[Ratings]) -> dict[str, list[float | None]] | None:
    """Columns of probabilities, empty in the rows of files that give none."""
    if all(p.probabilities is None for p in parts):
        return None
    columns: dict[str, list[float | None]] = {}
    for label in dict.fromkeys(name for p in parts for name in p.labels):
        cells = columns[label] = []
        for part in parts:
            if part.probabilities is None:
                cells += [None] * len(part.code)
            elif label in part.labels:
                cells += part.probabilities.share[:, part.labels.index(label)].tolist()
            else:
                cells += [0.0] * len(part.code)
    return columns


def _declared(parts: Sequence[Ratings]) -> tuple[tuple[str, ...] | None, bool]:
    """The categories that some part declares, and whether all have them in one order."""
    declared = [p.labels for p in parts if p.declared]
    ranked = all(p.ordered and p.kind == "categories" for p in parts)
    return next(iter(declared), None), ranked and len(set(declared)) <= 1


def _repeats(
    parts: Sequence[Ratings], whole: Ratings
) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """Repeated judgements of all parts, by the numbers of the whole.

    Values that only a judgement that was not chosen gave have no number there: such a repeat is
    left out, and its choice stays.
    """
    items = {label_of(name): i for i, name in enumerate(whole.items)}
    people = {name: a for a, name in enumerate(whole.annotators)}
    values = {label: c for c, label in enumerate(whole.labels)}
    found = []
    for part in parts:
        for i, a, codes in part.repeats:
            new = [values.get(part.labels[c]) for c in codes]
            if None not in new:
                found.append(
                    (
                        items[label_of(part.items[i])],
                        people[part.annotators[a]],
                        tuple(c for c in new if c is not None),
                    )
                )
    return tuple(sorted(found))


def _extras(parts: Sequence[Ratings], whole: Ratings) -> dict[str, list[str | None]]:
    """Further columns: an item has what any of the files says, all of it where they differ."""
    place = {label_of(name): i for i, name in enumerate(whole.items)}
    found: dict[str, list[dict[str, None]]] = {}
    for part in parts:
        for name, cells in part.extras.items():
            here = found.setdefault(name, [{} for _ in whole.items])
            for item, cell in zip(part.items, cells, strict=True):
                if cell is not None and label_of(item) in place:
                    here[place[label_of(item)]][cell] = None
    return {
        name: ["; ".join(said) if said else None for said in cells] for name, cells in found.items()
    }


def _counted(parts: Sequence[Ratings], notes: list[str]) -> Ratings:
    """Counts of identical items: rows of different parts are different items."""
    from accord.data.tables import ratings_from_wide

    columns: dict[str, list[Any]] = {n: [] for p in parts for n in p.annotators}
    counts: list[int] = []
    weights: list[float] = []
    kinds = {p.kind for p in parts}
    categories, ordered = _declared(parts)
    for part in parts:
        rows: list[dict[str, Any]] = [{} for _ in range(len(part.indptr) - 1)]
        values: Sequence[Any] = part.values if len(kinds) == 1 else part.labels
        if len(kinds) > 1 and "sets" in kinds:
            values = part.as_sets().values
        for i, a, c in _rows_of(part):
            rows[i][part.annotators[a]] = values[c]
        for name, cells in columns.items():
            cells.extend(row.get(name) for row in rows)
        ones = np.ones(len(rows), dtype=np.int64)
        counts.extend((ones if part.multiplicity is None else part.multiplicity).tolist())
        weights.extend((ones if part.weights is None else part.weights).tolist())
    dropped = [n for n in ("documents", "times") if any(getattr(p, n) for p in parts)]
    notes = [*notes, *(f"counted items have no {name}: they are not used" for name in dropped)]
    whole = ratings_from_wide(
        columns,
        kind=next(iter(kinds)) if len(kinds) == 1 else "sets" if "sets" in kinds else "categories",
        categories=categories,
        ordered=ordered,
        notes=notes,
    )
    return replace(
        whole,
        multiplicity=np.array(counts, dtype=np.int64),
        weights=np.array(weights) if any(p.weights is not None for p in parts) else None,
    )


def _units(parts: Sequence[Units], sources: Sequence[str] | None) -> Units:
    texts = agreed_texts(parts, sources)
    lengths: dict[str, float] = {}
    unlike: list[str] = []
    coverage: list[tuple[str, str]] = []
    for part in parts:
        for name, length in zip(part.documents, part.lengths.tolist(), strict=True):
            if np.isfinite(length):
                if lengths.setdefault(name, length) != length and name not in texts:
                    unlike.append(name)
                lengths[name] = max(length, lengths[name])
        coverage.extend(
            (part.documents[d], part.annotators[a]) for d, a in np.argwhere(part.coverage).tolist()
        )
    _refuse_twice(coverage)
    whole = Units.from_rows(
        [tuple(u) for part in parts for u in part],  # type: ignore[misc]
        lengths=lengths,
        # tables say nothing about the documents that only others marked
        coverage=coverage if any(part.told for part in parts) else None,
        texts=texts or None,
        categories=_categories(parts),
        points=any(bool((p.start == p.end).any()) for p in parts),
        notes=_notes(parts) + _told(unlike),
        extras={
            name: [cell for p in parts for cell in p.extras.get(name) or [None] * len(p)]
            for name in dict.fromkeys(name for p in parts for name in p.extras)
        },
    )
    return replace(
        whole,
        statements={k: held for part in parts for k, held in part.statements.items()},
        unit=parts[0].unit if len({p.unit for p in parts}) == 1 else None,
        words=_words(parts, whole.documents),
    )


def _refuse_twice(coverage: Sequence[tuple[str, str]]) -> None:
    """An annotator has each document in one file."""
    if len(set(coverage)) < len(coverage):
        twice = next(c for c, n in Counter(coverage).items() if n > 1)
        raise InputError(
            f"annotator {twice[1]!r} has document {twice[0]!r} in two files",
            hint="rename the annotator with `rename`",
        )


def _boxes(parts: Sequence[Boxes]) -> Boxes:
    sizes: dict[str, tuple[float, float]] = {}
    images: dict[str, str] = {}
    coverage: list[tuple[str, str]] = []
    for part in parts:
        for d, name in enumerate(part.documents):
            size = part.size_of(name)
            if size is not None and sizes.setdefault(name, size) != size:
                raise InputError(
                    f"image {name!r} is {size[0]:g} × {size[1]:g} in one file and "
                    f"{sizes[name][0]:g} × {sizes[name][1]:g} in another",
                    hint="shapes in images of different size cannot be compared; scale one",
                )
            file = None if part.images is None else part.images[d]
            if file is not None:
                images.setdefault(name, file)
        coverage.extend(
            (part.documents[d], part.annotators[a]) for d, a in np.argwhere(part.coverage).tolist()
        )
    _refuse_twice(coverage)
    shapes = [box for part in parts for box in part]
    return Boxes.from_columns(
        [box.document for box in shapes],
        [box.annotator for box in shapes],
        np.concatenate([part.corners for part in parts]),
        [box.label for box in shapes],
        outlines=[None if box.points is None else np.array(box.points) for box in shapes],
        sizes=sizes,
        images=images,
        coverage=coverage if any(part.told for part in parts) else None,
        categories=_categories(parts),
        notes=_notes(parts),
        extras={
            name: [cell for p in parts for cell in p.extras.get(name) or [None] * len(p)]
            for name in dict.fromkeys(name for p in parts for name in p.extras)
        },
    )


def _words(
    parts: Sequence[Units], documents: Sequence[str]
) -> tuple[tuple[str, ...] | None, ...] | None:
    """The words of each document; those of the first file where files spell them differently."""
    known: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for name, words in zip(part.documents, part.words or (), strict=False):
            if words is not None:
                known.setdefault(name, words)
    return tuple(known.get(d) for d in documents) if known else None


def _categories(
    parts: Sequence[Units] | Sequence[Boxes] | Sequence[Relations],
) -> list[str] | None:
    """Declared categories, used or not, in their order; None to take those that occur."""
    lists = dict.fromkeys(p.categories for p in parts)
    if len(lists) == 1:
        return list(next(iter(lists)))
    unused = [p for p in parts if len(np.unique(p.label[p.label >= 0])) < len(p.categories)]
    return list(dict.fromkeys(c for p in parts for c in p.categories)) if unused else None


def _told(unlike: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(unlike))
    if not names:
        return []
    return [f"the files differ in the length of {some(names)}; the longest is taken"]


def _relations(parts: Sequence[Relations]) -> Relations:
    if len({p.given for p in parts if len(p)}) > 1:
        raise InputError(
            "some files link places and others link given items",
            hint="write all ends in one way",
        )
    pairs: dict[tuple[str, str], None] = {}
    for part in parts:
        for d, a in np.argwhere(part.coverage).tolist() if part.told else part.marked_pairs():
            key = (part.documents[d], part.annotators[a])
            if key in pairs:
                raise InputError(
                    f"annotator {key[1]!r} has document {key[0]!r} in two files",
                    hint="rename the annotator with `rename`",
                )
            pairs[key] = None
    beside = [p.units for p in parts if p.units is not None]
    given = any(p.given for p in parts if len(p))
    units: Any = None
    if len(beside) == len(parts):
        units = [row for p in parts for row in p.item_rows()] if given else _units(beside, None)
    texts = {d: t for p in parts for d, t in zip(p.documents, p.texts or (), strict=False) if t}
    whole = Relations.from_rows(
        [tuple(r) for part in parts for r in part],  # type: ignore[misc]
        coverage=list(pairs) if any(p.told for p in parts) else None,
        units=units,
        texts=texts or None,
        categories=_categories(parts),
        kinds=[kinds for part in parts for kinds in part.end_labels()],
        notes=_notes(parts),
    )
    unlocated = len(beside) not in (0, len(parts))
    if unlocated:
        return replace(whole, notes=(*whole.notes, "units are known of some files only: left out"))
    return whole


def _segments(parts: Sequence[Segments]) -> Segments:
    lengths: dict[str, int] = {}
    rows: list[tuple[str, str, int, str | None]] = []
    coverage: dict[tuple[str, str], None] = {}
    typed = any(p.types is not None for p in parts)
    for part in parts:
        for name, length in zip(part.documents, part.lengths.tolist(), strict=True):
            if lengths.setdefault(name, length) != length:
                raise InputError(
                    f"document {name!r} has {length} atoms in one file and {lengths[name]} in another",
                    hint="all annotators of a document must cut the same atoms",
                )
        for (d, a), positions in sorted(part.boundaries.items()):
            key = (part.documents[d], part.annotators[a])
            if key in coverage:
                raise InputError(
                    f"annotator {key[1]!r} cuts document {key[0]!r} in two files",
                    hint="rename the annotator with `rename`",
                )
            coverage[key] = None
            names = [None] * len(positions)
            if part.types is not None:
                names = [part.categories[t] for t in part.types[d, a].tolist()]
            rows.extend((*key, p, t) for p, t in zip(positions.tolist(), names, strict=True))
    declared = list(dict.fromkeys(c for part in parts for c in part.categories))
    return Segments.from_boundaries(
        rows,
        lengths=lengths,
        coverage=list(coverage),
        categories=declared if typed else None,
        notes=_notes(parts),
    )


def _chains(parts: Sequence[Chains]) -> Chains:
    clusters: dict[tuple[str, str], Any] = {}
    names: dict[tuple[str, str], list[str]] = {}
    groups: dict[str, dict[str, str | None]] = {}
    links: dict[tuple[str, str], Any] = {}
    facts: dict[tuple[str, Any], Any] = {}
    words: dict[str, Any] = {}
    lengths: dict[str, int] = {}
    for part in parts:
        for d, name in enumerate(part.documents):
            _same_tokens(name, part, d, words, lengths)
        for d, a in sorted(part.coverage):
            key = (part.documents[d], part.annotators[a])
            if key in clusters:
                raise InputError(
                    f"annotator {key[1]!r} has document {key[0]!r} in two files",
                    hint="rename the annotator with `rename`",
                )
            clusters[key] = part.clusters(d, a, repeated=True)
            if (called := part.entity_names(d, a)) is not None:
                names[key] = called
            if part.links is not None and (d, a) in part.links:
                links[key] = part.links[d, a]
        for column, own in (part.groups or {}).items():
            known = groups.setdefault(column, {})
            known.update({n: v for n, v in zip(part.documents, own, strict=True) if v is not None})
        if part.facts is not None:
            for d, name in enumerate(part.documents):
                facts.update(
                    {(name, m): f for m, f in zip(part.mentions[d], part.facts[d], strict=True)}
                )
    return Chains.from_clusters(
        clusters,
        facts=facts or None,
        words=words or None,
        lengths=lengths or None,
        names=names or None,
        groups=groups or None,
        links=links or None,
        notes=_notes(parts),
    )


def _same_tokens(
    name: str, part: Chains, d: int, words: dict[str, Any], lengths: dict[str, int]
) -> None:
    """Keep a document's tokens; offsets of two annotators mean the same only over the same ones."""
    own = None if part.words is None else part.words[d]
    length = None if part.lengths is None else part.lengths[d]
    if own is not None and words.setdefault(name, own) != own:
        raise InputError(
            f"document {name!r} has other words in another file",
            hint="join annotations of the same tokenisation",
        )
    if length is not None and lengths.setdefault(name, length) != length:
        raise InputError(
            f"document {name!r} has {length} tokens in one file and {lengths[name]} in another",
            hint="join annotations of the same tokenisation",
        )


def _notes(parts: Sequence[Annotations]) -> list[str]:
    return list(dict.fromkeys(note for part in parts for note in part.notes))
