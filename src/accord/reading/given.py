"""What the verbs of Python take as annotations: data, a path, a dataframe, or plain lists."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from accord.data import Annotations, Ratings, Units
from accord.data.roles import rename
from accord.errors import UsageError
from accord.options.reading import KEYWORDS

#: options of reading that measures have too: given with one, they are its own
_COMPUTING = frozenset({"length"})

Kind = TypeVar("Kind", bound=Annotations)


class Frame(Protocol):
    """A dataframe of any library that narwhals knows."""

    @property
    def columns(self) -> object: ...


#: annotations, a path to them, a dataframe of any library, or values (a list, an array, a series)
Given: TypeAlias = Annotations | str | PathLike[str] | Frame | Iterable[object]


def as_annotations(given: Given, *, annotator: str | None = None, **options: object) -> Annotations:
    """The annotations themselves; `options` say how they are read, where they are not yet.

    A list of values is one annotator (called `annotator`); a list of lists needs to be told what a row
    is. A list of records and a mapping of columns are tables; a mapping of labels to probabilities,
    or a list of such distributions, is one annotator's answers.

    >>> as_annotations([["a", "b"], ["a", "a"]], orientation="annotators").annotators
    ('A1', 'A2')
    >>> as_annotations(["a", "b"], annotator="system").annotators
    ('system',)
    >>> as_annotations([{"x": 0.6, "y": 0.4}, {"x": 1.0}]).labels
    ('x', 'y')
    """
    # (a protocol is asked method by method: what is mostly given is asked first)
    if isinstance(given, (Units, Ratings)) or (
        isinstance(given, Annotations) and not isinstance(given, type)
    ):
        return given
    from accord.reading import read

    told: dict[str, Any] = dict(options)
    if isinstance(given, (str, PathLike)):
        compared = annotator in ("reference", "system")
        side = side_options(Path(given), system=annotator == "system") if compared else {}
        return read(given, **{**side, **told})
    from accord.reading.lists import are_values

    found = read(given, **told)
    named = found.provenance is not None and found.provenance.columns
    if annotator is not None and are_values(given) and not named and len(found.annotators) == 1:
        return rename(found, {found.annotators[0]: annotator})
    return found


def read_with(
    given: Given,
    options: Mapping[str, object],
    *,
    annotator: str | None = None,
    but: Container[str] = (),
) -> tuple[Annotations, dict[str, Any]]:
    """The annotations, read as those of these options say that are of reading; and the other options.

    What is `but` for whoever computes is no option of reading.
    """
    if isinstance(given, Annotations) and not isinstance(given, type):
        return as_annotations(given, annotator=annotator), dict(options)
    known = {option.name for option in KEYWORDS} - _COMPUTING
    told: Any = {n: v for n, v in options.items() if n in known and n not in but}
    rest = {n: v for n, v in options.items() if n not in told}
    return as_annotations(given, annotator=annotator, **told), rest


def of_kind(given: Given, kind: type[Kind], *, annotator: str | None = None) -> Kind:
    """The annotations, which must be of one shape.

    >>> of_kind(["a", "b"], Ratings).n_items
    2
    """
    # (first: asking for the protocol of all shapes takes its time)
    found = given if isinstance(given, kind) else as_annotations(given, annotator=annotator)
    if not isinstance(found, kind):
        raise UsageError(f"this needs {kind.shape}, the data are {found.shape}")
    return found


def side_options(
    path: Path,
    *,
    system: bool,
    format: str | None = None,  # noqa: A002
) -> dict[str, Any]:
    """What a reader of one side of a score is told beside what the user says.

    A folder of chains has one file per document, all of one side; a record of clusters may hold a
    reference beside a system's answer. A table without rows is a side that marked nothing.
    """
    from accord.formats import detect

    if not path.exists():
        return {}
    found = detect(path, format)
    if found.collect is not None or found.holds != ("chains",):
        return {} if found.load is None else {"empty": True}
    options: dict[str, Any] = {"annotator": path.name} if path.is_dir() else {}
    return options | ({"predictions": True} if system and found.name == "clusters" else {})
