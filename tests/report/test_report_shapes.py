"""The report of units, segments and chains, and of systems against a reference."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import accord
from accord.data import Chains, Ratings, Segments, Units
from accord.report import report
from accord.report.explorer import explorer
from accord.report.sections.of_chains import mention_rows
from accord.report.sections.of_units import confusion_counts
from tests.oracles.drawn import aligned

ROOT = Path(__file__).parents[2]


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


@pytest.fixture(scope="module")
def claims() -> Units:
    from accord.cli.texts import read_texts, with_texts

    units = accord.read(ROOT / "examples" / "claims.csv")
    assert isinstance(units, Units)
    return with_texts(units, read_texts(ROOT / "examples" / "claims_texts.csv"))


def test_units_report_holds_every_alignment(claims: Units) -> None:
    page = report(claims, resamples=50)
    found = accord.align(claims)
    rows = page.tables["alignments"].rows
    assert len(rows) == sum(len(a) for a in found)
    assert sum(r[2] for r in rows) == len(claims)
    html = page.html()
    assert 'id="explorer-data"' in html
    assert "parking has become impossible" in html
    value = accord.agree(claims, "gamma").value
    assert page.tables["results"].rows[0][2] == value
    assert {r[0] for r in page.tables["documents"].rows} == set(claims.documents)
    assert "after omitting" in words(html).lower()


def test_confusions_count_each_pair_of_annotators_both_ways() -> None:
    units, alignments = aligned(documents=2, groups=12)
    counts = confusion_counts(units, alignments)
    assert np.array_equal(counts, counts.T)
    # three annotators make three pairs; a pair without any unit is no confusion
    present = np.concatenate([a.members >= 0 for a in alignments]).sum(axis=1)
    pairs = sum(3 if n >= 2 else 2 for n in present)
    assert counts.sum() == 2 * pairs
    one_by_one = np.zeros_like(counts)
    for a in alignments:
        for members, _ in a:
            given = [len(counts) - 1 if m < 0 else units.label[m] for m in members.tolist()]
            for x, y in permutations(given, 2):
                one_by_one[x, y] += not x == y == len(counts) - 1
    assert np.array_equal(counts, one_by_one)
    nothing = counts[-1].sum()
    assert nothing == sum({1: 2, 2: 2, 3: 0}[int(n)] for n in present)


def test_a_crowd_is_told_by_those_who_marked_something() -> None:
    rows = [("d", f"w{k:02d}", 10, 20 + k % 7, "x") for k in range(70)]
    rows += [("e", f"w{k:02d}", 5 * k, 5 * k + 4, "x") for k in range(3)]
    columns = zip(*rows, strict=True)
    names = ("document", "annotator", "start", "end", "label")
    frame = dict(zip(names, map(list, columns), strict=True))
    page = report(accord.read(pl.DataFrame(frame), length=100.0, seen="all"), resamples=20)
    table = page.tables["alignments"]
    assert table.columns == ("document", "disorder", "present", "start", "end", "units")
    assert sum(row[5].count(": x ") for row in table.rows) == 73
    html = words(page.html())
    assert "and 58 more" in html


def test_explorer_leaves_out_the_least_disordered_and_says_so() -> None:
    units, alignments = aligned(documents=30)
    whole = explorer(units, alignments)
    part = explorer(units, alignments, most_bytes=len(whole.data) // 3)
    assert whole.left_out == ""
    shown = int(re.match(r"The (\d+) documents", part.left_out).group(1))  # type: ignore[union-attr]
    assert 0 < shown < 30
    worst = max(alignments, key=lambda a: a.disorder).document
    assert f'"{worst}"' in part.data


def test_segments_report_draws_cuttings_and_counts_votes() -> None:
    data = Segments.from_masses(
        [("d", "A", [3, 4, 3]), ("d", "B", [3, 7]), ("d", "C", [4, 3, 3]), ("e", "A", [5, 5]),
         ("e", "B", [5, 5]), ("e", "C", [10])]
    )  # fmt: skip
    page = report(data, resamples=50)
    votes = {(r[0], r[1]): r[2] for r in page.tables["boundaries"].rows}
    assert votes == {("d", 3): 2, ("d", 4): 1, ("d", 7): 2, ("e", 5): 2}
    assert page.tables["segmentation-1"].rows[0] == ("A", 3, "3 4 3")
    assert "Cuttings of d" in page.html()
    assert page.tables["results"].rows[0][2] == accord.agree(data).value


def test_chains_report_names_the_mentions_people_disagree_about() -> None:
    data = Chains.from_clusters(
        {
            ("d", "A"): [["Mary", "she", "her"], ["Paul", "he"]],
            ("d", "B"): [["Mary", "she", "her"], ["Paul", "he"]],
            ("d", "C"): [["Mary", "he"], ["Paul", "she", "her"]],
        }
    )
    rows = mention_rows(data)
    assert rows[0]["disagreement"] > 0.4
    assert all({a for who in r["entities"].values() for a in who} == {"A", "B", "C"} for r in rows)
    # A and B agree on everything: a third of the pairs overlap fully
    paul = next(r for r in rows if r["mention"] == "Paul")
    assert paul["disagreement"] == pytest.approx(1 - (1 + 1 / 4 + 1 / 4) / 3)
    text = words(report(data, resamples=50).html())
    assert "with he" in text


def test_systems_are_scored_against_the_reference() -> None:
    rng = np.random.default_rng(0)
    truth = rng.choice(["a", "b"], 80).tolist()
    people = [[v if rng.random() > 0.1 else "a" for v in truth] for _ in range(3)]
    system = [v if rng.random() > 0.3 else "b" for v in truth]
    reference = Ratings.from_matrix([truth], annotators=["gold"])
    answers = Ratings.from_matrix([system], annotators=["system"])
    page = report(
        Ratings.from_matrix(people), reference=reference, systems={"tagger": answers}, resamples=50
    )
    scores = {r[1]: r for r in page.tables["scores"].rows}
    right = float(np.mean([x == y for x, y in zip(truth, system, strict=True)]))
    assert scores["accuracy"][0] == "tagger"
    assert scores["accuracy"][2] == pytest.approx(right)
    assert "Systems against the reference" in page.html()


def test_every_shape_keeps_its_page_small_and_whole(claims: Units) -> None:
    html = report(claims, resamples=20).html()
    assert len(html.encode()) < 300_000
    for section in re.findall(r'<section id="([^"]+)"', html):
        assert f'href="#{section}"' in html


def test_every_shape_says_who_did_what() -> None:
    """Bars by annotator, and where: an empty cell was not seen, a nought was and has nothing."""
    clusters = {
        ("d", "A"): [[(0, 1), (2, 3)]], ("d", "B"): [[(0, 1)], [(2, 3)]],
        ("e", "A"): [[(0, 1), (5, 6)]], ("e", "C"): [[(0, 1), (5, 6)]],
    }  # fmt: skip
    chains = report(Chains.from_clusters(clusters), resamples=20)
    assert [r[:2] for r in chains.tables["workload"].rows] == [("A", 4.0), ("B", 2.0), ("C", 2.0)]
    assert list(chains.tables["coverage"].rows)[1:] == [("B", 2.0, None), ("C", None, 2.0)]
    masses = [("d", "A", [2, 3, 1]), ("d", "B", [6]), ("e", "A", [4, 4]), ("e", "C", [2, 6])]
    segments = report(Segments.from_masses(masses), resamples=20)
    assert list(segments.tables["coverage"].rows) == [
        ("A", 2.0, 1.0), ("B", 0.0, None), ("C", None, 1.0),
    ]  # fmt: skip
    links = [("d", who, i, i + 1, "x") for who in "AB" for i in (1, 4, 7)] + [("e", "A", 1, 3, "x")]
    seen = [("d", "A"), ("d", "B"), ("e", "A"), ("e", "B")]
    relations = report(accord.Relations.from_rows(links, coverage=seen), resamples=20)
    assert list(relations.tables["coverage"].rows) == [("A", 3.0, 1.0), ("B", 3.0, 0.0)]
    assert [r[:2] for r in relations.tables["workload"].rows] == [("A", 4.0), ("B", 3.0)]


def test_one_document_is_one_document_and_notes_name_options_as_they_are_typed() -> None:
    rows = [("d", who, 10 * i, 10 * i + 5, "x") for i in range(3) for who in "AB"]
    units = Units.from_rows(
        rows, notes=["1 relations are not used: y (1); `shape=relations` reads them"]
    )
    html = words(report(units, resamples=20).html())
    assert "1 document, 6 units" in html
    assert "`shape" not in html
    assert html.count("--shape relations reads them") == 1


def test_cells_of_units_open_their_alignments_in_the_text() -> None:
    texts = {"d": "The cat sat on the mat while a dog slept."}
    rows = [
        ("d", "A", 4, 7, "animal"), ("d", "B", 4, 7, "thing"), ("d", "A", 29, 34, "animal"),
        ("d", "A", 19, 22, "thing"), ("d", "B", 19, 22, "thing"),
    ]  # fmt: skip
    units = accord.Units.from_rows(rows, texts=texts)
    page = report(units).html()
    links = set(re.findall(r'href="#((?:pair|confusion)-\d+)"', page))
    assert {name.partition("-")[0] for name in links} == {"pair", "confusion"}
    assert links <= set(re.findall(r'<details class="examples" id="([^"]+)"', page))
    example = page[page.index("animal or thing: 1 alignment") :]
    assert "The <mark>cat</mark> sat on" in example[:500]
    assert "A <b>animal</b> 4–7, B <b>thing</b> 4–7" in example[:700]
    assert "animal or (nothing): 1 alignment<" in page


def test_pair_cells_of_relations_and_segments_open_what_differs() -> None:
    text = "Ann met Bob and she liked him."
    same = ((0, 3), (16, 19), "same")
    rows = [("d", "A", *same), ("d", "B", *same), ("d", "A", (8, 11), (26, 29), "same")]
    links = accord.Relations.from_rows(
        [*rows, ("d", "B", (8, 11), (26, 29), "other")], texts={"d": text}
    )
    page = report(links, resamples=20).html()
    assert "A and B: 1 relation<" in page
    assert "It opens the relations on which they differ." in page
    said = 'A <b translate="no">Bob → him same</b>, B <b translate="no">Bob → him other</b>'
    assert said in page[page.index('id="pair-0"') :]
    cuts = accord.Segments.from_masses(
        [("d", "A", [3, 4, 3]), ("d", "B", [3, 5, 2]), ("e", "A", [5, 5])]
    )
    page = report(cuts, resamples=20).html()
    assert "A and B: 2 boundaries<" in page
    shown = page[page.index('id="pair-0"') :]
    assert "<code>d</code> 7<br>A <b>boundary</b>, B <b>nothing</b>" in shown
    assert "<code>d</code> 8<br>B <b>boundary</b>, A <b>nothing</b>" in shown


def test_disputed_mentions_come_first_and_pair_cells_open_them() -> None:
    data = Chains.from_clusters(
        {
            ("d", "A"): [[(0, 1), (2, 3), (4, 5)], [(8, 9)]],
            ("d", "B"): [[(0, 1), (2, 3)], [(4, 5), (6, 7)]],
        }
    )
    page = report(data).html()
    worst = page[page.index('id="items"') :]
    first = worst[: worst.index("</li></ul></li>")]
    # (8, 9) is a mention of A alone: nobody disputes its entity
    assert "(4, 5)" in first
    assert "(8, 9)</span> <span class='aside'>" not in worst
    assert 'id="pair-0"' in page
