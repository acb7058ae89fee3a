"""What was quadratic stays linear: operations are counted, at one size and at twice that."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from accord.data import Boxes, Chains, Relations, Segments, Units
from accord.data.located import Names
from accord.gold.aligned import doubts


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
    assert told == ["1 documents seen by fewer than two annotators have no consensus: 'd19'"]
