"""What was read: from which file, who, how much, and what was decided about its meaning.

Reading a source takes decisions: which columns hold what, which words stand for no value, who is a
person. Each is a :class:`Decision`; those taken are kept in a :class:`Provenance`, which the data carry
through every selection and join. :func:`reading_of` puts it together with what the data themselves
say (people, items, labels) to the :class:`Reading` that commands and pages show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any, Literal, NoReturn, TypeVar

from accord.data.protocol import Annotations, Shape
from accord.errors import InputError, in_command

#: labels that are listed in JSON
MOST_LABELS = 50

Made = TypeVar("Made", bound=Annotations)
PersonRole = Literal["annotator", "system", "reference", "set aside"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file, folder or frame that was read."""

    path: str
    #: the title of its format
    format: str
    #: the sheet, layer or question that was read of several
    layer: str | None = None
    #: rows of a table
    rows: int | None = None
    #: what it is to a command of several sources: reference, system, A, B
    role: str | None = None


#: keyword and value: ("rows", "items")
Option = tuple[str, object]


@dataclass(frozen=True, slots=True)
class Answer:
    """One way to read what can be read in several ways, and the option that asks for it."""

    #: what it means, as the end of a sentence: "rows are items"
    means: str
    option: Option

    @property
    def typed(self) -> str:
        """The option as sentences name it, in backticks (:mod:`accord.errors`)."""
        name, value = self.option
        if isinstance(value, Mapping):
            entries = ", ".join(f"{ours}: {worded(own)}" for ours, own in value.items())
            return f"`{name}={{{entries}}}`"
        return f"`{name}={worded(value)}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A question that the data raise, the answer taken, and the others.

    Without others it is sure; with others beside the one taken it is likely, and shown with the
    option that says otherwise; with none taken it is open, and nothing is computed.
    """

    #: the question in a word, where somebody looks for it: "seen", "reference", "path"
    about: str = ""
    taken: Answer | None = None
    others: tuple[Answer, ...] = ()
    #: what in the data says so
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that the source holds and the data do not."""

    what: str
    n: int = 1
    why: str = ""
    #: the option that keeps it, None where nothing does
    keep: Option | None = None

    @property
    def kept_by(self) -> str:
        """The option that keeps it, as sentences name it; "" where nothing does."""
        return "" if self.keep is None else Answer("", self.keep).typed


