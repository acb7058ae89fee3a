"""COCO JSON: images, annotations with a box (x, y, width, height) and perhaps a polygon, categories.

Nothing in COCO says who drew a box. `annotator_from` names the key that does, of the annotations or of the
images (``rater``, which is looked for by itself); a list under the same key of an image, or under that key
with ``_list`` added, says who saw it. Without such a key a file is one annotator, called after the file.
Polygons are read where there are some; `layer=bbox` reads the boxes. Masks in RLE are refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Annotations, Boxes
from accord.errors import InputError, UsageError
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, ReadOptions, Regex, Sniff
from accord.formats.places import places
from accord.formats.writing import write_text

_IMAGES = Regex(rb'"images"\s*:\s*\[')
_ANNOTATIONS = Regex(rb'"annotations"\s*:\s*\[')
_DRAWN = Regex(rb'"(bbox|segmentation)"')
_LISTED = (_IMAGES, b'"file_name"', b'"width"', b'"height"')
#: keys that people put the annotator under
_OWN = ("rater", "annotator", "annotator_id", "worker", "worker_id")
Fields = dict[str, Any]


def collect(export: Export) -> None:
    """Every annotation of every file."""
    export.of_images = True
    files = export.files
    own = export.options.annotator_from in ("folder", "file") or export.options.path is not None
    owners = owners_of(export.tree, files, export.options if own else None)
    key = None if own else export.options.annotator_from
    for entry in files:
        whole = safe_json.record(safe_json.load(entry.read(), entry.path), "the file", entry.path)
        _read(whole, entry, owners[entry.name], key, own, export)


def owners_of(tree: Tree, files: Sequence[Entry], options: ReadOptions | None) -> dict[str, str]:
    """File → annotator: by the file's name, or by its folder where files are called alike."""
    if options is not None and (options.annotator_from is not None or options.path is not None):
        found = places(tree, files, options, default="file")
    else:
        alike = len({entry.stem for entry in files}) < len(files)
        packed = len(files) == 1 and not tree.single
        way = "folder" if alike or packed else "file"
        found = places(tree, files, ReadOptions(), default=way)
    return {place.entry.name: place.annotator for place in found}


def _read(
    whole: Fields,
    entry: Entry,
    owner: str,
    key: str | None,
    forced: bool,
    export: Export,
) -> None:
    path = entry.path
    images = [safe_json.record(x, "an image", path)
              for x in safe_json.listed(whole.get("images"), "the images", path)]  # fmt: skip
    drawn = [safe_json.record(x, "an annotation", path)
             for x in safe_json.listed(whole.get("annotations"), "the annotations", path)]  # fmt: skip
    if key is None and not forced:
        # (who drew nothing may still be listed as having seen)
        key = next(
            (
                k
                for k in _OWN
                if all(k in x for x in drawn) and (drawn or any(f"{k}_list" in x for x in images))
            ),
            None,
        )
        if key is not None:
            export.record.assume(
                f"the key {key!r} names the annotators", ("annotator_from", "file")
            )
    elif key is not None and not any(key in x or f"{key}_list" in x for x in (*images, *drawn)):
        raise InputError(
            f"has no key {key!r} in its images or annotations",
            path=path,
            hint="check `annotator_from`",
        )
    names = _image_names(images, path)
    kinds = _categories(whole, path)
    seers: dict[Any, list[str]] = {}
    for image in images:
        number = _id(image, "the id of an image", path)
        name = names[number]
        if "width" in image and "height" in image:
            size = (
                safe_json.number(image["width"], "the width of an image", path),
                safe_json.number(image["height"], "the height of an image", path),
            )
            if min(size) > 0:
                export.add_size(name, size, path, None)
        if isinstance(image.get("file_name"), str):
            export.images.setdefault(name, image["file_name"])
        seers[number] = [owner] if key is None else _people(image, key, path)
        for who in seers[number]:
            export.see(name, who)
    if key is not None and not any(seers.values()):
        # nobody says who saw an image and drew nothing
        export.told = False
    for record in drawn:
        number = _id(record, "the id of an image", path, "image_id")
        if number not in names:
            raise InputError(
                f"has an annotation of image {number!r}, which is not among its images", path=path
            )
        who = owner
        if key is not None:
            own = _people(record, key, path) or seers.get(number, [])
            if len(own) != 1:
                raise InputError(
                    f"annotation {record.get('id', '?')} names {len(own)} annotators under {key!r}",
                    path=path,
                    hint="each needs one; check `annotator_from`",
                )
            (who,) = own
        _draw(record, export.sheet(names[number], who), kinds, path)


def _people(record: Fields, key: str, path: str) -> list[str]:
    """Who stands under a key: a name, or a list of names."""
    given = record.get(key, record.get(f"{key}_list"))
    if given is None:
        return []
    listed = given if isinstance(given, list) else [given]
    return [safe_json.word(who, f"the {key}", path) for who in listed]


