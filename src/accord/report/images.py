"""Images with the shapes of all annotators, worst first: a page that needs no network.

An image is embedded where a folder of images is given, else an empty frame of its size stands for it.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.alignment.alignment import Alignment, real_pairs
from accord.data import Boxes
from accord.data.header import under_title
from accord.distance.boxes import Geometry
from accord.errors import InputError
from accord.report.explorer import embeddable
from accord.report.palette import OUTLINES
from accord.report.template import page, style

SCRIPTS = ("images.js",)
STYLES = ("page.css", "images.css")
#: bytes of images embedded at most; those of further images stay out, and the page says so
_MOST_PICTURES = 48_000_000
_KINDS = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
}
#: an empty frame around shapes in an image of unknown size
_MARGIN = 0.06


@dataclass(frozen=True, slots=True)
class Images:
    """What the template needs: its data, and what had to stay out."""

    data: str
    one: bool
    left_out: str


def images_explorer(
    boxes: Boxes,
    alignments: Sequence[Alignment],
    *,
    media: str | Path | None = None,
    most_bytes: int | None = None,
) -> Images:
    """Pack the images, those of most disorder first; beyond `most_bytes` the rest stays out."""
    files = {} if media is None else _pictures(boxes, Path(media))
    order = np.argsort([-np.nan_to_num(a.disorder) for a in alignments], kind="stable")
    number = {name: k for k, name in enumerate(boxes.annotators)}
    shapes = Geometry.of(boxes)
    packed: list[dict[str, Any]] = []
    used = pictures = 0
    without = 0
    for k in order.tolist():
        a = alignments[k]
        document = _compact(boxes, a, number, shapes)
        size = len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())
        if most_bytes is not None and used + size > most_bytes and packed:
            break
        file = files.get(a.document)
        if file is not None:
            length = file.stat().st_size
            if pictures + length > _MOST_PICTURES:
                without += 1
            else:
                pictures += length
                document["i"] = _data_uri(file)
        used += size
        packed.append(document)
    said = []
    if len(packed) < len(alignments):
        said.append(
            f"The {len(packed)} images with the most disorder of {len(alignments)} are shown; "
            "accord align --csv lists them all."
        )
    if without:
        said.append(f"{without} images are too many to be embedded: their frames are shown.")
    if media is not None and (lacking := len(alignments) - len(files)):
        said.append(f"The folder holds no file for {lacking} images: their frames are shown.")
    data = {
        "annotators": list(boxes.annotators),
        "palette": list(OUTLINES),
        "labels": list(boxes.categories),
        "images": packed,
    }
    return Images(embeddable(data), len(alignments) == 1, " ".join(said))


def images_html(
    boxes: Boxes,
    alignments: Sequence[Alignment],
    *,
    title: str = "Shapes of all annotators",
    media: str | Path | None = None,
) -> str:
    """A page of its own: each image with all shapes, a legend, the aligned groups; keys to move."""
    packed = images_explorer(boxes, alignments, media=media)
    groups = sum(len(a) for a in alignments)
    about = (
        f"{_count(len(alignments), 'image')}, {_count(len(boxes.annotators), 'annotator')}, "
        f"{_count(len(boxes), 'shape')} in {_count(groups, 'group')}"
    )
    return page(
        "images_page.html",
        *SCRIPTS,
        title=title,
        about=about,
        read=under_title(boxes.reading),
        images=packed,
        style=style(*STYLES),
    )


def _compact(
    boxes: Boxes, alignment: Alignment, number: dict[str, int], shapes: Geometry
) -> dict[str, Any]:
    """One image: its name, disorder, frame, who saw it, and the shapes of every group."""
    d = boxes.documents.index(alignment.document)
    rows = alignment.members[alignment.members >= 0]
    size = boxes.size_of(alignment.document)
    if size is not None:
        frame = [0.0, 0.0, *size]
    elif len(rows):
        x0, y0 = float(boxes.x0[rows].min()), float(boxes.y0[rows].min())
        x1, y1 = float(boxes.x1[rows].max()), float(boxes.y1[rows].max())
        margin = _MARGIN * max(x1 - x0, y1 - y0)
        frame = [x0 - margin, y0 - margin, x1 - x0 + 2 * margin, y1 - y0 + 2 * margin]
    else:
        frame = [0.0, 0.0, 100.0, 100.0]
    group, one, two = real_pairs(alignment.members)
    least = np.ones(len(alignment))
    np.minimum.at(least, group, shapes.iou(one, two, shapes.shared(one, two)))
    groups = [
        {
            "d": round(disorder, 4),
            "u": round(float(least[k]), 3),
            "s": [_shape(boxes, row, number[who])
                  for who, row in zip(alignment.annotators, members.tolist(), strict=True) if row >= 0],
        }
        for k, (members, disorder) in enumerate(alignment)
    ]  # fmt: skip
    return {
        "n": boxes.documents[d],
        "d": None if np.isnan(alignment.disorder) else round(alignment.disorder, 4),
        "f": [_short(v) for v in frame],
        "known": size is not None,
        "a": [number[who] for who in alignment.annotators],
        "g": groups,
    }


def _shape(boxes: Boxes, row: int, who: int) -> list[Any]:
    corners = [_short(float(getattr(boxes, name)[row])) for name in ("x0", "y0", "x1", "y1")]
    outline = None if boxes.outlines is None else boxes.outlines[row]
    points = [] if outline is None else [[_short(v) for v in p] for p in outline.tolist()]
    return [who, int(boxes.label[row]), *corners, *([points] if points else [])]


def _short(value: float) -> float | int:
    return int(value) if value.is_integer() else round(value, 3)


def _pictures(boxes: Boxes, folder: Path) -> dict[str, Path]:
    """The file of each image: by the name the data give, or called like the document."""
    if not folder.is_dir():
        raise InputError("is not a folder of images", path=folder, hint="check `media`")
    there: dict[str, Path] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in _KINDS:
            there.setdefault(path.name, path)
            there.setdefault(path.stem, path)
            there.setdefault(path.relative_to(folder).as_posix(), path)
    found = {}
    for d, name in enumerate(boxes.documents):
        told = None if boxes.images is None else boxes.images[d]
        for known in (told, name):
            if known is None:
                continue
            bare = known.split("?")[0]
            file = there.get(bare) or there.get(bare.rpartition("/")[2])
            if file is not None:
                found[name] = file
                break
    return found


def _data_uri(file: Path) -> str:
    try:
        content = base64.b64encode(file.read_bytes()).decode()
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=file) from None
    return f"data:{_KINDS[file.suffix.lower()]};base64,{content}"


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}".replace(",", "\u202f")
