"""Mathet & Widlöcher (2011) and Antoine et al. (2011): every number that can be recomputed."""

import pytest

from accord.report.reproduce import PAPERS, cannot, reproduce
from accord.report.reproduce.page import papers_page

CHECKS = [*reproduce("taln2011_alignment"), *reproduce("taln2011_opinion")]


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: f"{c.table} {c.what}")
def test_every_printed_value(check):
    assert check.status in ("ok", "slip"), (check.ours, check.printed)


def test_known_slips_are_the_only_ones():
    slips = {(c.table, c.what.split(",")[0]) for c in CHECKS if c.status == "slip"}
    assert ("§5.1", "unitary alignments of 3 annotators with 25 units") in slips
    assert {t for t, _ in slips} == {
        "§4.2.2",
        "§5.1",
        "§5.3",
        "Table 3",
        "Figure 2",
        "percentages",
        "§3.1",
    }


def test_the_page_names_what_cannot_be_recomputed():
    page = papers_page(CHECKS, PAPERS, cannot())
    assert "not published" in page
    assert page.count("<table>") == len({(c.paper, c.table) for c in CHECKS})
    assert "<script" not in page
