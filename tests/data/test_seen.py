"""Who saw what, where rows do not say it: decided where it is plain, asked where it is not."""

import pandas as pd
import pytest

import accord
from accord.data import Boxes, Relations, Units
from accord.data.reading import OpenQuestionError

HEADER = "document,annotator,start,end,label\n"


def campaign(documents: int, people: str = "ABC", units: int = 4) -> list[tuple]:
    return [
        (f"d{d}", a, 10 * k, 10 * k + 4, "xy"[k % 2])
        for d in range(documents)
        for a in people
        for k in range(units)
    ]


def written(table, rows, name="u.csv"):
    return table(HEADER + "".join(",".join(map(str, row)) + "\n" for row in rows), name)


def without(rows, *pairs):
    return [row for row in rows if (row[0], row[1]) not in pairs]


def test_a_silent_person_is_a_question(table, accord_command):
    """One document, in which marc has nothing and lea seven: seen or not, gamma differs."""
    rows = [("d0", "lea", 10 * k, 10 * k + 4, "x") for k in range(7)]
    rows += [("d1", a, 10 * k, 10 * k + 4, "x") for a in ("lea", "marc") for k in range(3)]
    path = written(table, rows)
    with pytest.raises(OpenQuestionError, match=r"1 of 4 pairs .*\(marc in 'd0'\)") as found:
        accord.read(path)
    options = [answer.option for answer in found.value.decision.others]
    assert options == [("seen", "all"), ("seen", "marked")]
    values = {seen: accord.agree(accord.read(path, seen=seen), "gamma") for _, seen in options}
    assert values["all"].value < values["marked"].value == 1.0
    done = accord_command("agree", path)
    assert done.returncode == 2
    assert "--seen all if who marked nothing in a document saw it" in done.stderr
    assert "--seen marked if who marked nothing in a document did not see it" in done.stderr
    with pytest.raises(OpenQuestionError):
        accord.agree(pd.read_csv(path))


def test_fewer_than_one_pair_in_twenty_is_silence(table):
    """Three people, seven documents: one doubtful pair of 21 is decided; of 18 it is a question."""
    rows = without(campaign(7), ("d1", "B"))
    data = accord.read(written(table, rows))
    assert data.coverage.all()
    (assumed,) = data.reading.to_dict()["assumed"]
    assert assumed["what"] == "who marked nothing in a document saw it"
    assert assumed["otherwise"] == "--seen marked"
    assert assumed["why"].endswith(
        "1 of 21 pairs of document and annotator has no unit (B in 'd1')"
    )
    # (a part of the data was decided with the whole)
    assert data.select(documents=["d1"]).reading.to_dict()["assumed"] == [assumed]
    assert data.covered("marked").reading.to_dict()["assumed"] == []
    for count, question in ((6, True), (20, False)):
        rows = without(campaign(count), ("d1", "B"))
        if question:
            with pytest.raises(OpenQuestionError, match="1 of 18 pairs"):
                accord.read(written(table, rows))
        else:
            assert accord.read(written(table, rows)).coverage.all()


def test_pairs_of_few_units_are_not_doubtful(table):
    """Others marked three or more each on average: two are few, and so are five by two others."""
    data = accord.read(written(table, without(campaign(2, units=2), ("d1", "B"))))
    assert len(data.reading.to_dict()["assumed"]) == 1
    rows = [*without(campaign(1, units=2)), *campaign(1, "A", units=5)[2:]]
    rows += [("d1", "A", 10 * k, 10 * k + 4, "x") for k in range(5)]
    data = accord.read(written(table, rows))
    assert "(B in 'd1', C in 'd1')" in data.reading.to_dict()["assumed"][0]["why"]
    rows += [("d1", "A", 90, 94, "x")]
    with pytest.raises(OpenQuestionError, match="B in 'd1', C in 'd1'"):
        accord.read(written(table, rows))