def _draw(record: Fields, sheet: Sheet, kinds: Mapping[Any, str], path: str) -> None:
    export, layer = sheet.export, sheet.export.options.layer
    where = f"{path}: annotation {record.get('id', '?')}"
    kind = None
    if record.get("category_id") is not None:
        kind = _id(record, "the category_id", where, "category_id")
    if kind is not None and kinds and kind not in kinds:
        raise InputError(f"has category {kind!r}, which is not among the categories", path=where)
    label = None if kind is None else kinds.get(kind, str(kind))
    for name, sentence in (
        ("keypoints", "keypoints of annotations"),
        ("score", "confidences of detections"),
    ):
        if record.get(name):
            export.leave_out(sentence)
    if record.get("iscrowd"):
        export.assume("annotations stand for a crowd of objects (iscrowd) and are one shape here")
    outline = record.get("segmentation")
    asked = None if layer is None else {w.strip() for w in layer.split(",")}
    if outline and (asked is None or "segmentation" in asked):
        sheet.draw(_polygon(outline, where), label, _layer(asked))
        return
    box = safe_json.listed(record.get("bbox"), "the bbox", where)
    if not box:
        export.leave_out("annotations with neither box nor outline")
        return
    if len(box) != 4:
        raise InputError(f"has a bbox of {len(box)} numbers, not x, y, width, height", path=where)
    x, y, wide, high = (safe_json.number(v, "a number of the bbox", where) for v in box)
    if wide < 0 or high < 0:
        raise InputError(
            f"has a bbox of width {wide:g} and height {high:g}",
            path=where,
            hint="COCO's bbox is x, y, width, height, not two corners",
        )
    sheet.draw((x, y, x + wide, y + high), label, _layer(asked))


def _layer(asked: set[str] | None) -> str:
    """One layer of boxes and polygons, called as it was asked for."""
    return "shapes" if asked is None else sorted(asked)[0]


def _polygon(outline: Any, where: str) -> tuple[tuple[float, float], ...]:
    if isinstance(outline, dict):
        raise InputError(
            "has a mask in run-length encoding (RLE), which accord does not read",
            path=where,
            hint="read the boxes with `layer=bbox`, or export polygons",
        )
    parts = safe_json.listed(outline, "the segmentation", where)
    if parts and not isinstance(parts[0], list):
        parts = [parts]
    if len(parts) > 1:
        raise InputError(
            f"has an outline of {len(parts)} parts; accord compares outlines of one",
            path=where,
            hint="read the boxes with `layer=bbox`",
        )
    numbers = [safe_json.number(v, "a number of the segmentation", where) for v in parts[0]]
    if len(numbers) % 2 or len(numbers) < 6:
        raise InputError(
            f"has an outline of {len(numbers)} numbers; it must be x, y, x, y, … of three points or more",
            path=where,
        )
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _image_names(images: Sequence[Fields], path: str) -> dict[Any, str]:
    """Image id → its file's name, or the id where names are missing or not one each."""
    ids = [_id(image, "the id of an image", path) for image in images]
    if len(set(ids)) < len(ids):
        twice = next(i for i in ids if ids.count(i) > 1)
        raise InputError(f"has two images with the id {twice!r}", path=path)
    files = [image.get("file_name") for image in images]
    named = all(isinstance(f, str) and f for f in files) and len(set(files)) == len(files)
    return dict(zip(ids, map(str, files if named else ids), strict=True))


def _id(record: Fields, what: str, path: str, key: str = "id") -> int | str:
    value = record.get(key)
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise InputError(f"{what} must be a number or a name, got {type(value).__name__}", path=path)


def _categories(whole: Fields, path: str) -> dict[Any, str]:
    found: dict[Any, str] = {}
    for value in safe_json.listed(whole.get("categories"), "the categories", path):
        kind = safe_json.record(value, "a category", path)
        number = _id(kind, "the id of a category", path)
        found[number] = safe_json.word(kind.get("name", number), "the name of a category", path)
    return found


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write one file; the key ``rater`` names who drew a shape, ``rater_list`` who saw an image."""
    if not isinstance(data, Boxes):
        raise UsageError(f"COCO holds boxes, not {data.shape}")
    lost = []
    if data.extras:
        lost.append(f"the further column(s) {', '.join(data.extras)} are not kept")
    images: list[Fields] = []
    for d, name in enumerate(data.documents):
        image: Fields = {"id": d + 1, "file_name": name}
        if (size := data.size_of(name)) is not None:
            image |= {"width": _short(size[0]), "height": _short(size[1])}
        image["rater_list"] = [data.annotators[a] for a in np.flatnonzero(data.coverage[d])]
        images.append(image)
    shapes: list[Fields] = []
    for k, box in enumerate(data):
        record: Fields = {
            "id": k + 1,
            "image_id": int(data.document[k]) + 1,
            "category_id": int(data.label[k]) + 1 if box.label is not None else None,
            "bbox": [_short(v) for v in (box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)],
            "area": _short(float(data.area[k])),
            "segmentation": []
            if box.points is None
            else [[_short(v) for point in box.points for v in point]],
            "iscrowd": 0,
            "rater": box.annotator,
        }
        shapes.append(record)
    whole = {
        "images": images,
        "annotations": shapes,
        "categories": [{"id": k + 1, "name": name} for k, name in enumerate(data.categories)],
    }
    write_text(path, json.dumps(whole, ensure_ascii=False, indent=1))
    return lost


def _short(value: float) -> float | int:
    return int(value) if float(value).is_integer() else float(value)


FORMAT = Format(
    name="coco",
    title="COCO JSON",
    sniff=(
        Sniff(start=b"{", every=(_IMAGES, _ANNOTATIONS, b'"categories"')),
        Sniff(start=b"{", every=(_ANNOTATIONS, _DRAWN), some=(_IMAGES, b'"image_id"')),
        # a long list of images may push the annotations out of sight
        Sniff(start=b"{", every=(*_LISTED, _DRAWN)),
        Sniff(start=b"{", every=_LISTED, none=(Regex(rb"\}\s*\Z"),)),
    ),
    people="key",
    collect=collect,
    write=write,
    suffixes=(".coco.json",),
    holds=("boxes",),
)
