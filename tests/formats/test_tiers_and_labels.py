"""Whose tiers are, which feature is the label, who a completed_by is: never a silent guess."""

import json

import pytest

import accord
from accord.data.reading import OpenQuestionError
from accord.errors import InputError, UsageError
from accord.reading import read_many
from tests.told import told


def textgrid(*tiers):
    """A short TextGrid; a tier is (class, name, [(start, end, label)] or [(time, label)])."""
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "0", "10", "<exists>"]
    lines.append(str(len(tiers)))
    for kind, name, marks in tiers:
        lines += [f'"{kind}"', f'"{name}"', "0", "10", str(len(marks))]
        for *times, label in marks:
            lines += [*map(str, times), f'"{label}"']
    return "\n".join(lines) + "\n"


WORDS = ("IntervalTier", "words", [(0, 4, "x"), (4, 10, "")])
BOB = ("IntervalTier", "bob", WORDS[2])
TONES = ("TextTier", "tones", [(2, "H*"), (5, "L")])


def test_point_tiers_are_no_annotators(tmp_path):
    path = tmp_path / "r.TextGrid"
    path.write_text(textgrid(BOB, ("IntervalTier", "ann", [(0, 5, "x")]), TONES))
    data = accord.read(path)
    assert data.annotators == ("ann", "bob")
    assert any("points tones (2)" in one for one in told(data))
    assert "assumed: tiers are annotators (otherwise annotator_from='file')" in str(data.reading)
    tiers = accord.read(path, points=True, annotator_from="tier")
    assert tiers.annotators == ("ann", "bob", "tones")
    path.write_text(textgrid(TONES, ("TextTier", "other", [(2, "H*")])))
    assert accord.read(path, points=True).annotators == ("other", "tones")


def test_tiers_of_one_name_are_kept_apart(tmp_path):
    path = tmp_path / "r.TextGrid"
    path.write_text(textgrid(WORDS, ("IntervalTier", "words", [(0, 6, "y")])))
    data = accord.read(path, annotator_from="tier")
    assert data.annotators == ("words", "words (2)")
    assert [u.label for u in data] == ["x", "y"]


def test_files_of_one_name_in_two_folders_are_two_peoples(tmp_path):
    for who, end in (("ann", 4), ("bob", 5)):
        (tmp_path / who).mkdir()
        text = textgrid(("IntervalTier", "words", [(0, end, "x")]), TONES)
        (tmp_path / who / "r1.TextGrid").write_text(text)
    data = accord.read(tmp_path)
    assert (data.annotators, data.documents) == (("ann", "bob"), ("r1",))
    assert [u.end for u in data] == [4, 5]
    assert "assumed: folders are annotators and files are documents" in str(data.reading)
    assert "annotator_from='tier'" in str(data.reading)
    tiers = accord.read(tmp_path, annotator_from="tier")
    assert (tiers.annotators, len(tiers.documents)) == (("words",), 2)


def test_one_tier_in_every_file_is_asked_about(tmp_path):
    for who in ("ann", "bob"):
        (tmp_path / f"{who}.TextGrid").write_text(textgrid(WORDS))
    with pytest.raises(InputError, match="annotator_from='file'"):
        accord.read(tmp_path)
    assert accord.read(tmp_path, annotator_from="file").annotators == ("ann", "bob")
    assert accord.read(tmp_path, annotator_from="tier").annotators == ("words",)


PHONES = ("IntervalTier", "phones", [(0, 2, "e"), (2, 4, "ks")])


@pytest.mark.parametrize(
    "tiers",
    [
        (WORDS, PHONES),
        # a word may be called as a phone is
        (WORDS, ("IntervalTier", "phones", [(0, 4, "x")])),
        (BOB, ("IntervalTier", "gestures", [(1, 3, "nod")])),
        tuple(
            (kind, f"{who} - {name}", marks)
            for who in ("ann", "bob")
            for kind, name, marks in (WORDS, PHONES)
        ),
    ],
)
def test_tiers_that_may_be_layers_are_asked_about(tiers, tmp_path, accord_command):
    path = tmp_path / "r.TextGrid"
    path.write_text(textgrid(*tiers))
    with pytest.raises(OpenQuestionError, match="whether they are annotators") as told:
        accord.read(path)
    answers = [answer.option[1] for answer in told.value.decision.others]
    assert answers == ["tier", "file"]
    assert len(accord.read(path, annotator_from="tier").annotators) == len(tiers)
    layer = tiers[0][1]
    assert accord.read(path, annotator_from="file", layer=layer).annotators == ("r",)
    done = accord_command("agree", str(path))
    assert done.returncode == 2
    assert "--annotator-from tier if tiers are annotators" in " ".join(done.stderr.split())
    assert accord_command("inspect", str(path)).returncode == 0


