"""Answers that are probabilities: read everywhere, scored as such, never taken for answers silently."""

import json
import math

import numpy as np
import pytest

import accord
from accord.data import Ratings
from accord.data.join import joined
from accord.errors import InputError, UsageError
from tests.told import told

#: METHODS §14.5: reference x y y, p(x) = .6, .9, .2
REFERENCE = "item,value\n1,x\n2,y\n3,y\n"
COLUMNS = "item,p:x,p:y\n1,0.6,0.4\n2,0.9,0.1\n3,0.2,0.8\n"
P = [0.6, 0.9, 0.2]
WORKED = {"log-loss": 1.012185, "brier": 0.673333, "ece": 0.5, "cross-entropy": 1.012185}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "r.csv").write_text(REFERENCE)
    (tmp_path / "columns.csv").write_text(COLUMNS)
    records = [{"item": i + 1, "value": {"x": p, "y": 1 - p}} for i, p in enumerate(P)]
    (tmp_path / "value.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    own = [{"item": r["item"], "value": None, "distribution": r["value"]} for r in records]
    (tmp_path / "own.json").write_text(json.dumps(own))
    cells = "".join(
        '{};"{}"\n'.format(r["item"], json.dumps(r["value"]).replace('"', '""')) for r in records
    )
    (tmp_path / "cells.csv").write_text("item;value\n" + cells)
    return tmp_path


def test_worked_values_from_python():
    system = Ratings.from_probabilities({"x": P, "y": [1 - p for p in P]})
    for name, value in WORKED.items():
        assert accord.score(list("xyy"), system, name).value == pytest.approx(value, abs=1e-6)
    assert accord.score(list("xyy"), system, "brier").terms["half"] == pytest.approx(
        0.336667, abs=1e-6
    )
    assert accord.score(
        list("xyy"), [{"x": p, "y": 1 - p} for p in P], "ece"
    ).value == pytest.approx(0.5)
    assert accord.score(list("xyy"), {"x": P, "y": [1 - p for p in P]}, "brier").n == 3


@pytest.mark.parametrize("name", ["columns.csv", "value.jsonl", "own.json", "cells.csv"])
def test_every_way_to_write_them_is_read(files, accord_command, name):
    done = accord_command(
        "score",
        files / "r.csv",
        files / name,
        "-m",
        "brier",
        "-m",
        "log-loss",
        "-m",
        "ece",
        "--json",
    )
    found = json.loads(done.stdout)
    for result in found["results"]:
        assert result["value"] == pytest.approx(WORKED[result["measure"]], abs=1e-6)
        assert result["interval"]["low"] <= result["value"] <= result["interval"]["high"]
    (assumed,) = [one for one in found["reading"]["assumed"] if "probabilities" in one["what"]]
    assert "most probable label" in assumed["what"]


def test_a_label_without_a_column_has_no_chance():
    system = Ratings.from_probabilities({"x": [1.0, 0.5], "y": [0.0, 0.5]})
    lost = accord.score(["x", "z"], system, "log-loss")
    assert lost.value == pytest.approx(-math.log(1e-15) / 2)
    assert "clip:1e-15" in lost.signature
    assert any("no chance" in w for w in lost.warnings)
    assert accord.score(["x", "z"], system, "brier").value == pytest.approx((1 + 0.25 + 0.25) / 2)


def test_tied_maxima_share_the_hit():
    system = Ratings.from_probabilities({"x": [0.5, 0.5], "y": [0.5, 0.5]})
    assert accord.score(["x", "y"], system, "accuracy").value == 0.5
    assert accord.score(["x", "y"], system, "ece").value == pytest.approx(0.0)


def test_a_value_beside_probabilities_is_the_answer(tmp_path):
    (tmp_path / "s.csv").write_text("item,value,p:x,p:y\n1,y,0.6,0.4\n2,y,0.1,0.9\n")
    system = accord.read(tmp_path / "s.csv")
    assert accord.score(["y", "y"], system, "accuracy").value == 1.0
    assert any("are their value" in one for one in told(system))


def test_a_row_without_its_value_among_others_is_asked_about(tmp_path):
    # the most probable label, or nobody's: a reference that was written without reasons means the latter
    (tmp_path / "s.csv").write_text("item,value,p:x,p:y\n1,y,0.6,0.4\n2,,0.1,0.9\n")
    with pytest.raises(InputError, match=r"s\.csv:3: gives probabilities and no value") as problem:
        accord.read(tmp_path / "s.csv")
    assert "reason" in str(problem.value)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("7,0.6,0.5", "item '7': the probabilities sum to 1.1, not to 1"),
        ("7,0.6,oops", "item '7': the probability of 'y' is 'oops'"),
        ("7,1.5,-0.5", "item '7': the probability of 'x' is 1.5"),
        ("7,nan,1", "item '7': the probability of 'x' is 'nan'"),
    ],
)
def test_what_is_no_distribution_is_refused_with_its_item(tmp_path, row, says):
    (tmp_path / "s.csv").write_text(f"item,p:x,p:y\n1,0.5,0.5\n{row}\n")
    with pytest.raises(InputError, match=r"s\.csv:3") as problem:
        accord.read(tmp_path / "s.csv")
    assert says in str(problem.value)


