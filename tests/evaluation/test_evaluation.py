"""The alternative-annotator test, comparison of systems, refusals."""

import numpy as np
import pytest
from scipy import stats

import accord
from accord.data import Ratings
from accord.errors import InputError, UsageError
from accord.evaluation.comparison import compare_systems
from accord.evaluation.discoveries import benjamini_yekutieli
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def campaign():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 120)

    def labels(rate):
        return np.where(rng.random(120) < rate, truth, rng.integers(0, 3, 120)).astype(float)

    judges = np.stack([labels(r) for r in (0.8, 0.7, 0.75, 0.6)])
    judges[:, :20][rng.random((4, 20)) < 0.5] = np.nan
    return judges, labels(0.85), labels(0.3)


def names(matrix):
    return [[None if np.isnan(v) else "abc"[int(v)] for v in row] for row in matrix]


def alt_test_by_hand(judges, system, epsilon, score):
    """Calderon et al. (2025), Algorithm 1, with plain loops."""
    p, rho = [], []
    for h in range(len(judges)):
        w_f, w_h = [], []
        for i in range(judges.shape[1]):
            others = [judges[k, i] for k in range(len(judges)) if k != h and judges[k, i] >= 0]
            if np.isnan(judges[h, i]) or not others:
                continue
            mine, its = score(judges[h, i], others), score(system[i], others)
            w_f.append(float(its >= mine - 1e-12))
            w_h.append(float(mine >= its - 1e-12))
        d = np.array(w_h) - np.array(w_f)
        p.append(stats.ttest_1samp(d, epsilon, alternative="less").pvalue)
        rho.append(np.mean(w_f))
    return p, rho


@pytest.mark.parametrize(
    ("scoring", "score"),
    [
        ("accuracy", lambda v, others: np.mean([v == o for o in others])),
        ("rmse", lambda v, others: -np.sqrt(np.mean([(v - o) ** 2 for o in others]))),
    ],
)
@pytest.mark.parametrize("which", [1, 2])
def test_alt_test_by_hand(campaign, scoring, score, which):
    judges, system = campaign[0], campaign[which]
    found = accord.alt_test(
        Ratings.from_matrix(judges), Ratings.from_matrix([system], annotators=["s"]),
        epsilon=0.15, scoring=scoring,
    )  # fmt: skip
    p, rho = alt_test_by_hand(judges, system, 0.15, score)
    assert [r["p"] for r in found.annotators] == pytest.approx(p)
    assert found.advantage == pytest.approx(np.mean(rho))
    rejected = stats.false_discovery_control(p, method="by") <= 0.05
    assert [r["rejected"] for r in found.annotators] == rejected.tolist()
    assert found.winning_rate == pytest.approx(rejected.mean())
    assert found.passed == (which == 1)


def test_alt_test_names_who_is_left_out(campaign):
    judges = campaign[0].copy()
    judges[3, 25:] = np.nan
    found = accord.alt_test(
        Ratings.from_matrix(names(judges)), Ratings.from_matrix(names([campaign[1]]))
    )
    assert [r["annotator"] for r in found.left_out] == ["A4"]
    assert found.scoring == "accuracy"
    judges[2, 25:] = np.nan
    with pytest.raises(InputError, match="at least three humans with 30 items each, got 2"):
        accord.alt_test(
            Ratings.from_matrix(names(judges)), Ratings.from_matrix(names([campaign[1]]))
        )


def test_alt_test_without_variance():
    same = [["a"] * 30] * 3
    found = accord.alt_test(Ratings.from_matrix(same), Ratings.from_matrix([["a"] * 30]))
    assert [r["p"] for r in found.annotators] == [0.0] * 3
    assert found.winning_rate == 1.0
    never = accord.alt_test(Ratings.from_matrix(same), Ratings.from_matrix([["b"] * 30]))
    assert [r["p"] for r in never.annotators] == [1.0] * 3
    assert not never.passed


@pytest.mark.parametrize("seed", range(5))
def test_benjamini_yekutieli(seed):
    p = np.random.default_rng(seed).beta(0.3, 2, 12).tolist()
    expected = stats.false_discovery_control(p, method="by") <= 0.05
    assert benjamini_yekutieli(p, 0.05) == expected.tolist()


