"""What the reading says was left out did not enter: without it, every value and every n is the same."""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

import accord
from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
from accord.errors import AccordError
from accord.measures import enrolled
from accord.study import entered

#: measures on ratings that take two annotators only, and those that take numbers
TWO_ONLY = {"kappa", "weighted-kappa", "aickin"}
NUMBERS = {"icc-1", "icc-a", "icc-c", "icc-1k", "icc-ak", "icc-ck", "ccc", "kendall-w", "ac2"}
MEASURES = enrolled(question="agree")
#: who saw which document: four are shared, two were seen by one person, and one by Zoe, who saw no other
SEEN = {"d0": "ABC", "d1": "AB", "d2": "BC", "d3": "ABC", "d4": "A", "d5": "B", "d6": "Z"}
BREAKDOWNS = ("category", "annotator", "item", "document", "pair")

Row = tuple
Drawn = tuple[list[Row], Callable[[Sequence[Row], Sequence[tuple[str, str]]], Annotations]]


def draw_ratings(name: str, rng: np.random.Generator) -> Drawn:
    """Items of three annotators, some of two or of one, and Zoe, who rates items of her own."""
    people = "AB" if name in TWO_ONLY else "ABC"
    numbers = name in NUMBERS or name == "weighted-kappa"
    rows: list[Row] = []
    for i in range(36):
        truth = int(rng.integers(1, 5))
        who = people[:1] if i % 9 == 8 else people[: 2 + (i % 3 > 0)]
        for a in who:
            said = truth if rng.random() < 0.7 else int(rng.integers(1, 5))
            rows.append((f"i{i:02}", a, float(said) if numbers else "pqrs"[said - 1]))
    if name not in TWO_ONLY | {"kendall-w"}:
        rows += [("z1", "Zoe", 9.0 if numbers else "w"), ("z2", "Zoe", 2.0 if numbers else "q")]

    def build(rows: Sequence[Row], _: Sequence[tuple[str, str]]) -> Ratings:
        items = list(dict.fromkeys(item for item, _, _ in rows))
        names = sorted({who for _, who, _ in rows})
        known = {(item, who): value for item, who, value in rows}
        return Ratings.from_matrix(
            [[known.get((item, who)) for item in items] for who in names],
            annotators=names,
            items=items,
        )

    return rows, build


