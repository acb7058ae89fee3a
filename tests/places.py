"""Folders that hold the files which a page of the documentation names, so that its commands can be run."""

from __future__ import annotations

import csv
import random
import shutil
import wave
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import accord
from accord.cli.texts import read_texts, with_texts
from accord.gold.decisions.store import Store
from tests.conftest import ROOT
from tests.oracles import exports

#: who annotates
PEOPLE = ("Ana", "Ben", "Cleo", "Dan")
#: enough for intervals, few enough to be quick
ITEMS = 60


def write_rows(path: Path, *rows: Iterable[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def judged(
    path: Path, names: Iterable[str], *, values: tuple[str, str] = ("yes", "no"), labelled: int = ITEMS
) -> None:  # fmt: skip
    """A long table of two values: people judge the first items, models all of them."""
    draw = random.Random(3)
    rows: list[list[object]] = [["item", "annotator", "value", "age", "source"]]
    for item in range(ITEMS):
        truth = draw.choice(values)
        for who in names:
            if who[0].isupper() and item >= labelled:
                continue
            said = truth if draw.random() < 0.85 else draw.choice(values)
            age = "young" if who in ("Ana", "Ben") else "old"
            rows.append([item, who, said, age, "forum" if item % 2 else "news"])
    write_rows(path, *rows)


def column(path: Path, values: Callable[[random.Random], object], seed: int = 0) -> None:
    """One value an item."""
    draw = random.Random(seed)
    write_rows(path, ["item", "value"], *([i, values(draw)] for i in range(ITEMS)))


def yes_or_no(draw: random.Random) -> str:
    return draw.choice(["yes", "no"])


def scale(draw: random.Random) -> int:
    return draw.randint(-2, 2)


def numbers(path: Path) -> None:
    draw = random.Random(11)
    truth = [draw.gauss(50, 15) for _ in range(ITEMS)]
    write_rows(
        path, ["item", "annotator", "value"],
        *([i, who, round(t + draw.gauss(0, 6), 1)]
          for i, t in enumerate(truth) for who in ("Ana", "Ben", "Cleo")),
    )  # fmt: skip


def marked(folder: Path) -> accord.Units:
    """The example's units, with their texts."""
    units = accord.read(folder / "examples/claims.csv")
    assert isinstance(units, accord.Units)
    return with_texts(units, read_texts(folder / "examples/claims_texts.csv"))


def adjudication(folder: Path) -> None:
    accord.write(marked(folder), folder / "export", format="brat")
    decided(folder / "campaign.db")


def decided(path: Path) -> None:
    """An empty store of decisions."""
    Store(path).close()


def audit(folder: Path) -> None:
    draw = random.Random(5)
    near = (0, 0, 0, 1, -1)
    write_rows(
        folder / "grades.csv", ["item", "Ana", "Ben", "gpt-5", "llama"],
        *([i, *(min(5, max(1, 1 + i % 5 + draw.choice(near))) for _ in range(4))] for i in range(80)),
    )  # fmt: skip
    column(folder / "gold.csv", yes_or_no, 1)
    column(folder / "mine.csv", yes_or_no, 2)


def coreference(folder: Path) -> None:
    for side in ("key", "response"):
        shutil.copy(folder / f"examples/{side}.conll", folder)
        accord.write(accord.read(folder / f"{side}.conll"), folder / f"{side}.conllu")
    shutil.copy(folder / "key.conllu", folder / "ana.conllu")
    shutil.copy(folder / "response.conllu", folder / "ben.conllu")


def distances(folder: Path) -> None:
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "the", "dog"]
    draw = random.Random(2)
    write_rows(
        folder / "translations.csv", ["item", "annotator", "value"],
        *([i, who, " ".join(draw.sample(words, 6))] for i in range(12) for who in ("Ana", "Ben")),
    )  # fmt: skip


def evaluation(folder: Path) -> None:
    draw = random.Random(4)
    column(folder / "reference.csv", yes_or_no, 1)
    sure = [round(draw.uniform(0.05, 0.95), 2) for _ in range(ITEMS)]
    write_rows(
        folder / "system.csv", ["item", "value", "p:yes", "p:no"],
        *([i, "yes" if p > 0.5 else "no", p, round(1 - p, 2)] for i, p in enumerate(sure)),
    )  # fmt: skip
    judges = [["item", "annotator", "value"]]
    judges += [[i, who, scale(draw)] for i in range(ITEMS) for who in ("Ana", "Ben", "Cleo", "Dan")]
    write_rows(folder / "judges.csv", *judges)
    for seed, name in enumerate(("system-a", "system-b", "llm", "bag-of-words", "compositional")):
        column(folder / f"{name}.csv", scale, seed)


def falsify(folder: Path) -> None:
    (folder / "mymodule.py").write_text(
        "def myscore(key, response):\n    return float(key == response)\n"
    )


def docbin(folder: Path) -> None:
    spacy = pytest.importorskip("spacy")
    blank = spacy.blank("en")
    (folder / "annotations").mkdir()
    for name, end in (("ann", 12), ("bob", 3)):
        doc = blank("Ada Lovelace wrote programs .")
        doc.set_ents([doc.char_span(0, end, "PER")])
        spacy.tokens.DocBin(docs=[doc]).to_disk(folder / f"annotations/{name}.spacy")


def relations(folder: Path) -> None:
    """Replies of three people in two conversations."""
    head = ("document", "annotator", "source", "target", "label")
    replies = {"Ana": (1, 2, 2, 1), "Ben": (1, 2, 1, 1), "Cleo": (1, 1, 2, 4)}
    write_rows(folder / "links.csv", head, *(
        (talk, who, source, target, "thanks" if source == target + 1 else "reply")
        for talk in ("morning", "evening")
        for who, targets in replies.items()
        for source, target in enumerate(targets, 2)
    ))  # fmt: skip


def formats(folder: Path) -> None:
    entity = "de.tudarmstadt.ukp.dkpro.core.api.ner.type"
    files = {
        name: data.replace(b"custom.Span", f"{entity}.NamedEntity".encode())
        .replace(b"custom:Span", b"custom:NamedEntity")
        .replace(b"http:///custom.", f"http:///{entity.replace('.', '/')}.".encode())
        for name, data in exports.uima().items()
    }
    exports.write_zip(files, folder / "my-export.zip")
    judged(folder / "all.csv", ("Ana", "Ben", "Cleo", "gpt", "llama", "gold"))


def gold(folder: Path) -> None:
    judged(folder / "ratings.csv", ("Ana", "Ben", "Cleo", "gpt", "claude", "llama"))
    decided(folder / "campaign.db")
    write_rows(
        folder / "ann.csv", ["item", "value", "who", "why", "when"],
        ["1", "yes", "ann", "", "2026-01-01T00:00:00Z"],
    )  # fmt: skip


def ci(folder: Path) -> None:
    """Two batches in order, and a seventh in which Ben copied from Ana."""
    draw = random.Random(2)
    rows = []
    for i in range(120):
        truth = draw.choice("abc")
        said = {w: truth if draw.random() < 0.7 else draw.choice("abc") for w in PEOPLE}
        rows += [[f"b7-{i}", who, value] for who, value in (said | {"Ben": said["Ana"]}).items()]
    write_rows(folder / "new/batch7.csv", ["item", "annotator", "value"], *rows)
    for batch in (1, 2):
        write_rows(
            folder / f"annotations/batch{batch}.csv", ["item", "annotator", "value"],
            *([f"b{batch}-{i}", who, "abc"[i % 3]] for i in range(60) for who in ("Ana", "Ben", "Cleo")),
        )  # fmt: skip


def judges(folder: Path) -> None:
    people, models = ("Ana", "Ben", "Cleo", "Dan"), ("gpt", "llama")
    judged(folder / "labels.csv", (*people, *models), values=("toxic", "fine"), labelled=40)
    judged(folder / "people.csv", (*people, "gpt"), values=("toxic", "fine"), labelled=40)
    write_rows(
        folder / "more.csv", ["item", "annotator", "value"],
        *([f"m{i}", "gpt", "toxic" if i % 3 else "fine"] for i in range(50)),
    )  # fmt: skip
    column(folder / "system.csv", lambda draw: draw.choice(["toxic", "fine"]))
    judged(folder / "first.csv", ("Ana", "Ben"))
    judged(folder / "second.csv", ("Cleo", "Dan"))


def scores(folder: Path) -> None:
    numbers(folder / "scores.csv")


def preferences(folder: Path) -> None:
    draw = random.Random(1)
    pairs = (("x", "y"), ("y", "z"), ("x", "z"))
    write_rows(
        folder / "judgements.csv", ["judge", "left", "right", "choice"],
        *([f"judge {j}", a, b, draw.choice([a, a, b])] for j in range(20) for a, b in pairs),
    )  # fmt: skip


def report(folder: Path) -> None:
    recorded(folder)


def recorded(folder: Path) -> None:
    """Two annotators of one recording, in Praat's format and with a second of silence."""
    accord.write(
        accord.Units.from_rows([
            ("talk", "Ana", 0.0, 0.5, "speech"), ("talk", "Ana", 0.5, 1.0, "noise"),
            ("talk", "Ben", 0.0, 0.6, "speech"),
        ], lengths={"talk": 1.0}), folder / "annotations/talk.TextGrid",
    )  # fmt: skip
    (folder / "recordings").mkdir()
    with wave.open(str(folder / "recordings/talk.wav"), "wb") as sound:
        sound.setparams((1, 1, 8000, 8000, "NONE", ""))
        sound.writeframes(bytes(8000))


def segmentation(folder: Path) -> None:
    for name, masses in (
        ("reference", "5 5 6 4"),
        ("system", "5 6 5 4"),
        ("one", "4 6 6 4"),
        ("two", "5 5 10"),
    ):
        write_rows(
            folder / f"{name}.csv", ["document", "annotator", "masses"],
            *([f"d{i}", name, masses] for i in range(6)),
        )  # fmt: skip


def simulation(folder: Path) -> None:
    numbers(folder / "scores.csv")
    shutil.copy(folder / "examples/moods.csv", folder / "pilot.csv")


def spans(folder: Path) -> None:
    for name, tag in (("gold", "B-PER"), ("predicted", "O")):
        lines = [
            "Ada NNP B-PER B-PER",
            f"Bell NNP {tag} {tag}",
            "ran VBD O O",
            "",
            "Rome NNP B-LOC B-LOC",
            "",
        ]
        (folder / f"{name}.conll").write_text("\n".join(lines * 5) + "\n")


def export(folder: Path) -> None:
    accord.write(marked(folder), folder / "project", format="brat")
    exports.write_zip(exports.inception(), folder / "export.zip")
    decided(folder / "claims.db")


def language_model(folder: Path) -> None:
    """The posts of the tutorial, as it draws them."""
    draw = random.Random(7)
    rows: list[list[object]] = []
    for post in range(500):
        truth = draw.random() < 0.3
        rows.append([post, "model", "yes" if draw.random() < (0.85 if truth else 0.18) else "no"])
        rows += [
            [post, person, "yes" if draw.random() < (0.9 if truth else 0.06) else "no"]
            for person in ("Ana", "Ben", "Cleo")
            if post < 120
        ]
    write_rows(folder / "labels.csv", ["item", "annotator", "value"], *rows)


def music(folder: Path) -> None:
    recorded(folder)
    exports.write_folder({"session.eaf": exports._eaf(
        ("Ana", [(0, 1000, "intro"), (1000, 2500, "verse")]),
        ("Ben", [(0, 1100, "intro"), (1100, 2500, "verse")]),
    )}, folder)  # fmt: skip


def unitizing(folder: Path) -> None:
    names = ("a", "b", "c")
    write_rows(
        folder / "units.csv", ["document", "annotator", "start", "end", "label"],
        *([f"d{d}", who, 10 * k + s, 10 * k + 7, names[(k + s) % 3]]
          for d in range(2) for s, who in enumerate(("Ana", "Ben")) for k in range(5)),
    )  # fmt: skip
    write_rows(folder / "lengths.csv", ["document", "length"], ["d0", 60], ["d1", 60])
    write_rows(
        folder / "who-saw-what.csv", ["document", "annotator"],
        *([f"d{d}", who] for d in range(2) for who in ("Ana", "Ben")),
    )  # fmt: skip
    write_rows(
        folder / "matrix.csv", ["", *names], *([a, *(int(a != b) for b in names)] for a in names)
    )


def large_data(folder: Path) -> None:
    """One campaign as a file, in partitions by document, and in parts."""
    import polars as pl

    draw = random.Random(6)
    rows = [
        {"item": i, "annotator": who, "document": f"d{i % 6}", "value": draw.choice("aab")}
        for i in range(ITEMS)
        for who in ("Ana", "Ben", "Cleo")
    ]
    whole = pl.DataFrame(rows)
    whole.write_parquet(folder / "campaign.parquet")
    for (name,), part in whole.group_by("document"):
        (folder / "by-document" / f"document={name}").mkdir(parents=True)
        part.drop("document").write_parquet(folder / f"by-document/document={name}/0.parquet")
    (folder / "parts").mkdir()
    whole[:90].write_parquet(folder / "parts/1.parquet")
    whole[90:].write_parquet(folder / "parts/2.parquet")


def boxes(folder: Path) -> None:
    """Two people draw two things in six images; a reference, a system, and pictures of them."""
    draw = random.Random(5)
    header = ["document", "annotator", "x0", "y0", "x1", "y1", "label"]
    rows = []
    for k in range(6):
        for label in ("cat", "dog"):
            x, y = draw.randint(0, 60), draw.randint(0, 40)
            for who in ("Ana", "Ben"):
                left, top = x + draw.randint(0, 3), y + draw.randint(0, 3)
                rows.append([f"p{k}", who, left, top, left + 20, top + 16, label])
    write_rows(folder / "boxes.csv", header, *rows)
    for name, who in (("reference", "Ana"), ("system", "Ben")):
        write_rows(folder / f"{name}.csv", header, *(row for row in rows if row[1] == who))
    (folder / "photographs").mkdir()


#: page → what fills the folder in which its commands run
PLACES: dict[str, Callable[[Path], None]] = {
    "docs/adjudication.md": adjudication,
    "docs/audit.md": audit,
    "docs/boxes.md": boxes,
    "docs/coreference.md": coreference,
    "docs/distances.md": distances,
    "docs/evaluation.md": evaluation,
    "docs/falsify.md": falsify,
    "docs/formats/docbin.md": docbin,
    "docs/formats/index.md": formats,
    "docs/gold.md": gold,
    "docs/how-to/ci.md": ci,
    "docs/how-to/large-data.md": large_data,
    "docs/judges.md": judges,
    "docs/numbers.md": scores,
    "docs/preferences.md": preferences,
    "docs/relations.md": relations,
    "docs/report.md": report,
    "docs/segmentation.md": segmentation,
    "docs/simulation.md": simulation,
    "docs/spans.md": spans,
    "docs/tutorials/export-to-reference.md": export,
    "docs/tutorials/language-model.md": language_model,
    "docs/tutorials/music-and-speech.md": music,
    "docs/unitizing.md": unitizing,
}


def furnish(page: Path, folder: Path) -> None:
    """The repository's examples, and the files that the page names."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    PLACES.get(page.relative_to(ROOT).as_posix(), lambda _: None)(folder)
