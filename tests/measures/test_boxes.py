"""Boxes and polygons: worked values, brute force, what is refused, real data."""

import csv
import math
import random
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import trapezoid

import accord
from accord import Boxes, Units
from accord.alignment.scenes import align_scenes, scenes_of
from accord.distance.boxes import Geometry
from accord.distance.units import unit_dissimilarity
from accord.errors import InputError, RefusedError, UsageError
from tests.oracles.boxes import Shape, distance_of, least_total, other_images

#: METHODS §20
WORKED = [
    ("p1", "A", 0, 0, 10, 10, "cat"), ("p1", "A", 20, 20, 40, 40, "dog"),
    ("p1", "B", 2, 0, 12, 10, "cat"), ("p1", "B", 21, 20, 41, 42, "cat"),
    ("p1", "B", 60, 60, 70, 70, "dog"), ("p2", "A", 5, 5, 15, 25, "cat"),
    ("p2", "B", 5, 6, 15, 24, "cat"), ("p3", "A", 0, 0, 8, 8, "dog"),
    ("p3", "A", 30, 0, 50, 30, "dog"), ("p3", "B", 31, 2, 50, 30, "dog"),
]  # fmt: skip


@pytest.fixture
def worked() -> Boxes:
    return Boxes.from_rows(WORKED)


def test_worked_values(worked: Boxes) -> None:
    found = accord.agree(worked, "box-gamma", by=["document"])
    assert found.value == pytest.approx(0.583475406658043, abs=1e-12)
    assert found.observed == pytest.approx(0.611089772689378, abs=1e-12)
    assert found.expected == pytest.approx(1.467115705668997, abs=1e-12)
    disorders = [row["observed"] for row in found.by["document"]]
    assert disorders == pytest.approx([0.819628117913832, 0.002770083102493, 0.669072323706543])
    assert found.terms["samples"] == 6
    assert found.terms["chance"] == ["images: all"]
    assert found.terms["sampling"]["error"] == 0
    values = [accord.agree(worked, "box-f1", iou=t).value for t in (0.5, 0.75, 0.95)]
    assert values == pytest.approx([0.6, 0.4, 0.0])
    assert accord.agree(worked, "box-f1", unlabelled=True).value == pytest.approx(0.8)


def test_what_stands_beside_gamma(worked: Boxes) -> None:
    """p1: two pairs and a box alone; p2: a pair; p3: a pair and a box alone."""
    terms = accord.agree(worked).terms
    assert terms["without_counterpart"] == pytest.approx(2 / 10)
    ious = [80 / 120, 380 / (400 + 440 - 380), 180 / 200, 532 / 600]
    assert terms["mean_iou"] == pytest.approx(np.mean(ious))
    # cat cat, dog cat, cat cat, dog dog: α nominal of four groups of two
    assert terms["label_alpha"] == pytest.approx(1 - (1 / 4) / (30 / 56))


def test_everybody_draws_the_middle() -> None:
    """Five pictures, one centred box each: F1 is 1, and hardly better than chance."""
    rng = random.Random(5)
    rows = [
        (f"p{k}", who, *(v + rng.uniform(-1, 1) for v in (30.0, 30.0, 70.0, 70.0)), None)
        for k in range(5)
        for who in "AB"
    ]
    boxes = Boxes.from_rows(rows)
    images = [[[(row[2:6], None)] for row in rows if row[0] == f"p{k}"] for k in range(5)]
    distance = distance_of()
    observed = sum(least_total(image, distance) for image in images)
    found = accord.agree(boxes)
    assert found.value == pytest.approx(1 - observed / other_images(images, distance), abs=1e-9)
    assert abs(found.value) < 0.5
    assert accord.agree(boxes, "box-f1").value == 1


def drawn(rng: random.Random, polygons: bool, label: str | None) -> Shape:
    x, y = rng.randrange(12), rng.randrange(12)
    w, h = rng.randrange(1, 10), rng.randrange(1, 10)
    if polygons and rng.random() < 0.6:
        return (x, y, x + w, y, x + rng.randrange(w + 1), y + h), label
    return (x, y, x + w, y + h), label


