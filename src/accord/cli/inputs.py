"""Options shared by the commands that read annotations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.cli.keywords import LANG, OVERWRITE, QUIET, READ_AS, VERBOSE
from accord.cli.output import be_quiet, be_verbose
from accord.cli.parameters import typed_again, untyped, with_options
from accord.errors import UsageError
from accord.language import speak
from accord.options.reading import READING, READING_PANEL, ROLES

if TYPE_CHECKING:
    from accord.data import Annotations, Ratings

#: the options of reading that a terminal has
_TYPED = tuple(
    [o.but(panel=o.panel or READING_PANEL) for o in (READ_AS, *READING) if not o.python_only]
)
#: what every command has that speaks, and that reads
_SPEAKS = (QUIET, VERBOSE, LANG)
_READS = (*_TYPED, OVERWRITE, *_SPEAKS)

#: parameters of commands that name files or folders to be written
WRITTEN = frozenset(
    {"annotator_details", "csv", "export", "html", "latex", "output", "plot", "propose",
     "propose_distances", "salvage", "svg", "tables", "target", "together", "worklist"}
)  # fmt: skip
#: endings of what is made to be looked at: in a folder that was read, no reader takes it
_SHOWN = (".html", ".svg", ".png", ".pdf", ".tex", ".md")


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

    @property
    def speaking(self) -> str:
        """What a command that is shown needs to speak the same language."""
        return "" if self.lang == "en" else f" --lang {self.lang}"

    def read(self, *paths: Path, **changes: Any) -> Annotations:
        """Read one file, or several as one campaign."""
        from accord.cli.progress import progress_bar
        from accord.reading import read_many

        with progress_bar(_reading(paths)):
            found = read_many(paths, format=self.format, **{**self.options, **changes})
        if self.lang != "en":
            from accord.data.names import vocabulary
            from accord.language import keep

            keep(vocabulary(found))
        return found

    def read_other(self, *paths: Path, **changes: Any) -> Annotations:
        """Read what stands beside the data, of which nobody said who is who."""
        return self.read(*paths, partly=True, **(dict.fromkeys(ROLES) | changes))

    def refuse_unknown_labels(self, *data: Annotations | None) -> None:
        """Refuse a label that is recoded or merged and stands in none of the files read `partly`."""
        from accord.reading.given import refuse_unknown_labels

        refuse_unknown_labels(self.options, [one for one in data if one is not None])

    def changed(self, **options: Any) -> How:
        """The same, told otherwise."""
        return replace(self, options={**self.options, **options})

    def read_reference(self, path: Path) -> Annotations:
        """Read what systems are scored against; a folder of chains has one file per document."""
        from accord.reading.given import side_options

        told = any(self.options.get(name) for name in (*ROLES, "annotator"))
        side = {} if told else side_options(path, system=False, format=self.format)
        return self.read(path, partly=True, **side)

    def read_system(self, path: Path, **changes: Any) -> Annotations:
        """Read a system's answers: files that name nobody are all the system's.

        Exports of platforms name their annotators, who stay as they are to be chosen among.
        """
        from accord.formats import detect
        from accord.reading.given import side_options

        # who is who was said of the other file
        changes = dict.fromkeys(ROLES) | changes
        if path.exists():
            changes |= side_options(path, system=True, format=self.format)
            if detect(path, self.format).collect is None:
                changes["annotator"] = self.options["annotator"] or path.stem
        return self.read(path, partly=True, **changes)

    def read_ratings(self, paths: Sequence[Path], what: str) -> Ratings:
        """Read data that must be ratings; `what` they are needed for, as "sample sizes are"."""
        from accord.data import Ratings

        found = self.read(*paths)
        if not isinstance(found, Ratings):
            raise UsageError(f"{what} for ratings, these data are {found.shape}")
        return found

    def read_people(
        self,
        data: Path,
        paths: Sequence[Path] | None,
        system_annotator: str | None,
        *,
        each: bool,
        alone: bool = False,
    ) -> tuple[Annotations, dict[str, Annotations]]:
        """Read the people, and the systems: those that stand in their file, and those of other files.

        People may be `alone` where it is told later whether systems are needed.
        """
        from accord.data.roles import systems_of
        from accord.evaluation.entrants import (
            NO_SYSTEM,
            entrants_of,
            free_name,
            is_name,
            systems_in,
            told_apart,
        )

        people = self.read(data, partly=True)
        entrants = entrants_of(list(paths or ()), people)
        people, _ = told_apart(people, entrants)
        found = systems_of(people)
        for path in [Path(str(own)) for own in entrants.values() if not is_name(own)]:
            taken = {*found, *people.annotators}
            # a system's table may lack the columns that tell the shape: it has that of the people's
            answers = self.read_system(path, shape=people.shape)
            found |= systems_in(
                answers,
                free_name(path.stem, taken),
                system_annotator=system_annotator,
                each=each,
                path=path,
                taken=taken,
            )
        self.refuse_unknown_labels(people, *found.values())
        if not found and not alone:
            raise UsageError(NO_SYSTEM)
        return people, found


def _reading(paths: Sequence[Path]) -> str:
    """What is shown while files are read."""
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"reading {paths[0].name}{more}" if paths else "reading"


def reads(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command every option that says how to read; it receives them as one `how`."""

    def run(typed: dict[str, Any], given: dict[str, Any]) -> None:
        command(how=_how(typed), **given)

    return with_options(command, _READS, run, _refuse_to_overwrite_inputs)


