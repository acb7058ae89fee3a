"""Mathet & Widlöcher (2011) and Antoine et al. (2011): every number that can be recomputed."""

import pytest

from accord.report.reproduce import PAPERS, cannot, figures, reproduce
from accord.report.reproduce.check import row
from accord.report.reproduce.page import papers_page, summary

CHECKS = [*reproduce("taln2011_alignment"), *reproduce("taln2011_opinion")]


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: f"{c.table} {c.what}")
def test_every_printed_value(check):
    assert check.status in ("ok", "slip", "own data"), (check.ours, check.printed)


def test_known_slips_are_the_only_ones():
    slips = {(c.table, c.what.split(",")[0]) for c in CHECKS if c.status == "slip"}
    assert ("§5.1", "unitary alignments of 3 annotators with 25 units") in slips
    assert {t for t, _ in slips} == {
        *("§4.2.2", "§4.3.1", "§4.4.1", "§5.1", "§5.3", "Table 3", "Figure 2"),
        *("§1", "§3", "§3.1", "Table 1", "Table 2"),
    }


def ours(what):
    return next(c.ours for c in CHECKS if c.what.startswith(what))


def test_the_search_space_is_listed_and_filtered():
    """Every unitary alignment of the two sizes; the filter of (8) on a small case by hand."""
    from accord.report.reproduce.taln2011_alignment import _unitary_disorders

    assert len(_unitary_disorders(3, 25)) == 26**3 - 1
    assert len(_unitary_disorders(2, 3)) == 4**2 - 1
    # alone, a unit costs Δ
    assert sorted(_unitary_disorders(2, 3).tolist()).count(4.0) >= 6
    assert 75 < ours("case 1:") < 26**3 / 5


def test_slips_of_formulas_are_real():
    """κ without brackets and Pearson by variances give other values than the measures."""
    import numpy as np

    from accord.report.reproduce.taln2011_opinion import _ANSWERS, _REFERENCE

    assert ours("Pearson") == pytest.approx(np.corrcoef(_REFERENCE, _ANSWERS)[0, 1])
    a, b = np.array(_REFERENCE), np.array(_ANSWERS)
    observed = (a == b).mean()
    chance = sum((a == c).mean() * (b == c).mean() for c in (-1, 0, 1))
    assert ours("κ of the same") == pytest.approx((observed - chance) / (1 - chance))


def test_votes_of_figure_1():
    from accord.report.reproduce.taln2011_opinion import VOTES

    assert sum(VOTES.values()) == 31
    assert max(VOTES.values()) == VOTES["0"] == 12
    assert len([n for n in VOTES.values() if n]) == 5


def test_the_page_names_what_cannot_be_recomputed_and_has_the_figures():
    page = papers_page(CHECKS, PAPERS, cannot(), figures())
    assert "not published" in page
    assert page.count("<table>") == len({(c.paper, c.table) for c in CHECKS})
    drawn = figures()
    assert {k: [d.table for d in v] for k, v in drawn.items()} == {
        "tal2016": ["§3.4", "Figure 4", "Figure 5"],
        "taln2011_alignment": ["Figure 1", *["Figure 2"] * 2, *["Figure 3"] * 2],
        "taln2011_opinion": ["Figure 1"],
        "taln2020": ["Figure 1", "Figure 2"],
    }
    # this page is of the papers of 2011
    assert page.count("src='data:image/svg+xml") == 6
    assert "<script" not in page
    assert summary(CHECKS).startswith(f"{len(CHECKS)} values: ")


def test_what_cannot_be_recomputed_stands_under_its_own_paper():
    everything = [row(key, "Table 1", "a value", "1", 1.0, "by hand") for key in PAPERS]
    page = papers_page(everything, PAPERS, cannot(), figures())
    places = [
        page.index(title.partition(",")[0].replace("&", "&amp;")) for title in PAPERS.values()
    ]
    assert places == sorted(places)
    for key, following in zip(PAPERS, [*places[1:], len(page)], strict=True):
        for why in cannot()[key].values():
            assert places[list(PAPERS).index(key)] < page.index(why.split(":")[0][:40]) < following
