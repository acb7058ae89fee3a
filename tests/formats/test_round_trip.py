"""write → read = the same data, for every format that can be written."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import accord
from accord.data import Annotations, Boxes, Chains, Ratings, Units
from accord.data.statements import Statement
from accord.data.tables import ratings_from_long
from accord.data.units import Unit
from accord.errors import UsageError
from accord.formats import formats, write
from accord.reading import read
from accord.reading.conversion import convert, differences

#: rich formats that hold units, and whether they hold texts exactly, whole coverage, and seconds
HELD = {
    "brat": {"text", "coverage"},
    "glozz": {"text", "coverage"},
    "uima": {"text", "coverage"},
    "webanno-tsv3": {"coverage"},
    "label-studio": {"text", "coverage", "seconds"},
    "doccano": {"text", "coverage"},
    "argilla": {"text", "coverage"},
    "potato": {"text", "coverage"},
    "textgrid": {"coverage", "seconds"},
    "rttm": {"seconds"},
}

names = st.text("abcXYZ019é", min_size=1, max_size=4)
document_names = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]) | st.sampled_from(
    "() /-"
)
cells = st.text(st.sampled_from('abc1 ,;"\n\té'), min_size=1, max_size=5).filter(
    lambda text: text == text.strip()  # blanks around values are not kept
)
characters = st.characters(
    exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufffe\uffff"
) | st.sampled_from("🥳e\u0301\n\r\t ab.")


@st.composite
def unit_data(draw: st.DrawFn) -> Units:
    documents = draw(st.lists(names, min_size=1, max_size=3, unique_by=str.lower))
    annotators = draw(st.lists(names, min_size=1, max_size=3, unique_by=str.lower))
    texts = {d: draw(st.text(characters, min_size=1, max_size=25)) for d in documents}
    seen = [
        (d, a) for d in documents for a in annotators if draw(st.booleans()) or a == annotators[0]
    ]
    seen += [(documents[0], a) for a in annotators]
    rows = []
    for d, a in dict.fromkeys(seen):
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(texts[d]) - 1))
            end = draw(st.integers(start + 1, len(texts[d])))
            rows.append(
                (d, a, float(start), float(end), draw(st.sampled_from(["PER", "a-b", "é|_[1]"])))
            )
    lengths = {d: float(len(t)) for d, t in texts.items()}
    return Units.from_rows(rows, texts=texts, coverage=seen, lengths=lengths)


@st.composite
def timed_data(draw: st.DrawFn) -> Units:
    documents = draw(st.lists(names, min_size=1, max_size=2, unique_by=str.lower))
    annotators = draw(st.lists(names, min_size=1, max_size=2, unique_by=str.lower))
    rows = []
    for d in documents:
        for a in annotators:
            place = 0
            for _ in range(draw(st.integers(1, 4))):
                place += draw(st.integers(0, 5000))
                end = place + draw(st.integers(1, 5000))
                rows.append(
                    (d, a, place / 1000, end / 1000, draw(st.sampled_from(["x", 'q"y', "é"])))
                )
                place = end
    return Units.from_rows(
        rows,
        coverage=[(d, a) for d in documents for a in annotators],
        lengths=dict.fromkeys(documents, 1000.0),
    )


@st.composite
def token_data(draw: st.DrawFn) -> Units:
    """What tags hold: tokens without a text, units of one annotator that do not overlap."""
    documents = draw(st.lists(st.text(document_names, max_size=6), min_size=1, unique=True))
    annotators = draw(st.lists(names, min_size=1, max_size=3, unique_by=str.lower))
    seen = [
        (d, a) for d in documents for a in annotators if draw(st.booleans()) or a == annotators[0]
    ]
    seen += [(documents[0], a) for a in annotators]
    rows, ends = [], dict.fromkeys(documents, 0)
    for d, a in dict.fromkeys(seen):
        place = 0
        for _ in range(draw(st.integers(0, 4))):
            place += draw(st.integers(0, 3))
            end = place + draw(st.integers(1, 3))
            rows.append((d, a, place, end, draw(st.sampled_from([None, "PER", "a-b", "é|_[1]"]))))
            place = end
        ends[d] = max(ends[d], place)
    lengths = {d: float(n + draw(st.integers(0, 3))) for d, n in ends.items()}
    lengths = {d: n for d, n in lengths.items() if n and draw(st.booleans())}
    return Units.from_rows(rows, coverage=seen, lengths=lengths)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=token_data())
def test_units_on_tokens(data: Units) -> None:
    assert _trip(data, "conll2003") == []


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=unit_data())
def test_units_on_texts_as_tokens(data: Units) -> None:
    """Offsets become tokens, the same for all annotators; what is written again is the same."""
    folder = Path(tempfile.mkdtemp())
    try:
        told = write(data, folder / "out", format="conll2003")
        back = read(folder / "out", format="conll2003")
        assert isinstance(back, Units)
        assert (back.documents, back.annotators) == (data.documents, data.annotators)
        assert (back.coverage == data.coverage).all()
        dropped = [int(s.split()[0]) for s in told if "overlap another" in s]
        assert len(back) == len(data) - sum(dropped)
        assert _alignment(back) <= _alignment(data)
        write(back, folder / "again", format="conll2003")
        assert differences(back, read(folder / "again", format="conll2003")) == []
    finally:
        shutil.rmtree(folder)


TABLES = ("csv", "jsonl", "parquet")
CHAINS = ("conll2012", "corefud", "clusters")


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=40, deadline=None)
@given(data=unit_data() | timed_data())
def test_units_through_tables(name: str, data: Units) -> None:
    assume(len(data) > 0)
    # a table holds the units; texts, lengths and who saw what need tables of their own
    assert [s for s in _trip(data, name, f"out.{name}") if " units " in s] == []


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(
        st.tuples(cells, cells), st.sampled_from(["x", "y", 'q"z']), min_size=1, max_size=6
    )
)
def test_ratings_through_tables(name: str, rows: dict[tuple[str, str], str]) -> None:
    data = ratings_from_long([i for i, _ in rows], [a for _, a in rows], list(rows.values()))
    assert _trip(data, name, f"out.{name}") == []


@pytest.mark.parametrize("name", CHAINS)
@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        names,
        st.sets(st.tuples(st.integers(0, 9), st.integers(1, 4)), max_size=8),
        min_size=1,
        max_size=3,
    ),
    st.randoms(use_true_random=False),
)
def test_chains(name: str, found: dict[str, set[tuple[int, int]]], random: Random) -> None:
    clusters: dict[tuple[str, str], list[list[tuple[int, int]]]] = {}
    for document, places in found.items():
        entities: list[list[tuple[int, int]]] = [[] for _ in range(3)]
        for start, length in sorted(places):
            mention = (start, start + length)
            entity = random.choice(entities)
            # brackets of one name are matched like parentheses: an entity's mentions may not cross
            if not any(s < start < e < mention[1] or start < s < mention[1] < e for s, e in entity):
                entity.append(mention)
        clusters[_as_conll(document, name), "out"] = [e for e in entities if e]
    assert _trip(Chains.from_clusters(clusters), name) == []


def _as_conll(document: str, name: str) -> str:
    """CoNLL-2012 knows documents by a name and the number of a part."""
    return f"({document}); part 000" if name == "conll2012" else document


def _alignment(units: Units) -> set[tuple[str | None, ...]]:
    """Pairs of annotators' units that have the same bounds, whatever the offsets count."""
    places: dict[tuple[str, float, float], list[tuple[str, str | None]]] = {}
    for u in units:
        places.setdefault((u.document, u.start, u.end), []).append((u.annotator, u.label))
    return {
        (d, *one, *other)
        for (d, _, _), at in places.items()
        for one in at
        for other in at
        if one != other
    }


