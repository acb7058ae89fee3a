"""The report: one self-contained page on a campaign, whatever its shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accord.audit.finding import Finding
from accord.audit.recommendation import sentence
from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.header import under_title
from accord.data.names import vocabulary
from accord.data.progress import stages
from accord.data.reading import Reading
from accord.errors import AccordError, UsageError
from accord.files.atomic import write_text
from accord.language import page_script, speaking, translator
from accord.measures import enrolled, find
from accord.options import LEVEL, RESAMPLES
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import COMPUTING, Given, Sides, takes_sequences
from accord.report.aligned import aligned
from accord.report.chain_explorer import SCRIPTS as CHAIN_SCRIPTS
from accord.report.chain_explorer import (
    ChainExplorer,
    Compared,
    chain_explorer,
    compared,
    compared_annotators,
)
from accord.report.explorer import SCRIPTS, Explorer, embeddable, explorer
from accord.report.figure import Table
from accord.report.first_screen import screen_of
from accord.report.images import SCRIPTS as IMAGE_SCRIPTS
from accord.report.images import Images, images_explorer
from accord.report.relations_page import relations_explorer
from accord.report.section import Section
from accord.report.sections.aligned_examples import divided_units
from accord.report.sections.annotators import annotators_section
from accord.report.sections.chain_errors import chain_errors_section
from accord.report.sections.documents import documents_section
from accord.report.sections.evaluation import evaluation_section
from accord.report.sections.examples import Behind, divided_items
from accord.report.sections.judges import systems_section
from accord.report.sections.method import method_section
from accord.report.sections.of_boxes import boxes_sections
from accord.report.sections.of_chains import chains_sections, divided_mentions
from accord.report.sections.of_ratings import ratings_sections
from accord.report.sections.of_relations import divided_relations, relations_sections
from accord.report.sections.of_segments import divided_boundaries, segments_sections
from accord.report.sections.of_units import by_category, units_sections
from accord.report.sections.overview import findings_section, headline
from accord.report.sections.ranks import ranks_section
from accord.report.sections.workload import time_section, workload_section
from accord.report.template import render, script, style
from accord.result import Result, Row, to_plain
from accord.simulate.translation import translate
from accord.study import Certainty, Studies, Study, entered
from accord.study.ask import Ask
from accord.version import __version__

#: heading of a page that was given none
TITLE = "Annotation report"
#: bytes of alignments embedded at most, and rows of a table: the page stays under 3 MB
_EXPLORER_BYTES, _TABLE_ROWS = 1_700_000, 1_000

#: the steps of a page, and about how long each takes of a hundred, as measured on real sets of each shape
_STEPS = (
    "measures", "findings", "annotators", "shape", "documents", "systems", "categories", "pictures",
)  # fmt: skip
_EFFORT: Mapping[str, tuple[float, ...]] = {
    "ratings": (8, 20, 60, 8, 1, 1, 1, 1),
    "units": (40, 3, 18, 12, 3, 0, 24, 0),
    "relations": (19, 1, 41, 21, 0, 0, 18, 0),
    "boxes": (49, 13, 12, 13, 0, 0, 0, 13),
    "chains": (6, 8, 20, 7, 6, 0, 0, 53),
    "segments": (60, 15, 15, 5, 5, 0, 0, 0),
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Report:
    """What the page shows, before it is written."""

    title: str
    results: Sequence[Result]
    headlines: Sequence[Mapping[str, Any]]
    sections: Sequence[Section]
    reading: Reading
    explorer: Explorer | None = None
    #: the texts with the entities of two sides
    chains: ChainExplorer | None = None
    #: the images with the shapes of all annotators
    images: Images | None = None
    notes: tuple[str, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    #: the first measure by category, and the sentence for a paper
    categories: Sequence[Row] = ()
    sentence: str = ""
    annotators: int = 0
    #: language of the page, and names of the data that are no words of ours
    lang: str = "en"
    names: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"<Report {self.title!r}: {', '.join(map(str, self.results))}>"

    def html(self) -> str:
        """The page."""
        small = {
            name: {
                "columns": list(t.columns),
                "rows": to_plain([list(r) for r in t.rows[:_TABLE_ROWS]]),
                "whole": len(t.rows),
            }
            for name, t in self.tables.items()
        }
        own_script: tuple[str, ...] = () if self.chains is None else CHAIN_SCRIPTS
        own_style: tuple[str, ...] = () if self.chains is None else ("chains.css",)
        if self.images is not None:
            own_script, own_style = IMAGE_SCRIPTS, ("images.css",)
        with speaking(self.lang, self.names):
            read = under_title(self.reading)
        page = render(
            "report.html",
            report=self,
            read=read,
            downloads=[
                {"name": n, "rows": len(t.rows), "kept": min(len(t.rows), _TABLE_ROWS)}
                for n, t in self.tables.items()
            ],
            tables=embeddable(small),
            explorer=self.explorer,
            chains=self.chains,
            images=self.images,
            version=__version__,
            style=style("page.css", "chart.css", "explorer.css", *own_style, "report.css"),
            script=page_script(self.lang, self.names) + script(*SCRIPTS, *own_script, "report.js"),
        )
        return translator(self.lang, self.names).html(page)

    def save(self, path: str | Path) -> None:
        """Write the page."""
        write_text(path, self.html())

    def latex(self) -> str:
        """Two tables and a sentence for a paper, in LaTeX with booktabs."""
        from accord.report.latex import latex

        return latex(
            self.results,
            self.categories,
            self.sentence,
            annotators=self.annotators,
            say=translator(self.lang),
        )

    def save_latex(self, path: str | Path) -> None:
        """Write the LaTeX."""
        write_text(path, self.latex())

    def save_tables(self, folder: str | Path) -> list[Path]:
        """Write every table of the report in full, one CSV file each."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        written = []
        for name, table in self.tables.items():
            path = target / f"{name}.csv"
            write_text(path, table.csv())
            written.append(path)
        return written

    def _repr_html_(self) -> str:
        from html import escape

        return (
            f'<iframe srcdoc="{escape(self.html())}" style="width:100%;height:800px;border:0" '
            f'title="{escape(self.title)}"></iframe>'
        )


