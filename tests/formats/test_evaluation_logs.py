"""Logs of evaluation tools, written by hand from their layouts; one real Inspect log."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from accord.errors import InputError, UsageError
from accord.formats import detect
from accord.reading import read
from tests.told import told


def cells(data: Any) -> dict[tuple[str, str], str]:
    return {
        (str(data.items[i]), data.annotators[a]): data.labels[c]
        for i, a, c in zip(data.item, data.annotator, data.code, strict=True)
    }


def _part(kind: str, passed: bool, score: float, **more: object) -> dict[str, Any]:
    return {"pass": passed, "score": score, "assertion": {"type": kind, **more}}


def _result(
    test: int, provider: str, *parts: dict[str, Any], success: bool = True
) -> dict[str, Any]:
    return {
        "promptIdx": 0, "testIdx": test, "promptId": "p", "provider": {"id": provider, "label": ""},
        "response": {"output": "x"}, "success": success, "score": float(success),
        "gradingResult": {"pass": success, "score": 1, "componentResults": list(parts)},
    }  # fmt: skip


PROMPTFOO = [
    # a manual rating overwrites success: the judge said pass, the person fail
    _result(0, "gpt", _part("llm-rubric", True, 0.9), _part("human", False, 0), success=False),
    _result(1, "gpt", _part("llm-rubric", False, 0.1), _part("llm-rubric", True, 0.7)),
    {**_result(2, "gpt"), "gradingResult": None},
    {**_result(3, "gpt"), "response": None, "error": "rate limit"},
]


@pytest.mark.parametrize("layout", ["json", "jsonl"])
def test_promptfoo(tmp_path: Path, layout: str) -> None:
    path = tmp_path / f"results.{layout}"
    if layout == "json":
        whole = {"evalId": "e", "results": {"version": 3, "results": PROMPTFOO, "prompts": []}}
        path.write_text(json.dumps(whole, indent=1))
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in PROMPTFOO))
    assert detect(path).name == "promptfoo"
    with pytest.raises(
        InputError, match=r"several questions: llm-rubric \(3\), llm-rubric 2 \(1\)"
    ):
        read(path)
    found = read(path, layer="llm-rubric")
    assert cells(found) == {
        ("0:0", "llm-rubric"): "pass",
        ("0:0", "human"): "fail",
        ("1:0", "llm-rubric"): "fail",
    }
    assert cells(read(path, layer="llm-rubric 2")) == {("1:0", "llm-rubric 2"): "pass"}
    assert "1 outputs that ended in an error" in told(found)
    assert "1 outputs without any assertion or rating" in told(found)
    scores = read(path, feature="score", layer="llm-rubric")
    assert cells(scores)["0:0", "llm-rubric"] == "0.9"
    with pytest.raises(UsageError, match="features pass and score"):
        read(path, feature="colour")


def test_outputs_of_two_systems_are_two_items(tmp_path: Path) -> None:
    rows = [_result(0, who, _part("is-json", who == "a", 1)) for who in ("a", "b")]
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert cells(read(path)) == {("a: 0:0", "is-json"): "pass", ("b: 0:0", "is-json"): "fail"}
    # the other way round: systems are the annotators of the inputs
    assert cells(read(path, annotator_from="file")) == {("0:0", "a"): "pass", ("0:0", "b"): "fail"}


def test_assertions_within_sets(tmp_path: Path) -> None:
    inner = {"pass": False, "score": 0.5, "componentResults": [
        _part("contains", True, 1, metric="has it"), _part("factuality", False, 0)]}  # fmt: skip
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps(_result(0, "a", inner)))
    together = read(path, layer="has it,factuality")
    assert cells(together) == {("0:0", "has it"): "pass", ("0:0", "factuality"): "fail"}


def test_promptfoo_without_verdicts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps({**_result(0, "a"), "gradingResult": None}))
    with pytest.raises(InputError, match="holds no verdict on any item"):
        read(path)


def _sample(name: str, epoch: int = 1, **scores: object) -> dict[str, Any]:
    return {"id": name, "epoch": epoch, "input": "?", "target": "!", "scores": scores}


HEADER = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m1"}, "plan": {}}
EDITED = {
    "value": "P",
    "history": [
        {"value": "C"},
        {"value": "I", "provenance": {"author": "ann"}},
        {"value": "UNCHANGED", "provenance": {"author": "cora"}},
        {"value": "P", "provenance": {"author": "bea"}},
    ],
}
SAMPLES = [
    _sample("q1", rubric=EDITED, two={"value": {"a": 1, "b": 0}, "history": []}),
    _sample("q2", rubric={"value": "I", "history": []}, two={"value": float("nan")}),
    _sample("q3"),
]
SCORES = {
    ("q1", "rubric"): "C", ("q1", "ann"): "I", ("q1", "cora"): "I", ("q1", "bea"): "P",
    ("q2", "rubric"): "I",
}  # fmt: skip


def summary(sample: dict[str, Any]) -> dict[str, Any]:
    """A sample as Inspect sums it up: the last values, with their histories emptied."""
    scores = {name: {**score, "history": []} for name, score in sample["scores"].items()}
    return {**sample, "scores": scores}


def _eval(files: dict[str, object]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            archive.writestr(name, json.dumps(value))
    return out.getvalue()


@pytest.mark.parametrize("layout", ["json", "eval", "crashed", "samples"])
def test_inspect(tmp_path: Path, layout: str) -> None:
    path = tmp_path / ("log.json" if layout == "json" else "log.eval")
    # a name may be anything: `q 0/x` stands in a folder
    parts: dict[str, object] = {f"samples/{s['id']}/x_epoch_1.json": s for s in SAMPLES}
    short = [summary(s) for s in SAMPLES]
    if layout == "json":
        path.write_text(json.dumps({**HEADER, "samples": SAMPLES}))
    elif layout == "eval":
        path.write_bytes(_eval({**parts, "header.json": HEADER, "summaries.json": short}))
    elif layout == "crashed":
        start = {"version": 2, "eval": HEADER["eval"], "plan": {}}
        halves = {f"_journal/summaries/{i}.json": [s] for i, s in enumerate(short, 1)}
        path.write_bytes(_eval({**parts, "_journal/start.json": start, **halves}))
    else:
        path.write_bytes(_eval({**parts, "header.json": HEADER, "summaries.json": []}))
    assert detect(path).name == "inspect"
    found = read(path, layer="rubric")
    assert cells(found) == SCORES
    assert "1 samples without a score (errors)" in told(found)
    assert "1 unscored samples" in told(found)
    assert not any("summaries" in note for note in told(found))


def test_scorers_and_their_keys_are_questions(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**HEADER, "samples": SAMPLES}))
    with pytest.raises(InputError, match=r"questions: rubric \(5\), two.a \(1\), two.b \(1\)"):
        read(path)
    assert cells(read(path, layer="two.a")) == {("q1", "two.a"): "1"}
    both = read(path, layer="two.a,two.b")
    assert cells(both) == {("q1", "two.a"): "1", ("q1", "two.b"): "0"}
    by_system = read(path, annotator_from="file", layer="ann: rubric")
    assert cells(by_system) == {("q1", "m1"): "I"}


def test_summaries_alone_say_what_they_do_not_tell(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    short = [summary(s) for s in SAMPLES]
    held = {"header.json": HEADER, "summaries.json": short, "samples/q2_epoch_1.json": SAMPLES[1]}
    path.write_bytes(_eval(held))
    found = read(path, layer="rubric")
    assert cells(found) == {("q1", "rubric"): "P", ("q2", "rubric"): "I"}
    assert any("2 scores stand in summaries alone" in note for note in told(found))


#: what the released package makes of a log that a person corrects
_WRITTEN = """
import sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import ProvenanceData, edit_score, read_eval_log, write_eval_log
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.scorer._metric import ScoreEdit
from inspect_ai.solver import solver

