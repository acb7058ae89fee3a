"""``accord score``: how good is a system against a reference?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli import reading
from accord.cli.agree import (
    AsJson,
    By,
    Ci,
    FailUnder,
    Jobs,
    Level,
    MeasureNames,
    Resamples,
    ResampleUnit,
    Seed,
)


@reading.reads
def score(
    reference: Annotated[Path, typer.Argument(help="The reference (or the judges' ratings).")],
    system: Annotated[list[Path], typer.Argument(help="One file per system.")],
    measure: MeasureNames = None,
    by: By = None,
    ci: Ci = "bootstrap",
    level: Level = 0.95,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    unit: ResampleUnit = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
    jobs: Jobs = 1,
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare the systems two by two (joint resampling).")
    ] = False,
    allow_agreement: Annotated[
        bool,
        typer.Option(
            "--allow-agreement",
            help="Compute an agreement coefficient as a score, with its warning.",
        ),
    ] = False,
    metric: Annotated[str | None, typer.Option(help="Distance between classes.")] = None,
    period: Annotated[float | None, typer.Option(help="Period of the circular metric.")] = None,
    weights: Annotated[str | None, typer.Option(help="Agreement weights, or a file.")] = None,
    beta: Annotated[float | None, typer.Option(help="β of F; γ: weight of categories.")] = None,
    alpha: Annotated[float | None, typer.Option(help="γ: weight of positions.")] = None,
    delta: Annotated[float | None, typer.Option(help="γ: cost of the empty unit.")] = None,
    matrix: Annotated[Path | None, typer.Option(help="Distances between categories.")] = None,
    positional: Annotated[str | None, typer.Option(help="γ: sporadic or hamming.")] = None,
    neutral: Annotated[str | None, typer.Option(help="Class that means 'no decision'.")] = None,
    clip: Annotated[float | None, typer.Option(help="Least probability in cross-entropy.")] = None,
    ties: Annotated[
        str | None, typer.Option(help="Ties of the judges: error, abstain, first, random, split.")
    ] = None,
    window: Annotated[int | None, typer.Option(help="Pk, WindowDiff: window size k.")] = None,
    padding: Annotated[str | None, typer.Option(help="WindowDiff: lamprier.")] = None,
    nt: Annotated[int | None, typer.Option(help="Boundary edit: transposition window n_t.")] = None,
    insertion: Annotated[float | None, typer.Option(help="GHD: insertion cost.")] = None,
    deletion: Annotated[float | None, typer.Option(help="GHD: deletion cost.")] = None,
    shift: Annotated[float | None, typer.Option(help="GHD: shift cost per position.")] = None,
    weighting: Annotated[str | None, typer.Option(help="SER: makhoul or etape.")] = None,
    tolerance: Annotated[float | None, typer.Option(help="Spans: boundary tolerance.")] = None,
    atom: Annotated[float | None, typer.Option(help="Token F: size of an atom.")] = None,
    drop_singletons: Annotated[
        bool, typer.Option("--drop-singletons", help="Chains: leave out singletons.")
    ] = False,
    matching: Annotated[str | None, typer.Option(help="Mentions: exact, head or partial.")] = None,
    average: Annotated[str | None, typer.Option(help="Corpus value: micro or macro.")] = None,
    missing_documents: Annotated[
        str | None, typer.Option(help="Document on one side only: error or empty.")
    ] = None,
    reference_annotator: Annotated[
        str | None, typer.Option(help="Annotator of the reference file that is the reference.")
    ] = None,
    system_annotator: Annotated[
        str | None, typer.Option(help="Annotator of the system files that is the system.")
    ] = None,
    *,
    how: reading.How,
) -> None:
    """Score systems against a reference."""
    from accord.cli.measuring import chosen, names, run_measures
    from accord.cli.output import failed_under, print_json, print_results, say
    from accord.evaluation import score as scored
    from accord.evaluation.scoring import DEFAULTS
    from accord.registry import Measure
    from accord.result import Result
    from accord.uncertainty.family import between_systems, comparisons

    key = how.read(reference)
    if reference_annotator is not None:
        key = key.select(annotators=[reference_annotator])
    elif key.shape != "ratings" and not allow_agreement:
        reading.require_one(key, reference, _choose("reference"))
    given: dict[str, Any] = {
        "metric": metric,
        "period": period,
        "weights": weights,
        "beta": beta,
        "alpha": alpha,
        "delta": delta,
        "matrix": matrix,
        "positional": positional,
        "neutral": neutral,
        "clip": clip,
        "ties": ties,
        "window": window,
        "padding": padding,
        "nt": nt,
        "insertion": insertion,
        "deletion": deletion,
        "shift": shift,
        "weighting": weighting,
        "tolerance": tolerance,
        "atom": atom,
        "drop_singletons": drop_singletons or None,
        "matching": matching,
        "average": average,
        "missing_documents": missing_documents,
        "jobs": None if jobs == 1 else jobs,
    }
    given = {k: v for k, v in given.items() if v is not None}
    records: list[Measure] = chosen(measure, key.shape, "score", DEFAULTS)
    common: dict[str, Any] = {
        "ci": None if ci == "none" else ci,
        "level": level,
        "resamples": resamples,
        "seed": seed,
        "unit": unit,
        "by": names(by),
        "allow_agreement": allow_agreement,
    }
    results: list[Result] = []
    warnings = list(key.notes)
    for path in system:
        response = how.read_system(path)
        if system_annotator is not None:
            response = response.select(annotators=[system_annotator])
        elif response.shape != "ratings":
            # several answers to an item are an ensemble, whose votes are a distribution
            reading.require_one(response, path, _choose("system"))
        warnings.extend(response.notes)
        found, skipped = run_measures(
            records,
            given,
            lambda name, own, response=response: scored(key, response, name, **common, **own),  # type: ignore[misc]
            strict=measure is None or "all" not in measure,
        )
        warnings.extend(skipped)
        results.extend(replace(r, system=path.stem) for r in found)
    compared = (
        comparisons(between_systems(results), level=level, resamples=resamples, seed=seed)
        if compare
        else []
    )
    if as_json:
        print_json(
            {
                "shape": key.shape,
                "results": [r.to_dict() for r in results],
                "warnings": list(dict.fromkeys(warnings)),
                **({"comparisons": compared} if compare else {}),
            }
        )
    else:
        say(warnings)
        print_results(
            results, key, extra={"comparisons": compared} if compare else {}, command="score"
        )
    if failed_under(results, fail_under):
        say([f"a value is below --fail-under {fail_under}"], prefix="failed")
        raise typer.Exit(1)


def _choose(side: str) -> str:
    return f"choose the one that is the {side} with --{side}-annotator"
