"""CVAT XML: one file of images (or of a video's tracks) for each annotator.

Boxes and polygons are read; a rotated box is a polygon. A frame of a video is the document
``video#frame``. A file is an annotator; `annotator_from=author` takes the assignee of its task instead. An
image that is listed without a shape was seen and nothing was drawn there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from accord.data.values import is_number
from accord.errors import InputError
from accord.files import safe_xml
from accord.files.archive import Entry
from accord.files.safe_xml import Node
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.images.coco import owners_of

#: shapes that are neither boxes nor polygons
_OTHER = ("polyline", "points", "mask", "cuboid", "ellipse", "skeleton", "tag")


def collect(export: Export) -> None:
    """Every box and polygon of every file."""
    export.of_images = True
    files = export.files
    by_assignee = export.options.annotator_from == "author"
    owners = owners_of(export.tree, files, None if by_assignee else export.options)
    for entry in files:
        top = safe_xml.parse(entry.read(), entry.path)
        who = _assignee(top, entry.path) if by_assignee else owners[entry.name]
        _read(top, entry, who, export)


def _assignee(top: Node, path: str) -> str:
    """Who was to annotate the task or job."""
    for of in ("task", "job", "project"):
        if name := top.said("meta", of, "assignee", "username"):
            return name
    raise InputError("names no assignee", path=path, hint="leave `annotator_from` out")


def _read(top: Node, entry: Entry, who: str, export: Export) -> None:
    for image in top.all("image"):
        name = image.get("name") or image.get("id")
        if not name:
            raise image.wrong("has an image without a name")
        sheet = export.see(name, who)
        export.images.setdefault(name, name)
        if image.get("width") and image.get("height"):
            size = (_number(image, "width"), _number(image, "height"))
            export.add_size(name, size, image.path, image.line)
        for shape in image.children:
            _draw(shape, shape.get("label") or None, sheet)
    video = _video(top, entry)
    tracks = list(top.all("track"))
    if tracks:
        _see_frames(top, video, export, tracks)
    for track in tracks:
        for shape in track.children:
            if shape.get("outside") != "1":
                sheet = export.see(f"{video}#{shape.get('frame') or '0'}", who)
                _draw(shape, track.get("label") or None, sheet)


def _video(top: Node, entry: Entry) -> str:
    """The name of the video: the source of the task, its name, or the file's."""
    for way in (
        ("meta", "source"),
        ("meta", "task", "source"),
        ("meta", "task", "name"),
        ("meta", "job", "id"),
    ):
        if name := top.said(*way):
            return name
    return entry.stem


def _see_frames(top: Node, video: str, export: Export, tracks: Iterable[Node]) -> None:
    size = top.find("meta", "task", "original_size") or top.find("meta", "original_size")
    if size is None:
        return
    sides = [size.said(side) for side in ("width", "height")]
    known = [float(side) for side in sides if is_number(side)]
    if len(known) == 2 and min(known) > 0:
        for track in tracks:
            for shape in track.children:
                name = f"{video}#{shape.get('frame') or '0'}"
                export.sizes.setdefault(name, (known[0], known[1]))


def _draw(shape: Node, label: str | None, sheet: Sheet) -> None:
    if shape.tag == "box":
        x0, y0, x1, y1 = (_number(shape, name) for name in ("xtl", "ytl", "xbr", "ybr"))
        turn = _number(shape, "rotation") if shape.get("rotation") else 0.0
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        box = (x0, y0, x1, y1) if turn % 360 == 0 else turned(corners, turn, middle)
        sheet.draw(box, label, "shapes")
    elif shape.tag == "polygon":
        points = tuple(_point(pair, shape) for pair in shape.get("points").split(";") if pair)
        if len(points) < 3:
            raise shape.wrong(f"has a polygon of {len(points)} points in image {sheet.document!r}")
        sheet.draw(points, label, "shapes")
    elif shape.tag in _OTHER:
        what = "masks (RLE)" if shape.tag == "mask" else f"shapes of type {shape.tag}"
        sheet.export.leave_out(what, why="neither boxes nor polygons")


def turned(
    points: Iterable[tuple[float, float]], degrees: float, about: tuple[float, float]
) -> tuple[tuple[float, float], ...]:
    """Points turned clockwise (y points down) about another.

    >>> turned([(1.0, 0.0)], 90, (0.0, 0.0))
    ((0.0, 1.0),)
    """
    angle = math.radians(degrees % 360)
    # quarter turns are exact
    quarter = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}
    cos, sin = quarter.get(int(degrees % 360), (0.0, 0.0)) if degrees % 90 == 0 else (
        math.cos(angle), math.sin(angle))  # fmt: skip
    x0, y0 = about
    return tuple(
        (x0 + (x - x0) * cos - (y - y0) * sin, y0 + (x - x0) * sin + (y - y0) * cos)
        for x, y in points
    )


def _number(node: Node, name: str) -> float:
    text = node.get(name).strip()
    if not is_number(text):
        raise node.wrong(f"the {name} of a {node.tag} must be a number, got {text!r}")
    return float(text)


def _point(pair: str, shape: Node) -> tuple[float, float]:
    parts = pair.split(",")
    if len(parts) != 2 or not all(is_number(p.strip()) for p in parts):
        raise shape.wrong(f"the points of a polygon must be x,y;x,y;…, got {pair[:40]!r}")
    return float(parts[0]), float(parts[1])


FORMAT = Format(
    name="cvat",
    title="CVAT XML",
    sniff=(
        Sniff(
            start=b"<", every=(b"<annotations", b"<image ", b"name="), some=(b"<version>", b"xtl=")
        ),
        Sniff(start=b"<", every=(b"<annotations", b"<track ", b"xtl=")),
    ),
    people="file",
    collect=collect,
)
