"""Gates of continuous integration: what is undefined or has no limit never passes."""

import json
import math
import random
from pathlib import Path

import pytest

import accord
from accord.cli.output import Gated, failed_gate, failed_under
from accord.data import Segments
from accord.errors import UsageError
from accord.result import Interval, Result
from tests.in_process import run

EXAMPLES = Path(__file__).parents[2] / "examples"
LABELS = EXAMPLES / "labels.csv"


def result(value, low=None):
    interval = (
        None if low is None else Interval(low=low, high=1.0, level=0.95, method="dirichlet:item")
    )
    return Result(measure="alpha", value=value, interval=interval, signature="alpha")


@pytest.mark.parametrize(
    ("value", "fails"), [(0.9, False), (0.8, False), (0.79, True), (math.nan, True)]
)
def test_a_value_passes_at_its_threshold_and_not_undefined(value, fails):
    assert bool(failed_under([result(value)], 0.8)) is fails


@pytest.mark.parametrize(
    ("low", "fails"), [(0.8, False), (0.7, True), (math.nan, True), (None, True)]
)
def test_a_limit_passes_only_where_there_is_one(low, fails):
    assert bool(failed_under([result(0.95, low)], 0.8, on="low")) is fails


def test_one_of_several_is_enough_to_fail():
    assert len(failed_under([result(0.9), result(0.5), result(math.nan)], 0.8)) == 2


def test_an_undefined_value_exits_with_1(accord_command, tmp_path):
    alike = tmp_path / "alike.csv"
    alike.write_text("item,A,B\n" + "".join(f"{i},x,x\n" for i in range(5)))
    done = accord_command("agree", alike, "--measure", "kappa", "--fail-under", "0.5")
    assert done.returncode == 1, done.stderr


@pytest.mark.parametrize(
    ("value", "low", "on", "fails"),
    [
        (-0.01, -0.04, "value", False), (-0.03, -0.04, "value", True), (0.01, -0.04, "low", True),
        (0.05, -0.01, "low", False), (None, None, "value", True), (math.nan, None, "value", True),
        (0.05, None, "low", True),
    ],
)  # fmt: skip
def test_a_difference_is_held_against_minus_what_is_allowed(value, low, on, fails):
    failed = failed_gate([Gated("a − b", value, low)], -0.02, on=on, shown="-0.02")
    assert bool(failed) is fails


def judged(tmp_path, *, ours: float, theirs: float, n: int = 300) -> Path:
    """Three people who agree, and two models that are wrong as often as is said."""
    draw = random.Random(1)
    rows = ["item,annotator,value"]
    for i in range(n):
        truth = draw.choice("yn")
        other = "n" if truth == "y" else "y"
        rows += [f"{i},{who},{truth}" for who in ("ana", "ben", "cleo")]
        rows.append(f"{i},new,{other if draw.random() < ours else truth}")
        rows.append(f"{i},old,{other if draw.random() < theirs else truth}")
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_judge_against_another_by_hand(tmp_path):
    path = judged(tmp_path, ours=0.1, theirs=0.2)
    code, out, told, _ = run(
        f"accord judge '{path}' --judge new --against old --positive y --margin .05 --json"
    )
    assert code == 0, told
    document = json.loads(out)
    found = document["difference"]
    data = accord.read(path)
    wrong = {name: 1 - accord.score(data["ana"] if hasattr(data, "__getitem__") else
             data.select(annotators=["ana"]), data.select(annotators=[name]), "accuracy").value
             for name in ("new", "old")}  # fmt: skip
    assert found["value"] == pytest.approx(wrong["old"] - wrong["new"])
    assert found["value"] > 0
    assert document["judges"][0]["difference"] == found
    # the other is no person, and not judged itself
    assert document["people"] == ["ana", "ben", "cleo"]
    assert [row["judge"] for row in document["judges"]] == ["new"]
    # the same at the other door
    study = accord.judge(path, "new", against="old", positive="y", margin=0.05)
    assert dict(study.difference) == found
    assert "|against:old|margin:0.05|" in study.judges[0].signature


@pytest.mark.parametrize(
    ("ours", "theirs", "value", "low"),
    [(0.10, 0.20, 0, 0), (0.25, 0.05, 1, 1), (0.10, 0.10, 0, 1)],
)
def test_a_judge_that_is_worse_fails_the_run(ours, theirs, value, low, tmp_path):
    path = judged(tmp_path, ours=ours, theirs=theirs)
    words = f"accord judge '{path}' --judge new --against old --positive y --fail-if-worse .02"
    assert run(words)[0] == value
    assert run(f"{words} --fail-on low")[0] == low


