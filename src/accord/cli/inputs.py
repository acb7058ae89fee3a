"""Options shared by the commands that read annotations."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from accord.cli.output import be_quiet
from accord.errors import InputError, UsageError
from accord.language import speak

if TYPE_CHECKING:
    from accord.data import Annotations

Lang = Annotated[str, typer.Option("--lang", help="Language of what is written: en or fr.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="The answer alone: no notes, no progress.")
]
Format = Annotated[
    str | None, typer.Option("--format", help="Format of the file; else recognised.")
]
Shape = Annotated[
    str | None,
    typer.Option(
        "--shape", help="ratings, units, segments, chains, relations or boxes; else detected."
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        help="OURS=THEIRS: name a column, for example --column value=label; 'label=' says that there "
        "is none. Repeatable.",
    ),
]
Layout = Annotated[
    str | None,
    typer.Option(
        "--columns", help="Names of all columns in order, for files without a header: word,_,label."
    ),
]
Wide = Annotated[
    bool | None,
    typer.Option(
        "--wide/--long", help="One column per annotator, or not; else seen from the columns."
    ),
]
Rows = Annotated[
    str | None,
    typer.Option("--rows", help="What a row of a wide table is: items or annotators; else told."),
]
Counts = Annotated[
    bool, typer.Option("--counts", help="One column per category: how many chose it.")
]
Encoding = Annotated[
    str | None, typer.Option("--encoding", help="Encoding of text files, such as cp1252.")
]
Annotators = Annotated[
    str | None, typer.Option("--annotators", help="Who counts as an annotator: a,b; else all.")
]
Without = Annotated[str | None, typer.Option("--without", help="Annotators to leave out: a,b.")]
Documents = Annotated[
    str | None, typer.Option("--documents", help="Documents to read: d1,d2; else all.")
]
Items = Annotated[str | None, typer.Option("--items", help="Items to read: i1,i2; else all.")]
Systems = Annotated[
    str | None, typer.Option("--systems", help="Annotators in the data that are systems: a,b.")
]
ReferenceAnnotator = Annotated[
    str | None, typer.Option("--reference-annotator", help="Annotator that is the reference.")
]
Groups = Annotated[
    str | None,
    typer.Option("--groups", help="Groups of annotators: a table annotator,group, or a column."),
]
Rename = Annotated[
    list[str] | None,
    typer.Option(
        "--rename", help="OLD=NEW: another name for an annotator; FILE:OLD=NEW in one file."
    ),
]
PathPattern = Annotated[
    str | None,
    typer.Option("--path", help="What paths say: '{annotator}/{document}.ann'."),
]
Categories = Annotated[
    str | None,
    typer.Option(
        "--categories",
        help="Declared categories: a,b,c, or a file, one a line; 'a<b<c' says their order.",
    ),
]
Ordered = Annotated[
    bool, typer.Option("--ordered", help="The declared categories are in order, as typed.")
]
MissingValues = Annotated[
    list[str] | None,
    typer.Option(
        "--missing-values",
        help="Words that mean 'no value' beside NA, n/a, null, - and the like: 999,x; '' alone for "
        "none but empty cells. Repeatable.",
    ),
]
KeepValues = Annotated[
    list[str] | None,
    typer.Option("--keep-values", help="Words that are values all the same: -,NA. Repeatable."),
]
Recode = Annotated[
    list[str] | None,
    typer.Option("--recode", help="OLD=NEW: another name for a label. Repeatable."),
]
Merge = Annotated[
    list[str] | None,
    typer.Option("--merge", help="NEW=A,B: one label for several. Repeatable."),
]
Values = Annotated[
    str | None, typer.Option("--values", help="categories, numbers or sets; else guessed.")
]
Separator = Annotated[
    str | None, typer.Option("--separator", help="What separates the labels of a set-valued cell.")
]
Multiple = Annotated[
    bool,
    typer.Option("--multiple", help="Items have several labels: one row for each of them."),
]
NoneWord = Annotated[
    str | None,
    typer.Option("--none", help="The label that means none of them: the empty set, as {} does."),
]
Duplicates = Annotated[
    str,
    typer.Option(
        "--duplicates",
        help="Same annotator, same item or unit: error, first, last, mode; units: keep.",
    ),
]
Lengths = Annotated[
    Path | None, typer.Option("--lengths", help="Table document,length of the continua.")
]
Coverage = Annotated[
    Path | None, typer.Option("--coverage", help="Table document,annotator: who saw what.")
]
UnitsBeside = Annotated[
    Path | None,
    typer.Option("--units", help="Relations: the annotators' units, in a relation or not."),
]
Seen = Annotated[
    str | None,
    typer.Option(
        "--seen",
        help="Who saw what: all, marked (those who marked something there), or a table "
        "document,annotator.",
    ),
]
Length = Annotated[float | None, typer.Option("--length", help="Length of every continuum.")]
Annotator = Annotated[
    str | None, typer.Option("--annotator", help="Annotator of a single-annotator file.")
]
Layer = Annotated[str | None, typer.Option("--layer", help="Annotation layer to read.")]
Feature = Annotated[str | None, typer.Option("--feature", help="Feature that holds the label.")]
AnnotatorFrom = Annotated[
    str | None,
    typer.Option(
        "--annotator-from",
        help="What names the annotator: folder, file, tier, author, or a key of COCO records.",
    ),
]
Offsets = Annotated[
    str | None,
    typer.Option("--offsets", help="What offsets count: code-points, utf-16 or graphemes."),
]
Discontinuous = Annotated[
    str, typer.Option("--discontinuous", help="Discontinuous units: hull, fragments or drop.")
]
Points = Annotated[bool, typer.Option("--points", help="Keep units of length zero.")]
Predictions = Annotated[
    bool, typer.Option("--predictions", help="Read systems' predictions as annotators too.")
]
Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        help="What counts large tables: auto (by size), eager, duckdb, polars, spark or dask.",
    ),
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Write onto files that are read, and into full folders.")
]
Curation = Annotated[
    str, typer.Option("--curation", help="Adjudicated annotations: leave-out, include or only.")
]


_ROLES = ("annotators", "without", "systems", "reference_annotator", "groups", "rename")


#: parameters of commands that name files to be written
_WRITTEN = frozenset(
    {
        "annotator_details",
        "csv",
        "html",
        "latex",
        "output",
        "plot",
        "propose",
        "propose_distances",
        "svg",
        "target",
        "together",
        "worklist",
    }
)


@dataclass(frozen=True, slots=True)
class How:
    """How to read: the format, and the keyword arguments of :func:`accord.read`."""

    format: str | None
    options: dict[str, Any]
    #: the same as words of a command line, to be shown in a command that reads the same data
    words: tuple[str, ...] = ()
    #: whether files that are read, and folders that are full, may be written onto
    overwrite: bool = False
    #: language of what is written for people
    lang: str = "en"

    def read(self, *paths: Path, **changes: Any) -> Annotations:
        """Read one file, or several as one campaign."""
        from accord.cli.progress import progress_bar
        from accord.reading import read_many

        with progress_bar(_reading(paths)):
            found = read_many(paths, format=self.format, **{**self.options, **changes})
        if self.lang != "en":
            from accord.data.vocabulary import vocabulary
            from accord.language import keep

            keep(vocabulary(found))
        return found

    def read_other(self, path: Path, **changes: Any) -> Annotations:
        """Read a file beside the data, of which nobody said who is who."""
        return self.read(path, partly=True, **(dict.fromkeys(_ROLES) | changes))

    def refuse_unknown_labels(self, *data: Annotations | None) -> None:
        """Refuse a label that is recoded or merged and stands in none of the files read `partly`."""
        from accord.reading.recode import refuse_unknown
        from accord.reading.request import options_of

        chosen, _ = options_of({name: self.options[name] for name in ("recode", "merge")})
        refuse_unknown(chosen, [one for one in data if one is not None])

    def changed(self, **options: Any) -> How:
        """The same, told otherwise."""
        return replace(self, options={**self.options, **options})

    def read_reference(self, path: Path) -> Annotations:
        """Read what systems are scored against; a folder of chains has one file per document."""
        from accord.reading.given import side_options

        told = any(self.options.get(name) for name in (*_ROLES, "annotator"))
        side = {} if told else side_options(path, system=False, format=self.format)
        return self.read(path, partly=True, **side)

    def read_system(self, path: Path, **changes: Any) -> Annotations:
        """Read a system's answers: files that name nobody are all the system's.

        Exports of platforms name their annotators, who stay as they are to be chosen among.
        """
        from accord.formats import detect
        from accord.reading.given import side_options

        # who is who was said of the other file
        changes = dict.fromkeys(_ROLES) | changes
        if path.exists():
            changes |= side_options(path, system=True, format=self.format)
            if detect(path, self.format).collect is None:
                changes["annotator"] = self.options["annotator"] or path.stem
        return self.read(path, partly=True, **changes)

    def read_with_systems(
        self, data: Path, systems: Sequence[Path], **changes: Any
    ) -> tuple[Annotations, dict[str, Annotations]]:
        """The people of a file, and the systems: those that stand in it, and those in files."""
        from accord.data.roles import systems_of
        from accord.evaluation.entrants import free_name

        people = self.read(data, partly=True, **changes)
        found = systems_of(people)
        for path in systems:
            name = free_name(path.stem, {*found, *people.annotators})
            # a system's table may lack the columns that tell the shape: it has that of the people's
            found[name] = self.read_system(path, **{"shape": people.shape, **changes})
        self.refuse_unknown_labels(people, *found.values())
        return people, found


def _reading(paths: Sequence[Path]) -> str:
    """What is shown while files are read."""
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"reading {paths[0].name}{more}" if paths else "reading"


def require_one(data: Annotations, path: Path, hint: str) -> None:
    """A system, or a reference to score against, is one annotator; `hint` says how to choose."""
    from accord.errors import some

    if len(data.annotators) > 1:
        raise InputError(
            f"holds {len(data.annotators)} annotators: {some(data.annotators)}",
            path=path,
            hint=hint,
        )


def reads(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command every option that says how to read; it receives them as one `how`.

    An option of the same name that the command has of its own means what the command says.
    """

    def run(shared: Mapping[str, Any], given: dict[str, Any]) -> None:
        chosen = {name: given.pop(name) for name in shared}
        _refuse_to_overwrite_inputs(given | chosen)
        command(how=replace(_how(**chosen), words=_words(chosen)), **given)

    return _with_options_of(_how, command, run)


