"""Relations from the exports that have them, and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from accord.data import Relations
from accord.errors import AccordError, InputError, UsageError
from accord.reading.conversion import convert
from tests.in_process import run
from tests.told import told

TEXT = "Ada Lovelace wrote to Charles Babbage from London."
ADA, CHARLES, LONDON, WROTE = (0, 12), (22, 37), (43, 49), (13, 18)


def rows(relations: Relations) -> set[tuple]:
    return {(r.annotator, r.source, r.target, r.label) for r in relations}


def brat(folder: Path, who: str, more: str = "") -> None:
    place = folder / who
    place.mkdir(parents=True)
    (place / "d.txt").write_text(TEXT)
    (place / "d.ann").write_text(
        "T1\tPER 0 12\tAda Lovelace\nT2\tPER 22 37\tCharles Babbage\nT3\tLOC 43 49\tLondon\n"
        "T4\tLetter 13 18\twrote\nR1\tlives-in Arg1:T2 Arg2:T3\n" + more
    )


def test_brat_relations_and_events(tmp_path):
    brat(tmp_path, "ann", "E1\tLetter:T4 Author:T1 Theme:T2 Theme2:T3\n*\tSame T1 T2\n")
    brat(tmp_path, "bob")
    data = accord.read(tmp_path, shape="relations")
    assert isinstance(data, Relations)
    assert rows(data) == {
        ("ann", CHARLES, LONDON, "lives-in"),
        ("ann", WROTE, ADA, "Author"),
        ("ann", WROTE, CHARLES, "Theme"),
        ("ann", WROTE, LONDON, "Theme"),
        ("bob", CHARLES, LONDON, "lives-in"),
    }
    # all units are there, with their labels, for chance to draw from
    assert len(data.units) == 8
    assert set(data.kinds) == {"PER", "LOC", "Letter"}
    assert any("equivalences, groups" in note for note in told(data))
    assert accord.read(tmp_path).shape == "units"
    assert accord.relation_gamma(data, chance="units", samples=20).value < 1


def test_an_event_as_an_argument_is_its_trigger(tmp_path):
    brat(tmp_path, "ann", "E1\tLetter:T4 Author:T1\nE2\tLetter:T3 Cause:E1\n")
    assert ("ann", LONDON, WROTE, "Cause") in rows(accord.read(tmp_path, shape="relations"))


def test_glozz(tmp_path):
    unit = (
        '<unit id="u{i}"><metadata><author>x</author></metadata><characterisation><type>{kind}</type>'
        '<featureSet/></characterisation><positioning><start><singlePosition index="{s}"/></start>'
        '<end><singlePosition index="{e}"/></end></positioning></unit>'
    )
    body = "".join(
        unit.format(i=i, kind=kind, s=s, e=e)
        for i, (kind, (s, e)) in enumerate([("PER", ADA), ("PER", CHARLES)])
    )
    body += (
        '<relation id="r1"><characterisation><type>knows</type><featureSet/></characterisation>'
        '<positioning><term id="u0"/><term id="u1"/></positioning></relation>'
    )
    for who in ("ann", "bob"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "d.ac").write_text(TEXT)
        (tmp_path / who / "d.aa").write_text(
            f'<?xml version="1.0"?><annotations><metadata/>{body}</annotations>'
        )
    data = accord.read(tmp_path, shape="relations")
    assert rows(data) == {(who, ADA, CHARLES, "knows") for who in ("ann", "bob")}


def test_prodigy(tmp_path):
    def span(place, label="PER"):
        return {"start": place[0], "end": place[1], "label": label}

    record = {
        "text": TEXT,
        "_input_hash": 1,
        "_annotator_id": "ann",
        "answer": "accept",
        "spans": [span(ADA), span(CHARLES)],
        "relations": [
            {"label": "knows", "head_span": span(ADA), "child_span": span(CHARLES)},
            {"label": "from", "head_span": span(ADA), "child_span": span(LONDON, None)},
        ],
    }
    file = tmp_path / "p.jsonl"
    file.write_text(json.dumps(record) + "\n")
    data = accord.read(file, shape="relations")
    assert rows(data) == {("ann", ADA, CHARLES, "knows"), ("ann", ADA, LONDON, "from")}
    # a token that is no span stays none among the units
    assert len(accord.read(file)) == 2


def test_tagtog(tmp_path):
    def entity(kind, place):
        offsets = [{"start": place[0], "text": TEXT[slice(*place)]}]
        return {"classId": kind, "part": "s1p1", "offsets": offsets,
                "confidence": {"who": ["user:ann"]}}  # fmt: skip

    whole = {
        "annotatable": {"parts": ["s1p1"]},
        "anncomplete": True,
        "metas": {},
        "entities": [entity("e_1", ADA), entity("e_2", LONDON)],
        "relations": [
            {
                "classId": "r_1",
                "type": "linked",
                "directed": False,
                "entities": ["s1p1|e_1|0,11", "s1p1|e_2|43,48"],
                "confidence": {"who": ["user:ann"]},
            }
        ],
    }
    (tmp_path / "d.ann.json").write_text(json.dumps(whole))
    (tmp_path / "d.txt").write_text(TEXT)
    data = accord.read(tmp_path, shape="relations")
    assert rows(data) == {("ann", ADA, LONDON, "r_1")}


def test_lighttag(tmp_path):
    def mark(name, tag, place):
        return {
            "tagged_token_id": name,
            "start": place[0],
            "end": place[1],
            "tag": tag,
            "annotated_by": [{"annotator": "ann"}],
        }

    whole = {
        "examples": [
            {
                "example_id": "e1",
                "content": TEXT,
                "seen_by": [{"annotator": "ann"}],
                "annotations": [mark("a", "PER", ADA), mark("b", "PER", CHARLES)],
            }
        ],
        "relations": [
            {
                "example_id": "e1",
                "tag": "knows",
                "source": "a",
                "target": "b",
                "annotated_by": [{"annotator": "ann"}],
            }
        ],
    }
    file = tmp_path / "l.json"
    file.write_text(json.dumps(whole))
    assert rows(accord.read(file, shape="relations")) == {("ann", ADA, CHARLES, "knows")}


def test_an_export_without_relations_says_so(tmp_path):
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "d.txt").write_text(TEXT)
    (tmp_path / "ann" / "d.ann").write_text("T1\tPER 0 12\tAda Lovelace\n")
    with pytest.raises(InputError, match="holds no relations"):
        accord.read(tmp_path, shape="relations")


@pytest.mark.parametrize("name", ["brat", "doccano", "label-studio", "uima", "webanno-tsv3"])
def test_written_and_read_back(name, tmp_path):
    """Formats of units that hold relations keep them, whoever made them."""
    brat(tmp_path / "in", "ann")
    brat(tmp_path / "in", "bob", "R2\tknows Arg1:T1 Arg2:T2\n")
    data = accord.read(tmp_path / "in", shape="relations")
    ending = {"doccano": ".zip", "label-studio": ".json"}.get(name, "")
    target = tmp_path / f"out{ending}"
    convert(data, target, format=name)
    back = accord.read(target, format=name, shape="relations")
    assert rows(back) == rows(data)


def test_a_table_keeps_everything(tmp_path):
    brat(tmp_path / "in", "ann")
    brat(tmp_path / "in", "bob")
    data = accord.read(tmp_path / "in", shape="relations")
    lost = convert(data, tmp_path / "r.csv")
    assert rows(accord.read(tmp_path / "r.csv")) == rows(data)
    assert any("table of units" in sentence for sentence in lost)


def test_given_items_are_no_places_in_a_text(tmp_path):
    data = Relations.from_rows([("d", "A", 1, 2, "x")])
    with pytest.raises(UsageError, match="link given items; write a long table"):
        convert(data, tmp_path / "out", format="brat")


TREE = """# newdoc id = n1
# sent_id = s1
1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\t_
2\twrote\twrite\tVERB\t_\t_\t0\troot\t_\t_
3-4\tletters\t_\t_\t_\t_\t_\t_\t_\t_
3\tmany\tmany\tADJ\t_\t_\t4\tamod\t_\t_
4\tletters\tletter\tNOUN\t_\t_\t2\tobj\t_\t_
4.1\tsent\t_\t_\t_\t_\t_\t_\t_\t_

