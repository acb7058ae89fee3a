"""The falsification harness: counts, counterexamples, strangers' functions, other shapes."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from accord.data import Chains
from accord.errors import UsageError
from accord.measures import coreference
from accord.measures.coreference.enrolment import SPECIFICATIONS
from accord.registry import enrolled
from accord.report.counterexample import counterexample_svg
from accord.simulate.falsify import PROPERTIES, falsify
from accord.simulate.falsify_table import ALTERNATIVES, TABLE_1, property_tables
from accord.simulate.similarity import partition_similarities
from accord.simulate.spaces import SPACES, clusters_of, partial_codes, partition_codes, unit_sets


def test_bell_numbers():
    assert [len(partition_codes(n)) for n in range(1, 7)] == [1, 2, 5, 15, 52, 203]
    assert [len(partial_codes(n)) for n in range(1, 6)] == [1, 4, 14, 51, 202]
    assert len({json.dumps(clusters_of(c)) for c in partition_codes(6).tolist()}) == 203


@pytest.mark.parametrize("codes", [partition_codes(3), partial_codes(3)])
def test_the_matrix_is_the_score_itself(codes):
    """Every pair scored alone gives the entry of the matrix."""
    partitions = [clusters_of(c) for c in codes.tolist()]
    names = ["muc", "b3", "ceaf-e", "conll", "blanc", "lea", "rand", "ceaf-m-jaccard"]
    matrices = partition_similarities([SPECIFICATIONS[n] for n in names], codes)
    chains = [Chains.from_clusters({("d", "A"): p}) for p in partitions]
    for name, matrix in zip(names, matrices, strict=True):
        function = getattr(coreference, name.replace("-", "_"))
        alone = [[function(a, b).value for b in chains] for a in chains]
        assert matrix == pytest.approx(np.array(alone))


def test_alternatives_on_the_same_mentions():
    """All are metrics up to n = 5 but ARI (chance makes it negative) and Luo's BLANC."""
    violated = {n: falsify(n, max_n=5, max_n_triples=4).violated for n in ALTERNATIVES}
    assert {n: v for n, v in violated.items() if v} == {"ari": ("4", "8"), "blanc-luo": ("4",)}


def test_ceaf_m_jaccard_stays_a_metric_with_predicted_mentions():
    for name, metric in (("ceaf-m-jaccard", True), ("ceaf-m", False)):
        found = falsify(name, predicted_mentions=True, max_n=4, max_n_triples=4)
        assert (found.violated == ()) is metric
    assert found.findings["4"].counterexample.n == 2


def test_counts_and_smallest_counterexample_against_plain_loops():
    """MUC by plain loops over all cases."""
    codes = partition_codes(4)
    (S,) = partition_similarities([SPECIFICATIONS["muc"]], codes)
    size = range(len(codes))
    triples = sum(
        S[a, b] + S[b, c] > S[b, b] + S[a, c] + 1e-9 for a, b, c in product(size, repeat=3)
    )
    found = falsify("muc", max_n=4, max_n_triples=4)
    assert found.findings["4"].by_n[3] == (4, 15**3, triples)
    example = found.findings["4"].counterexample
    assert example.n == 3
    assert found.findings["4"].by_n[1][2] == 0
    v = example.values
    assert v["s(a,b)"] + v["s(b,c)"] > v["s(b,b)"] + v["s(a,c)"]


def test_tolerance_zero_shows_rounding_as_violations():
    assert falsify("ceaf-m", max_n=5, max_n_triples=5, tolerance=0).violated
    assert falsify("ceaf-m", max_n=5, max_n_triples=5).violated == ()


