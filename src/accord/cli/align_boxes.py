"""``accord align`` on boxes: the shapes of all annotators, image by image."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord.alignment.alignment import Alignment
    from accord.data import Boxes


def align_boxes(
    boxes: Boxes,
    options: Mapping[str, Any],
    *,
    objective: str,
    method: str,
    jobs: int,
    csv: Path | None,
    html: Path | None,
    media: Path | None,
    as_json: bool,
) -> None:
    """Align, write what was asked for, and print a table or one JSON document."""
    from accord.alignment.align import align, alignment_signature
    from accord.cli.output import print_json, say
    from accord.measures.gamma.options import weights_of

    chosen = dict(options)
    if "feature_weights" in chosen:
        chosen["feature_weights"] = weights_of(chosen["feature_weights"])
    found = align(boxes, **chosen, objective=objective, method=method, jobs=jobs)
    if csv is not None:
        from accord.report.alignment_table import write_alignment_csv

        write_alignment_csv(boxes, found, csv)
    if html is not None:
        from accord.formats.atomic import write_text
        from accord.report.images import images_html

        write_text(html, images_html(boxes, found, media=media))
    own = {k: v for k, v in chosen.items() if k != "time_limit"}
    signature = alignment_signature(boxes, found, **own)
    if as_json:
        print_json(
            {
                "documents": [_document(boxes, a) for a in found],
                "signature": signature,
                "warnings": list(boxes.notes),
            }
        )
        return
    say(boxes.notes)
    _print(boxes, found, signature)


def _document(boxes: Boxes, alignment: Alignment) -> dict[str, Any]:
    shapes = list(boxes)

    def shape(row: int) -> list[Any] | None:
        if row < 0:
            return None
        box = shapes[row]
        place: list[Any] = [box.x0, box.y0, box.x1, box.y1]
        if box.points is not None:
            place = [[list(point) for point in box.points]]
        return [*place, box.label]

    return {
        "document": alignment.document,
        "disorder": None if alignment.disorder != alignment.disorder else alignment.disorder,
        "bound": None if alignment.bound != alignment.bound else alignment.bound,
        "gap": 0.0 if alignment.gap != alignment.gap else alignment.gap,
        "unitary": [
            {
                "disorder": disorder,
                "units": {
                    name: shape(row)
                    for name, row in zip(alignment.annotators, members.tolist(), strict=True)
                },
            }
            for members, disorder in alignment
        ],
    }


def _print(boxes: Boxes, found: Sequence[Alignment], signature: str) -> None:
    from rich.console import Console

    from accord.report.tables import rows_table

    rows = []
    for a in sorted(found, key=lambda a: -a.disorder if len(a) else 1.0)[:50]:
        present = (a.members >= 0).sum(axis=1)
        rows.append(
            {
                "image": a.document,
                "annotators": len(a.annotators),
                "shapes": int(present.sum()),
                "aligned": int((present > 1).sum()),
                "alone": int((present == 1).sum()),
                "disorder": a.disorder,
                "gap": 0.0 if not len(a) else a.gap,
            }
        )
    console = Console()
    console.print(rows_table("images, worst first", rows, most=50))
    if len(found) > 50:
        console.print(f"… and {len(found) - 50} more images (all with --json or --csv)")
    console.print(signature, style="dim", highlight=False, markup=False)