def test_mcnemar_and_permutation(campaign):
    judges = Ratings.from_matrix(names(campaign[0]))
    systems = {
        n: {m: accord.score(judges, Ratings.from_matrix(names([row])), m) for m in ("accuracy",)}
        for n, row in (("good", campaign[1]), ("poor", campaign[2]))
    }
    row = compare_systems(systems, resamples=500)[0]
    a, b = systems["good"]["accuracy"], systems["poor"]["accuracy"]
    right = [s.sample.rows[s.sample.index][:, 0] for s in (a, b)]
    only = [int(np.sum(right[0] > right[1])), int(np.sum(right[1] > right[0]))]
    assert row["p"] == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue)
    assert row["test"] == "mcnemar"
    assert row["interval"]["low"] > 0
    same = compare_systems({"x": systems["good"], "y": systems["good"]}, resamples=200)[0]
    assert same["p"] == 1.0


def test_permutation_has_its_level():
    """Two systems of the same quality: p below .1 in about a tenth of the cases."""
    rng = np.random.default_rng(0)
    low = 0
    for _ in range(60):
        truth = rng.integers(0, 2, 60)
        reference = Ratings.from_matrix([truth.astype(float)], annotators=["reference"])
        scores = {}
        for name in "xy":
            answers = np.where(rng.random(60) < 0.7, truth, 1 - truth).astype(float)
            system = Ratings.from_matrix([answers], annotators=[name])
            scores[name] = {"accuracy": accord.score(reference, system)}
        low += compare_systems(scores, resamples=200)[0]["p"] < 0.1
    assert low <= 13


def test_rank_is_refused_without_judges():
    one = Ratings.from_matrix([list("ab")], annotators=["reference"])
    with pytest.raises(InputError, match="needs at least two of them"):
        accord.rank(one, {"s": one})
    two = Ratings.from_matrix([list("ab"), list("ab")])
    with pytest.raises(UsageError, match="cannot rank by jsd"):
        accord.rank(two, {"s": one}, measures=["jsd"])
    with pytest.raises(InputError, match="has the name of a judge"):
        accord.rank(two, {"A1": one})


