"""References of every shape through every carrier: elements, reasons, who decided; and what is scored."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import accord
from accord.data import Boxes, Chains, Relations, Segments, Units
from accord.data.reasons import REASONS
from accord.errors import InputError
from accord.gold import as_reference
from tests.in_process import run

FILES = (".csv", ".jsonl", ".parquet")
FRAMES = ("pandas", "polars", "pyarrow")
PEOPLE = ("a", "b", "c")


def _subsets(draw, things):
    """What each person marked of the things there are."""
    return [
        (who, *thing)
        for thing in things
        for who in draw(st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=3, unique=True))
    ]


@st.composite
def units(draw):
    starts = draw(st.lists(st.integers(0, 8), min_size=1, max_size=5, unique=True))
    things = [(d, 10 * s, 10 * s + 5, draw(st.sampled_from("xy"))) for s in starts for d in "de"]
    rows = [(d, who, s, e, label) for who, d, s, e, label in _subsets(draw, things)]
    return Units.from_rows(
        rows,
        lengths={"d": 100, "e": 100, "f": 100},
        coverage=[(d, w) for d in "def" for w in PEOPLE],
    )


@st.composite
def segments(draw):
    cuts = draw(st.lists(st.integers(1, 19), min_size=1, max_size=5, unique=True))
    rows = [("d", who, at, None) for who, at in _subsets(draw, [(c,) for c in cuts])]
    return Segments.from_boundaries(
        rows, lengths={"d": 20, "e": 7}, coverage=[(d, w) for d in "de" for w in PEOPLE]
    )


@st.composite
def chains(draw):
    clusters = {}
    for who in PEOPLE:
        mentions = draw(st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True))
        split = draw(st.integers(0, len(mentions)))
        parts = [mentions[:split], mentions[split:]]
        clusters["d", who] = [[(3 * m, 3 * m + 1) for m in part] for part in parts if part]
    return Chains.from_clusters(clusters)


@st.composite
def boxes(draw):
    places = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4, unique=True))
    things = [
        ("p", 20.0 * x, 0.0, 20.0 * x + 12.5, 10.0, draw(st.sampled_from("xy"))) for x in places
    ]
    rows = [(d, who, *rest) for who, d, *rest in _subsets(draw, things)]
    return Boxes.from_rows(rows, sizes={"p": (200, 50)}, coverage=[("p", w) for w in PEOPLE])


@st.composite
def relations(draw):
    pairs = draw(
        st.lists(
            st.tuples(st.integers(0, 3), st.integers(4, 6)), min_size=1, max_size=4, unique=True
        )
    )
    things = [
        ("d", (10 * s, 10 * s + 4), (10 * t, 10 * t + 4), draw(st.sampled_from("xy")))
        for s, t in pairs
    ]
    rows = [(d, who, *rest) for who, d, *rest in _subsets(draw, things)]
    return Relations.from_rows(rows, coverage=[("d", w) for w in PEOPLE])


@st.composite
def given_relations(draw):
    pairs = draw(
        st.lists(
            st.tuples(st.sampled_from("ABC"), st.sampled_from("DEF")),
            min_size=1,
            max_size=4,
            unique=True,
        )
    )
    things = [("d", s, t, draw(st.sampled_from("xy"))) for s, t in pairs]
    rows = [(d, who, *rest) for who, d, *rest in _subsets(draw, things)]
    return Relations.from_rows(rows, coverage=[("d", w) for w in PEOPLE])


SHAPES = {
    "units": units, "segments": segments, "chains": chains, "boxes": boxes, "relations": relations,
    "given relations": given_relations,
}  # fmt: skip


def carried(reference, carrier, folder, **how):
    if carrier in FRAMES:
        return reference.to_frame(carrier, **how)
    path = Path(folder) / f"reference{carrier}"
    assert accord.write(reference, path) == []
    return path


def same(one, other):
    """Two tables of a reference; the numbers of entities name nothing."""

    def rows(reference):
        found = [dict(row) for row in reference.rows()]
        entities: dict[object, int] = {}
        for row in found:
            if row.get("entity") is not None:
                row["entity"] = entities.setdefault(row["entity"], len(entities))
        return found

    return rows(one) == rows(other)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    data=st.data(),
    shape=st.sampled_from(sorted(SHAPES)),
    carrier=st.sampled_from([*FILES, *FRAMES]),
)
def test_references_of_every_shape_go_round(tmp_path_factory, data, shape, carrier):
    campaign = data.draw(SHAPES[shape]())
    draft = accord.gold(campaign)
    decisions = {}
    if shape != "boxes":
        chosen = data.draw(st.lists(st.sampled_from(range(len(draft))), max_size=2, unique=True))
        for i in chosen:
            kind = data.draw(st.sampled_from(["reject", "none"]))
            decisions[draft.considered[i]["item"]] = {"kind": kind, "who": "Ana"}
    made = accord.gold(campaign, decisions=decisions) if decisions else draft
    rows = list(made.rows())
    assert {row["reason"] for row in rows} <= {*REASONS}
    decided = [row for row in rows if row["reason"] in ("rejected", "undecided")]
    assert len(decided) == len(decisions)
    assert {row["who"] for row in decided} <= {"Ana"}
    given = carried(made, carrier, tmp_path_factory.mktemp("carried"))
    again = as_reference(given)
    assert same(again, made)
    # what is scored is what has a value, by every road
    whole = accord.read(given)
    answer = campaign.select(annotators=["a"])
    plain = _scored(made.reference, answer)
    for one in (given, whole, again, made):
        assert _scored(one, answer) == pytest.approx(plain, nan_ok=True)


def _scored(reference, answer):
    found = accord.score(reference, answer, ci="none")
    results = found if isinstance(found, (list, tuple)) else [found]
    return [one.value for one in results]


@pytest.fixture
def people(tmp_path):
    """Three people's units: one of four elements has a majority against it."""
    path = tmp_path / "u.csv"
    path.write_text(
        "document,annotator,start,end,label\n"
        + "".join(f"d,{who},0,4,x\nd,{who},10,14,y\n" for who in PEOPLE)
        + "d,a,20,24,x\nd,a,30,34,y\nd,b,30,34,y\n"
    )
    return path


