"""`score`: any validity measure of a system against a reference, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, overload

from accord.data import Annotations
from accord.data.roles import reference_of
from accord.errors import UsageError, some
from accord.evaluation.datasets import mean_over_datasets
from accord.evaluation.entrants import Systems, entrants_of, systems_in, told_apart
from accord.measures import find
from accord.measures.coreference.presets import settings_of
from accord.options import LEVEL, RESAMPLES
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import COMPUTING, Given, Sides, named_sides
from accord.reading.lists import is_bare
from accord.result import Result, Results
from accord.study.ask import Answer, Ask, breakdown_names, certainty_of, shape_asked

#: what errors call a system that is the only one
_ONE = "the system"


@overload
def score(  # type: ignore[overload-overlap] # nobody names a side twice
    reference: Given,
    system: Systems,
    measure: str | Sequence[str] | None = ...,
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    allow_agreement: bool = ...,
    system_annotator: str | None = ...,
    each: Literal[True],
    **options: object,
) -> Results: ...


@overload
def score(  # type: ignore[overload-overlap] # a literal is a str; the narrower one comes first
    reference: Given,
    system: Systems,
    measure: Literal["semeval"],
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    allow_agreement: bool = ...,
    system_annotator: str | None = ...,
    each: Literal[False] = ...,
    **options: object,
) -> tuple[Result, ...]: ...


@overload
def score(
    reference: Given,
    system: Systems,
    measure: list[str] | tuple[str, ...],
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    allow_agreement: bool = ...,
    system_annotator: str | None = ...,
    each: Literal[False] = ...,
    **options: object,
) -> Results: ...


@overload
def score(  # type: ignore[overload-overlap] # (a preset is no option of what is named)
    reference: Given,
    system: Systems,
    measure: None = ...,
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    allow_agreement: bool = ...,
    system_annotator: str | None = ...,
    each: Literal[False] = ...,
    preset: str,
    **options: object,
) -> Results: ...


@overload
def score(
    reference: Given,
    system: Systems,
    measure: str | None = ...,
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    allow_agreement: bool = ...,
    system_annotator: str | None = ...,
    each: Literal[False] = ...,
    **options: object,
) -> Result: ...


@overload
def score(
    *,
    y_true: Given,
    y_pred: Given,
    measure: str | None = ...,
    ci: str | None = ...,
    **options: object,
) -> Result: ...


@named_sides
@refuses_other_kinds
def score(
    reference: Given,
    system: Systems,
    measure: str | Sequence[str] | None = None,
    *,
    ci: str | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    by: str | Sequence[str] = (),
    unit: str | None = None,
    threshold: float | Sequence[float] = (),
    allow_agreement: bool = False,
    system_annotator: str | None = None,
    each: bool = False,
    **options: object,
) -> Result | tuple[Result, ...] | Results:
    """Score how good a system is against a reference.

    The reference and the system are annotations of the same shape, or what :func:`accord.read`
    reads, or two lists of labels (named `y_true` and `y_pred`, too); the reference may be the table of
    all judges. The system may be one of its annotators, by name; of several systems (a list, or a
    mapping of names to them) there are the results of each. An agreement
    coefficient is refused as a score, with the reason; `allow_agreement` computes it with that
    reason as a warning. Of a system of several annotators, `system_annotator` names the one that is
    meant, and `each` scores them all. A `preset` of coreference without a measure gives those that its
    shared task reports. The other parameters are those of :func:`accord.agree`.

    >>> print(score(list("AAAABBBB"), list("AABBBBAA"), "accuracy"))
    accuracy = 0.5000
    >>> [r.value for r in score(list("AABB"), list("ABBB"), ["accuracy", "recall"])]
    [0.75, 0.75]
    """
    meant = shape_asked({"measure": measure}, "score")
    sides = Sides(options, but=COMPUTING, meant=meant)
    key = sides.data(reference, "reference")
    alone = is_bare(reference, meant)
    entrants = {_ONE: _one(system)} if alone else entrants_of(system, key)
    key, systems = (key, {}) if alone else told_apart(key, entrants)
    for name, own in entrants.items():
        if name not in systems:
            answers = sides.beside(own, "system")
            systems |= systems_in(
                answers,
                name if len(entrants) > 1 else _ONE,
                system_annotator=system_annotator,
                each=each,
                votes=are_votes(measure),
            )
    sides.settle()
    if not alone:
        key = reference_of(key) or key
    options = sides.left
    ask = Ask(
        question="score",
        measures=reported(options) if measure is None else measure,
        options=options,
        certainty=certainty_of(ci, level, resamples, seed, unit, threshold),
        by=breakdown_names(by),
        allow_agreement=allow_agreement,
    )
    if not each and len(systems) == 1:
        return ask.answer(key, next(iter(systems.values()))).returned
    return Results(
        result.of_system(name)
        for name, own in systems.items()
        for result in ask.answer(key, own).results
    )


def reported(options: Mapping[str, object]) -> tuple[str, ...] | None:
    """The measures that the shared task of a preset reports, which are asked where none is named."""
    preset = options.get("preset")
    return None if preset is None else settings_of(str(preset)).shown


def _one(system: Systems) -> Given:
    """The system beside a list of values, which nobody can be among by name."""
    if system is None:
        raise UsageError("there is no system; give its answers")
    return system


def are_votes(measure: str | Sequence[str] | None) -> bool:
    """Whether these measures, all of distributions, take several answers to an item as one."""
    names = [measure] if isinstance(measure, str) else list(measure or ())
    return bool(names) and all(name != "all" and find(name, "score").votes for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The answers of a system, what they are scored against, and whose they are."""

    reference: Annotations
    system: Annotations
    name: str
    #: where there are several datasets, the one it is
    dataset: str = ""


