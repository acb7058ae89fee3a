"""Decisions find their elements when the data change: none lost, none misapplied, never two for one."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.gold.adjudication import check_of
from accord.gold.decisions import Decision, Ledger
from accord.gold.placed_reference import PlacedReference

LABELS = ("x", "y", "z")


@st.composite
def campaigns(draw: Any) -> list[tuple[str, str, int, int, str]]:
    """Units of three annotators who meet in most places: (document, annotator, start, end, label).

    Groups are apart, so that a person would say which is which after a move by one.
    """
    rows = []
    for document in ("d", "e"):
        at = 0
        for _ in range(draw(st.integers(1, 6))):
            at += draw(st.integers(4, 9))
            length = draw(st.integers(2, 8))
            label = draw(st.sampled_from(LABELS))
            for who in draw(st.sampled_from(("ABC", "AB", "AC", "BC"))):
                other = draw(st.sampled_from((label, label, "y")))
                rows.append((document, who, at, at + length, other))
            at += length
    return rows


def built(rows: Any, **options: Any) -> PlacedReference:
    seen = [(d, a) for d in ("d", "e") for a in sorted({r[1] for r in rows} | {"A", "B", "C"})]
    found: PlacedReference = accord.gold(accord.Units.from_rows(rows, coverage=seen), **options)
    return found


def decide(rows: Any, draw: Any) -> tuple[PlacedReference, Ledger, dict[str, Any]]:
    """Decide some of the groups, by a label, a whole unit, or a rejection."""
    before = built(rows)
    check = check_of(before, new_labels=True)
    ledger = Ledger()
    said = {}
    for row in before.considered:
        kind = draw(st.sampled_from(("no", "label", "unit", "reject")))
        if kind == "no":
            continue
        value: Any = f"own-{row['item']}"
        if kind == "unit":
            value = {"start": row["start"], "end": row["end"], "label": value}
        made = Decision(
            item=row["item"], kind="reject" if kind == "reject" else "label", who="Ann",
            value=None if kind == "reject" else value,
        )  # fmt: skip
        ledger.add(check(made).stamped())
        said[row["item"]] = kind
    return before, ledger, said


@given(campaigns(), st.integers(-1, 1), st.data())
def test_units_moved_by_one_keep_their_decisions(rows: Any, by: int, data: Any) -> None:
    before, ledger, said = decide(rows, data.draw)
    moved = [(d, a, s + by, e + by, label) for d, a, s, e, label in rows]
    after = built(moved, decisions=ledger)
    assert after.resolution.aside == ()
    assert len(after.considered) == len(before.considered)
    for old, new in zip(before.considered, after.considered, strict=True):
        assert old["item"] == new["item"] or old["item"] not in said
        _holds(new, said.get(old["item"]), old["item"])
    assert len(after.resolution.moved) == (len(said) if by else 0)


@given(campaigns(), st.data())
def test_one_annotator_corrects_a_border(rows: Any, data: Any) -> None:
    before, ledger, said = decide(rows, data.draw)
    i = data.draw(st.integers(0, len(rows) - 1))
    d, a, s, e, label = rows[i]
    after = built([*rows[:i], (d, a, s, e + 1, label), *rows[i + 1 :]], decisions=ledger)
    assert after.resolution.aside == ()
    found = {r["item"]: r for r in after.considered}
    for item, kind in said.items():
        _holds(found[item], kind, item)
    assert len(after.considered) == len(before.considered)


@given(campaigns(), st.data())
def test_removed_units_put_decisions_aside(rows: Any, data: Any) -> None:
    before, ledger, said = decide(rows, data.draw)
    gone = data.draw(st.sampled_from(before.considered))
    low, high = gone["start"], gone["end"]
    left = [r for r in rows if r[0] != gone["document"] or r[3] <= low or r[2] >= high]
    after = built(left, decisions=ledger)
    aside = [s.item for s in after.resolution.aside]
    assert aside == ([gone["item"]] if gone["item"] in said else [])
    found = {r["item"]: r for r in after.considered}
    for item, kind in said.items():
        if item != gone["item"]:
            _holds(found[item], kind, item)
    assert not any(u.label == f"own-{gone['item']}" for u in after.reference)  # type: ignore[attr-defined]


@given(campaigns(), st.data())
def test_renamed_annotators_change_nothing(rows: Any, data: Any) -> None:
    before, ledger, _ = decide(rows, data.draw)
    names = {"A": "Zoe", "B": "Ann", "C": "B"}
    seen = [(d, a) for d in ("d", "e") for a in names.values()]
    renamed = accord.Units.from_rows(
        [(d, names[a], s, e, x) for d, a, s, e, x in rows], coverage=seen
    )
    after = accord.gold(renamed, decisions=ledger)
    assert (after.resolution.moved, after.resolution.changed) == ({}, frozenset())
    expected = built(rows, decisions=ledger)
    assert list(after.reference) == list(expected.reference)  # type: ignore[call-overload]
    assert len(before.considered) == len(after.considered)


@given(campaigns(), st.data())
def test_renamed_labels_lose_nothing_and_are_said(rows: Any, data: Any) -> None:
    _, ledger, said = decide(rows, data.draw)
    names = {"x": "eks", "y": "ypsilon", "z": "zed"}
    after = built([(d, a, s, e, names[x]) for d, a, s, e, x in rows], decisions=ledger)
    found = {r["item"]: r for r in after.considered}
    for item, kind in said.items():
        _holds(found[item], kind, item)
    assert after.resolution.aside == ()
    # their annotations did change: somebody is to look again, and the decision holds meanwhile
    assert {after.resolution.names[i] for i in after.resolution.changed} == set(said)
    if "label" in said.values() or "unit" in said.values():
        assert any("were labels renamed?" in w for w in after.warnings)


def _holds(row: Any, kind: str | None, item: str) -> None:
    if kind is None:
        assert row["source"] == "rule"
    elif kind == "reject":
        assert not row["kept"]
    else:
        assert (row["kept"], row["label"]) == (True, f"own-{item}")


def test_never_two_units_where_one_was_decided() -> None:
    rows = [("d", a, 10, 20, "x") for a in "AB"]
    check = check_of(built(rows))
    ledger = Ledger([check(Decision(item="d:10-20", kind="label", value="x", who="Ann")).stamped()])
    moved = [("d", a, 17, 27, "x") for a in "AB"]  # overlaps by a fifth, keeps its label
    after = built(moved, decisions=ledger)
    assert [(u.start, u.end) for u in after.reference] == [(17, 27)]  # type: ignore[attr-defined]
    assert after.considered[0]["source"] == "human"
    # another label as well: not the same unit; the decision is kept aside, and there is one unit
    other = built([("d", a, 17, 27, "y") for a in "AB"], decisions=ledger)
    assert [(u.start, u.label) for u in other.reference] == [(17, "y")]  # type: ignore[attr-defined]
    assert [s.item for s in other.resolution.aside] == ["d:10-20"]


def test_a_new_unit_does_not_take_the_name_of_a_decided_one() -> None:
    ledger = Ledger([check_of(built([("d", a, 10, 20, "x") for a in "AB"]))(
        Decision(item="d:10-20", kind="label", value="x", who="Ann")).stamped()])  # fmt: skip
    rows = [("d", a, s, s + 10, x) for a in "AB" for s, x in ((12, "x"), (10, "y"))]
    after = built(rows, decisions=ledger)
    names = [r["item"] for r in after.considered]
    assert len(set(names)) == 2
    assert [r["source"] for r in sorted(after.considered, key=lambda r: r["start"])].count(
        "human"
    ) == 1


def test_boundaries_moved_by_one_keep_their_decisions_in_order() -> None:
    cut = accord.Segments.from_masses([("d", a, [4, 2, 6]) for a in "AB"])
    check = check_of(accord.gold(cut, window=0))
    made = [
        check(Decision(item="d:4", kind="reject", who="Ann")).stamped(),
        check(Decision(item="d:6", kind="label", value=6, who="Ann")).stamped(),
    ]
    moved = accord.Segments.from_masses([("d", a, [5, 2, 5]) for a in "AB"])
    after = accord.gold(moved, window=0, decisions=Ledger(made))
    assert [(r["item"], r["kept"]) for r in after.considered] == [("d:4", False), ("d:6", True)]
    assert after.reference.boundaries[0, 0].tolist() == [6]


def test_mentions_moved_by_one_keep_their_decisions() -> None:
    def chains(by: int) -> accord.Chains:
        spans = [(0 + by, 2 + by), (5 + by, 7 + by), (9 + by, 12 + by)]
        return accord.Chains.from_clusters(
            {("d", a): [[spans[0], spans[1]], [spans[2]]] for a in "AB"}
        )

    check = check_of(accord.gold(chains(0)))
    made = check(Decision(item="d:9-12", kind="label", value="0-2", who="Ann")).stamped()
    after = accord.gold(chains(1), decisions=Ledger([made]))
    assert after.reference.clusters(0, 0) == [[(1, 3), (6, 8), (10, 13)]]
    assert after.resolution.aside == ()