def test_non_inferiority_agrees_with_the_interval(tmp_path):
    for ours, theirs in ((0.1, 0.2), (0.25, 0.05), (0.1, 0.1)):
        path = judged(tmp_path, ours=ours, theirs=theirs)
        for margin in (0.0, 0.02, 0.05, 0.1, 0.3):
            study = accord.judge(path, "new", against="old", positive="y", margin=margin)
            found = study.difference
            assert 0 < found["p_margin"] < 1
            beyond = found["interval"]["low"] > -margin
            # (a draw more or less at the limit)
            assert beyond == (found["p_margin"] < 0.025) or found["p_margin"] == pytest.approx(
                0.025, abs=0.002
            )


def test_what_cannot_be_compared_fails(tmp_path):
    path = tmp_path / "apart.csv"
    rows = [f"{i},{who},{'yn'[i % 2]}" for i in range(40) for who in ("ana", "ben", "cleo")]
    rows += [f"{i},new,y" for i in range(20)] + [f"{i},old,y" for i in range(20, 40)]
    path.write_text("item,annotator,value\n" + "\n".join(rows) + "\n")
    words = f"accord judge '{path}' --judge new --against old --positive y --json"
    code, out, _, _ = run(f"{words} --fail-if-worse 1")
    assert code == 1
    assert json.loads(out)["difference"]["value"] is None
    assert run(words)[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        "--judge gpt --fail-if-worse .02", "--judge gpt --margin .02", "--judge gpt --fail-on low",
        "--judge gpt --against gpt", "--judge gpt --against llama --fail-if-worse=-.1",
        "--judge gpt --against llama --margin=-.1", "--judge gpt --against nobody",
    ],
)  # fmt: skip
def test_a_gate_that_has_nothing_to_look_at_is_refused(words):
    code, _, told, _ = run(f"accord judge '{LABELS}' {words}")
    assert code == 2, told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "threshold", "passes"),
    [
        ("judge labels.csv --judge gpt", 0.99, 0.5),
        ("alt-test labels.csv --systems gpt,llama", 0.5, 0.0),
        ("rank labels.csv --systems gpt,llama", 0.8, 0.6),
        ("prefer judgements.csv", 0.9, 0.2),
        ("gold moods.csv", 0.8, 0.6),
        ("gold claims.csv", 1.0, 0.0),
    ],
)
def test_every_verb_that_gives_a_number_has_its_gate(line, threshold, passes):
    command, file, *rest = line.split()
    words = " ".join(["accord", command, f"'{EXAMPLES / file}'", *rest])
    code, out, told, _ = run(f"{words} --json --fail-under {threshold}")
    assert code == 1, told
    assert "failed: " in told
    json.loads(out)
    assert run(f"{words} --json --fail-under {passes}")[0] == 0


def test_units_are_compared_by_documents():
    with pytest.raises(UsageError, match="no judge 'nobody'"):
        accord.judge(EXAMPLES / "claims.csv", "Ana", against="nobody")


KEY, V1, V2 = list("AABBAABBAABB"), list("AABBAABBAABA"), list("ABABABABABAB")


def test_compare_takes_a_reference_and_two_systems():
    found = accord.compare(KEY, v1=V1, v2=V2, margin=0.1)
    whole = accord.compare(
        accord.score(KEY, V1), accord.score(KEY, V2), names=("v1", "v2"), margin=0.1
    )
    assert found.to_dict() == whole.to_dict()
    assert found.to_dict()["margin"] == 0.1
    assert accord.compare(KEY, systems={"seed": V1, "v 2": V2}).a == "seed"
    assert "margin" not in accord.compare(KEY, v1=V1, v2=V2).to_dict()


def test_the_margin_of_a_distance_is_on_its_other_side():
    """Smaller is better: the first is worse where it is larger."""
    key, near, far = (
        Segments.from_masses([(f"d{i}", "a", masses(i)) for i in range(8)])
        for masses in (
            lambda i: [6, 6, 6 + i], lambda i: [6, 5, 7 + i], lambda i: [2, 2, 2, 2, 5, 5 + i],
        )
    )  # fmt: skip
    good = accord.compare(key, a=near, b=far, measure="windowdiff", margin=0.01)
    bad = accord.compare(key, a=far, b=near, measure="windowdiff", margin=0.01)
    assert good.difference < 0 < bad.difference
    assert good.p_margin < 0.01
    assert bad.p_margin > 0.99


def test_compare_refuses_what_it_cannot_tell():
    with pytest.raises(UsageError, match="two systems are compared, got 1: v1"):
        accord.compare(KEY, v1=V1)
    with pytest.raises(UsageError, match="two results are compared as they are"):
        accord.compare(accord.score(KEY, V1), accord.score(KEY, V2), v1=V1)
    with pytest.raises(UsageError, match="margin must be 0 or more"):
        accord.compare(KEY, v1=V1, v2=V2, margin=-1)
