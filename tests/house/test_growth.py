"""What was quadratic stays linear: operations are counted, at one size and at twice that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord import compare, read, score, write
from accord.alignment import large
from accord.alignment.batch import Batch
from accord.alignment.candidates import find_pairs
from accord.data import Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.continuum import documents_of
from accord.data.located import Names
from accord.distance.units import unit_dissimilarity
from accord.formats.corpora import webanno_tsv3
from accord.gold import dawid_skene as dawid_skene_module
from accord.gold.aligned import doubts
from accord.gold.labels import Labels
from accord.result import Array
from accord.uncertainty import joint as joint_module
from accord.uncertainty import swaps
from accord.uncertainty.joint import side_by_side
from accord.uncertainty.swaps import swap_p
from accord.uncertainty.weights import dirichlet_weights


class Told(str):
    """A name that counts how often it is compared with another."""

    __slots__ = ()
    asked = 0

    def __eq__(self, other: object) -> bool:
        Told.asked += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


class Read(list[str]):
    """A list that counts how often it is gone through."""

    times = 0

    def __iter__(self) -> Iterator[str]:
        self.times += 1
        return super().__iter__()


def grows(count: Callable[[int], int], small: int = 40) -> float:
    """How many times as many operations twice the data take."""
    return count(2 * small) / max(1, count(small))


def units(documents: int) -> Units:
    return Units.from_rows(
        [(f"d{d}", who, 0, 5, "x") for d in range(documents) for who in ("A", "B")]
    )


def test_documents_are_found_by_name_without_a_walk_through_all() -> None:
    def compared(size: int) -> int:
        names = Names(Told(f"d{i}") for i in range(size))
        Told.asked = 0
        assert [names.index(Told(f"d{i}")) for i in range(size)] == list(range(size))
        assert all(Told(f"d{i}") in names for i in range(size))
        return Told.asked

    assert grows(compared) <= 2.2


def test_names_answer_as_a_tuple_does() -> None:
    names = Names(("a", "b", "a"))
    assert names == ("a", "b", "a")
    assert (names.index("a"), names.index("b"), names.index("a", 1)) == (0, 1, 2)
    assert "c" not in names
    assert 3 not in names
    with pytest.raises(ValueError, match="not in tuple"):
        names.index("c")


@pytest.mark.parametrize(
    "made",
    [
        units(2),
        Boxes.from_rows([("i", "A", 0, 0, 2, 2, "x")]),
        Relations.from_rows([("d", "A", (0, 1), (2, 3), "x")]),
        Segments.from_masses([("d", "A", [2, 2])]),
        Chains.from_clusters({("d", "A"): [["a", "b"]]}),
    ],
    ids=lambda data: type(data).__name__,
)
def test_every_shape_finds_its_documents_at_once(made: Units) -> None:
    assert isinstance(made.documents, Names)
    assert isinstance(made.select(documents=list(made.documents)[:1]).documents, Names)


def test_documents_without_a_consensus_are_found_in_one_pass() -> None:
    covered = Read(f"d{i}" for i in range(19))
    told = doubts(units(20), covered, [])
    assert covered.times == 1
    assert told == ["1 documents have no consensus, fewer than two people annotated them: 'd19'"]


def systems(classes: int) -> list[Ratings]:
    """A reference and two systems that are each wrong on ten items of 400."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, classes, 400).astype(str)
    made = [Ratings.from_matrix([truth.tolist()], annotators=["reference"])]
    for name in ("one", "two"):
        told = truth.copy()
        told[rng.choice(400, 10, replace=False)] = "0"
        made.append(Ratings.from_matrix([told.tolist()], annotators=[name]))
    return made


def test_only_units_whose_swap_changes_something_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    reference, one, two = systems(8)
    a, b = (score(reference, s, "f1-macro").sample for s in (one, two))
    assert a is not None
    assert b is not None
    joint = side_by_side(a, b)
    gap, number = swaps._apart(joint.second - joint.first, joint.counts)
    assert number.sum() <= 20 < joint.counts.sum()
    assert len(np.unique(gap, axis=0)) == len(gap)
    # the law of the draws is that of a coin for each unit
    few = swap_p(joint, seed=1)
    monkeypatch.setattr(swaps, "_BITS", 0)
    assert few == pytest.approx(swap_p(joint, seed=2), abs=0.03)


