"""Plain values of Python as units, segments and chains: tags, spans, masses, clusters, spaCy's Docs.

What one person marked in one document is a list, that of several documents a list of lists, or a
mapping from their names. A mapping that is all there is has a key for each person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from accord.data import Annotations, Chains, Segments, Units
from accord.data.protocol import Shape
from accord.data.reading import Option, Record
from accord.data.segments import masses_of, positions_of_string
from accord.errors import InputError, UsageError
from accord.formats.format import ReadOptions
from accord.formats.tags.tags import spans_of
from accord.reading.recode import relabelled

#: what one person marked in one document
_Held = Any
#: (document, annotator) → what was marked there
_Sides = Mapping[tuple[str, str], _Held]
_BOUNDARIES = frozenset("01")
#: start, end and (if any) label of a span
_LENGTHS = (2, 3)
#: signs of a value that an error repeats
_SHOWN = 60


def read_marks(given: Any, options: ReadOptions) -> Annotations:
    """Read plain values that hold units, segments or chains, as the option `shape` says."""
    assert options.shape is not None
    of_one, build = _SHAPES[options.shape]
    record = Record()
    sides = _sides(given, options, of_one, record)
    if options.shape == "units":
        sides = {side: _of_doc(held, options, record) for side, held in sides.items()}
    return record.kept_by(relabelled(build(sides), options, record))


def _sides(
    given: Any, options: ReadOptions, of_one: Callable[[Any], bool], record: Record
) -> _Sides:
    """What each person marked in each document."""
    if not isinstance(given, Mapping):
        who = options.annotator or "annotator"
        return {(d, who): held for d, held in _documents(given, options, of_one)}
    if options.annotator is not None:
        return {(str(d), options.annotator): plain(held) for d, held in given.items()}
    if not any(isinstance(held, Mapping) for held in given.values()):
        why = "annotator='NAME' says whose they are, and the names are those of documents"
        record.assume("the names are those of annotators", why=why)
    return {
        (d, str(who)): own
        for who, held in given.items()
        for d, own in _documents(held, options, of_one)
    }


def _documents(
    given: Any, options: ReadOptions, of_one: Callable[[Any], bool]
) -> Iterator[tuple[str, _Held]]:
    """The documents of one person: named by a mapping, numbered in a list, or one alone."""
    if isinstance(given, Mapping):
        yield from ((str(name), plain(own)) for name, own in given.items())
        return
    held = plain(given)
    if of_one(held):
        yield options.document or "document", held
    else:
        yield from ((str(number), plain(own)) for number, own in enumerate(held, 1))


def plain(given: Any) -> Any:
    """Values as lists, whatever holds them: an array, a series, a generator; a text stays one."""
    if isinstance(given, (str, list, tuple, Set, Mapping)) or is_doc(given):
        return given
    for name in ("tolist", "to_pylist", "to_list"):
        if hasattr(given, name):
            return getattr(given, name)()
    if not isinstance(given, Iterable):
        raise UsageError(f"{type(given).__name__} holds no annotations; give a list")
    return list(given)


def is_doc(given: object) -> bool:
    """Whether it is a document of spaCy."""
    return type(given).__name__ == "Doc" and type(given).__module__.startswith("spacy.")


def _refuse(what: str, got: object) -> InputError:
    shown = repr(got)
    shown = shown if len(shown) <= _SHOWN and "\n" not in shown else type(got).__name__
    return InputError(f"{what}, got {shown}")


# --- segments ------------------------------------------------------------------------------------


def is_boundary_string(given: object) -> bool:
    """Whether a text is of 0 and 1: a boundary or none at each place where one can be."""
    return isinstance(given, str) and bool(given) and set(given) <= _BOUNDARIES


def _is_cutting(held: Any) -> bool:
    if isinstance(held, str):
        return True
    return all(isinstance(mass, (int, float, np.number)) for mass in held)


def _segments(sides: _Sides) -> Segments:
    return Segments.from_masses([(*side, _masses(held)) for side, held in sides.items()])


def _masses(held: Any) -> list[int]:
    """The masses; a text of 0 and 1, or a list of them with a 0, says where boundaries are."""
    if isinstance(held, str):
        if not is_boundary_string(held):
            raise _refuse("a segmentation is a list of masses, or a text of 0 and 1", held)
        signs = [int(sign) for sign in held]
    elif _is_cutting(held) and all(float(mass).is_integer() for mass in held):
        signs = [int(mass) for mass in held]
        if 0 not in signs or not set(signs) <= {0, 1}:
            return signs
    else:
        raise _refuse("a segmentation is a list of masses, which are whole numbers", held)
    masses: list[int] = masses_of(positions_of_string(signs, 1), len(signs) + 1).tolist()
    return masses


# --- units ---------------------------------------------------------------------------------------


def _is_marked(held: Any) -> bool:
    """Whether these are the units of one document: tags, spans, or a Doc."""
    return is_doc(held) or all(isinstance(u, (str, Mapping)) or _is_span(u) for u in held)


def _is_span(given: Any) -> bool:
    """Whether it is (start, end) or (start, end, label)."""
    if not isinstance(given, (tuple, list)) or len(given) not in _LENGTHS:
        return False
    places = all(isinstance(x, (int, float, np.number)) for x in given[:2])
    return places and (len(given) == 2 or given[2] is None or isinstance(given[2], str))


class _Text(list[Any]):
    """The spans of a Doc, which knows its text."""

    text = ""


def _of_doc(held: Any, options: ReadOptions, record: Record) -> Any:
    """The spans of a Doc: its entities, or the group that is asked for where there are several."""
    if not is_doc(held):
        return held
    groups = {"ents": held.ents} | {f"spans[{n}]": group for n, group in held.spans.items()}
    marked = {name: group for name, group in groups.items() if len(group)} or {"ents": ()}
    if options.layer is None and len(marked) > 1:
        ways: dict[str, Option] = {f"{name} are meant": ("layer", name) for name in marked}
        record.ask(f"a Doc holds {' and '.join(marked)}", ways)
    wanted = options.layer or next(iter(marked))
    found = _Text((s.start_char, s.end_char, s.label_ or None) for s in groups.get(wanted, ()))
    found.text = held.text
    return found


def _units(sides: _Sides) -> Units:
    rows: list[tuple[str, str, float, float, str | None]] = []
    lengths: dict[str, float] = {}
    texts: dict[str, str] = {}
    for (document, who), held in sides.items():
        spans, length = _spans(held)
        rows += [(document, who, float(s), float(e), label) for s, e, label in spans]
        if length is not None and lengths.setdefault(document, length) != length:
            raise InputError(
                f"{who!r} has {length:g} places in document {document!r}, another has "
                f"{lengths[document]:g}",
                hint="give the same text of each, one tag for a word",
            )
        if isinstance(held, _Text):
            texts[document] = held.text
    return Units.from_rows(rows, lengths=lengths, texts=texts or None, coverage=list(sides))


def refuse_other_lengths(first: Annotations, second: Annotations) -> None:
    """Refuse tags of the same text that are more on one side."""
    if not isinstance(first, Units) or not isinstance(second, Units):
        return
    ours, theirs = (
        dict(zip(u.documents, u.lengths.tolist(), strict=True)) for u in (first, second)
    )
    for document in ours.keys() & theirs.keys():
        one, other = ours[document], theirs[document]
        if one == one and other == other and one != other:
            raise InputError(
                f"{first.annotators[0]!r} has {one:g} tags in document {document!r}, "
                f"{second.annotators[0]!r} has {other:g}",
                hint="give the same text of each, one tag for a word",
            )


def _spans(held: Any) -> tuple[Sequence[tuple[float, float, str | None]], float | None]:
    """The spans of one document, and its length where it is known."""
    if isinstance(held, _Text):
        return held, float(len(held.text))
    listed = list(held)
    if listed and all(isinstance(tag, str) for tag in listed):
        return spans_of(listed), float(len(listed))
    return [_span(one) for one in listed], None


def _span(given: Any) -> tuple[float, float, str | None]:
    if isinstance(given, Mapping) and {"start", "end"} <= given.keys():
        label = given.get("label")
        return given["start"], given["end"], None if label is None else str(label)
    if not _is_span(given):
        raise _refuse(
            "a unit is a tag, (start, end, label) or a record with start, end and label", given
        )
    return given[0], given[1], given[2] if len(given) > 2 else None


# --- chains --------------------------------------------------------------------------------------


def _is_partition(held: Any) -> bool:
    """Whether these are the entities of one document, each a list or a set of mentions."""
    return all(
        isinstance(entity, Set) or all(_is_mention(m) for m in _members(entity)) for entity in held
    )


def _members(entity: Any) -> Iterable[Any]:
    table = isinstance(entity, (str, Mapping)) or hasattr(type(entity), "columns")
    if table or not isinstance(entity, Iterable):
        raise _refuse("an entity is a list or a set of mentions", entity)
    return entity


def _is_mention(given: Any) -> bool:
    """Whether it is a name, a number, or offsets (start, end)."""
    if isinstance(given, (list, tuple)):
        return len(given) % 2 == 0 and all(isinstance(x, (int, np.integer)) for x in given)
    return not isinstance(given, (Set, Mapping))


def _chains(sides: _Sides) -> Chains:
    return Chains.from_clusters({side: _entities(held) for side, held in sides.items()})


def _entities(held: Any) -> list[list[Any]]:
    found = []
    for entity in held:
        mentions = list(_members(entity))
        odd = next((m for m in mentions if not _is_mention(m)), None)
        if odd is not None:
            raise _refuse("a mention is a name or (start, end)", odd)
        mentions = [tuple(m) if isinstance(m, list) else m for m in mentions]
        found.append(sorted(mentions, key=str) if isinstance(entity, Set) else mentions)
    return found


_SHAPES: Mapping[Shape, tuple[Callable[[Any], bool], Callable[[_Sides], Annotations]]] = {
    "segments": (_is_cutting, _segments),
    "units": (_is_marked, _units),
    "chains": (_is_partition, _chains),
}
#: shapes that plain values can have
MARKED = frozenset(_SHAPES)
