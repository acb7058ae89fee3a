"""nervaluate 1.2.1 and pyannote.metrics 4.2.0: the same where matching is plain, and where not.

nervaluate.Evaluator([gold], [predicted], tags=["A", "B"], loader="dict").evaluate()["overall"], ends
given inclusive: (correct, incorrect, partial, missed, spurious) of strict, exact, partial, ent_type.
"""

import json
from pathlib import Path

import pytest

import accord
from accord.data import Units

GOLD = [(0, 3, "A"), (5, 9, "B"), (12, 14, "A"), (20, 22, "B")]
ROWS = [
    (
        [(1, 3, "A"), (13, 14, "A"), (20, 22, "A"), (30, 32, "A")],
        [(0, 3, 0, 1, 1), (1, 2, 0, 1, 1), (1, 0, 2, 1, 1), (2, 1, 0, 1, 1)],
    ),
    (
        [(1, 3, "A"), (5, 9, "A"), (12, 15, "A"), (21, 22, "A"), (30, 32, "A")],
        [(0, 4, 0, 0, 1), (1, 3, 0, 0, 1), (1, 0, 3, 0, 1), (2, 2, 0, 0, 1)],
    ),
    (
        [(0, 3, "A"), (5, 9, "B"), (12, 15, "A"), (21, 22, "B"), (30, 32, "A")],
        [(2, 2, 0, 0, 1), (2, 2, 0, 0, 1), (2, 0, 2, 0, 1), (4, 0, 0, 0, 1)],
    ),
]


def units(rows, who: str) -> Units:
    return Units.from_rows([("d", who, *row) for row in rows])


def counts(reference, system) -> list[tuple[int, ...]]:
    found = accord.semeval(units(reference, "r"), units(system, "s"))
    return [tuple(r.terms[k] for k in ("COR", "INC", "PAR", "MIS", "SPU")) for r in found]


@pytest.mark.parametrize(("predicted", "expected"), ROWS)
def test_four_schemes(predicted, expected):
    assert counts(GOLD, predicted) == expected


def test_nervaluate_depends_on_the_order_of_the_predictions():
    """Given the predictions in this order it finds 2 of type and 3 pairs, in the other 1 and 2."""
    gold = [(1, 6, "B"), (6, 7, "B"), (16, 18, "A")]
    predicted = [(1, 2, "B"), (2, 7, "A"), (14, 19, "A")]
    best = [(0, 3, 0, 0, 0), (0, 3, 0, 0, 0), (0, 0, 3, 0, 0), (2, 1, 0, 0, 0)]
    assert counts(gold, predicted) == best
    assert counts(gold, predicted[::-1]) == best


def test_pyannote_detection_and_identification():
    """DetectionPrecision, DetectionRecall, DetectionPrecisionRecallFMeasure (labels ignored), and
    IdentificationErrorRate's components: correct 3.0, missed 2.25 + confusion 3.0, false alarm 2.0."""
    reference = [(0.5, 4.25, "a"), (6, 9.5, "b"), (12, 13, "a")]
    system = [(1, 4, "a"), (6.5, 10, "a"), (20, 21.5, "b")]
    plain = [[(s, e, "x") for s, e, _ in rows] for rows in (reference, system)]
    terms = accord.token_f1(units(plain[0], "r"), units(plain[1], "s")).terms
    assert terms["P"] == pytest.approx(0.75)
    assert terms["R"] == pytest.approx(0.7272727272727273)
    assert terms["F"] == pytest.approx(0.7384615384615384)
    labelled = accord.token_f1(units(reference, "r"), units(system, "s")).terms
    assert labelled["COR"] == pytest.approx(3.0)
    assert labelled["MIS"] == pytest.approx(2.25 + 3.0)
    assert labelled["SPU"] == pytest.approx(2.0 + 3.0)


def drawn() -> list[dict]:
    """Drawn pairs of annotations in one to three documents, and what nervaluate 1.2.1 says of them.

    ``Evaluator(true, pred, tags=labels, loader="dict").evaluate()`` with ends inclusive: of each
    scheme correct, incorrect, partial, missed, spurious and f1, from "overall" and "entities".
    """
    found: list[dict] = json.loads((Path(__file__).parent / "nervaluate.json").read_text())
    return found


@pytest.mark.parametrize("number", range(56))
def test_drawn_cases_in_all_and_by_label(number):
    case = drawn()[number]

    def side(which: int, who: str) -> Units:
        rows = [(f"d{i}", who, *row) for i, both in enumerate(case["docs"]) for row in both[which]]
        seen = [(f"d{i}", who) for i in range(len(case["docs"]))]
        return Units.from_rows(rows, coverage=seen)

    reference, system = side(0, "r"), side(1, "s")
    for theirs, ours in (("strict",) * 2, ("exact",) * 2, ("partial",) * 2, ("ent_type", "type")):
        result = accord.score(reference, system, f"semeval-{ours}")
        rows = {row["category"]: row for row in result.by["category"]}
        assert rows.keys() == case["labels"].keys()
        expected = [case["overall"][theirs], *(case["labels"][name][theirs] for name in rows)]
        for told, wanted in zip((result.terms, *rows.values()), expected, strict=True):
            assert [told[k] for k in ("COR", "INC", "PAR", "MIS", "SPU")] == wanted[:5]
            assert told["F"] == pytest.approx(wanted[5], abs=1e-11)
        mean = sum(row["F"] for row in rows.values()) / len(rows)
        macro = accord.score(reference, system, f"semeval-{ours}", average="macro")
        assert macro.value == pytest.approx(mean, abs=1e-12)
