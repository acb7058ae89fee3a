"""The unitizing family against direct definitions on atoms; pooling; degenerate cases."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Units
from accord.errors import InputError, UsageError

FAMILY = ("u-alpha", "bar-u-alpha", "cu-alpha")


@st.composite
def records(draw, documents=(1, 2), coders=(2, 4), longest=14, labels="xyz"):
    """Whole-number continua without overlap: {document: (length, {coder: [(start, end, label)]})}."""
    found = {}
    for d in range(draw(st.integers(*documents))):
        length = draw(st.integers(6, longest))
        people = {}
        for c in range(draw(st.integers(*coders))):
            edges = draw(st.lists(st.integers(0, length), unique=True, max_size=7).map(sorted))
            units = []
            for start, end in itertools.pairwise(edges):
                label = draw(st.sampled_from([None, *labels]))
                if label is not None:
                    units.append((start, end, label))
            people[f"coder{c}"] = units
        found[f"doc{d}"] = (length, people)
    return found


def build(found) -> Units:
    return Units.from_rows(
        [
            (d, c, s, e, label)
            for d, (_, people) in found.items()
            for c, units in people.items()
            for s, e, label in units
        ],
        lengths={d: length for d, (length, _) in found.items()},
        coverage=[(d, c) for d, (_, people) in found.items() for c in people],
    )


def direct(found):
    """u-α, |u-α, cu-α and (k)u-α from their definitions, atom by atom and unit by unit."""
    observed, margin, Q, margin_, Q_ = {}, {}, {}, {}, {}
    total = 0
    for length, people in found.values():
        m = len(people)
        total += m * length
        at = {c: ["φ"] * length for c in people}
        for c, units in people.items():
            for s, e, label in units:
                at[c][s:e] = [label] * (e - s)
        for c, k in itertools.permutations(people, 2):
            for a, b in zip(at[c], at[k], strict=True):
                observed[a, b] = observed.get((a, b), 0) + 1 / (m - 1)
        for c, units in people.items():
            for a in at[c]:
                margin[a] = margin.get(a, 0) + 1
            Q["φ"] = Q.get("φ", 0) + at[c].count("φ")
            for s, e, label in units:
                Q[label] = Q.get(label, 0) + (e - s) ** 2
                w = sum(at[k][i] != "φ" for k in people if k != c for i in range(s, e)) / (m - 1)
                Q_[label] = Q_.get(label, 0) + w**2
                margin_[label] = margin_.get(label, 0) + w

    def chance(margin, Q):
        every = sum(margin.values())
        below = every**2 - sum(Q.values())
        return {
            (a, b): every * (margin[a] * margin[b] - (a == b) * Q.get(a, 0)) / below
            for a in margin
            for b in margin
        }

    out = {}
    if sum(v > 0 for v in margin.values()) > 1:
        E = chance(margin, Q)
        out["u-alpha"] = 1 - (total - sum(observed.get((a, a), 0) for a in margin)) / (
            total - sum(E[a, a] for a in margin)
        )
        if margin.get("φ"):
            apart = sum(v for (a, b), v in observed.items() if a == "φ" != b)
            by_chance = sum(v for (a, b), v in E.items() if a == "φ" != b)
            out["bar-u-alpha"] = 1 - apart / by_chance
    if sum(v > 0 for v in margin_.values()) > 1:
        E = chance(margin_, Q_)
        valued = {(a, b): v for (a, b), v in observed.items() if "φ" not in (a, b)}
        out["cu-alpha"] = 1 - sum(v for (a, b), v in valued.items() if a != b) / sum(
            v for (a, b), v in E.items() if a != b
        )
        for k, v in margin_.items():
            if v > 0:
                column = sum(E[a, k] for a in margin_)
                D_e = (column - E[k, k]) / column
                out["ku-alpha", k] = 1 - (v - valued.get((k, k), 0)) / v / D_e
    return out


@given(records())
@settings(max_examples=120, deadline=None)
def test_the_2016_family_by_definition(found):
    data = build(found)
    expected = direct(found)
    for name in FAMILY:
        result = accord.agree(data, name)
        if name in expected:
            assert result.value == pytest.approx(expected[name], abs=1e-9)
            assert result.value == pytest.approx(1 - result.observed / result.expected, abs=1e-9)
        else:
            assert math.isnan(result.value)
            assert result.undefined
    for result in accord.agree(data, "ku-alpha"):
        if "category" not in result.terms:
            assert result.undefined
            continue
        key = ("ku-alpha", result.terms["category"])
        if key in expected:
            assert result.value == pytest.approx(expected[key], abs=1e-9)
        else:
            assert result.undefined


@given(records(documents=(2, 3), coders=(3, 3)))
@settings(max_examples=40, deadline=None)
def test_documents_pool_as_one_continuum(found):
    offset, joined = 0, {}
    for length, people in found.values():
        for c, units in people.items():
            joined.setdefault(c, []).extend((s + offset, e + offset, x) for s, e, x in units)
        offset += length
    for name in FAMILY:
        apart = accord.agree(build(found), name).value
        whole = accord.agree(build({"all": (offset, joined)}), name).value
        assert apart == pytest.approx(whole, abs=1e-9, nan_ok=True)


def test_alpha_u_must_not_be_concatenated():
    one = {"A": [(0, 4, "x")], "B": [(1, 4, "x")]}
    two = {"A": [(2, 9, "x")], "B": [(5, 9, "x")]}
    apart = accord.agree(build({"d": (10, one), "e": (12, two)}), "alpha-u").value
    joined = {c: one[c] + [(s + 10, e + 10, x) for s, e, x in two[c]] for c in one}
    whole = accord.agree(build({"all": (22, joined)}), "alpha-u").value
    assert abs(apart - whole) > 0.01


def alpha_u_by_definition(length, people):
    """D_o and D_e of each category from the list of sections, units and gaps."""
    out = {}
    m, L = len(people), length
    for c in sorted({x for units in people.values() for _, _, x in units}):
        sections = {}
        for who, units in people.items():
            row, at = [], 0
            for s, e, x in units:
                if x != c:
                    continue
                if s > at:
                    row.append((at, s, False))
                row.append((s, e, True))
                at = e
            if at < L:
                row.append((at, L, False))
            sections[who] = row
        total = 0.0
        for one, two in itertools.combinations(people, 2):
            for a in sections[one]:
                for b in sections[two]:
                    if min(a[1], b[1]) <= max(a[0], b[0]):
                        continue
                    if a[2] and b[2]:
                        total += (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
                    elif a[2] and b[0] <= a[0] and a[1] <= b[1]:
                        total += (a[1] - a[0]) ** 2
                    elif b[2] and a[0] <= b[0] and b[1] <= a[1]:
                        total += (b[1] - b[0]) ** 2
        units = [e - s for row in sections.values() for s, e, unit in row if unit]
        gaps = [e - s for row in sections.values() for s, e, unit in row if not unit]
        above = sum(
            (len(units) - 1) * (2 * x**3 - 3 * x**2 + x) / 3
            + x**2 * sum(g - x + 1 for g in gaps if g >= x)
            for x in units
        )
        below = m * L * (m * L - 1) - sum(x * (x - 1) for x in units)
        out[c] = (2 * total / (m * (m - 1) * L**2), 2 / L * above / below)
    return out


@given(records())
@settings(max_examples=80, deadline=None)
def test_alpha_u_by_definition(found):
    result = accord.agree(build(found), "alpha-u")
    totals = {}
    for length, people in found.values():
        for c, (D_o, D_e) in alpha_u_by_definition(length, people).items():
            before = totals.get(c, (0.0, 0.0))
            totals[c] = (before[0] + D_o, before[1] + D_e)
    if not totals:
        assert result.undefined == "there is no unit"
        return
    for row in result.by["category"]:
        D_o, D_e = totals[row["category"]]
        assert row["observed"] == pytest.approx(D_o)
        assert row["expected"] == pytest.approx(D_e)
    D_o, D_e = (sum(x[i] for x in totals.values()) for i in (0, 1))
    if D_e > 0:
        assert result.value == pytest.approx(1 - D_o / D_e)


def test_alpha_u_says_when_it_is_not_monotone():
    """A unit against two pieces of it: dropping one piece far away raises the value."""
    near = {"A": [(0, 10, "x")], "B": [(0, 1, "x"), (9, 10, "x")]}
    far = {"A": [(0, 10, "x")], "B": [(0, 1, "x"), (50, 51, "x")]}
    one, two = (accord.agree(build({"d": (100, p)}), "alpha-u") for p in (near, far))
    assert two.value > one.value
    assert one.terms["not_monotone"] > 0
    assert any("not monotone" in w for w in one.warnings)
    assert two.terms["not_monotone"] == 0


def test_units_of_two_categories_may_overlap_for_alpha_u_only():
    found = {"A": [(0, 5, "x"), (3, 8, "y")], "B": [(0, 5, "x")]}
    data = build({"d": (10, found)})
    assert math.isfinite(accord.agree(data, "alpha-u").value)
    for name in (*FAMILY, "ku-alpha"):
        with pytest.raises(InputError, match=r"\[0, 5\) x and \[3, 8\) y.*use gamma"):
            accord.agree(data, name)
    twice = build({"d": (10, {"A": [(0, 5, "x"), (3, 8, "x")], "B": []})})
    with pytest.raises(InputError, match="overlapping units"):
        accord.agree(twice, "alpha-u")


@given(records(coders=(2, 3)), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_order_and_names_do_not_matter(found, random):
    names = {"coder0": "zoe", "coder1": "al", "coder2": "mo"}
    label = {"x": "q", "y": "b", "z": "m"}
    renamed = {
        d: (n, {names[c]: [(s, e, label[x]) for s, e, x in u] for c, u in people.items()})
        for d, (n, people) in found.items()
    }
    for name in (*FAMILY, "alpha-u"):
        a, b = accord.agree(build(found), name).value, accord.agree(build(renamed), name).value
        assert a == pytest.approx(b, abs=1e-12, nan_ok=True)


@given(records(documents=(1, 1)), st.sampled_from([0.001, 1000.0]))
@settings(max_examples=30, deadline=None)
def test_values_do_not_depend_on_the_unit_of_time(found, scale):
    """u-α and cu-α: only the linear Q of gaps feels the scale (a gap atom), |u-α and u-α a little."""
    scaled = {
        d: (n * scale, {c: [(s * scale, e * scale, x) for s, e, x in u] for c, u in p.items()})
        for d, (n, p) in found.items()
    }
    a, b = (accord.agree(build(f), "cu-alpha").value for f in (found, scaled))
    assert a == pytest.approx(b, abs=1e-9, nan_ok=True)


# --- distances, coverage, intervals ----------------------------------------------------------


def test_cu_alpha_takes_any_distance(tmp_path):
    rows = [
        ("d", "A", 0, 5, "1"),
        ("d", "A", 5, 9, "3"),
        ("d", "B", 0, 5, "2"),
        ("d", "B", 5, 9, "3"),
    ]
    data = Units.from_rows(rows, lengths={"d": 12})
    nominal, interval, ordinal = (
        accord.agree(data, "cu-alpha", metric=m).value for m in ("nominal", "interval", "ordinal")
    )
    assert interval > nominal
    assert ordinal != nominal
    matrix = tmp_path / "m.csv"
    matrix.write_text(",1,2,3\n1,0,1,4\n2,1,0,1\n3,4,1,0\n")
    assert accord.agree(data, "cu-alpha", metric=str(matrix)).value == pytest.approx(interval)
    with pytest.raises(UsageError):
        accord.agree(data, "cu-alpha", metric="nonsense")


def test_a_coder_who_marked_nothing_counts_and_one_who_did_not_look_does_not():
    rows = [("d", "A", 0, 5, "x"), ("d", "B", 0, 5, "x")]
    both = Units.from_rows(rows, lengths={"d": 10}, coverage=[("d", "A"), ("d", "B")])
    third = Units.from_rows(rows, lengths={"d": 10}, coverage=[("d", "C")])
    absent = Units.from_rows(rows, lengths={"d": 10, "e": 5}, coverage=[("e", "C")])
    for name in ("u-alpha", "bar-u-alpha", "alpha-u"):
        assert accord.agree(both, name).value == pytest.approx(1)
        assert accord.agree(third, name).value < 1
        result = accord.agree(absent, name)
        assert result.value == pytest.approx(1)
        assert any("fewer than two annotators" in w for w in result.warnings)


def test_bootstrap_over_documents():
    rng = np.random.default_rng(5)
    rows = []
    for d in range(12):
        for c in "ABC":
            for k in range(4):
                start = 20 * k + int(rng.integers(0, 6))
                rows.append((f"d{d}", c, start, start + int(rng.integers(3, 9)), "xy"[k % 2]))
    data = Units.from_rows(rows, lengths={f"d{d}": 80 for d in range(12)})
    for name in (*FAMILY, "alpha-u"):
        result = accord.agree(data, name, ci="bootstrap", by=["document", "pair"])
        assert result.interval.method == "bootstrap:document"
        assert result.interval.low <= result.value <= result.interval.high
        assert len(result.by["document"]) == 12
        assert len(result.by["pair"]) == 3
        for row in result.by["document"]:
            alone = accord.agree(data.select(documents=[row["document"]]), name).value
            assert row["value"] == pytest.approx(alone)
    assert len(accord.agree(data, "ku-alpha", by=["document"])[0].by["document"]) == 12


# --- degenerate cases --------------------------------------------------------------------------


def test_all_gaps_and_single_units():
    empty = Units.from_rows([], lengths={"d": 10}, coverage=[("d", "A"), ("d", "B")])
    for name in (*FAMILY, "alpha-u"):
        result = accord.agree(empty, name)
        assert math.isnan(result.value)
        assert result.undefined
    alone = Units.from_rows([("d", "A", 2, 5, "x")], lengths={"d": 10}, coverage=[("d", "B")])
    assert accord.agree(alone, "u-alpha").value < 0.01
    assert accord.agree(alone, "alpha-u").value < 0.01
    assert accord.agree(alone, "cu-alpha").undefined
    full = Units.from_rows([("d", c, 0, 10, "x") for c in "AB"], lengths={"d": 10})
    assert accord.agree(full, "u-alpha").undefined
    assert accord.agree(full, "bar-u-alpha").undefined
    with pytest.raises(InputError, match="at least two annotators"):
        accord.agree(Units.from_rows([("d", "A", 2, 5, "x")], lengths={"d": 10}), "u-alpha")


def test_lengths():
    rows = [("d", "A", 2, 5, "x"), ("d", "B", 2, 6, "x")]
    unknown = Units.from_rows(rows)
    guessed = accord.agree(unknown, "u-alpha")
    assert "taken to be the end of their last unit" in guessed.warnings[0]
    assert accord.u_alpha(unknown, length=20).value == pytest.approx(
        accord.u_alpha(Units.from_rows(rows, lengths={"d": 20})).value
    )
    with pytest.raises(InputError, match="ends past the end"):
        accord.u_alpha(unknown, length=4)
    with pytest.raises(UsageError):
        accord.u_alpha(unknown, length=0)
    with pytest.raises(InputError, match="starts before 0"):
        accord.u_alpha(Units.from_rows([("d", "A", -2, 5, "x"), ("d", "B", 2, 6, "x")]), length=9)


def test_points_cover_no_matter():
    rows = [("d", "A", 2, 5, "x"), ("d", "B", 2, 6, "x")]
    points = [("d", "A", 0, 0, "y"), ("d", "B", 6, 6, "x"), ("d", "B", 9, 9, "z")]
    data = Units.from_rows(rows, lengths={"d": 10})
    more = Units.from_rows(rows + points, lengths={"d": 10}, points=True)
    for name in ("u-alpha", "bar-u-alpha", "alpha-u"):
        result = accord.agree(more, name)
        assert result.value == pytest.approx(accord.agree(data, name).value)
        assert any("length zero" in w for w in result.warnings)


def test_units_without_label():
    rows = [("d", "A", 2, 5, None), ("d", "B", 2, 5, None), ("d", "A", 7, 9, "x")]
    data = Units.from_rows(rows, lengths={"d": 10})
    assert 0 < accord.agree(data, "u-alpha").value < 1
    assert math.isfinite(accord.agree(data, "alpha-u").value)


# --- atoms -------------------------------------------------------------------------------------


@given(records(documents=(1, 2), coders=(2, 3)))
@settings(max_examples=30, deadline=None)
def test_atomised_alpha_is_alpha_on_the_atoms(found):
    from accord.measures.unitizing.atomized import atomize

    data = build(found)
    people = sorted({c for _, p in found.values() for c in p})
    matrix = [[] for _ in people]
    for length, here in found.values():
        for row, c in zip(matrix, people, strict=True):
            if c not in here:
                row += [None] * length
                continue
            atoms = ["φ"] * length
            for s, e, x in here[c]:
                atoms[s:e] = [x] * (e - s)
            row += atoms
    expected = accord.agree(accord.Ratings.from_matrix(matrix, orientation="annotators"), "alpha")
    result = accord.atomized_alpha(data, beside=False)
    assert result.value == pytest.approx(expected.value, nan_ok=True)
    assert atomize(data).n_items == sum(n for n, _ in found.values())
    # half an atom: twice as many items, the same shares
    assert atomize(data, atom=0.5).n_items == 2 * sum(n for n, _ in found.values())


def test_atoms_under_overlapping_units_bear_sets():
    rows = [
        ("d", "A", 0, 4, "x"),
        ("d", "A", 2, 6, "y"),
        ("d", "B", 0, 4, "x"),
        ("d", "B", 4, 6, "y"),
    ]
    data = Units.from_rows(rows, lengths={"d": 10})
    nominal = accord.atomized_alpha(data, beside=False)
    jaccard = accord.atomized_alpha(data, metric="jaccard", beside=False)
    assert nominal.value < jaccard.value < 1
    assert any("read gamma instead" in w for w in nominal.warnings)
    with pytest.raises(UsageError, match="greater than 0"):
        accord.atomized_kappa(data, atom=0)


def test_atomised_coefficients_are_never_run_unasked():
    from accord.study.ask import Ask

    data = Units.from_rows([("d", a, 0, 5, "x") for a in "AB"])
    assert not any(
        m.name.startswith("atomized") for m in Ask(question="agree", measures=["all"]).records(data)
    )


@given(records(coders=(2, 3)))
@settings(max_examples=15, deadline=None)
def test_compiled_and_plain_kernel_agree(found):
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path
    from unittest.mock import patch

    from accord.kernels import lines
    from accord.measures.unitizing import alpha_u
    from accord.measures.unitizing import coincidences as sweeping

    source = Path(lines.__file__).parent / "lines.py"
    spec = spec_from_file_location("plain_coincidences", source)
    plain = module_from_spec(spec)
    spec.loader.exec_module(plain)
    data = build(found)
    compiled = [accord.agree(data, n).value for n in ("u-alpha", "cu-alpha", "alpha-u")]
    with (
        patch.object(sweeping, "sweep", plain.sweep),
        patch.object(alpha_u, "squared_differences", plain.squared_differences),
    ):
        interpreted = [accord.agree(data, n).value for n in ("u-alpha", "cu-alpha", "alpha-u")]
    assert compiled == pytest.approx(interpreted, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("rule", ["outermost", "innermost"])
@pytest.mark.parametrize("measure", ["atomized-alpha", "atomized-kappa", "u-alpha", "alpha-u"])
def test_units_that_an_overlap_rule_leaves_out_are_counted(measure, rule):
    rows = [
        ("d", "A", 0, 9, "x"),
        ("d", "A", 2, 4, "x"),
        ("d", "A", 3, 8, "x"),
        ("d", "B", 2, 4, "x"),
    ]
    found = accord.agree(Units.from_rows(rows, lengths={"d": 20}), measure, overlaps=rule)
    lost = 2
    assert any(f"{lost} units overlap" in w and f"the {rule} count" in w for w in found.warnings)
    assert f"|overlaps:{rule}|" in found.signature
