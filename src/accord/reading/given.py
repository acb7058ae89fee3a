"""What the verbs of Python take as annotations: data, a path, a dataframe, or plain lists."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar, runtime_checkable

from accord.data import Annotations, Ratings
from accord.data.protocol import Shape, is_annotations
from accord.data.ratings import label_of
from accord.data.roles import rename
from accord.errors import InputError, UsageError, did_you_mean, some
from accord.options.reading import KEYWORDS, ROLES

#: options of reading that measures have too: given with one, they are its own
COMPUTING = frozenset({"length"})

#: what other libraries call the sides of a score
ELSEWHERE = {"y_true": "reference", "y_pred": "system"}

Kind = TypeVar("Kind", bound=Annotations)
P = ParamSpec("P")
T = TypeVar("T")


class Frame(Protocol):
    """A dataframe of any library that narwhals knows."""

    @property
    def columns(self) -> object: ...


@runtime_checkable
class Decided(Protocol):
    """A reference, of which the items that have a value are annotations."""

    def valued(self) -> Annotations: ...

    def write(
        self,
        path: str | PathLike[str],
        *,
        format: str | None = None,  # noqa: A002
        overwrite: bool = False,
    ) -> list[str]: ...


class Table(Protocol):
    """A dataframe, lazy or not."""

    @property
    def columns(self) -> Any: ...

    @property
    def join(self) -> Any: ...


class Values(Protocol):
    """An array, or a series of any library."""

    def __array__(self) -> Any: ...


#: what is not read yet: a path, a dataframe, values, or a reference
Plain: TypeAlias = (
    str
    | PathLike[str]
    | Table
    | Values
    | Sequence[Any]
    | Mapping[Any, Any]
    | Iterator[Any]
    | Decided
)
#: annotations, a reference, a path to them, a dataframe of any library, or values (a list, an array, …)
Given: TypeAlias = Annotations | Decided | str | PathLike[str] | Frame | Iterable[object]


def as_annotations(
    given: Given, *, annotator: str | None = None, meant: Shape | None = None, **options: object
) -> Annotations:
    """The annotations themselves; `options` say how they are read, where they are not yet.

    A list of values is one annotator (called `annotator`); a list of lists needs to be told what a row
    is. A list of records and a mapping of columns are tables; a mapping of labels to probabilities,
    or a list of such distributions, is one annotator's answers. Plain values have the shape that is
    `meant`, that of a measure: tags are units, masses segments, sets of mentions chains.

    >>> as_annotations([["a", "b"], ["a", "a"]], orientation="annotators").annotators
    ('A1', 'A2')
    >>> as_annotations(["a", "b"], annotator="system").annotators
    ('system',)
    >>> as_annotations([{"x": 0.6, "y": 0.4}, {"x": 1.0}]).labels
    ('x', 'y')
    >>> as_annotations([2, 3, 6], meant="segments").masses(0, 0).tolist()
    [2, 3, 6]
    """
    return _read(given, options, annotator=annotator, meant=meant)


def _read(
    given: Given,
    options: Mapping[str, Any],
    *,
    annotator: str | None = None,
    meant: Shape | None = None,
    partly: bool = False,
) -> Annotations:
    """The annotations, which hold (unless they are read `partly`) every label that is recoded."""
    if is_annotations(given):
        return given
    if isinstance(given, Decided):
        return given.valued()
    from accord.reading import read_many
    from accord.reading.marks import MARKED, is_boundary_string

    told: dict[str, Any] = dict(options)
    meant = told.get("shape") or meant
    if meant == "segments" and is_boundary_string(given) and not Path(str(given)).exists():
        given = {"document": given}
        annotator = annotator or "annotator"
    if isinstance(given, (str, PathLike)):
        compared = annotator in ("reference", "system")
        side = side_options(Path(given), system=annotator == "system") if compared else {}
        return read_many([given], partly=partly, **{**side, **told})
    from accord.reading.lists import are_values

    if meant in MARKED and are_values(given):
        told["shape"] = meant
        if annotator is not None and isinstance(given, Mapping):
            told["annotator"] = annotator
    found = read_many([given], partly=partly, **told)
    named = found.provenance is not None and found.provenance.columns
    if annotator is not None and are_values(given) and not named and len(found.annotators) == 1:
        return rename(found, {found.annotators[0]: annotator})
    return found


def read_with(
    given: Given,
    options: Mapping[str, object],
    *,
    annotator: str | None = None,
    meant: Shape | None = None,
    but: Collection[str] = (),
) -> tuple[Annotations, dict[str, Any]]:
    """The annotations, read as those of these options say that are of reading; and the other options.

    What is `but` for whoever computes is no option of reading.
    """
    sides = Sides(options, but={*COMPUTING, *but}, partly=False, meant=meant)
    return sides.data(given, annotator), sides.left


def _refuse_unpaired(reference: Given, system: Given, meant: Shape | None) -> None:
    """Refuse lists of other lengths, and series of other items; of some of the items there may be none."""
    from accord.reading.lists import aligned, is_bare, labels_in, refuse_labels

    sides: dict[str, Any] = {"the reference": reference, "the system": system}
    if meant not in (None, "ratings") or not all(map(is_bare, sides.values())):
        return
    labels = [labels_in(one) for one in sides.values()]
    counted = [own is None or own == list(range(len(own))) for own in labels]
    if None in labels and all(counted):
        aligned(sides)
    elif not any(counted):
        ours, theirs = ({*(own or ())} for own in labels)
        if not (ours <= theirs or theirs <= ours):
            refuse_labels("the system", "the reference", theirs - ours)


def _refuse_other_texts(key: Annotations, of: Given, found: Annotations, given: Given) -> None:
    """Refuse tags of another number of words; files know their texts."""
    from accord.reading.lists import are_values
    from accord.reading.marks import refuse_other_lengths

    if are_values(of) and are_values(given):
        refuse_other_lengths(key, found)


def named_sides(function: Callable[..., T]) -> Callable[..., T]:
    """Let the sides of a score be named as other libraries name them: `y_true` and `y_pred`."""

    @wraps(function)
    def door(*given: Any, **named: Any) -> T:
        return function(*given, **{ELSEWHERE.get(name, name): own for name, own in named.items()})

    return door


def takes_sequences(
    meant: Callable[[Mapping[str, Any]], Shape | None] = lambda named: named.get("shape"),
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function of data take the answers of several people, each as a sequence of its own.

    When the first is one person's (a list of values, a series), the second is data too, and so are all
    that follow; what comes after them goes by its keyword. `meant` tells from the keywords which shape
    plain values have.

    >>> @takes_sequences()
    ... def people(data: Given, method: str = "majority") -> int:
    ...     return len(as_annotations(data).annotators)
    >>> people(["a", "b"], ["a", "a"], method="mean"), people(["a", "b"], "mean")
    (2, 1)
    """

    def made(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def door(*given: P.args, **named: P.kwargs) -> T:
            several = _sequences(given, meant(named)) if len(given) > 1 else 0
            if several < 2:
                return function(*given, **named)
            from accord.reading.lists import People

            whole: Any = (People(given[:several]), *given[several:])
            return function(*whole, **named)

        return door

    return made


def _sequences(given: Sequence[Any], shape: Shape | None) -> int:
    """How many of what was given by place are data, from the first on."""
    from accord.reading.lists import are_values, is_bare
    from accord.reading.marks import is_boundary_string

    def is_data(one: Any) -> bool:
        if isinstance(one, str):
            return shape == "segments" and is_boundary_string(one)
        return not is_annotations(one) and (are_values(one) or hasattr(type(one), "columns"))

    def names(one: Any) -> bool:
        return isinstance(one, (list, tuple)) and all(isinstance(word, str) for word in one)

    bare = is_bare(given[0], shape) or isinstance(given[0], str)
    # (what is no list of names can be no measure)
    others = [not is_data(one) or (names(one) and not bare) for one in given]
    return 0 if not is_data(given[0]) else [*others[1:], True].index(True) + 1


class Sides:
    """The data of a verb, and what is compared with them, read with the same options.

    Who is who is said of the data; where these are read already, of what is read beside them. A label
    that is recoded or merged is on one side at least: see :meth:`settle`.

    >>> sides = Sides({"recode": {"b": "a"}})
    >>> people, answers = sides.data(["a", "b"], "people"), sides.beside(["a", "a"], "system")
    >>> sides.settle()
    >>> people.labels, answers.labels
    (('a',), ('a',))
    """

    __slots__ = ("_data", "_meant", "_partly", "_read", "_rest", "_source", "_told")

    def __init__(
        self,
        options: Mapping[str, object],
        *,
        but: Collection[str] = (),
        partly: bool = True,
        meant: Shape | None = None,
    ) -> None:
        self._meant = meant
        known = {option.name for option in KEYWORDS}
        self._told = {n: v for n, v in options.items() if n in known and n not in but}
        self._rest = {n: v for n, v in options.items() if n not in self._told}
        self._partly = partly
        self._read: list[Annotations] = []
        self._data: Annotations | None = None
        self._source: Given = ()

    def data(self, given: Given, annotator: str | None = None, **changes: object) -> Annotations:
        """What the verb is about."""
        self._source, self._data = given, self._side(given, annotator, self._told | changes)
        return self._data

    def beside(self, given: Given, annotator: str, **changes: object) -> Annotations:
        """What is compared with the data; its items are numbered as theirs."""
        if annotator in ("reference", "system"):
            _refuse_unpaired(self._source, given, self._meant)
        told = self._told if not self._read else self._of_others()
        found = self._side(given, annotator, told | changes)
        if self._data is not None and self._meant == "units":
            _refuse_other_texts(self._data, self._source, found, given)
        return found if self._data is None else numbered_as(self._data, self._source, found, given)

    def _of_others(self) -> dict[str, Any]:
        return {name: value for name, value in self._told.items() if name not in ROLES}

    def _side(self, given: Given, annotator: str | None, told: Mapping[str, Any]) -> Annotations:
        # (a reference that is one already is looked at, not read)
        there = is_annotations(given) or isinstance(given, Decided)
        found = _read(given, told, annotator=annotator, meant=self._meant, partly=self._partly)
        if not there:
            self._read.append(found)
        return found

    @property
    def left(self) -> dict[str, Any]:
        """The options that are the verb's own: those of reading too, where nothing had to be read."""
        return self._rest if self._read else {**self._rest, **self._told}

    def settle(self, verb: str = "") -> None:
        """Refuse a label that no side has, and what is no option of a `verb` without any of its own."""
        if self._read and self._partly:
            refuse_unknown_labels(self._told, self._read)
        if verb and self._rest:
            word = next(iter(self._rest))
            known = [option.name for option in KEYWORDS]
            raise UsageError(f"{verb} has no option `{word}`" + did_you_mean(word, known, "`{}`"))
        if verb and self._told and not self._read:
            raise UsageError(
                f"`{next(iter(self._told))}` says how data are read, and these are read already: give "
                "it to accord.read"
            )


def refuse_unknown_labels(options: Mapping[str, Any], data: Sequence[Annotations]) -> None:
    """Refuse a label that is recoded or merged and stands in none of the data read `partly`."""
    from accord.reading.recode import refuse_unknown
    from accord.reading.request import options_of

    chosen, _ = options_of({n: options[n] for n in ("recode", "merge") if n in options})
    refuse_unknown(chosen, data)


def numbered_as(people: Annotations, of: Given, answers: Annotations, given: Given) -> Annotations:
    """The answers with their items numbered as those of the people, `of` and `given` being the sources.

    Rows of a table are numbered from 1, those of a dataframe that was filtered keep the labels from 0
    which its index had: taken for one another, every answer would stand beside its neighbour's.
    """
    if not isinstance(people, Ratings) or not isinstance(answers, Ratings):
        return answers
    ways = _numbering(people, of), _numbering(answers, given)
    if "index" not in ways or ways[0] == ways[1] or None in ways:
        return answers
    kept, counted = (people, answers) if ways[0] == "index" else (answers, people)
    labels = [int(label_of(name)) for name in kept.items]
    if "place" in ways or not all(0 <= label < counted.n_items for label in labels):
        raise InputError(
            f"items are named {some(list(map(str, labels)))} by the index of one dataframe, and are "
            f"numbered from 1 to {counted.n_items} beside it",
            hint="name them on both sides, in a column called item or by a named index, or number both "
            "with reset_index(drop=True)",
        )
    shift = -1 if counted is answers else 1
    return replace(answers, items=[int(label_of(name)) + shift for name in answers.items])


def _numbering(data: Ratings, given: Given) -> str | None:
    """What numbers the items: an "index" without a name, the "rows" of a frame, or their "place"."""
    index: Any = getattr(given, "index", None)
    of_pandas = hasattr(index, "names")
    item = data.provenance.columns.get("item") if data.provenance else None
    if item is None:
        plain = list(data.items) == list(range(1, data.n_items + 1))
        return ("rows" if of_pandas else "place") if plain else None
    alone = of_pandas and index.names == [None] and item not in getattr(given, "columns", ())
    whole = alone and all(label_of(name).lstrip("-").isdecimal() for name in data.items)
    return "index" if whole else None


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
