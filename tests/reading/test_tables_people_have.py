"""Tables as people have them: wide with texts, French headers, NA, decimal commas, counts."""

import polars as pl
import pytest

import accord
from accord import read
from accord.errors import InputError, UsageError
from accord.reading import read_many
from accord.reading.inspection import inspect
from tests.told import told

WIDE = """id,text,Ann,Bob
1,The cat sat,yes,yes
2,A dog,no,yes
3,Birds fly,no,no
4,Fish swim,yes,yes
"""


@pytest.fixture
def table(tmp_path):
    def write(text, name="data.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_a_text_column_is_no_annotator(table):
    data = accord.read(table(WIDE), wide=True)
    assert data.annotators == ("Ann", "Bob")
    assert accord.agree(data, "alpha").value == pytest.approx(8 / 15)
    assert data.texts["1"] == "The cat sat"
    assert "left out: column 'text', called like a text or remark" in str(data.reading)


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("phrase", ["Il pleut", "Il neige", "Il vente", "Beau"]),
        ("Frage 1", ["Wer?", "Was?", "Wo?", "Wie?"]),
        ("row", ["1", "2", "3", "4"]),
        ("notes by hand", ["", "", "", ""]),
    ],
)
def test_other_columns_are_set_aside_by_name(header, cells, table):
    rows = [r.split(",") for r in WIDE.splitlines()]
    rows[0][1] = header
    for row, cell in zip(rows[1:], cells, strict=True):
        row[1] = cell
    text = "\n".join(map(",".join, rows)) + "\n"
    data = accord.read(table(text), wide=True)
    assert data.annotators == ("Ann", "Bob")
    (gone,) = data.reading.left_out
    assert repr(header) in gone.what
    with pytest.raises(InputError, match="has no column 'Eve'"):
        accord.read(table(text), wide=True, annotators=["Ann", "Eve"])
    chosen = accord.read(table(text), annotators=["Bob", "Ann"])
    assert chosen.annotators == ("Bob", "Ann")


def test_prose_that_shares_a_word_with_the_labels_is_prose(table):
    rows = [
        f"{i},{'yes' if i == 3 else f'word {i}'},{'yes' if i % 2 else 'no'},yes" for i in range(20)
    ]
    data = accord.read(table("id,said,A,B\n" + "\n".join(rows) + "\n"), wide=True)
    assert data.annotators == ("A", "B")


def test_ratings_on_a_scale_without_equal_values_are_annotators(table):
    data = accord.read(table("item,A,B\n1,3.1,3.2\n2,1.4,1.3\n3,2.2,2.9\n"), wide=True)
    assert data.annotators == ("A", "B")


def test_what_cannot_be_told_is_asked(table):
    labels_and_scores = "id,A,B,A conf,B conf\n1,x,x,.1,.2\n2,y,x,.3,.1\n"
    with pytest.raises(InputError, match=r"annotators='A,B' if .*annotators='A conf,B conf' if"):
        accord.read(table(labels_and_scores), wide=True)
    assert accord.read(table(labels_and_scores), annotators="A,B").annotators == ("A", "B")
    ages = WIDE.replace("text", "age").replace("The cat sat", "31").replace("A dog", "45")
    ages = ages.replace("Birds fly", "62").replace("Fish swim", "19")
    with pytest.raises(InputError, match=r"column 'age' shares no value.*'Ann,Bob' if it is none"):
        accord.read(table(ages), wide=True)
    lengths = "id,A,B,length\n1,1,2,3\n2,5,4,80\n3,2,2,1\n"
    with pytest.raises(InputError, match=r"column 'length'.*annotators='A,B'"):
        accord.read(table(lengths), wide=True)
    with pytest.raises(InputError, match="annotators='A,B'"):
        accord.read(table("id,A,B\n1,x,u\n2,y,v\n"), wide=True)


def test_wide_frames_and_lazy_frames_alike(table):
    frame = pl.read_csv(table(WIDE))
    value = accord.agree(accord.read(frame, wide=True), "alpha").value
    assert value == pytest.approx(8 / 15)
    lazy = accord.read(frame.lazy(), wide=True)
    assert lazy.annotators == ("Ann", "Bob")
    assert accord.agree(lazy, "alpha").value == pytest.approx(value)