# sent_id = s2
1\tHe\the\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tread\tread\tVERB\t_\t_\t0\troot\t_\t_

"""


def test_dependency_trees_give_attachment_scores(tmp_path):
    gold, parsed = tmp_path / "gold.conllu", tmp_path / "parser.conllu"
    gold.write_text(TREE)
    parsed.write_text(TREE.replace("2\tobj", "1\tobj").replace("4\tamod", "4\tnmod"))
    one, two = (accord.read(f, shape="relations") for f in (gold, parsed))
    assert one.documents == ("n1/s1", "n1/s2")
    assert len(one) == 6
    las = accord.score(one, two, "relation-f1")
    uas = accord.score(one, two, "relation-f1", unlabelled=True)
    assert las.value == pytest.approx(4 / 6)
    assert uas.value == pytest.approx(5 / 6)
    # corrected for chance: one of four heads of the first sentence differs
    both = accord.reading.read_many([gold, parsed], shape="relations", curation="include")
    corrected = accord.relation_gamma(both, beta=0)
    assert corrected.terms["exact_documents"] == 2
    assert 0 < corrected.value < uas.value
    assert accord.read(gold).shape == "chains"


def test_a_tree_that_is_none_is_an_error(tmp_path):
    file = tmp_path / "x.conllu"
    file.write_text("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    with pytest.raises(InputError, match="holds no heads"):
        accord.read(file, shape="relations")


def test_several_layers_of_relations_are_not_guessed(shared: Path):
    folder = shared / "formats" / "webanno_tsv3"
    found = 0
    for file in sorted(folder.rglob("*.tsv")):
        try:
            data = accord.read(file, shape="relations")
        except AccordError as problem:
            found += "several layers of relations" in str(problem)
            continue
        assert len(data) > 0
        found += 1
    assert found


def test_real_exports(shared: Path):
    prodigy = accord.read(shared / "exports/prodigy/rel_component.jsonl", shape="relations")
    doccano = accord.read(
        shared / "formats/doccano/export_relation_extraction.jsonl", shape="relations"
    )
    assert len(prodigy) > 5
    assert "Pos-Reg" in prodigy.categories
    assert len(doccano) > 0


def test_a_score_is_not_called_an_agreement(tmp_path):
    head = "document,annotator,source,target,label\n"
    for who in ("gold", "parser"):
        (tmp_path / f"{who}.csv").write_text(f"{head}d,{who},2,1,nsubj\n")
    code, out, _, _ = run(
        f"accord score {tmp_path / 'gold.csv'} {tmp_path / 'parser.csv'} --verbose"
    )
    assert code == 0
    assert "relation-f1: precision, recall and F of relations" in out
    assert "two by two" not in out
