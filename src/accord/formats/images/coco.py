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
from accord.formats.records import Name, Number, Struct, record, shaped
from accord.formats.writing import write_text

_IMAGES = Regex(rb'"images"\s*:\s*\[')
_ANNOTATIONS = Regex(rb'"annotations"\s*:\s*\[')
_DRAWN = Regex(rb'"(bbox|segmentation)"')
_LISTED = (_IMAGES, b'"file_name"', b'"width"', b'"height"')
#: keys that people put the annotator under
_OWN = ("rater", "annotator", "annotator_id", "worker", "worker_id")
Fields = dict[str, Any]
Key = int | str


class _Image(Struct):
    id: Key
    file_name: Any = None
    width: Number = 0
    height: Number = 0


class _Drawn(Struct):
    image_id: Key
    id: Any = "?"
    category_id: Key | None = None
    bbox: Any = None
    segmentation: Any = None
    keypoints: Any = None
    score: Any = None
    iscrowd: Any = None


class _Category(Struct):
    id: Key
    name: Name | None = None


class _Whole(Struct):
    """What the file says; who drew and who saw stands under any key of images and annotations."""

    images: list[Fields] | None = None
    annotations: list[Fields] | None = None
    categories: list[_Category] | None = None


def collect(export: Export) -> None:
    """Every annotation of every file."""
    export.of_images = True
    files = export.files
    own = export.options.annotator_from in ("folder", "file") or export.options.path is not None
    owners = owners_of(export.tree, files, export.options if own else None)
    key = None if own else export.options.annotator_from
    for entry in files:
        _read(record(entry, _Whole), entry, owners[entry.name], key, own, export)


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
    whole: _Whole, entry: Entry, owner: str, key: str | None, forced: bool, export: Export
) -> None:
    path, listed, drawn = entry.path, whole.images or [], whole.annotations or []
    if key is None and not forced:
        key = _own_key(listed, drawn)
        if key is not None:
            export.record.assume(
                f"the key {key!r} names the annotators", ("annotator_from", "file")
            )
    elif key is not None and not any(key in x or f"{key}_list" in x for x in (*listed, *drawn)):
        raise InputError(
            f"has no key {key!r} in its images or annotations",
            path=path,
            hint="check `annotator_from`",
        )
    images = shaped(listed, list[_Image], path, place="images")
    shapes = shaped(drawn, list[_Drawn], path, place="annotations")
    names = _image_names(images, path)
    kinds = {kind.id: kind.name or str(kind.id) for kind in whole.categories or ()}
    seers: dict[Key, list[str]] = {}
    for fields, image in zip(listed, images, strict=True):
        name = names[image.id]
        if min(image.width, image.height) > 0:
            export.add_size(name, (image.width, image.height), path, None)
        if isinstance(image.file_name, str):
            export.images.setdefault(name, image.file_name)
        seers[image.id] = [owner] if key is None else _people(fields, key, path)
        for who in seers[image.id]:
            export.see(name, who)
    if key is not None and not any(seers.values()):
        # nobody says who saw an image and drew nothing
        export.told = False
    for fields, shape in zip(drawn, shapes, strict=True):
        if shape.image_id not in names:
            raise InputError(
                f"has an annotation of image {shape.image_id!r}, which is not among its images",
                path=path,
            )
        own = [owner]
        if key is not None:
            own = _people(fields, key, path) or seers.get(shape.image_id, [])
        if len(own) != 1:
            raise InputError(
                f"annotation {shape.id} names {len(own)} annotators under {key!r}",
                path=path,
                hint="each needs one; check `annotator_from`",
            )
        _draw(shape, export.sheet(names[shape.image_id], own[0]), kinds, path)


def _own_key(images: Sequence[Fields], drawn: Sequence[Fields]) -> str | None:
    """The key that names annotators by itself; who drew nothing may still be listed as having seen."""
    for key in _OWN:
        listed = any(f"{key}_list" in image for image in images)
        if all(key in shape for shape in drawn) and (drawn or listed):
            return key
    return None


def _people(fields: Fields, key: str, path: str) -> list[str]:
    """Who stands under a key: a name, or a list of names."""
    given = fields.get(key, fields.get(f"{key}_list"))
    if given is None:
        return []
    listed = given if isinstance(given, list) else [given]
    return [safe_json.word(who, f"the {key}", path) for who in listed]


def _draw(shape: _Drawn, sheet: Sheet, kinds: Mapping[Key, str], path: str) -> None:
    export, layer, kind = sheet.export, sheet.export.options.layer, shape.category_id
    where = f"{path}: annotation {shape.id}"
    if kind is not None and kinds and kind not in kinds:
        raise InputError(f"has category {kind!r}, which is not among the categories", path=where)
    label = None if kind is None else kinds.get(kind, str(kind))
    if shape.keypoints:
        export.leave_out("keypoints of annotations")
    if shape.score:
        export.leave_out("confidences of detections")
    if shape.iscrowd:
        export.assume("annotations stand for a crowd of objects (iscrowd) and are one shape here")
    asked = None if layer is None else {w.strip() for w in layer.split(",")}
    if shape.segmentation and (asked is None or "segmentation" in asked):
        sheet.draw(_polygon(shape.segmentation, where), label, _layer(asked))
        return
    box = shaped(shape.bbox or [], list[Number], where, place="bbox")
    if not box:
        export.leave_out("annotations with neither box nor outline")
        return
    if len(box) != 4:
        raise InputError(f"has a bbox of {len(box)} numbers, not x, y, width, height", path=where)
    x, y, wide, high = box
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
    parts = shaped(outline, list[Any], where, place="segmentation")
    if not isinstance(parts[0], list):
        parts = [parts]
    if len(parts) > 1:
        raise InputError(
            f"has an outline of {len(parts)} parts; accord compares outlines of one",
            path=where,
            hint="read the boxes with `layer=bbox`",
        )
    numbers = shaped(parts[0], list[Number], where, place="segmentation")
    if len(numbers) % 2 or len(numbers) < 6:
        raise InputError(
            f"has an outline of {len(numbers)} numbers; it must be x, y, x, y, … of three points or more",
            path=where,
        )
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _image_names(images: Sequence[_Image], path: str) -> dict[Key, str]:
    """Image id → its file's name, or the id where names are missing or not one each."""
    ids = [image.id for image in images]
    if len(set(ids)) < len(ids):
        twice = next(i for i in ids if ids.count(i) > 1)
        raise InputError(f"has two images with the id {twice!r}", path=path)
    files = [image.file_name for image in images]
    named = all(isinstance(f, str) and f for f in files) and len(set(files)) == len(files)
    return dict(zip(ids, map(str, files if named else ids), strict=True))


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
