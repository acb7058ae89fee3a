"""One schema per shape: the same columns, checks and options at every door."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import polars as pl
import pytest

import accord
from accord.data import Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.join import joined
from accord.data.schema import ROLES, SCHEMAS
from accord.errors import InputError

SHAPES = (Boxes, Chains, Ratings, Relations, Segments, Units)

UNITS = {
    "document": ["d", "d", "e"],
    "annotator": ["A", "B", "A"],
    "start": [0.0, 1.0, 2.0],
    "end": [4.0, 5.0, 6.0],
    "label": ["x", None, "y"],
}
LOCATED = {
    "units": UNITS,
    "boxes": {
        "document": ["d", "d"],
        "annotator": ["A", "B"],
        **{"x0": [0.0, 0.0], "y0": [0.0, 0.0], "x1": [4.0, 3.0], "y1": [2.0, 2.0]},
        "label": ["x", "y"],
    },
    "relations": {
        "document": ["d", "d"],
        "annotator": ["A", "B"],
        "source": ["i", "i"],
        "target": ["j", "k"],
        "label": ["x", "y"],
    },
    "segments": {"document": ["d", "d"], "annotator": ["A", "B"], "masses": ["2 3", "1,4"]},
    "chains": {
        "document": ["d", "d", "d"],
        "annotator": ["A", "A", "B"],
        "mention": ["m", "n", "m"],
        "entity": ["e", "e", "f"],
    },
}
KINDS = {kind.shape: kind for kind in SHAPES}


def rows_of(data):
    return pl.DataFrame(data.to_frame("polars")).to_dicts()


def read_csv(table, tmp_path, **options):
    pl.DataFrame(table).write_csv(tmp_path / "t.csv")
    return accord.read(tmp_path / "t.csv", **options)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_schema_names_what_a_shape_has(kind):
    schema = SCHEMAS[kind.shape]
    held = {field.name for field in fields(kind)}
    assert {*schema.places, *schema.of_row, *schema.of_document, *schema.of_pair} <= held
    assert {*schema.roles, *(role for way in schema.ways for role in way)} <= ROLES.keys()


@pytest.mark.parametrize("shape", LOCATED)
def test_a_frame_and_its_file_are_the_same(shape, tmp_path):
    table = LOCATED[shape]
    data = KINDS[shape].from_frame(pl.DataFrame(table))
    assert data.shape == shape
    assert rows_of(data) == rows_of(read_csv(table, tmp_path, shape=shape))
    assert rows_of(KINDS[shape].from_frame(data.to_frame("polars"))) == rows_of(data)


@pytest.mark.parametrize("shape", LOCATED)
def test_documents_and_annotators_have_names_at_every_door(shape, tmp_path):
    for role in ("document", "annotator"):
        table = LOCATED[shape] | {role: [None, *LOCATED[shape][role][1:]]}
        with pytest.raises(InputError, match=f"the {role} is empty in 1 of"):
            KINDS[shape].from_frame(pl.DataFrame(table))
        with pytest.raises(InputError, match=f":2: the {role} is empty; name it or drop the row"):
            read_csv(table, tmp_path, shape=shape)


@pytest.mark.parametrize("role", ["entity", "mention"])
def test_an_entity_without_a_name_is_none(role, tmp_path):
    """They were all one entity, which nobody had seen."""
    table = LOCATED["chains"] | {role: ["m", None, "m"]}
    with pytest.raises(InputError, match=f":3: the {role} is empty"):
        read_csv(table, tmp_path)
    with pytest.raises(InputError, match=f"the {role} is empty in 1 of 3 rows"):
        Chains.from_frame(pl.DataFrame(table))


@pytest.mark.parametrize("shape", LOCATED)
def test_a_column_that_lacks_is_named(shape):
    schema = SCHEMAS[shape]
    needed = next(way for way in schema.ways if {*way} <= {*LOCATED[shape]})
    for role in needed:
        table = pl.DataFrame({n: c for n, c in LOCATED[shape].items() if n != role})
        with pytest.raises(InputError, match=f"the frame has no column '{role}'"):
            KINDS[shape].from_frame(table)


@pytest.mark.parametrize("kind", [Units, Boxes, Relations])
def test_an_option_that_does_not_exist_is_refused(kind):
    with pytest.raises(TypeError, match="unexpected keyword argument 'flavour'"):
        kind.from_rows([], flavour=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'flavour'"):
        kind.from_frame(pl.DataFrame(LOCATED[kind.shape]), flavour=1)


@pytest.mark.parametrize("shape", ["units", "boxes", "relations"])
def test_a_frame_takes_what_rows_take(shape):
    table = pl.DataFrame(LOCATED[shape])
    data = KINDS[shape].from_frame(
        table, coverage={"f": ["C"]}, notes=["so"], categories=list("zyx")
    )
    assert data.annotators == ("A", "B", "C")
    assert data.categories == ("z", "y", "x")
    assert data.notes[0] == "so"
    assert data.told
    assert data.coverage[data.documents.index("f")].tolist() == [False, False, True]


@pytest.mark.parametrize("shape", ["units", "boxes", "relations"])
def test_further_columns_stay_with_their_rows(shape, tmp_path):
    table = LOCATED[shape] | {"comment": [f"c{i}" for i in range(len(LOCATED[shape]["label"]))]}
    data = read_csv(table, tmp_path, shape=shape)
    said = [row["comment"] for row in rows_of(data)]
    assert sorted(said) == sorted(table["comment"])
    chosen = data.select(annotators=["B"])
    assert [row["comment"] for row in rows_of(chosen)] == ["c1"]
    renamed = KINDS[shape].from_frame(pl.DataFrame(LOCATED[shape] | {
        "annotator": ["C"] * len(said), "document": table["document"]}))  # fmt: skip
    whole = rows_of(joined([data, renamed]))
    assert [r["comment"] for r in whole if r["annotator"] == "C"] == [None] * len(said)
    assert sorted(r["comment"] for r in whole if r["annotator"] != "C") == sorted(said)


def test_boundaries_are_whole_numbers_and_none_is_an_empty_cell():
    table = {
        "document": ["d", "d", "d"],
        "annotator": ["A", "B", "C"],
        "boundary": ["2 3", None, "4"],
    }
    data = accord.read(pl.DataFrame(table), length=9, shape="segments")
    assert [data.masses(0, a).tolist() for a in range(3)] == [[2, 1, 6], [9], [4, 5]]
    for cell in ("2 x", "2.5", "nan"):
        with pytest.raises(InputError, match=f"a boundary must be a whole number, got '{cell}'"):
            accord.read(pl.DataFrame(table | {"boundary": [cell, "1", "2"]}), length=9)
    half = pl.DataFrame({"annotator": ["A"], "masses": [[2.5, 1.0]]})
    with pytest.raises(InputError, match="the masses must be whole numbers, got"):
        Segments.from_frame(half)
    for masses in ([2.0, 1.0], ["2", "1"], [2, 1]):
        data = Segments.from_frame(pl.DataFrame({"annotator": ["A"], "masses": [masses]}))
        assert data.masses(0, 0).tolist() == [2, 1]


def test_a_choice_turns_every_field(tmp_path):
    data = Units.from_rows(
        list(zip(*UNITS.values(), strict=True)),
        lengths={"d": 9, "e": 7},
        texts={"e": "text"},
        extras={"n": ["0", "1", "2"]},
    )
    turned = data.select(documents=["e", "d"], annotators=["B", "A"])
    assert turned.lengths.tolist() == [7, 9]
    assert turned.texts == ("text", None)
    assert turned.extras == {"n": ["2", "1", "0"]}
    assert [tuple(u)[:2] for u in turned] == [("e", "A"), ("d", "B"), ("d", "A")]
    cut = Segments.from_masses([("d", "A", [2, 3]), ("d", "B", [5]), ("e", "A", [1, 1])])
    turned = cut.select(documents=["e", "d"])
    assert turned.boundaries.keys() == {(0, 0), (1, 0), (1, 1)}
    assert turned.lengths.tolist() == [2, 5]
    chains = Chains.from_frame(pl.DataFrame(LOCATED["chains"]))
    alone = chains.select(annotators=["B"])
    assert alone.names == {(0, 0): ("f",)}
    assert alone.coverage == {(0, 0)}
    assert np.array_equal(alone.entity, [0])