@takes_sequences()
@refuses_other_kinds
def report(
    data: Given,
    measures: str | Sequence[str] = (),
    *,
    title: str = TITLE,
    reference: Given | None = None,
    systems: Mapping[str, Given] | None = None,
    texts: Mapping[str, str] | None = None,
    media: str | Path | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    lang: str = "en",
    **options: object,
) -> Report:
    """Measure a campaign from all sides and put it on a page.

    Parameters
    ----------
    data : what :func:`accord.read` returns, or what it reads: a path, a dataframe
    measures : the first is broken down; by default the one recommended for the shape
    reference, systems : scores of the systems against the reference, in a section of their own
    lang : language of the page, "en" or "fr"
    media : of boxes, the folder of the images
    texts : text of each item, shown with the items people disagree about
    **options : those of the measures, each taking its own, and those of :func:`accord.read` where data
        are not read yet
    """
    translator(lang)
    if isinstance(measures, str):
        # mostly a name that stands alone; a page's path is said where it goes
        if Path(measures).suffix:
            raise UsageError(f"report() returns the page; write it with .save({measures!r})")
        measures = [measures]
    sides = Sides(options, but=COMPUTING)
    data = sides.data(data)
    against = None if reference is None else sides.beside(reference, "reference")
    scored = {name: sides.beside(own, name) for name, own in (systems or {}).items()}
    sides.settle()
    options = sides.left
    if isinstance(data, Ratings):
        data = data.fetched()
        if data.sums is not None:
            raise UsageError(
                "a report needs the ratings, and these are sums of numbers that are too many to be "
                "counted or fetched; filter the frame"
            )
    if len(data.annotators) < 2:
        raise UsageError("a report on agreement needs at least two annotators; the data have one")
    certainty = Certainty(ci="auto", level=level, resamples=resamples, seed=seed)
    studies = Studies(find, data, certainty=certainty)
    ask = Ask(question="agree", measures=measures, options=options, certainty=certainty)
    ask = ask.settled(data)
    asked = [ask.study(record, data, studies=studies) for record in ask.records(data)]
    effort = dict(zip(_STEPS, _EFFORT[data.shape], strict=True))
    if isinstance(data, Ratings):
        # (every document is measured by itself: 3 000 take almost as long as all pairs of annotators)
        effort["documents"] += len(data.documents) / 75
    course = dict(zip(_STEPS, stages(list(effort.values())), strict=True))
    with course["measures"]:
        if isinstance(data, Units):
            # its alignments and samples tell the categories too, so that γ need not have its own
            by_category(studies, asked[0].options)
        of_studies = [(one, r) for one in asked for r in one.answered()]
        results = [r for _, r in of_studies]
    first = studies.headline = asked[0]
    if isinstance(first.found, tuple):
        raise UsageError(f"{first.record.name} has one value per category; name another first")
    with course["findings"]:
        findings = findings_of(data, first.record.name, against, scored, studies, seed=seed)
    if {first.options.get(name, "nominal") for name in ("metric", "weights")} != {"nominal"}:
        # the measure of this page respects the order already
        findings = [f for f in findings if f.rule != "ordered-as-nominal"]
    parts: list[Section | None] = [findings_section(findings)]
    with course["annotators"]:
        parts.append(annotators_section(first, lambda who: _divided(data, first, texts or {}, who)))
    with course["shape"]:
        shown, packed = _by_shape(data, first, studies, texts or {})
    parts += shown
    with course["documents"]:
        parts[2:2] = [documents_section(first), time_section(first), workload_section(data)]
    with course["systems"]:
        if against is not None and scored:
            parts.append(evaluation_section(against, scored, certainty))
            parts.append(chain_errors_section(against, scored))
        parts.append(ranks_section(data, scored, against, level=level, seed=seed))
        parts.append(systems_section(data, texts or {}, certainty))
    parts.append(method_section(data, results[0]))
    with course["categories"]:
        categories = _by_category(first)
    with course["pictures"]:
        chains, images = _texts_of_chains(data, against, scored), _images(data, first, media)
        said = [translate(r, data=data) for r in results]
    with speaking(lang, vocabulary(data)):
        screen = screen_of(first, results[0])
    reading = entered(data, [(one.record, one.options) for one in asked])
    if against is not None:
        reading = reading.beside("reference", against, "reference")
    for name, answers in scored.items():
        reading = reading.beside(name, answers)
    sections = [s for s in parts if s is not None]
    tables = {"results": Table.of([_row(r) for r in results])}
    for s in sections:
        tables.update(s.tables)
    return Report(
        title=title,
        results=results,
        headlines=[
            headline(r, words, one.options, data.notes, screen if i == 0 else None)
            for i, ((one, r), words) in enumerate(zip(of_studies, said, strict=True))
        ],
        sections=sections,
        explorer=packed,
        chains=chains,
        images=images,
        reading=reading,
        notes=data.notes,
        tables=tables,
        categories=categories,
        sentence="" if first.result.undefined else sentence(data, results[0]),
        annotators=len(data.annotators),
        lang=lang,
        names=frozenset({title} - {TITLE})
        | vocabulary(data)
        | {f.citation for f in findings}
        | {find(r.measure).citation for r in results}
        # a measure is called so, and drawings have an axis of it
        | {m.name for m in enrolled() if m.name != "disorder"},
    )