class TestStrangers:
    def test_a_function_that_breaks_each_property(self):
        def broken(a, b):
            return (len(a) - len(b)) / 2 + (2 if a == b else -1)

        found = falsify(broken, max_n=3, max_n_triples=3)
        assert found.measure == "broken"
        assert set(found.violated) >= {"1", "6", "7", "8"}

    def test_a_constant_cannot_tell_objects_apart(self):
        found = falsify(lambda a, b: (0.0, 0.0, 1.0), max_n=2, max_n_triples=2)
        assert found.violated == ("5",)
        assert found.findings["5"].violations == 2

    def test_module_and_function(self, tmp_path, monkeypatch):
        (tmp_path / "mine_to_falsify.py").write_text(
            "def equal(a, b):\n    return float(sorted(map(sorted, a)) == sorted(map(sorted, b)))\n"
        )
        monkeypatch.chdir(tmp_path)
        assert falsify("mine_to_falsify:equal", max_n=3, max_n_triples=3).violated == ()
        with pytest.raises(UsageError, match="has no 'other'"):
            falsify("mine_to_falsify:other")

    def test_a_function_that_fails_everywhere_was_not_tried(self):
        def fails(a, b):
            raise KeyError("x")

        found = falsify(fails, max_n=3, max_n_triples=3)
        assert found.verdict == "nothing was tried"
        assert found.untried == tuple(PROPERTIES)
        assert found.failing["exception"].pairs == found.undefined == 1 + 4 + 25
        assert "a = {1}, b = {1}: KeyError: 'x'" in str(found.failing["exception"].first)
        assert "nothing was tried" in counterexample_svg(found)
        json.dumps(found.to_dict(), allow_nan=False)

    def test_arguments_that_are_popped_make_no_counterexample(self):
        """By itself, in whatever order it is called: a pair gets the value it has on fresh sets."""

        def pops(key, response):
            shared = total = 0
            while key:
                entity = key.pop()
                total += len(entity)
                if entity in response:
                    response.remove(entity)
                    shared += len(entity)
                entity.clear()
            return shared / total

        found = falsify(pops, max_n=4, max_n_triples=4)
        assert found.violated == ()
        assert "pops changes what it is given, first for a = {1}, b = {1}" in found.warnings[0]
        assert falsify(lambda a, b: float(a == b), max_n=2).warnings == ()

    def test_nan_infinity_and_exceptions_are_cases(self):
        def strange(a, b):
            if len(a) == 1 and len(b) == 2:
                return float("nan")
            if len(a) == 2 and a != b:
                return float("inf") if len(b) == 2 else -float("inf")
            if len(a) == len(b) == 3:
                raise ZeroDivisionError("no\nno")
            return float(a == b)

        found = falsify(strange, max_n=3, max_n_triples=2)
        assert {kind: f.pairs for kind, f in found.failing.items()} == {
            "nan": 1 + 3, "infinite": 1 + 6 + 6, "exception": 1,
        }  # fmt: skip
        assert found.undefined == 5
        # what is infinite is above 1, or below 0; equal infinities are not apart
        assert found.findings["6"].violations == 6
        assert found.findings["8"].violations == 7
        assert found.findings["1"].violations == 3 * 2
        assert found.findings["7"].violations == 0
        assert found.findings["2"].cases == 1 + 2 + 4
        plain = json.dumps(found.to_dict(), allow_nan=False)
        assert '"inf"' in plain
        assert "ZeroDivisionError: no" in plain

    @pytest.mark.parametrize("remembers", [False, True])
    def test_a_score_with_two_values_is_refused(self, remembers):
        drawn = np.random.default_rng(0)
        calls = []

        def unsteady(a, b):
            calls.append(a)
            return len(calls) % 7 if remembers else drawn.random()

        with pytest.raises(UsageError, match=r"unsteady is not deterministic: s.* fix its seed"):
            falsify(unsteady, max_n=3, max_n_triples=3)

    def test_what_is_not_falsified_had_cases(self):
        def only_itself(a, b):
            return 1.0 if a == b else float("nan")

        found = falsify(only_itself, max_n=3, max_n_triples=3)
        assert found.verdict == "not falsified"
        assert found.findings["2"].cases == 1 + 2 + 5
        blind = falsify(lambda a, b: 1.0 if a != b else float("nan"), max_n=3, max_n_triples=3)
        assert blind.untried == ("2", "3", "4", "5", "7")
        assert blind.to_dict()["properties"]["2"]["verdict"] == "nothing was tried"

    def test_a_triangle_that_fails_by_little_shows_the_triangle(self):
        """A violation between one and two tolerances is found, and is the one that is shown."""

        def slightly(a, b):
            low, high = sorted((len(a), len(b)))
            return {(1, 2): 0.5, (2, 3): 0.5, (1, 3): -1.5e-3}.get((low, high), float(a == b))

        example = (
            falsify(slightly, max_n=3, max_n_triples=3, tolerance=1e-3).findings["4"].counterexample
        )
        assert example is not None
        v = example.values
        assert v["s(a,b)"] + v["s(b,c)"] > v["s(b,b)"] + v["s(a,c)"] + 1e-3

    @pytest.mark.parametrize(
        ("measure", "options", "says"),
        [
            ("alpha", {}, "does not compare two annotations"),
            ("b3", {"space": "units"}, "its space is partitions"),
            ("b3", {"space": "trees"}, "the space must be one of"),
            ("b3", {"max_n": 0}, "at least 1"),
            ("nowhere:thing", {}, "cannot import"),
        ],
    )
    def test_refusals(self, measure, options, says):
        with pytest.raises(UsageError, match=says):
            falsify(measure, **options)


