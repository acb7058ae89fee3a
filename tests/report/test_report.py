"""The report page as text and tables; what it looks like in a browser is tested in tests/browser."""

from __future__ import annotations

import csv
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
import accord.audit as audit
from accord.audit.finding import Finding
from accord.data import Ratings
from accord.errors import UsageError
from accord.report import report
from accord.report.charts import Estimate, Series, curves, estimates
from accord.report.figure import Table
from accord.report.matrices import heat_map, shares
from accord.report.palette import HUES, ink_on, luminance, paint
from tests.conftest import ROOT


def ratings(items: int = 60, annotators: int = 4, seed: int = 0, documents: int = 0) -> Ratings:
    """Annotators of whom the last answers at random."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(["person", "place", "<b>time</b>"], items, p=[0.5, 0.3, 0.2])
    rows = []
    for a in range(annotators):
        odd = rng.random(items) < (0.9 if a == annotators - 1 else 0.1)
        drawn = np.where(odd, rng.permutation(truth), truth)
        rows.append(drawn.tolist())
    data = Ratings.from_matrix(rows, annotators=[f"annotator {i + 1}" for i in range(annotators)])
    if not documents:
        return data
    from dataclasses import replace

    return replace(
        data,
        documents=tuple(f"text {d}" for d in range(documents)),
        document=np.arange(items, dtype=np.int32) % documents,
    )


def numbers(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_everything_shown_is_a_table(tmp_path: Path) -> None:
    data = ratings(documents=3)
    page = report(data, ["alpha", "ac1"], resamples=50, title="Places")
    result = accord.agree(data, "alpha", ci="auto", resamples=50)
    rows = {r[0]: r for r in page.tables["results"].rows}
    assert rows["alpha"][2] == result.value
    assert rows["alpha"][3] == result.interval.low
    assert set(page.tables) >= {
        "results", "pairs", "annotators", "annotator_rows", "categories", "use", "confusions",
        "coincidences", "items", "documents", "versions",
    }  # fmt: skip
    written = page.save_tables(tmp_path / "tables")
    assert {p.stem for p in written} == set(page.tables)
    with (tmp_path / "tables" / "pairs.csv").open(encoding="utf-8") as file:
        pairs = list(csv.DictReader(file))
    assert len(pairs) == 6
    one = data.select(annotators=[pairs[0]["first"], pairs[0]["second"]])
    assert float(pairs[0]["value"]) == accord.agree(one, "alpha").value
    coincidences = page.tables["coincidences"]
    assert sum(sum(r[1:]) for r in coincidences.rows) == pytest.approx(data.n_ratings)


def test_the_page_says_the_value_its_interval_and_what_it_is_like() -> None:
    data = ratings()
    page = report(data, resamples=50, title="Places & times")
    text = numbers(page.html())
    result = accord.agree(data, "alpha", ci="auto", resamples=50)
    assert f"{result.value:.2f}" in text
    assert f"interval {result.interval.low:.2f} to {result.interval.high:.2f}" in text
    assert "of the items at random, in the observed proportions" in text
    assert "Places &amp; times" in page.html()
    assert result.signature in text
    assert "How the figures on this page were made" in text


def test_the_odd_annotator_stands_out() -> None:
    page = report(ratings(items=200), resamples=50)
    without = {r[0]: r[1] for r in page.tables["annotators"].rows}
    assert max(without, key=lambda k: without[k]) == "annotator 4"


def test_names_are_never_markup_and_nothing_is_loaded_from_elsewhere() -> None:
    page = report(ratings(), resamples=20, texts={"0": "<script>alert(1)</script>"}).html()
    assert "<b>time</b>" not in page
    assert "<script>alert" not in page
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", page)
    assert "@import" not in page
    assert "url(http" not in page


def test_worst_items_come_with_their_text_and_every_choice() -> None:
    data = ratings()
    worst = accord.agree(data, "alpha", by=["item"]).by["item"][0]
    page = report(data, resamples=20, texts={str(worst["item"]): "Paris, in the spring"}).html()
    assert "Paris, in the spring" in page
    for who in worst["values"]:
        assert who in page


def test_findings_come_through_the_one_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def judge(
        data: Any, *, reference: Any = None, system: Any = None, **more: Any
    ) -> tuple[Finding, ...]:
        seen.update(data=data, reference=reference, system=system)
        return (
            Finding(rule="b", severity="note", statement="All is well."),
            Finding(
                rule="a",
                severity="serious",
                statement="One annotator answers at random.",
                evidence={"alpha": 0.1, "who": ["x", "y"]},
                advice="Talk to them.",
                citation="Somebody (2020)",
            ),
        )

    monkeypatch.setattr(audit, "audit", judge)
    data = ratings()
    page = report(data, resamples=20)
    text = numbers(page.html())
    assert seen["data"] is data
    assert text.index("One annotator answers at random") < text.index("All is well")
    assert "Talk to them." in text
    assert "alpha" in str(page.tables["findings"].rows[0])
    assert page.tables["findings"].rows[0][0] == "a"


def test_two_annotators_one_category_and_one_annotator() -> None:
    two = report(ratings(annotators=2), resamples=20)
    assert "annotators" not in two.tables  # nobody is left when one of two is left out
    same = Ratings.from_matrix([["a", "a"], ["a", "a"]])
    text = numbers(report(same, resamples=20).html())
    assert "undefined" in text
    with pytest.raises(UsageError, match="at least two annotators"):
        report(Ratings.from_matrix([["a", "b"]]))


def test_large_campaigns_stay_small_pages() -> None:
    rng = np.random.default_rng(0)
    values = rng.choice(list("abcdefghijklmnopqrstuvwxyz"), (50, 2000)).tolist()
    page = report(Ratings.from_matrix(values), resamples=20)
    html = page.html()
    assert len(html.encode()) < 3_000_000
    assert "The 20 annotators who did most are shown, of 50" in html
    assert "The 20 most frequent are drawn, of 26" in html
    assert len(page.tables["items"].rows) == 2000


def test_the_command_writes_page_and_tables(accord_command: Any, tmp_path: Path) -> None:
    data = tmp_path / "notes.csv"
    rows = [
        f"{i},{a},{'xyz'[(i * (a + 1)) % 3] if i % 4 == 0 else 'xyz'[i % 3]}"
        for i in range(30)
        for a in range(3)
    ]
    data.write_text("\n".join(["item,annotator,value", *rows]) + "\n")
    out = tmp_path / "page.html"
    done = accord_command(
        "report", data, "-o", out, "--tables", tmp_path / "t", "--resamples", 50, "--json"
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["bytes"] == out.stat().st_size
    assert said["results"][0]["measure"] == "alpha"
    assert (tmp_path / "t" / "items.csv").is_file()
    wrong = accord_command("report", data, "--reference", data)
    assert wrong.returncode == 2
    assert "go together" in wrong.stderr
    texts = accord_command("report", data, "--texts", data, "-o", out)
    assert texts.returncode == 2
    assert "name them item,text or document,text" in texts.stderr


def test_charts_have_their_numbers_behind_them() -> None:
    figures = [
        curves("c", "C", [Series("a", [0, 1], [0.2, 0.8], [0.1, 0.7], [0.3, 0.9])],
               x_label="x", y_label="y"),
        estimates("e", "E", [Estimate("p", 0.5, 0.4, 0.6, 9), Estimate("q", float("nan"))],
                  label="category"),
        heat_map("h", "H", ["r"], ["c"], [[0.25]], corner="row"),
        shares("s", "S", ["r"], ["a", "b"], [[1, 3]], label="row"),
    ]  # fmt: skip
    for figure in figures:
        assert figure.table.rows
        assert "<title>" in figure.svg
        assert "<desc>" in figure.svg
        assert "var(" not in figure.standalone()
        assert figure.table.csv().count("\n") == len(figure.table.rows) + 1
    assert Table(("a",), ((float("nan"),), (None,))).csv() == 'a\n""\n""\n'


def test_ink_is_readable_on_every_hue() -> None:
    for hue in HUES:
        light, dark = sorted(
            (luminance(hue), luminance({"#000": "#000000", "#fff": "#ffffff"}[ink_on(hue)]))
        )
        assert (dark + 0.05) / (light + 0.05) >= 4.5
    assert len({(paint(k).hue, paint(k).pattern) for k in range(32)}) == 32


def test_workload_time_and_examples_behind_cells(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    rows = ["item,annotator,label,batch"]
    for i in range(20):
        for who in ("Ann", "Bob", "Cleo"):
            if who == "Cleo" and i >= 10:
                continue
            label = "y" if who == "Bob" and i % 4 == 0 else "x" if i % 2 else "z"
            rows.append(f"i{i},{who},{label},b{i // 10}")
    path.write_text("\n".join(rows) + "\n")
    made = report(accord.read(path), resamples=50, texts={"i0": "<i>the first</i>"})
    assert [r[:2] for r in made.tables["workload"].rows] == [
        ("Ann", 20.0), ("Bob", 20.0), ("Cleo", 10.0),
    ]  # fmt: skip
    assert made.tables["coverage"].rows[2] == ("Cleo", 10.0, None)
    assert [r[0] for r in made.tables["time"].rows] == ["b0", "b1"]
    assert {r[0]: r[3] for r in made.tables["items"].rows}["i0"] == "<i>the first</i>"
    page = made.html()
    pair = re.search(r'href="(#pair-\d+)" aria-label="Ann, Bob: [^"]*examples"', page)
    assert pair is not None
    place = page.index(f'id="{pair[1][1:]}"')
    folded = page[place : page.index("</details>", place)]
    assert "Ann and Bob: 5 items" in folded
    assert "&lt;i&gt;the first&lt;/i&gt;" in folded
    assert "z or y: 5 items" in page or "y or z: 5 items" in page


def test_what_is_said_of_the_data_stands_under_method() -> None:
    from dataclasses import replace

    data = replace(ratings(), notes=("3 rows were left out",))
    page = report(data, resamples=50).html()
    assert page.count("3 rows were left out") == 1
    assert "<h3>Noted while reading</h3><ul><li>3 rows were left out" in page


def test_the_sentence_for_a_paper_has_the_interval():
    from html import unescape

    from accord.audit import recommend

    data = accord.read(ROOT / "examples" / "moods.csv")
    said = unescape(accord.report(data).html()).partition('<blockquote id="sentence">')[2]
    assert said.partition("<")[0] == recommend(data, "moods.csv").sentence


def test_the_headline_is_that_of_agree():
    """The same value and the same limits, whoever prints them."""
    data = ratings()
    page, alone = report(data), accord.agree(data, ci="auto")
    assert page.results[0].value == alone.value
    assert page.results[0].interval.to_dict() == alone.interval.to_dict()


def test_long_names_are_told_apart():
    """Drawings and tables keep the end of a name."""
    names = [f"annotator.of.the.university.of.somewhere{i}" for i in range(3)]
    rows = ratings(annotators=3)
    renamed = replace(rows, annotators=tuple(names))
    page = report(renamed, resamples=20).html()
    drawn = set(re.findall(r">(annot\S*…\S*?)<", page))
    assert {name[-1] for name in drawn} == {"0", "1", "2"}


def test_tables_hold_the_texts(tmp_path):
    units = accord.Units.from_rows(
        [("d", "A", 0, 3, "x"), ("d", "B", 0, 7, "y"), ("d", "A", 8, 11, "x")],
        texts={"d": "the cat sat on the mat"},
    )
    page = report(units, resamples=20)
    page.save_tables(tmp_path)
    text = (tmp_path / "alignments.csv").read_text(encoding="utf-8")
    header, *lines = text.splitlines()
    assert header == "document,disorder,present,start,end,A,B,text"
    assert any(line.endswith("x 0–3,y 0–7,the cat") for line in lines), lines


def test_many_moments_are_drawn_in_periods_that_cover_all_of_them():
    """A timeline of a hundred days shows the whole of them, in their order, and the drift at its end."""
    from accord.data.tables import ratings_from_long
    from accord.report.sections.workload import MOST_PERIODS, in_periods

    draw = random.Random(2)
    rows = []
    for i in range(400):
        truth = draw.choice("ab")
        day = f"2026-{1 + i // 100:02d}-{1 + i % 100 // 4:02d}"
        for who in "AB":
            sure = 1.0 if i < 300 else 0.0
            rows.append(
                (f"i{i:03d}", who, truth if draw.random() < sure else draw.choice("ab"), day)
            )
    item, who, value, time = zip(*rows, strict=True)
    data = ratings_from_long(item, who, value, times=time)
    periods = in_periods(data, MOST_PERIODS)
    assert len(data.times) == 100
    assert len(periods.times) == MOST_PERIODS
    assert periods.times[0].startswith("2026-01-01 – ")
    assert periods.times[-1].endswith(" – 2026-04-25")
    assert np.all(np.diff(periods.time[np.argsort(data.time, kind="stable")]) >= 0)
    counts = np.bincount(periods.time)
    assert counts.min() >= 400 / MOST_PERIODS - 4
    page = report(data, resamples=20)
    (table,) = [s.tables["time"] for s in page.sections if s.key == "time"]
    values = [float(row[1]) for row in table.rows]
    assert len(values) == MOST_PERIODS
    assert min(values[:8]) > 0.9 > 0.5 > max(values[-3:])
    few = in_periods(data.take(np.flatnonzero(data.time < 5)), MOST_PERIODS)
    assert len(set(few.time.tolist())) == 5


def test_periods_of_times_of_day_are_named_by_their_days_and_none_is_empty():
    """An item's moment is its first: later ones, at the end, begin no period of their own."""
    from accord.data.tables import ratings_from_long
    from accord.report.sections.workload import MOST_PERIODS, in_periods

    rows = [
        (f"i{i:03d}", who, "ab"[i % 2], f"2026-{month:02d}-{1 + i // 5:02d}T09:{i % 5:02d}:00")
        for month, who in ((1, "A"), (2, "B"))
        for i in range(120)
    ]
    item, who, value, time = zip(*rows, strict=True)
    periods = in_periods(ratings_from_long(item, who, value, times=time), MOST_PERIODS)
    assert len(periods.times) == MOST_PERIODS
    assert np.bincount(periods.time, minlength=len(periods.times)).min() >= 5
    assert periods.times[0] == "2026-01-01 – 2026-01-02"
    assert periods.times[-1].endswith(" – 2026-02-24")


def test_outlines_of_twelve_annotators_are_told_apart():
    """The distance of two colours as people see them (CIE76): 24 at least for every two."""
    from itertools import combinations

    from accord.report.palette import OUTLINES

    def lab(colour: str) -> np.ndarray[Any, Any]:
        rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
        x, y, z = np.cbrt(np.array(to_xyz) @ linear / [0.95047, 1.0, 1.08883])
        return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])

    assert len(set(OUTLINES)) >= 12
    assert min(np.linalg.norm(lab(a) - lab(b)) for a, b in combinations(OUTLINES, 2)) > 24


def test_the_line_of_everybody_is_of_those_who_are_shown():
    """Of a crowd the most active are compared with each other, and the line is theirs."""
    draw = random.Random(4)
    rows = [
        (f"d{d}", f"w{(3 * d + k) % 30:02d}", 10 * i + draw.choice([0, 0, 3]), 10 * i + 8, "x")
        for d in range(30)
        for k in range(4)
        for i in range(3)
    ]
    units = accord.Units.from_rows(rows)
    page = report(units, ["gamma"], resamples=20, samples=5)
    lead = next(s.lead for s in page.sections if s.key == "annotators")
    assert "The 10 annotators who did most are shown, of 30: everybody is these." in lead