FRENCH = (
    "sep=;\r\nPhrase;Annotateur;Étiquette;commentaire\r\nIl pleut ;Ann;oui;sûr\r\n"
    "Il pleut;Bob; oui;\r\nIl neige;Ann;non;\r\nIl neige;Bob;NA;pas sûr\r\n"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_french_table_from_excel(encoding, table):
    options = {"encoding": encoding} if encoding == "cp1252" else {}
    data = accord.read(table(FRENCH, encoding=encoding), **options)
    assert data.labels == ("non", "oui")
    assert data.n_ratings == 3
    assert list(data.items) == ["Il pleut", "Il neige"]
    assert data.extras == {"commentaire": ["sûr", "pas sûr"]}
    assert any("'Phrase' names the items" in one for one in told(data))
    assert data.reading.provenance.missing == {"NA": 1}
    shown = inspect(table(FRENCH, encoding=encoding), **options)
    assert shown.columns == [{"column": "commentaire", "items": 2}]


def test_another_encoding_is_told(table):
    with pytest.raises(InputError, match="encoding='cp1252'"):
        accord.read(table(FRENCH, encoding="cp1252"))
    with pytest.raises(InputError, match="is not utf-8 text"):
        accord.read(table(FRENCH, encoding="cp1252"), encoding="utf-8")


def test_lines_are_counted_below_the_separator(table):
    text = "sep=;\nitem;annotator;value\n1;A;x\n1;A;y\n"
    with pytest.raises(InputError, match=r"data\.csv:4: annotator 'A' rates item '1' twice"):
        accord.read(table(text))


@pytest.mark.parametrize("word", ["NA", "N/A", "n/a", "null", "-", ".", "NaN", "nan"])
def test_words_for_nothing(word, table):
    text = f"item,annotator,value\n1,A,3\n1,B,4\n2,A,{word}\n2,B,2\n3,A,1\n3,B,1\n"
    text += "".join(f"{i},{who},2\n" for i in range(4, 8) for who in "AB")
    data = accord.read(table(text))
    assert data.kind == "numbers"
    assert data.n_ratings == 13
    assert data.reading.provenance.missing == {word: 1}
    names = {"values": "categories"}
    assert accord.read(table(text), missing_values="", **names).n_ratings == 14
    assert accord.read(table(text), keep_values=word, **names).n_ratings == 14
    assert accord.read(table(text), missing_values="x").n_ratings == 13
    assert accord.read(table(text), categories=["1", "2", "3", "4", word]).n_ratings == 14
    units = "annotator,start,end,label\nA,0,4,{}\nB,0,4,x\n" + "".join(
        f"A,{i},{i + 1},x\n" for i in range(5, 15)
    )
    label = "." if word == "." else None
    assert next(iter(accord.read(table(units.format(word))))).label == label
    assert next(iter(accord.read(table(units.format(word)), keep_values=word))).label == word


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_decimal_commas(delimiter, table):
    rows = [["item", "A", "B"], ["1", "3,5", "3"], ["2", "2,5", "2,5"], ["3", "1", "-1,5"]]
    name = "x.csv" if delimiter == ";" else "x.tsv"
    data = accord.read(table("\n".join(map(delimiter.join, rows)), name), wide=True)
    assert data.numbers.tolist() == [-1.5, 1, 2.5, 3, 3.5]
    (decision,) = data.reading.provenance.decisions
    assert decision.taken.means == "the commas are decimal commas"
    units = delimiter.join(["annotator", "start", "end"]) + f"\nA{delimiter}0,5{delimiter}2,25\n"
    assert [(u.start, u.end) for u in accord.read(table(units, name))] == [(0.5, 2.25)]


def test_commas_that_are_no_decimals_stay(table):
    text = "item;annotator;value\n1;A;x,y\n1;B;3,5\n"
    assert accord.read(table(text)).labels == ("3,5", "x,y")
    comma = 'item,annotator,value\n1,A,"1,2"\n1,B,"1,2"\n'
    with pytest.raises(InputError, match="values such as '1,2'; values='numbers' if"):
        accord.read(table(comma))
    assert accord.read(table(comma), values="categories").labels == ("1,2",)
    assert accord.read(table(comma), values="numbers").labels == ("1.2",)
    assert accord.read(table(comma), separator=",").kind == "sets"


def test_blanks_around_values(table):
    text = " item , annotator,value\n1 ,A, yes\n 1,B,yes \n2,A,no\n2,B ,no\n"
    for path in (table(text), table(text.replace("yes ", '"yes "'))):
        data = accord.read(path)
        assert data.labels == ("no", "yes")
        assert data.annotators == ("A", "B")
        assert accord.agree(data, "percent").value == 1


def test_counts_of_categories(table):
    text = "item,yes,no\n1,3,0\n2,1,2\n3,0,3\n4,2,0\n"
    data = accord.read(table(text), counts=True)
    assert data.n_ratings == 11
    assert data.labels == ("no", "yes")
    long = [("1", "yes", 3), ("2", "yes", 1), ("2", "no", 2), ("3", "no", 3), ("4", "yes", 2)]
    rows = ["item,annotator,value"]
    for item, value, n in long:
        known = sum(r.startswith(f"{item},") for r in rows)
        rows += [f"{item},{known + k},{value}" for k in range(n)]
    same = accord.read(table("\n".join(rows) + "\n", "long.csv"))
    for measure in ("alpha", "fleiss", "ac1", "s"):
        assert accord.agree(data, measure).value == accord.agree(same, measure).value
    assert any("who gave which rating is not known" in n for n in data.notes)
    for bad in ("item,yes,no\n1,3,x\n", "item,yes,no\n1,1.5,2\n", "item,yes,no\n1,-1,2\n"):
        with pytest.raises(InputError, match=r"data\.csv:2: the count of"):
            accord.read(table(bad), counts=True)


def test_remarks_of_an_item_say_whose_they_are(table):
    text = "item,annotator,value,text,comment\n1,A,x,hello,sure\n1,B,x,hello,not me\n2,A,y,bye,\n"
    data = accord.read(table(text))
    assert data.extras == {"text": ["hello", "bye"], "comment": ["A: sure; B: not me", None]}
    assert data.texts == {"1": "hello", "2": "bye"}
    assert data.take(data.item[:0]).extras == {"text": [], "comment": []}


def test_columns_in_order_for_a_file_without_header(table):
    path = table("1,A,x\n1,B,y\n")
    data = accord.read(path, columns=["item", "annotator", "value"])
    assert data.n_ratings == 2
    again = accord.read(path, columns="item,annotator,value")
    assert again.labels == ("x", "y")
    bad = table("1,A,x\n1,A,y\n")
    with pytest.raises(InputError, match=r"data\.csv:2: "):
        accord.read(bad, columns="item,annotator,value")


def test_paths_name_annotators_and_documents(tmp_path):
    for batch in ("b1", "b2"):
        for who in ("ann", "bob"):
            folder = tmp_path / batch / who
            folder.mkdir(parents=True)
            (folder / "doc.ann").write_text("T1\tX 0 4\tword\n")
            (folder / "doc.txt").write_text("word")
    data = accord.read(tmp_path, path="{batch}/{annotator}/{document}.ann")
    assert data.annotators == ("ann", "bob")
    assert data.documents == ("b1/doc", "b2/doc")
    assert data.texts == ("word", "word")
    one = accord.read(tmp_path / "b1", path="{annotator}/{document}.ann")
    assert (one.annotators, one.documents) == (("ann", "bob"), ("doc",))
    with pytest.raises(InputError, match="no file whose path fits"):
        accord.read(tmp_path, path="{document}_{annotator}.ann")
    with pytest.raises(UsageError, match="neither"):
        accord.read(tmp_path, path="{who}.ann")


def test_paths_of_flat_files_and_of_tables(tmp_path):
    for document in ("a_1", "b"):
        for who in ("ann", "bob"):
            (tmp_path / f"{document}_{who}.ann").write_text("T1\tX 0 4\tword\n")
    data = accord.read(tmp_path, path="{document}_{annotator}.ann")
    assert (data.annotators, data.documents) == (("ann", "bob"), ("a_1", "b"))
    tables = tmp_path / "tables"
    tables.mkdir()
    for who in ("ann", "bob"):
        (tables / f"r1-{who}.csv").write_text("start,end,label\n0,4,x\n")
    (tables / "other.csv").write_text("start,end,label\n0,4,x\n")
    data = accord.read(tables, path="{document}-{annotator}.csv")
    assert (data.annotators, data.documents) == (("ann", "bob"), ("r1",))
    assert any("not fitting `path`: 'other.csv'" in note for note in data.notes)


def test_texts_with_labels_are_one_annotators(tmp_path, accord_command):
    """`text,label`, as doccano writes it: the file is the annotator, and the text the item."""
    for name, labels in (("ann", "xy"), ("bob", "xx")):
        rows = [f"a film,{labels[0]}", f"another film,{labels[1]}"]
        (tmp_path / f"{name}.csv").write_text("\n".join(["text,label", *rows]) + "\n")
    data = read(tmp_path / "ann.csv")
    assert (data.annotators, data.items) == (("ann",), ["a film", "another film"])
    done = accord_command("agree", tmp_path / "ann.csv")
    assert done.returncode == 2
    assert (
        "needs at least two annotators, got one ('ann'); give the files of the others"
        in done.stderr
    )
    both = read_many([tmp_path / "ann.csv", tmp_path / "bob.csv"])
    assert both.annotators == ("ann", "bob")


COUNTED = ("kappa", "weighted-kappa", "conger", "light", "aickin", "ccc", "kendall-w",
           "icc-a", "icc-c", "icc-ak", "icc-ck")  # fmt: skip


@pytest.mark.parametrize("name", COUNTED)
def test_counts_tell_no_annotators_apart(name, tmp_path):
    (tmp_path / "c.csv").write_text("item,1,2\na,2,0\nb,1,1\nc,0,2\n")
    data = read(tmp_path / "c.csv", counts=True, values="categories", categories=["1", "2"])
    with pytest.raises(UsageError, match=f"{name} needs to know who gave which rating"):
        accord.agree(data, name)


def test_counts_are_refused_wherever_annotators_matter(tmp_path):
    (tmp_path / "c.csv").write_text("item,x,y\na,2,0\nb,1,1\nc,0,2\n")
    data = read(tmp_path / "c.csv", counts=True)
    for name in ("alpha", "fleiss", "s", "ac1", "percent"):
        assert accord.agree(data, name).value is not None
    with pytest.raises(UsageError, match="nor any pair"):
        accord.agree(data, "alpha", by=["pair"])
    with pytest.raises(UsageError, match="use majority"):
        accord.gold(data, "dawid-skene")
    assert [r.value for r in [accord.agree(accord.gold(data).together(), "percent")]]
    skipped = {s.rule for s in accord.audit(data).skipped}
    assert {"annotator-apart", "camps", "guessers", "spammers"} <= skipped


def test_further_columns_of_units_are_kept_and_used(tmp_path, accord_command):
    path = tmp_path / "u.csv"
    path.write_text(
        "document,annotator,start,end,label,comment,text\n"
        "e,Bob,3,5,LOC,why?,xy\nd,Ann,10,14,LOC,,Köln\nd,Ann,0,4,PER,unsure,Anna\nd,Bob,0,6,PER,,Anna w\n"
    )
    data = read(path)
    assert data.extras == {
        "comment": ["unsure", None, None, "why?"],
        "text": ["Anna", "Köln", "Anna w", "xy"],
    }
    assert data.select(documents=["e"]).extras["comment"] == ["why?"]
    said = [(u.annotator, u.start, c) for u, c in zip(data, data.extras["comment"], strict=True)]
    turned = data.select(annotators=["Bob", "Ann"])
    again = [
        (u.annotator, u.start, c) for u, c in zip(turned, turned.extras["comment"], strict=True)
    ]
    assert sorted(again, key=str) == sorted(said, key=str)
    halves = [tmp_path / "1.csv", tmp_path / "2.csv"]
    header, *rows = path.read_text().splitlines(keepends=True)
    for half, part in zip(halves, (rows[:2], rows[2:]), strict=True):
        half.write_text(header + "".join(part))
    assert read_many(halves).extras == data.extras
    assert data.to_frame()["comment"].tolist()[0] == "unsure"
    from accord.reading.conversion import convert

    assert inspect(path).columns == [
        {"column": "comment", "units": 2},
        {"column": "text", "units": 4},
    ]
    assert convert(data, tmp_path / "again.csv") == []
    lost = convert(data, tmp_path / "b", format="brat", blank_texts=True)
    assert any("further column(s) 'comment', 'text' are not kept" in s for s in lost)
    rows = accord.gold(data).worklist()
    assert [(r["item"], r["text"], r["remarks"]) for r in rows] == [
        ("d:10-14", "Köln", ""),
        ("e:3-5", "xy", "Bob: comment why?"),
    ]
    assert "remarks" not in accord.gold(data).worklist(blind=True)[0]
    done = accord_command("report", path, "-o", tmp_path / "r.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "r.html").read_text()
    assert '<q translate="no">Anna</q> (comment unsure)' in page


def test_documents_that_were_judged_are_the_items(table):
    """A table of whole texts has no column of items; nor is a column that was named the item both."""
    path = table("text_id,rater,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n")
    for options in ({}, {"columns": {"item": "text_id"}}):
        data = accord.read(path, **options)
        assert [str(i) for i in data.items] == ["1", "2"]
        assert len(data.documents) <= 1