def _said(name: str, data: Annotations) -> dict[str, str]:
    """What names annotators, where texts that are the same in two documents do not tell it."""
    texts = getattr(data, "texts", None) or ()
    alike = name in ("uima", "webanno-tsv3") and len(set(texts)) < len(texts)
    return {"annotator_from": "file"} if alike else {}


def _trip(data: Annotations, name: str, file: str = "out") -> list[str]:
    folder = Path(tempfile.mkdtemp())
    try:
        write(data, folder / file, format=name)
        own = {"annotator_from": "tier"} if name == "textgrid" else _said(name, data)
        # who saw what stands in a table of its own
        seen = {"seen": "all"} if name in TABLES and isinstance(data, Units) else {}
        back = read(folder / file, format=name, points=True, duplicates="keep", **own, **seen)
        return differences(data, back)
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("name", [n for n in HELD if n not in ("textgrid", "rttm")])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=unit_data())
def test_units_on_texts(name: str, data: Units) -> None:
    if name == "uima":
        assume_xml(data)
    lost = _trip(data, name)
    if "text" not in HELD[name]:
        lost = [s for s in lost if "texts of" not in s and "lengths of" not in s]
    assert lost == []


def assume_xml(data: Units) -> None:
    """XML has no control characters; the writer says so, and that is another test."""
    assume(not any(0x7F <= ord(c) < 0xA0 for t in data.texts or () for c in t or ""))