def row_of(document: str, who: str, shape: Shape) -> tuple:
    place, label = shape
    if len(place) == 4:
        return (document, who, *place, label)
    return (document, who, list(zip(place[::2], place[1::2], strict=True)), label)


@pytest.mark.parametrize("polygons", [False, True])
@pytest.mark.parametrize("seed", range(150))
def test_alignments_are_the_best_of_all(seed: int, polygons: bool) -> None:
    """Rectangles and polygons, matrices, weights, Δ and banned pairs, two to four annotators."""
    rng = random.Random(seed)
    n = rng.choice([2, 2, 3, 3, 4])
    people = [
        [drawn(rng, polygons, rng.choice("xyz")) for _ in range(rng.randrange(4 if n < 4 else 3))]
        for _ in range(n)
    ]
    alpha, beta, delta = rng.choice([(1, 1, 1), (3, 1, 1), (1, 0, 1), (1, 2, 2.5), (0.5, 1, 0.7)])
    upper = np.triu(np.array([[rng.choice([0.2, 0.5, 1.0]) for _ in "xyz"] for _ in "xyz"]), 1)
    matrix = upper + upper.T
    forbid = rng.random() < 0.3
    boxes = Boxes.from_rows(
        [row_of("d", "ABCD"[a], shape) for a, own in enumerate(people) for shape in own],
        coverage=[("d", "ABCD"[a]) for a in range(n)],
        categories=["x", "y", "z"],
    )
    d = unit_dissimilarity(
        boxes.categories, alpha=alpha, beta=beta, delta=delta, matrix=matrix, forbid=forbid
    )
    plain = distance_of(alpha, beta, delta, lambda a, b: matrix["xyz".index(a), "xyz".index(b)])

    def distance(one: Shape, two: Shape) -> float | None:
        banned = forbid and matrix["xyz".index(one[1]), "xyz".index(two[1])] >= 1
        return None if banned else plain(one, two)

    (found,) = align_scenes(scenes_of(boxes, Geometry.of(boxes), [0]), d)
    assert found.total == pytest.approx(least_total(people, distance, delta), abs=1e-8)
    assert found.gap == 0
    rows = found.members[found.members >= 0]
    assert sorted(rows.tolist()) == list(range(len(boxes)))


@pytest.mark.parametrize("seed", range(40))
def test_value_against_all_tuples(seed: int) -> None:
    rng = random.Random(seed)
    n, m = rng.choice([(2, 3), (2, 4), (3, 3)])
    polygons = seed % 2 == 1
    images = [
        [
            [drawn(rng, polygons, rng.choice("xy")) for _ in range(rng.randrange(3))]
            for _ in range(n)
        ]
        for _ in range(m)
    ]
    slots = seed % 3 == 0

    def who(k: int, a: int) -> str:
        return f"w{k}{a}" if slots else f"w{a}"

    rows = [
        row_of(f"p{k}", who(k, a), shape)
        for k, image in enumerate(images)
        for a, own in enumerate(image)
        for shape in own
    ]
    boxes = Boxes.from_rows(
        rows, coverage=[(f"p{k}", who(k, a)) for k in range(m) for a in range(n)]
    )
    distance = distance_of()
    observed = sum(least_total(image, distance) for image in images)
    found = accord.agree(boxes)
    if not rows:
        assert found.undefined == "nobody drew any shape"
        return
    expected = other_images(images, distance, slots=slots)
    assert found.value == pytest.approx(1 - observed / expected, abs=1e-7)
    assert ("slots:yes" in found.signature) == slots


