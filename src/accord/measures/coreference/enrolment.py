"""From a formula on the table to an enrolled measure with R, P, F, sample and breakdowns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from accord.data import Chains
from accord.errors import UsageError
from accord.measures.coreference.across import across_documents
from accord.measures.coreference.contingency import Table
from accord.measures.coreference.key_response import Paired, pair
from accord.measures.coreference.lookup import Views, has_copies, views
from accord.measures.coreference.mistakes import DETAILS
from accord.measures.coreference.options import ACROSS, SCORE
from accord.measures.coreference.presets import Settings, settings_of
from accord.measures.coreference.specification import (
    Parts,
    Specification,
    by_document,
    recall_precision,
)
from accord.options import signed
from accord.registry import measure
from accord.result import NO_MENTION, Array, Result, Row, Sample, Score, signature

#: how documents are put together: totals of the counts (official), or the mean of their scores
AVERAGES = ("micro", "macro")
#: every score of the table of entities by name, as the experiments need them
SPECIFICATIONS: dict[str, Specification] = {}

CorefScore = Callable[..., Result]
Remarks = Callable[[Array], list[str]]


def evaluate(
    specification: Specification,
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = None,
    matching: str | None = None,
    min_spans: bool = False,
    zeros: str | None = None,
    repeated: str | None = None,
    preset: str | None = None,
    words: str = "same",
    missing_documents: str = "error",
    across: str | None = None,
    average: str = "micro",
) -> Result:
    """Score a response against a key."""
    if across is not None:
        options = {
            "drop_singletons": drop_singletons,
            "matching": matching,
            "min_spans": min_spans,
            "zeros": zeros,
            "repeated": repeated,
            "preset": preset,
            "words": words,
            "missing_documents": missing_documents,
            "average": average,
        }
        return _across(specification, reference, system, across, options)
    if average not in AVERAGES:
        raise UsageError(f"the average must be one of {', '.join(AVERAGES)}, got {average!r}")
    settings = settings_of(
        preset,
        matching=matching,
        zeros=zeros,
        drop_singletons=drop_singletons,
        repeated=repeated,
        min_spans=min_spans,
    )
    paired = _paired(reference, system, settings, words, missing_documents)
    warnings = list(paired.warnings)
    view = None
    if settings.repeated != "first" and has_copies(paired):
        if specification.of_views is None and specification.of_mentions is None:
            warnings.append(
                f"{specification.name} compares partitions: a mention of several entities counts in "
                "the first"
            )
        else:
            view = views(paired, settings.repeated)
            warnings += view.warnings
    rows = _tally(specification, paired, view)
    table = paired.table if view is None else view.recall
    totals = rows.sum(axis=0, keepdims=True)
    if settings.zeros == "dependent":
        warnings += _official(
            specification, paired, totals, "first" if view is None else settings.repeated
        )
    if specification.remarks is not None and len(rows):
        warnings += specification.remarks(totals)
    if average == "micro":
        sample = Sample(
            rows=rows,
            score=specification.score,
            keys=paired.table.documents,
            unit="document",
            weight=(table.mentions[0] + table.mentions[1]).astype(np.float64),
        )
    else:
        sample = _macro_sample(specification, rows, paired.table.documents)
    scores = {name: float(value[0]) for name, value in sample.score(sample.totals()).items()}
    value = scores.pop("value")
    n_key, n_response, n_both = (int(m.sum()) for m in table.mentions)
    empty = n_key + n_response == 0
    return Result(
        measure=specification.name,
        value=value,
        terms={
            **scores,
            "key_mentions": n_key,
            "response_mentions": n_response,
            "common_mentions": n_both,
            "key_entities": len(table.key.size),
            "response_entities": len(table.response.size),
            "documents": len(paired.table.documents),
        },
        offers=_offers(specification, paired, rows),
        n=n_key,
        signature=signature(
            specification.name,
            n_key,
            average=average,
            singletons="dropped" if settings.drop_singletons else "kept",
            matching=settings.matching,
            zeros=settings.zeros if settings.zeros != "linear" else None,
            repeated=settings.repeated if settings.repeated != "first" else None,
            preset=preset,
            missing=missing_documents if missing_documents != "error" else None,
            documents=len(paired.table.documents),
        ),
        undefined=NO_MENTION if empty else specification.undefined,
        warnings=tuple(dict.fromkeys(warnings)),
        system=system.annotators[0] if system.annotators else None,
        sample=sample,
    )


def paired_by(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = None,
    matching: str | None = None,
    min_spans: bool = False,
    zeros: str | None = None,
    preset: str | None = None,
    words: str = "same",
    missing_documents: str = "error",
    across: str | None = None,
) -> Paired:
    """Both sides as a score under these options pairs them."""
    settings = settings_of(
        preset,
        matching=matching,
        zeros=zeros,
        drop_singletons=drop_singletons,
        min_spans=min_spans,
    )
    if across is not None:
        reference, system = across_documents(reference, system, across, missing_documents)
    return _paired(reference, system, settings, words, missing_documents)


def _paired(
    reference: Chains, system: Chains, settings: Settings, words: str, missing_documents: str
) -> Paired:
    return pair(
        reference,
        system,
        drop_singletons=settings.drop_singletons,
        matching=settings.matching,
        zeros=settings.zeros,
        first_heads=settings.first_heads,
        words=words,
        missing_documents=missing_documents,
    )


def _across(
    specification: Specification,
    reference: Chains,
    system: Chains,
    across: str,
    options: Mapping[str, Any],
) -> Result:
    """The score of entities that cross documents, with what it owes to singletons and to links
    within documents: both dominate here, and inflate B³ and CEAF_e."""
    sides = across_documents(reference, system, across, options["missing_documents"])
    found = evaluate(specification, *sides, **options)
    apart = evaluate(specification, reference, system, **options)
    linked = evaluate(specification, *sides, **{**options, "drop_singletons": True})
    whole = pair(*sides, words=options["words"], missing_documents=options["missing_documents"])
    sizes = whole.table.key.size
    beside = {"across documents": found, "within documents": apart, "without singletons": linked}
    return replace(
        found,
        by={
            "across": [
                {"counted": what, "value": r.value, **{k: r.terms[k] for k in "RP" if k in r.terms}}
                for what, r in beside.items()
            ],
            **found.by,
        },
        terms={
            **found.terms,
            "within_documents": apart.value,
            "without_singletons": linked.value,
            "singletons": float((sizes == 1).mean()) if len(sizes) else float("nan"),
        },
        signature=signed(found.signature, (ACROSS,), {"across": across}),
    )


def _tally(specification: Specification, paired: Paired, view: Views | None) -> Array:
    """Documents × statistics, from the table or from look-ups."""
    if specification.of_mentions is not None:
        return specification.of_mentions(paired if view is None else view.paired)
    if view is not None and specification.of_views is not None:
        return specification.of_views(view)
    return specification.tally(paired.table)


def _official(
    specification: Specification, paired: Paired, totals: Array, repeated: str
) -> list[str]:
    """The value of the CorefUD scorer 1.2 where its look-up loses pairs of its own alignment."""
    if paired.key.chains.facts is None or paired.response.chains.facts is None:
        return []
    if specification.of_views is None and specification.of_mentions is None:
        return []
    rows = _tally(specification, paired, views(paired, repeated, official=True))
    theirs = rows.sum(axis=0, keepdims=True)
    if np.allclose(theirs, totals, rtol=0, atol=1e-9):
        return []
    scores = specification.score(theirs)
    R, P, F = (float(scores[name][0]) for name in ("R", "P", "F"))
    return [
        f"the CorefUD scorer 1.2 gives {specification.name} = {F:.4f} (R {R:.4f}, P {P:.4f}): its "
        "look-up loses zeros that its own alignment pairs; the value here is from the alignment"
    ]


def enrol(
    specification: Specification,
    *,
    range: tuple[float, float] = (0.0, 1.0),  # noqa: A002 the word of the field
    **record: Any,
) -> Callable[[Callable[..., Any]], CorefScore]:
    """Enrol a specification under the name and docstring of the function that holds its formula."""

    def make(formula: Callable[..., Any]) -> CorefScore:
        def score(reference: Chains, system: Chains, **options: Any) -> Result:
            return evaluate(specification, reference, system, **options)

        score.__name__ = score.__qualname__ = formula.__name__
        score.__module__ = formula.__module__
        score.__doc__ = (formula.__doc__ or "") + _OPTIONS
        if specification.of_mentions is None:
            SPECIFICATIONS[specification.name] = specification
        return measure(
            specification.name,
            shape="chains",
            question="score",
            range=range,
            options=SCORE,
            **record,
        )(score)

    return make


def entity_score(
    name: str, *, aligned: bool = False, remarks: Remarks | None = None, **record: Any
) -> Callable[[Callable[[Table], Parts]], CorefScore]:
    """Enrol a score that is a sum over entities: the function gives each entity's part.

    An `aligned` score compares whole entities by their members; the others look up mentions.
    """

    def make(parts: Callable[[Table], Parts]) -> CorefScore:
        def tally(table: Table) -> Array:
            return by_document(table, parts(table))

        def of_views(view: Views) -> Array:
            if aligned:
                return tally(view.members)
            recall, precision = tally(view.recall), tally(view.precision)
            return np.concatenate([recall[:, :2], precision[:, 2:]], axis=1)

        specification = Specification(
            name,
            tally=tally,
            of_views=of_views,
            score=recall_precision,
            parts=(parts,),
            remarks=remarks,
        )
        return enrol(specification, **record)(parts)

    return make


def mean_score(
    name: str,
    scores: Sequence[CorefScore],
    *,
    summary: str,
    remarks: Remarks | None = None,
    **record: Any,
) -> CorefScore:
    """Enrol the mean of several entity scores."""
    members = [SPECIFICATIONS[s.__name__.replace("_", "-")] for s in scores]
    width = 5

    def tally(table: Table) -> Array:
        return np.concatenate([m.tally(table) for m in members], axis=1)

    def of_views(view: Views) -> Array:
        return np.concatenate([m.of_views(view) for m in members if m.of_views], axis=1)

    def score(totals: Array) -> Mapping[str, Array]:
        found = [m.score(totals[:, width * i : width * (i + 1)]) for i, m in enumerate(members)]
        mean = {key: np.mean([f[key] for f in found], axis=0) for key in ("value", "R", "P", "F")}
        return {**mean, **{m.name: f["value"] for m, f in zip(members, found, strict=True)}}

    def named(table: Table) -> None:
        """Replaced by the summary."""

    named.__name__, named.__doc__ = name.replace("-", "_"), summary
    named.__module__ = scores[0].__module__
    specification = Specification(
        name,
        tally,
        score,
        parts=tuple(p for m in members for p in m.parts),
        remarks=remarks,
        of_views=of_views,
    )
    return enrol(specification, **record)(named)


_OPTIONS = """

    Parameters
    ----------
    reference, system : Chains with one annotator each (key and response)
    drop_singletons : leave out entities of one mention, on both sides
    matching : "exact", "head" or "partial" (the last two need heads, as in CorefUD files)
    zeros : "linear", "dependent" or "drop": how mentions whose head is an empty node are matched
    min_spans : mentions are the same when their heads are (their minimum spans)
    repeated : "first", "conll" or "corefud": a mention in several entities of one side
    preset : "crac" (= "crac24"), "crac23", "crac22" or "conll12": the settings of a shared task
    words : "same", or "ignore" to compare their number only
    missing_documents : "error", or "empty" to count a document that one side lacks as empty
    across : "corpus" or a column of the documents (topic): entities cross documents
    average : "micro" sums counts over documents (official scorer), "macro" means their scores
    by : any of "document", "error", "correction", "error-document", "error-type", "error-size",
        "entity", "size", "type", "upos"
    """


def _macro_sample(specification: Specification, rows: Array, documents: tuple[str, ...]) -> Sample:
    """The mean over documents with a defined value; a document's own scores are its row."""
    scores = specification.score(rows)
    names = list(scores)
    columns = np.stack([scores[name] for name in names], axis=1)
    good = np.isfinite(scores["value"])
    columns = np.where(good[:, None], columns, 0.0)

    def mean(totals: Array) -> Mapping[str, Array]:
        with np.errstate(invalid="ignore"):
            return {name: totals[:, i] / totals[:, -1] for i, name in enumerate(names)}

    score: Score = mean
    counted = np.concatenate([columns, good[:, None].astype(np.float64)], axis=1)
    return Sample(rows=counted, score=score, keys=documents, unit="document")


def _offers(
    specification: Specification, paired: Paired, rows: Array
) -> dict[str, Callable[[], Sequence[Row]]]:
    """The breakdowns that can be asked for."""

    def documents() -> Sequence[Row]:
        scores = specification.score(rows)
        return [
            {"document": document, **{k: float(v[d]) for k, v in scores.items()}}
            for d, document in enumerate(paired.table.documents)
        ]

    details = {name: partial(make, specification, paired) for name, make in DETAILS.items()}
    return {"document": documents, **details}
