"""A campaign on doccano itself: annotated, measured, decided, put back, and read again."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

import accord
from accord.gold import as_reference
from tests.in_process import run
from tests.platforms.client import until

pytestmark = pytest.mark.slow

PEOPLE = ("ann", "bob", "cyd")
TEXTS = ["A fine day.", "Rain — again.", "Nothing happened.", "What a song!"]
VOTES = {"ann": "glad sad calm glad", "bob": "glad sad sad sad", "cyd": "glad calm calm calm"}
PLACES = {
    "ann": [(0, 4, "PER"), (10, 16, "LOC")],
    "bob": [(0, 4, "PER"), (10, 16, "LOC"), (21, 24, "PER")],
    "cyd": [(0, 4, "LOC"), (10, 16, "LOC")],
}
TEXT = "Anna from London met Lee."
KINDS = {
    "TextClassificationProject": ("DocumentClassification", "category"),
    "SequenceLabelingProject": ("SequenceLabeling", "span"),
}


def _project(admin, doccano, kind, labels, people=PEOPLE):
    """A project in which everybody annotates on their own; its number and those of its labels."""
    task, what = KINDS[kind]
    project = admin.post("/v1/projects", {
        "name": f"{what} {len(people)}", "description": "a test", "guideline": "", "tags": [],
        "project_type": task, "resourcetype": kind, "random_order": False, "collaborative_annotation": False,
        "single_class_classification": False, "allow_overlapping": False, "grapheme_mode": False,
        "use_relation": False, "allow_member_to_create_label_type": False,
    })["id"]  # fmt: skip
    numbers = {}
    for key, label in enumerate(labels):
        made = admin.post(f"/v1/projects/{project}/{what}-types", {
            "text": label, "suffix_key": str(key), "background_color": "#209cee", "text_color": "#ffffff",
        })  # fmt: skip
        numbers[label] = made["id"]
    roles = {role["name"]: role["id"] for role in admin.get("/v1/roles")}
    for name in people:
        user = doccano(name).get("/v1/me")["id"]
        admin.post(f"/v1/projects/{project}/members", {"user": user, "role": roles["annotator"]})
    return project, numbers


def _done(admin, task):
    """The task of the queue is done, and well."""
    address = f"/v1/tasks/status/{task}"
    assert until(lambda: admin.get(address)["ready"], 120)
    told = admin.get(address)
    assert not told.get("error"), told


def _import(admin, project, kind, path):
    sent = admin.post("/v1/fp/process/", path)
    told = admin.post(f"/v1/projects/{project}/upload", {
        "format": "JSONL", "task": KINDS[kind][0], "uploadIds": [sent.decode()], "column_data": "text",
        "column_label": "label", "encoding": "utf_8",
    })  # fmt: skip
    _done(admin, told["task_id"])


def _export(admin, project, path):
    told = admin.post(
        f"/v1/projects/{project}/download", {"format": "JSONL", "exportApproved": False}
    )
    _done(admin, told["task_id"])
    held = admin.get(f"/v1/projects/{project}/download?taskId={told['task_id']}")
    path.write_bytes(held)
    with zipfile.ZipFile(io.BytesIO(held)) as archive:
        return {
            name: [json.loads(line) for line in archive.read(name).decode().splitlines()]
            for name in archive.namelist()
        }


def _examples(admin, project):
    found = admin.get(f"/v1/projects/{project}/examples?limit=100")["results"]
    return sorted(found, key=lambda example: example["id"])


def _campaign(admin, doccano, kind, folder, rows, labels, answers):
    """An export after everybody gave their answers: (example, what is sent of it) by person."""
    project, numbers = _project(admin, doccano, kind, labels)
    path = folder / "tasks.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    _import(admin, project, kind, path)
    examples = _examples(admin, project)
    route = {"category": "categories", "span": "spans"}[KINDS[kind][1]]
    for name in PEOPLE:
        for n, told in answers(name):
            body = {**told, "label": numbers[told["label"]]}
            doccano(name).post(f"/v1/projects/{project}/examples/{examples[n]['id']}/{route}", body)
    _export(admin, project, folder / "export.zip")
    return folder / "export.zip", project


def _votes(name):
    return [(n, {"label": vote}) for n, vote in enumerate(VOTES[name].split())]


def _places(name):
    return [
        (0, {"start_offset": start, "end_offset": end, "label": label})
        for start, end, label in PLACES[name]
    ]


def _gold(words):
    code, _, err, _ = run(f"accord gold {words} --to doccano")
    assert code == 0, err


@pytest.fixture(scope="module")
def moods(doccano, tmp_path_factory):
    rows = [
        {"text": text, "label": [], "page": n, "of": {"book": [n]}}
        for n, text in enumerate(TEXTS, 1)
    ]
    return _campaign(
        doccano("admin"), doccano, "TextClassificationProject", tmp_path_factory.mktemp("moods"),
        rows, ["glad", "sad", "calm"], _votes,
    )  # fmt: skip


def test_what_was_posted_is_what_is_measured(moods):
    data = accord.read(moods[0])
    matrix = [VOTES[name].split() for name in PEOPLE]
    assert data.annotators == PEOPLE
    assert accord.alpha(data).value == accord.alpha(accord.Ratings.from_matrix(matrix)).value
    assert sorted(data.texts.values()) == sorted(TEXTS)


def test_a_reference_in_a_new_project(moods, doccano, tmp_path):
    path, _ = moods
    admin, kind = doccano("admin"), "TextClassificationProject"
    out = tmp_path / "reference.jsonl"
    _gold(f"{path} -o {out}")
    made = accord.gold(accord.read(path))
    assert list(as_reference(out).rows()) == list(made.rows())
    project, _ = _project(admin, doccano, kind, ["glad", "sad", "calm"], people=())
    _import(admin, project, kind, out)
    back = _export(admin, project, tmp_path / "back.zip")["admin.jsonl"]
    rows = {row["page"]: row for row in back}
    assert [rows[n]["text"] for n in (1, 2, 3, 4)] == TEXTS
    assert [rows[n]["of"] for n in (1, 2, 3, 4)] == [{"book": [n]} for n in (1, 2, 3, 4)]
    assert [rows[n]["label"] for n in (1, 2, 3, 4)] == [["glad"], ["sad"], ["calm"], []]
    again = as_reference(tmp_path / "back.zip")
    assert list(again.rows()) == list(made.rows())
    assert [row["reason"] for row in again.rows()] == ["", "", "", "tie"]
    cyd = accord.read(path).select(annotators=["cyd"])
    assert accord.score(tmp_path / "back.zip", cyd, "accuracy").value == pytest.approx(2 / 3)


def test_a_reference_onto_the_examples_there_are(moods, doccano, tmp_path):
    path, project = moods
    admin = doccano("admin")
    out = tmp_path / "reference.jsonl"
    _gold(f"{path} -o {out}")
    numbers = {t["text"]: t["id"] for t in admin.get(f"/v1/projects/{project}/category-types")}
    for line in out.read_text().splitlines():
        row = json.loads(line)
        for label in row["label"]:
            admin.post(
                f"/v1/projects/{project}/examples/{row['id']}/categories", {"label": numbers[label]}
            )
    _export(admin, project, tmp_path / "back.zip")
    again = accord.read(tmp_path / "back.zip")
    assert again.annotators == ("admin", *PEOPLE)
    decided = accord.Ratings.from_frame(again.select(annotators=["admin"]).to_frame("polars"))
    made = accord.gold(accord.read(path))
    values = [row["value"] for row in made.rows() if row["value"] is not None]
    assert decided.to_frame("polars")["value"].to_list() == values


def test_units_go_there_and_back(doccano, tmp_path):
    admin, kind = doccano("admin"), "SequenceLabelingProject"
    rows = [
        {"text": TEXT, "label": [], "page": 7},
        {"text": "Nobody here.", "label": [], "page": 8},
    ]
    path, _ = _campaign(admin, doccano, kind, tmp_path, rows, ["PER", "LOC"], _places)
    data = accord.read(path, without=["admin"])
    assert len(data) == 7
    out = tmp_path / "reference.jsonl"
    _gold(f"{path} --without admin -o {out}")
    project, _ = _project(admin, doccano, kind, ["PER", "LOC"], people=())
    _import(admin, project, kind, out)
    back = _export(admin, project, tmp_path / "back.zip")["admin.jsonl"]
    assert {row["page"]: row["text"] for row in back} == {7: TEXT, 8: "Nobody here."}
    made = accord.gold(data).valued()
    again = accord.read(tmp_path / "back.zip")
    assert [tuple(u)[2:] for u in again] == [tuple(u)[2:] for u in made]
    assert again.documents == made.documents
    assert again.texts == made.texts
    assert again.coverage.all()