def _by_category(study: Study) -> Sequence[Row]:
    try:
        rows = study.breakdown("category")
    except AccordError:
        return ()
    return rows if all("category" in row and "value" in row for row in rows) else ()


def _texts_of_chains(
    data: Annotations, reference: Annotations | None, systems: Mapping[str, Annotations]
) -> ChainExplorer | None:
    """The systems beside the reference, and the annotators two by two, where they can be."""
    if not isinstance(data, Chains):
        return None
    pairs: list[Compared] = []
    for name, system in systems.items():
        if isinstance(reference, Chains) and isinstance(system, Chains):
            with suppress(AccordError):  # said with the scores
                pairs.append(compared(reference, system, names=("reference", name)))
    with suppress(AccordError):
        pairs += compared_annotators(data)
    return chain_explorer(pairs, most_bytes=_EXPLORER_BYTES) if pairs else None


def findings_of(
    data: Annotations,
    measure: str,
    reference: Annotations | None,
    systems: Mapping[str, Annotations] | None,
    studies: Studies | None = None,
    *,
    seed: int,
) -> Sequence[Finding]:
    """What the audit says; each system is looked at, what is said of all is said once."""
    from accord.audit import audit

    found: dict[tuple[str, str], Finding] = {}
    for system in (systems or {}).values() or (None,):
        for f in audit(
            data,
            reference=reference,
            system=system,
            measure=measure,
            seed=seed,
            studies=studies,
        ):
            # (the systems of a page are scored, whatever its people agree by)
            if f.rule != "agreement-as-score":
                found.setdefault((f.rule, f.statement), f)
    return tuple(found.values())