class OpenQuestionError(InputError):
    """A source that can be read in two sensible ways which give different numbers."""

    def __init__(self, decision: Decision, *, path: str | None = None) -> None:
        self.decision = decision
        ways = "; ".join(f"{a.typed} if {a.means}" for a in decision.others)
        super().__init__(decision.why, path=path, hint=ways)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What reading kept of itself: sources, columns, and every decision."""

    sources: tuple[Source, ...] = ()
    #: role → the name of its column
    columns: Mapping[str, str] = field(default_factory=dict)
    #: columns that nothing uses → what they look like, "" for nothing in particular
    unused: Mapping[str, str] = field(default_factory=dict)
    #: words that stand for no value → how often they occur
    missing: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    decisions: tuple[Decision, ...] = ()
    #: annotators who were set aside → why
    aside: Mapping[str, str] = field(default_factory=dict)
    #: labels that were given other names → how often they occur
    recoded: Mapping[str, int] = field(default_factory=dict)
    #: options that say what values mean, as they stand in signatures
    asked: Mapping[str, str] = field(default_factory=dict)
    #: of a reference: what its table says of each element, with or without a value
    elements: tuple[Mapping[str, Any], ...] = ()

    def without(self, about: str) -> Provenance:
        """Return the same without what was decided about this, which was said since."""
        kept = tuple([d for d in self.decisions if d.about != about])
        return replace(self, decisions=kept)

    def beside(self, other: Provenance) -> Provenance:
        """Return what both say; of two that say the same, one."""
        pairs = {name: (getattr(self, name), getattr(other, name)) for name in self.__slots__}
        return Provenance(**{name: _both(*pair) for name, pair in pairs.items()})


@dataclass(slots=True)
class Record:
    """What is decided while one source is read; the data get it as their provenance."""

    path: str | None = None
    columns: dict[str, str] = field(default_factory=dict)
    unused: dict[str, str] = field(default_factory=dict)
    missing: Counter[str] = field(default_factory=Counter)
    left_out: list[LeftOut] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    aside: dict[str, str] = field(default_factory=dict)
    recoded: Counter[str] = field(default_factory=Counter)
    elements: tuple[Mapping[str, Any], ...] = ()

    def ask(self, why: str, answers: Mapping[str, Option], *, about: str = "") -> NoReturn:
        """Raise a question that is open: what the data have, and each answer with its option."""
        open_ = tuple([Answer(means, option) for means, option in answers.items()])
        raise OpenQuestionError(Decision(about=about, others=open_, why=why), path=self.path)

    def assume(self, means: str, *others: Option, why: str = "", about: str = "") -> None:
        """Keep how something is read, with the options that read it otherwise."""
        taken, ways = Answer(means, ("", None)), [Answer("", option) for option in others]
        self.take(Decision(about=about, taken=taken, others=tuple(ways), why=why))

    def take(self, decision: Decision) -> None:
        """Keep a decision; an open one is an error."""
        if decision.taken is None:
            raise OpenQuestionError(decision, path=self.path)
        if decision not in self.decisions:
            self.decisions.append(decision)

    def leave_out(
        self, what: str, n: int = 1, *, why: str = "", keep: Option | None = None
    ) -> None:
        """Keep that something was left out."""
        self.left_out.append(LeftOut(what=what, n=n, why=why, keep=keep))

    def repeated(
        self, what: str, n: int, *, why: str = "the same again", keep: Option | None = None
    ) -> None:
        """Keep that annotators gave ratings or units more than once: one of each counts."""
        told = f"{n:,} repeated {what if n > 1 else what[:-1]}"
        self.leave_out(told, n, why=why, keep=keep)

    def kept_by(self, data: Made, *sources: Source) -> Made:
        """Return the data with what was kept of reading them, beside what they had kept before."""
        own = self.provenance(*sources)
        known = data.provenance
        made: Made = replace(data, provenance=own if known is None else known.beside(own))  # type: ignore[type-var]
        return made

    def own(self) -> Provenance | None:
        """Return what was kept; None where nothing was."""
        found = self.provenance()
        return None if found == Provenance() else found

    def provenance(self, *sources: Source) -> Provenance:
        """Return what was kept, as it stays with the data."""
        kept = {name: getattr(self, name) for name in self.__slots__ if name != "path"}
        held: Any = {
            n: tuple(v) if isinstance(v, (list, tuple)) else dict(v) for n, v in kept.items()
        }
        return Provenance(sources=sources, **held)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody (or some system) in the data, and how many annotations they gave."""

    name: str
    role: PersonRole
    #: None where it is not known who gave which
    n: int | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read, as people look at it: header, page and ``"reading"`` in JSON are made of it."""

    shape: Shape | Literal["preferences"]
    provenance: Provenance
    people: tuple[Person, ...]
    #: how much there is: {"items": 80} or {"documents": 7}, and ratings or units
    size: Mapping[str, int]
    labels: tuple[str, ...]
    #: how values are read: names, ordered, numbers, sets, vectors, texts
    scale: str
    #: what entered the value: annotators, items or documents, ratings or units
    used: Mapping[str, int]
    #: what did not enter, beside what reading left out: seen by one person alone
    alone: tuple[LeftOut, ...] = ()

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What the sources hold and the value does not rest on."""
        return (*self.provenance.left_out, *self.alone)

    @property
    def to_check(self) -> list[tuple[str, str]]:
        """What looks like a slip in names and numbers, with the option that mends it."""
        return [(what, Answer("", option).typed) for what, option in self._slips()]

    def _slips(self) -> Iterable[tuple[str, Option]]:
        from accord.data.slips import slips

        return slips(self)

    def __str__(self) -> str:
        from accord.data.header import header

        return "\n".join(header(self))

    def __repr__(self) -> str:
        return f"<Reading of {self}>"

    def _repr_html_(self) -> str:
        from accord.data.header import header
        from accord.markup import block, folded, paragraph, table

        first, *others = header(self, width=None)
        people = [{"name": p.name, "role": p.role, "n": p.n, "why": p.why} for p in self.people]
        return block(first, *map(paragraph, others), folded("people", table(people, bars=False)))

    def to_dict(self) -> dict[str, Any]:
        """Return the reading as JSON has it."""
        kept = self.provenance
        return {
            "shape": self.shape,
            "sources": [
                {
                    name: value
                    for name in Source.__slots__
                    if (value := getattr(s, name)) is not None
                }
                for s in kept.sources
            ],
            "columns": dict(kept.columns),
            "unused_columns": [{"name": n, "looks_like": w} for n, w in kept.unused.items()],
            "people": [
                {"name": p.name, "role": p.role, "n": p.n, **({"why": p.why} if p.why else {})}
                for p in self.people
            ],
            **self.size,
            "labels": list(self.labels[:MOST_LABELS]),
            "labels_n": len(self.labels),
            "scale": self.scale,
            "missing": [{"word": w, "n": n} for w, n in kept.missing.items()],
            "left_out": [
                {"what": x.what, "n": x.n, "why": x.why, "keep_with": _option(x.keep)}
                for x in self.left_out
            ],
            "assumed": [
                {
                    "what": d.taken.means,
                    "why": d.why,
                    "otherwise": " · ".join(_option(a.option) or "" for a in d.others),
                }
                for d in kept.decisions
                if d.taken is not None
            ],
            "to_check": [
                {"what": what, "mend_with": _option(option)} for what, option in self._slips()
            ],
            "used": dict(self.used),
        }

    def using(self, used: Mapping[str, int], alone: tuple[LeftOut, ...] = ()) -> Reading:
        """Return the same reading of which this much entered the value."""
        return replace(self, used=used, alone=alone)

    def with_role(self, role: PersonRole, names: Iterable[str]) -> Reading:
        """Return the same reading in which these people are something else."""
        some = set(names)
        people = [replace(p, role=role) if p.name in some else p for p in self.people]
        return replace(self, people=tuple(people))

    def beside(self, name: str, answers: Annotations, role: PersonRole = "system") -> Reading:
        """Return the same reading with a system or a reference that is looked at beside it."""
        known = {s.path for s in self.provenance.sources}
        own = answers.provenance or Provenance()
        sources = [replace(s, role=role) for s in own.sources if s.path not in known]
        kept = self.provenance.beside(replace(own, sources=tuple(sources)))
        given = [p.n for p in reading_of(answers).people if p.role == "annotator"]
        n = None if None in given else sum(n for n in given if n is not None)
        people = [p for p in self.people if p.name != name]
        return replace(self, provenance=kept, people=(*people, Person(name=name, role=role, n=n)))

    def without_names(self) -> Reading:
        """Return the same reading for who must not know who the annotators are."""
        people = [
            replace(p, name=f"annotator {i}", n=None, why="") for i, p in enumerate(self.people, 1)
        ]
        kept = replace(self.provenance, decisions=(), left_out=(), aside={}, columns={}, asked={})
        return replace(self, people=tuple(people), provenance=kept, alone=())

    def whole(self) -> Reading:
        """Return the same reading for who uses everything, also what one person alone has seen."""
        annotators = sum(p.role == "annotator" for p in self.people)
        return self.using({"annotators": annotators, **self.size})


