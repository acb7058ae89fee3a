"""Cuttings: conversions, windows and edits against direct definitions, degenerate cases."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Segments, Units
from accord.data.segments import (
    masses_of,
    positions_of,
    positions_of_sequence,
    positions_of_string,
    sequence_of,
    string_of,
)
from accord.errors import InputError, UsageError
from accord.measures.segmentation.edits import boundary_edits

cuts = st.sets(st.integers(1, 14), max_size=6).map(sorted)


def cut(who: str, positions, length: int = 15) -> Segments:
    return Segments.from_masses([("d", who, masses_of(np.array(positions, int), length).tolist())])


def matchings(first, second, possible):
    """All sets of pairs that use each element once at most."""
    if not first:
        yield []
        return
    head, rest = first[0], first[1:]
    yield from matchings(rest, second, possible)
    for other in second:
        if possible(head, other):
            remaining = [x for x in second if x != other]
            for pairs in matchings(rest, remaining, possible):
                yield [(head, other), *pairs]


@given(cuts, st.integers(15, 18))
def test_conversions_are_inverse(positions, length):
    array = np.array(positions, dtype=np.int64)
    masses = masses_of(array, length)
    assert masses.sum() == length
    assert positions_of(masses.tolist()).tolist() == positions
    assert positions_of_string(string_of(array, length)).tolist() == positions
    assert positions_of_sequence(sequence_of(array, length).tolist()).tolist() == positions
    data = cut("A", positions, length)
    assert Segments.from_units(data.to_units()).boundaries[0, 0].tolist() == positions


@given(cuts, cuts, st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_windows_by_definition(first, second, k):
    one, two = cut("r", first), cut("s", second)
    inside = [
        [sum(i < p <= i + k for p in side) for i in range(15 - k)] for side in (first, second)
    ]
    differ = sum(a != b for a, b in zip(*inside, strict=True))
    apart = sum((a > 0) != (b > 0) for a, b in zip(*inside, strict=True))
    assert accord.windowdiff(one, two, window=k).value == pytest.approx(differ / (15 - k))
    assert accord.pk(one, two, window=k).value == pytest.approx(apart / (15 - k))
    padded = [
        [sum(i < p <= i + k for p in side) for i in range(-k, 15)] for side in (first, second)
    ]
    wide = sum(a != b for a, b in zip(*padded, strict=True))
    result = accord.windowdiff(one, two, window=k, padding="lamprier")
    assert result.value == pytest.approx(wide / (15 + k))
    terms = accord.winpr(one, two, window=k).terms
    pairs = list(zip(*padded, strict=True))
    assert terms["TP"] == sum(min(a, b) for a, b in pairs)
    assert terms["TP"] + terms["FN"] == k * len(first)
    assert terms["TP"] + terms["FP"] == k * len(second)


@given(cuts, cuts, st.sampled_from([(2, 2, 1), (1, 3, 0.5), (2, 2, 0), (1, 1, 3)]))
@settings(max_examples=60, deadline=None)
def test_ghd_is_minimal(first, second, costs):
    insertion, deletion, shift = costs
    least = min(
        insertion * (len(first) - len(m))
        + deletion * (len(second) - len(m))
        + shift * sum(abs(a - b) for a, b in m)
        for m in matchings(first, second, lambda a, b: True)
    )
    found = accord.ghd(
        cut("r", first), cut("s", second), insertion=insertion, deletion=deletion, shift=shift
    )
    assert found.value == pytest.approx(least)
    assert 0 <= found.terms["normalised"] <= 1


@given(cuts, cuts, st.integers(1, 6))
@settings(max_examples=80, deadline=None)
def test_boundary_edits_are_minimal(first, second, nt):
    rest = [sorted(set(first) - set(second)), sorted(set(second) - set(first))]
    best = min(
        (
            sum(map(len, rest)) - 2 * len(m) + sum(abs(a - b) for a, b in m) / nt,
            sum(abs(a - b) for a, b in m),
        )
        for m in matchings(*rest, lambda a, b: abs(a - b) <= nt - 1)
    )
    found = boundary_edits(np.array(first, int), np.array(second, int), nt=nt)
    assert found.cost == pytest.approx(best[0])
    assert np.abs(np.diff(found.transpositions[:, :2], axis=1)).sum() == best[1]
    assert found.matches == len(set(first) & set(second))


typed = st.sets(st.tuples(st.integers(1, 8), st.integers(0, 2)), max_size=5).map(sorted)


@given(typed, typed, st.integers(1, 4), st.sampled_from(["nominal", "ordinal"]))
@settings(max_examples=80, deadline=None)
def test_typed_edits_are_minimal(first, second, nt, types):
    rest = [sorted(set(first) - set(second)), sorted(set(second) - set(first))]

    def possible(a, b):
        return (a[0] == b[0]) or (a[1] == b[1] and abs(a[0] - b[0]) <= nt - 1)

    def cost(a, b):
        if a[0] != b[0]:
            return abs(a[0] - b[0]) / nt
        return abs(a[1] - b[1]) / 3 if types == "ordinal" else 1

    best = min(
        sum(map(len, rest)) - 2 * len(m) + sum(cost(a, b) for a, b in m)
        for m in matchings(*rest, possible)
    )
    columns = [
        (np.array([p for p, _ in rows], int), np.array([t for _, t in rows], int))
        for rows in (first, second)
    ]
    found = boundary_edits(
        columns[0][0],
        columns[1][0],
        nt=nt,
        first_types=columns[0][1],
        second_types=columns[1][1],
        types=types,
        span=3,
    )
    assert found.cost == pytest.approx(best)


@given(cuts, cuts)
@settings(max_examples=40, deadline=None)
def test_compiled_and_plain_kernel_agree(first, second):
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    from accord.kernels import lines

    source = Path(lines.__file__).parent / "lines.py"
    spec = spec_from_file_location("plain_boundaries", source)
    plain = module_from_spec(spec)
    spec.loader.exec_module(plain)
    a, b = np.array(first, dtype=np.int64), np.array(second, dtype=np.int64)
    for args in ((4.0, 1.0, 3.0), (10.0, 0.0, 20.0)):
        assert lines.match_line(a, b, *args).tolist() == plain.match_line(a, b, *args).tolist()


# --- agreement ---------------------------------------------------------------------------------


def test_boundary_alpha_is_alpha_of_ratings():
    data = Segments.from_masses(
        [
            ("d", "A", [2, 3, 5]),
            ("d", "B", [3, 2, 3, 2]),
            ("d", "C", [2, 8]),
            ("e", "A", [1, 4]),
            ("e", "C", [5]),
        ]
    )
    rows = []
    for who in range(3):
        row = []
        for d, length in enumerate(data.lengths.tolist()):
            marks = data.boundaries.get((d, who))
            row += [None if marks is None else int(p in marks) for p in range(1, length)]
        rows.append(row)
    expected = accord.agree(accord.Ratings.from_matrix(rows), "alpha")
    result = accord.boundary_alpha(data)
    assert result.value == pytest.approx(expected.value)
    assert result.observed == pytest.approx(expected.observed)
    assert accord.agree(data, "boundary-pi", ci="bootstrap", by=["pair", "document"]).by["pair"]


def test_perfect_agreement_and_no_boundary():
    same = Segments.from_masses([("d", "A", [2, 3]), ("d", "B", [2, 3])])
    none = Segments.from_masses([("d", "A", [5]), ("d", "B", [5])])
    for name in ("boundary-pi", "boundary-kappa", "boundary-alpha"):
        assert accord.agree(same, name).value == pytest.approx(1)
        result = accord.agree(none, name)
        assert math.isnan(result.value)
        assert result.undefined == "no annotator places any boundary"
    alone = Segments.from_masses([("d", "A", [2, 3])])
    with pytest.raises(InputError, match="two annotators"):
        accord.boundary_pi(alone)


def test_typed_boundaries_by_type_and_level():
    def hierarchy(who, parts, lines):
        return Segments.from_boundaries(
            [("d", who, p, "part") for p in parts] + [("d", who, p, "line") for p in lines],
            lengths={"d": 20},
            categories=["part", "line"],
        )

    one, two = hierarchy("r", [5, 10], [2, 7, 15]), hierarchy("s", [5, 11], [2, 7, 16])
    result = accord.boundary_similarity(one, two)
    assert {r["type"] for r in result.by["type"]} == {"part", "line"}
    level = {r["level"]: r["value"] for r in result.by["level"]}
    assert level["part"] == pytest.approx(
        accord.boundary_similarity(one.of_type("part"), two.of_type("part")).value
    )
    merged = [cut(w, p, 20) for w, p in (("r", [2, 5, 7, 10, 15]), ("s", [2, 5, 7, 11, 16]))]
    assert level["line"] == pytest.approx(accord.boundary_similarity(*merged).value)
    assert accord.windowdiff(one, two).by["level"]


def test_stacked_levels_round_trip():
    coarse, fine = cut("A", [5]), cut("A", [2, 5, 9])
    both = Segments.stacked({"upper": coarse, "lower": fine})
    assert both.levels()["upper"].boundaries[0, 0].tolist() == [5]
    assert both.levels()["lower"].boundaries[0, 0].tolist() == [2, 5, 9]


# --- degenerate cases --------------------------------------------------------------------------


def test_no_boundary_on_either_side():
    one, two = cut("r", []), cut("s", [])
    assert accord.windowdiff(one, two).value == 0
    assert accord.pk(one, two).value == 0
    assert accord.ghd(one, two).value == 0
    assert accord.boundary_similarity(one, two).value == 1
    assert accord.segmentation_similarity(one, two).value == 1
    assert accord.winpr(one, two).undefined == "neither side has a boundary"


@pytest.mark.parametrize("name", ["windowdiff", "pk"])
def test_window_longer_than_the_text(name):
    result = accord.score(cut("r", [1], 3), cut("s", [2], 3), name, window=5)
    assert math.isnan(result.value)
    assert "shorter than its window" in result.undefined
    pair = [Segments.from_masses([("a", who, [2, 8]), ("b", who, [1, 1])]) for who in ("r", "s")]
    result = accord.score(*pair, name, window=5)
    assert result.value == 0
    assert "too short" in result.warnings[0]


def test_one_atom():
    one, two = (Segments.from_masses([("d", who, [1])]) for who in "rs")
    assert accord.boundary_similarity(one, two).value == 1
    assert "room for a boundary" in accord.segmentation_similarity(one, two).undefined
    assert accord.windowdiff(one, two).undefined


def test_errors_name_the_place():
    with pytest.raises(InputError, match="cuts 15 atoms of document 'd', the system 16"):
        accord.pk(cut("r", [1]), cut("s", [1], 16))
    other = Segments.from_masses([("e", "s", [5, 10])])
    with pytest.raises(InputError, match="document 'd' is missing in the system"):
        accord.pk(cut("r", [1]), other)
    with pytest.raises(InputError, match="2 annotators"):
        accord.pk(Segments.from_masses([("d", "A", [5]), ("d", "B", [5])]), cut("s", [1], 5))
    for option in ({"window": 0}, {"padding": "sideways"}):
        with pytest.raises(UsageError):
            accord.windowdiff(cut("r", [1]), cut("s", [1]), **option)
    with pytest.raises(UsageError):
        accord.boundary_similarity(cut("r", [1]), cut("s", [1]), nt=0)
    with pytest.raises(UsageError):
        accord.ghd(cut("r", [1]), cut("s", [1]), shift=-1)
    gappy = Units.from_rows([("d", "A", 0, 2, None), ("d", "A", 3, 5, None)])
    with pytest.raises(InputError, match="does not cut document 'd' completely"):
        Segments.from_units(gappy)
    with pytest.raises(InputError, match="not inside document"):
        Segments.from_boundaries([("d", "A", 5, None)], lengths={"d": 5})


def test_pooling_and_comparison_of_systems():
    rng = np.random.default_rng(3)
    documents = {f"d{i}": np.sort(rng.choice(np.arange(1, 60), 6, replace=False)) for i in range(8)}

    def annotate(who, moved):
        return Segments.from_boundaries(
            [
                (d, who, int(min(59, p + (moved if i % 2 else 0))), None)
                for d, ps in documents.items()
                for i, p in enumerate(ps)
            ],
            lengths=dict.fromkeys(documents, 60),
        )

    reference = annotate("ref", 0)
    good, bad = (
        accord.score(reference, annotate("sys", m), "windowdiff", ci="bootstrap") for m in (1, 9)
    )
    assert good.interval.low <= good.value <= good.interval.high
    assert good.value == pytest.approx(
        sum(r["errors"] for r in good.by["document"])
        / sum(r["windows"] for r in good.by["document"])
    )
    comparison = accord.compare(good, bad)
    assert comparison.paired
    assert comparison.difference < 0
    assert comparison.interval.high < 0


@pytest.mark.parametrize("names", list(itertools.permutations(["x", "y", "z"])))
def test_order_and_names_do_not_matter(names):
    rows = [("d", names[0], [2, 3, 5]), ("d", names[1], [3, 2, 3, 2]), ("d", names[2], [2, 8])]
    expected = [
        accord.agree(
            Segments.from_masses([("d", w, m) for w, (_, _, m) in zip("abc", rows, strict=True)]), n
        ).value
        for n in ("boundary-pi", "boundary-kappa", "boundary-alpha")
    ]
    found = [
        accord.agree(Segments.from_masses(rows[::-1]), n).value
        for n in ("boundary-pi", "boundary-kappa", "boundary-alpha")
    ]
    assert found == pytest.approx(expected)


def test_gamma_of_cuttings():
    same = Segments.from_masses([("d", who, [4, 6, 5, 3]) for who in "ABC"])
    assert accord.segmentation_gamma(same).value == 1
    near = Segments.from_masses([("d", "A", [4, 6, 5, 3]), ("d", "B", [5, 5, 5, 3])])
    far = Segments.from_masses([("d", "A", [4, 6, 5, 3]), ("d", "B", [9, 1, 1, 7])])
    one, two = (accord.agree(data, "segmentation-gamma", seed=1) for data in (near, far))
    assert one.value > two.value
    assert "positional:hamming" in one.signature
    assert one.signature.startswith("segmentation-gamma|")
    with pytest.raises(InputError, match="two annotators"):
        accord.segmentation_gamma(cut("A", [3]))
