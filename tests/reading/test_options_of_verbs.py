"""Every verb reads with the keywords of ``accord.read``: the same answer as when read before."""

from __future__ import annotations

import pandas as pd
import pytest

import accord
from accord.errors import InputError, UsageError

#: three people and two systems; a word of theirs that is recoded is nobody else's
WHO = ("a", "b", "c", "gpt")
VOTES = [
    tuple("yn"[(i * k) % 7 < 3] if who != "gpt" else "YN"[(i * k) % 5 < 2] for k, who in enumerate(WHO, 1))
    for i in range(40)
]  # fmt: skip
READING = {
    "columns": {"item": "case", "annotator": "coder", "value": "verdict"},
    "recode": {"Y": "y", "N": "n"},
}


def table(*who: str) -> pd.DataFrame:
    rows = [
        (i, name, vote)
        for i, votes in enumerate(VOTES)
        for name, vote in zip(WHO, votes, strict=True)
        if name in who
    ]
    return pd.DataFrame(rows, columns=["case", "coder", "verdict"])


def plain(found):
    if hasattr(found, "to_dict"):
        return found.to_dict()
    return [(f.rule, f.statement) for f in found]


VERBS = {
    "alt_test": lambda data, **how: accord.alt_test(data, "gpt", **how),
    "rank": lambda data, **how: accord.rank(data, ["gpt"], measures=["accuracy"], **how),
    "judge": lambda data, **how: accord.judge(data, "gpt", positive="y", resamples=200, **how),
    "audit": lambda data, **how: accord.audit(data, **how),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_frame_is_read_as_the_keywords_say(verb):
    frame = table(*WHO)
    # (runs of a model are averaged, not refused)
    runs = {"duplicates": "first"} if verb == "judge" else {}
    before = VERBS[verb](accord.read(frame, **READING, **runs))
    assert plain(VERBS[verb](frame, **READING)) == plain(before)


@pytest.mark.parametrize("verb", VERBS)
def test_what_is_no_option_is_refused(verb):
    frame = table(*WHO)
    with pytest.raises(UsageError, match=rf"{verb} has no option recod; did you mean recode"):
        VERBS[verb](frame, columns=READING["columns"], recod={"Y": "y"})
    with pytest.raises(
        UsageError, match="recode says how data are read, and these are read already"
    ):
        VERBS[verb](accord.read(frame, **READING), recode={"Y": "y"})
    with pytest.raises(InputError, match="no label is called 'q'"):
        VERBS[verb](frame, columns=READING["columns"], recode={"q": "y"})


def test_alignments_are_of_units_read_as_the_keywords_say():
    frame = pd.DataFrame(
        [("d", "a", 0, 4, "x"), ("d", "b", 1, 4, "X")],
        columns=["document", "annotator", "start", "end", "kind"],
    )
    how = {"columns": {"label": "kind"}, "recode": {"X": "x"}}
    (found,) = accord.align(frame, **how)
    (before,) = accord.align(accord.read(frame, **how))
    assert found.disorder == before.disorder
    with pytest.raises(UsageError, match="align has no option recod"):
        accord.align(frame, recod={"X": "x"})


def test_a_label_is_on_one_side_at_least_and_people_are_of_the_data():
    people, system = table("a", "b", "c"), table("gpt")
    key = accord.gold(people, **{**READING, "recode": {}})
    found = accord.score(key, system, "accuracy", **READING)
    assert found.value == accord.score(key, accord.read(system, **READING), "accuracy").value
    both = accord.alt_test(people, system, annotators=["a", "b", "c"], **READING)
    assert both.winning_rate == accord.alt_test(table(*WHO), "gpt", **READING).winning_rate
    ranked = accord.rank(people, {"gpt": system}, reference=key, measures=["accuracy"], **READING)
    assert ranked.systems[0]["value"] == found.value
    with pytest.raises(InputError, match="no label is called 'q'"):
        accord.score(people, system, "accuracy", **{**READING, "recode": {"q": "y"}})


def test_runs_of_a_model_are_averaged_and_people_who_label_twice_are_refused():
    frame = pd.concat([table(*WHO), table("gpt").assign(verdict="Y")])
    twice = accord.judge(frame, "gpt", positive="y", resamples=200, **READING)
    assert twice.judges[0].repeats is not None
    labels = pd.concat([table(*WHO), table("a").assign(verdict="y")])
    with pytest.raises(InputError, match=r"'a' labels item '.*' twice"):
        accord.judge(labels, "gpt", positive="y", resamples=200, **READING)
    kept = accord.judge(labels, "gpt", positive="y", resamples=200, duplicates="first", **READING)
    once = accord.judge(table(*WHO), "gpt", positive="y", resamples=200, **READING)
    assert kept.judges[0].corrected.value == once.judges[0].corrected.value
