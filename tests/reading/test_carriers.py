"""The same table has one reading and one value, whatever carries it."""

import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.errors import AccordError, InputError
from tests.reading.carriers import carriers

VALUES = {
    "names": st.sampled_from(["yes", "no", "maybe"]),
    "numbers": st.integers(1, 5),
    "decimals": st.sampled_from([1.5, 2.0, 2.25, 4.0]),
    "sets": st.sampled_from(["a", "b", "a|b", "b|c"]),
    "with NA": st.sampled_from(["x", "y", "NA"]),
}


@st.composite
def tables(draw, *, wide: bool):
    kind = draw(st.sampled_from(sorted(VALUES)))
    cell = st.one_of(VALUES[kind], VALUES[kind], VALUES[kind], st.none())
    people = draw(st.lists(st.sampled_from(["Ann", "Bob", "cy", "gold"]), min_size=2, max_size=4,
                           unique=True))  # fmt: skip
    n = draw(st.integers(3, 9))
    items = [f"i{k}" for k in range(n)] if draw(st.booleans()) else list(range(7, 7 + n))
    grid = {p: draw(st.lists(cell, min_size=n, max_size=n)) for p in people}
    # an engine that infers types needs a value in each column
    for cells in grid.values():
        cells[0] = draw(VALUES[kind])
    options = {"separator": "|"} if kind == "sets" else {}
    if wide:
        return {"item": items, **grid}, options
    rows = [(i, p, v) for k, i in enumerate(items) for p in people for v in [grid[p][k]]]
    names = ("item", "annotator", "value")
    return {c: [row[k] for row in rows] for k, c in enumerate(names)}, options


def outcome(given: object, options: dict[str, object]) -> object:
    """What was read and its value, or the sentence that says why not, without the place."""
    try:
        data = accord.read(given, **options)
        found = accord.agree(data, "alpha")
    except AccordError as problem:
        return problem.problem if isinstance(problem, InputError) else str(problem)
    told = {k: v for k, v in data.reading.to_dict().items() if k != "sources"}
    value = None if math.isnan(found.value) else found.value
    return told, [str(i) for i in data.items], value, found.signature


@pytest.mark.parametrize("wide", [False, True])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_one_table_has_one_reading(wide, data):
    columns, options = data.draw(tables(wide=wide))
    with tempfile.TemporaryDirectory() as folder:
        found = {
            name: outcome(carrier, options)
            for name, carrier in carriers(columns, Path(folder)).items()
        }
    for name, one in found.items():
        assert one == found["csv"], name
