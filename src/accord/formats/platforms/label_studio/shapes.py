"""Rectangles and polygons of Label Studio: per cent of the image, made pixels.

A rectangle may be turned about its upper left corner: it is a polygon then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.errors import InputError
from accord.files import safe_json
from accord.formats.export import Corners, Points, Sheet
from accord.formats.images.cvat import turned

if TYPE_CHECKING:
    from accord.formats.platforms.label_studio.tasks import Result

_ENDINGS = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".svg")


def is_shape(value: dict[str, Any]) -> bool:
    """A rectangle or a polygon, not a mask, an ellipse or a point."""
    rectangle = all(k in value for k in ("x", "y", "width", "height")) and "radiusX" not in value
    return rectangle or isinstance(value.get("points"), list)


def draw(
    result: Result, labels: list[Any], fields: dict[str, Any], sheet: Sheet, where: str
) -> None:
    """Add the shape of a result, once for each of its labels."""
    value, export = result.value, sheet.export
    size = _size(result, sheet, where)
    image = _image(fields)
    if image is not None:
        export.images.setdefault(sheet.document, image)
    shape: Corners | Points
    if "points" in value:
        shape = tuple(
            _pixels(safe_json.listed(p, "a point of a polygon", where), size, where)
            for p in safe_json.listed(value["points"], "the points of a polygon", where)
        )
    else:
        x, y, w, h = (
            safe_json.number(value[k], f"the {k} of a rectangle", where)
            for k in ("x", "y", "width", "height")
        )
        x0, y0 = _pixels([x, y], size, where)
        x1, y1 = _pixels([x + w, y + h], size, where)
        turn = safe_json.number(value.get("rotation") or 0, "the rotation of a rectangle", where)
        shape = (x0, y0, x1, y1)
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


def _pixels(point: list[Any], size: tuple[float, float], where: str) -> tuple[float, float]:
    if len(point) != 2:
        raise InputError(f"has a point of {len(point)} numbers", path=where)
    x, y = (safe_json.number(v, "a coordinate", where) for v in point)
    return x * size[0] / 100, y * size[1] / 100


def _image(fields: dict[str, Any]) -> str | None:
    """The address of the image that was annotated."""
    texts = {k: v for k, v in fields.items() if isinstance(v, str)}
    for key, value in texts.items():
        if key in ("image", "img") or value.lower().split("?")[0].endswith(_ENDINGS):
            return value
    return None
