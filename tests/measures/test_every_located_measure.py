"""Properties that hold for every measure on units, segments, relations and boxes, by the registry."""

import math

import pytest

import accord
from accord.data import Boxes, Relations, Segments, Units
from accord.measures import enrolled

#: measures of errors: 0 is best
ERRORS = {"ser", "disorder", "windowdiff", "pk", "ghd"}
UNCORRECTED = ("pairwise-f1", "relation-f1", "box-f1")
LOCATED = [m for m in enrolled() if m.shape in ("units", "segments", "relations", "boxes")]
SPANS = [(s, s + 6, "xy"[i % 2]) for i, s in enumerate(range(0, 80, 10))]
MASSES = [7, 12, 9, 20, 4]


def example(shape: str, *people: str):
    """The same annotations by several people, in three documents."""
    if shape == "units":
        return Units.from_rows(
            [
                (f"d{d}", who, s + 4 * d, e + 4 * d, label)
                for d in range(3)
                for who in people
                for s, e, label in SPANS
            ],
            lengths={f"d{d}": 100 for d in range(3)},
        )
    if shape == "relations":
        return Relations.from_rows(
            [
                (f"d{d}", who, one[:2], two[:2], one[2])
                for d in range(3)
                for who in people
                for one, two in zip(SPANS, SPANS[d + 1 :], strict=False)
            ]
        )
    if shape == "boxes":
        return Boxes.from_rows(
            [
                # (the second image has the labels the other way round: chance can then err on them)
                (f"d{d}", who, s, 3 * d, e, 3 * d + 5 + s, "xy"[(i + d) % 2])
                for d in range(3)
                for who in people
                for i, (s, e, _) in enumerate(SPANS)
            ]
        )
    return Segments.from_masses(
        [(f"d{d}", who, MASSES[d:] + MASSES[:d]) for d in range(3) for who in people]
    )


def results(record):
    if record.question == "agree":
        options = {"beside": False} if record.takes("beside") else {}
        found = accord.agree(example(record.shape, "A", "B", "C"), record.name, **options)
    else:
        sides = (example(record.shape, who) for who in ("ref", "sys"))
        found = accord.score(*sides, record.name)
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("record", LOCATED, ids=lambda m: m.name)
def test_equal_annotations_get_the_best_value(record):
    best = 0.0 if record.name in ERRORS else 1.0
    assert record.similarity is (record.name not in ERRORS)
    for result in results(record):
        assert result.value == pytest.approx(best)
        assert result.undefined is None
        assert result.signature.startswith(result.measure)
        assert result.n > 0


@pytest.mark.parametrize("record", LOCATED, ids=lambda m: m.name)
def test_the_record_is_complete(record):
    assert record.citation
    assert record.use
    assert record.summary
    assert record.range[0] < record.range[1]
    # these are reported everywhere and say in every result that they know no chance
    assert record.question == "score" or record.chance or record.name in UNCORRECTED


@pytest.mark.parametrize("record", LOCATED, ids=lambda m: m.name)
def test_the_result_is_plain_json(record):
    import json

    for result in results(record):
        told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert math.isclose(told["value"], result.value)
        assert isinstance(told["by"], dict)
        assert all(isinstance(rows, list) for rows in told["by"].values())