EAF = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT><TIME_ORDER>
<TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="b" TIME_VALUE="900"/>
</TIME_ORDER>{}</ANNOTATION_DOCUMENT>"""


def tier(name, identifier, label, extra=""):
    return (
        f'<TIER TIER_ID="{name}" {extra}><ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="{identifier}" '
        f'TIME_SLOT_REF1="a" TIME_SLOT_REF2="b"><ANNOTATION_VALUE>{label}</ANNOTATION_VALUE>'
        "</ALIGNABLE_ANNOTATION></ANNOTATION></TIER>"
    )


def child(name, identifier, parent_tier, parent):
    return (
        f'<TIER TIER_ID="{name}" PARENT_REF="{parent_tier}"><ANNOTATION><REF_ANNOTATION ANNOTATION_ID='
        f'"{identifier}" ANNOTATION_REF="{parent}"><ANNOTATION_VALUE>sure</ANNOTATION_VALUE>'
        "</REF_ANNOTATION></ANNOTATION></TIER>"
    )


def test_dependent_tiers_are_no_annotators(tmp_path):
    path = tmp_path / "r.eaf"
    path.write_text(
        EAF.format(
            tier("ann", "a1", "x") + tier("bob", "a2", "x") + child("sure@ann", "a3", "ann", "a1")
        )
    )
    data = accord.read(path)
    assert data.annotators == ("ann", "bob")
    assert any("sure@ann (1)" in one for one in told(data))


def test_the_annotator_of_a_tier_is_who_it_names(tmp_path):
    path = tmp_path / "r.eaf"
    path.write_text(
        EAF.format(
            tier("ent@A", "a1", "x", 'ANNOTATOR="anna"')
            + tier("ent@B", "a2", "y", 'ANNOTATOR="ben"')
            + tier("utterance", "a3", "words")
        )
    )
    data = accord.read(path)
    assert [(u.annotator, u.label) for u in data] == [("anna", "x"), ("ben", "y")]
    assert any("tier utterance (1)" in one for one in told(data))


TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=custom.NE|identifier|value


#Text=Anna saw Bob
1-1\t0-4\tAnna\thttp://x\tPER\t
1-2\t5-8\tsaw\t*\t\\*\t
1-3\t9-12\tBob\t*\t*\t
"""


def test_the_label_of_webanno_is_the_value_as_in_a_cas(tmp_path):
    path = tmp_path / "ann.tsv"
    path.write_text(TSV)
    data = accord.read(path)
    assert [u.label for u in data] == ["PER", "*", None]
    assert accord.read(path, feature="identifier").categories == ("http://x",)


def test_slots_are_shown_by_what_they_point_to(tmp_path):
    path = tmp_path / "ann.tsv"
    path.write_text(
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=c.Host|ROLE_c.Host:links_c.Link|c.Span\n\n\n"
        "#Text=He loves her\n1-1\t0-2\tHe\tagent;*\t1-2;1-3[4]\t\n1-2\t3-8\tloves\t_\t_\t\n"
        "1-3\t9-12\ther\t_\t_\t\n"
    )
    assert [u.label for u in accord.read(path)] == ["agent→loves; her"]


def task(label, who=1):
    value = {"start": 0, "end": 4, "text": "Anna", "labels": [label]}
    result = [{"id": "r", "from_name": "ner", "to_name": "text", "type": "labels", "value": value}]
    return {
        "id": 1,
        "data": {"text": "Anna went home"},
        "annotations": [{"id": 1, "completed_by": who, "result": result}],
    }


@pytest.mark.parametrize("way", ["folder", "file"])
def test_the_same_number_in_two_files_is_two_people(way, tmp_path):
    for name, label in (("ann", "PER"), ("bob", "LOC")):
        path = tmp_path / (f"{name}.json" if way == "file" else f"{name}/export.json")
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps([task(label)]))
    data = accord.read(tmp_path)
    assert [(u.annotator, u.label) for u in data] == [("ann", "PER"), ("bob", "LOC")]
    assert any(f"each {way} is a person" in one for one in told(data))
    assert accord.read(tmp_path, annotator_from=way).annotators == ("ann", "bob")
    files = sorted(tmp_path.rglob("*.json"))
    if way == "folder":
        # the same as the folder that holds both
        assert read_many(files).annotators == ("ann", "bob")
    else:
        with pytest.raises(InputError, match="in two files"):
            read_many(files)
    renamed = {f"{files[0]}:1": "Ann", f"{files[1]}:1": "Bob"}
    assert read_many(files, rename=renamed).annotators == ("Ann", "Bob")


def test_files_of_several_people_with_the_same_numbers_are_refused(tmp_path):
    for name in ("a", "b"):
        both = task("PER")
        both["annotations"].append({**task("LOC", 2)["annotations"][0], "id": 2})
        (tmp_path / f"{name}.json").write_text(json.dumps([both]))
    with pytest.raises(InputError, match="rename='FILE:2=NAME'"):
        accord.read(tmp_path)


def test_annotator_from_is_never_ignored(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,value\n1,A,x\n")
    with pytest.raises(UsageError, match="annotator_from has no say there"):
        accord.read(path, annotator_from="folder")