def scored(ask: Ask, sides: Sequence[Side], **how: Any) -> Answer:
    """Ask a question of every system, dataset and group of judges; what is to be said is left out.

    Datasets have their mean at the end. `how` goes to :meth:`accord.study.ask.Ask.answer`.

    >>> from accord.data import Ratings
    >>> key, good, bad = (Ratings.from_matrix([list(v)]) for v in ("AABB", "AABB", "BBBB"))
    >>> sides = [Side(reference=key, system=s, name=n) for n, s in (("good", good), ("bad", bad))]
    >>> [(r.system, r.value) for r in scored(Ask(question="score", measures="accuracy"), sides).results]
    [('good', 1.0), ('bad', 0.5)]
    """
    ask = ask.settled(sides[0].reference)
    results = Results()
    said: list[str] = []
    for side in sides:
        said += [*side.reference.notes, *side.system.notes]
        for group, judges in _judges(side.reference).items():
            found = ask.answer(judges, side.system, **how)
            said += found.left_out
            named = {"dataset": side.dataset, "group": group}
            about = {what: name for what, name in named.items() if name}
            results.extend(
                replace(
                    r, system=", ".join([side.name, *about.values()]), terms={**about, **r.terms}
                )
                for r in found.results
            )
    if any(side.dataset for side in sides):
        results.extend(mean_over_datasets(results))
    told = tuple(dict.fromkeys(said))
    return Answer(results=results, choice=ask.choice, left_out=told, returned=results)


def _judges(key: Annotations) -> dict[str, Annotations]:
    """The judges of each group, where groups were given; else all of them."""
    groups = {} if key.roles is None else key.roles.groups
    if not groups:
        return {"": key}
    if key.shape != "ratings":
        raise UsageError(
            f"`groups` scores against the votes of each group, and {key.shape} have none; make a "
            "reference of each group with accord gold --groups"
        )
    members: dict[str, list[str]] = {}
    for annotator in key.annotators:
        if annotator in groups:
            members.setdefault(groups[annotator], []).append(annotator)
    if not members:
        raise UsageError(f"no judge has a group; the judges are {some(key.annotators)}")
    return {name: key.select(annotators=who) for name, who in members.items()}