@pytest.mark.parametrize("seed", range(25))
def test_boxes_of_one_height_are_units_on_a_line(seed: int) -> None:
    """γ's own disorder, wherever counterparts overlap."""
    rng = random.Random(seed)
    rows = []
    for k in range(4):
        for who in "ABC":
            if rng.random() < 0.85:
                start = 40 * k + rng.randrange(4)
                rows.append(("d", who, start, 40 * k + 20 + rng.randrange(6), rng.choice("xy")))
    units = Units.from_rows(rows)
    boxes = Boxes.from_rows([(d, a, s, 7, e, 19, c) for d, a, s, e, c in rows])
    (line,) = accord.align(units)
    (plane,) = align_scenes(
        scenes_of(boxes, Geometry.of(boxes), [0]), unit_dissimilarity(boxes.categories)
    )
    assert plane.total / (len(rows) / len(boxes.annotators)) == pytest.approx(
        line.disorder, abs=1e-9
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_sweep_finds_every_overlap(seed: int) -> None:
    """Against all pairs, with shapes that touch, nest and repeat, in several images at once."""
    from accord.kernels.boxes import meeting_boxes

    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 6, size=(4, 3))
    bounds = np.concatenate([[0], np.cumsum(sizes.ravel())])
    table = np.column_stack([bounds[:-1].reshape(4, 3), bounds[3::3]]).astype(np.int64)
    size = int(bounds[-1])
    low = rng.integers(0, 6, size=(size, 2)).astype(float)
    corners = np.column_stack([low, low + rng.integers(1, 5, size=(size, 2))])
    image = np.repeat(np.repeat(np.arange(4), 3), sizes.ravel())
    owner = np.repeat(np.tile(np.arange(3), 4), sizes.ravel())
    order = np.lexsort((corners[:, 0], image))
    indptr, other, shared = meeting_boxes(table, order, *np.ascontiguousarray(corners.T))
    found = [
        (i, int(other[e]), float(shared[e]))
        for i in range(size)
        for e in range(indptr[i], indptr[i + 1])
    ]
    expected = []
    for i in range(size):
        for j in range(size):
            if image[i] == image[j] and owner[i] < owner[j]:
                wide = min(corners[i, 2], corners[j, 2]) - max(corners[i, 0], corners[j, 0])
                high = min(corners[i, 3], corners[j, 3]) - max(corners[i, 1], corners[j, 1])
                if wide > 0 and high > 0:
                    expected.append((i, j, wide * high))
    assert found == expected


def test_disjoint_shapes_are_never_aligned() -> None:
    rows = [("p", "A", 0, 0, 10, 10, "x"), ("p", "B", 10, 0, 20, 10, "x"), ("q", "A", 0, 0, 1, 1, "x"),
            ("q", "B", 0, 0, 1, 1, "x")]  # fmt: skip
    found = accord.agree(Boxes.from_rows(rows), by=["document"])
    assert [row["observed"] for row in found.by["document"]] == [2.0, 0.0]


def test_iou_and_cost() -> None:
    """IoU ⅔ costs .04, IoU ½ costs 1/9."""
    for x1, cost in ((12, 0.04), (10 + 20 / 3, 1 / 9)):
        shift = x1 - 10
        boxes = Boxes.from_rows([("p", "A", 0, 0, 10, 10, "x"), ("p", "B", shift, 0, x1, 10, "x")])
        d = unit_dissimilarity(boxes.categories)
        (found,) = align_scenes(scenes_of(boxes, Geometry.of(boxes), [0]), d)
        iou = (10 - shift) / (10 + shift)
        assert found.iou.tolist() == pytest.approx([iou])
        dice = 2 * iou / (1 + iou)
        assert found.total == pytest.approx((1 - dice) ** 2)
        if shift == 2:
            assert found.total == pytest.approx(cost)


def test_a_greatest_matching_not_first_come() -> None:
    """First come takes the pair that leaves two boxes alone."""
    rows = [("p", "A", 0, 0, 10, 10, "x"), ("p", "A", 3, 0, 13, 10, "x"),
            ("p", "B", 2, 0, 12, 10, "x"), ("p", "B", 5, 0, 15, 10, "x")]  # fmt: skip
    # A1 reaches B1 only (IoU 2/3); A2 reaches both, and B1 better than B2
    found = accord.agree(Boxes.from_rows(rows), "box-f1", iou=0.6)
    assert found.value == 1.0


