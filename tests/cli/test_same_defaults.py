"""The same question has the same defaults at both doors: a verb in Python, and its command."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

import accord
from tests.in_process import commands, run

VERBS = {
    "agree": accord.agree, "score": accord.score, "rank": accord.rank, "alt-test": accord.alt_test,
    "judge": accord.judge, "prefer": accord.prefer, "gold": accord.gold, "align": accord.align,
    "audit": accord.audit, "report": accord.report,
}  # fmt: skip
#: where the doors differ, and what the command gives: in Python an interval is asked for
DIFFER = {("agree", "ci"): "auto", ("score", "ci"): "auto"}
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
        elif (command, name) in DIFFER:
            assert default == DIFFER[command, name]
        else:
            same = default == parameter.default
            assert same or (is_nothing(default) and is_nothing(parameter.default)), name
    assert shared >= 3


EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["moods.csv", "claims.csv", "labels.csv", "scores.csv"])
def test_the_unasked_question_has_one_answer_at_both_doors(name):
    code, out, told, _ = run(f"accord agree '{EXAMPLES / name}' --json")
    assert code == 0, told
    printed = json.loads(out)["results"][0]
    found = accord.agree(EXAMPLES / name, ci="auto")
    assert printed["measure"] == found.measure
    assert printed["value"] == found.value
    assert printed["signature"] == found.signature
    assert (printed["interval"]["low"], printed["interval"]["high"]) == (
        found.interval.low, found.interval.high
    )  # fmt: skip
