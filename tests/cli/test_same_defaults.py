"""The same question has the same defaults at both doors: a verb in Python, and its command."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import UsageError
from accord.study.choice import choose
from tests.frozen_cases import boxes, chains, segments
from tests.in_process import commands, run

VERBS = {
    "agree": accord.agree, "score": accord.score, "rank": accord.rank, "alt-test": accord.alt_test,
    "judge": accord.judge, "prefer": accord.prefer, "gold": accord.gold, "align": accord.align,
    "audit": accord.audit, "report": accord.report,
}  # fmt: skip
#: what a command leaves to the verb, whose default then holds
LEFT = {("judge", "population"), ("report", "title")}


def parameters(command: str) -> dict[str, object]:
    return {p.name: p.default for p in commands().commands[command].params}


def is_nothing(value: object) -> bool:
    return value is None or value is False or value in ((), [])


@pytest.mark.parametrize("command", VERBS)
def test_a_command_has_the_defaults_of_its_verb(command):
    typed = parameters(command)
    shared = 0
    for name, parameter in inspect.signature(VERBS[command]).parameters.items():
        if name not in typed or parameter.default is inspect.Parameter.empty:
            continue
        shared += 1
        default = typed[name]
        if (command, name) in LEFT:
            assert default is None
        else:
            same = default == parameter.default
            assert same or (is_nothing(default) and is_nothing(parameter.default)), name
    assert shared >= 3


EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file of each shape."""
    folder = tmp_path_factory.mktemp("doors")
    made = {"boxes": boxes(), "segments": segments(), "chains": chains()}
    found = {name: EXAMPLES / f"{name}.csv" for name in ("moods", "claims", "scores")}
    for name, data in made.items():
        found[name] = folder / f"{name}.csv"
        accord.write(data, found[name])
    return found


def as_json(line: str) -> dict[str, Any]:
    code, out, told, _ = run(f"{line} --json --quiet")
    assert code == 0, told
    found: dict[str, Any] = json.loads(out)
    return found


def said(found: Mapping[str, Any]) -> dict[str, Any]:
    """A value, its interval and its signature; the sums of documents are rounded in their order."""
    limits = found["interval"]
    numbers = {"value": found["value"], "low": limits["low"], "high": limits["high"]}
    return {
        "measure": found["measure"], "signature": found["signature"],
        "level": limits["level"], "method": limits["method"],
        **{name: pytest.approx(number, rel=1e-9) for name, number in numbers.items()},
    }  # fmt: skip


@pytest.mark.parametrize("name", ["moods", "claims", "scores", "segments", "chains", "boxes"])
def test_the_unasked_question_has_one_answer_at_every_door(name, campaigns, tmp_path):
    path = campaigns[name]
    command = as_json(f"accord agree '{path}'")
    audited = as_json(f"accord audit '{path}'")["recommendation"]
    page = as_json(f"accord report '{path}' -o '{tmp_path / 'page.html'}'")
    data = accord.read(path)
    here = accord.agree(data).to_dict()
    doors = {
        "the command": command["results"][0], "the audit": audited["result"],
        "the page": page["results"][0], "a path": accord.agree(path).to_dict(),
        "the page of Python": accord.report(data).results[0].to_dict(),
        "the list": accord.agree(data, [here["measure"]], **command["choice"]["options"])[0].to_dict(),
    }  # fmt: skip
    for door, found in doors.items():
        assert said(found) == said(here), door
    assert command["choice"]["measure"] == audited["measure"] == here["measure"]
    assert command["choice"]["options"] == audited["options"]
    assert command["choice"]["why"] == audited["why"]
    warnings = command["results"][0]["warnings"]
    assert page["results"][0]["warnings"] == audited["result"]["warnings"] == warnings


def test_other_settings_are_the_same_at_every_door(campaigns, tmp_path):
    path = campaigns["scores"]
    typed = "--metric ordinal --level .9 --seed 3 --resamples 500"
    here = accord.agree(path, metric="ordinal", level=0.9, seed=3, resamples=500).to_dict()
    command = as_json(f"accord agree '{path}' {typed}")
    page = as_json(f"accord report '{path}' -o '{tmp_path / 'page.html'}' {typed}")
    assert said(command["results"][0]) == said(page["results"][0]) == said(here)
    assert here["interval"]["level"] == 0.9


def test_the_systems_of_a_page_have_its_level(campaigns):
    data = accord.read(campaigns["moods"])
    one, *others = data.annotators
    key, system = data.select(annotators=[one]), data.select(annotators=others[:1])
    page = accord.report(data, reference=key, systems={"s": system}, level=0.8)
    scores = page.tables["scores"]
    rows = [dict(zip(scores.columns, row, strict=True)) for row in scores.rows]
    row = next(r for r in rows if r["measure"] == "accuracy")
    found = accord.score(key, system, level=0.8)
    assert (row["low"], row["high"], row["signature"]) == (found.low, found.high, found.signature)


def test_a_measure_is_chosen_once(campaigns, monkeypatch):
    from accord.study import ask, choice

    asked = []
    for module in (ask, choice):
        monkeypatch.setattr(module, "choose", lambda *given: asked.append(given) or choose(*given))
    for more in ("--json", "--verbose", "--compare"):
        asked.clear()
        assert run(f"accord agree '{campaigns['scores']}' {more}")[0] == 0
        assert len(asked) == 1, more


def test_the_choice_is_said_at_both_commands(campaigns):
    path = campaigns["scores"]
    _, out, _, _ = run(f"accord agree '{path}' --verbose")
    assert "alpha was chosen because of the data" in out
    one, two, *_ = accord.read(path).annotators
    line = f"accord score '{path}' --reference-annotator {one} --systems {two}"
    assert as_json(line)["choice"]["measure"] == "accuracy"
    _, out, told, _ = run(f"{line} --verbose")
    assert "accuracy was chosen because of the data: one answer an item" in " ".join(out.split()), (
        told
    )
    assert "choice" not in as_json(f"accord agree '{path}' --measure kappa,alpha")


def test_an_option_goes_to_every_measure_that_takes_it(campaigns):
    data = accord.read(campaigns["scores"])
    names, asked = ["alpha", "ks", "percent"], {"metric": "linear"}
    here = accord.agree(data, names, **asked)
    page = accord.report(data, names, **asked).results
    assert [r.signature for r in page] == [r.signature for r in here]
    assert [r.value for r in page] == [r.value for r in here]
    with pytest.raises(UsageError, match="metrik is not an option of alpha, percent"):
        accord.report(data, ["alpha", "percent"], metrik="linear")


def test_another_campaign_is_asked_the_same_question(campaigns, tmp_path):
    numbers = accord.read(campaigns["scores"])
    names = tmp_path / "names.csv"
    rows = [("item", "annotator", "value")]
    for row in campaigns["scores"].read_text().split()[1:]:
        item, who, value = row.split(",")
        rows.append((item, who, "high" if float(value) > 50 else "low"))
    names.write_text("\n".join(map(",".join, rows)))
    found = as_json(f"accord agree '{campaigns['scores']}' --against '{campaigns['scores']}'")
    assert found["comparisons"][0]["difference"] == 0
    code, _, told, _ = run(f"accord agree '{campaigns['scores']}' --against '{names}'")
    assert code == 2, "the interval metric of the first has nothing to do with names"
    assert "interval" in told
    assert accord.agree(numbers).value == found["results"][0]["value"]