def test_every_verb_takes_the_file_of_a_located_reference(people, tmp_path):
    out = tmp_path / "r.csv"
    code, _, err, _ = run(f"accord gold {people} -o {out}")
    assert code == 0, err
    rows = out.read_text().splitlines()
    assert rows[0] == "document,annotator,start,end,label,confidence,reason,source,who"
    assert rows[-1].startswith("d,reference,20,24,,")
    assert ",threshold," in rows[-1]
    data = accord.read(people)
    (tmp_path / "s.csv").write_text("document,start,end,label\nd,0,4,x\nd,20,24,x\n")
    found = accord.score(out, tmp_path / "s.csv", "f1", ci="none")
    assert found.value == pytest.approx(2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3))
    assert [x.what for x in accord.read(out).reading.left_out] == ["1 element under the threshold"]
    system = accord.read(tmp_path / "s.csv")
    made = accord.gold(data)
    ranks = [
        accord.rank_located(data, {"s": system}, reference=one).to_dict()
        for one in (made.reference, out, as_reference(out), made, made.to_frame("polars"))
    ]
    assert ranks == ranks[:1] * 5
    for line in (
        f"accord score {out} {tmp_path}/s.csv --json",
        f"accord rank {people} {tmp_path}/s.csv --reference {out} --json",
        f"accord report {people} -o {tmp_path}/r.html --reference {out} --system {tmp_path}/s.csv",
    ):
        code, _, err, _ = run(line)
        assert code == 0, (line, err)


def test_a_label_beside_a_reason_is_refused(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text(
        "document,start,end,label,confidence,reason\nd,0,4,x,1,\nd,5,9,y,.3,threshold\n"
    )
    with pytest.raises(InputError, match="a label, 'y', and a reason") as refused:
        accord.read(path)
    assert refused.value.line == 3
