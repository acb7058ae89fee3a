"""relation-f1: matched relations, among annotators two by two and of a system against a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from accord.data.encode import encode_sorted
from accord.data.join import joined
from accord.data.relations import Relations
from accord.errors import InputError, some
from accord.measures.relations.matched import Index, Rule, greatest_matching, matching_pairs
from accord.measures.relations.options import MATCH, SYMMETRIC, UNDIRECTED, UNLABELLED
from accord.measures.spans.counts import CORRECT, Matched, tabulate
from accord.measures.spans.pairwise import Compared, mean_over_pairs
from accord.measures.spans.sides import Both, Side
from accord.registry import measure
from accord.result import Result, signature

_UNCORRECTED = (
    "not corrected for chance: who links much, or to a hub, agrees by it without reading; report "
    "relation-gamma beside it"
)
_OPTIONS = (MATCH, UNLABELLED, UNDIRECTED, SYMMETRIC)


@measure(
    "relation-f1",
    title="mean F-measure of relations, annotators two by two",
    usual=True,
    shape="relations",
    question="agree",
    citation="Hripcsak & Rothschild 2005, JAMIA 12(3); LAS and UAS: Buchholz & Marsi 2006, CoNLL-X",
    range=(0.0, 1.0),
    use="What papers on relations, events and dependencies report; it knows no chance. Report "
    "relation-gamma beside it.",
    options=_OPTIONS,
)
def relation_f1(
    relations: Relations,
    *,
    match: str,
    unlabelled: bool,
    undirected: bool,
    symmetric: tuple[str, ...] | None,
) -> Result:
    """The F-measure of each two annotators, averaged over the pairs.

    ::

        value = (1/|pairs|) Σ_{a<b} 2·m_ab / (n_a + n_b),    pooled = Σ 2·m_ab / Σ (n_a + n_b)

    m_ab is the greatest number of relations of a and b that can be matched one to one, n_a the relations
    of a, both summed over the documents that both have seen. Relations match when both ends are the same
    (`match` strict) or overlap, and the labels are the same unless `unlabelled`; `undirected` (or for the
    labels in `symmetric`) in either direction. A pair without any relation is left out and named. Where
    every token has one head this is the labelled attachment score of one annotator against the other, the
    unlabelled one with `unlabelled`. It is not corrected for chance.

    >>> rows = [("d", "A", (0, 5), (10, 15), "cause"), ("d", "B", (0, 5), (10, 16), "cause")]
    >>> relations = Relations.from_rows(rows)
    >>> relation_f1(relations).value, relation_f1(relations, match="overlap").value
    (0.0, 1.0)
    """
    rule = Rule.of(relations, match, unlabelled, undirected, symmetric)
    first, second = matching_pairs(relations, rule)
    return mean_over_pairs(
        "relation-f1",
        relations,
        partial(_compared, relations, first, second),
        of_label="label",
        undefined="there is no relation",
        signature=signature(
            "relation-f1",
            relations.compared,
            match=match,
            unlabelled="yes" if unlabelled else None,
            undirected="yes" if undirected else None,
            symmetric="+".join(symmetric) if symmetric else None,
            seen=relations.seen,
        ),
        notes=(_UNCORRECTED, *relations.notes),
    )


def _compared(
    relations: Relations, first: Index, second: Index, a: int, b: int, documents: Sequence[int]
) -> Compared:
    """Matched, of one and of the other, by document and label: of a label, among its relations alone."""
    who = relations.annotator
    mine = (who[first] == a) & (who[second] == b)
    alike = mine & (relations.label[first] == relations.label[second])
    chosen, within = (greatest_matching(first[of], second[of])[0] for of in (mine, alike))
    D, L = len(relations.documents), len(relations.categories) + 1

    def counted(rows: Index) -> Index:
        label = np.where(relations.label[rows] < 0, L - 1, relations.label[rows])
        flat = relations.document[rows].astype(np.int64) * L + label
        return np.bincount(flat, minlength=D * L).reshape(D, L)[list(documents)]

    table = np.stack(
        [counted(rows) for rows in (within, np.flatnonzero(who == a), np.flatnonzero(who == b))],
        axis=2,
    ).astype(np.float64)
    names: list[str | None] = [*relations.categories, None]
    labels = {names[k]: table[:, k] for k in range(L) if table[:, k].any()}
    rows = table.sum(axis=1)
    rows[:, 0] = counted(chosen).sum(axis=1)
    return Compared(documents, rows, labels)


@measure(
    "relation-f1",
    title="precision, recall and F of relations",
    usual=True,
    shape="relations",
    question="score",
    citation="Buchholz & Marsi 2006, CoNLL-X (LAS, UAS); MUC's counts: Chinchor & Sundheim 1993",
    range=(0.0, 1.0),
    use="A system's relations against a reference: the usual score of relation and event extraction, and "
    "LAS (UAS with unlabelled) of dependency trees.",
    options=_OPTIONS,
)
def relation_f1_score(
    reference: Relations,
    system: Relations,
    *,
    match: str,
    unlabelled: bool,
    undirected: bool,
    symmetric: tuple[str, ...] | None,
) -> Result:
    """F = 2·COR / (POS + ACT), from the greatest one-to-one matching of relations.

    COR relations of the system match one of the reference, MIS of the reference match none, SPU of the
    system match none; P = COR/ACT, R = COR/POS. What matches, and the options, are those of
    :func:`relation_f1` among annotators.

    >>> gold = Relations.from_rows([("d", "gold", 2, 1, "nsubj"), ("d", "gold", 3, 2, "obj")])
    >>> parsed = Relations.from_rows([("d", "parser", 2, 1, "nsubj"), ("d", "parser", 3, 2, "obl")])
    >>> las, uas = (relation_f1_score(gold, parsed, unlabelled=u) for u in (False, True))
    >>> las.value, uas.value, las.terms["COR"], las.terms["MIS"]
    (0.5, 1.0, 1, 1)
    """
    both, *matchings = _sides(reference, system, match, unlabelled, undirected, symmetric)
    found = tabulate(
        "relation-f1",
        both,
        *(Matched(first=a, second=b, outcome=np.full(len(a), CORRECT)) for a, b in matchings),
        options={
            "match": match,
            "unlabelled": "yes" if unlabelled else None,
            "undirected": "yes" if undirected else None,
            "symmetric": "+".join(symmetric) if symmetric else None,
        },
        by={},
    )
    rows = [{"label": row["category"], **{k: v for k, v in row.items() if k != "category"}}
            for row in found.by["category"]]  # fmt: skip
    undefined = "neither side has a relation" if found.undefined else None
    return replace(found, by={"label": rows, "document": found.by["document"]}, undefined=undefined)


def _sides(
    reference: Relations,
    system: Relations,
    match: str,
    unlabelled: bool,
    undirected: bool,
    symmetric: tuple[str, ...] | None,
) -> tuple[Both, tuple[Index, Index], tuple[Index, Index]]:
    """Both over the same documents and labels, and the greatest matching of their relations.

    In all, and among those of one label.
    """
    for data, side in ((reference, "reference"), (system, "system")):
        if len(data.annotators) > 1:
            raise InputError(
                f"the {side} has {len(data.annotators)} annotators: {some(data.annotators)}",
                hint=f"choose one: {side}.select(annotators=[{data.annotators[0]!r}])",
            )
    unseen = [
        name
        for name, seen in zip(reference.documents, reference.coverage, strict=True)
        if not seen.any()
    ]
    documents = [d for d in encode_sorted([*reference.documents, *system.documents])[1]
                 if d not in unseen]  # fmt: skip
    warnings = []
    if unseen:
        warnings.append(
            f"{len(unseen)} documents were not annotated in the reference and are left out: "
            f"{some(unseen)}"
        )
    for data, side in ((reference, "reference"), (system, "system")):
        absent = [d for d in documents if d not in data.documents]
        if absent:
            warnings.append(
                f"{len(absent)} of {len(documents)} documents have nothing in the {side}: {some(absent)}"
            )
    wanted = set(documents)
    parts = [
        replace(
            data.select(documents=[d for d in data.documents if d in wanted]),
            annotators=(name,), units=None, roles=None, told=True, notes=(),
        )
        for data, name in ((reference, "0"), (system, "1"))
    ]  # fmt: skip
    whole = joined(parts)
    assert isinstance(whole, Relations)
    whole = replace(whole, coverage=np.ones_like(whole.coverage))
    matchings = [
        greatest_matching(
            *matching_pairs(whole, Rule.of(whole, match, ignored, undirected, symmetric))
        )
        for ignored in ((True, False) if unlabelled else (False,))
    ]
    number = np.empty(len(whole), dtype=np.int64)
    sides = []
    labels: list[str | None] = list(whole.categories)
    if (whole.label < 0).any():
        labels.append(None)
    for who in (0, 1):
        rows = np.flatnonzero(whole.annotator == who)
        number[rows] = np.arange(len(rows))
        label = np.where(whole.label[rows] < 0, len(labels) - 1, whole.label[rows])
        sides.append(
            Side(
                document=whole.document[rows].astype(np.int64),
                start=whole.source[rows, 0],
                end=whole.target[rows, 0],
                label=label.astype(np.int64),
            )
        )
    both = Both(
        documents=whole.documents,
        labels=tuple(labels),
        reference=sides[0],
        system=sides[1],
        integral=True,
        warnings=tuple(warnings),
    )
    found, within = ((number[a], number[b]) for a, b in (matchings[0], matchings[-1]))
    return both, found, within
