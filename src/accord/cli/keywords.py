"""What several commands can be told, each said once.

An option of a command is a keyword annotated with :class:`accord.options.Said`, an argument a
parameter before them; those of one command alone stand in its signature.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from accord.cli.parameters import offered
from accord.errors import UsageError
from accord.language import LANGUAGES
from accord.options import LEVEL, RESAMPLES, USUAL, Option, Said
from accord.options.reading import FORMAT, READING_PANEL

if TYPE_CHECKING:
    from accord.printed import Printable
    from accord.study import Certainty

#: the panels of help pages, beside those of reading and of measures
WHICH = "Which measure"
INTERVAL = "Intervals and randomness"
OUTPUT = "Output"
#: an option in one of them
Which = partial(Said, panel=WHICH)
Random = partial(Said, panel=INTERVAL)
Output = partial(Said, panel=OUTPUT)
OfMeasure = partial(Which, typed="--measure -m")


def measure_names(incomplete: str) -> list[tuple[str, str]]:
    """Names of measures that begin so, for shell completion."""
    import accord.evaluation  # noqa: F401 enrols what lives beside the measures
    from accord.measures import enrolled

    title = {m.name: m.title for m in enrolled()}
    return [(name, title[name.rpartition(",")[2]]) for name in offered(title, incomplete)]


def formats_read(incomplete: str) -> list[str]:
    """Names of formats that begin so."""
    from accord.formats import listed

    return offered(sorted(f.name for f in listed()), incomplete)


def formats_written(incomplete: str) -> list[str]:
    """The same of those that can be written."""
    from accord.formats import listed

    return offered(sorted(f.name for f in listed() if f.writes), incomplete)


Data = Annotated[list[Path], Said("Files, or folders, of one campaign.")]
Measures = Annotated[
    list[str] | None,
    OfMeasure(
        "Measures by name: a,b,c, or all; accord measures lists them. By default the one that suits "
        "the data.",
        words=measure_names,
        first=True,
    ),
]
AgreeBy = Annotated[
    list[str] | None,
    Which(
        "Breakdowns: a,b,c. All: pair, annotator, document. Ratings: category, item, time, confusion, "
        "coincidence, repeats; sets: label. Units: category. Chains: item, mention, unmatched. "
        "Relations: label. Boxes: label, errors.",
        words="pair annotator document category item time confusion coincidence repeats label mention "
        "unmatched errors",
        first=True,
    ),
]
#: what `metric` takes, for commands whose options are not made from the measures' records
METRICS = (
    "nominal, ordinal, interval, ratio, circular, bipolar, linear, jaccard, masi, edit, token-f1, "
    "cosine, euclidean, kendall, footrule, bracket-f1, path, wu-palmer, or a file"
)
Metric = Annotated[str | None, Said(f"Distance of α: {METRICS}.", first=True)]
Ci = Annotated[
    str | None,
    Random(
        "auto (by default), dirichlet, bootstrap, jackknife, analytic, krippendorff or none.",
        words="auto dirichlet bootstrap jackknife analytic krippendorff none",
        first=True,
    ),
]
Level = Annotated[float, Random("Level of the interval.")]
Levels = Annotated[float, Random("Level of the intervals.")]
Resamples = Annotated[int, Random("Resamples of the interval.")]
Seed = Annotated[int, Random("Seed of everything random.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """How sure a value is to be said."""

    ci: Ci = None
    level: Level = LEVEL
    resamples: Resamples = RESAMPLES
    seed: Seed = 0
    unit: Annotated[
        str | None,
        Random(
            "What is resampled: item, document, or annotator.",
            words="item document annotator",
        ),
    ] = None
    threshold: Annotated[
        list[float] | None,
        Random("The probability that the true value is below it. Repeatable."),
    ] = None

    def certainty(self) -> Certainty:
        """Return the same as a study takes it."""
        from accord.study.ask import certainty_of

        return certainty_of(
            self.ci or USUAL, self.level, self.resamples, self.seed, self.unit, self.threshold
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """The table of a command for a paper."""

    latex: Annotated[Path | None, Output("Write the table for LaTeX into this file.")] = None
    markdown: Annotated[bool, Output("Print the table as Markdown.")] = False

    def shows(self, found: Printable, *, as_json: bool) -> bool:
        """Write and print what was asked for; True where that is what is printed."""
        if self.markdown and as_json:
            raise UsageError("--markdown and --json both print: leave one out")
        if self.latex is not None:
            from accord.files.atomic import write_text

            write_text(self.latex, found.to_latex() + "\n")
        if self.markdown:
            print(found.to_markdown())  # noqa: T201
        return self.markdown


Jobs = Annotated[int, Random("Worker processes; -1 for all cores.")]

AsJson = Annotated[bool, Output("Print one JSON document.", typed="--json", first=True)]
FailUnder = Annotated[float | None, Output("Exit with 1 when a value is below this.", first=True)]
FailOn = Annotated[
    str,
    Output("What is held against the threshold: value, or low, its limit.", words="value low"),
]
Svg = Annotated[Path | None, Output("Draw into this SVG file.", first=True)]
WriteAs = Annotated[
    str | None,
    Output(
        "Format to write, where the ending does not tell.",
        typed="--to",
        words=formats_written,
        first=True,
    ),
]
BlankTexts = Annotated[bool, Said("Write blanks where a text is not known.", panel=READING_PANEL)]
Texts = Annotated[
    Path | None,
    Said(
        "The texts: a CSV (item,text or document,text) or a folder of .txt files.",
        panel=READING_PANEL,
        first=True,
    ),
]

SystemAnnotator = Annotated[
    str | None, Said("Annotator of the system files that is the system.", first=True)
]
Each = Annotated[bool, Said("Each annotator of the system files is a system of its own.")]
PriceOfAHuman = Annotated[
    float, Said("Price of a human: .2 experts, .15 skilled, .1 crowd.", first=True)
]
Method = Annotated[
    str | None, Said("Who proposes: a method of accord gold.", typed="--method -m", first=True)
]
Blind = Annotated[bool, Said("Do not show who said what.")]
NewLabels = Annotated[bool, Said("Decisions may use labels that nobody used.")]
Who = Annotated[str | None, Said("Who made the decisions of a file that does not say.")]

READ_AS = FORMAT.but(words=formats_read)
OVERWRITE = Option(
    "overwrite", bool, "Write onto files that are read, and into full folders.", default=False,
    panel=OUTPUT,
)  # fmt: skip
QUIET = Option(
    "quiet", bool, "The answer alone: no notes, no progress.", default=False, typed="--quiet -q",
    panel=OUTPUT,
)  # fmt: skip
VERBOSE = Option(
    "verbose", bool, "Also how it was measured, every figure, every finding.", default=False,
    panel=OUTPUT,
)  # fmt: skip
LANG = Option(
    "lang", str, "Language of what is written: en or fr.", default="en", choices=LANGUAGES, panel=OUTPUT,
    first=True,
)  # fmt: skip
