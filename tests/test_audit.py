"""Every rule of the audit on data that triggers it and on data that do not."""

import json

import numpy as np
import pytest

from accord.audit import RULES, audit, recommend
from accord.data import Chains, Ratings, Units
from accord.data.tables import ratings_from_long
from tests.conftest import ROOT


def campaign(items=300, annotators=4, q=3, noise=0.1, seed=0, weights=None, names="abcdefgh"):
    """Good annotators of the same task, one row each."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(q, items, p=weights)
    rows = []
    for _ in range(annotators):
        wrong = rng.random(items) < noise
        row = np.where(wrong, rng.choice(q, items, p=weights), truth)
        rows.append([names[v] for v in row])
    return rows


def rules(data, **options) -> set[str]:
    return {f.rule for f in audit(data, **options)}


def finding(data, rule, **options):
    return next(f for f in audit(data, **options) if f.rule == rule)


CLEAN = Ratings.from_matrix(campaign())


def test_a_clean_campaign_gets_a_clean_bill():
    assert audit(CLEAN) == ()


def test_every_rule_has_a_test():
    tested = {
        name.removeprefix("test_rule_") for name in globals() if name.startswith("test_rule_")
    }
    assert {rule.__name__ for rule in RULES} == tested


def test_rule_ordered_as_nominal():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 10, 300)
    near = [np.clip(truth + rng.integers(-1, 2, 300), 0, 9).tolist() for _ in range(3)]
    found = finding(Ratings.from_matrix(near), "ordered-as-nominal")
    assert found.evidence["alpha_interval"] > found.evidence["alpha_nominal"] + 0.3
    assert "order" in found.statement
    text = [[f"w{v}" for v in row] for row in near]
    assert "ordered-as-nominal" not in rules(Ratings.from_matrix(text))


def test_rule_unused_categories():
    declared = Ratings.from_matrix(campaign(), categories=[*"abc", "never"])
    assert finding(declared, "unused-categories").evidence["unused"] == ["never"]
    assert "unused-categories" not in rules(Ratings.from_matrix(campaign(), categories=list("abc")))


def test_rule_skewed_prevalence():
    rare = Ratings.from_matrix(campaign(items=2000, q=2, weights=[0.97, 0.03]))
    found = finding(rare, "skewed-prevalence")
    assert found.evidence["percent"] > 0.9
    assert "'a'" in found.statement
    assert "skewed-prevalence" not in rules(CLEAN)


def paged(distributions, agreement=0.9, size=200):
    rng = np.random.default_rng(2)
    rows = []
    for page, share in enumerate(distributions):
        for i in range(size):
            first = "A" if rng.random() < share else "B"
            second = first if rng.random() < agreement else ("B" if first == "A" else "A")
            rows += [
                (f"{page}-{i}", "x", first, f"p{page}"),
                (f"{page}-{i}", "y", second, f"p{page}"),
            ]
    items, who, values, documents = zip(*rows, strict=True)
    return ratings_from_long(items, who, values, documents=documents)


def test_rule_heterogeneous_documents():
    found = finding(paged([0.5, 0.02, 0.98, 0.5]), "heterogeneous-documents")
    assert found.evidence["global_value"] > found.evidence["mean_local_value"]
    assert "heterogeneous-documents" not in rules(paged([0.5, 0.5, 0.5, 0.5]))


def test_rule_drift():
    rng = np.random.default_rng(3)

    def timed(qualities):
        rows = []
        for t, quality in enumerate(qualities):
            for i in range(60):
                v = str(rng.integers(3))
                w = v if rng.random() < quality else str(rng.integers(3))
                rows += [(f"{t}-{i}", "x", "v" + v, t), (f"{t}-{i}", "y", "v" + w, t)]
        items, who, values, times = zip(*rows, strict=True)
        return ratings_from_long(items, who, values, times=times)

    assert "drift" in rules(timed([0.95, 0.85, 0.7, 0.55, 0.4, 0.2]))
    assert "drift" not in rules(timed([0.9, 0.92, 0.9, 0.91]))


def test_rule_asymmetric_confusions():
    rng = np.random.default_rng(4)
    first = rng.choice(list("AB"), 400, p=[0.7, 0.3])
    second = np.where((first == "A") & (rng.random(400) < 0.6), "B", first)
    found = finding(Ratings.from_matrix([first.tolist(), second.tolist()]), "asymmetric-confusions")
    assert found.evidence["kappa"] > found.evidence["pi"]
    assert "asymmetric-confusions" not in rules(CLEAN)


def test_rule_annotator_apart():
    rng = np.random.default_rng(5)
    rows = campaign(annotators=3)
    apart = Ratings.from_matrix([*rows, rng.choice(list("abc"), 300).tolist()])
    assert finding(apart, "annotator-apart").statement.startswith("A4")
    assert "annotator-apart" not in rules(CLEAN)


def test_rule_few_pairable():
    rows = campaign(annotators=2)
    second = [v if i < 10 else None for i, v in enumerate(rows[1])]
    assert (
        finding(Ratings.from_matrix([rows[0], second]), "few-pairable").evidence["rated_twice"]
        == 10
    )
    assert "few-pairable" not in rules(CLEAN)


def test_rule_wide_interval():
    found = finding(
        Ratings.from_matrix(campaign(items=15, annotators=2, noise=0.4)), "wide-interval"
    )
    assert found.evidence["high"] - found.evidence["low"] > 0.2
    assert "wide-interval" not in rules(CLEAN)


def test_rule_weak_majorities():
    noisy = Ratings.from_matrix(campaign(annotators=5, q=5, noise=0.8))
    found = finding(noisy, "weak-majorities")
    assert 0 < found.evidence["share_under_half"] < 1
    assert "weak-majorities" not in rules(CLEAN)


def test_rule_unanimity_bias():
    found = finding(Ratings.from_matrix(campaign(noise=0.5)), "unanimity-bias")
    assert found.evidence["kept"] < 0.9
    perfect = Ratings.from_matrix([campaign()[0]] * 3)
    assert "unanimity-bias" not in rules(perfect)


def test_rule_agreement_as_score():
    reference = Ratings.from_matrix(campaign(annotators=1), annotators=["reference"])
    system = Ratings.from_matrix(campaign(annotators=1, seed=1), annotators=["system"])
    options = {"reference": reference, "system": system}
    assert "agreement-as-score" in rules(CLEAN, measure="kappa", **options)
    assert "agreement-as-score" not in rules(CLEAN, measure="accuracy", **options)


def test_rule_system_among_humans():
    assert "system-among-humans" in rules(CLEAN, systems=["A4"])
    assert "system-among-humans" not in rules(CLEAN, systems=["other"])


def test_rule_unvalidated_reference():
    alone = CLEAN.select(annotators=["A1"])
    assert "unvalidated-reference" in rules(CLEAN, reference=alone)
    built = Ratings.from_matrix(campaign(annotators=1), annotators=["gold"])
    assert "unvalidated-reference" not in rules(CLEAN, reference=built)


def chains():
    key = [["a", "b"], ["c", "d"]]
    return Chains.from_clusters({(f"d{i}", who): key for i in range(4) for who in ("x", "y")})


def test_rule_not_a_metric():
    assert "not-a-metric" in rules(chains(), measure="b3")
    assert "not-a-metric" not in rules(chains(), measure="ceaf-m")


def test_rule_wrong_shape():
    found = finding(CLEAN, "wrong-shape", measure="gamma")
    assert found.advice == "Use alpha."
    assert "wrong-shape" not in rules(CLEAN, measure="alpha")


def test_rule_atomised():
    rng = np.random.default_rng(6)
    tags = rng.choice(["O", "B-PER", "I-PER"], 400, p=[0.8, 0.1, 0.1]).tolist()
    assert "atomised-continuum" in rules(Ratings.from_matrix([tags, tags]))
    plain = rng.choice(["O", "X"], 400, p=[0.8, 0.2]).tolist()
    assert "atomised-continuum" in rules(Ratings.from_matrix([plain, plain]))
    assert "atomised-continuum" not in rules(CLEAN)


def test_rule_low_coverage():
    def units(marked):
        rows = [
            (f"d{d}", who, 10 * i, 10 * i + 3, "x" if i % 2 else "y")
            for d in range(6)
            for who in ("A", "B")
            for i in range(marked)
        ]
        return Units.from_rows(rows, lengths={f"d{d}": 200 for d in range(6)})

    assert finding(units(4), "low-coverage").evidence["coverage"] < 0.2
    assert "low-coverage" not in rules(units(20))


def test_recommendation_by_values():
    assert recommend(CLEAN).options == {}
    numbers = Ratings.from_matrix([[1, 2, 3, 4, 5] * 4, [1, 2, 3, 4, 4] * 4])
    advice = recommend(numbers, "my.csv")
    assert advice.command == "accord agree my.csv --measure alpha --metric interval"
    assert "interval 0." in advice.sentence
    assert advice.result.signature in advice.sentence
    ordered = Ratings.from_matrix([list("abc") * 5, list("abb") * 5], categories=list("abc"))
    assert recommend(ordered).options == {"metric": "ordinal"}


@pytest.mark.parametrize("asked", ["json", "text"])
def test_command(asked, accord_command):
    example = ROOT / "examples" / "moods.csv"
    done = accord_command("audit", example, *(["--json"] if asked == "json" else []))
    assert done.returncode == 0, done.stderr
    if asked == "json":
        document = json.loads(done.stdout)
        assert {"shape", "findings", "recommendation", "warnings"} == set(document)
        assert document["recommendation"]["sentence"].startswith("Agreement among 3 annotators")
        for row in document["findings"]:
            assert set(row) == {"rule", "severity", "statement", "evidence", "advice", "citation"}
    else:
        assert "Report alpha" in done.stdout