@solver
def nothing():
    async def solve(state, generate):
        return state
    return solve

@scorer(metrics=[accuracy()])
def rubric():
    async def score(state, target):
        return Score(value="C")
    return score

task = Task(dataset=[Sample(id=f"q{i}", input="?", target="!") for i in range(6)],
            scorer=rubric(), solver=nothing())
(log,) = eval(task, model="mockllm/model", log_dir=sys.argv[1] + "/first", display="none")
log = read_eval_log(log.location)
for sample in log.samples[:4]:
    by = ProvenanceData(author="ann", reason="looked")
    edit_score(log, sample.id, "rubric", ScoreEdit(value="I", provenance=by))
for ending in ("eval", "json"):
    write_eval_log(log, f"{sys.argv[1]}/edited.{ending}")
"""


@pytest.mark.parametrize("ending", ["eval", "json"])
def test_corrections_in_logs_of_the_released_package(tmp_path: Path, ending: str) -> None:
    """The interpreter that has inspect-ai is this one, or the one that ACCORD_INSPECT_PYTHON names."""
    pytest.importorskip("zstandard")
    python = os.environ.get("ACCORD_INSPECT_PYTHON", sys.executable)
    if subprocess.run(
        [python, "-c", "import inspect_ai"], capture_output=True, check=False
    ).returncode:
        pytest.skip("inspect-ai is not installed here, nor named by ACCORD_INSPECT_PYTHON")
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run(
        [python, "-c", _WRITTEN, str(tmp_path)], check=True, capture_output=True, env=clean
    )
    found = read(tmp_path / f"edited.{ending}")
    assert cells(found) == {
        **{(f"q{i}", "rubric"): "C" for i in range(6)},
        **{(f"q{i}", "ann"): "I" for i in range(4)},
    }


def test_epochs_are_repeats_of_one_item(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    runs = [_sample("q", e, grade={"value": v}) for e, v in ((1, "C"), (2, "P"))]
    path.write_text(json.dumps({**HEADER, "samples": runs}))
    assert cells(read(path)) == {("q", "grade"): "0.75"}
    assert cells(read(path, duplicates="last")) == {("q", "grade"): "P"}
    words = [_sample("q", e, grade={"value": v}) for e, v in ((1, "good"), (2, "bad"))]
    path.write_text(json.dumps({**HEADER, "samples": words}))
    with pytest.raises(InputError, match="take one with duplicates"):
        read(path)


def test_the_log_that_inspect_wrote(shared: Path) -> None:
    path = shared / "formats" / "evaluation_logs" / "inspect-0.3.285.eval"
    if not path.exists():
        pytest.skip("the real Inspect log is not here")
    pytest.importorskip("zstandard")
    assert read(path, layer="two.a,two.b").annotators == ("two.a", "two.b")
    assert cells(read(path, layer="rubric"))["q0", "rubric"] == "1"
    assert cells(read(path, layer="rubric", duplicates="first"))["q2", "rubric"] == "C"


def test_zstandard_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from accord.errors import MissingDependencyError

    data = bytearray(_eval({"header.json": HEADER, "summaries.json": SAMPLES}))
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = data.find(mark)
        while at >= 0:
            data[at + place] = 93
            at = data.find(mark, at + 4)
    (tmp_path / "log.eval").write_bytes(data)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingDependencyError, match=r"accord\[logs\]"):
        read(tmp_path / "log.eval")


def test_lm_eval(tmp_path: Path) -> None:
    for model, score in (("org__a", 1.0), ("org__b", 0.0)):
        rows = [
            {"doc_id": 0, "doc_hash": "h0", "resps": [["4"]], "filtered_resps": ["4"],
             "filter": f, "metrics": ["exact_match", "odd"], "exact_match": score, "odd": [1, 2]}
            for f in ("strict", "loose")
        ]  # fmt: skip
        (tmp_path / model).mkdir()
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / model / "samples_arith_2024-05-02T10-00-00.000000.jsonl").write_text(text)
        (tmp_path / model / "results_2024.json").write_text('{"results": {}, "config": {}}')
    assert detect(tmp_path).name == "lm-eval"
    found = read(tmp_path)
    assert cells(found) == {
        ("h0", "org__a strict"): "1", ("h0", "org__a loose"): "1",
        ("h0", "org__b strict"): "0", ("h0", "org__b loose"): "0",
    }  # fmt: skip
    assert "4 values of odd that are no numbers" in told(found)


def test_deepeval(tmp_path: Path) -> None:
    cases = [
        {"name": "c1", "input": "?", "metricsData": [
            {"name": "G-Eval", "score": 0.8, "success": True, "evaluationModel": "gpt"},
            {"name": "Bias", "error": "timeout"}]},
        {"name": "c2", "input": "?", "metricsData": [
            {"name": "G-Eval", "score": 0.2, "success": False, "evaluationModel": "gpt"}]},
    ]  # fmt: skip
    path = tmp_path / "test_run.json"
    path.write_text(json.dumps({"testRunData": {"testCases": cases}}))
    assert detect(path).name == "deepeval"
    assert cells(read(path)) == {("c1", "G-Eval (gpt)"): "0.8", ("c2", "G-Eval (gpt)"): "0.2"}
    cases[1]["metricsData"].append({"name": "Bias", "score": 0.1, "success": True})
    path.write_text(json.dumps({"testRunData": {"testCases": cases}}))
    with pytest.raises(InputError, match=r"several questions: Bias \(1\), G-Eval \(2\)"):
        read(path)
    cases[1]["metricsData"].pop()
    path.write_text(json.dumps({"testRunData": {"testCases": cases}}))
    assert set(cells(read(path, feature="success")).values()) == {"pass", "fail"}
    path.write_text('{"testRunData": "../elsewhere.json", "testCases": []}')
    with pytest.raises(InputError, match="is a link to a test run"):
        read(path)


def test_langfuse(tmp_path: Path) -> None:
    base = {"traceId": "t1", "dataType": "CATEGORICAL", "name": "correct"}
    rows = [
        {**base, "source": "ANNOTATION", "authorUserId": "u1", "stringValue": "yes", "value": 1},
        {**base, "source": "EVAL", "stringValue": "no", "value": 0},
        {**base, "traceId": "t2", "source": "API", "stringValue": "no"},
        {**base, "traceId": "t3", "source": "EVAL"},
    ]
    path = tmp_path / "scores.json"
    path.write_text(json.dumps({"data": rows, "meta": {"page": 1}}))
    assert detect(path).name == "langfuse"
    found = read(path)
    assert cells(found) == {("t1", "u1"): "yes", ("t1", "correct"): "no", ("t2", "correct"): "no"}
    assert any("came through the API" in note for note in told(found))


def test_mlflow(tmp_path: Path) -> None:
    def assessment(kind: str, who: str, **value: object) -> dict[str, Any]:
        source = {"source_type": kind, "source_id": who}
        return {"assessment_name": "correct", "source": source, **value}

    trace = {
        "info": {
            "trace_id": "t1",
            "assessments": [
                assessment("HUMAN", "ann@example.com", feedback={"value": True}),
                assessment("LLM_JUDGE", "gpt", feedback={"value": False}, valid=True),
                assessment("LLM_JUDGE", "old", feedback={"value": False}, valid=False),
                assessment("HUMAN", "bob", expectation={"value": "yes"}),
            ],
        }
    }
    path = tmp_path / "traces.json"
    path.write_text(json.dumps([trace]))
    assert detect(path).name == "mlflow"
    found = read(path)
    people = {("t1", "ann@example.com"): "yes", ("t1", "gpt"): "no"}
    assert {k: v for k, v in cells(found).items() if k[1] != "reference"} == people
