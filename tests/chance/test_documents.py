"""Chance `documents`: what the annotators marked elsewhere, and what is left beyond shared layout."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import accord
from accord.chance.documents import Elsewhere
from accord.data import Relations, Segments, Units
from accord.data.continuum import documents_of
from accord.registry import find
from accord.study import Study


def habits(seed: int, documents: int = 12, people: int = 3, *, first: bool = True) -> Units:
    """People who do not look: an introduction at the beginning (or not), the rest anywhere."""
    rng = np.random.default_rng(seed)
    rows, lengths = [], {}
    for d in range(documents):
        lengths[f"d{d}"] = 1000.0
        for a in range(people):
            at = np.sort(rng.choice(np.arange(2, 19), 5, replace=False)) * 50 + rng.random()
            rows += [
                (f"d{d}", f"a{a}", s, s + rng.uniform(20, 50), rng.choice(["x", "y"])) for s in at
            ]
            if first:
                rows.append((f"d{d}", f"a{a}", 0.0, rng.uniform(30, 60), "intro"))
    return Units.from_rows(rows, lengths=lengths)


def named(rows: list[tuple[str, str, float, float, str]], lengths: dict[str, float]) -> Units:
    return Units.from_rows(rows, lengths=lengths)


def elsewhere(units: Units) -> Elsewhere:
    documents = documents_of(units)
    return Elsewhere.of([d.continuum for d in documents], np.asarray(units.coverage))


def test_everybody_gets_their_own_units_of_other_documents_and_nobody_those_of_the_same():
    """Each cell has a label of its own, which tells where a unit comes from."""
    rows = [(f"d{d}", f"a{a}", 10.0, 20.0 + a, f"{d}-{a}") for d in range(5) for a in range(3)]
    units = named(rows, {f"d{d}": 100.0 for d in range(5)})
    drawn = elsewhere(units)
    seen = set()
    for k in range(200):
        here = drawn.continua[k % 5]
        made = drawn.drawn(here, np.random.default_rng(k), 0.0)
        labels = [units.categories[c] for c in made.label]
        documents, people = zip(*(name.split("-") for name in labels), strict=True)
        assert len(set(documents)) == 3
        assert sorted(people) == ["0", "1", "2"]
        own = units.categories[int(here.label[0])].split("-")[0]
        assert own not in documents
        seen.add((own, documents))
    assert len(seen) > 80


def test_units_are_stretched_to_the_length_of_the_document_and_stay_on_the_grid():
    rows = [(d, a, 10.0, 30.0, "x") for d in ("long", "m", "n", "o") for a in "AB"]
    units = named(rows, {"long": 150.0, "m": 100.0, "n": 100.0, "o": 100.0})
    drawn = elsewhere(units)
    long = next(c for c in drawn.continua if c.high == 150.0)
    made = drawn.drawn(long, np.random.default_rng(0), 0.0)
    assert made.start.tolist() == [15.0, 15.0]
    assert made.end.tolist() == [45.0, 45.0]
    # (whole numbers stay whole, and nothing vanishes)
    short = next(c for c in drawn.continua if c.high == 100.0)
    for k in range(20):
        whole = drawn.drawn(short, np.random.default_rng(k), 1.0)
        assert (whole.start % 1 == 0).all()
        assert (whole.end > whole.start).all()


def test_documents_of_about_the_same_length_are_given():
    """How many units there are follows the length: a long one is not pressed into a short one."""
    rows = [
        (f"{kind}{d}", a, 1.0, 2.0, kind)
        for kind in ("short", "long")
        for d in range(6)
        for a in "AB"
    ]
    lengths = {
        f"{kind}{d}": size for kind, size in (("short", 10.0), ("long", 1000.0)) for d in range(6)
    }
    units = named(rows, lengths)
    drawn = elsewhere(units)
    for here in drawn.continua:
        made = drawn.drawn(here, np.random.default_rng(1), 0.0)
        assert set(made.label.tolist()) == set(here.label.tolist())


@pytest.mark.parametrize("measure", ["gamma", "gamma-cat", "holistic"])
def test_habits_of_place_are_agreement_beyond_density_but_not_beyond_layout(measure):
    found = [accord.agree(habits(k), measure, ci=None) for k in range(8)]
    left = [r.terms["beyond_layout"]["value"] for r in found]
    assert np.mean([r.value for r in found]) > 0.08
    assert abs(np.mean(left)) < (0.12 if measure == "gamma-cat" else 0.04)


def test_who_has_no_habits_gets_zero_either_way():
    found = [accord.agree(habits(k, first=False), "gamma", ci=None) for k in range(8)]
    assert abs(np.mean([r.terms["beyond_layout"]["value"] for r in found])) < 0.03


def test_numbers_of_units_that_follow_the_document_are_no_agreement():
    """Turning keeps them; so must chance from other documents, which have more or fewer."""
    rng = np.random.default_rng(3)
    values = []
    for _ in range(8):
        rows, lengths = [], {}
        for d in range(16):
            count = 2 if d % 2 else 14
            lengths[f"d{d}"] = 800.0
            for a in "AB":
                rows += [(f"d{d}", a, s, s + 15.0, "x") for s in rng.random(count) * 785]
        values.append(
            accord.agree(named(rows, lengths), "gamma", chance="documents", ci=None).value
        )
    assert abs(np.mean(values)) < 0.04


def test_beyond_layout_is_the_value_of_chance_documents_with_its_interval():
    units = habits(1)
    usual = accord.agree(units, "gamma", ci="auto")
    other = accord.agree(units, "gamma", ci="auto", chance="documents")
    told = usual.terms["beyond_layout"]
    assert told["value"] == other.value
    assert (told["low"], told["high"]) == (other.interval.low, other.interval.high)
    assert 1 - (1 - usual.value) / (1 - told["shared"]) == pytest.approx(other.value)
    assert "beyond-layout:documents" in usual.signature
    assert "chance:documents" in other.signature
    assert "beyond_layout" not in other.terms
    assert told["sentence"] in usual.warnings
    assert f"nothing of {usual.value:.2f} is left beyond shared layout" in told["sentence"]


def test_every_measure_of_the_family_tells_it():
    units = habits(2)
    assert all("beyond_layout" in r.terms for r in accord.agree(units, "gamma-k"))
    cuts = Segments.from_masses(
        [
            (
                f"d{d}",
                a,
                [2, *np.diff([2, *sorted({9 + (d * 7 + k * 3) % 11, 24 + d % 5}), 40]).tolist()],
            )
            for d in range(6)
            for k, a in enumerate("AB")
        ]
    )
    told = accord.agree(cuts, "segmentation-gamma").terms["beyond_layout"]
    assert told["value"] < accord.agree(cuts, "segmentation-gamma").value


def test_one_document_cannot_tell_and_says_so():
    result = accord.agree(habits(1, documents=1), "gamma")
    assert "of one document nobody can tell" in result.terms["beyond_layout"]["undefined"]
    assert accord.agree(habits(1, documents=1), "gamma", chance="documents").undefined.startswith(
        "of one document nobody can tell"
    )


def test_it_takes_more_documents_than_annotators():
    told = accord.agree(habits(1, documents=3), "gamma").terms["beyond_layout"]
    assert told["value"] is None
    assert (
        "it takes more than 3 documents by each of them, and there are 3 in all"
        in told["undefined"]
    )
    assert accord.agree(habits(1, documents=4), "gamma").terms["beyond_layout"]["value"] is not None


def test_documents_whose_annotators_have_no_others_are_left_out():
    units = habits(1, documents=6, people=2)
    alone = [("x", a, 0.0, 10.0, "body") for a in "PQR"]
    seen = [
        *((d, a) for d in units.documents for a in units.annotators),
        *(("x", a) for a in "PQR"),
    ]
    both = Units.from_rows(
        [*map(tuple, units), *alone],
        lengths={**dict.fromkeys(units.documents, 1000.0), "x": 1000.0},
        coverage=seen,
    )
    result = accord.agree(both, "gamma", chance="documents")
    assert "1 documents whose annotators have too few others were left out" in result.warnings
    assert result.value == pytest.approx(
        accord.agree(units, "gamma", chance="documents").value, abs=0.05
    )


def test_names_order_place_and_scale_do_not_matter():
    units = habits(4, documents=7)
    rows = [
        (f"z{9 - int(r.document[1:])}", {"a0": "y", "a1": "x", "a2": "w"}[r.annotator],
         3 * r.start, 3 * r.end, r.label)
        for r in reversed(list(units))
    ]  # fmt: skip
    other = named(rows, dict.fromkeys({r[0] for r in rows}, 3000.0))
    one, two = (accord.agree(u, "gamma", chance="documents", samples=40) for u in (units, other))
    assert one.value == pytest.approx(two.value, abs=1e-9)


def test_a_part_of_a_question_is_not_asked_twice():
    """Breakdowns would take half as long again."""
    study = Study(find("gamma"), habits(1))
    assert "beyond_layout" in study.estimate.terms
    assert "beyond_layout" not in study.without("a0").estimate.terms


def test_the_papers_chance_stands_alone():
    assert "beyond_layout" not in accord.agree(habits(1), "gamma", chance="shuffle").terms


def test_chance_documents_goes_without_ground_truth():
    with pytest.raises(accord.AccordError, match="without ground_truth"):
        accord.agree(habits(1), "gamma", chance="documents", ground_truth=("a0",))


def test_two_samples_have_a_spread():
    found = accord.agree(habits(1), "gamma", chance="documents", samples=2)
    assert np.isfinite(found.terms["precision"])


def replies(seed: int, documents: int = 10, people: int = 3) -> Relations:
    """Messages, each of which mostly answers the one before: nobody looks."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(documents):
        for a in range(people):
            for m in range(1, int(12 + d)):
                to = m - 1 if rng.random() < 0.6 else int(rng.integers(m))
                rows.append((f"d{d}", f"a{a}", f"{d}-{m:02}", f"{d}-{to:02}", "r"))
    return Relations.from_rows(rows)