def _option(option: Option | None) -> str | None:
    """An option as it is typed on the command line."""
    return None if option is None else in_command(Answer("", option).typed)


def worded(value: object) -> str:
    """Write a value as it stands in signatures: names with commas, a mapping as OLD=NEW.

    >>> worded(("a", "b")), worded({"50": "50%"}), worded({"x": ("a", "b"), "y": ("c",)})
    ('a,b', '50=50%', 'x=a,b;y=c')
    """
    if isinstance(value, Mapping):
        several = any(isinstance(new, (tuple, list)) for new in value.values())
        return (";" if several else ",").join(f"{old}={worded(new)}" for old, new in value.items())
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value))
    return str(value)


def _both(first: Any, second: Any) -> Any:
    """What two readings kept of one thing: each entry once, counts together, names as the first has them."""
    if isinstance(first, tuple):
        found: list[Any] = []
        for part in (*first, *second):
            if part not in found:
                found.append(part)
        return tuple(found)
    if any(isinstance(n, int) for n in (*first.values(), *second.values())):
        return {name: first.get(name, 0) + second.get(name, 0) for name in {**first, **second}}
    return {**second, **first}


def together(data: Sequence[Annotations], more: Provenance | None = None) -> Provenance | None:
    """Return the provenance of data that are put together, and `more`; None where there is none."""
    whole: Provenance | None = None
    for one in (*(d.provenance for d in data), more):
        if one is not None:
            whole = one if whole is None else whole.beside(one)
    return whole


