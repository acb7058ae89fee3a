"""Who is who in a campaign: the people, the systems, the reference; and which of them are kept.

Data are read with everybody in them. :func:`assign` then keeps the people, whose agreement is
measured, and remembers everybody in :class:`Roles`, so that the reference and the systems are still
there for those who ask for them. An adjudicated annotation is no annotator: names such as ``gold``
or ``CURATION_USER`` are set aside even when nobody says so, with a note.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from accord.data.boxes import Boxes
from accord.data.encode import natural_key
from accord.data.names import places
from accord.data.protocol import Annotations, changed
from accord.data.ratings import Kind, Ratings, label_of
from accord.data.reading import Record
from accord.data.relations import Relations
from accord.data.units import Units
from accord.errors import InputError, UsageError, some
from accord.options import bare, further

#: stands for every item: also for a last row of sums
EVERY = "*"
#: names of adjudicated annotations, without capitals, accents, blanks and signs
_REFERENCES = "|".join(
    (
        "adjudicat(ed|ion|or)",
        "arbitrage",
        "consensus",
        "correctionuser",
        "curat(ed|ion|or)",
        "curationuser",
        "gold(en)?(standard)?",
        "groundtruth",
        "musterlosung",
        "referen(ce|z|cia)",
        "riferimento",
        "truth",
        "veriteterrain",
    )
)
#: what they are called so: a gold label, the reference annotation
_WHAT = "annotations?|annotator|answers?|category|class|codes?|labels?|ratings?|scores?|values?"
_REFERENCE = re.compile(
    f"({_REFERENCES})({_WHAT})?|true({_WHAT})|(etiquettes?|valeurs?)({_REFERENCES})"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What was asked for: who counts, who does not, and which documents."""

    annotators: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    documents: tuple[str, ...] | None = None
    items: tuple[str, ...] | None = None
    systems: tuple[str, ...] = ()
    reference: str | None = None
    #: annotator → group
    groups: Mapping[str, str] = field(default_factory=dict)
    #: adjudicated annotations are annotators like the others
    include_references: bool = False

    def signature(self) -> str:
        """The choice as it stands in a signature, so that a number can be made again.

        >>> Choice(without=("eve",), systems=("gpt", "llama")).signature()
        'without:eve|systems:gpt,llama'
        """
        parts = {
            "annotators": self.annotators,
            "without": self.without,
            "documents": self.documents,
            "items": self.items,
            "systems": self.systems,
            "reference": None if self.reference is None else (self.reference,),
        }
        return "|".join(
            f"{name}:{','.join(bare(one, ',') for one in names)}"
            for name, names in parts.items()
            if names
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Roles:
    """The choice that was made, and everybody, before it was made."""

    choice: Choice
    systems: tuple[str, ...]
    references: tuple[str, ...]
    everybody: Annotations

    def within(self, documents: Sequence[str] | None) -> Roles:
        """The same roles in some of the documents."""
        if documents is None:
            return self
        known = set(self.everybody.documents)
        there = [d for d in documents if d in known]
        return replace(self, everybody=self.everybody.select(documents=there))

    @property
    def groups(self) -> Mapping[str, str]:
        """Annotator → group, where groups were given."""
        return self.choice.groups


def is_reference(name: str) -> bool:
    """Whether this is the name of adjudicated annotations.

    >>> [is_reference(n) for n in ("CURATION_USER", "Gold_Label", "Référence", "Goldie")]
    [True, True, True, False]
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    return _REFERENCE.fullmatch("".join(c for c in plain if c.isalnum())) is not None


def assign(
    data: Annotations, choice: Choice, *, kind: Kind | None = None, declared: bool = False
) -> Annotations:
    """Keep the people (and documents) that were chosen; systems and references stand by.

    What is kept is what a file of these people alone would hold: values that nobody of them gave,
    and items and documents that nobody of them saw, are gone. `kind` is how values were asked to be
    read, when they were; `declared` categories stay, used or not.
    """
    if choice.documents is not None:
        data = _of_those_who_saw(data.select(documents=choice.documents), choice)
    if choice.items is not None:
        data = _of_those_who_saw(_of_items(data, choice.items, kind), choice)
    names = data.annotators
    for who in (choice.annotators or (), choice.without, choice.systems):
        places(who, names, "annotator")
    if choice.reference is not None:
        places([choice.reference], names, "annotator")
    _refuse_two_roles(choice)
    references: tuple[str, ...] = tuple(
        name
        for name in names
        if name == choice.reference
        or (
            is_reference(name)
            and not choice.include_references
            and name not in (*choice.systems, *(choice.annotators or ()))
        )
    )
    aside = {*references, *choice.systems, *choice.without}
    people = choice.annotators or tuple(n for n in names if n not in aside)
    places_only = choice == Choice(documents=choice.documents, items=choice.items)
    if not people and places_only:
        # a file of references alone is read to be scored against: they are what it holds
        people, references = names, ()
    if not people and len(references) == 1 and choice.systems:
        # systems beside their reference, and nobody else: that is enough for a score
        people = references
    if not people:
        raise InputError(
            f"no annotator is left of {some(names)}", hint="choose them with `annotators`"
        )
    guessed = [n for n in references if n != choice.reference and n not in choice.without]
    if guessed:
        data = _assuming(data, guessed)
    if people == names and places_only:
        roles = None if choice == Choice() else _roles(choice, references, data)
        return data if roles is None else changed(data, roles=roles)
    roles = _roles(choice, references, data)
    kept = data if people == names else _only(data, people, kind, declared=declared)
    return changed(kept, roles=roles)


def _assuming(data: Annotations, references: Sequence[str]) -> Annotations:
    """The data that know who was taken for a reference, by name."""
    one = len(references) == 1
    record = Record()
    record.assume(
        f"{some(references)} is the reference" if one else f"{some(references)} are references",
        ("curation", "include"),
        why="by name",
        about="reference",
    )
    known = data.provenance and data.provenance.without("reference")
    return record.kept_by(changed(data, provenance=known))


def _of_items(data: Annotations, items: Sequence[str], kind: Kind | None) -> Annotations:
    """The ratings of these items; an engine that counts them has chosen them before."""
    if not isinstance(data, Ratings):
        raise UsageError(f"`items` is for ratings, the data are {data.shape}")
    if EVERY in items or data.multiplicity is not None or data.sums is not None:
        return data
    kept = np.sort(places(items, [label_of(name) for name in data.items], "item"))
    return without_unused_values(data.take(kept), kind)


def _of_those_who_saw(data: Annotations, choice: Choice) -> Annotations:
    """Without the annotators who saw none of the documents, but for those who were named."""
    if isinstance(data, Ratings):
        if data.anonymous or data.sums is not None:
            return data
        seen = np.bincount(data.annotator, minlength=len(data.annotators)) > 0
    else:
        seen = np.asarray(data.who_saw.any(axis=0))
    named = {*(choice.annotators or ()), *choice.without, *choice.systems, choice.reference}
    there = [n for n, saw in zip(data.annotators, seen, strict=True) if saw or n in named]
    return data if len(there) in (0, len(data.annotators)) else data.select(annotators=there)


def systems_of(data: Annotations) -> dict[str, Annotations]:
    """The systems that stand by, each with its own answers."""
    roles = data.roles
    if roles is None:
        return {}
    return {name: _only(roles.everybody, (name,)) for name in roles.systems}


def set_aside(data: Annotations, systems: Sequence[str]) -> Annotations:
    """The same data with these annotators as systems too, who stand by."""
    roles = data.roles
    everybody, choice = (data, Choice()) if roles is None else (roles.everybody, roles.choice)
    new = [name for name in systems if name not in choice.systems]
    places(new, data.annotators, "annotator")
    if not new:
        return data
    people = choice.annotators and tuple(n for n in choice.annotators if n not in new)
    return assign(everybody, replace(choice, annotators=people, systems=(*choice.systems, *new)))


def reference_of(data: Annotations) -> Annotations | None:
    """The reference that stands by, when there is just one."""
    roles = data.roles
    if roles is None or len(roles.references) != 1:
        return None
    return changed(_only(roles.everybody, roles.references), roles=roles)


def signed(signature: str, *data: Annotations) -> str:
    """A signature with the choice of people and documents that its number rests on.

    >>> signed("alpha|n:4|v:1")
    'alpha|n:4|v:1'
    """
    found = dict.fromkeys(d.roles.choice.signature() for d in data if d.roles is not None)
    said = [d.provenance.asked for d in data if d.provenance is not None]
    found |= {f"{name}:{value}": None for asked in said for name, value in asked.items()}
    return further(signature, *(choice for choice in found if choice))


def rename(data: Annotations, names: Mapping[str, str]) -> Annotations:
    """The same data with other names for annotators.

    Two names may become one, as long as no item or document would then be annotated twice.
    """
    from accord.data.join import joined

    new = {n: names.get(n, n) for n in data.annotators}
    if all(n == old for old, n in new.items()):
        return data
    if len(set(new.values())) < len(new):
        parts = [_called(data.select(annotators=[old]), {old: name}) for old, name in new.items()]
        return joined(parts)
    return _called(data, new).select(annotators=sorted(new.values(), key=natural_key))


def _called(data: Annotations, new: Mapping[str, str]) -> Annotations:
    named = changed(data, annotators=tuple(new[a] for a in data.annotators))
    if isinstance(named, Ratings) and named.engine is not None:
        named = changed(named, engine=named.engine.renamed(new))
    if isinstance(named, Units) and named.statements:
        held = {(d, new[a]): said for (d, a), said in named.statements.items()}
        named = changed(named, statements=held)
    if isinstance(named, Relations) and named.units is not None:
        known = {a: new.get(a, a) for a in named.units.annotators}
        named = changed(named, units=_called(named.units, known))
    return named


def _roles(choice: Choice, references: tuple[str, ...], data: Annotations) -> Roles:
    return Roles(choice=choice, systems=choice.systems, references=references, everybody=data)


def _refuse_two_roles(choice: Choice) -> None:
    roles = {
        "annotators": choice.annotators or (),
        "without": choice.without,
        "systems": choice.systems,
        "reference_annotator": () if choice.reference is None else (choice.reference,),
    }
    seen: dict[str, str] = {}
    for role, names in roles.items():
        for name in names:
            if seen.setdefault(name, role) != role:
                raise UsageError(f"{name!r} is in `{seen[name]}` and in `{role}`; give it one role")


def _only(
    data: Annotations, people: Sequence[str], kind: Kind | None = None, *, declared: bool = False
) -> Annotations:
    kept = data.select(annotators=people)
    if isinstance(kept, Ratings):
        engine = None if kept.engine is None else kept.engine.used(kind)
        return replace(without_unused(kept, kind), engine=engine)
    seen = np.asarray(kept.who_saw.any(axis=1))
    kept = kept.select(documents=[n for n, one in zip(kept.documents, seen, strict=True) if one])
    if isinstance(kept, (Units, Boxes, Relations)) and not declared:
        return kept.with_used_categories()
    return kept


def without_unused(ratings: Ratings, kind: Kind | None) -> Ratings:
    """Without the items that nobody rated and the values that nobody gave."""
    rated = np.flatnonzero(ratings.per_item > 0)
    if len(rated) < len(ratings.indptr) - 1:
        ratings = ratings.take(rated)
    return without_unused_values(ratings, kind)


def without_unused_values(ratings: Ratings, kind: Kind | None) -> Ratings:
    """Without the values that nobody gave; those that stay are read anew, as this kind."""
    from accord.data.values import scale_of

    again = [np.asarray(codes, dtype=np.int32) for _, _, codes in ratings.repeats]
    used = np.unique(np.concatenate([ratings.code, *again]))
    if ratings.declared or len(used) == len(ratings.values):
        return ratings
    held = [ratings.values[i] for i in used.tolist()]
    as_before = kind if ratings.kind == "categories" else ratings.kind
    where = (None, lambda row: None, ratings.code)
    ranks = ratings.ordered and ratings.kind == "categories"
    scale = scale_of(held, as_before, None, where, Record(), ordered=ranks)
    number = np.full(len(ratings.values), -1, dtype=np.int32)
    number[used] = scale.codes
    read_anew = ratings.recoded(number, scale.values, scale.kind)
    return replace(read_anew, declared=False, ordered=scale.ordered)
