"""What `accord reproduce` calls printed is printed there: its numbers beside the papers' own texts.

Only numbers are compared, near the table, figure or section that a row names.
"""

import os
import re
from pathlib import Path

import pytest

from accord.report.reproduce import PAPERS, reproduce
from accord.report.reproduce.check import row

TEXTS = Path(os.environ.get("ACCORD_PAPERS", Path(__file__).parents[3] / "shared" / "seeds"))
#: the reference by which a text is known
KNOWN_BY = {
    "tal2016": "ses principes et ses pièges",
    "taln2011_alignment": "hal-01070879",
    "taln2011_opinion": "hal-00625727",
    "taln2020": "hal-02750222",
}
#: a place of ours and the words that stand at it; characters before and after that belong to it
CAPTIONS = {"Table": r"(?:Tableau|TAB\.|TABLE) {n}\b", "Figure": r"(?:Figure|FIG\.|FIGURE) {n}\b"}
#: what a figure shows is said around it, and a table is told of in the text
NEAR = 4_000


def texts() -> dict[str, str]:
    found = {}
    for path in sorted(TEXTS.glob("*.txt")) if TEXTS.is_dir() else ():
        text = path.read_text(encoding="utf-8")
        for key, known in KNOWN_BY.items():
            if known in text[:4_000]:
                found[key] = text
    return found


READ = texts()


def near(text: str, place: str) -> str:
    """The passages around a table, figure or section; the paper's part from its heading on."""
    kind, _, number = place.partition(" ")
    if place.startswith("§"):
        heading = re.search(rf"^#* *{re.escape(place[1:])}\.? +[A-ZÉÀ]", text, re.M)
        assert heading is not None, place
        return text[heading.start() : heading.start() + 12_000]
    anchors = [m.start() for m in re.finditer(CAPTIONS[kind].format(n=number), text, re.I)]
    assert anchors, place
    return "\n".join(text[max(0, a - NEAR) : a + NEAR] for a in anchors)


def stands(as_printed: str, text: str) -> bool:
    """Whether that number stands in the text by itself, not as a part of another."""
    if as_printed == "2/3":
        return r"\frac{2}{3}" in text
    sign, digits = re.fullmatch(r"~?(-?)([^-]*?)", as_printed.replace("%", "").strip()).groups()
    number = re.escape(digits).replace(r"\.", "[.,]").replace(r"\ ", r"\s?")
    before = r"-\s?" if sign else r"(?<![\w.,])"
    unit = r"\s*\\?%" if "%" in as_printed else r"(?![\w]|[.,]\d)"
    return re.search(before + number + unit, text) is not None


@pytest.mark.parametrize("paper", PAPERS)
def test_every_printed_number_is_in_the_paper(paper):
    if paper not in READ:
        pytest.skip(f"the text of the paper is not in {TEXTS}")
    absent = [
        (c.table, c.what, c.as_printed)
        for c in reproduce(paper)
        if c.as_printed and not stands(c.as_printed, near(READ[paper], c.table))
    ]
    assert not absent


@pytest.mark.parametrize(
    ("paper", "number"),
    [("tal2016", "0.39"), ("tal2016", "0.066"), ("taln2011_alignment", "2.6667")],
)
def test_a_number_that_is_not_printed_would_be_noticed(paper, number):
    if paper not in READ:
        pytest.skip(f"the text of the paper is not in {TEXTS}")
    assert not stands(number, READ[paper])


def test_numbers_stand_by_themselves():
    assert stands("0.50", "un score de 0,50 et")
    assert not stands("0.5", "un score de 0,50 et")
    assert not stands("0.5", "10,5")
    assert stands("-0.03", "0,804 | - 0,03")
    assert not stands("-0.03", "0,03")
    assert stands("99.85 %", "sur 99,85 % des")
    assert not stands("99.85 %", "0,9985 et 99,85 points")
    assert stands("~140 000", "environ 140 000 cas")


@pytest.mark.parametrize(
    ("printed", "ours", "status"),
    [
        ("0.50", 0.5049, "ok"),
        ("0.50", 0.5051, "OFF"),
        ("~19000", 19_400, "ok"),
        ("~19000", 17_575, "OFF"),
        ("", 3.0, "ok"),
    ],
)
def test_a_row_fails_beyond_its_last_digit(printed, ours, status):
    assert row("tal2016", "Table 1", "a value", printed, ours, "by hand").status == status
