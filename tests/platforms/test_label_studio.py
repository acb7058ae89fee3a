"""A campaign on Label Studio itself: annotated, measured, decided, put back, and read again."""

from __future__ import annotations

import json

import pytest

import accord
from accord.gold import as_reference
from tests.in_process import run

pytestmark = pytest.mark.slow

CHOICES = (
    '<View><Header value="How is it?"/><Text name="review" value="$body"/>'
    '<Choices name="mood" toName="review" choice="single">'
    '<Choice value="glad"/><Choice value="sad"/><Choice value="calm"/></Choices></View>'
)
LABELS = (
    '<View><Text name="page" value="$body"/><Labels name="entity" toName="page">'
    '<Label value="PER"/><Label value="LOC"/></Labels></View>'
)
BODIES = ["A fine day.", "Rain — again 🌧.", "Nothing happened.", "What a song!", "Who knows?"]
TASKS = [
    {"data": {"body": body, "page": n, "of": {"book": [n, None]}}, "meta": {"batch": f"b{n % 2}"}}
    for n, body in enumerate(BODIES, 1)
]
PEOPLE = ("ann", "bob", "cyd")
#: the fourth ties, the fifth nobody rates
VOTES = {"ann": "glad sad calm glad", "bob": "glad sad sad sad", "cyd": "glad calm calm calm"}
PLACES = {
    "ann": [(0, 4, "PER"), (10, 16, "LOC")],
    "bob": [(0, 4, "PER"), (10, 16, "LOC"), (20, 24, "PER")],
    "cyd": [(0, 4, "LOC"), (10, 16, "LOC")],
}
TEXT = "Anna from London met Lee."


def _project(admin, title, config):
    return admin.post("/api/projects/", {"title": title, "label_config": config})["id"]


def _tasks(admin, project):
    found = admin.get(f"/api/tasks?project={project}&page_size=100&fields=all")["tasks"]
    return sorted(found, key=lambda task: task["id"])


