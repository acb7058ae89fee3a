"""Boxes into Label Studio: per cent of the image, one ground truth a task, nobody invented, nothing lost."""

from __future__ import annotations

import json

import pytest

import accord
from accord.data import Boxes
from accord.errors import UsageError

#: what three people drew on two images, in per cent of 640 × 480
DRAWN = {
    7: {"ana": [(10, 20, 25, 50, "cat")], "ben": [(10, 20, 25, 50, "cat"), (60, 60, 10, 10, "dog")],
        "cy": [(10, 20, 25, 50, "cat")]},
    8: {"ana": [(0, 0, 50, 25, "dog")], "ben": [(0, 0, 50, 25, "dog")], "cy": []},
}  # fmt: skip


def region(number, x, y, width, height, label):
    value = {"x": x, "y": y, "width": width, "height": height, "rotation": 0}
    return {
        "id": f"r{number}", "from_name": "animal", "to_name": "photo", "type": "rectanglelabels",
        "original_width": 640, "original_height": 480, "image_rotation": 0,
        "value": {**value, "rectanglelabels": [label]},
    }  # fmt: skip


@pytest.fixture
def exported(tmp_path):
    tasks = [
        {
            "id": number,
            "data": {"image": f"/data/{number}.jpg", "licence": "CC0"},
            "meta": {"batch": 3},
            "annotations": [
                {
                    "id": 10 * number + k,
                    "completed_by": {"id": k, "email": f"{who}@x.org"},
                    "result": [region(i, *one) for i, one in enumerate(drawn)],
                }
                for k, (who, drawn) in enumerate(people.items())
            ],
        }
        for number, people in DRAWN.items()
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    return path


def test_the_reference_of_boxes_goes_back_as_ground_truth(exported, tmp_path):
    data = accord.read(exported)
    assert isinstance(data, Boxes)
    made = accord.gold(data)
    out = tmp_path / "out.json"
    assert made.write(out, format="label-studio") == []
    tasks = json.loads(out.read_text())
    assert [(t["id"], t["data"], t["meta"]["batch"], t["meta"]["task_id"]) for t in tasks] == [
        (n, {"image": f"/data/{n}.jpg", "licence": "CC0"}, 3, n) for n in DRAWN
    ]
    for task in tasks:
        (one,) = task["annotations"]
        assert one["ground_truth"]
        assert "completed_by" not in one
        (result,) = one["result"]
        x, y, width, height, label = DRAWN[task["id"]]["ana"][0]
        assert {k: result[k] for k in ("from_name", "to_name", "type")} == {
            "from_name": "animal", "to_name": "photo", "type": "rectanglelabels",
        }  # fmt: skip
        assert result["value"]["rectanglelabels"] == [label]
        shown = [result["value"][k] for k in ("x", "y", "width", "height")]
        assert shown == pytest.approx([x, y, width, height])
    back = accord.read(out)
    assert [(b.document, *tuple(b)[2:]) for b in back] == [
        (b.document, *tuple(b)[2:]) for b in made.reference
    ]


def test_everybody_goes_round(exported, tmp_path):
    data = accord.read(exported)
    accord.write(data, tmp_path / "same.json", format="label-studio")
    again = accord.read(tmp_path / "same.json")
    assert [tuple(b) for b in again] == [tuple(b) for b in data]
    assert again.sizes.tolist() == data.sizes.tolist()
    assert again.coverage.tolist() == data.coverage.tolist()


def test_polygons_stay_where_there_is_a_control_and_sizes_must_be_known(tmp_path):
    rows = [("p", who, ((0, 0), (100, 0), (0, 50)), "cat") for who in "ab"]
    data = Boxes.from_rows(rows, sizes={"p": (200, 100)})
    accord.write(data, tmp_path / "p.json", format="label-studio")
    again = accord.read(tmp_path / "p.json")
    assert again.area.tolist() == data.area.tolist()
    unknown = Boxes.from_rows([("p", "a", 0, 0, 5, 5, "x")])
    with pytest.raises(UsageError, match="the size of 'p' is not known"):
        accord.write(unknown, tmp_path / "u.json", format="label-studio")
