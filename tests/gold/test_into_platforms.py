"""References go back into the exports of platforms as they stand: ids, fields, names of questions."""

import json

import pytest

import accord
from accord.gold import as_reference
from accord.reading.conversion import convert
from tests.in_process import run

TEXTS = {"7": "A fine day.", "8": "Rain — again.", "9": "What a song!", "10": "Who knows?"}
VOTES = {"ann": "glad sad calm glad", "bob": "glad sad sad sad", "cyd": "glad calm calm calm"}
REASONS = ["", "", "", "tie"]


def _votes():
    return [
        (item, text, {who: votes.split()[i] for who, votes in VOTES.items()})
        for i, (item, text) in enumerate(TEXTS.items())
    ]


def _label_studio(folder):
    numbers = {who: i for i, who in enumerate(VOTES, 1)}
    tasks = [
        {
            "id": int(item), "data": {"body": text, "of": {"page": [1, None]}}, "meta": {"batch": "b"},
            "inner_id": 1, "predictions": [],
            "annotations": [
                {
                    "id": 1, "completed_by": numbers[who], "was_cancelled": False, "ground_truth": False,
                    "lead_time": 1.5,
                    "result": [
                        {"id": "q", "from_name": "mood", "to_name": "review", "type": "choices",
                         "value": {"choices": [vote]}},
                        {"id": "r", "from_name": "sure", "to_name": "review", "type": "rating",
                         "value": {"rating": 3}},
                    ],
                }
                for who, vote in votes.items()
            ],
        }
        for item, text, votes in _votes()
    ]  # fmt: skip
    (folder / "export.json").write_text(json.dumps(tasks))
    return folder / "export.json"


