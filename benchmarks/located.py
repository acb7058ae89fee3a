"""Cuttings, spans and unitizing against segeval, nltk, nervaluate, seqeval and pyannote.metrics."""

from __future__ import annotations

import random

import numpy as np
from harness import main, run, task, write

# --- data ------------------------------------------------------------------------------------------


def masses(length: int, mean: int, seed: int) -> list[int]:
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.choice(np.arange(1, length), length // mean - 1, replace=False))
    return np.diff(np.concatenate([[0], cuts, [length]])).tolist()


def string(of: list[int]) -> str:
    return "".join("0" * (m - 1) + "1" for m in of)[:-1]


def tagged(documents: int, each: int, seed: int = 1) -> tuple[list[list[str]], list[list[str]]]:
    """Gold and predicted BIO tags: one span in ten shortened, relabelled or missed."""
    rng = random.Random(seed)
    gold, predicted = [], []
    for _ in range(documents):
        one: list[str] = []
        two: list[str] = []
        for _ in range(each):
            gap, length, label = rng.randint(1, 8), rng.randint(1, 5), rng.choice("ABCD")
            one += ["O"] * gap
            two += ["O"] * gap
            span = [f"B-{label}"] + [f"I-{label}"] * (length - 1)
            one += span
            drawn = rng.random()
            if drawn < 0.1:
                two += ["O", f"B-{label}", *span[2:]] if length > 1 else ["O"]
            elif drawn < 0.2:
                other = rng.choice("ABCD")
                two += [f"B-{other}"] + [f"I-{other}"] * (length - 1)
            elif drawn < 0.3:
                two += ["O"] * length
            else:
                two += span
        gold.append(one)
        predicted.append(two)
    return gold, predicted


def units(tags: list[list[str]], who: str):
    from accord.formats.tags.tags import from_tags

    return from_tags(tags, annotator=who, names=[f"d{i}" for i in range(len(tags))])


def crowded(size: int, who: str, seed: int):
    """Spans of one label in one document that overlap ten at a time."""
    from accord.data import Units

    rng = np.random.default_rng(0)
    start = rng.integers(0, 5 * size, size)
    length = rng.integers(1, 100, size)
    moved = np.random.default_rng(seed).integers(0, 4, size)
    return Units.from_rows(
        [("d", who, int(s), int(s + n), "x") for s, n in zip(start + moved, length, strict=True)]
    )


# --- accord ----------------------------------------------------------------------------------------


@task
def accord_cut(measure: str, length: int, mean: int):
    import accord
    from accord.data import Segments

    one, two = (
        Segments.from_masses([("d", who, masses(length, mean, seed))])
        for who, seed in (("r", 1), ("s", 2))
    )
    function = getattr(accord, measure)
    small = Segments.from_masses([("d", "r", [2, 3])])
    function(small, small)
    return lambda: function(one, two).value


@task
def accord_spans(measure: str, documents: int, each: int):
    import accord

    gold, predicted = tagged(documents, each)
    one, two = units(gold, "r"), units(predicted, "s")
    function = getattr(accord, measure)
    small = units(gold[:1], "r").select(documents=["d0"])
    function(small, small)

    def work():
        found = function(one, two)
        results = found if isinstance(found, tuple) else (found,)
        return [r.value for r in results]

    return work


@task
def accord_tags(documents: int, each: int):
    import accord

    gold, predicted = tagged(documents, each)
    accord.f1(units(gold[:1], "r"), units(gold[:1], "s"))
    return lambda: [accord.f1(units(gold, "r"), units(predicted, "s")).value]


@task
def accord_errors(documents: int, each: int):
    import accord

    gold, predicted = tagged(documents, each)
    one, two = units(gold, "r"), units(predicted, "s")
    accord.f1(units(gold[:1], "r"), units(gold[:1], "s"))
    return lambda: len(accord.f1(one, two).by["errors"])


@task
def accord_crowded(size: int):
    import accord

    one, two = crowded(size, "r", 1), crowded(size, "s", 2)
    accord.semeval(crowded(10, "r", 1), crowded(10, "s", 2))
    return lambda: [r.value for r in accord.semeval(one, two)]


@task
def accord_family(size: int, coders: int):
    import accord
    from accord.data import Units

    rng = np.random.default_rng(0)
    rows = []
    documents = max(1, size // (coders * 100))
    for d in range(documents):
        for c in range(coders):
            at = 0
            for _ in range(100):
                at += int(rng.integers(1, 10))
                length = int(rng.integers(1, 20))
                rows.append((f"d{d}", f"c{c}", at, at + length, "uvwxyz"[int(rng.integers(0, 6))]))
                at += length
    data = Units.from_rows(rows, lengths={f"d{d}": 3000 for d in range(documents)})
    names = ("u_alpha", "bar_u_alpha", "cu_alpha", "ku_alpha", "alpha_u")
    small = data.select(documents=["d0"])
    for name in names:
        getattr(accord, name)(small)

    def work():
        for name in names:
            getattr(accord, name)(data)
        return len(data)

    return work


# --- peers -----------------------------------------------------------------------------------------


@task
def segeval_cut(measure: str, length: int, mean: int):
    import segeval

    one, two = masses(length, mean, 1), masses(length, mean, 2)
    function = getattr(segeval, {"windowdiff": "window_diff"}.get(measure, measure))
    return lambda: float(function(two, one))


@task
def nltk_ghd(length: int, mean: int):
    from nltk.metrics.segmentation import ghd

    one, two = string(masses(length, mean, 1)), string(masses(length, mean, 2))
    return lambda: float(ghd(one, two))


@task
def nltk_windowdiff(length: int, mean: int, k: int):
    from nltk.metrics.segmentation import windowdiff

    one, two = string(masses(length, mean, 1)), string(masses(length, mean, 2))
    return lambda: float(windowdiff(one, two, k))


@task
def seqeval_f1(documents: int, each: int):
    from seqeval.metrics import f1_score

    gold, predicted = tagged(documents, each)
    f1_score(gold[:1], gold[:1])
    return lambda: [float(f1_score(gold, predicted))]


@task
def nervaluate_schemes(documents: int, each: int):
    from nervaluate import Evaluator
    from seqeval.metrics.sequence_labeling import get_entities

    gold, predicted = (
        [[{"label": x, "start": s, "end": e} for x, s, e in get_entities(t)] for t in side]
        for side in tagged(documents, each)
    )

    def work():
        found = Evaluator(gold, predicted, tags=list("ABCD"), loader="dict").evaluate()["overall"]
        return [found[k].f1 for k in ("strict", "exact", "partial", "ent_type")]

    return work


@task
def pyannote_detection(documents: int, each: int):
    from pyannote.core import Annotation, Segment
    from pyannote.metrics.detection import DetectionPrecisionRecallFMeasure
    from seqeval.metrics.sequence_labeling import get_entities

    def annotation(tags: list[str]) -> Annotation:
        found = Annotation()
        for i, (_, start, end) in enumerate(get_entities(tags)):
            found[Segment(start, end + 1), i] = "x"
        return found

    sides = [[annotation(t) for t in side] for side in tagged(documents, each)]

    def work():
        metric = DetectionPrecisionRecallFMeasure()
        for one, two in zip(*sides, strict=True):
            metric(one, two)
        return [float(abs(metric))]

    return work


@task
def accord_detection(documents: int, each: int):
    import accord
    from accord.data import Units
    from accord.formats.tags.tags import spans_of

    def unlabelled(side: list[list[str]], who: str) -> Units:
        return Units.from_rows(
            [(f"d{i}", who, s, e, "x") for i, t in enumerate(side) for s, e, _ in spans_of(t)]
        )

    gold, predicted = tagged(documents, each)
    one, two = unlabelled(gold, "r"), unlabelled(predicted, "s")
    accord.token_f1(one.select(documents=["d0"]), two.select(documents=["d0"]))
    return lambda: [accord.token_f1(one, two).value]


# --- report ----------------------------------------------------------------------------------------


def line(what: str, ours: dict, peer: str, theirs: dict, wanted: str = "") -> str:
    if "failed" in ours:
        return f"| {what} | FAILED {ours['failed']} | | | | {wanted} |"
    mine = f"{ours['cpu']:.4f} s"
    if "failed" in theirs:
        return f"| {what} | {mine} | {peer} {theirs['failed']} | | | {wanted} |"
    a, b = np.atleast_1d(ours["value"]), np.atleast_1d(theirs["value"])
    same = "same" if np.allclose(a, b, atol=1e-9) else f"DIFFERENT ({a} / {b})"
    ratio = theirs["cpu"] / max(ours["cpu"], 1e-9)
    return f"| {what} | {mine} | {peer} {theirs['cpu']:.3f} s | {same} | {ratio:.0f}× | {wanted} |"


def report() -> None:
    head = ["| what | accord | peer | values | ratio | wanted |", "|---|---|---|---|---|---|"]
    lines = ["## Against peers", "", *head]
    for name, wanted in (
        ("windowdiff", "≥ 50×"),
        ("pk", "≥ 50×"),
        ("boundary_similarity", "≥ 20×"),
    ):
        lines.append(
            line(
                f"{name}, 100 000 atoms, segments of 200",
                run("accord_cut", name, 100_000, 200),
                "segeval",
                run("segeval_cut", name, 100_000, 200),
                wanted,
            )
        )
    lines.append(
        line(
            "boundary_similarity, 100 000 atoms, segments of 10",
            run("accord_cut", "boundary_similarity", 100_000, 10),
            "segeval",
            run("segeval_cut", "boundary_similarity", 100_000, 10),
            "≥ 20×",
        )
    )
    lines.append(
        line(
            "ghd, 10 000 atoms, segments of 10",
            run("accord_cut", "ghd", 10_000, 10),
            "nltk",
            run("nltk_ghd", 10_000, 10),
            "≥ 20×",
        )
    )
    lines.append(
        line(
            "four SemEval schemes, 100 000 entities, 100 a document",
            run("accord_spans", "semeval", 1000, 100),
            "nervaluate",
            run("nervaluate_schemes", 1000, 100),
            "≥ 20×",
        )
    )
    seqeval = run("seqeval_f1", 1000, 100)
    lines.append(
        line(
            "exact F, 100 000 entities",
            run("accord_spans", "f1", 1000, 100),
            "seqeval",
            seqeval,
            "≥ 5×",
        )
    )
    lines.append(
        line(
            "the same, reading the tags included",
            run("accord_tags", 1000, 100),
            "seqeval",
            seqeval,
        )
    )
    lines.append(
        line(
            "detection F by length, 20 000 spans, 200 documents",
            run("accord_detection", 200, 100),
            "pyannote.metrics",
            run("pyannote_detection", 200, 100),
        )
    )
    lines += ["", "## Alone", "", "| what | accord | wanted |", "|---|---|---|"]
    for what, result, wanted in (
        (
            "four SemEval schemes, 20 000 entities in one document",
            run("accord_spans", "semeval", 1, 20_000),
            "< 2 s",
        ),
        (
            "the same, crowded: ten spans deep everywhere",
            run("accord_crowded", 20_000),
            "< 2 s",
        ),
        ("u-α, bar-u-α, cu-α, (k)u-α and α_U together, 30 000 units, 3 coders",
         run("accord_family", 30_000, 3), "< 1 s"),
        ("itemised errors of 100 000 entities", run("accord_errors", 1000, 100), ""),
        ("ghd, 1 000 000 atoms, segments of 10", run("accord_cut", "ghd", 1_000_000, 10), "no limit"),
    ):  # fmt: skip
        lines.append(f"| {what} | {result.get('cpu', float('nan')):.4f} s | {wanted} |")
    lines += ["", "## Growth", "", "| what | size | CPU s | per unit, µs |", "|---|---|---|---|"]
    for length in (10_000, 100_000, 1_000_000):
        for name in ("windowdiff", "boundary_similarity", "ghd"):
            cpu = run("accord_cut", name, length, 20)["cpu"]
            lines.append(f"| {name} | {length} atoms | {cpu:.4f} | {cpu / length * 1e6:.3f} |")
    for documents in (100, 1000, 5000):
        cpu = run("accord_spans", "semeval", documents, 100)["cpu"]
        size = documents * 100
        lines.append(f"| four schemes | {size} spans | {cpu:.4f} | {cpu / size * 1e6:.3f} |")
    for size in (3_000, 30_000, 300_000):
        cpu = run("accord_family", size, 3)["cpu"]
        lines.append(f"| unitizing family | {size} units | {cpu:.4f} | {cpu / size * 1e6:.3f} |")
    write(
        "located",
        "Cuttings, spans and unitizing",
        lines,
        "segeval",
        "nltk",
        "nervaluate",
        "seqeval",
        "pyannote.metrics",
    )


if __name__ == "__main__":
    main(__file__, report)
