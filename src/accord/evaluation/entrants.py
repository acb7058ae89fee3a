"""Who is ranked or tested among whom: the people, and the systems beside them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from accord.data import Annotations, Ratings
from accord.data.model_names import looks_like_a_model
from accord.data.names import places
from accord.data.protocol import changed, is_annotations
from accord.data.reading import Provenance
from accord.data.roles import reference_of, set_aside, systems_of
from accord.errors import InputError, some
from accord.reading.given import Decided, Given, Sides
from accord.reading.lists import is_bare, is_table_of_columns
from accord.reading.marks import plain

#: a name among the annotators, what can be read, a list of either, or a mapping of names to them; None
#: for those that stand by
Systems: TypeAlias = Mapping[str, Given] | Sequence[object] | Given | None

NO_SYSTEM = "there is no system; give its file, or name it among the annotators with `systems`"


def systems_in(
    answers: Annotations,
    name: str,
    *,
    system_annotator: str | None = None,
    each: bool = False,
    path: object = None,
    taken: Container[str] = (),
    votes: bool = False,
) -> dict[str, Annotations]:
    """The systems of one source, by name: several people are none, unless one is named or each is.

    Measures of distributions take them for one, as their `votes`.

    >>> from accord.reading.given import as_annotations
    >>> both = as_annotations([list("AAB"), list("ABB")], orientation="annotators")
    >>> list(systems_in(both, "gpt", system_annotator="A2")), list(systems_in(both, "gpt", each=True))
    (['gpt'], ['A1', 'A2'])
    """
    if system_annotator is not None:
        return {name: _one_of(answers, system_annotator)}
    if len(answers.annotators) < 2 or (votes and not each and answers.shape == "ratings"):
        return {name: answers}
    if not each:
        raise InputError(
            f"holds {len(answers.annotators)} annotators: {some(answers.annotators)}",
            path=None if path is None else str(path),
            hint="name the one that is the system with `system_annotator=NAME`, or enter each as a "
            "system of its own with `each=True`",
        )
    found: dict[str, Annotations] = {}
    for who in answers.annotators:
        own = who if who not in taken else f"{name}, {who}"
        found[free_name(own, {*found})] = _one_of(answers, who)
    return found


def _one_of(answers: Annotations, who: str) -> Annotations:
    """The answers of one annotator; of several, a signature says of which."""
    own = answers.select(annotators=[who])
    if len(answers.annotators) < 2:
        return own
    kept = own.provenance or Provenance()
    asked = {**kept.asked, "system_annotator": who}
    return changed(own, provenance=replace(kept, asked=asked))


def people_and_systems(
    given: Given,
    systems: Systems = None,
    *,
    system_annotator: str | None = None,
    each: bool = False,
    sides: Sides | None = None,
) -> tuple[Annotations, dict[str, Annotations]]:
    """The people, and the answers of each system by its name.

    A system is named among the annotators (it is then none of the people), or given as data or a file.
    Without any, systems are those that were set aside when the data were read.

    >>> from accord.data import Ratings
    >>> data = Ratings.from_matrix([list("AAB"), list("ABB"), list("AAA")])
    >>> people, systems = people_and_systems(data, ["A3"])
    >>> people.annotators, list(systems)
    (('A1', 'A2'), ['A3'])
    """
    sides = sides or Sides({})
    people = sides.data(given)
    if systems is None:
        return people, systems_of(people)
    entrants = entrants_of(systems, people)
    people, entered = told_apart(people, entrants)
    for name, own in entrants.items():
        if name not in entered:
            held = {name: sides.beside(own, "system")}
            entered |= _every(held, people, system_annotator, each, list(entered))
    return people, entered


def entrants_of(systems: Systems, people: Annotations) -> dict[str, Given]:
    """What was given as systems, by name: one, a list of them, or a mapping of names to them.

    Each is a name among the annotators, or what can be read: data, a reference, a dataframe, a file,
    values. Those without a name are called after their file or series, else "system".
    """
    if isinstance(systems, Mapping) and not is_table_of_columns(systems):
        answers = is_bare(systems) and not any(map(_is_file, systems.values()))
        if not answers:
            files = {n: Path(own) for n, own in systems.items() if isinstance(own, str)}
            return {str(n): own for n, own in {**systems, **files}.items()}
    found: dict[str, Given] = {}
    here = {*people.annotators, *systems_of(people)}
    for one in _listed(systems, people, here):
        if isinstance(one, (str, PathLike)) and (str(one) in here or not _is_file(one)):
            found[str(one)] = str(one)
        else:
            own = Path(one) if isinstance(one, str) else one
            found[free_name(_called(one), {*found, *here})] = own
    return found


def is_name(own: Given) -> bool:
    """Whether a system is an annotator of the data, by name."""
    return isinstance(own, str)


def told_apart(
    people: Annotations, entrants: Mapping[str, Given]
) -> tuple[Annotations, dict[str, Annotations]]:
    """The people without those who are systems, and what these answered.

    A word that names neither an annotator nor a file is an error that knows both.
    """
    here = [*people.annotators, *systems_of(people)]
    names = [n for n, own in entrants.items() if is_name(own)]
    for name in names:
        if name not in here and (Path(name).suffix or Path(name).name != name):
            raise InputError(
                "does not exist, and no annotator is called so",
                path=name,
                hint=f"check the path; the annotators are {some(here)}",
            )
        places([name], here, "annotator")
    people = set_aside(people, names)
    standing = systems_of(people)
    return people, {name: standing[name] for name in names}


def _listed(systems: object, people: Annotations, here: Container[str]) -> list[Any]:
    """The systems one by one; a list of values, of records or of rows is one system."""
    if isinstance(systems, (str, PathLike)):
        return [systems]
    if not isinstance(systems, (list, tuple, set)):
        # (an array or a series may be of names)
        words = plain(systems) if is_bare(systems) and hasattr(systems, "__array__") else []
        names = words and all(isinstance(one, str) and one in here for one in words)
        return list(words) if names else [systems]
    if all(isinstance(one, (str, PathLike)) for one in systems):
        known = any(str(one) in here or _is_file(one) for one in systems)
        words = all(isinstance(one, str) for one in systems)
        answers = words and isinstance(people, Ratings) and len(systems) == people.n_items
        return [systems] if answers and not known else list(systems)
    sources = (str, PathLike, Decided)
    several = all(
        isinstance(one, sources)
        or is_annotations(one)
        or hasattr(type(one), "columns")
        or hasattr(type(one), "to_list")
        for one in systems
    )
    return list(systems) if several else [systems]


def _called(system: object) -> str:
    """What a system is called that was given without a name."""
    if isinstance(system, (str, PathLike)):
        return Path(system).stem
    if is_annotations(system) and len(system.annotators) == 1:
        return str(system.annotators[0])
    name = getattr(system, "name", None)
    return name if isinstance(name, str) and name not in ("", "value", "label") else "system"


def _is_file(given: object) -> bool:
    return isinstance(given, (str, PathLike)) and Path(given).exists()


def key_of(
    people: Annotations, given: Given | None, sides: Sides | None = None
) -> Annotations | None:
    """The reference that people and systems are ranked by: the one given, or the one that stands by."""
    if given is None:
        return reference_of(people)
    return (sides or Sides({})).beside(given, "reference")


def said_of(people: Annotations, key: Annotations | None) -> str | None:
    """The reference as a signature has it, unless the choice of people names it there already."""
    chosen = None if people.roles is None else people.roles.choice.reference
    return None if key is None or chosen in key.annotators else ",".join(key.annotators)


def _every(
    held: Mapping[str, Annotations],
    people: Annotations,
    system_annotator: str | None,
    each: bool,
    others: Sequence[str],
) -> dict[str, Annotations]:
    """The systems of several sources, beside `others`."""
    found: dict[str, Annotations] = {}
    for name, answers in held.items():
        found |= systems_in(
            answers,
            name,
            system_annotator=system_annotator,
            each=each,
            path=name,
            taken={*found, *others, *people.annotators},
        )
    return found


def models_among(people: Annotations, role: str = "systems") -> list[str]:
    """What to say of people who are called as models are: each would count as one of the people.

    >>> from accord.data import Ratings
    >>> models_among(Ratings.from_matrix([["a"], ["b"]], annotators=["Ana", "gpt-4o"]))
    ["among the people are names of models: 'gpt-4o'; name them as systems too, or rename them"]
    """
    suspects = [a for a in people.annotators if looks_like_a_model(a) or "judge" in a.casefold()]
    if not suspects:
        return []
    return [
        f"among the people are names of models: {some(suspects)}; name them as {role} too, or rename them"
    ]


def free_name(name: str, taken: Container[str]) -> str:
    """A name for what is in a file, after the file, that nobody else has.

    >>> free_name("gpt", {"gpt", "Ana"})
    "gpt'"
    """
    while name in taken:
        name += "'"
    return name