def test_rounded_rows_are_divided_by_their_sum():
    system = Ratings.from_probabilities({"x": [0.3334], "y": [0.3334], "z": [0.3334]})
    assert system.probabilities.share.sum() == pytest.approx(1.0, abs=1e-15)


def test_gold_soft_reads_back(tmp_path, accord_command):
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 60)
    rows = [
        f"{i},{a},{'abc'[t if rng.random() < 0.7 else rng.integers(3)]}"
        for i, t in enumerate(truth)
        for a in "ABCD"
    ]
    (tmp_path / "r.csv").write_text("item,annotator,value\n" + "\n".join(rows) + "\n")
    values = []
    for name in ("soft.csv", "soft.jsonl"):
        accord_command(
            "gold", tmp_path / "r.csv", "--method", "dawid-skene", "--soft", "-o", tmp_path / name
        )
        back = accord.read(tmp_path / name)
        assert back.probabilities is not None
        assert back.probabilities.named.all()
        values.append(accord.score(["abc"[t] for t in truth], _numbered(back), "brier").value)
    said = accord_command(
        "gold", tmp_path / "r.csv", "--method", "dawid-skene", "--soft", "--json"
    ).stdout
    (tmp_path / "said.json").write_text(said)
    back = accord.read(tmp_path / "said.json")
    values.append(accord.score(["abc"[t] for t in truth], _numbered(back), "brier").value)
    assert values[0] == pytest.approx(values[1], abs=1e-9) == pytest.approx(values[2], abs=1e-9)
    done = accord_command(
        "score", tmp_path / "soft.csv", tmp_path / "soft.csv", "-m", "cross-entropy", "--json"
    )
    entropy = json.loads(done.stdout)["results"][0]
    assert entropy["value"] == pytest.approx(entropy["terms"]["floor"], abs=1e-6)


def _numbered(data: Ratings) -> Ratings:
    from dataclasses import replace

    return replace(data, items=range(1, len(data.items) + 1))


def test_probabilities_survive_choosing_joining_and_writing(tmp_path):
    one = Ratings.from_probabilities({"x": P, "y": [1 - p for p in P]}, annotator="m")
    people = Ratings.from_matrix([list("xyy"), list("xxy")], annotators=["a", "b"])
    whole = joined([people, one])
    back = whole.select(annotators=["m"])
    assert back.probabilities.share[:, 0].tolist() == pytest.approx(P)
    assert whole.select(annotators=["a"]).probabilities.share.max(axis=1).tolist() == [1, 1, 1]
    kept = back.take(np.array([2, 0]))
    assert kept.probabilities.share[:, 0].tolist() == pytest.approx([0.2, 0.6])
    merged = back.recoded(np.array([0, 0], dtype=np.int32), ("z",), "categories")
    assert merged.probabilities.share.tolist() == [[1.0], [1.0], [1.0]]
    assert accord.write(whole, tmp_path / "w.csv") == []
    again = accord.read(tmp_path / "w.csv")
    assert again.select(annotators=["m"]).probabilities.share[:, 0].tolist() == pytest.approx(P)
    assert math.isfinite(accord.agree(again, "alpha", ci="auto").interval.low)


def test_repeats_of_distributions(tmp_path):
    (tmp_path / "s.csv").write_text("item,p:x,p:y\n1,0.6,0.4\n1,0.2,0.8\n")
    with pytest.raises(InputError, match="twice"):
        accord.read(tmp_path / "s.csv")
    assert accord.read(tmp_path / "s.csv", duplicates="last").probabilities.share[0, 0] == 0.2
    assert accord.read(tmp_path / "s.csv", duplicates="first").probabilities.share[0, 0] == 0.6
    with pytest.raises(UsageError, match="no mode"):
        accord.read(tmp_path / "s.csv", duplicates="mode")


def test_frames_bring_them_too():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"item": [1, 2, 3], "p:x": P, "p:y": [1 - p for p in P]})
    reference = pl.DataFrame({"item": [1, 2, 3], "value": list("xyy")})
    nested = pl.DataFrame({"item": [1, 2, 3], "value": [{"x": p, "y": 1 - p} for p in P]})
    for system in (frame, frame.lazy(), nested):
        found = accord.score(accord.read(reference), accord.read(system), "brier")
        assert found.value == pytest.approx(0.673333, abs=1e-6)