def test_score_counts_and_mistakes(worked: Boxes) -> None:
    sides = (worked.select(annotators=[who]) for who in "AB")
    found = accord.score(*sides, "box-f1", by=["errors", "label", "document"])
    assert {k: found.terms[k] for k in ("COR", "MIS", "SPU", "POS", "ACT", "P", "R")} == {
        "COR": 3, "MIS": 2, "SPU": 2, "POS": 5, "ACT": 5, "P": 0.6, "R": 0.6
    }  # fmt: skip
    assert {row["error"]: row["n"] for row in found.by["errors"]} == {
        "same": 3, "other label": 1, "other place": 0, "other label and place": 0, "missed": 1,
        "spurious": 1,
    }  # fmt: skip
    assert [row["label"] for row in found.by["label"]] == ["cat", "dog"]


def test_errors_add_up(worked: Boxes) -> None:
    rows = accord.agree(worked, by=["errors"]).by["errors"]
    assert {row["error"]: row["pairs"] for row in rows} == {
        "same": 3, "other place": 0, "other label": 1, "other label and place": 0, "missing": 2
    }  # fmt: skip
    assert sum(row["share"] for row in rows) == pytest.approx(1)


def test_box_cat_looks_at_labels_alone() -> None:
    rng = np.random.default_rng(3)
    rows = []
    for k in range(12):
        for x in (0, 30):
            label = rng.choice(["x", "y"])
            for who in "AB":
                told = label if rng.random() < 0.9 else rng.choice(["x", "y"])
                # the same labels whatever the outlines
                rows.append((f"p{k}", who, x, 0, x + 10 + rng.integers(3), 20, str(told)))
    boxes = Boxes.from_rows(rows)
    found = accord.agree(boxes, "box-cat")
    pairs = {}
    for row in rows:
        pairs.setdefault((row[0], row[2]), []).append(row[-1])
    share = np.mean([a != b for a, b in pairs.values()])
    assert found.observed == pytest.approx(share, abs=0.02)
    assert 0 < found.value < 1


def test_box_cat_of_a_handful_of_pairs_is_warned_of(worked: Boxes) -> None:
    few = accord.agree(worked, "box-cat")
    assert any("the labels of 4 aligned pairs" in w for w in few.warnings)
    rows = [(f"{k}{p}", *rest) for k in range(3) for p, *rest in WORKED]
    many = accord.agree(Boxes.from_rows(rows), "box-cat")
    assert not any("aligned pairs of shapes" in w for w in many.warnings)


def test_uniform_chance() -> None:
    """Two boxes of a third of a long image each: a draw overlaps with a probability one can compute."""
    boxes = Boxes.from_rows(
        [("p", "A", 0, 0, 30, 10, None), ("p", "B", 60, 0, 90, 10, None)], sizes={"p": (90, 10)}
    )
    found = accord.agree(boxes, chance="uniform", samples=4000, seed=1)
    assert found.observed == 2.0
    # |x − y| with x, y uniform on [0, 60]: density 2(60 − t)/60²; overlap t < 30 costs (t/30)²
    t = np.linspace(0, 30, 100_001)
    density = 2 * (60 - t) / 3600
    cost = (t / 30) ** 2
    mean = trapezoid(density * cost, t) + 2 * (1 - trapezoid(density, t))
    assert found.expected == pytest.approx(mean, rel=0.03)
    with pytest.raises(InputError, match="needs the size of every image, 1 are not known: 'p'"):
        accord.agree(
            Boxes.from_rows([("p", "A", 0, 0, 3, 1, None), ("p", "B", 6, 0, 9, 1, None)]),
            chance="uniform",
        )


