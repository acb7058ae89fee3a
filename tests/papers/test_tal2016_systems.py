"""Mathet & Widlöcher (2016), §7: agreement coefficients mislead as scores (Tables 5 and 6)."""

import pytest

import accord
from accord.data import Ratings
from accord.errors import RefusedError


@pytest.fixture
def reference5():
    return Ratings.from_matrix([list("AAAABBBB")], annotators=["reference"])


@pytest.fixture
def humans6():
    return Ratings.from_matrix(
        [list("ABCAAB"), list("ABCBBB"), list("ABCABA")], annotators=["H1", "H2", "H3"]
    )


def system(answers: str, name: str = "system") -> Ratings:
    return Ratings.from_matrix([list(answers)], annotators=[name])


@pytest.mark.parametrize(
    ("answers", "score", "chance", "kappa"),
    [("AACCCCCC", 0.25, 0.125, 0.143), ("AABBBBAA", 0.50, 0.50, 0.0)],
)
def test_table_5(reference5, answers, score, chance, kappa):
    found = accord.score(reference5, system(answers), "kappa", allow_agreement=True)
    assert found.observed == pytest.approx(score)
    assert found.expected == pytest.approx(chance)
    assert found.value == pytest.approx(kappa, abs=5e-4)
    assert any("half of its own baseline" in w for w in found.warnings)
    assert accord.score(reference5, system(answers), "accuracy").value == pytest.approx(score)


def test_baseline_does_not_depend_on_the_system(reference5):
    for answers in ("AACCCCCC", "AABBBBAA"):
        found = accord.score(reference5, system(answers), "baseline")
        assert found.value == pytest.approx(0.50)
        assert found.terms["majority_class_accuracy"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("answers", "alpha", "by_majority", "by_revision"),
    [("ABCAAC", 0.503, 4 / 6, 5 / 6), ("ABCBBA", 0.529, 4 / 6, 3 / 6)],
)
def test_table_6(humans6, answers, alpha, by_majority, by_revision):
    found = accord.score(humans6, system(answers), "alpha", allow_agreement=True)
    assert found.value == pytest.approx(alpha, abs=5e-4)
    assert found.terms["without_system"] == pytest.approx(0.495, abs=5e-4)
    assert any("judge and party" in w for w in found.warnings)
    assert accord.score(humans6, system(answers)).value == pytest.approx(by_majority)
    revised = system("ABCAAB", "adjudicated")
    assert accord.score(revised, system(answers)).value == pytest.approx(by_revision)


def test_table_6_humans(humans6):
    majority = accord.gold(humans6).to_ratings()
    revised = system("ABCAAB", "adjudicated")
    for name, right in (("H1", 1.0), ("H2", 4 / 6), ("H3", 4 / 6)):
        human = humans6.select(annotators=[name])
        assert accord.score(majority, human).value == pytest.approx(5 / 6)
        assert accord.score(revised, human).value == pytest.approx(right)


def test_refused_with_the_papers_argument(reference5, humans6):
    with pytest.raises(RefusedError, match=r"Table 5.*κ = \.143.*use accuracy"):
        accord.score(reference5, system("AACCCCCC"), "kappa")
    with pytest.raises(RefusedError, match=r"judge and party.*Table 6.*allow.agreement"):
        accord.score(humans6, system("ABCBBA"), "alpha")


def test_one_unvalidated_annotator_is_named():
    """§7.2.1: a person is not a reference."""
    person = Ratings.from_matrix([list("AB")], annotators=["H1"])
    found = accord.score(person, system("AB"))
    assert any("one annotator ('H1')" in w for w in found.warnings)
    validated = Ratings.from_matrix([list("AB")], annotators=["adjudicated"])
    assert not accord.score(validated, system("AB"), ci="none").warnings
