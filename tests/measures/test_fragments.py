"""Discontinuous units as sets of their fragments, against sets of atoms and every alignment there is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import accord
from accord.alignment.align import align
from accord.chance.rotation import Manner
from accord.data import Units
from accord.data.continuum import Pieces, documents_of
from accord.data.statements import Statement
from accord.distance.units import unit_dissimilarity
from accord.errors import InputError, UsageError
from accord.kernels.dissimilarity import set_positions
from accord.report.alignment import alignment_svg
from accord.report.scene import compact, scene
from tests.kernels.test_kernels import uncompiled
from tests.oracles.alignment import best_alignments


def distance(a, b):
    """(D/(|A| + |B|))² from the atoms that each covers (METHODS: fragments)."""
    one, two = ({x for s, e in places for x in range(s, e)} for places in (a, b))
    hulls = abs(min(one) - min(two)) + abs(max(one) - max(two))
    d = len(one ^ two) if one & two else max(len(one) + len(two), hulls)
    return (d / (len(one) + len(two))) ** 2


def places_at_random(rng):
    edges = np.sort(rng.choice(30, 2 * int(rng.integers(1, 4)), replace=False)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def test_the_distance_is_that_of_sets():
    rng = np.random.default_rng(0)
    units = [places_at_random(rng) for _ in range(60)]
    pieces = Pieces.of(units)
    first, second = (x.ravel() for x in np.indices((60, 60)))
    arguments = (first, second, pieces.offsets, pieces.start, pieces.end, 1.0)
    found = set_positions(*arguments)
    wanted = [distance(units[i], units[j]) for i, j in zip(first, second, strict=True)]
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    np.testing.assert_array_equal(found, uncompiled("dissimilarity").set_positions(*arguments))
    # intervals keep the formula of intervals
    d = unit_dissimilarity([])
    whole = [i for i, own in enumerate(units) if len(own) == 1]
    start, end = (np.array([units[i][0][k] for i in whole], float) for k in (0, 1))
    a, b = (x.ravel() for x in np.indices((len(whole), len(whole))))
    plain = d.position(start[a], end[a], start[b], end[b], 1.0)
    np.testing.assert_allclose(plain, [distance(units[whole[i]], units[whole[j]])
                                       for i, j in zip(a, b, strict=True)])  # fmt: skip


def with_fragments(rows, **options):
    """Units from (document, annotator, places, label)."""
    plain = Units.from_rows(
        [(d, a, min(s for s, _ in p), max(e for _, e in p), c) for d, a, p, c in rows], **options
    )
    said = {}
    for k, (d, a, p, c) in enumerate(rows):
        said.setdefault((d, a), []).append(Statement(f"T{k}", "unit", c, places=tuple(p)))
    return replace(plain, statements={key: tuple(held) for key, held in said.items()})


@pytest.mark.parametrize("objective", ["gamma", "holistic"])
def test_the_best_of_all_alignments(objective):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        rows = [
            ("d", a, places_at_random(rng), str(rng.choice(["x", "y"])))
            for a in "ABC"
            for _ in "12"
        ]
        (found,) = align(with_fragments(rows), objective=objective)
        assert found.proven
        factor, delta = (4.0, 4.0) if objective == "holistic" else (1.0, 1.0)
        # the oracle looks a unit's places up by its number
        units = [("ABC".index(a), k, k, c) for k, (_, a, _, c) in enumerate(rows)]

        def between(u, v, rows=rows, factor=factor, delta=delta):
            return factor * distance(rows[u[1]][2], rows[v[1]][2]) + delta * (u[3] != v[3])

        least, _ = best_alignments(units, between, delta, 3, mean=objective == "holistic")
        value = found.disorder if objective == "holistic" else found.disorder * 2
        assert value == pytest.approx(least, abs=1e-9)


def test_a_gap_that_both_leave_out_is_agreement():
    rows = [("d", a, [(0, 4), (20, 24)], "x") for a in "AB"]
    rows += [("d", "A", [(40, 50)], "x"), ("d", "B", [(41, 50)], "x")]
    rows += [("d", "C", [(0, 24)], "x"), ("d", "C", [(40, 50)], "x")]
    data = with_fragments(rows, lengths={"d": 100})
    apart, hull = (align(data, fragments=how)[0].disorder for how in ("sets", "hull"))
    # A and B cover 8, C covers 24: D = 16
    assert apart == pytest.approx((2 * (16 / 32) ** 2 / 3 + 2 * (1 / 19) ** 2 / 3) / 2)
    assert hull == pytest.approx(2 * (1 / 19) ** 2 / 3 / 2)
    assert "fragments:hull" in accord.agree(data, "gamma", fragments="hull").signature


def test_chance_moves_fragments_with_their_hull():
    rng = np.random.default_rng(3)
    rows = [("d", a, places_at_random(rng), "x") for a in "AB" for _ in range(5)]
    (document,) = documents_of(with_fragments(rows, lengths={"d": 90}))
    drawn = Manner.of(document.continuum).turned(np.random.default_rng(0))
    pieces = drawn.pieces
    np.testing.assert_allclose(pieces.start[pieces.offsets[:-1]], drawn.start)
    np.testing.assert_allclose(pieces.end[pieces.offsets[1:] - 1], drawn.end)
    was = document.continuum.pieces
    shapes = [
        [
            tuple(
                np.round((p.start[a:b] - p.start[a], p.end[a:b] - p.start[a]), 6).ravel().tolist()
            )
            for a, b in pairwise(p.offsets)
        ]
        for p in (was, pieces)
    ]
    assert sorted(shapes[0]) == sorted(shapes[1])


def test_independent_annotators_get_nothing():
    values = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rows = []
        for a in "ABC":
            for _ in range(8):
                sizes = rng.uniform(5, 20, 3)
                at = rng.uniform(0, 400 - sizes.sum())
                rows.append(
                    ("d", a, [(at, at + sizes[0]), (at + sizes[:2].sum(), at + sizes.sum())], "x")
                )
        values.append(
            accord.agree(
                with_fragments(rows, lengths={"d": 400}), "gamma", seed=seed, ci=None
            ).value
        )
    assert abs(np.mean(values)) < 2.5 * np.std(values) / np.sqrt(60) + 0.02


def test_brat_keeps_them(tmp_path):
    for who, places in (("ann", "0 4;20 24"), ("bob", "0 4;20 24"), ("cid", "0 24")):
        (tmp_path / who).mkdir()
        (tmp_path / who / "d.ann").write_text(f"T1\tX {places}\tabcd abcd\n", encoding="utf-8")
        (tmp_path / who / "d.txt").write_text(
            "abcd" + "-" * 16 + "abcd" + "-" * 40, encoding="utf-8"
        )
    data = accord.read(tmp_path)
    (document,) = documents_of(data)
    assert document.continuum.pieces is not None
    assert align(data)[0].disorder > align(data, fragments="hull")[0].disorder


def test_other_chances_are_refused():
    data = with_fragments([("d", a, [(0, 4), (20, 24)], "x") for a in "AB"])
    with pytest.raises(UsageError, match="rotation"):
        accord.agree(data, "gamma", chance="shuffle")
    with pytest.raises(UsageError, match="sets or hull"):
        align(data, fragments="both")


def test_gaps_are_drawn():
    rows = [("d", a, [(0, 4), (20, 24), (30, 34)], "x") for a in "AB"] + [
        ("d", "B", [(40, 50)], "x")
    ]
    data = with_fragments(rows, lengths={"d": 60})
    alignments = align(data)
    assert scene(data, alignments[0]).gaps == ((0, 4, 20), (0, 24, 30), (1, 4, 20), (1, 24, 30))
    assert alignment_svg(data, alignments[0]).count('class="gap"') == 8
    assert "disorder" in alignments[0]._repr_html_()
    assert compact(scene(data, alignments[0]))["b"] == [
        [0, 4, 20],
        [0, 24, 30],
        [1, 4, 20],
        [1, 24, 30],
    ]


def test_an_alignment_draws_itself(tmp_path):
    rows = [("d", a, [(0, 4), (20, 24)], "x") for a in "AB"]
    data = with_fragments(rows, lengths={"d": 60})
    (found,) = align(data)
    picture = found.plot(data, time="s")
    assert picture.alignments == (found,)
    for name in ("a.svg", "a.html"):
        picture.save(tmp_path / name)
    assert (tmp_path / "a.svg").read_text().count('class="gap"') == 4
    assert '"b":[[0,4,20],[1,4,20]]' in (tmp_path / "a.html").read_text().replace(" ", "")
    pytest.importorskip("matplotlib")
    picture.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 1000


TABLE = """document,annotator,start,end,label,fragments
d,A,0,9,x,0-3;7-9
d,A,20,24,y,
d,B,0,9,x,0-3; 6-9
d,B,20,25,,
"""


def test_fragments_in_a_table(tmp_path):
    path = tmp_path / "units.csv"
    path.write_text(TABLE)
    data = accord.read(path)
    whole = [[(0, 3), (7, 9)], [(20, 24)]], [[(0, 3), (6, 9)], [(20, 25)]]
    rows = [("d", a, p, c) for a, own in zip("AB", whole, strict=True)
            for p, c in zip(own, "xy" if a == "A" else ("x", None), strict=True)]  # fmt: skip
    one, two = (align(x)[0].disorder for x in (data, with_fragments(rows)))
    assert one == two < align(data, fragments="hull")[0].disorder + 1
    assert one != align(data, fragments="hull")[0].disorder
    frame = pd.read_csv(path)
    assert align(accord.read(frame))[0].disorder == one
    accord.write(data, tmp_path / "again.csv")
    assert align(accord.read(tmp_path / "again.csv"))[0].disorder == one


@pytest.mark.parametrize(
    ("cell", "said"), [("0 to 3", "0-3;7-9"), ("0-3;9-7", "0-3;7-9"), ("0-3;7-8", "from 0 to 9")]
)
def test_fragments_that_are_none(tmp_path, cell, said):
    path = tmp_path / "units.csv"
    path.write_text(TABLE.replace("0-3;7-9", cell))
    with pytest.raises(InputError, match=r"units\.csv:2: .*" + said):
        accord.read(path)