def draw_units(rng: np.random.Generator) -> Drawn:
    rows: list[Row] = [
        (d, w, s + int(rng.integers(3)), s + 6 + int(rng.integers(3)), label(rng, d, s // 10))
        for d, who in SEEN.items()
        for w in who
        for s in range(0, 80, 10)
        if rng.random() < 0.85
    ]
    return rows, lambda rows, seen: Units.from_rows(
        rows, lengths=dict.fromkeys({d for d, _ in seen}, 100), coverage=seen
    )


def label(rng: np.random.Generator, document: str, place: int) -> str:
    """A label; one of them occurs in a document of one person alone."""
    if document == "d6" and place == 0:
        return "rare"
    return "xyu"[int(rng.integers(3)) if rng.random() < 0.3 else place % 3]


def draw_relations(rng: np.random.Generator) -> Drawn:
    spans = [(s, s + 6) for s in range(0, 80, 10)]
    rows: list[Row] = [
        (d, w, one, two, label(rng, d, i))
        for d, who in SEEN.items()
        for w in who
        for i, (one, two) in enumerate(itertools.pairwise(spans))
        if rng.random() < 0.8
    ]
    return rows, lambda rows, seen: Relations.from_rows(rows, coverage=seen)


def draw_boxes(rng: np.random.Generator) -> Drawn:
    rows: list[Row] = []
    for d, who in SEEN.items():
        for w in who:
            for i in range(7):
                if rng.random() < 0.85:
                    x0, y0, x1, y1 = np.add(
                        rng.integers(0, 3, 4), [10 * i, 3, 10 * i + 8, 12]
                    ).tolist()
                    rows.append((d, w, x0, y0, x1, y1, label(rng, d, i)))
    return rows, lambda rows, seen: Boxes.from_rows(rows, coverage=seen)


def draw_segments(rng: np.random.Generator) -> Drawn:
    rows: list[Row] = []
    for d, who in SEEN.items():
        for w in who:
            cuts = sorted({int(x) + int(rng.integers(2)) for x in (7, 19, 28, 48)})
            del cuts[int(rng.integers(len(cuts)))]
            rows.append((d, w, np.diff([0, *cuts, 55]).tolist()))
    return rows, lambda rows, _: Segments.from_masses(rows)


def draw_chains(rng: np.random.Generator) -> Drawn:
    rows: list[Row] = [
        (d, w, (10 * m, 10 * m + 4), m % 4 if rng.random() < 0.8 else int(rng.integers(5)))
        for d, who in SEEN.items()
        for w in who
        for m in range(12)
        if rng.random() < 0.9
    ]

    def build(rows: Sequence[Row], seen: Sequence[tuple[str, str]]) -> Chains:
        clusters: dict[tuple[str, str], dict[int, list]] = {pair: {} for pair in seen}
        for d, w, mention, entity in rows:
            clusters[d, w].setdefault(entity, []).append(mention)
        return Chains.from_clusters({pair: list(of.values()) for pair, of in clusters.items()})

    return rows, build


DRAWN = {
    "units": draw_units,
    "relations": draw_relations,
    "boxes": draw_boxes,
    "segments": draw_segments,
    "chains": draw_chains,
}


def drawn(record, seed: int) -> tuple[Annotations, Annotations]:
    """Data with gaps, and the same without what the reading says was left out."""
    rng = np.random.default_rng(seed)
    if record.shape == "ratings":
        rows, build = draw_ratings(record.name, rng)
    else:
        rows, build = DRAWN[record.shape](rng)
    seen = [(d, w) for d, who in SEEN.items() for w in who]
    data = build(rows, seen)
    out = {one.what.split(" ", 1)[1] for one in entered(data, [(record, {})]).left_out}
    kept = [row for row in rows if row[0] not in out and row[1] not in out]
    return data, build(kept, [(d, w) for d, w in seen if d not in out and w not in out])


def results(data: Annotations, record, by: Sequence[str] = ()) -> dict:
    options = {"beside": False} if record.takes("beside") else {}
    found = accord.agree(data, record.name, by=by, **options)
    listed = found if isinstance(found, tuple) else (found,)
    return {r.terms.get("category"): r for r in listed}


def close(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        both = math.isnan(one) and math.isnan(other)
        return both or math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    return one == other


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("record", MEASURES, ids=lambda m: m.name)
def test_what_was_left_out_did_not_enter(record, seed):
    data, less = drawn(record, seed)
    whole, part = results(data, record), results(less, record)
    # (a category of which nothing entered may be unknown to the rest)
    assert all(whole[k].undefined for k in whole.keys() - part.keys())
    for name, rest in part.items():
        assert close(whole[name].value, rest.value)
        assert whole[name].n == rest.n
        assert whole[name].signature == rest.signature


@pytest.mark.parametrize("record", MEASURES, ids=lambda m: m.name)
def test_no_row_counts_what_was_left_out(record):
    data, less = drawn(record, 0)
    looked_at = 0
    for by in BREAKDOWNS:
        try:
            whole, part = results(data, record, [by]), results(less, record, [by])
        except AccordError:
            continue  # (it has no such breakdown)
        for name, rest in part.items():
            rows = {key(row): row for row in whole[name].by[by]}
            for row in rest.by[by]:
                there = rows.pop(key(row))
                looked_at += 1
                for held in ("value", "n", "mean_pairwise"):
                    assert close(there.get(held), row.get(held)), (by, held, there, row)
            # what is told beside rests on nothing: a category may be one that nobody gave
            assert all(row.get("n", 0) == 0 or row.get("share") == 0 for row in rows.values()), by
    assert looked_at or record.several


def key(row) -> tuple:
    """What a row is about."""
    names = ("category", "label", "annotator", "item", "mention", "document", "first", "second")
    return tuple([str(row[name]) for name in names if name in row])


@pytest.mark.parametrize(
    "record", [m for m in MEASURES if m.rests_on != "shared"], ids=lambda m: m.name
)
def test_what_rests_on_more_says_so(record):
    """Items of one annotator are not called left out where they change the value."""
    data, _ = drawn(record, 0)
    reading = entered(data, [(record, {})])
    assert reading.alone == () or record.rests_on == "complete"
    if record.takes("missing"):
        assert "missing pairable" in " ".join(a["otherwise"] for a in reading.to_dict()["assumed"])
        assert entered(data, [(record, {"missing": "pairable"})]).alone == data.reading.alone


def test_a_ratio_rests_on_items_of_one_annotator_too():
    """The variance of items is estimated from all of them, so that n counts them."""
    data, _ = drawn(next(m for m in MEASURES if m.name == "icc-1"), 0)
    assert accord.agree(data, "icc-1").n == data.n_items
    assert accord.agree(data, "alpha", metric="interval").n == data.reading.used["items"]
