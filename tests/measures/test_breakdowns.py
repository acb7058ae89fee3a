"""Breakdowns add up: the only row of a breakdown is the total, and counts keep what is said of them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import accord
from accord.data import Boxes, Ratings, Relations, Segments, Units
from accord.errors import RefusedError, UsageError
from accord.registry import enrolled
from accord.study import Study
from tests.measures.test_units_of_measurement import boxes, chains, spans

#: breakdowns whose rows are parts of the data, or one of its values against the others
PARTS = ("document", "pair", "annotator", "category", "label")


def items(people: str, documents: list[str], numbers: bool) -> Ratings:
    rng = np.random.default_rng(5)
    base = rng.integers(0, 2, 60)
    rows = []
    for who in people:
        own = np.where(rng.random(60) < 0.3, rng.integers(0, 2, 60), base)
        rows += [
            (f"{i}", who, float(own[i]) if numbers else "xy"[own[i]], documents[i % len(documents)])
            for i in range(60)
            if rng.random() < 0.9
        ]
    item, annotator, value, document = zip(*rows, strict=True)
    columns = {"item": item, "annotator": annotator, "value": value, "document": document}
    return accord.read(pd.DataFrame(columns), shape="ratings")


def example(shape: str, people: str, documents: int, label: str | None, numbers: bool = False):
    """What these people say of so many documents, all under one label or not."""
    names = [f"d{d}" for d in range(documents)]
    rows = [row for row in spans() if row[0] in names and row[1] in people]
    if shape == "units":
        return Units.from_rows(
            [(d, w, s, e, label or c) for d, w, s, e, c in rows], lengths=dict.fromkeys(names, 320)
        )
    if shape == "relations":
        own = {k: sorted(r[2:] for r in rows if r[:2] == k) for k in {r[:2] for r in rows}}
        return Relations.from_rows(
            [
                (d, w, one[:2], two[:2], label or one[2])
                for (d, w), some in sorted(own.items())
                for one, two in pairwise(some)
            ]
        )
    if shape == "boxes":
        return Boxes.from_rows(
            [
                (b.document, b.annotator, b.x0, b.y0, b.x1, b.y1, label or b.label)
                for b in boxes(1.0, 0.0)
                if b.document in names and b.annotator in people
            ]
        )
    if shape == "segments":
        cut = {who: [7, 12 - (who == "B"), 9 + (who == "B"), 20] for who in people}
        return Segments.from_masses(
            [(n, w, [*cut[w], 4 + k]) for k, n in enumerate(names) for w in people]
        )
    if shape == "chains":
        return chains(1.0, 0.0).select(annotators=list(people), documents=names)
    return items(people, names, numbers)


def study(record, people: str, documents: int, label: str | None, **options) -> Study:
    if record.takes("beside"):
        options["beside"] = False
    if record.takes("samples"):
        options["samples"] = 30
    numbers = record.ordered or record.name.startswith("icc") or record.name in ("ccc", "kendall-w")
    data = example(record.shape, people, documents, label, numbers)
    if record.question == "agree":
        return Study(record, data, options=options)
    sides = [data.select(annotators=[who]) for who in people[:2]]
    return Study(record, *sides, options=options)


SINGLE = [m for m in enrolled() if not m.several]


@pytest.mark.parametrize("record", SINGLE, ids=lambda m: f"{m.question}-{m.name}")
def test_the_only_row_is_the_total(record):
    """Two people and one document under one label; three of each and one label; two and three documents."""
    averages = record.option("average").choices if record.takes("average") else (None,)
    looked_at = 0
    for people, documents, label in (("AB", 1, "x"), ("ABC", 3, "x"), ("AB", 3, None)):
        for average in averages:
            asked = study(
                record, people, documents, label, **({"average": average} if average else {})
            )
            try:
                total = asked.result.value
            except (RefusedError, UsageError, accord.InputError):
                continue
            for by in PARTS:
                try:
                    rows = asked.breakdown(by)
                except (RefusedError, UsageError):
                    continue
                # two annotators are in one pair, each of them
                if len(rows) != 1 and not (by == "annotator" and len(people) == 2):
                    continue
                for row in rows:
                    value = row.get("value", row.get("mean_pairwise"))
                    assert value == pytest.approx(total, abs=1e-9, nan_ok=True), (by, average, row)
                    looked_at += 1
    if not looked_at:
        pytest.skip("no breakdown of one row on these data")


COUNTED = [m for m in SINGLE if m.question == "score" and m.takes("average") and m.shape == "units"]


@pytest.mark.parametrize("record", COUNTED, ids=lambda m: m.name)
@pytest.mark.parametrize("seed", range(8))
def test_counts_keep_their_identities(record, seed):
    """ACT = COR+INC+PAR+SPU and POS = COR+INC+PAR+MIS, in all, by label and by document."""
    rows = spans(seed)
    first, second = (Units.from_rows([r for r in rows if r[1] == who]) for who in "AB")
    result = accord.score(first, second, record.name)
    for row in (result.terms, *result.by["category"], *result.by["document"]):
        matched = row["COR"] + row["INC"] + row["PAR"]
        assert matched + row["SPU"] == pytest.approx(row["ACT"])
        assert matched + row["MIS"] == pytest.approx(row["POS"])
        assert min(row[k] for k in ("COR", "INC", "PAR", "MIS", "SPU")) >= 0
        credit = row["COR"] + row["PAR"] / 2
        for key, size in (("P", row["ACT"]), ("R", row["POS"])):
            assert row[key] == pytest.approx(credit / size if size else math.nan, nan_ok=True)
        assert row["F"] == pytest.approx(2 * credit / (row["ACT"] + row["POS"]))
    for key in ("POS", "ACT"):
        assert sum(r[key] for r in result.by["category"]) == pytest.approx(result.terms[key])
        assert sum(r[key] for r in result.by["document"]) == pytest.approx(result.terms[key])


@pytest.mark.parametrize("record", COUNTED, ids=lambda m: m.name)
def test_a_precision_without_an_answer_is_undefined_everywhere(record):
    """A label that the system never gives: no precision in its row; and none in all where it says nothing."""
    reference = Units.from_rows([("d", "r", 0, 4, "x"), ("d", "r", 6, 9, "y")])
    system = Units.from_rows([("d", "s", 0, 4, "x")])
    result = accord.score(reference, system, record.name)
    of_x, of_y = result.by["category"]
    assert (of_x["P"], of_x["F"]) == (1.0, 1.0)
    assert math.isnan(of_y["P"])
    assert (of_y["R"], of_y["F"]) == (0.0, 0.0)
    silent = Units.from_rows([], coverage=[("d", "s")])
    nothing = accord.score(reference, silent, record.name)
    assert math.isnan(nothing.terms["P"])
    assert math.isnan(nothing.by["document"][0]["P"])
    assert (nothing.value, nothing.terms["R"]) == (0.0, 0.0)


def test_a_scheme_that_ignores_labels_does_not_credit_a_label():
    """Bounds all right and labels all wrong: exact is 1 in all, and 0 for each label alone."""
    reference = Units.from_rows([("d", "r", 0, 4, "x"), ("d", "r", 6, 9, "y")])
    system = Units.from_rows([("d", "s", 0, 4, "y"), ("d", "s", 6, 9, "x")])
    result = accord.score(reference, system, "semeval-exact")
    assert result.value == 1.0
    assert [(row["COR"], row["P"], row["F"]) for row in result.by["category"]] == [
        (0, 0.0, 0.0)
    ] * 2
    # unlabelled boxes and relations likewise
    ours, theirs = (
        Boxes.from_rows([("d", w, 0, 0, 9, 9, c), ("d", w, 20, 0, 29, 9, k)])
        for w, c, k in (("r", "x", "y"), ("s", "y", "x"))
    )
    found = accord.score(ours, theirs, "box-f1", unlabelled=True)
    assert found.value == 1.0
    assert {row["COR"] for row in found.by["label"]} == {0}


def test_the_label_of_all_pairs_is_their_mean_and_tells_what_is_pooled():
    rows = [
        ("d", "A", 0, 2, "x"),
        ("d", "B", 0, 2, "x"),
        ("d", "B", 6, 9, "x"),
        ("d", "C", 0, 2, "x"),
    ]
    result = accord.agree(Units.from_rows(rows), "pairwise-f1", ci="none")
    (row,) = result.by["category"]
    assert row["value"] == pytest.approx(result.value) == pytest.approx((2 / 3 + 1 + 2 / 3) / 3)
    assert row["pooled"] == pytest.approx(result.terms["pooled"]) == pytest.approx(6 / 8)


def test_two_sides_that_share_no_label_are_told():
    """A perfect diarization under other names is 0 of f1, and says why."""
    turns = [(0, 4, "x"), (4, 9, "y")]
    other = {"x": "Ann", "y": "Bob"}
    reference = Units.from_rows([("d", "r", *turn) for turn in turns])
    system = Units.from_rows([("d", "s", s, e, other[c]) for s, e, c in turns])
    found = accord.score(reference, system, "f1")
    assert found.value == 0
    assert any("share no label ('x', 'y' against 'Ann', 'Bob')" in w for w in found.warnings)
    same = accord.score(reference, reference, "f1")
    assert not any("share no label" in w for w in same.warnings)
    found = accord.score(list("xyx"), list("XYX"), "accuracy")
    assert any("share no label" in w for w in found.warnings)
    assert not any(
        "share no label" in w for w in accord.score([1, 2, 3], [4, 5, 6], "pearson").warnings
    )


def test_what_a_conll_file_holds_and_the_score_leaves_out_is_told(tmp_path):
    """A plural of two entities, (1+2), is a mention of neither; split-antecedent scores what it refers to."""
    cells = ["(1)", "-", "(2)", "(1+2)", "(1)", "(3+9)"]
    lines = [f"d\t0\t{i}\tw{i}\t{cell}" for i, cell in enumerate(cells)]
    path = tmp_path / "key.conll"
    path.write_text("#begin document (d); part 000\n" + "\n".join(lines) + "\n#end document\n")
    key = accord.read(path)
    assert any(
        note.startswith("1 mentions refer to several entities together") for note in key.notes
    )
    path.with_name("plain.conll").write_text(path.read_text().replace("(1+2)", "(4)"))
    plain = accord.read(path.with_name("plain.conll"))
    assert not any("several entities" in note for note in plain.notes)
    assert accord.score(key, key, "split-antecedent").value == 1
    assert accord.score(key, plain, "split-antecedent").terms["R"] == 0
    assert any("several entities" in w for w in accord.score(key, key, "conll").warnings)
