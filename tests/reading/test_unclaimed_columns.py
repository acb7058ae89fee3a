"""Tables of located annotations whose columns are called as people call them: documents and labels."""

import random

import polars as pl
import pytest

import accord
from accord.data.reading import OpenQuestionError


def rows(seed: int = 1) -> list[tuple[object, ...]]:
    """Three documents, two people, three labels; places begin again in each document."""
    random.seed(seed)
    found: list[tuple[object, ...]] = []
    for document in ("d1", "d2", "d3"):
        for who in ("ann", "bob"):
            at = random.randint(0, 3)
            for label in random.choices(["run", "eat", "sleep"], k=6):
                found.append((document, who, label, at, at + 4))
                at += random.randint(5, 9)
    return found


def written(table, header: str, cells=None, name: str = "u.csv"):
    body = "".join(",".join(map(str, row)) + "\n" for row in (cells or rows()))
    return table(f"{header}\n{body}", name)


def assumed(data: accord.Units) -> dict[str, tuple[str, str]]:
    return {a["what"]: (a["why"], a["otherwise"]) for a in data.reading.to_dict()["assumed"]}


@pytest.mark.parametrize("document", ["video", "Recording", "clip", "tier", "session", "subject"])
@pytest.mark.parametrize("label", ["behaviour", "Behavior", "event", "code", "comportement"])
def test_documents_and_labels_by_the_names_of_other_fields(document, label, table):
    known = accord.read(written(table, "document,annotator,label,start,end"))
    data = accord.read(written(table, f"{document},coder,{label},start,end", name="v.csv"))
    assert (data.documents, data.categories) == (known.documents, known.categories)
    assert accord.agree(data, "gamma").value == accord.agree(known, "gamma").value
    assert assumed(data) == {
        f"{document!r} names the documents": ("by its name", "--column document="),
        f"{label!r} holds the labels": ("by its name", "--column label="),
    }
    assert data.reading.to_dict()["columns"]["document"] == document
    assert not assumed(known)


def test_a_name_is_said_otherwise(table, accord_command):
    path = written(table, "video,coder,behaviour,start,end")
    assert accord.read(path, columns={"label": ""}).categories == ()
    assert accord.read(path, columns={"document": "", "label": "video"}).categories == (
        "d1",
        "d2",
        "d3",
    )
    done = accord_command("inspect", path, "--column", "label=", "--column", "document=video")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("frame", [False, True])
def test_cells_that_look_like_documents_or_labels_are_asked_about(frame, table, accord_command):
    path = written(table, "thing,coder,stuff,start,end")
    source = pl.read_csv(path) if frame else path
    with pytest.raises(OpenQuestionError) as found:
        accord.read(source)
    assert "'thing'" in found.value.decision.why
    assert [a.option for a in found.value.decision.others] == [
        ("columns", {"document": "thing"}),
        ("columns", {"label": "thing"}),
        ("columns", {"document": "", "label": ""}),
    ]
    with pytest.raises(OpenQuestionError, match="'stuff' is not used and looks like labels"):
        accord.read(source, columns={"document": "thing"})
    whole = {"document": "thing", "label": "stuff"}
    known = accord.read(written(table, "document,annotator,label,start,end", name="k.csv"))
    assert list(accord.read(source, columns=whole)) == list(known)
    neither = accord.read(source, columns={"document": "", "label": ""}, duplicates="keep")
    assert (neither.documents, neither.categories) == (("document",), ())
    if not frame:
        done = accord_command("agree", path)
        assert done.returncode == 2
        assert "--column document= --column label= if it is neither" in done.stderr


def test_rows_in_the_order_of_places_still_show_documents(table):
    cells = sorted(rows(), key=lambda row: row[3])
    path = written(table, "thing,coder,label,start,end", cells)
    with pytest.raises(OpenQuestionError, match="'thing' is not used and looks like names of"):
        accord.read(path)


@pytest.mark.parametrize(
    ("header", "cell"),
    [
        ("note", lambda i, row: "sure" if i % 3 else "unsure"),
        ("weight", lambda i, row: "1"),
        ("comment", lambda i, row: row[0]),
        ("age", lambda i, row: 20 + i % 2),
        ("team", lambda i, row: {"ann": "x", "bob": "y"}[row[1]]),
        ("genre", lambda i, row: "news" if row[0] == "d1" else "blog"),
        ("words", lambda i, row: f"some words {i}"),
    ],
)
def test_other_columns_raise_no_question(header, cell, table):
    cells = [(*row, cell(i, row)) for i, row in enumerate(rows())]
    data = accord.read(written(table, f"document,annotator,label,start,end,{header}", cells))
    assert len(data.documents) == 3
    assert not assumed(data)
    assert [u["name"] for u in data.reading.to_dict()["unused_columns"]] == [header]


def test_a_second_column_called_so_is_a_choice(table):
    """Subjects within videos: the video is the document, and the subject may be."""
    cells = [(*row, "me" if i % 2 else "you") for i, row in enumerate(rows())]
    data = accord.read(written(table, "video,coder,label,start,end,subject", cells))
    assert assumed(data) == {
        "'video' names the documents": (
            "by its name",
            "--column document=subject · --column document=",
        )
    }
    (unused,) = data.reading.to_dict()["unused_columns"]
    assert unused == {"name": "subject", "looks_like": "item"}


def test_numbers_of_rows_are_no_documents(table):
    cells = [(i, *row[1:]) for i, row in enumerate(rows())]
    data = accord.read(written(table, "id,annotator,label,start,end", cells), duplicates="keep")
    assert data.documents == ("document",)
    again = [(row[0], *row[1:]) for row in rows()]
    data = accord.read(written(table, "sentence_id,annotator,label,start,end", again, "s.csv"))
    assert data.documents == ("d1", "d2", "d3")


def test_boxes_relations_chains_and_segments(table):
    boxes = "picture_no,video,coder,code,x0,y0,x1,y1\n" + "".join(
        f"{i},{v},{a},{c},{i},0,{i + 5},5\n"
        for i, (v, a, c) in enumerate((v, a, c) for v in "uv" for a in "AB" for c in "xy")
    )
    data = accord.read(table(boxes, "b.csv"))
    assert (data.documents, data.categories) == (("u", "v"), ("x", "y"))
    links = "video,coder,event,source,target\n" + "".join(
        f"{v},{a},{c},{i},{i + 1}\n" for i in (1, 2) for v in "uv" for a in "AB" for c in "xy"
    )
    data = accord.read(table(links, "r.csv"))
    assert (data.documents, data.categories) == (("u", "v"), ("x", "y"))
    chains = "interview,coder,mention,entity\n" + "".join(
        f"{v},{a},m{i},e{i % 2}\n" for i in range(4) for v in "uv" for a in "AB"
    )
    assert accord.read(table(chains, "c.csv")).documents == ("u", "v")
    masses = "article,coder,masses\n" + "".join(f"{v},{a},3 4\n" for v in "uv" for a in "AB")
    assert accord.read(table(masses, "m.csv")).documents == ("u", "v")


def test_two_files_are_read_as_one_table(table):
    cells = rows()
    halves = [
        written(table, "video,coder,behaviour,start,end", part, f"{n}.csv")
        for n, part in enumerate((cells[:18], cells[18:]))
    ]
    data = accord.reading.read_many(halves)
    assert data.documents == ("d1", "d2", "d3")
    assert len(assumed(data)) == 2
