"""The commands as a user runs them: JSON contract, exit codes, tables for people."""

import json

import pytest

from tests.conftest import ROOT

EXAMPLE = ROOT / "examples" / "moods.csv"
KEYS = {
    "measure", "value", "observed", "expected", "interval", "terms", "by", "n", "signature",
    "undefined", "warnings",
}  # fmt: skip


def test_agree_json_is_the_contract(accord_command):
    done = accord_command("agree", EXAMPLE, "--measure", "alpha", "--by", "category,pair", "--json")
    document = json.loads(done.stdout)
    assert set(document) == {"shape", "results", "warnings", "reading"}
    assert document["shape"] == "ratings"
    result = document["results"][0]
    assert set(result) >= KEYS
    assert set(result["interval"]) == {"low", "high", "level", "method"}
    assert set(result["by"]) == {"category", "pair"}
    assert len(result["by"]["pair"]) == 3
    assert result["signature"].startswith("alpha|metric:nominal")
    assert done.stdout.count("\n") == 1


def test_agree_for_people(accord_command):
    # (named from its own folder: a long path is cut to the width)
    done = accord_command("agree", EXAMPLE.name, "--measure", "alpha,fleiss", cwd=EXAMPLE.parent)
    assert done.returncode == 0
    assert done.stdout.startswith("moods.csv: table (CSV, TSV), 120 rows\n3 annotators: Ana")
    assert "Krippendorff" in done.stdout
    assert "0.6458" in done.stdout


def test_what_was_said_is_not_said_again(accord_command, tmp_path):
    rows = [f"i{i},{who},{(i * k) % 5 + 1}" for i in range(30) for k, who in enumerate("ABCD")]
    path = tmp_path / "r.csv"
    path.write_text("\n".join(["item,annotator,value", *rows, "i0,A,2"]) + "\n")
    done = accord_command("agree", path, "--duplicates", "first")
    said = " ".join((done.stdout + done.stderr).split())
    assert said.count("which are read as a scale") == 1
    done = accord_command(
        "rank", path, "--duplicates", "first", "--systems", "D", "--resamples", 20
    )
    assert done.returncode == 0, done.stderr
    assert (done.stdout + done.stderr).count("1 repeated rating") == 1