def test_images_are_scaled_to_one_size() -> None:
    """The same pictures twice as wide: chance is the same once sizes are known."""
    big = [(d, a, 2 * x0, y0, 2 * x1, y1, c) if d == "p2" else (d, a, x0, y0, x1, y1, c)
           for d, a, x0, y0, x1, y1, c in WORKED]  # fmt: skip
    sizes = {"p1": (100, 100), "p2": (100, 100), "p3": (100, 100)}
    plain = accord.agree(Boxes.from_rows(WORKED, sizes=sizes))
    wide = accord.agree(Boxes.from_rows(big, sizes={**sizes, "p2": (200, 100)}))
    assert plain.value == pytest.approx(wide.value)
    assert "scaled:unit-square" in plain.signature
    assert not any("sizes" in w for w in plain.warnings)
    unknown = accord.agree(Boxes.from_rows(big))
    assert unknown.value != pytest.approx(plain.value)
    assert any("are not known" in w for w in unknown.warnings)


def test_sampled_chance_is_seeded_and_near_the_exact_one() -> None:
    rng = random.Random(7)
    rows = [
        row_of(f"p{k}", who, drawn(rng, False, rng.choice("xy")))
        for k in range(12)
        for who in "AB"
        for _ in range(3)
    ]
    boxes = Boxes.from_rows(rows)
    exact = accord.agree(boxes)
    assert exact.terms["samples"] == 132
    some = [accord.agree(boxes, samples=100, seed=s, jobs=j) for s, j in ((1, 1), (1, 2), (2, 1))]
    assert some[0].value == some[1].value != some[2].value
    low, high = some[0].terms["sampling"]["low"], some[0].terms["sampling"]["high"]
    assert low - 0.05 < exact.value < high + 0.05


def test_names_do_not_matter() -> None:
    rng = random.Random(11)
    shapes = {
        (k, a): [drawn(rng, False, rng.choice("xy")) for _ in range(2)]
        for k in range(40)
        for a in range(3)
    }

    def value(images: list[str], people: list[str], **how: object) -> float:
        rows = [row_of(images[k], people[a], s) for (k, a), own in shapes.items() for s in own]
        return accord.agree(Boxes.from_rows(rows), samples=50, **how).value

    names = [f"p{k}" for k in range(40)]
    other = [f"q{(k * 7) % 40}" for k in range(40)]
    assert value(names, ["A", "B", "C"]) == pytest.approx(value(other, ["z", "m", "c"]))


# --- what is refused -------------------------------------------------------------------------------


def test_chance_needs_as_many_images_as_annotators() -> None:
    rows = [("p", "A", 0, 0, 3, 1, None), ("p", "B", 0, 0, 3, 1, None)]
    with pytest.raises(RefusedError, match=r"from as many different images, and there is 1; pass"):
        accord.agree(Boxes.from_rows(rows))
    # a part that is refused is undefined, and the others stand
    more = [*rows, ("q", "A", 0, 0, 3, 1, None), ("q", "C", 0, 0, 3, 1, None),
            ("r", "A", 5, 0, 9, 1, None), ("r", "B", 5, 0, 9, 1, None)]  # fmt: skip
    boxes = Boxes.from_rows(more).covered("marked")
    found = accord.agree(boxes, by=["pair"]).by["pair"]
    assert [math.isfinite(row["value"]) for row in found] == [True, False, False]


@pytest.mark.parametrize("name", ["ap", "mAP", "coco-ap", "average precision"])
def test_average_precision_is_refused(worked: Boxes, name: str) -> None:
    with pytest.raises(RefusedError, match=r"confidence .* faster-coco-eval"):
        accord.agree(worked, name)


def test_coefficients_of_ratings_are_refused(worked: Boxes) -> None:
    for name in ("alpha", "kappa", "gamma"):
        with pytest.raises(
            UsageError, match=r"these data are boxes; use box-gamma, or one of box-cat, box-f1"
        ):
            accord.agree(worked, name)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (("p", "A", 5, 5, 5, 9, "x"), "has no area; drop it"),
        (("p", "A", 50, 50, 20, 30, "x"), r"corners reversed; .*width and height \(x,y,w,h\)"),
        (("p", "A", math.nan, 0, 1, 1, "x"), "not a number"),
        (("p", "A", [(0, 0), (2, 2), (2, 0), (0, 2)], "x"), "crosses itself"),
        (("p", "A", [(0, 0), (4, 4), (2, 0), (0, 2)], "x"), "crosses itself"),
        (("p", "A", [(0, 0), (1, 1), (2, 2)], "x"), "has no area"),
        (("p", "A", [(0, 0), (1, 1)], "x"), "fewer than three points"),
    ],
)
def test_shapes_that_are_none_are_named_with_their_row(row: tuple, words: str) -> None:
    good = ("p", "A", 0, 0, 1, 1, "x")
    with pytest.raises(
        InputError, match=r"t\.csv:3: the (box|polygon) .* of annotator 'A' in image 'p'"
    ):
        Boxes.from_rows([good, row], path="t.csv", lines=[2, 3])
    with pytest.raises(InputError, match=words):
        Boxes.from_rows([good, row])