def reading_of(data: Annotations) -> Reading:
    """Put together what was kept while reading and what the data say of themselves.

    >>> from accord.data import Ratings
    >>> r = reading_of(Ratings.from_matrix([["x", "y", "x"], ["x", None, "x"]], annotators=["A", "B"]))
    >>> [(p.name, p.n) for p in r.people], r.size, r.scale
    ([('A', 3), ('B', 2)], {'items': 3, 'ratings': 5}, 'names')
    >>> r.used
    {'annotators': 2, 'items': 2, 'ratings': 4}
    """
    held = data.contents()
    kept = data.provenance or Provenance()
    # (data that were made from rows have no file to be asked about)
    silence = held.silence
    if silence is not None and not any(d.about == silence.about for d in kept.decisions):
        taken = silence.taken or silence.others[0]
        others = tuple([answer for answer in silence.others if answer != taken])
        kept = replace(
            kept, decisions=(*kept.decisions, replace(silence, taken=taken, others=others))
        )
    people = [
        Person(name=name, role="annotator", n=n)
        for name, n in zip(data.annotators, held.by_annotator or repeat(None), strict=False)
    ]
    if data.roles is not None:
        people += _standing_by(data, kept.aside)
    found = Reading(
        shape=data.shape,
        provenance=kept,
        people=tuple(people),
        size=held.size,
        labels=held.labels,
        scale=held.scale,
        used=held.used,
        alone=held.alone,
    )
    return found.whole() if len(data.annotators) < 2 else found


def beside(
    reference: Annotations,
    systems: Mapping[str, Annotations],
    *,
    scored: bool = False,
    key: Annotations | None = None,
) -> Reading:
    """Put together what was read of people and of the systems that are compared with them.

    Where systems are `scored`, one person is their reference; `key` is one of another file.

    >>> from accord.data import Ratings
    >>> gold, answers = (Ratings.from_matrix([row]) for row in (["x", "y", "x"], ["x", "x"]))
    >>> both = beside(gold, {"m": answers}, scored=True)
    >>> [(p.name, p.role, p.n) for p in both.people], both.used
    ([('A1', 'reference', 3), ('m', 'system', 2)], {'annotators': 1, 'systems': 1, 'items': 2})
    """
    found = reading_of(reference)
    kept = found.provenance
    if scored:
        kept = replace(kept, sources=tuple([replace(s, role="reference") for s in kept.sources]))
        if len(reference.annotators) == 1:
            found = found.with_role("reference", reference.annotators)
    found = replace(found, provenance=kept)
    for name, answers in systems.items():
        found = found.beside(name, answers)
    if key is not None:
        for name in key.annotators:
            found = found.beside(name, key.select(annotators=[name]), "reference")
    what = "items" if found.shape == "ratings" else "documents"
    own_names = {str(name) for name in getattr(reference, what)}
    answered = {str(name) for a in systems.values() for name in getattr(a, what)}
    used = {
        "annotators": len(reference.annotators),
        "systems": len(systems),
        what: len(own_names & answered),
    }
    unknown = len(answered - own_names)
    noun = what if unknown > 1 else what[:-1]
    alone = LeftOut(what=f"{unknown:,} {noun}", n=unknown, why="not in the reference")
    return found.using(used, (alone,) if unknown else ())


def _standing_by(data: Annotations, why: Mapping[str, str]) -> Iterable[Person]:
    """Everybody who is there and no annotator: systems, references, people set aside."""
    roles = data.roles
    if roles is None:
        return
    counts = roles.everybody.contents().by_annotator
    for name, n in zip(roles.everybody.annotators, counts or repeat(None), strict=False):
        if name in data.annotators:
            continue
        role: PersonRole = "set aside"
        if name in roles.systems:
            role = "system"
        elif name in roles.references:
            role = "reference"
        yield Person(name=name, role=role, n=n, why=why.get(name, ""))
