"""Which name in a path is a person's, and which a document's: the contents tell, or accord asks."""

from __future__ import annotations

import itertools
import json
import os
import shutil
from pathlib import Path

import pytest

import accord
from accord.data.reading import OpenQuestionError
from accord.errors import InputError

TEXTS = {"X": "Anna met Bob in Rome", "Y": "Leo and Mia saw the dog", "Z": "Tim never slept well"}
PEOPLE = ("michael", "nathan")


def webanno(text: str, at: int) -> str:
    """A file of WebAnno in which one word is marked."""
    rows, place = [], 0
    for number, word in enumerate(text.split(), 1):
        label = "PER" if number == at else "_"
        rows.append(f"1-{number}\t{place}-{place + len(word)}\t{word}\t{label}\t")
        place += len(word) + 1
    return (
        f"#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Ent|value\n\n\n#Text={text}\n"
        + "\n".join(rows)
        + "\n"
    )


def brat(text: str, at: int) -> str:
    words = text.split()
    start = len(" ".join(words[: at - 1])) + (at > 1)
    return f"T1\tPER {start} {start + len(words[at - 1])}\t{words[at - 1]}\n"


def bio(text: str, at: int) -> str:
    return "".join(f"{w} {'B-PER' if n == at else 'O'}\n" for n, w in enumerate(text.split(), 1))


def conllu(text: str, at: int) -> str:
    """Trees in which one word is an entity, of a document without a name."""
    rows = [
        "\t".join(
            [
                str(n),
                w,
                w,
                "X",
                "_",
                "_",
                str(n - 1),
                "dep",
                "_",
                f"Entity=(e{n})" if n == at else "_",
            ]
        )
        for n, w in enumerate(text.split(), 1)
    ]
    return "# global.Entity = eid\n# newdoc\n" + "\n".join(rows) + "\n\n"


WRITERS = {"tsv": webanno, "ann": brat, "bio": bio, "conllu": conllu}


def campaign(root: Path, pattern: str, kind: str, texts: dict[str, str] = TEXTS) -> Path:
    for (p, person), (document, text) in itertools.product(enumerate(PEOPLE, 1), texts.items()):
        path = root / f"{pattern.format(annotator=person, document=document)}.{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(WRITERS[kind](text, p if document == "X" else 2))
        if kind == "ann":
            path.with_suffix(".txt").write_text(text)
    return root


LAYOUTS = (
    "{annotator}/{document}",
    "{document}/{annotator}",
    "{document}_{annotator}",
    "{annotator}-{document}",
    "round/{annotator}/{document}",
)


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_texts_tell_whose_name_is_whose(layout: str, kind: str, tmp_path: Path) -> None:
    form = {"bio": "conll2003"}.get(kind)
    data = accord.read(campaign(tmp_path / "c", layout, kind), format=form)
    assert data.annotators == PEOPLE
    assert data.documents == tuple(TEXTS)


def test_one_text_in_all_files_is_asked_about(tmp_path: Path) -> None:
    same = dict.fromkeys("XY", TEXTS["X"])
    folder = campaign(tmp_path / "c", "{annotator}/{document}", "tsv", same)
    with pytest.raises(OpenQuestionError, match="nothing tells whether folders or files") as told:
        accord.read(folder)
    patterns = [answer.option[1] for answer in told.value.decision.others]
    assert patterns == ["{annotator}/{document}.tsv", "{document}/{annotator}.tsv"]
    one, other = (accord.read(folder, path=str(pattern)) for pattern in patterns)
    assert (one.annotators, other.annotators) == (PEOPLE, ("X", "Y"))


