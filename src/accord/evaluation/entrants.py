"""Who is ranked or tested among whom: the people, and the systems beside them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from accord.data import Annotations
from accord.data.roles import set_aside, systems_of
from accord.errors import UsageError
from accord.reading.given import Given, as_annotations

#: systems by name; or their names among the annotators, or files; None for those that stand by
Systems: TypeAlias = Mapping[str, Given] | Sequence[str | PathLike[str]] | str | None

NO_SYSTEM = "there is no system; give its file, or name it among the annotators with `systems`"


def people_and_systems(
    given: Given, systems: Systems = None
) -> tuple[Annotations, dict[str, Annotations]]:
    """The people, and the answers of each system by its name.

    A system is named among the annotators (it is then none of the people), or given as data or a file.
    Without any, systems are those that were set aside when the data were read.

    >>> people, systems = people_and_systems([list("AAB"), list("ABB"), list("AAA")], ["A3"])
    >>> people.annotators, list(systems)
    (('A1', 'A2'), ['A3'])
    """
    people = as_annotations(given)
    if systems is None:
        return people, systems_of(people)
    if isinstance(systems, Mapping):
        return people, {name: as_annotations(s, annotator=name) for name, s in systems.items()}
    listed = [systems] if isinstance(systems, str) else list(systems)
    if not all(isinstance(one, (str, PathLike)) for one in listed):
        raise UsageError(
            "`systems` must be names of annotators, files, or a mapping of names to data, "
            f"got {type(listed[0]).__name__} in a list"
        )
    here = {*people.annotators, *systems_of(people)}
    files = [one for one in listed if str(one) not in here and Path(one).exists()]
    people = set_aside(people, [str(one) for one in listed if one not in files])
    standing = systems_of(people)
    entered: dict[str, Annotations] = {}
    for one in listed:
        if one in files:
            name = free_name(Path(one).stem, {*entered, *people.annotators})
            entered[name] = as_annotations(one, annotator="system")
        else:
            entered[str(one)] = standing[str(one)]
    return people, entered


def free_name(name: str, taken: Container[str]) -> str:
    """A name for what is in a file, after the file, that nobody else has.

    >>> free_name("gpt", {"gpt", "Ana"})
    "gpt'"
    """
    while name in taken:
        name += "'"
    return name
