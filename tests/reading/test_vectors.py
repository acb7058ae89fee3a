"""Lists of numbers are vectors, whose agreement needs a distance."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.errors import UsageError

CELLS = [((0.5, 0.1), (0.4, 0.2)), ((0.1, 0.9), (0.2, 0.7)), ((0.3, 0.3), (0.6, 0.1))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rows = [
        {"item": i, "annotator": who, "value": list(v)}
        for i, pair in enumerate(CELLS)
        for who, v in zip("AB", pair, strict=True)
    ]
    file = tmp_path / "v.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_no_distance_is_asked_about(path: Path, accord_command) -> None:  # type: ignore[no-untyped-def]
    for call in (lambda: accord.agree(path), lambda: accord.alpha(accord.read(path))):
        with pytest.raises(UsageError, match="metric='cosine' or metric='euclidean'"):
            call()
    done = accord_command("agree", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--metric cosine or --metric euclidean" in done.stderr


def test_alpha_of_vectors(path: Path) -> None:
    points = np.array(CELLS).reshape(-1, 2)
    distance = np.linalg.norm(points[:, None] - points[None], axis=2)
    observed = np.mean([distance[2 * i, 2 * i + 1] for i in range(3)])
    expected = distance.sum() / (6 * 5)
    assert accord.agree(path, "alpha", metric="euclidean").value == pytest.approx(
        1 - observed / expected
    )


@pytest.mark.parametrize("measure", ["ac2", "weighted-kappa"])
def test_agreement_weights_are_not_for_vectors(measure):
    columns = {"item": list("ijij"), "annotator": list("AABB")}
    values = [[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [2.0, 2.0]]
    with pytest.raises(UsageError, match="for vectors use alpha with cosine"):
        accord.agree({**columns, "value": values}, measure)