def test_who_stands_by_raises_no_question(table):
    """A reference that marked every document is nobody whose silence is compared with."""
    rows = [*campaign(2, "AB"), *campaign(4, ["gold"])]
    data = accord.read(written(table, rows))
    assert data.annotators == ("A", "B")
    by_name, silent = data.reading.to_dict()["assumed"]
    assert "gold" in by_name["what"]
    assert "4 of 8 pairs" in silent["why"]


def test_a_file_for_each_pair_says_who_saw_what(tmp_path):
    for who in "AB":
        for d in ("d0", "d1", "d2"):
            if (who, d) != ("B", "d1"):
                path = tmp_path / who / f"{d}.csv"
                path.parent.mkdir(exist_ok=True)
                rows = "" if (who, d) == ("B", "d2") else "0,4,x\n10,14,x\n20,24,x\n"
                path.write_text("start,end,label\n" + rows)
    data = accord.read(tmp_path, path="{annotator}/{document}.csv")
    assert data.coverage.tolist() == [[True, True], [True, False], [True, True]]
    said = data.reading.to_dict()
    assert said["assumed"] == []
    assert said["left_out"] == [
        {"what": "document d1", "n": 1, "why": "annotated by A only", "keep_with": None}
    ]
    assert said["used"] == {"annotators": 2, "documents": 2, "units": 5 + 4}


def test_a_table_of_coverage_says_it(table):
    path = written(table, without(campaign(2), ("d1", "B")))
    pairs = table("document,annotator\nd0,A\n", "pairs.csv")
    for option in ("seen", "coverage"):
        data = accord.read(path, **{option: pairs})
        assert data.coverage.tolist() == [[True] * 3, [True, False, True]]
        assert data.reading.to_dict()["assumed"] == []


def test_documents_and_people_that_nobody_shares_are_left_out():
    rows = [*campaign(2, "AB"), ("e", "A", 0, 4, "x"), ("f", "A", 0, 4, "x"), ("g", "C", 0, 4, "x")]
    data = Units.from_rows(rows).covered("marked")
    said = data.reading.to_dict()
    assert [(x["what"], x["n"], x["why"]) for x in said["left_out"]] == [
        ("annotator C", 1, "shares no document with another annotator"),
        ("document e", 1, "annotated by A only"),
        ("document f", 1, "annotated by A only"),
        ("document g", 1, "annotated by C only"),
    ]
    assert said["used"] == {"annotators": 2, "documents": 2, "units": 16}
    # of one person alone nothing is compared, and nothing left out
    assert data.select(annotators=["A"]).reading.to_dict()["left_out"] == []


@pytest.mark.parametrize("shape", ["boxes", "relations"])
def test_boxes_and_relations_are_asked_about_alike(shape, table):
    if shape == "boxes":
        lines = [f"d{d},{a},{k},0,{k + 1},5,x" for d in "12" for a in "AB" for k in range(4)]
        path = table("image,annotator,x0,y0,x1,y1,label\n" + "\n".join(lines[:-4]), "b.csv")
        data = Boxes.from_rows([("d", "A", 0, 0, 4, 4, "x"), ("e", "B", 0, 0, 4, 4, "x")])
    else:
        lines = [f"d{d},{a},{k},{k + 1},x" for d in "12" for a in "AB" for k in range(4)]
        path = table("document,annotator,source,target,label\n" + "\n".join(lines[:-4]), "r.csv")
        data = Relations.from_rows([("d", "A", "a", "b", "x"), ("e", "B", "a", "b", "x")])
    one = {"boxes": "box", "relations": "relation"}[shape]
    with pytest.raises(OpenQuestionError, match=f"has no {one} where the others"):
        accord.read(path)
    assert accord.read(path, seen="marked").coverage.tolist() == [[True, True], [True, False]]
    assert f"2 of 4 pairs of document and annotator have no {one}" in str(data.reading.to_dict())
