"""Scoring one platform export against another: sides are folders, zips or single files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from accord.errors import InputError
from tests.oracles.exports import EXPORTS, Files, write_folder, write_zip

#: format → whose files are whose, by a part of their names
OWN = {"webanno-tsv3": "/{}.tsv", "uima": "/{}.xmi", "brat": "{}/", "inception": "/{}.zip"}
PLACED = [*OWN]


def side(name: str, who: str) -> Files:
    """Ann's part of the export, under another user's name."""
    files = {k: v for k, v in EXPORTS[name]().items() if OWN[name].format("ann") in f"/{k}"}
    return {k.replace("ann.", f"{who}.").replace("ann/", f"{who}/"): v for k, v in files.items()}


def scored(done) -> dict:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["results"][0]


@pytest.mark.parametrize("packed", ["folder", "zip"])
@pytest.mark.parametrize("name", PLACED)
def test_the_documents_of_both_sides_are_the_same(name, packed, tmp_path, accord_command):
    sides = []
    for place, who in (("gold", "curator"), ("model", "machine")):
        files = side(name, who)
        if packed == "zip":
            sides.append(write_zip(files, tmp_path / f"{place}.zip"))
        else:
            sides.append(write_folder(files, tmp_path / place))
    result = scored(accord_command("score", *sides, "--ci", "none", "--by", "document", "--json"))
    assert result["value"] == 1.0
    assert result["system"] == "model"
    assert [row["document"] for row in result["by"]["document"]] == ["d1", "d2"]


@pytest.mark.parametrize("name", ["webanno-tsv3", "uima", "brat"])
@pytest.mark.parametrize("places", [("gold/d1", "model/d1"), (".", "."), ("one", "two")])
def test_one_file_against_one_file(name, places, tmp_path, accord_command):
    """In folders called after their document, side by side, and in folders that say nothing."""
    first = "ann/d1.ann" if name == "brat" else next(iter(EXPORTS[name]()))
    files = EXPORTS[name]()
    sides = []
    for place, stem in zip(places, ("gold", "machine"), strict=True):
        path = tmp_path / place / f"{stem}{Path(first).suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[first])
        if name == "brat":
            path.with_suffix(".txt").write_bytes(files["ann/d1.txt"])
        sides.append(path)
    result = scored(accord_command("score", *sides, "--ci", "none", "--by", "document", "--json"))
    assert result["value"] == 1.0
    assert len(result["by"]["document"]) == 1


def test_one_document_of_another_text_is_not_paired(tmp_path, accord_command):
    files = EXPORTS["webanno-tsv3"]()
    (tmp_path / "gold").mkdir()
    (tmp_path / "sys").mkdir()
    (tmp_path / "gold" / "a.tsv").write_bytes(files["d1/ann.tsv"])
    (tmp_path / "sys" / "a.tsv").write_bytes(files["d2/ann.tsv"])
    result = scored(
        accord_command("score", tmp_path / "gold", tmp_path / "sys", "--ci", "none", "--json")
    )
    assert result["value"] == 0.0
    assert len(result["by"]["document"]) == 2


@pytest.mark.parametrize("name", [*PLACED, "gate", "elan", "label-studio"])
def test_several_annotators_are_refused_with_the_way_to_choose(name, tmp_path, accord_command):
    both = write_zip(EXPORTS[name](), tmp_path / "both.zip")
    done = accord_command("score", both, both)
    assert done.returncode == 2
    assert "holds 2 annotators: 'ann', 'bob'" in done.stderr
    assert "--reference-annotator" in done.stderr
    assert done.stderr.count("\n") == 1
    done = accord_command("score", both, both, "--reference-annotator", "ann")
    assert done.returncode == 2
    assert "--system-annotator" in done.stderr
    chosen = ("--reference-annotator", "ann", "--system-annotator", "bob")
    result = scored(accord_command("score", both, both, *chosen, "--ci", "none", "--json"))
    assert result["n"] == 2
    assert result["value"] == 0.0
    chosen = ("--reference-annotator", "ann", "--system-annotator", "ann")
    assert scored(accord_command("score", both, both, *chosen, "--ci", "none", "--json"))[
        "value"
    ] == pytest.approx(1.0)


def test_a_user_is_scored_against_the_curation_of_the_same_project(tmp_path, accord_command):
    project = write_zip(EXPORTS["inception"](), tmp_path / "project.zip")
    done = accord_command(
        "score", project, project, "--curation", "include", "--reference-annotator",
        "CURATION_USER", "--system-annotator", "ann", "--ci", "none", "--json",
    )  # fmt: skip
    # the curation keeps one of Ann's two units
    assert scored(done)["value"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("name", EXPORTS)
def test_a_name_for_the_annotator_does_not_rename_documents(name, tmp_path):
    path = write_folder(EXPORTS[name](), tmp_path / "export")
    if name in ("elan", "textgrid"):  # there, a name says that tiers are layers
        named = accord.read(path, annotator="x", layer="ann,bob")
        assert named.documents == accord.read(path).documents
        assert named.annotators == ("x",)
        return
    with pytest.raises(InputError, match=r"2 annotators \('ann', 'bob'\).*leave annotator out"):
        accord.read(path, annotator="x")


@pytest.mark.parametrize("name", PLACED)
def test_one_annotator_is_renamed(name, tmp_path):
    path = write_folder(side(name, "someone"), tmp_path / "export")
    plain, named = accord.read(path), accord.read(path, annotator="x")
    assert plain.annotators != ("x",)
    assert named.annotators == ("x",)
    assert named.documents == plain.documents == ("d1", "d2")
    assert [u[2:] for u in named] == [u[2:] for u in plain]
    assert named.coverage.all()


def test_files_of_recordings_are_all_of_the_annotator_named(tmp_path):
    row = "SPEAKER {} 1 0 1 <NA> <NA> S <NA> <NA>\n"
    for recording in ("r1", "r2"):
        (tmp_path / f"{recording}.rttm").write_text(row.format(recording))
    (tmp_path / "all.uem").write_text("r1 1 0 9\nr2 1 0 9\n")
    named = accord.read(tmp_path, annotator="x")
    assert (named.annotators, named.documents) == (("x",), ("r1", "r2"))


@pytest.mark.parametrize("command", ["agree", "gold"])
def test_a_campaign_is_not_given_one_name(command, tmp_path, accord_command):
    path = write_folder(EXPORTS["webanno-tsv3"](), tmp_path / "export")
    done = accord_command(command, path, "--annotator", "x")
    assert done.returncode == 2
    assert "they cannot all be called 'x'; leave --annotator out" in done.stderr


def test_two_systems_in_one_file_are_not_ranked_as_one(table, accord_command):
    judges = table("item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n", "judges.csv")
    two = table("item,annotator,value\n1,S,x\n1,T,y\n2,S,y\n2,T,y\n", "two.csv")
    done = accord_command("rank", judges, two)
    assert done.returncode == 2
    assert (
        "holds 2 annotators: 'S', 'T'; name the one that is the system with --system-annotator"
        in done.stderr
    )


def test_several_answers_to_an_item_are_an_ensemble(accord_command, table):
    """Votes of several models are a distribution to be scored, not several systems."""
    judges = table("item,annotator,value\n1,J,a\n1,K,a\n2,J,b\n2,K,a\n", "judges.csv")
    models = table("item,annotator,value\n1,m,a\n1,n,b\n2,m,b\n2,n,a\n", "models.csv")
    done = accord_command("score", judges, models, "--measure", "jsd", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"][0]["value"] > 0