def told(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that reads no annotations the options of how it speaks."""

    def run(typed: dict[str, Any], given: dict[str, Any]) -> None:
        _heard(**typed)
        command(**given)

    return with_options(command, _SPEAKS, run, _refuse_to_overwrite_inputs)


def _heard(*, quiet: bool = False, verbose: bool = False, lang: str = "en") -> None:
    """How a command speaks: the answer alone or everything, and in which language."""
    if quiet:
        be_quiet()
    if verbose:
        be_verbose()
    speak(lang)


def _how(typed: dict[str, Any]) -> How:
    """The command line's words as keyword arguments of :func:`accord.read`."""
    _heard(quiet=typed["quiet"], verbose=typed["verbose"], lang=typed["lang"])
    options = {o.name: typed.get(o.name, untyped(o)) for o in _TYPED}
    file_format, layout = options.pop("format"), options.pop("layout")
    columns = named_columns(options["columns"])
    if columns and layout is not None:
        raise UsageError("--columns names all columns in order, --column some: give one of them")
    options["columns"] = columns if layout is None else layout
    for option in _TYPED:
        value = options.get(option.name)
        if option.choices and not option.file:
            option.checked(value)
        if option.repeatable and value is not None:
            options[option.name] = tuple([w for text in value for w in text.split(",")])
    again = dict(typed)
    if Path(typed.get("documents") or "").is_file():
        # (as it was called once; what is shown is to be typed from now on)
        again["lengths"] = again.pop("documents")
    return How(
        file_format,
        options,
        words=typed_again(_TYPED, again),
        overwrite=typed.get("overwrite", False),
        lang=typed["lang"],
    )


def _refuse_to_overwrite_inputs(given: Mapping[str, Any]) -> None:
    """A file that was read is written onto only when that was asked for."""
    if given.get("overwrite"):
        return
    written: list[Path] = []
    read: list[Path] = []
    for name, value in given.items():
        # (a word may be a file: a table of lengths, a matrix)
        several = value if isinstance(value, list) else [value]
        paths = [Path(p) for p in several if isinstance(p, (str, Path)) and _there(p)]
        (written if name in WRITTEN or _old_name(name, value, given) else read).extend(paths)
    for target in written:
        if any(_replaces(target, source) for source in read):
            more = ", or pass `overwrite=True`" if "overwrite" in given else ""
            raise UsageError(f"{target} is read by this command; write elsewhere{more}")


def _there(path: str | Path) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a word that is too long for a name
        return False


def _old_name(name: str, value: object, given: Mapping[str, Any]) -> bool:
    """``gold --annotators FILE`` was the table of annotators, which is written."""
    return name == "annotators" and "annotator_details" in given and old_details(value) is not None


def old_details(annotators: object) -> Path | None:
    """The file that ``--annotators`` names, which chose nobody once."""
    path = Path(annotators) if isinstance(annotators, str) else None
    return path if path is not None and path.suffix.lower() in (".csv", ".tsv") else None


def _replaces(target: Path, source: Path) -> bool:
    """Whether writing the target would replace the source: it is the same, its folder, or a part."""
    one, other = target.resolve(), source.resolve()
    if other.is_dir() and other in one.parents:
        return one.suffix.lower() not in _SHOWN and one.is_file()
    return one == other or (one.is_dir() and one in other.parents)


def names(given: Sequence[str] | None) -> tuple[str, ...]:
    """Options that may be repeated or hold a,b,c."""
    return tuple(p.strip() for text in given or () for p in text.split(",") if p.strip())


def numbers(option: str, text: str | None) -> list[float] | None:
    """Numbers that commas separate; None where nothing was typed."""
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"{option} must be numbers separated by commas, got {text!r}") from None


def named_columns(typed: Sequence[str] | None) -> dict[str, str]:
    """What `--column` says: our name of a column → theirs."""
    mapping = {}
    for pair in typed or ():
        ours, equals, theirs = pair.partition("=")
        if not equals or not ours.strip():
            raise UsageError(f"--column must be OURS=THEIRS, got {pair!r}")
        mapping[ours.strip()] = theirs.strip()
    return mapping