@st.composite
def box_data(draw: st.DrawFn) -> Boxes:
    documents = draw(st.lists(names, min_size=1, max_size=3, unique_by=str.lower))
    annotators = draw(st.lists(names, min_size=1, max_size=3, unique_by=str.lower))
    seen = [(d, a) for d in documents for a in annotators if draw(st.booleans())]
    seen += [(documents[0], a) for a in annotators] + [(d, annotators[0]) for d in documents]
    side = st.integers(1, 40).map(lambda n: n / 4)
    rows = []
    for d, a in dict.fromkeys(seen):
        for _ in range(draw(st.integers(0, 3))):
            x, y, w, h = (draw(side) for _ in range(4))
            label = draw(st.sampled_from([None, "Car", "é, x"]))
            if draw(st.booleans()):
                rows.append((d, a, [(x, y), (x + w, y), (x, y + h)], label))
            else:
                rows.append((d, a, x, y, x + w, y + h, label))
    sizes = {d: (30.0, 25.0) for d in documents if draw(st.booleans())}
    return Boxes.from_rows(rows, coverage=seen, sizes=sizes)


BOXES = ("coco",)


@pytest.mark.parametrize("name", BOXES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=box_data())
def test_boxes(name: str, data: Boxes) -> None:
    assert _trip(data, name, "out.json") == []


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=box_data())
def test_boxes_through_tables(name: str, data: Boxes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        lost = convert(data, Path(folder) / f"out.{name}")
    assert lost == [] or len(data) == 0


@pytest.mark.parametrize("name", [n for n, held in HELD.items() if "seconds" in held])
@settings(max_examples=40, deadline=None)
@given(data=timed_data())
def test_units_in_seconds(name: str, data: Units) -> None:
    lost = _trip(data, name)
    if name == "label-studio":
        lost = [s for s in lost if "lengths of" not in s]
    assert lost == []


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(
        st.tuples(names, names),
        st.sampled_from(["x", "y"]) | st.frozensets(st.sampled_from("pqr"), min_size=1),
        min_size=1,
    )
)
def test_ratings_through_label_studio(rows: dict[tuple[str, str], object]) -> None:
    sets = any(isinstance(v, frozenset) for v in rows.values())
    # sets of one label each are read as labels
    assume(not sets or any(isinstance(v, frozenset) and len(v) > 1 for v in rows.values()))
    values = [frozenset({v}) if sets and isinstance(v, str) else v for v in rows.values()]
    data = ratings_from_long([i for i, _ in rows], [a for _, a in rows], values)
    assert _trip(data, "label-studio") == []


def test_every_writer_of_exports_is_tested() -> None:
    written = {f.name for f in formats() if f.writes}
    # workbooks are tested with the other readers of tables (test_formats_more), Prodigy, which takes a unit
    # that is shown twice for one, where references are put back (gold/test_into_platforms)
    assert written == {*HELD, "conll2003", "excel", "prodigy", *TABLES, *CHAINS, *BOXES}


def _small() -> Units:
    return Units.from_rows(
        [("d", "A", 0, 3, "x"), ("d", "B", 4, 7, "two words")],
        texts={"d": "one two"},
        lengths={"d": 7},
    )


def test_what_is_lost_is_listed(tmp_path: Path) -> None:
    lost = convert(_small(), tmp_path / "b", format="brat")
    assert any("'two words' is written 'two_words'" in s for s in lost)
    assert any("1 of 2 units differ" in s for s in lost)
    assert any("texts of 1 document" in s for s in convert(_small(), tmp_path / "r", format="rttm"))


def test_overlapping_units_are_spread_over_tiers(tmp_path: Path) -> None:
    data = Units.from_rows([("d", "A", 0, 3, "x"), ("d", "A", 1, 4, "y")], lengths={"d": 7})
    lost = convert(data, tmp_path / "d.TextGrid")
    assert any("spread over 2 tiers" in s for s in lost)


def test_a_folder_in_use_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        convert(_small(), tmp_path, format="brat")