def test_brat_without_texts_is_told_by_the_words_it_quotes(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", "{document}/{annotator}", "ann")
    for text in folder.rglob("*.txt"):
        text.unlink()
    for n, file in enumerate(sorted(folder.rglob("*.ann"))):
        file.write_text(
            f"T1\tPER 0 4\t{TEXTS[file.parent.name][:4]}\nT2\tLOC 5 {7 + n % 2}\tab{'c' * (n % 2)}\n"
        )
    assert accord.read(folder).annotators == PEOPLE
    for file in folder.rglob("*.ann"):
        file.write_text("T1\tPER 0 4\n")
    with pytest.raises(OpenQuestionError):
        accord.read(folder)


def test_folders_and_files_that_are_named_one_by_one(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", "{annotator}/{document}", "tsv")
    whole = accord.read(folder)
    for paths in (
        [folder / p for p in PEOPLE],
        [folder / p / f"{d}.tsv" for p in PEOPLE for d in TEXTS],
    ):
        data = accord.reading.read_many(paths)
        assert (data.annotators, data.documents) == (whole.annotators, whole.documents)
    alone = accord.reading.read_many([folder / p / "X.tsv" for p in PEOPLE])
    assert (alone.annotators, alone.documents) == (PEOPLE, ("X",))


def test_folders_of_one_file_each_are_people(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", "{annotator}/{document}", "tsv", {"X": TEXTS["X"]})
    assert accord.read(folder).annotators == PEOPLE
    data = accord.reading.read_many([folder / p for p in PEOPLE])
    assert (data.annotators, data.documents) == (PEOPLE, ("X",))


TABLE = "item,value\n"


def tables(root: Path, cells: dict[str, str]) -> Path:
    for name, text in cells.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_tables_that_name_nobody(tmp_path: Path) -> None:
    folder = tables(
        tmp_path / "c",
        {
            f"{p}/{r}.csv": f"{TABLE}{r}1,a\n{r}2,{v}\n"
            for p, v in (("ana", "a"), ("ben", "b"))
            for r in "xy"
        },
    )
    data = accord.read(folder)
    assert (data.annotators, list(data.items)) == (("ana", "ben"), ["x1", "x2", "y1", "y2"])
    assert accord.reading.read_many(
        [folder / "ana" / "x.csv", folder / "ben" / "x.csv"]
    ).annotators == ("ana", "ben")
    assert accord.reading.read_many([folder / "ana", folder / "ben"]).annotators == ("ana", "ben")


@pytest.mark.parametrize("layout", ["{r}_{p}.csv", "{p}-{r}.csv"])
def test_tables_called_after_both(layout: str, tmp_path: Path) -> None:
    people, parts = (("ana", "a"), ("ben", "b")), "xyz"
    cells = {
        layout.format(p=p, r=r): f"{TABLE}{r}1,a\n{r}2,{v}\n" for p, v in people for r in parts
    }
    data = accord.read(tables(tmp_path / "c", cells))
    assert data.n_items == 6
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "c")
    listed = accord.reading.read_many([tmp_path / "c" / name for name in cells])
    for same in (data, accord.read(packed), listed):
        assert same.annotators == ("ana", "ben")
    assert "otherwise path='{annotator}.*'" in " ".join(str(data.reading).split())
    assert len(accord.read(tmp_path / "c", path="{annotator}.*").annotators) == 6
    cells = {
        layout.format(p=p, r=r): f"start,end,label\n0,{n},a\n"
        for n, (p, r) in enumerate(itertools.product(("ana", "ben"), parts), 1)
    }
    with pytest.raises(OpenQuestionError) as told:
        accord.read(tables(tmp_path / "u", cells))
    assert told.value.decision.others[-1].option == ("path", "{annotator}.*")


def test_units_of_tables_that_name_neither_are_asked_about(tmp_path: Path) -> None:
    row = "start,end,label\n0,{},a\n"
    folder = tables(
        tmp_path / "c",
        {
            f"{p}/{d}.csv": row.format(n)
            for n, (p, d) in enumerate(itertools.product(("ana", "ben"), "XY"), 1)
        },
    )
    with pytest.raises(OpenQuestionError) as told:
        accord.read(folder)
    with pytest.raises(OpenQuestionError):
        accord.reading.read_many([folder / "ana", folder / "ben"])
    first = told.value.decision.others[0].option[1]
    data = accord.read(folder, path=str(first))
    assert (data.annotators, data.documents) == (("ana", "ben"), ("X", "Y"))
    (folder / "ana" / "Y.csv").unlink()
    (folder / "ben" / "Y.csv").unlink()
    data = accord.read(folder)
    assert (data.annotators, data.documents) == (("ana", "ben"), ("X",))


def test_a_campaign_in_which_a_text_differs_is_refused(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", "{annotator}/{document}", "tsv")
    path = folder / "nathan" / "Z.tsv"
    path.write_text(webanno(TEXTS["Z"] + " yet", 2).replace("slept", "slips"))
    with pytest.raises(InputError, match="another text for document 'Z'"):
        accord.read(folder)


def test_the_command_names_the_patterns(tmp_path: Path, accord_command) -> None:  # type: ignore[no-untyped-def]
    folder = campaign(
        tmp_path / "c", "{annotator}/{document}", "tsv", dict.fromkeys("XY", TEXTS["X"])
    )
    done = accord_command("agree", str(folder))
    assert done.returncode == 2
    assert "--path {annotator}/{document}.tsv" in done.stderr
    assert os.fspath(folder) in done.stderr


def test_tasks_of_files_that_do_not_fit_the_path_are_not_read(tmp_path):
    value = {"choices": ["yes"]}
    result = [{"from_name": "q", "to_name": "t", "type": "choices", "value": value}]
    task = [{"id": 1, "data": {"text": "Rome"}, "annotations": [{"result": result}]}]
    for name in ("top.json", "x/ana.json", "x/ben.json"):
        path = tmp_path / "tasks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(task))
    data = accord.read(tmp_path / "tasks", path="{document}/{annotator}.json")
    assert data.annotators == ("ana", "ben")


def test_a_name_for_a_folder_of_chains_is_not_that_of_several_people(tmp_path):
    lines = [
        json.dumps({"doc_key": "d", "annotator": who, "clusters": [[[0, 0], [2, 2]]],
                    "sentences": [["a", "b", "c"]]})
        for who in ("ana", "ben")
    ]  # fmt: skip
    (tmp_path / "chains").mkdir()
    (tmp_path / "chains/c.jsonl").write_text("\n".join(lines) + "\n")
    alone = accord.read(tmp_path / "chains/c.jsonl", annotator="zoe")
    assert accord.read(tmp_path / "chains", annotator="zoe").annotators == alone.annotators


def test_files_of_a_pattern_are_called_as_they_are():
    folder = Path(__file__).parents[1] / "samples/tagtog/ann.json/lea"
    (note,) = accord.read(folder, path="{document}/{annotator}.*").notes
    assert note.startswith(f"{folder / 'pool/arrival.txt.ann.json'}: no text beside it")
