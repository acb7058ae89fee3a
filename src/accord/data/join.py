"""Several files as one campaign; a reference or a system as one more annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from operator import itemgetter
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from accord.data.boxes import Box, Boxes
from accord.data.chains import Chains
from accord.data.encode import label_of
from accord.data.located import Beside, Documented
from accord.data.protocol import Annotations, Shape, changed
from accord.data.ratings import Kind, Ratings
from accord.data.reading import Record, together
from accord.data.relations import Relations
from accord.data.schema import BOXES
from accord.data.segments import Segments
from accord.data.tables import ratings_from_long, ratings_from_wide
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
    record = Record()
    whole = _joined(parts, sources, record)
    if whole.provenance is not None:
        # how the values are read, every part says itself
        whole = changed(whole, provenance=replace(whole.provenance, decisions=()))
    return changed(whole, provenance=together([*parts, whole], record.own()))


def _joined(
    parts: Sequence[Annotations], sources: Sequence[str] | None, record: Record
) -> Annotations:
    shapes = {p.shape for p in parts}
    if len(shapes) > 1:
        raise InputError(
            f"the files hold different shapes: {', '.join(sorted(shapes))}",
            hint="evaluate each shape on its own",
        )
    if parts[0].shape == "units":
        return _units(cast("Sequence[Units]", parts), sources, record)
    return _JOINED[parts[0].shape](parts, record)


def _ratings(parts: Sequence[Ratings], record: Record) -> Ratings:
    parts = [p.fetched() for p in parts]
    if any(p.multiplicity is not None for p in parts):
        return _counted(parts, record)
    kind, values = _values(parts)
    categories, ordered = _declared(parts)
    items: list[str] = []
    said: list[Any] = []
    for part, own in zip(parts, values, strict=True):
        # 1 and "1" name the same item
        names = [name if isinstance(name, str) else label_of(name) for name in part.items]
        items += [names[i] for i in part.item.tolist()]
        # who gives probabilities alone names no value
        named = repeat(True) if part.probabilities is None else part.probabilities.named.tolist()
        said += [own[c] if n else None for c, n in zip(part.code.tolist(), named, strict=False)]
    documents, times = (_of_ratings(parts, role, record) for role in ("document", "time"))
    weighted = [p.weights is not None for p in parts]
    if any(weighted) and not all(weighted):
        record.assume("items of files without weights have the weight 1")
    # a repeat was resolved when its file was read: both its values, and the choice, are kept
    whole = ratings_from_long(
        items,
        [part.annotators[a] for part in parts for a in part.annotator.tolist()],
        said,
        documents=documents,
        times=times,
        weights=np.concatenate([_weights(p)[p.item] for p in parts]) if any(weighted) else None,
        kind=kind,
        categories=categories,
        ordered=ordered,
        probabilities=_probabilities(parts),
        notes=_notes(parts),
    )
    return replace(
        whole,
        repeats=tuple(sorted([*_repeats(parts, whole), *whole.repeats])),
        extras=_extras(parts, whole),
        anonymous=any(part.anonymous for part in parts),
    )


def _values(parts: Sequence[Ratings]) -> tuple[Kind, list[Sequence[Any]]]:
    """Return what kind of values all parts can have, and the values of each as that kind."""
    kinds = {p.kind for p in parts}
    if len(kinds) == 1:
        return parts[0].kind, [p.values for p in parts]
    if "sets" in kinds:
        return "sets", [p.as_sets().values for p in parts]
    return "categories", [p.labels for p in parts]


def _of_ratings(parts: Sequence[Ratings], role: str, record: Record) -> list[str] | None:
    """The document, or the time, of each rating; None unless all parts know it."""
    known = [getattr(p, role) is not None for p in parts]
    if not all(known):
        if any(known):
            record.leave_out(f"{role} of items", why="known in some of the files only")
        return None
    return [
        getattr(p, f"{role}s")[code] for p in parts for code in getattr(p, role)[p.item].tolist()
    ]


def _weights(part: Ratings) -> NDArray[np.float64]:
    return np.ones(len(part.items)) if part.weights is None else part.weights


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
        code = [values.get(label) for label in part.labels]
        for i, a, codes in part.repeats:
            new = tuple([n for c in codes if (n := code[c]) is not None])
            if len(new) == len(codes):
                found.append((items[label_of(part.items[i])], people[part.annotators[a]], new))
    return tuple(found)


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


def _counted(parts: Sequence[Ratings], record: Record) -> Ratings:
    """Counts of identical items: rows of different parts are different items."""
    columns: dict[str, list[Any]] = {n: [] for p in parts for n in p.annotators}
    counts: list[NDArray[np.int64]] = []
    kind, values = _values(parts)
    categories, ordered = _declared(parts)
    for part, own in zip(parts, values, strict=True):
        size = len(part.items)
        table = np.full((size, len(part.annotators) + 1), -1)
        table[part.item, part.annotator] = part.code
        place = {name: a for a, name in enumerate(part.annotators)}
        for name, cells in columns.items():
            codes = table[:, place.get(name, -1)].tolist()
            cells += [None if c < 0 else own[c] for c in codes]
        counts.append(np.ones(size, np.int64) if part.multiplicity is None else part.multiplicity)
    for name in ("documents", "times"):
        if any(getattr(p, name) for p in parts):
            record.leave_out(f"{name} of items", why="items that are counted have none")
    whole = ratings_from_wide(
        columns, kind=kind, categories=categories, ordered=ordered, notes=_notes(parts)
    )
    weighted = any(p.weights is not None for p in parts)
    return replace(
        whole,
        multiplicity=np.concatenate(counts),
        weights=np.concatenate([_weights(p) for p in parts]) if weighted else None,
    )


# --- annotations of documents ---------------------------------------------------------------------


def _units(parts: Sequence[Units], sources: Sequence[str] | None, record: Record) -> Units:
    texts = agreed_texts(parts, sources)
    lengths: dict[str, float] = {}
    unlike: dict[str, None] = {}
    for name, length in _each(parts, "lengths"):
        if lengths.setdefault(name, length) != length and name not in texts:
            unlike[name] = None
        lengths[name] = max(length, lengths[name])
    beside = _beside(parts, _once(parts))
    if unlike:
        record.assume(f"of lengths that differ the longest is taken ({some(list(unlike))})")
    whole = Units.from_rows(
        [tuple(u) for part in parts for u in part],  # type: ignore[misc]
        lengths=lengths,
        texts=texts or None,
        points=any(bool((p.start == p.end).any()) for p in parts),
        **beside,
    )
    # the words of the first file where files spell them differently
    words = dict(reversed(list(_each(parts, "words"))))
    return replace(
        whole,
        statements={k: held for part in parts for k, held in part.statements.items()},
        unit=parts[0].unit if len({p.unit for p in parts}) == 1 else None,
        words=tuple(map(words.get, whole.documents)) if words else None,
    )


def _boxes(parts: Sequence[Boxes], record: Record) -> Boxes:
    def unlike(name: str, one: Any, other: Any) -> InputError:
        return InputError(
            f"image {name!r} is {one[0]:g} × {one[1]:g} in one file and "
            f"{other[0]:g} × {other[1]:g} in another",
            hint="shapes in images of different size cannot be compared; scale one",
        )

    rows = BOXES.of_rows(box for part in parts for box in part)
    return Boxes.of(
        dict(zip(Box._fields, rows, strict=True)),
        sizes=_agreed(parts, "sizes", unlike),
        images=dict(reversed(list(_each(parts, "images")))),
        **_beside(parts, _once(parts)),
    )


def _relations(parts: Sequence[Relations], record: Record) -> Relations:
    if len({p.given for p in parts if len(p)}) > 1:
        raise InputError(
            "some files link places and others link given items",
            hint="write all ends in one way",
        )
    pairs = _once([p if p.told else p.covered("marked") for p in parts])
    given = any(p.given for p in parts if len(p))
    beside = [p.units for p in parts if p.units is not None]
    units: Any = None
    if len(beside) == len(parts):
        units = (
            [row for p in parts for row in p.item_rows()] if given else _units(beside, None, record)
        )
    whole = Relations.from_rows(
        [tuple(r) for part in parts for r in part],  # type: ignore[misc]
        units=units,
        texts=dict(_each(parts, "texts")) or None,
        kinds=[kinds for part in parts for kinds in part.end_labels()],
        **_beside(parts, pairs),
    )
    if len(beside) not in (0, len(parts)):
        record.leave_out("units beside relations", why="known of some of the files only")
    return whole


def _segments(parts: Sequence[Segments], record: Record) -> Segments:
    def unlike(name: str, one: int, other: int) -> InputError:
        return InputError(
            f"document {name!r} has {one} atoms in one file and {other} in another",
            hint="all annotators of a document must cut the same atoms",
        )

    lengths = _agreed(parts, "lengths", unlike)
    rows: list[tuple[str, str, int, str | None]] = []
    for part in parts:
        for (d, a), cuts in sorted(part.boundaries.items(), key=itemgetter(0)):
            who = (part.documents[d], part.annotators[a])
            names: Iterable[str | None] = repeat(None)
            if part.types is not None:
                names = [part.categories[t] for t in part.types[d, a].tolist()]
            rows += [(*who, p, t) for p, t in zip(cuts.tolist(), names, strict=False)]
    declared = list(dict.fromkeys(c for part in parts for c in part.categories))
    return Segments.from_boundaries(
        rows,
        lengths=lengths,
        coverage=_once(parts, "cuts"),
        categories=declared if any(p.types is not None for p in parts) else None,
        notes=_notes(parts),
    )


def _chains(parts: Sequence[Chains], record: Record) -> Chains:
    def unlike(name: str, one: Any, other: Any) -> InputError:
        hint = "join annotations of the same tokenisation"
        if not isinstance(one, int):
            return InputError(f"document {name!r} has other words in another file", hint=hint)
        return InputError(
            f"document {name!r} has {one} tokens in one file and {other} in another", hint=hint
        )

    words = _agreed(parts, "words", unlike)
    lengths = _agreed(parts, "lengths", unlike)
    _once(parts)
    clusters: dict[tuple[str, str], Any] = {}
    names: dict[tuple[str, str], list[str]] = {}
    groups: dict[str, dict[str, str | None]] = {}
    links: dict[tuple[str, str], Any] = {}
    facts: dict[tuple[str, Any], Any] = {}
    for part in parts:
        for d, a in sorted(part.coverage):
            key = (part.documents[d], part.annotators[a])
            clusters[key] = part.clusters(d, a, repeated=True)
            if (called := part.entity_names(d, a)) is not None:
                names[key] = called
            if part.links is not None and (d, a) in part.links:
                links[key] = part.links[d, a]
        for column, own in (part.groups or {}).items():
            known = groups.setdefault(column, {})
            known.update({n: v for n, v in zip(part.documents, own, strict=True) if v is not None})
        for name, mentions, told in zip(
            part.documents, part.mentions, part.facts or (), strict=False
        ):
            facts.update({(name, m): f for m, f in zip(mentions, told, strict=True)})
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


def _each(parts: Sequence[Annotations], field: str) -> Iterator[tuple[str, Any]]:
    """What the parts know of their documents, by name, as far as they know it."""
    for part in parts:
        held = getattr(part, field)
        if isinstance(held, np.ndarray):
            held = [None if np.isnan(one).any() else one.tolist() for one in held]
        for name, one in zip(part.documents, held or (), strict=False):
            if one is not None:
                yield name, one


def _agreed(
    parts: Sequence[Annotations], field: str, unlike: Callable[[str, Any, Any], InputError]
) -> dict[str, Any]:
    """What all parts know of each document, which must be the same."""
    known: dict[str, Any] = {}
    for name, one in _each(parts, field):
        if known.setdefault(name, one) != one:
            raise unlike(name, one, known[name])
    return known


def _once(parts: Sequence[Documented], verb: str = "has") -> list[tuple[str, str]]:
    """Who saw what in all parts: an annotator has each document in one file."""
    pairs = [pair for part in parts for pair in part.seen_pairs()]
    if len(set(pairs)) < len(pairs):
        document, who = next(pair for pair, n in Counter(pairs).items() if n > 1)
        raise InputError(
            f"annotator {who!r} {verb} document {document!r} in two files",
            hint="rename the annotator with `rename`",
        )
    return pairs


def _beside(
    parts: Sequence[Units] | Sequence[Boxes] | Sequence[Relations], pairs: list[tuple[str, str]]
) -> Beside:
    """What is told beside the rows of all parts; tables alone say nothing about who saw what."""
    columns = dict.fromkeys(name for p in parts for name in p.extras)
    return {
        "coverage": pairs if any(p.told for p in parts) else None,
        "categories": _categories(parts),
        "notes": _notes(parts),
        "extras": {
            name: [cell for p in parts for cell in p.extras.get(name) or [None] * len(p)]
            for name in columns
        },
    }


def _categories(
    parts: Sequence[Units] | Sequence[Boxes] | Sequence[Relations],
) -> list[str] | None:
    """Declared categories, used or not, in their order; None to take those that occur."""
    lists = dict.fromkeys(p.categories for p in parts)
    if len(lists) == 1:
        return list(next(iter(lists)))
    unused = [p for p in parts if len(np.unique(p.label[p.label >= 0])) < len(p.categories)]
    return list(dict.fromkeys(c for p in parts for c in p.categories)) if unused else None


def _notes(parts: Sequence[Annotations]) -> list[str]:
    return list(dict.fromkeys(note for part in parts for note in part.notes))


_JOINED: Mapping[Shape, Callable[[Any, Record], Annotations]] = {
    "ratings": _ratings,
    "relations": _relations,
    "segments": _segments,
    "boxes": _boxes,
    "chains": _chains,
}
