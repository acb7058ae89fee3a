"""Every verb takes a reference of every shape, from every carrier and at both doors; no value, no score."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import accord
from accord.data import Ratings
from accord.data.join import joined
from accord.data.protocol import changed
from accord.data.tables import ratings_from_long
from accord.errors import AccordError, in_command
from accord.gold.tables import write_table
from accord.reading.given import as_annotations
from tests.gold.test_round_trips import PEOPLE, SHAPES
from tests.in_process import run

CARRIERS = ("itself", ".csv", ".jsonl", "pandas")
#: what says how files were read, or after which an unnamed system is called
NAMED = {"signature", "reading", "warnings", "notes", "system", "signed"}
#: (an example takes seconds: none is made smaller)
DRAW = (Phase.reuse, Phase.generate)
#: little to draw: what is looked at is who is scored, not how surely
HOW = {"resamples": 40, "seed": 3}


@st.composite
def ratings(draw):
    votes = draw(
        st.lists(
            st.lists(st.sampled_from(["x", "y", None]), min_size=3, max_size=3),
            min_size=3,
            max_size=6,
        )
    )
    votes = [*votes, ["x", "x", "x"], ["y", "y", "y"], ["x", "y", "y"]]
    return Ratings.from_matrix([list(c) for c in zip(*votes, strict=True)], annotators=PEOPLE)


STRATEGIES = {"ratings": ratings, **SHAPES}


@dataclass(frozen=True)
class Campaign:
    """The people, a system, their reference, and where they are written."""

    people: Any
    system: Any
    reference: Any
    folder: Path

    @property
    def shape(self):
        return self.people.shape

    def plain(self):
        """What has a value, made anew of the rows that have one."""
        if self.shape != "ratings":
            return self.reference.reference
        rows = [r for r in self.reference.rows() if r["value"] is not None]
        return ratings_from_long(
            *zip(*[(r["item"], "reference", r["value"]) for r in rows], strict=True)
        )

    def carried(self, carrier):
        if carrier == "itself":
            return self.reference
        return self.reference.to_frame() if carrier == "pandas" else self.path(carrier)

    def path(self, carrier):
        return self.folder / f"reference{carrier}"


def campaign(draw, shape, folder):
    people = draw(STRATEGIES[shape]())
    # (a file without a row would tell nobody's shape)
    marked = (people.select(annotators=[who]) for who in PEOPLE)
    system = changed(next(one for one in marked if list(one.rows())), annotators=("s",))
    draft = accord.gold(people)
    decisions = {}
    # (decisions about boxes are edits of the table of the reference)
    if shape != "boxes" and len(draft):
        rows = draft.considered if shape != "ratings" else draft.rows()
        names = [str(row["item"]) for row in rows]
        for item in draw(st.lists(st.sampled_from(names), max_size=2, unique=True)):
            decisions[item] = {"kind": draw(st.sampled_from(["reject", "none"])), "who": "Ana"}
    threshold = {"threshold": draw(st.sampled_from([None, 0.9]))} if shape == "ratings" else {}
    made = accord.gold(people, **({"decisions": decisions} if decisions else {}), **threshold)
    found = Campaign(people=people, system=system, reference=made, folder=folder)
    for ending in (".csv", ".jsonl"):
        write_table(found.path(ending), list(made.rows()), made.columns)
    accord.write(people, folder / "people.jsonl", overwrite=True)
    accord.write(system, folder / "s.jsonl", overwrite=True)
    return found


def score(c, one):
    return accord.score(one, c.system, ci="none").to_dict()


def score_as_system(c, one):
    return accord.score(c.plain(), one, ci="none").to_dict()


def rank(c, one):
    ranked = accord.rank if c.shape == "ratings" else accord.rank_located
    return ranked(c.people, {"s": c.system}, reference=one, **HOW).to_dict()


def alt_test(c, one):
    return accord.alt_test(c.people, one, least_items=1).to_dict()


def judge(c, one):
    # the reference is the people's word; a judge beside it comes with it, as one table
    together = joined([as_annotations(one, annotator="reference"), c.system])
    return accord.judge(together, "s", resamples=40).to_dict()


def report(c, one):
    page = accord.report(c.people, reference=one, systems={"s": c.system}, **HOW)
    kept = {name: [*map(list, t.rows)] for name, t in page.tables.items()}
    return {"results": [r.to_dict() for r in page.results], "kept": kept}


def audit(c, one):
    found = accord.audit(c.people, reference=one, system=c.system)
    # (an option is called as a command has it)
    return {"findings": [(f.rule, in_command(f.statement)) for f in found]}


VERBS = {f.__name__: f for f in (score, score_as_system, rank, alt_test, judge, report, audit)}


def plain(answer):
    """The answer without the names of files, its numbers as JSON has them."""
    if isinstance(answer, dict):
        return {k: plain(v) for k, v in answer.items() if k not in NAMED}
    if isinstance(answer, (list, tuple)):
        return [plain(v) for v in answer]
    if isinstance(answer, float) and not math.isfinite(answer):
        return None
    return answer if isinstance(answer, (int, float, bool, type(None))) else str(answer)


def answered(verb, c, one):
    """What the verb says: an answer, or the sentence by which it refuses."""
    try:
        return json.dumps(plain(verb(c, one)), sort_keys=True, default=float)
    except AccordError as problem:
        return f"{type(problem).__name__}: {problem}"


@pytest.mark.parametrize("name", VERBS)
@pytest.mark.parametrize("shape", STRATEGIES)
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), phases=DRAW)
@given(data=st.data())
def test_a_verb_says_the_same_of_every_carrier(tmp_path_factory, data, shape, name):
    c = campaign(data.draw, shape, tmp_path_factory.mktemp("verbs"))
    expected = answered(VERBS[name], c, c.plain())
    assert {k: answered(VERBS[name], c, c.carried(k)) for k in CARRIERS} == dict.fromkeys(
        CARRIERS, expected
    )


#: the command, and what of its document is the answer of the verb in Python
LINES = {
    "score": ("score {r} {s} --ci none", score, lambda told: told["results"][0]),
    "rank": ("rank {p} {s} --reference {r} --resamples 40 --seed 3", rank, None),
    "alt_test": ("alt-test {p} {r} --least-items 1", alt_test, None),
    "judge": ("judge {r} {s} --judge s --resamples 40", judge, None),
    "report": (
        "report {p} --reference {r} --system {s} --resamples 40 --seed 3 -o {folder}/page.html",
        lambda c, one: {"results": report(c, one)["results"]},
        lambda told: {"results": told["results"]},
    ),
    "audit": (
        "audit {p} --reference {r} --system {s}",
        audit,
        lambda told: {"findings": [(f["rule"], f["statement"]) for f in told["findings"]]},
    ),
}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("shape", STRATEGIES)
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), phases=DRAW)
@given(data=st.data(), carrier=st.sampled_from([".csv", ".jsonl"]))
def test_a_command_says_what_the_verb_says(tmp_path_factory, data, carrier, shape, name):
    folder = tmp_path_factory.mktemp("verbs")
    c = campaign(data.draw, shape, folder)
    line, verb, taken = LINES[name]
    said = line.format(
        r=c.path(carrier), p=folder / "people.jsonl", s=folder / "s.jsonl", folder=folder
    )
    code, out, told, _ = run(f"accord {said} --json")
    # (both doors read the people from their file)
    people, system = (accord.read(folder / f"{who}.jsonl") for who in ("people", "s"))
    c = Campaign(people=people, system=system, reference=c.reference, folder=folder)
    expected = answered(verb, c, c.path(carrier))
    if code:
        assert code == 2
        assert len(told.strip().splitlines()) == 1, told
        assert "Error: " in expected
        return
    document = json.loads(out)
    assert json.dumps(plain(taken(document) if taken else document), sort_keys=True) == expected
