"""Krippendorff (2004, p. 254) and Krippendorff et al. (2016): the worked examples."""

import math

import pytest

import accord
from accord.data import Units

ALEX = "0-7:1 7-13:2 30-32:5 32-37:6 37-44:6 44-60:7"
PAUL = "0-7:1 7-13:3 13-21:5 32-44:6"
SUZAN = "0-7:1 7-13:4 13-21:5 32-37:6 37-41:6 41-44:6"


def read(**records: str) -> list[tuple[str, str, float, float, str]]:
    rows = []
    for who, text in records.items():
        for cell in text.split():
            place, label = cell.split(":")
            start, end = place.split("-")
            rows.append(("d", who, float(start), float(end), label))
    return rows


@pytest.fixture
def example() -> Units:
    return Units.from_rows(read(Alex=ALEX, Paul=PAUL, Suzan=SUZAN), lengths={"d": 60})


@pytest.mark.parametrize(
    ("name", "value"),
    [("u-alpha", 0.50998), ("bar-u-alpha", 0.41360), ("cu-alpha", 0.72417)],
)
def test_2016_example(example, name, value):
    assert accord.agree(example, name).value == pytest.approx(value, abs=5e-6)


def test_2016_example_terms(example):
    result = accord.agree(example, "cu-alpha")
    assert result.terms["coverage"] == pytest.approx(83 / 180)
    table = result.terms["coincidences"]
    six = table["values"].index("6")
    # all three coders give 6 to the same 12 atoms: 3·2·12/2 = 36
    assert table["observed"][six][six] == pytest.approx(36)
    u = accord.agree(example, "u-alpha").terms
    assert u["length"] == 180
    assert sum(map(sum, u["coincidences"]["observed"])) == pytest.approx(180)


def test_2016_example_by_value(example):
    found = {r.terms["category"]: r for r in accord.agree(example, "ku-alpha")}
    for name in "156":
        assert found[name].value == pytest.approx(1.0)
    for name in "234":
        assert found[name].value == pytest.approx(0.0)
    assert math.isnan(found["7"].value)
    assert found["7"].terms["coverage"] == 0
    assert found["7"].undefined
    assert {r["category"]: r["value"] for r in accord.agree(example, "cu-alpha").by["category"]}[
        "5"
    ] == pytest.approx(1.0)


def test_2004_example():
    c = {"0": "75-145:c 220-250:c", "1": "70-150:c 205-225:c 250-270:c"}
    k = "30-90:k 150-200:k"
    rows = read(**{who: f"{c[who]} {k}" for who in c})
    result = accord.agree(Units.from_rows(rows, lengths={"d": 300}), "alpha-u")
    by = {r["category"]: r for r in result.by["category"]}
    assert by["c"]["squared_differences"] == 1300
    assert by["c"]["value"] == pytest.approx(0.7286, abs=5e-5)
    assert by["k"]["value"] == 1
    assert result.value == pytest.approx(0.85867, abs=5e-6)


def test_atomised_column_of_2016():
    """TAL 2016 Table 3: the atomised column is alpha (kappa would give .796 and .643)."""
    first = read(Alex="0-2:A 2-4:A 4-6:A 6-7:A", Paul="0-6:A 6-7:B")
    second = read(Alex="0-2:A 3-5:A 6-8:A 9-10:A", Paul="0-2:A 3-5:A 6-8:B 9-10:A")
    for rows, alpha, kappa in ((first, 0.804, 0.796), (second, 0.648, 0.643)):
        data = Units.from_rows(rows, lengths={"d": 10})
        result = accord.atomized_alpha(data, beside=False)
        assert result.value == pytest.approx(alpha, abs=5e-4)
        assert any("read gamma instead" in w for w in result.warnings)
        assert accord.atomized_kappa(data, beside=False).value == pytest.approx(kappa, abs=5e-4)