def test_replies_to_the_message_before_are_layout():
    found = [accord.agree(replies(k), "relation-gamma", ci=None) for k in range(6)]
    assert np.mean([r.value for r in found]) > 0.35
    assert abs(np.mean([r.terms["beyond_layout"]["value"] for r in found])) < 0.1


def test_relations_that_were_read_are_more_than_layout():
    """Two people who saw the same links agree beyond what they link elsewhere."""
    one = replies(1, people=1)
    rows = [(d, a, s, t, c) for d, _, s, t, c in one for a in "AB"]
    told = accord.agree(Relations.from_rows(rows), "relation-gamma").terms["beyond_layout"]
    assert told["value"] == 1.0


def test_located_relations_are_numbered_by_the_annotators_own_units():
    rng = np.random.default_rng(0)
    rows = []
    for d in range(8):
        for a in "AB":
            at = np.sort(rng.choice(np.arange(1, 60), 9, replace=False)) * 10.0
            ends = [(float(s), float(s + 8)) for s in at]
            rows += [(f"d{d}", a, two, one, "r") for one, two in pairwise(ends)]
    told = accord.agree(Relations.from_rows(rows), "relation-gamma").terms["beyond_layout"]
    assert abs(told["value"]) < 0.2


def test_relations_of_few_documents_have_no_layout_to_tell():
    told = accord.agree(replies(1, documents=3), "relation-gamma").terms["beyond_layout"]
    assert "it takes more than 3 documents by each of them" in told["undefined"]
