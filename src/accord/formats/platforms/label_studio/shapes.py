"""Rectangles and polygons of Label Studio: per cent of the image, made pixels.

A rectangle may be turned about its upper left corner: it is a polygon then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.errors import InputError
from accord.files import safe_json
from accord.formats.export import Corners, Points, Sheet
from accord.formats.images.cvat import turned
from accord.formats.records import Number, Struct, shaped

if TYPE_CHECKING:
    from accord.formats.platforms.label_studio.records import Result

_ENDINGS = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".svg")


class _Drawn(Struct):
    """A rectangle, or the points of a polygon."""

    x: Number = 0
    y: Number = 0
    width: Number = 0
    height: Number = 0
    rotation: Number | None = None
    points: list[tuple[Number, Number]] | None = None


def is_shape(value: dict[str, Any]) -> bool:
    """A rectangle or a polygon, not a mask, an ellipse or a point."""
    rectangle = all(k in value for k in ("x", "y", "width", "height")) and "radiusX" not in value
    return rectangle or isinstance(value.get("points"), list)


def draw(
    result: Result, labels: list[Any], fields: dict[str, Any], sheet: Sheet, where: str
) -> None:
    """Add the shape of a result, once for each of its labels."""
    value = shaped(result.value, _Drawn, where)
    wide, high = _size(result, sheet, where)
    image = _image(fields)
    if image is not None:
        sheet.export.images.setdefault(sheet.document, image)
    shape: Corners | Points
    if value.points is not None:
        shape = tuple((x * wide / 100, y * high / 100) for x, y in value.points)
    else:
        x0, x1 = value.x * wide / 100, (value.x + value.width) * wide / 100
        y0, y1 = value.y * high / 100, (value.y + value.height) * high / 100
        shape, turn = (x0, y0, x1, y1), value.rotation or 0.0
        if turn % 360:
            shape = turned([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], turn, (x0, y0))
    for label in labels or [None]:
        sheet.draw(shape, None if label is None else str(label), str(result.from_name))


def _size(result: Result, sheet: Sheet, where: str) -> tuple[float, float]:
    """Width and height of the image; a hundred each where the export does not tell them."""
    wide, high = result.original_width, result.original_height
    if wide is None or high is None:
        if result.value.get("rotation"):
            raise InputError(
                "has a turned rectangle without original_width and original_height",
                path=where,
                hint="per cent of an image of unknown size cannot be turned; export the results with them",
            )
        unknown = (
            "regions do not tell the size of their image (original_width): "
            "per cent are taken as they are"
        )
        sheet.export.assume(unknown)
        wide = high = 100
    size = (
        safe_json.number(wide, "original_width", where),
        safe_json.number(high, "original_height", where),
    )
    if min(size) <= 0:
        raise InputError(f"has an image of {size[0]:g} × {size[1]:g}", path=where)
    sheet.export.add_size(sheet.document, size, where, None)
    return size


def _image(fields: dict[str, Any]) -> str | None:
    """The address of the image that was annotated."""
    texts = {k: v for k, v in fields.items() if isinstance(v, str)}
    for key, value in texts.items():
        if key in ("image", "img") or value.lower().split("?")[0].endswith(_ENDINGS):
            return value
    return None