class TestOtherShapes:
    def test_segmentations(self):
        def shared_boundaries(a, b):
            x, y = (set(np.cumsum(m)[:-1].tolist()) for m in (a, b))
            return len(x & y) / len(x | y) if x | y else 1.0

        found = falsify(shared_boundaries, space="segmentations")
        assert found.violated == ()
        assert found.findings["1"].by_n[-1] == (6, 32**2, 0)
        svg = counterexample_svg(falsify(lambda a, b: 0.5, space="segmentations"))
        assert "<rect" in svg

    def test_unit_sets(self):
        def jaccard(a, b):
            return len(set(a) & set(b)) / len(set(a) | set(b)) if a or b else 1.0

        found = falsify(jaccard, space="units")
        assert found.violated == ()
        assert found.findings["1"].by_n[-1][1] == len(unit_sets(3)) ** 2
        assert SPACES["units"].show([(0, 2)]) == "{[0,2)}"


def test_tables_and_their_text():
    first, second, third = property_tables(max_n=4, max_n_triples=4)
    assert [r.measure for r in first.rows] == list(TABLE_1)
    assert [r.measure for r in second.rows] == list(ALTERNATIVES)
    assert all(r.space == "predicted" for r in third.rows)
    assert "blanc   X . . X . . . ." in str(first)


def test_json_contract():
    found = falsify("blanc", max_n=3, max_n_triples=3).to_dict()
    assert list(found["properties"]) == list(PROPERTIES)
    first = found["properties"]["1"]
    assert (first["cases"], first["violations"]) == (30, 12)
    assert first["counterexample"]["a"] == [[1, 2], [3]]
    assert found["properties"]["2"]["counterexample"] is None
    json.dumps(found)


def test_drawing():
    svg = counterexample_svg(falsify("blanc", max_n=3, max_n_triples=3), "4")
    assert svg.count("<circle") == 9
    assert "violates property 4" in svg
    found = falsify("rand", max_n=3, max_n_triples=2)
    assert "rand: every property stands on 8 cases or more" in counterexample_svg(found)


def test_drawing_follows_the_verdict_of_its_property():
    found = falsify("muc", max_n=3, max_n_triples=3)
    assert "1" not in found.violated
    assert "muc: property 1 stands on 30 cases" in counterexample_svg(found, "1")
    assert "violates property 4" in counterexample_svg(found)
    assert "violates property 7" in counterexample_svg(found, "7")


@pytest.mark.parametrize(
    "name",
    [m.name for m in enrolled(question="score") if m.shape in ("chains", "segments", "units")],
)
def test_every_score_on_the_list_runs_or_says_why(name):
    found = falsify(name, max_n=2, max_n_triples=2)
    if found.verdict == "nothing was tried":
        why = str(found.failing["nan"].first).partition(": ")[2]
        assert why.startswith(("neither side has", "no window fits"))
    else:
        assert found.untried == ()