def _named(tmp_path):
    """Four people and two systems in one table, and a third system in a file."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 60)
    rows = [
        f"i{i},{who},{'abc'[truth[i] if rng.random() < 0.8 else rng.integers(0, 3)]}"
        for who in ("Ana", "Ben", "Cleo", "Dan", "gpt", "llama")
        for i in range(60)
    ]
    table = tmp_path / "labels.csv"
    table.write_text("\n".join(["item,annotator,value", *rows]))
    other = tmp_path / "other.csv"
    other.write_text("\n".join(["item,value", *(f"i{i},{'abc'[v]}" for i, v in enumerate(truth))]))
    return table, other


def test_systems_are_named_among_the_annotators(tmp_path):
    table, other = _named(tmp_path)
    read = accord.read(table, systems=["gpt", "llama"])
    how = {"measures": ["accuracy"], "resamples": 20}
    by_name = accord.rank(table, ["gpt", "llama"], **how)
    assert by_name.judges == ("Ana", "Ben", "Cleo", "Dan")
    assert by_name.to_dict() == accord.rank(read, **how).to_dict()
    assert by_name.to_dict() == accord.rank(read, ["gpt", "llama"], **how).to_dict()
    one_more = accord.rank(read, ["gpt", "llama", str(other)], **how)
    assert [r["system"] for r in one_more.systems] == ["gpt", "llama", "other"]
    # what was set aside stays aside, whichever of them is asked for
    alone = accord.rank(read, "gpt", **how)
    assert alone.judges == by_name.judges
    assert [r["system"] for r in alone.systems] == ["gpt"]
    for found in (accord.alt_test(read, "gpt"), accord.alt_test(table, "gpt")):
        assert found.system == "gpt"
    assert len(accord.alt_test(read, "gpt").annotators) == 4
    with pytest.raises(InputError, match=r"unknown annotator 'gtp'; the data have .*'gpt'"):
        accord.rank(table, ["gtp"])
    with pytest.raises(UsageError, match="one system is tested at a time"):
        accord.alt_test(read)
    with pytest.raises(UsageError, match="name it among the annotators with systems"):
        accord.alt_test(table)
    with pytest.raises(InputError, match="answers none of the items"):
        accord.rank(table, [["a", "b"]])


def test_rank_with_missing_judgements(campaign):
    judges, good, poor = campaign
    found = accord.rank(
        Ratings.from_matrix(names(judges)),
        {"good": Ratings.from_matrix(names([good])), "poor": Ratings.from_matrix(names([poor]))},
        paired=True, ties="abstain", resamples=60,
    )  # fmt: skip
    ranks = {(r["system"], r["measure"]): r["rank"] for r in found.systems}
    assert ranks["good", "accuracy"] < ranks["poor", "accuracy"]
    assert {r["duels"] for r in found.paired} == {4}
    effect = found.breakdowns["good"]["unanimity_effect"][0]
    assert effect["inflation"] > 0


def test_merging_refuses_nonsense():
    frame = Ratings.from_matrix([["a", "b", "c"]]).to_frame()
    assert accord.read(frame, merge={"x": ["a", "b"]}).labels == ("c", "x")
    with pytest.raises(InputError, match="no label is called 'q'"):
        accord.read(frame, merge={"x": ["q"]})
    with pytest.raises(UsageError, match="merged twice"):
        accord.read(frame, merge={"x": ["a"], "y": ["a"]})


def test_command_lines(table, tmp_path, accord_command, monkeypatch):
    import json

    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import valence

    judges = valence.judges()
    rows = [
        f"{judges.items[i]},{judges.annotators[a]},{judges.labels[c]}"
        for i, a, c in zip(judges.item, judges.annotator, judges.code, strict=True)
    ]
    ratings = table("\n".join(["item,annotator,value", *rows]) + "\n", "judges.csv")
    paths = []
    for name, system in valence.systems().items():
        lines = [f"{i},{system.labels[c]}" for i, c in zip(system.items, system.code, strict=True)]
        paths.append(table("\n".join(["item,value", *lines]) + "\n", f"{name}.csv"))
    merges = ("--merge=-1=-2,-1", "--merge=1=1,2")
    run = accord_command("rank", ratings, *paths, "--json", "--resamples", 60, *merges)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert (found["judges"], found["of"]) == (31, 33)
    ours = {r["measure"]: r["rank"] for r in found["systems"] if r["system"] == "compositional"}
    assert ours["accuracy"] == 17
    assert found["terms"]["rank_spread"]["compositional"]["worst_rank"] > ours["accuracy"]
    run = accord_command("alt-test", ratings, paths[1], "--epsilon", 0.1, "--json")
    report = json.loads(run.stdout)
    assert len(report["annotators"]) == 31
    assert report["scoring"] == "rmse"
    refused = accord_command("score", ratings, paths[0], "--measure", "alpha")
    assert refused.returncode == 2
    assert "judge and party" in refused.stderr
    allowed = accord_command(
        "score",
        ratings,
        paths[0],
        "--measure",
        "alpha",
        "--allow-agreement",
        "--json",
        "--ci",
        "none",
    )
    result = json.loads(allowed.stdout)["results"][0]
    assert result["terms"]["without_system"] > result["value"]


def test_units_are_ranked_by_their_own_function():
    units = accord.Units.from_rows([(f"d{i}", a, 0, 4, "x") for i in range(4) for a in "AB"])
    system = accord.Units.from_rows([(f"d{i}", "S", 0, 4 + i, "x") for i in range(4)])
    found = accord.rank_located(units, {"S": system})
    assert [(p["name"], p["rank"]) for p in found.participants] == [("A", 1), ("B", 1), ("S", 3)]
    with pytest.raises(UsageError, match=r"these are units: accord\.rank_located ranks those"):
        accord.rank(units, {"S": system})


def test_systems_that_link_are_ranked_among_those_who_saw_the_document():
    """Ben is as the system; Cleo saw two of three documents and links other things."""
    links = {"Ana": (1, 2), "Ben": (1, 2), "Cleo": (3, 4), "bot": (1, 2)}
    pairs = [(f"d{d}", who) for d in range(3) for who in links if (d, who) != (2, "Cleo")]
    rows = [(d, who, 5, end, "x") for d, who in pairs for end in links[who]]
    found = accord.rank_located(accord.Relations.from_rows(rows, coverage=pairs), ["bot"])
    assert found.documents == 3
    place = {p["name"]: (p["rank"], p["value"]) for p in found.participants}
    # against Ana and Ben right, against Cleo wrong; the third document has no Cleo
    assert place["bot"] == (1, pytest.approx((2 / 3 + 2 / 3 + 1) / 3))
    assert place["Cleo"] == (4, 0.0)