def _exported(admin, project, path):
    held = admin.get(f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=true")
    path.write_text(json.dumps(held))
    return held


def _choice(value):
    held = {"choices": [value]}
    return {"from_name": "mood", "to_name": "review", "type": "choices", "value": held}


def _label(start, end, label):
    held = {"start": start, "end": end, "text": TEXT[start:end], "labels": [label]}
    return {"from_name": "entity", "to_name": "page", "type": "labels", "value": held}


@pytest.fixture(scope="module")
def moods(label_studio, tmp_path_factory):
    """An export of a project in which three people judged the tasks, and its number."""
    admin = label_studio("admin")
    project = _project(admin, "moods", CHOICES)
    # (tasks of another project come first: ids are no numbers of rows)
    admin.post(f"/api/projects/{project}/import", TASKS)
    for name in PEOPLE:
        person = label_studio(name)
        for task, vote in zip(_tasks(admin, project), VOTES[name].split(), strict=False):
            person.post(f"/api/tasks/{task['id']}/annotations/", {"result": [_choice(vote)]})
    path = tmp_path_factory.mktemp("moods") / "export.json"
    _exported(admin, project, path)
    return path, project


def _gold(path, out):
    code, said, err, _ = run(f"accord gold {path} -o {out} --to label-studio")
    assert code == 0, err
    return json.loads(out.read_text()), said


def test_what_was_posted_is_what_is_measured(moods):
    data = accord.read(moods[0])
    matrix = [[*VOTES[name].split()] for name in PEOPLE]
    assert len(data.annotators) == 3
    assert accord.alpha(data).value == accord.alpha(accord.Ratings.from_matrix(matrix)).value
    assert set(data.texts.values()) <= set(BODIES)


def test_a_reference_in_a_new_project(moods, label_studio, tmp_path):
    path, _ = moods
    admin = label_studio("admin")
    tasks, _ = _gold(path, tmp_path / "reference.json")
    original = {task["id"]: task for task in json.loads(path.read_text())}
    assert [task["id"] for task in tasks] == list(original)
    project = _project(admin, "moods again", CHOICES)
    told = admin.post(f"/api/projects/{project}/import", tasks)
    assert (told["task_count"], told["annotation_count"]) == (5, 3)
    back = _exported(admin, project, tmp_path / "back.json")
    assert {task["id"] for task in back}.isdisjoint(original)
    for task in back:
        old = original[task["meta"]["task_id"]]
        assert task["data"] == old["data"]
        assert old["meta"].items() <= task["meta"].items()
        for one in task["annotations"]:
            assert one["ground_truth"]
            assert [(r["from_name"], r["to_name"], r["type"]) for r in one["result"]] == [
                ("mood", "review", "choices")
            ]
    assert [len(task["annotations"]) for task in sorted(back, key=lambda t: t["id"])] == [
        1,
        1,
        1,
        0,
        0,
    ]
    made = accord.gold(accord.read(path))
    assert list(as_reference(tmp_path / "back.json").rows()) == list(made.rows())
    assert [row["reason"] for row in made.rows()] == ["", "", "", "tie"]
    # the interface scores against it: the one wrong answer of cyd in three
    found = accord.score(
        tmp_path / "back.json", accord.read(path).select(annotators=[_cyd(path)]), "accuracy"
    )
    assert found.value == pytest.approx(2 / 3)


def _cyd(path):
    """The name of the person who said calm of the second task."""
    data = accord.read(path)
    second = data.items[1]
    return next(who for item, who, value in _judged(data) if (item, value) == (second, "calm"))


def _judged(data):
    """Item, annotator and value of every rating."""
    frame = data.to_frame("polars")
    return sorted(frame.select("item", "annotator", "value").rows())


def test_a_reference_onto_the_tasks_there_are(moods, label_studio, tmp_path):
    path, project = moods
    admin = label_studio("admin")
    before = accord.read(path)
    tasks, _ = _gold(path, tmp_path / "reference.json")
    for task in tasks:
        admin.ask("PATCH", f"/api/tasks/{task['id']}/", {"meta": task["meta"]})
        for one in task["annotations"]:
            admin.post(f"/api/tasks/{task['id']}/annotations/", one)
    back = _exported(admin, project, tmp_path / "back.json")
    assert sum(len(task["annotations"]) for task in back) == 12 + 3
    again = accord.read(tmp_path / "back.json")
    assert again.annotators == before.annotators
    assert _judged(again) == _judged(before)
    assert [one.what for one in again.reading.left_out if "ground truth" in one.what]
    made = as_reference(tmp_path / "back.json", curation="only")
    assert list(made.rows()) == list(accord.gold(before).rows())


def test_units_go_there_and_back(label_studio, tmp_path):
    admin = label_studio("admin")
    project = _project(admin, "entities", LABELS)
    tasks = [{"data": {"body": TEXT, "page": 7}}, {"data": {"body": "Nobody here.", "page": 8}}]
    admin.post(f"/api/projects/{project}/import", tasks)
    first, second = _tasks(admin, project)
    for name in PEOPLE:
        person = label_studio(name)
        results = [_label(*place) for place in PLACES[name]]
        person.post(f"/api/tasks/{first['id']}/annotations/", {"result": results})
        person.post(f"/api/tasks/{second['id']}/annotations/", {"result": []})
    path = tmp_path / "export.json"
    _exported(admin, project, path)
    data = accord.read(path)
    assert len(data) == 7
    assert 0 < accord.gamma(data, seed=1).value < 1
    out, _ = _gold(path, tmp_path / "reference.json")
    other = _project(admin, "entities again", LABELS)
    admin.post(f"/api/projects/{other}/import", out)
    back = _exported(admin, other, tmp_path / "back.json")
    assert [task["data"] for task in sorted(back, key=lambda t: t["id"])] == [
        t["data"] for t in tasks
    ]
    made = accord.gold(data)
    again = accord.read(tmp_path / "back.json")
    assert list(again) == list(made.valued())
    assert again.texts == data.texts
    assert again.coverage.all()
    (one,) = next(task for task in back if task["data"]["page"] == 7)["annotations"]
    assert {(r["from_name"], r["to_name"], r["type"]) for r in one["result"]} == {
        ("entity", "page", "labels")
    }
    assert [r["value"]["text"] for r in one["result"]] == ["Anna", "London"]