def _divided(
    data: Annotations, study: Study, texts: Mapping[str, str], who: Sequence[str]
) -> Behind | None:
    """What these annotators differ on, two by two, where single cases can be shown."""
    if isinstance(data, Ratings):
        return None if data.multiplicity is not None else divided_items(data, who, texts)
    if isinstance(data, (Units, Boxes)):
        return divided_units(data, aligned(data, study.options), who)
    if isinstance(data, Chains):
        return divided_mentions(data, who)
    if isinstance(data, Relations):
        return divided_relations(data, study, who)
    return divided_boundaries(data, who) if isinstance(data, Segments) else None


def _by_shape(
    data: Annotations, study: Study, studies: Studies, texts: Mapping[str, str]
) -> tuple[list[Section], Explorer | None]:
    if isinstance(data, Ratings):
        return ratings_sections(data, study, studies, texts), None
    if isinstance(data, Units):
        first, second, third = stages((2, 6, 2))
        with first:
            alignments = aligned(data, study.options)
        with second:
            sections = units_sections(data, alignments, studies, study.options)
        with third:
            return sections, explorer(data, alignments, most_bytes=_EXPLORER_BYTES)
    if isinstance(data, Relations):
        return relations_sections(data, study, studies), relations_explorer(
            data, most_bytes=_EXPLORER_BYTES
        )
    if isinstance(data, Boxes):
        return boxes_sections(data, aligned(data, study.options), study), None
    if isinstance(data, Segments):
        return segments_sections(data), None
    if isinstance(data, Chains):
        return chains_sections(data), None
    raise UsageError(f"there is no report for {data.shape}")


def _images(data: Annotations, study: Study, media: str | Path | None) -> Images | None:
    if not isinstance(data, Boxes):
        if media is not None:
            raise UsageError(
                f"`media` is the folder of the images of boxes, these data are {data.shape}"
            )
        return None
    return images_explorer(
        data, aligned(data, study.options), media=media, most_bytes=_EXPLORER_BYTES
    )


def _row(result: Result) -> dict[str, Any]:
    i = result.interval
    return {
        "measure": result.measure,
        "category": result.terms.get("category"),
        "value": result.value,
        "low": i.low if i else None,
        "high": i.high if i else None,
        "level": i.level if i else None,
        "observed": result.observed,
        "expected": result.expected,
        "n": result.n,
        "signature": result.signature,
        "undefined": result.undefined,
    }