def told(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that reads no annotations the options of how it speaks."""

    def run(shared: Mapping[str, Any], given: dict[str, Any]) -> None:
        _heard(**{name: given.pop(name) for name in shared})
        command(**given)

    return _with_options_of(_heard, command, run)


def _with_options_of(
    other: Callable[..., Any],
    command: Callable[..., None],
    run: Callable[[Mapping[str, Any], dict[str, Any]], None],
) -> Callable[..., None]:
    """A command with the options of another function beside its own; `run` gets what was typed."""
    own = [
        p
        for p in inspect.signature(command).parameters.values()
        if p.name != "how" and p.kind is not p.VAR_KEYWORD
    ]
    mine = {p.name for p in own}
    shared = {n: p for n, p in inspect.signature(other).parameters.items() if n not in mine}
    hints = get_type_hints(other, include_extras=True) | get_type_hints(
        command, include_extras=True
    )
    parameters = [
        p.replace(annotation=hints[p.name], kind=p.KEYWORD_ONLY) for p in (*own, *shared.values())
    ]

    def whole(**given: Any) -> None:
        run(shared, given)

    whole.__name__, whole.__doc__ = command.__name__, command.__doc__
    # typer reads the options of a command from its signature
    whole.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    whole.__annotations__ = {p.name: p.annotation for p in parameters}
    return whole


def _heard(*, quiet: Quiet = False, lang: Lang = "en") -> None:
    """How a command speaks: the answer alone, and in which language."""
    if quiet:
        be_quiet()
    speak(lang)


def _how(
    *,
    format: Format = None,  # noqa: A002
    shape: Shape = None,
    column: Columns = None,
    columns: Layout = None,
    wide: Wide = None,
    rows: Rows = None,
    counts: Counts = False,
    encoding: Encoding = None,
    annotators: Annotators = None,
    without: Without = None,
    documents: Documents = None,
    items: Items = None,
    systems: Systems = None,
    reference_annotator: ReferenceAnnotator = None,
    groups: Groups = None,
    rename: Rename = None,
    path_pattern: PathPattern = None,
    categories: Categories = None,
    ordered: Ordered = False,
    missing_values: MissingValues = None,
    keep_values: KeepValues = None,
    recode: Recode = None,
    merge: Merge = None,
    values: Values = None,
    separator: Separator = None,
    multiple: Multiple = False,
    none: NoneWord = None,
    duplicates: Duplicates = "error",
    lengths: Lengths = None,
    coverage: Coverage = None,
    units: UnitsBeside = None,
    seen: Seen = None,
    length: Length = None,
    annotator: Annotator = None,
    annotator_from: AnnotatorFrom = None,
    layer: Layer = None,
    feature: Feature = None,
    offsets: Offsets = None,
    discontinuous: Discontinuous = "hull",
    points: Points = False,
    predictions: Predictions = False,
    curation: Curation = "leave-out",
    engine: Engine = "auto",
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    lang: Lang = "en",
) -> How:
    """The command line's words as keyword arguments of :func:`accord.read`."""
    _heard(quiet=quiet, lang=lang)
    mapping = named_columns(column)
    if mapping and columns is not None:
        raise UsageError("--columns names all columns in order, --column some: give one of them")
    options = {
        "shape": _one_of("--shape", shape, _shapes()),
        "columns": mapping if columns is None else columns,
        "wide": wide,
        "rows": rows,
        "counts": counts,
        "encoding": encoding,
        "annotators": annotators,
        "without": without,
        "documents": documents,
        "items": items,
        "systems": systems,
        "reference_annotator": reference_annotator,
        "groups": groups,
        "rename": rename,
        "path": path_pattern,
        "categories": _listed(categories),
        "ordered": ordered,
        "missing_values": _each(missing_values),
        "keep_values": _each(keep_values),
        "recode": recode,
        "merge": merge,
        "values": _one_of("--values", values, ("categories", "numbers", "sets")),
        "separator": separator,
        "multiple": multiple,
        "none": none,
        "duplicates": _one_of(
            "--duplicates", duplicates, ("error", "first", "last", "mode", "keep")
        ),
        "lengths": lengths,
        "coverage": coverage,
        "units": units,
        "seen": seen,
        "length": length,
        "annotator": annotator,
        "annotator_from": annotator_from,
        "layer": layer,
        "feature": feature,
        "offsets": offsets,
        "discontinuous": discontinuous,
        "points": points,
        "predictions": predictions,
        "curation": curation,
        "engine": _one_of(
            "--engine", engine, ("auto", "eager", "duckdb", "polars", "spark", "dask")
        ),
    }
    return How(format, options, overwrite=overwrite, lang=lang)


#: names of all that may be said about reading
READING = frozenset(inspect.signature(_how).parameters)


def _refuse_to_overwrite_inputs(given: Mapping[str, Any]) -> None:
    """A file that was read is written onto only when that was asked for."""
    if given["overwrite"]:
        return
    paths: dict[str, list[Path]] = {
        name: [p for p in (value if isinstance(value, list) else [value]) if isinstance(p, Path)]
        for name, value in given.items()
    }
    read = [p for name, found in paths.items() if name not in _WRITTEN for p in found]
    for name in _WRITTEN & paths.keys():
        for target in paths[name]:
            for source in read:
                if target.exists() and source.exists() and _holds(target, source):
                    raise UsageError(
                        f"{target} is read by this command; write elsewhere, or pass `overwrite=True`"
                    )


def _holds(target: Path, source: Path) -> bool:
    """Whether writing the target would replace the source: it is the same, or the folder of it."""
    one, other = target.resolve(), source.resolve()
    return one == other or (one.is_dir() and one in other.parents and any(one.iterdir()))


#: parameters whose option is called otherwise
_SPELT = {"path_pattern": "path"}


#: what changes nothing of what is read
_NO_READING = ("quiet", "lang", "overwrite")


def _words(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The options that differ from their defaults, as they are typed."""
    words: list[str] = []
    for name, parameter in inspect.signature(_how).parameters.items():
        value = given.get(name, parameter.default)
        if value == parameter.default or value in (None, []) or name in _NO_READING:
            continue
        option = f"--{_SPELT.get(name, name.replace('_', '-'))}"
        if name == "documents" and Path(value).is_file():
            # (as it was called once; what is shown is to be typed from now on)
            option = "--lengths"
        if value is True:
            words.append(option)
            continue
        for one in value if isinstance(value, list) else [value]:
            words += [option, shlex.quote(str(one))]
    return tuple(words)


def _each(typed: Sequence[str] | None) -> tuple[str, ...] | None:
    """All words of an option that is given once or often, each time perhaps several."""
    return None if typed is None else tuple([w for text in typed for w in text.split(",")])


def _listed(text: str | None) -> tuple[str, ...] | None:
    """Names given as a,b,c or as a file with one a line."""
    if text is None:
        return None
    path = Path(text)
    if "," not in text and path.is_file():
        return tuple(line for line in path.read_text(encoding="utf-8").splitlines() if line)
    return tuple(part.strip() for part in text.split(",") if part.strip())


def named_columns(typed: Sequence[str] | None) -> dict[str, str]:
    """What `--column` says: our name of a column → theirs."""
    mapping = {}
    for pair in typed or ():
        ours, equals, theirs = pair.partition("=")
        if not equals or not ours.strip():
            raise UsageError(f"--column must be OURS=THEIRS, got {pair!r}")
        mapping[ours.strip()] = theirs.strip()
    return mapping


def _shapes() -> tuple[str, ...]:
    from accord.data.protocol import SHAPES

    return SHAPES


def _one_of(option: str, value: str | None, allowed: tuple[str, ...]) -> str | None:
    if value is not None and value not in allowed:
        raise UsageError(f"{option} must be one of {', '.join(allowed)}, got {value!r}")
    return value
