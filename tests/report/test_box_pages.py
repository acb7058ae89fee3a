"""Boxes on the command line, in pages, as a reference, and from the formats that hold them."""

import base64
import json
import re
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import accord
from accord import Boxes
from accord.errors import InputError, UsageError
from accord.reading.conversion import convert
from accord.report.images import images_html
from tests.in_process import run
from tests.measures.test_boxes import WORKED
from tests.told import told

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def boxes() -> Boxes:
    return Boxes.from_rows(WORKED, sizes=dict.fromkeys(("p1", "p2", "p3"), (100, 80)))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "boxes.csv"
    lines = [",".join(map(str, row)) for row in WORKED]
    path.write_text("document,annotator,x0,y0,x1,y1,label\n" + "\n".join(lines) + "\n")
    return path


def packed(page: str) -> dict:
    found = re.search(r'id="images-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_the_page_shows_the_worst_image_first_with_all_shapes(boxes: Boxes) -> None:
    data = packed(images_html(boxes, accord.align(boxes)))
    assert [image["n"] for image in data["images"]] == ["p1", "p3", "p2"]
    first = data["images"][0]
    assert first["f"] == [0, 0, 100, 80]
    assert sorted(len(group["s"]) for group in first["g"]) == [1, 2, 2]
    assert sum(len(g["s"]) for image in data["images"] for g in image["g"]) == len(boxes)
    assert "i" not in first
    assert sorted(group["u"] for group in first["g"]) == [0.667, 0.826, 1.0]


def test_images_are_embedded_from_a_folder(boxes: Boxes, tmp_path: Path) -> None:
    (tmp_path / "p1.png").write_bytes(PIXEL)
    page = images_html(boxes, accord.align(boxes), media=tmp_path)
    shown = {image["n"]: image.get("i", "") for image in packed(page)["images"]}
    assert shown["p1"].startswith("data:image/png;base64,iVBOR")
    assert shown["p2"] == ""
    assert "The folder holds no file for 2 images" in page
    with pytest.raises(InputError, match="is not a folder of images"):
        images_html(boxes, accord.align(boxes), media=tmp_path / "p1.png")


def test_names_cannot_break_the_page() -> None:
    rows = [("</script><b>", who, 0, 0, 3, 4, "<i>&") for who in ("A", '"B"')]
    page = images_html(made := Boxes.from_rows(rows), accord.align(made))
    assert "</script><b>" not in page
    assert packed(page)["images"][0]["n"] == "</script><b>"


def test_align_on_the_command_line(table: Path, tmp_path: Path) -> None:
    page, lines = tmp_path / "images.html", tmp_path / "groups.csv"
    code, out, _, _ = run(f"accord align {table} --json --html {page} --csv {lines}")
    assert code == 0
    found = json.loads(out)
    assert [d["disorder"] for d in found["documents"]] == pytest.approx(
        [0.819628117913832, 0.002770083102493, 0.669072323706543]
    )
    assert found["documents"][0]["unitary"][0]["units"] == {
        "A": [0.0, 0.0, 10.0, 10.0, "cat"], "B": [2.0, 0.0, 12.0, 10.0, "cat"]
    }  # fmt: skip
    assert "positional:dice" in found["signature"]
    assert lines.read_text().startswith("document,unitary,disorder,annotator,x0,y0,x1,y1,label\n")
    assert packed(page.read_text())["annotators"] == ["A", "B"]
    for option in ("--svg x.svg", "--method greedy", "--objective holistic", "--tolerance 1"):
        code, _, told, _ = run(f"accord align {table} {option}")
        assert code == 2, option
        assert "units" in told or "page" in told


def test_agree_says_the_three_faults(table: Path) -> None:
    code, out, _, _ = run(f"accord agree {table} --by label,errors --verbose")
    assert code == 0
    told = " ".join(out.split())
    assert (
        "20% of shapes without counterpart, mean IoU of aligned pairs 0.8199, α of the labels"
        in told
    )


def test_sizes_beside_the_table(table: Path) -> None:
    sizes = table.with_name("sizes.csv")
    sizes.write_text(
        "document,width,height\n" + "".join(f"{p},100,80\n" for p in ("p1", "p2", "p3"))
    )
    for option in ("--lengths", "--documents"):
        code, out, _, _ = run(f"accord agree {table} {option} {sizes} --json")
        assert code == 0
        assert "scaled:unit-square" in json.loads(out)["results"][0]["signature"]
    sizes.write_text("document,width,height\np1,0,80\n")
    code, _, told, _ = run(f"accord agree {table} --lengths {sizes}")
    assert (code, "the width must be a number above 0" in told) == (2, True)


def test_the_report_holds_the_images(boxes: Boxes, tmp_path: Path) -> None:
    (tmp_path / "p3.png").write_bytes(PIXEL)
    page = accord.report(boxes, media=tmp_path, resamples=50)
    html = page.html()
    assert packed(html)["images"][0]["n"] == "p1"
    assert {"faults", "errors", "labels", "confusions", "documents"} <= set(page.tables)
    assert "data:image/png" in html
    french = accord.report(boxes, resamples=50, lang="fr").html()
    assert '<h2 id="h-faults">Où cela échoue</h2>' in french
    with pytest.raises(UsageError, match="media is the folder of the images of boxes"):
        accord.report(accord.Ratings.from_matrix([list("aabb"), list("abab")]), media=tmp_path)


def test_the_audit_looks_at_boxes(boxes: Boxes) -> None:
    found = {f.rule: f for f in accord.audit(boxes)}
    assert "rare-categories" in found
    assert "boxes" in found["rare-categories"].statement
    assert "None of the 3 documents" not in " ".join(f.statement for f in found.values())


# --- a reference -----------------------------------------------------------------------------------


def test_consensus_corners_are_medians_of_what_people_drew() -> None:
    rows = [("p", who, x, y, x + w, y + 10, label)
            for who, x, y, w, label in (("A", 0, 0, 10, "cat"), ("B", 1, 2, 11, "cat"),
                                        ("C", 4, 1, 30, "dog"))]  # fmt: skip
    rows += [("p", "C", 60, 60, 70, 70, "cat")]
    boxes = Boxes.from_rows(rows)
    found = accord.gold(boxes)
    assert [tuple(box)[:7] for box in found.reference] == [("p", "reference", 1, 1, 12, 11, "cat")]
    assert found.considered[0]["confidence"] == pytest.approx(2 / 3)
    assert [row["kept"] for row in found.considered] == [True, False]
    mean = accord.gold(boxes, position="mean")
    assert next(iter(mean.reference)).x0 == pytest.approx(5 / 3)
    medoid = accord.gold(boxes, position="medoid")
    assert next(iter(medoid.reference))[2:6] == (1, 2, 12, 12)
    with pytest.raises(UsageError, match="median, mean or medoid"):
        accord.gold(boxes, position="middle")


def test_consensus_of_polygons_is_one_of_them() -> None:
    triangles = [[(0, 0), (10, 0), (0, 10)], [(0, 0), (11, 0), (0, 10)], [(2, 2), (20, 2), (2, 9)]]
    boxes = Boxes.from_rows([("p", who, t, "x") for who, t in zip("ABC", triangles, strict=True)])
    (box,) = accord.gold(boxes).reference
    assert box.points in [tuple(map(tuple, t)) for t in triangles[:2]]


def test_gold_on_the_command_line(table: Path, tmp_path: Path) -> None:
    target = tmp_path / "reference.csv"
    code, _, _, _ = run(f"accord gold {table} -o {target}")
    assert code == 0
    assert len(accord.read(target, curation="include")) == 4
    code, out, _, _ = run(f"accord score {target} {target} --json")
    assert (code, json.loads(out)["results"][0]["value"]) == (0, 1.0)


# --- formats -----------------------------------------------------------------------------------------


def coco(**changes: object) -> dict:
    made = {
        "images": [{"id": 1, "file_name": "a.jpg", "width": 80, "height": 60}],
        "annotations": [{"id": 5, "image_id": 1, "category_id": 7, "bbox": [10, 5, 30, 20]}],
        "categories": [{"id": 7, "name": "Car"}],
    }
    made["annotations"][0] |= changes
    return made


def written(tmp_path: Path, name: str, value: object) -> Path:
    path = tmp_path / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def test_coco_boxes_are_width_and_height_and_a_file_is_an_annotator(tmp_path: Path) -> None:
    files = [written(tmp_path, f"{who}.json", coco()) for who in ("ann", "bob")]
    found = accord.reading.read_many(files)
    assert [tuple(box)[:7] for box in found] == [
        ("a.jpg", who, 10, 5, 40, 25, "Car") for who in ("ann", "bob")
    ]
    assert found.size_of("a.jpg") == (80, 60)


def test_coco_annotators_are_under_any_key(tmp_path: Path) -> None:
    whole = coco(drawn_by="ann")
    whole["images"][0]["drawn_by"] = ["ann", "bob"]
    path = written(tmp_path, "x.json", whole)
    found = accord.read(path, annotator_from="drawn_by")
    assert (found.annotators, found.coverage.tolist()) == (("ann", "bob"), [[True, True]])
    # a key of the image alone says who drew all of it
    by_image = coco()
    by_image["images"][0]["who"] = "eve"
    path = written(tmp_path, "y.json", by_image)
    assert accord.read(path, annotator_from="who").annotators == ("eve",)
    with pytest.raises(InputError, match="has no key 'nobody'"):
        accord.read(path, annotator_from="nobody")
    # other formats have no such keys
    table = written(tmp_path, "t.csv", "document,annotator,start,end,label\nd,A,0,4,x\n")
    with pytest.raises(
        UsageError, match="annotator_from must be one of folder, file, tier, author"
    ):
        accord.read(table, annotator_from="rater")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"segmentation": {"counts": "abc", "size": [60, 80]}}, r"run-length encoding \(RLE\)"),
        ({"segmentation": [[0, 0, 5, 0, 5, 5], [9, 9, 12, 9, 9, 12]]}, "outline of 2 parts"),
        ({"segmentation": [[0, 0, 5, 0]]}, "three points or more"),
        ({"bbox": [40, 25, -30, -20]}, "x, y, width, height, not two corners"),
        ({"bbox": [1, 2, 3]}, "bbox of 3 numbers"),
        ({"image_id": 2}, "image 2, which is not among its images"),
        ({"category_id": 8}, "category 8, which is not among the categories"),
        ({"bbox": [10, 5, 0, 20]}, "has no area"),
        ({"bbox": [400, 300, 30, 20]}, "outside its image of 80 × 60"),
    ],
)
def test_coco_is_refused_with_a_sentence(tmp_path: Path, changes: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        accord.read(written(tmp_path, "x.json", coco(**changes)))


def test_coco_masks_have_boxes(tmp_path: Path) -> None:
    path = written(tmp_path, "x.json", coco(segmentation={"counts": "abc", "size": [60, 80]}))
    (box,) = accord.read(path, layer="bbox")
    assert box[2:6] == (10, 5, 40, 25)


def test_cvat_turns_boxes_about_their_middle(tmp_path: Path) -> None:
    text = (
        '<annotations><version>1.1</version><image id="0" name="a.jpg" width="80" height="60">'
        '<box label="Car" xtl="10" ytl="10" xbr="30" ybr="20" rotation="90.0"/>'
        '<polyline label="x" points="1,1;2,2"/></image>'
        '<image id="1" name="b.jpg" width="80" height="60"/></annotations>'
    )
    found = accord.read(written(tmp_path, "ann.xml", text))
    (box,) = found
    # a quarter turn about (20, 15): upright again, so no polygon
    assert (box[2:6], box.points) == ((15, 5, 25, 25), None)
    assert (found.documents, found.annotators) == (("a.jpg", "b.jpg"), ("ann",))
    assert any("polyline" in one for one in told(found))
    oblique = text.replace("90.0", "45.0")
    (turned,) = accord.read(written(tmp_path, "ann.xml", oblique))
    assert turned.points is not None
    assert np.mean(turned.points, axis=0).tolist() == pytest.approx([20, 15])
    with pytest.raises(InputError, match=r"ann\.xml:1: the xtl of a box must be a number"):
        accord.read(written(tmp_path, "ann.xml", text.replace('xtl="10"', 'xtl="ten"')))


def test_label_studio_is_per_cent_of_the_image(tmp_path: Path) -> None:
    def task(**value: object) -> list:
        result = {"id": "r", "type": "rectanglelabels", "from_name": "l", "to_name": "i",
                  "original_width": 200, "original_height": 200, "value": value}  # fmt: skip
        return [{"id": 3, "data": {"image": "/data/a.jpg"},
                 "annotations": [{"completed_by": 1, "result": [result]}]}]  # fmt: skip

    plain = {"x": 60, "y": 20, "width": 20, "height": 40, "rectanglelabels": ["Car"]}
    (box,) = accord.read(written(tmp_path, "a.json", task(**plain)))
    assert box[2:7] == (120, 40, 160, 120, "Car")
    # turned about its upper left corner, in pixels
    (box,) = accord.read(written(tmp_path, "a.json", task(**plain, rotation=90)))
    assert (box[2:6], box.points) == ((40, 40, 120, 80), None)
    polygon = {"points": [[0, 0], [50, 0], [0, 100]], "polygonlabels": ["Tree"]}
    (box,) = accord.read(written(tmp_path, "a.json", task(**polygon)))
    assert box.points == ((0, 0), (100, 0), (0, 200))


@pytest.mark.parametrize(
    "text",
    [
        '{"images": ["a"], "text": "x", "label": [[0, 1, "A"]]}',
        '{"annotations": [], "item": 1}',
        '[{"item": 1, "annotator": "A", "value": "x", "bbox": 3}]',
    ],
)
def test_other_json_is_not_taken_for_coco(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, "x.json", text)
    with suppress(InputError):
        assert accord.formats.detect(path).name != "coco"


def test_convert_and_inspect(table: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.coco.json"
    code, _, told, _ = run(f"accord convert {table} {target}")
    assert (code, "nothing lost" in told) == (0, True)
    code, out, _, _ = run(f"accord inspect {target} --json")
    found = json.loads(out)
    assert (found["shape"], found["format"]) == ("boxes", "coco")
    assert found["layers"][0]["labels"] == {"cat": 5, "dog": 5}
    assert convert(accord.read(target), tmp_path / "again.csv") == []


@pytest.mark.parametrize("command", ["serve", "discuss", "gold"])
def test_decisions_about_boxes_are_refused_with_a_sentence(
    command: str, table: Path, tmp_path: Path
) -> None:
    decided = tmp_path / "decided.csv"
    decided.write_text('item,value\n"p1:20,20,40,40#1",dog\n')
    more = {
        "serve": f"--no-browser --decisions {tmp_path / 'd.db'}",
        "discuss": f"-o {tmp_path / 'pages'}",
        "gold": f"--adjudicate {decided} -o {tmp_path / 'reference.csv'}",
    }[command]
    code, _, told, _ = run(f"accord {command} {table} {more}")
    assert code == 2
    assert "decisions about boxes cannot be taken in" in told