def test_pixels_against_per_cent() -> None:
    with pytest.raises(InputError, match=r"outside its image of 100 × 100; coordinates and sizes"):
        Boxes.from_rows([("p", "A", 0, 0, 300, 10, "x")], sizes={"p": (100, 100)})
    over = Boxes.from_rows([("p", "A", 0, 0, 101, 10, "x")], sizes={"p": (100, 100)})
    assert any("over the edge" in note for note in over.notes)
    rows = [("p", "A", 10 * k, 0, 10 * k + 8, 50, "x") for k in range(6)]
    rows += [("p", "B", 60 * k, 0, 60 * k + 48, 300, "x") for k in range(6)]
    boxes = Boxes.from_rows(rows)
    assert any("'A' are at most 100, where those of others reach further" in n for n in boxes.notes)
    small = Boxes.from_rows([("p", "A", 1, 1, 60, 60, "x")], sizes={"p": (640, 480)})
    assert any("are these per cent?" in note for note in small.notes)


def test_without_shapely_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "shapely", None)
    triangle = [("p", "A", [(0, 0), (4, 0), (0, 3)], "x")]
    with pytest.raises(
        accord.AccordError, match=r"needs shapely; .*pip install 'accord\[shapes\]'"
    ):
        Boxes.from_rows(triangle)
    # upright rectangles need no library, however they are written
    assert len(Boxes.from_rows([("p", "A", [(0, 0), (4, 0), (4, 3), (0, 3)], "x")])) == 1


# --- real data -------------------------------------------------------------------------------------


@pytest.fixture
def crowd(shared: Path) -> tuple[list[tuple], list[tuple[str, str]]]:
    folder = shared / "beyond" / "boxes_braylan"
    if not folder.is_dir():
        pytest.skip("the boxes of the crowd are not here")
    with (folder / "boxes.csv").open() as file:
        rows = [
            (r["document"], r["annotator"], *(float(r[k]) for k in ("x0", "y0", "x1", "y1")), None)
            for r in csv.DictReader(file)
        ]
    with (folder / "coverage.csv").open() as file:
        return rows, [(r["document"], r["annotator"]) for r in csv.DictReader(file)]


def test_first_two_workers_of_each_image(crowd: tuple) -> None:
    rows, seen = crowd
    workers: dict[str, list[str]] = {}
    for document, who in seen:
        workers.setdefault(document, []).append(who)
    first = {d: sorted(who)[:2] for d, who in workers.items()}
    two = Boxes.from_rows(
        [(r[0], str(first[r[0]].index(r[1])), *r[2:]) for r in rows if r[1] in first[r[0]]],
        coverage=[(d, a) for d in first for a in "01"],
    )
    assert len(two.documents) == 200
    assert accord.agree(two).value == pytest.approx(0.71, abs=0.01)
    assert accord.agree(two, "box-f1").value == pytest.approx(0.716, abs=0.0005)


def test_the_table_of_the_crowd(shared: Path) -> None:
    folder = shared / "beyond" / "boxes_braylan"
    if not folder.is_dir():
        pytest.skip("the boxes of the crowd are not here")
    boxes = accord.read(folder / "boxes.csv")
    assert (len(boxes), len(boxes.documents), len(boxes.annotators)) == (7533, 200, 196)
    assert int(boxes.coverage.sum()) == 1723
