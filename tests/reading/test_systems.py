"""A system is one annotator: of several one is named, or each is a system."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from accord.errors import InputError

PEOPLE = {"ana": "AABBABAB", "ben": "AABBABBA", "cy": "ABABABBB"}
MODELS = {"m": "AABBABAA", "n": "BABABABA"}


def table(path: Path, people: dict[str, str]) -> Path:
    rows = [f"{i},{who},{v}" for who, cells in people.items() for i, v in enumerate(cells, 1)]
    path.write_text("\n".join(["item,annotator,value", *rows]) + "\n")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    gold = table(tmp_path / "gold.csv", {"gold": PEOPLE["ana"]})
    return gold, table(tmp_path / "people.csv", PEOPLE), table(tmp_path / "models.csv", MODELS)


def test_several_people_are_no_system(files, accord_command) -> None:  # type: ignore[no-untyped-def]
    gold, people, models = files
    for words in (("score", gold), ("rank", people), ("alt-test", people)):
        done = accord_command(*words, models)
        assert done.returncode == 2
        assert "models.csv: holds 2 annotators: 'm', 'n'; name the one" in done.stderr
        assert "--system-annotator NAME" in done.stderr
        assert "--each" in done.stderr
    for call in (
        lambda: accord.score(gold, models),
        lambda: accord.rank(people, {"x": models}),
        lambda: accord.alt_test(people, models),
    ):
        with pytest.raises(InputError, match="holds 2 annotators: 'm', 'n'"):
            call()


def test_one_is_named(files, accord_command) -> None:  # type: ignore[no-untyped-def]
    gold, people, models = files
    alone = accord.score(gold, list(MODELS["n"]), "accuracy").value
    assert accord.score(gold, models, "accuracy", system_annotator="n").value == alone
    done = accord_command("score", gold, models, "--system-annotator", "n", "--json")
    assert json.loads(done.stdout)["results"][0]["value"] == alone
    found = accord.rank(people, {"x": models}, measures=["accuracy"], system_annotator="n")
    assert [row["system"] for row in found.systems] == ["x"]
    tested = accord.alt_test(people, models, system_annotator="n", least_items=1)
    alone = accord.alt_test(people, list(MODELS["n"]), least_items=1)
    assert tested.annotators == alone.annotators


def test_each_is_a_system(files, accord_command) -> None:  # type: ignore[no-untyped-def]
    gold, people, models = files
    alone = [accord.score(gold, list(v), "accuracy").value for v in MODELS.values()]
    found = accord.score(gold, models, "accuracy", each=True)
    assert [(r.system, r.value) for r in found] == list(zip(MODELS, alone, strict=True))
    done = accord_command("score", gold, models, "--each", "--json")
    results = json.loads(done.stdout)["results"]
    assert [(r["system"], r["value"]) for r in results] == list(zip(MODELS, alone, strict=True))
    ranked = accord.rank(people, {"x": models}, measures=["accuracy"], each=True)
    assert [row["system"] for row in ranked.systems] == ["m", "n"]
    done = accord_command("rank", people, models, "--each", "--json", "-m", "accuracy")
    assert [row["system"] for row in json.loads(done.stdout)["systems"]] == ["m", "n"]
    done = accord_command("alt-test", people, models, "--each", "--json", "--least-items", "1")
    assert [one["system"] for one in json.loads(done.stdout)["systems"]] == ["m", "n"]


def test_votes_are_a_distribution_where_one_is_scored(files) -> None:  # type: ignore[no-untyped-def]
    gold, _, models = files
    votes = [
        {"A": (a == "A") / 2 + (b == "A") / 2, "B": (a == "B") / 2 + (b == "B") / 2}
        for a, b in zip(*MODELS.values(), strict=True)
    ]
    assert accord.score(gold, models, "jsd").value == pytest.approx(
        accord.score(gold, votes, "jsd").value
    )
    with pytest.raises(InputError):
        accord.score(gold, models, ["jsd", "accuracy"])
