"""Preferences: strengths, who is really better, and the judges."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.optimize import minimize

import accord
from accord.data.preferences import Preferences
from accord.errors import InputError, RefusedError, UsageError
from accord.evaluation.preferences import consistency, counts, fit, kendall_u, position, prefer
from accord.evaluation.preferences.preferred import _groups
from accord.evaluation.preferences.strengths import why_unbounded
from accord.reading.preferences import read_preferences
from tests.in_process import run
from tests.told import told

WINS = np.array([[0.0, 3, 2], [1, 0, 3], [1, 1, 0]])
TIES = np.array([[0.0, 2, 1], [2, 0, 0], [1, 0, 0]])
THREE = [
    *[(j, a, b, a) for j in ("J1", "J2") for a, b in ("01", "02", "12")],
    ("J3", "0", "1", "0"), ("J3", "0", "2", "2"), ("J3", "1", "2", "1"),
]  # fmt: skip


def campaign(judges: int, theta: np.ndarray, seed: int = 0, ties: float = 0.1) -> Preferences:
    rng = np.random.default_rng(seed)
    rows = []
    for j in range(judges):
        for a in range(len(theta)):
            for b in range(a):
                won = rng.random() < 1 / (1 + np.exp(theta[b] - theta[a]))
                said = "tie" if rng.random() < ties else "left" if won else "right"
                rows.append((f"J{j:02}", f"s{a}", f"s{b}", said))
    return Preferences.from_rows(rows)


def test_worked_strengths():
    found = fit(WINS, np.zeros((3, 3)))
    assert found.theta == pytest.approx([0.65758, 0, -0.65758], abs=1e-5)
    assert np.sqrt(np.diag(found.covariance)) == pytest.approx([0.5700, 0.4971, 0.5700], abs=5e-5)
    C = found.covariance
    assert np.sqrt(C[0, 0] + C[2, 2] - 2 * C[0, 2]) == pytest.approx(1.0259, abs=5e-5)
    with_ties = fit(WINS, TIES)
    assert with_ties.theta == pytest.approx([0.60291, 0.09023, -0.69314], abs=1e-5)
    assert with_ties.nu == pytest.approx(0.59692, abs=1e-5)
    assert with_ties.log_likelihood == pytest.approx(-13.966873, abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("prior", [0.0, 0.5])
def test_newton_finds_what_a_general_search_finds(seed, prior):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(3, 6))
    wins = rng.integers(1, 6, (k, k)).astype(float) * (1 - np.eye(k))
    ties = np.triu(rng.integers(0, 4, (k, k)), 1).astype(float)
    ties = (ties + ties.T) * (seed % 2)

    def loss(x):
        theta, nu = x[:k] - x[:k].mean(), np.exp(x[k]) if ties.any() else 0.0
        total = 0.0
        for i in range(k):
            for j in range(i):
                p, q = np.exp(theta[i]), np.exp(theta[j])
                s = p + q + nu * np.sqrt(p * q)
                total += wins[i, j] * np.log(p / s) + wins[j, i] * np.log(q / s)
                if ties[i, j]:
                    total += ties[i, j] * np.log(nu * np.sqrt(p * q) / s)
            total += prior * (theta[i] - 2 * np.logaddexp(0, theta[i]))
        return -total

    by_search = minimize(loss, np.zeros(k + 1), tol=1e-12)
    found = fit(wins, ties, prior)
    assert found.theta == pytest.approx(by_search.x[:k] - by_search.x[:k].mean(), abs=2e-4)
    assert -found.log_likelihood == pytest.approx(by_search.fun, abs=1e-6)


def test_strengths_without_limit_are_refused_by_name():
    rows = [
        ("J", "best", "b", "best"),
        ("J", "b", "c", "b"),
        ("J", "c", "b", "c"),
        ("J", "best", "c", "best"),
    ]
    data = Preferences.from_rows(rows, repeats="keep")
    with pytest.raises(RefusedError, match=r"'best' never loses to any of the others.*prior=0.5"):
        prefer(data)
    assert prefer(data, prior=0.5, resamples=20).objects[0]["object"] == "best"


def test_ties_alone_have_no_finite_model():
    none = np.zeros((2, 2))
    tied = np.array([[0.0, 3], [3, 0]])
    assert "ties are so many" in (why_unbounded(none, tied, ("a", "b")) or "")
    # one win each way is a cycle with more wins than ties
    assert why_unbounded(np.array([[0.0, 1], [1, 0]]), tied, ("a", "b")) is None
    # a win and a tie: 1 against 1
    assert why_unbounded(np.array([[0.0, 1], [0, 0]]), tied, ("a", "b")) is not None


def test_agreement_and_consistency_of_judges():
    data = Preferences.from_rows(THREE)
    u = kendall_u(data)
    assert u.value == pytest.approx(5 / 9)
    assert u.n == 3
    assert [(r["judge"], r["circular_triads"], r["zeta"]) for r in consistency(data)] == [
        ("J1", 0, 1.0), ("J2", 0, 1.0), ("J3", 1, 0.0),
    ]  # fmt: skip


@pytest.mark.parametrize("k", [3, 4, 5, 6])
def test_circular_triads_are_counted(k):
    rng = np.random.default_rng(k)
    beats = np.triu(rng.random((k, k)) < 0.5, 1)
    beats |= np.tril(~beats.T, -1)
    rows = [("J", str(a), str(b), str(a if beats[a, b] else b)) for a in range(k) for b in range(a)]
    triads = sum(
        beats[a, b] == beats[b, c] == beats[c, a]
        for a in range(k) for b in range(a) for c in range(b)
    )  # fmt: skip
    assert consistency(Preferences.from_rows(rows))[0]["circular_triads"] == triads


def test_sides_are_written_either_way():
    one = Preferences.from_rows([("J", "a", "b", "a"), ("K", "a", "b", "b")])
    other = Preferences.from_rows([("J", "b", "a", "a"), ("K", "a", "b", "right")])
    assert (counts(one)[0] == counts(other)[0]).all()
    assert kendall_u(one).value == kendall_u(other).value == -1
    assert position(one, 0.95)["left"] == 0.5
    assert position(other, 0.95)["left"] == 0


def test_groups_and_intervals_by_judge():
    found = prefer(campaign(40, np.array([-1.5, 0.0, 0.05, 1.6])), resamples=300)
    order = [o["object"] for o in found.objects]
    assert order[0] == "s3"
    assert order[-1] == "s0"
    letters = {o["object"]: set(o["group"]) for o in found.objects}
    assert letters["s1"] & letters["s2"]
    assert not letters["s0"] & letters["s3"]
    for row in found.differences:
        assert row["low"] < row["difference"] < row["high"]
        assert row["decided"] == (not letters[row["better"]] & letters[row["worse"]])
    assert found.drawn == "judge"
    assert found.agreement.interval is not None


def test_letters_say_exactly_who_is_told_apart():
    names = ["a", "b", "c", "d"]
    apart = {("a", "c"), ("a", "d"), ("b", "d")}
    rows = [
        {"better": x, "worse": y, "decided": (x, y) in apart}
        for i, x in enumerate(names) for y in names[i + 1 :]
    ]  # fmt: skip
    assert _groups([0, 1, 2, 3], rows, names) == ["a", "ab", "bc", "c"]


def test_few_judges_make_no_interval():
    found = prefer(campaign(3, np.zeros(3)), prior=0.5, resamples=50)
    assert all(o["low"] is None for o in found.objects)
    assert not any(d["decided"] for d in found.differences)
    assert any("an interval needs 5" in w for w in found.warnings)


def test_names_and_order_of_rows_do_not_matter():
    data = campaign(12, np.array([-1.0, 0.2, 1.0]), seed=4)
    found = prefer(data, resamples=100)
    turned = prefer(data.take(np.arange(len(data))[::-1]), resamples=100)
    for one, other in zip(found.objects, turned.objects, strict=True):
        assert one["theta"] == pytest.approx(other["theta"], abs=1e-9)
        assert one["low"] == pytest.approx(other["low"], abs=1e-6)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("J", "a", "b", "c")], "the winner 'c' is neither 'a' nor 'b'"),
        ([("J", "a", "a", "a")], "'J' compares 'a' with itself"),
        ([("J", "a", "b", "a"), ("J", "a", "b", "b")], "'J' judges 'a' and 'b' twice"),
    ],
)
def test_wrong_rows(rows, message):
    with pytest.raises(InputError, match=message):
        Preferences.from_rows(rows)


def test_the_same_pair_of_another_item_is_no_repeat():
    rows = [("J", "a", "b", "a"), ("J", "a", "b", "b")]
    assert len(Preferences.from_rows(rows, items=["p", "q"])) == 2
    assert len(Preferences.from_rows(rows, repeats="first")) == 1
    assert told(Preferences.from_rows(rows, repeats="keep")) == [
        "1 repeated judgements count (`repeats=first`)"
    ]


def test_repeats_are_said_where_there_are_some(tmp_path):
    rows = [("J", "a", "b", "a"), ("J", "b", "c", "b"), ("J", "c", "a", "c"), ("K", "a", "b", "a")]
    once = prefer(Preferences.from_rows(rows, repeats="keep"), resamples=20)
    assert "repeats" not in once.signature
    turned = prefer(Preferences.from_rows([*rows, ("J", "b", "a", "a")]), resamples=20)
    assert "repeats" not in turned.signature
    table = tmp_path / "p.csv"
    lines = ["judge,left,right,winner", *(",".join(r) for r in [*rows, ("J", "a", "b", "b")])]
    table.write_text("\n".join(lines))
    for how in ("keep", "first"):
        found = prefer(table, repeats=how, resamples=20)
        assert f"|repeats:{how}|" in found.signature
        code, out, _, _ = run(f"accord prefer '{table}' --repeats {how} --resamples 20 --json")
        assert code == 0
        assert json.loads(out)["signature"] == found.signature
    with pytest.raises(UsageError, match="repeats says how preferences are read"):
        prefer(Preferences.from_rows(rows), repeats="keep")


def test_arena_tables_are_read(table, tmp_path):
    arena = table("question,model_a,model_b,winner,judge\nq,x,y,model_a,J\nr,x,y,tie,J\nr,x,y,,K\n")
    data = read_preferences(arena)
    assert (data.objects, data.items, data.winner.tolist()) == (("x", "y"), ("q", "r"), [0, -1])
    (gone,) = data.reading.left_out
    assert (gone.what, gone.n, gone.why) == ("1 row", 1, "without a winner")
    with pytest.raises(InputError, match="has no column 'left'"):
        read_preferences(table("judge,right,winner\nJ,a,a\n", "no.csv"))
    import pandas as pd

    frame = pd.DataFrame({"who": ["J"], "left": ["a"], "right": ["b"], "winner": ["right"]})
    assert read_preferences(frame, columns={"judge": "who"}).winner.tolist() == [1]


def test_the_command(accord_command, table):
    data = campaign(12, np.array([-1.0, 0.0, 1.0]))
    names = data.objects
    lines = [
        f"{data.judges[j]},{names[a]},{names[b]},{('left', 'right', 'tie')[w]}"
        for j, a, b, w in zip(data.judge, data.left, data.right, data.winner, strict=True)
    ]
    path = table("judge,left,right,winner\n" + "\n".join(lines) + "\n")
    done = accord_command("prefer", path, "--resamples", 100, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [o["object"] for o in found["objects"]] == ["s2", "s1", "s0"]
    same = accord.prefer(path, resamples=100)
    assert found["objects"][0]["theta"] == pytest.approx(same.objects[0]["theta"])
    shown = accord_command("prefer", path, "--resamples", 100)
    assert "Kendall's u" in shown.stdout
    wrong = accord_command("prefer", path, "--column", "winner")
    assert wrong.returncode == 2
    assert "--column" in wrong.stderr
    with pytest.raises(UsageError, match="level must be between 0 and 1"):
        accord.prefer(path, level=2)


@pytest.mark.parametrize("sides", ["left,right", "model_a,model_b"])
def test_no_coefficient_fits_the_names_of_winners(table, sides):
    path = table(f"item,judge,{sides},winner\nq1,a,x,y,x\nq1,b,x,y,y\nq2,a,x,y,x\nq2,b,x,y,x\n")
    for columns in (None, {"annotator": "judge", "value": "winner"}):
        with pytest.raises(InputError, match=r"paired judgements.*accord prefer"):
            accord.read(path, columns=columns)


def test_two_orders_of_a_pair_are_one_judgement():
    """A judge who takes the left one each time agrees with nobody, and decides nothing."""
    rows = [("J", *pair, "left") for k in range(6) for pair in (("a", "b"), ("b", "a"))]
    items = [str(k) for k in range(6) for _ in range(2)]
    rows += [
        ("J", "b", "a", "a"),
        ("J", "a", "b", "a"),
        ("J", "a", "b", "tie"),
        ("J", "b", "a", "b"),
    ]
    items += ["6", "6", "7", "7"]
    data = Preferences.from_rows(rows, items=items)
    assert len(data) == 8
    assert data.winner.tolist() == [-1] * 6 + [1, -1]
    place = position(data, 0.95)
    assert (place["swapped"], place["flips"]) == (8, 7 / 8)
    # twice the left of six pairs, once each side of one
    assert (place["left"], place["n"]) == (13 / 14, 14)
    assert kendall_u(data).undefined == "no pair was decided by two judges"
    assert data.take(np.arange(6)).orders.tolist() == [2] * 6
    assert any("8 pairs judged in both orders" in note for note in told(data))


def test_a_judge_is_no_second_judge():
    """Repeats that count are no agreement of judges: J says a three times, K says b."""
    rows = [("J", "a", "b", "a")] * 3 + [("K", "a", "b", "b")]
    data = Preferences.from_rows(rows, repeats="keep")
    assert kendall_u(data).value == -1
    assert kendall_u(Preferences.from_rows(rows[:3], repeats="keep")).undefined is not None