def test_judge_takes_the_label_of_a_person_that_duplicates_names(accord_command, tmp_path):
    rows = [
        f"i{i},{who},{'yes' if i % k else 'no'}"
        for i in range(40)
        for k, who in ((2, "Ann"), (3, "gpt"))
    ]
    path = tmp_path / "r.csv"
    path.write_text("\n".join(["item,annotator,value", *rows, "i1,Ann,no", "i2,gpt,no"]) + "\n")
    refused = accord_command("judge", path, "--judge", "gpt")
    assert refused.returncode == 2
    assert "'Ann' labels item 'i1' twice" in refused.stderr
    done = accord_command("judge", path, "--judge", "gpt", "--duplicates", "first", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert any("repeated rating" in one["what"] for one in found["reading"]["left_out"])
    # the model's own repetitions are still looked at
    assert found["judges"][0]["repeats"]["items"] == 1


def test_fail_under(accord_command):
    assert accord_command("agree", EXAMPLE, "--fail-under", "0.9").returncode == 1
    assert accord_command("agree", EXAMPLE, "--fail-under", "0.1").returncode == 0


def test_all_measures_at_once_leave_out_what_does_not_apply(accord_command):
    done = accord_command("agree", EXAMPLE, "--measure", "all", "--ci", "none", "--json")
    document = json.loads(done.stdout)
    names = {r["measure"] for r in document["results"]}
    assert {"alpha", "fleiss", "conger", "ac1", "s"} <= names
    assert "kappa" not in names
    assert any("kappa was left out" in w for w in document["warnings"])


def test_kappa_with_three_annotators_is_refused_with_the_way_out(accord_command):
    done = accord_command("agree", EXAMPLE, "--measure", "kappa")
    assert done.returncode == 2
    for name in ("conger", "fleiss", "alpha", "light"):
        assert name in done.stderr


def test_same_seed_same_interval(accord_command):
    runs = [
        json.loads(accord_command("agree", EXAMPLE, "--seed", seed, "--json").stdout)
        for seed in (3, 3, 4)
    ]
    intervals = [r["results"][0]["interval"] for r in runs]
    assert intervals[0] == intervals[1] != intervals[2]


def test_diagnose_merges_and_proposals(accord_command, tmp_path):
    matrix = tmp_path / "distances.csv"
    done = accord_command(
        "agree", EXAMPLE, "--diagnose", "--merges", "--propose-distances", matrix, "--json"
    )
    document = json.loads(done.stdout)
    assert document["diagnostics"]["prevalence"]["neutral"] == pytest.approx(64 / 120)
    assert len(document["merges"]) == 3
    proposed = document["proposed_distances"]
    again = accord_command("agree", EXAMPLE, "--metric", matrix, "--json")
    value = json.loads(again.stdout)["results"][0]["value"]
    assert value == pytest.approx(proposed["alpha with the proposal"], abs=1e-4)
    assert proposed["alpha nominal"] == pytest.approx(0.6458, abs=1e-4)


def test_compare_measures_and_campaigns(accord_command, table):
    done = accord_command("agree", EXAMPLE, "--measure", "alpha,percent", "--compare", "--json")
    rows = json.loads(done.stdout)["comparisons"]
    assert [(r["a"], r["b"], r["paired"]) for r in rows] == [("alpha", "percent", True)]
    assert rows[0]["interval"]["high"] < 0
    assert rows[0]["p"] is None  # two coefficients answer two questions
    other = table(
        "item,annotator,value\n"
        + "".join(f"{i},{a},{'xy'[i % 2]}\n" for i in range(30) for a in "AB")
    )
    done = accord_command("agree", EXAMPLE, "--against", other, "--json")
    row = json.loads(done.stdout)["comparisons"][0]
    assert row["difference"] < 0
    assert row["p"] < 0.05
    assert row["test"] == "dirichlet-unpaired"
    assert not row["paired"]


def test_measures_lists_and_describes(accord_command):
    listed = json.loads(accord_command("measures", "--json").stdout)["measures"]
    assert {"alpha", "kappa", "fleiss", "s", "ac1"} <= {m["name"] for m in listed}
    one = json.loads(accord_command("measures", "siegel-castellan", "--json").stdout)["measures"]
    assert [m["name"] for m in one] == ["fleiss"]
    assert "one urn" in one[0]["description"]
    assert "Fleiss" in accord_command("measures", "multi-pi").stdout


def test_reproduce(accord_command):
    done = accord_command("reproduce", "Table 1", "--json")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert document["ok"] is True
    status = {(c["paper"], c["status"]) for c in document["checks"]}
    # 64.6 % of 93 sentences is none of them
    assert status == {*((p, "ok") for p in document["papers"]), ("taln2011_opinion", "slip")}
    assert {c["computed_by"] for c in document["checks"]} >= {"kappa", "falsify", "score accuracy"}
    assert accord_command("reproduce", "Table 99").returncode == 2


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_convert_round_trip(suffix, accord_command, tmp_path):
    target = tmp_path / f"moods.{suffix}"
    done = accord_command("convert", EXAMPLE, target, "--json")
    assert done.returncode == 0, done.stderr
    before = json.loads(accord_command("agree", EXAMPLE, "--json").stdout)
    after = json.loads(accord_command("agree", target, "--json").stdout)
    assert before["results"][0]["value"] == after["results"][0]["value"]


def test_version_and_help(accord_command):
    version = __import__("accord").__version__
    assert accord_command("--version").stdout.strip() == f"{version} (kernels compiled)"
    help_text = accord_command("--help").stdout
    for command in ("agree", "score", "measures", "convert", "reproduce"):
        assert command in help_text
