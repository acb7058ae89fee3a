"""Who is ranked or tested among whom: the people, and the systems beside them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from accord.data import Annotations
from accord.data.model_names import looks_like_a_model
from accord.data.protocol import changed
from accord.data.reading import Provenance
from accord.data.roles import reference_of, set_aside, systems_of
from accord.errors import InputError, UsageError, some
from accord.reading.given import Given, Sides

#: systems by name; or their names among the annotators, or files; None for those that stand by
Systems: TypeAlias = Mapping[str, Given] | Sequence[str | PathLike[str]] | str | None

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


def one_system(answers: Annotations, system_annotator: str | None) -> Annotations:
    """The one system of some data, where several are not compared."""
    if system_annotator is None and len(answers.annotators) > 1:
        raise InputError(
            f"the system holds {len(answers.annotators)} annotators: {some(answers.annotators)}",
            hint="name the one that is the system with `system_annotator=NAME`",
        )
    return next(iter(systems_in(answers, "", system_annotator=system_annotator).values()))


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
    if isinstance(systems, Mapping):
        held = {name: sides.beside(own, name) for name, own in systems.items()}
        return people, _every(held, people, system_annotator, each)
    listed = [systems] if isinstance(systems, (str, PathLike)) else systems
    listed = list(listed) if isinstance(listed, Iterable) else [listed]
    other = next((one for one in listed if not isinstance(one, (str, PathLike))), None)
    if other is not None:
        raise UsageError(
            "`systems` must be names of annotators, files, or a mapping of names to data, "
            f"got {type(other).__name__}{'' if other is systems else ' in a list'}"
        )
    here = {*people.annotators, *systems_of(people)}
    files = [one for one in listed if str(one) not in here and Path(one).exists()]
    people = set_aside(people, [str(one) for one in listed if one not in files])
    standing = systems_of(people)
    entered: dict[str, Annotations] = {}
    for one in listed:
        if one in files:
            name = free_name(Path(one).stem, {*entered, *people.annotators})
            held = {name: sides.beside(one, "system")}
            entered |= _every(held, people, system_annotator, each)
        else:
            entered[str(one)] = standing[str(one)]
    return people, entered


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
    held: Mapping[str, Annotations], people: Annotations, system_annotator: str | None, each: bool
) -> dict[str, Annotations]:
    """The systems of several sources."""
    found: dict[str, Annotations] = {}
    for name, answers in held.items():
        found |= systems_in(
            answers,
            name,
            system_annotator=system_annotator,
            each=each,
            path=name,
            taken={*found, *people.annotators},
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