def test_weights_of_two_shares_do_not_grow_with_the_classes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = []

    def counted(mass: Array, *rest: Any) -> Any:
        drawn.append(len(mass))
        return dirichlet_weights(mass, *rest)

    monkeypatch.setattr(joint_module, "dirichlet_weights", counted)
    for classes in (4, 32):
        reference, one, two = systems(classes)
        compare(*(score(reference, s, "accuracy", ci="none") for s in (one, two)))
    assert max(drawn) <= 4


@pytest.mark.parametrize("smoothing", [0.0, 0.5, 1.0])
def test_confusions_hold_the_labels_that_occur(smoothing: float) -> None:
    """Against all confusions written out, with few classes used, and nobody idle but one."""
    rng = np.random.default_rng(0)
    people, classes = 6, 12
    code = rng.integers(0, classes, (40, 3)) // 3 * 3
    labels = Labels(
        indptr=np.arange(0, 121, 3),
        annotator=rng.integers(0, people - 1, 120).astype(np.int32),
        code=code.ravel().astype(np.int32),
        n_annotators=people,
        n_classes=classes,
        weight=rng.random(people) + 0.5,
        clamp=np.full(40, -1, dtype=np.int32),
    )
    said = dawid_skene_module._Said.of(labels, smoothing)
    assert len(said.zeros()) == len(set(zip(labels.annotator, labels.code, strict=True))) < 21
    share = labels.shares()
    every = np.arange(people * classes, dtype=np.int32).reshape(people, classes)
    dense = dawid_skene_module._counted(labels, share, every).reshape(people, classes, classes)
    belief = smoothing * (0.01 + np.eye(classes))
    total = (dense + belief).sum(axis=1, keepdims=True)
    plain = np.where(total > 0, (dense + belief) / np.where(total > 0, total, 1), 1 / classes)
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(plain), -745)
    found = said.confusion(dawid_skene_module._counted(labels, share, said.row))
    assert found.logs == pytest.approx(logs[said.row >= 0], abs=1e-12)
    assert found.penalty == pytest.approx(float(np.sum(belief * logs)), rel=1e-12)
    assert said.table(found) == pytest.approx(plain, abs=1e-12)


def test_annotators_join_groups_with_one_sort_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """First alignments of many crowded units sort for each annotator, not for each unit."""

    def sorts(each: int) -> int:
        rng = np.random.default_rng(0)
        rows = [
            ("d", who, start, start + 150, "x")
            for who in "ABC"
            for start in np.sort(rng.integers(0, 10 * each, each)).tolist()
        ]
        data = Units.from_rows(rows, duplicates="keep")
        batch = Batch.of([documents_of(data)[0].continuum])
        dissimilarity = unit_dissimilarity(data.categories)
        pairs = find_pairs(batch, dissimilarity)
        joined = 0
        plain = large._joined

        def counted(*given: Any) -> Any:
            nonlocal joined
            joined += 1
            return plain(*given)

        with monkeypatch.context() as patched:
            patched.setattr(large, "_joined", counted)
            first = large.first_candidates(batch, pairs, dissimilarity.delta, 1 << 20, 1)
        assert len(first.member) <= 3 * each
        return joined

    # three annotators, as many rounds as it takes
    assert sorts(40) <= 3 * large._ROUNDS
    assert sorts(80) <= 3 * large._ROUNDS


def test_tokens_without_a_mark_are_not_read_as_stacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WebAnno TSV: cells are taken apart where something is said, not at every token."""
    text = "alpha beta " * 100
    data = Units.from_rows(
        [("d", "ann", 0, 5, "x"), ("d", "ann", 11, 16, "y|[z]")], texts={"d": text}
    )
    write(data, tmp_path / "out", format="webanno-tsv3")
    stacks = []
    plain = webanno_tsv3._stack

    def counted(cell: str) -> Any:
        stacks.append(cell)
        return plain(cell)

    monkeypatch.setattr(webanno_tsv3, "_stack", counted)
    again = read(tmp_path / "out")
    assert stacks == ["x[1]", r"y\|\[z\][2]"]
    assert list(again) == list(data)