def _calibrated(n: int, sharpen: float = 1.0) -> tuple[list[str], Ratings]:
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.full(3, 0.6), n)
    truth = ["abc"[rng.choice(3, p=q)] for q in p]
    q = p**sharpen
    q /= q.sum(axis=1, keepdims=True)
    return truth, Ratings.from_probabilities(dict(zip("abc", q.T, strict=True)))


def test_ece_tells_a_calibrated_system_from_one_that_is_too_sure():
    good = accord.score(*_calibrated(3000), "ece", ci="auto")
    bad = accord.score(*_calibrated(3000, 3.0), "ece", ci="auto")
    assert good.value < 3 * good.terms["if_calibrated"]
    assert bad.value > 5 * bad.terms["if_calibrated"]
    assert bad.interval.low > good.interval.high


def test_bins_are_the_reliability_diagram():
    truth, system = _calibrated(3000, 3.0)
    rows = accord.score(truth, system, "ece", by="bin", ci="auto").by["bin"]
    by_hand = {}
    share, code = system.probabilities.share, system.code
    for q, c, y in zip(share, code, truth, strict=True):
        held = by_hand.setdefault(min(int(q.max() * 10), 9), [])
        held.append((q.max(), system.labels[c] == y))
    assert len(rows) == len(by_hand)
    for row, (b, held) in zip(rows, sorted(by_hand.items()), strict=True):
        assert row["bin"].startswith(f"{b / 10:.1f}")
        assert row["n"] == len(held)
        assert row["confidence"] == pytest.approx(np.mean([c for c, _ in held]))
        assert row["value"] == pytest.approx(np.mean([h for _, h in held]))
        assert row["low"] <= row["value"] <= row["high"]
    total = sum(r["n"] * abs(r["value"] - r["confidence"]) for r in rows) / 3000
    assert accord.score(truth, system, "ece").value == pytest.approx(total)


def test_drawings(tmp_path, accord_command):
    truth, system = _calibrated(200)
    accord.write(system, tmp_path / "s.csv")
    (tmp_path / "t.csv").write_text(
        "item,value\n" + "".join(f"{i},{y}\n" for i, y in enumerate(truth, 1))
    )
    both = [tmp_path / "t.csv", tmp_path / "s.csv"]
    accord_command("score", *both, "-m", "ece", "--by", "bin", "--svg", tmp_path / "b.svg")
    assert "largest probability" in (tmp_path / "b.svg").read_text()
    accord_command(
        "score", *both, "-m", "ece", "--by", "bin,confusion", "--html", tmp_path / "b.html"
    )
    page = (tmp_path / "b.html").read_text()
    assert "largest probability" in page
    assert "reference (rows) against system (columns)" in page
    nothing = accord_command("score", *both, "-m", "ece", "--svg", tmp_path / "b.svg")
    assert "nothing to draw" in nothing.stderr


def test_a_judge_that_gives_probabilities_is_calibrated():
    rng = np.random.default_rng(5)
    p = rng.random(300)
    truth = (rng.random(300) < p).astype(int)
    people = Ratings.from_matrix([[["no", "yes"][t] for t in truth]], annotators=["ann"])
    model = Ratings.from_probabilities({"yes": p, "no": 1 - p}, annotator="gpt")
    found = accord.judge(joined([people, model]), "gpt", positive="yes")
    assert found.judges[0].raw == pytest.approx(p.mean())
    assert found.judges[0].calibration["brier"] == pytest.approx(np.mean((p - truth) ** 2))


def test_ranking_takes_the_distribution():
    judges = Ratings.from_matrix([list("xxyy"), list("xyyy"), list("xxyx")])
    sure = Ratings.from_matrix([list("xxyy")], annotators=["m"])
    soft = Ratings.from_probabilities({"x": [1, 2 / 3, 0, 1 / 3], "y": [0, 1 / 3, 1, 2 / 3]})
    found = accord.rank(
        judges, {"hard": sure, "soft": soft}, measures=["fuzzy-distance", "accuracy"]
    )
    value = {(r["system"], r["measure"]): r["value"] for r in found.systems}
    assert value["soft", "fuzzy-distance"] == pytest.approx(0)
    assert value["hard", "fuzzy-distance"] > 0
    assert value["soft", "accuracy"] == value["hard", "accuracy"] == 1


def test_hard_answers_are_said_to_be_hard():
    found = accord.score(list("xyy"), list("xxy"), "brier")
    assert found.value == pytest.approx(2 / 3)
    assert any("hard answers" in w for w in found.warnings)