def _doccano(folder):
    for who in VOTES:
        rows = [
            {"id": int(item), "text": text, "page": 3, "label": [votes[who]], "Comments": []}
            for item, text, votes in _votes()
        ]
        (folder / f"{who}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return folder


def _prodigy(folder):
    options = [{"id": label, "text": label.upper()} for label in ("glad", "sad", "calm")]
    rows = [
        {
            "text": text, "_input_hash": int(item), "_task_hash": 5, "meta": {"page": 3}, "options": options,
            "accept": [vote], "answer": "accept", "_annotator_id": f"set-{who}",
            "_session_id": f"set-{who}", "_view_id": "choice", "config": {"choice_style": "single"},
        }
        for item, text, votes in _votes()
        for who, vote in votes.items()
    ]  # fmt: skip
    (folder / "export.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return folder / "export.jsonl"


def _argilla(folder):
    rows = [
        {
            "id": item, "status": "completed", "_server_id": "s", "fields": {"body": text, "title": "t"},
            "metadata": {"page": 3}, "vectors": {}, "suggestions": {},
            "responses": {
                "mood": [
                    {"value": vote, "user_id": who, "status": "submitted"} for who, vote in votes.items()
                ]
            },
        }
        for item, text, votes in _votes()
    ]  # fmt: skip
    (folder / "records.json").write_text(json.dumps(rows))
    return folder / "records.json"


def _potato(folder):
    for who in VOTES:
        (folder / who).mkdir()
        rows = [
            {
                "id": item, "displayed_text": text, "span_annotations": [], "behavioral_data": {},
                "label_annotations": {"mood": {votes[who]: "true"}},
            }
            for item, text, votes in _votes()
        ]  # fmt: skip
        file = folder / who / "annotated_instances.jsonl"
        file.write_text("".join(json.dumps(r) + "\n" for r in rows))
    return folder


PLATFORMS = {
    "label-studio": (_label_studio, "out.json", {"layer": "mood"}),
    "doccano": (_doccano, "out.jsonl", {}),
    "prodigy": (_prodigy, "out.jsonl", {}),
    "argilla": (_argilla, "out.json", {}),
    "potato": (_potato, "out", {}),
}


@pytest.fixture(params=PLATFORMS)
def put_back(request, tmp_path):
    """What was exported, and the reference put back by the command."""
    build, name, options = PLATFORMS[request.param]
    (tmp_path / "in").mkdir()
    path = build(tmp_path / "in")
    words = " ".join(f"--{key} {value}" for key, value in options.items())
    code, _, err, _ = run(f"accord gold {path} {words} -o {tmp_path / name} --to {request.param}")
    assert code == 0, err
    return request.param, path, tmp_path / name, options


def test_the_reference_comes_back_whole(put_back):
    platform, path, out, options = put_back
    made = accord.gold(accord.read(path, **options))
    assert [row["reason"] for row in made.rows()] == REASONS
    back = as_reference(out, **({"predictions": True} if platform == "argilla" else {}))
    rows = {str(row["item"]): row for row in back.rows()}
    assert [rows[row["item"]] for row in made.rows()] == list(made.rows())
    if platform != "argilla":
        cyd = accord.Ratings.from_matrix(
            [VOTES["cyd"].split()], items=list(TEXTS), annotators=["s"]
        )
        found = accord.score(out, cyd, "accuracy", ci="none")
        assert (found.value, found.n) == (pytest.approx(2 / 3), 3)


def test_records_are_as_they_stood(put_back):
    platform, path, out, _ = put_back
    if platform == "label-studio":
        old = {task["id"]: task for task in json.loads(path.read_text())}
        for task in json.loads(out.read_text()):
            assert task["data"] == old[task["id"]]["data"]
            assert task["meta"]["batch"] == "b"
            assert task["meta"]["task_id"] == task["id"]
            assert len(task["annotations"]) == (task["id"] != 10)
            for one in task["annotations"]:
                assert one["ground_truth"] is True
                assert "completed_by" not in one
                (result,) = one["result"]
                assert (result["from_name"], result["to_name"]) == ("mood", "review")
        return
    if platform == "potato":
        assert [p.name for p in out.iterdir()] == ["reference"]
        lines = (out / "reference" / "annotated_instances.jsonl").read_text().splitlines()
        rows = [json.loads(line) for line in lines]
        assert [row["displayed_text"] for row in rows] == list(TEXTS.values())
        assert rows[0]["label_annotations"] == {"mood": {"glad": "true"}}
        return
    assert out.is_file()
    text = out.read_text()
    rows = json.loads(text) if platform == "argilla" else [json.loads(x) for x in text.splitlines()]
    assert len(rows) == 4
    if platform == "doccano":
        assert [(row["id"], row["page"], row["label"]) for row in rows] == [
            (7, 3, ["glad"]), (8, 3, ["sad"]), (9, 3, ["calm"]), (10, 3, []),
        ]  # fmt: skip
    elif platform == "prodigy":
        assert not any("_annotator_id" in row or "_session_id" in row for row in rows)
        assert [(row["_input_hash"], row["meta"], len(row["options"])) for row in rows] == [
            (int(item), {"page": 3}, 3) for item in TEXTS
        ]
        assert [row["answer"] for row in rows] == ["accept"] * 3 + ["ignore"]
    else:
        assert [row["fields"] for row in rows] == [
            {"body": t, "title": "t"} for t in TEXTS.values()
        ]
        assert all(row["metadata"]["page"] == 3 and not row["responses"] for row in rows)
        assert rows[0]["suggestions"]["mood"] == {
            "value": "glad",
            "score": 1.0,
            "agent": "reference",
        }
        assert rows[3]["suggestions"] == {}


def test_the_others_only_when_asked_for(tmp_path):
    path = _label_studio(tmp_path)
    out = tmp_path / "out.json"
    words = f"accord gold {path} --layer mood -o {out} --to label-studio --with-annotators"
    assert run(words)[0] == 0
    task = json.loads(out.read_text())[0]
    assert [one.get("completed_by") for one in task["annotations"]] == [1, 2, 3, None]
    # what they said with other controls stands there still
    assert {r["from_name"] for r in task["annotations"][0]["result"]} == {"mood", "sure"}
    back = accord.read(out, layer="mood")
    assert back.annotators == ("1", "2", "3")
    assert accord.read(out, layer="mood", curation="include").annotators == (
        "1",
        "2",
        "3",
        "reference",
    )
    # a plain conversion keeps fields and controls, too
    convert(accord.read(path, layer="mood"), tmp_path / "same.json", format="label-studio")
    for old, new in zip(
        json.loads(path.read_text()), json.loads((tmp_path / "same.json").read_text()), strict=True
    ):
        assert (new["data"], new["meta"]) == (old["data"], old["meta"])
        assert [a["completed_by"] for a in new["annotations"]] == [1, 2, 3]


def test_one_file_of_doccano_is_one_annotator(tmp_path):
    (tmp_path / "in").mkdir()
    path = _doccano(tmp_path / "in")
    code, _, err, _ = run(
        f"accord gold {path} -o {tmp_path}/all.jsonl --to doccano --with-annotators"
    )
    assert code == 2
    assert "name a folder" in err


def test_an_export_that_is_gone_is_written_anew(tmp_path):
    path = _label_studio(tmp_path)
    reference = accord.gold(accord.read(path, layer="mood"))
    path.unlink()
    accord.write(reference, tmp_path / "out.json", format="label-studio")
    tasks = json.loads((tmp_path / "out.json").read_text())
    assert [task["data"]["item"] for task in tasks] == list(TEXTS)
    assert [r["value"] for r in as_reference(tmp_path / "out.json").rows()][:3] == [
        "glad",
        "sad",
        "calm",
    ]


@pytest.mark.parametrize("name", ["label-studio", "doccano", "prodigy", "argilla", "potato"])
def test_units_go_back_where_nothing_is_known_of_the_export(name, tmp_path):
    text = "Anna met Lee in Oslo."
    rows = [("d", who, 0, 4, "PER") for who in "ab"] + [("d", "a", 16, 20, "PER")]
    data = accord.Units.from_rows(
        rows, texts={"d": text, "e": "Nobody."}, coverage=[(d, who) for d in "de" for who in "ab"]
    )
    assert convert(data, tmp_path / "all", format=name) == []
    made = accord.gold(data)
    assert made.write(tmp_path / "alone", format=name) == []
    options = {"predictions": True} if name == "argilla" else {}
    back = accord.read(tmp_path / "alone", format=name, **options)
    assert [(u.start, u.end, u.label) for u in back] == [(0, 4, "PER")]
    assert back.texts == (text, "Nobody.")
    assert len(back.annotators) == 1