def test_single_files_hold_one_of_each(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one annotator and one document"):
        write(_small(), tmp_path / "x.xmi")
    with pytest.raises(UsageError, match="one annotator"):
        write(_small(), tmp_path / "x.rttm")


def test_dangerous_names_stay_inside_the_folder(tmp_path: Path) -> None:
    data = Units.from_rows(
        [("../../d", "/etc/A", 0, 3, "x"), ("..", "a\\b:c", 0, 3, "x")],
        texts={"../../d": "abc", "..": "abc"},
        lengths={"../../d": 3, "..": 3},
    )
    target = tmp_path / "inner" / "out"
    for name in ("brat", "doccano", "glozz", "uima", "webanno-tsv3", "conll2003"):
        convert(data, target / name, format=name)
    assert [p.name for p in tmp_path.iterdir()] == ["inner"]
    assert [p.name for p in (tmp_path / "inner").iterdir()] == ["out"]


def test_the_wrong_shape_is_refused(tmp_path: Path) -> None:
    ratings = Ratings.from_matrix([["a", "b"], ["a", "a"]])
    with pytest.raises(UsageError, match="holds units, not ratings"):
        write(ratings, tmp_path / "x", format="brat")


#: what each format holds of what is said of units, beside their places and labels
SAID = {
    "brat": {"relation", "event", "attribute", "note", "normalisation", "equivalence"},
    "uima": {"relation", "event", "attribute", "note"},
    "webanno-tsv3": {"relation", "attribute", "note"},
    "label-studio": {"relation", "attribute", "note"},
    "doccano": {"relation"},
}


@st.composite
def talked_of(draw: st.DrawFn, kinds: set[str]) -> Units:
    """Units with statements about them, of these kinds."""
    data = draw(unit_data())
    rows: dict[tuple[str, str], list[Unit]] = {}
    for unit in data:
        rows.setdefault((unit.document, unit.annotator), []).append(unit)
    said = {}
    for key, held in rows.items():
        units = [
            Statement(f"T{i}", "unit", u.label or "", places=((u.start, u.end),))
            for i, u in enumerate(held, start=1)
        ]
        others: list[Statement] = []
        place = st.sampled_from([one.name for one in units])
        word = st.sampled_from(["Sure", "Confidence", "is_in"])
        for number in range(draw(st.integers(0, 4))):
            kind = draw(st.sampled_from(sorted(kinds)))
            first = draw(place)
            if kind == "relation":
                ends = (("Arg1", first), ("Arg2", draw(place)))
                others.append(Statement(f"R{number}", "relation", draw(word), ends))
            elif kind == "event" and not any(("", first) in o.targets for o in others):
                # an event has the type of its trigger, and a trigger one event
                label = next(one.label for one in units if one.name == first)
                others.append(
                    Statement(f"E{number}", "event", label, (("", first), ("Goal", draw(place))))
                )
            elif kind in ("attribute", "normalisation", "note"):
                label = {"note": "AnnotatorNotes"}.get(kind, draw(word))
                value = draw(st.sampled_from(["high", "é [1] | *", "2"]))
                letter = {"attribute": "A", "normalisation": "N", "note": "#"}[kind]
                about = (("", first),)
                taken = any(o.targets[0] == about[0] and o.label == label for o in others)
                if not taken and not any(
                    o.kind == "event" and about[0] in o.targets for o in others
                ):
                    others.append(Statement(f"{letter}{number}", kind, label, about, value))
            elif kind == "equivalence":
                others.append(Statement("*", kind, "Equiv", (("", first), ("", draw(place)))))
        said[key] = (*units, *others)
    return replace(data, statements=said)


@pytest.mark.parametrize("name", SAID)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_what_is_said_of_units(name: str, data: st.DataObject) -> None:
    units = data.draw(talked_of(SAID[name]))
    if name == "uima":
        assume_xml(units)
    assert [s for s in _trip(units, name) if "texts of" not in s and "lengths of" not in s] == []


@pytest.mark.parametrize("name", [n for n in HELD if n not in ("textgrid", "rttm")])
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=unit_data())
def test_the_reference_beside_the_originals(name: str, data: Units) -> None:
    """`gold --to`: the reference is one more annotator, everything else is as it was."""
    if name == "uima":
        assume_xml(data)
    assume(len(data.annotators) > 1 and "reference" not in data.annotators)
    # what is written is read back: texts that are the same do not tell whose name is whose
    assume(not _said(name, data))
    folder = Path(tempfile.mkdtemp())
    try:
        whole = accord.gold(data).together()
        assert isinstance(whole, Units)
        lost = convert(whole, folder / "out", format=name)
        if name == "webanno-tsv3":  # blanks between sentences
            lost = [s for s in lost if "texts of" not in s and "lengths of" not in s]
        assert lost == []
        back = read(folder / "out", format=name, curation="include")
        assert set(back.annotators) == {*data.annotators, "reference"}
    finally:
        shutil.rmtree(folder)


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.tuples(names, names), st.sampled_from(["x", "y", "é z"]), min_size=1))
def test_ratings_through_doccano(rows: dict[tuple[str, str], str]) -> None:
    assume(len({a.lower() for _, a in rows}) == len({a for _, a in rows}))
    data = ratings_from_long([i for i, _ in rows], [a for _, a in rows], list(rows.values()))
    assert _trip(data, "doccano") == []
