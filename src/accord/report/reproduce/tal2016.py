"""Mathet & Widlöcher (2016): chance models, prevalence, homogeneity, ordered values, misuse."""

from __future__ import annotations

from collections.abc import Iterator

from accord.alignment.align import align
from accord.data import Ratings, Units
from accord.evaluation import score
from accord.measures.gamma import gamma
from accord.measures.ratings import ac1, alpha, fleiss, kappa, percent, pi, s
from accord.measures.ratings.chance_curves import expected_coefficients
from accord.measures.unitizing.atomized import atomize
from accord.report.alignment import alignment_svg
from accord.report.curves import prevalence_figure
from accord.report.reproduce.check import Check, Drawing, rows_of
from accord.simulate import prevalence_curves

_row = rows_of("tal2016")

#: a rare disease: what two doctors say of 10 000 patients
_DOCTORS = ("+" * 10 + "-" * 9990, "+" * 5 + "-" * 5 + "+" * 5 + "-" * 9985)
#: Figures 4 and 5: lengths and labels are the paper's; the places, which are only drawn, are ours
_UNITIZING = {
    "unitizing 1": {"Alex": "0-2:A 2-4:A 4-6:A 8-9:A", "Suzan": "0-6:A 8-9:B"},
    "unitizing 2": {"Alex": "1-3:A 3-5:A 5-7:A 7-8:A", "Suzan": "1-3:A 3-5:A 5-7:B 7-8:A"},
}


def checks() -> Iterator[Check]:
    """Every number of the paper that its text lets be recomputed."""
    yield from _table_1()
    yield from _table_2()
    yield from _chance()
    yield from _prevalence()
    yield from _pages()
    yield from _table_3()
    yield from _table_4()
    yield from _table_5()
    yield from _table_6()


def figures() -> Iterator[Drawing]:
    """The curve that §3.4 tells of, and the two unitizings."""
    yield Drawing(table="§3.4", caption="Two annotators of sensitivity and specificity 90 %: the "
                  "coefficients against prevalence.",
                  svg=prevalence_figure(prevalence_curves()).standalone())  # fmt: skip
    for number, name in enumerate(_UNITIZING, 4):
        units = unitizing(name)
        yield Drawing(table=f"Figure {number}", caption=f"{name}, aligned by accord; the places are "
                      "ours.", svg=alignment_svg(units, align(units)[0]))  # fmt: skip


def unitizing(name: str) -> Units:
    """The units of Figure 4 or 5."""
    rows = []
    for who, text in _UNITIZING[name].items():
        for unit in text.split():
            place, label = unit.split(":")
            start, end = map(int, place.split("-"))
            rows.append((name, who, start, end, label))
    return Units.from_rows(rows, lengths={name: 10})


def _two(first: str, second: str, categories: str | None = None) -> Ratings:
    return Ratings.from_matrix(
        [list(first), list(second)], categories=list(categories) if categories else None
    )


def _table_1() -> Iterator[Check]:
    """Three conceptions of chance on four pairs of annotators with the same raw agreement."""
    for number, (first, second, *printed) in enumerate((
        ("AAAAAB", "ABBBBB", "0.111", "0.077", "-0.333"),
        ("ABABAB", "AABABB", "0.111", "-0.333", "-0.333"),
        ("ACCCCB", "ADDDDB", "0.111", "0.294", "0.077"),
        ("ACCDDB", "ADDCCB", "0.111", "0.077", "0.077"),
    ), 1):  # fmt: skip
        data = _two(first, second, "ABCD")
        for name, measure, value in zip(
            "%Sκπ", (percent, s, kappa, pi), ("0.333", *printed), strict=True
        ):
            yield _row("Table 1", f"example {number}, {name}", value, measure(data).value,
                       measure.__name__)  # fmt: skip
        if number < 3:
            yield _row("§3.3", f"example {number}, S of the categories A and B alone", "-0.333",
                       s(_two(first, second, "AB")).value, "s")  # fmt: skip


def _table_2() -> Iterator[Check]:
    """A rare disease: 10 000 patients, two doctors, and one who calls everybody healthy."""
    data = _two(*_DOCTORS)
    lazy = percent(_two(_DOCTORS[0], "-" * 10_000)).value
    yield _row("Table 2", "κ", "0.499", kappa(data).value, "kappa")
    yield _row("Table 2", "raw agreement", "99.85 %", percent(data).value, "percent",
               "the text says 99.85 %, the table gives 99.90 %")  # fmt: skip
    yield _row("§3.4", "right answers of who calls everybody healthy", "99.9 %", lazy, "percent")


def _chance() -> Iterator[Check]:
    """What chance and the least agreement are, with two and three categories."""
    three = Ratings.from_matrix([list("AB"), list("BA"), list("BA")], orientation="annotators")
    half = _two("ABABABAB", "ABABABBA")
    common, rare = _two("AB" * 50, "AB" * 50), _two("A" * 10_000, "A" * 9_999 + "B")
    for place, what, printed, ours, how in (
        ("§3.1", "least agreement of 3 annotators, 2 categories", "33.3 %",
         percent(three).terms["floor"], "percent"),
        ("§3.1", "agreement of two annotators who do not look, 2 categories", "50 %",
         s(half).expected, "s"),
        ("§3.1", "raw agreement half way between chance and 1", "75 %", percent(half).value, "percent"),
        ("§3.2", "the same, corrected (Figure 3)", "0.5", s(half).value, "s"),
        ("§3.3", "chance of S with a category that nobody uses", "33.3 %",
         s(_two("ABABABAB", "ABABABBA", "ABC")).expected, "s"),
        ("§3.5", "A_e of AC1, both categories as frequent", "0.5", ac1(common).expected, "ac1"),
    ):  # fmt: skip
        yield _row(place, what, printed, float(ours or 0), how)
    least = float(ac1(rare).expected or 0)
    yield _row("§3.5", "A_e of AC1, one category of 20 000 values", "", least, "ac1",
               holds=least < 0.001)  # fmt: skip


def _prevalence() -> Iterator[Check]:
    """Bonnardel (1996): two doctors with sensitivity and specificity of 90 %; κ tends to 0."""
    before = 1.0
    for prevalence, printed in ((0.5, "0.64"), (0.1, ""), (0.01, ""), (1e-6, "")):
        ours = expected_coefficients(prevalence, sensitivity=0.9, specificity=0.9)["kappa"]
        yield _row("§3.4", f"κ at prevalence {prevalence:g}", printed, ours, "simulate prevalence",
                   holds=None if printed else 0 < ours < before)  # fmt: skip
        before = ours


def _pages() -> Iterator[Check]:
    """Two pages with the same raw agreement and other distributions of the categories."""
    first_page = ["A" * 9 + "B" * 9 + "AB", "A" * 9 + "B" * 9 + "BA"]
    second_page = ["A" + "B" * 17 + "AB", "A" + "B" * 17 + "BA"]
    for name, pair, chance, value in (
        ("page 1", first_page, "0.5", "0.8"),
        ("page 2", second_page, "0.82", "0.44"),
        ("both", [a + b for a, b in zip(first_page, second_page, strict=True)], "0.58", "0.76"),
    ):
        found = fleiss(_two(*pair))
        raw = "" if name == "both" else "0.9"
        for what, printed, ours in (
            ("A_o", raw, found.observed),
            ("A_e", chance, found.expected),
            ("A", value, found.value),
        ):
            yield _row("§3.6", f"{name}, {what}", printed, ours, "fleiss")


def _table_3() -> Iterator[Check]:
    """Cutting a continuum into atoms judges the worse of two cases better; γ does not.

    The text has no positions: of 115 whole-number places those were chosen on which shuffle, the chance
    of the paper on γ of 2015, gives the printed values. They show that it can, not where the units lay.
    """
    for name, atomized, value in (
        ("unitizing 1", "0.804", "-0.03"),
        ("unitizing 2", "0.648", "0.69"),
    ):
        units = unitizing(name)
        yield _row("Table 3", f"{name}, α on atoms", atomized, alpha(atomize(units)).value,
                   "atomize, alpha")  # fmt: skip
        yield _row("Table 3", f"{name}, κ on atoms", atomized, kappa(atomize(units)).value,
                   "atomize, kappa",
                   "the column is headed kappa; it is α (κ is .796 and .643)")  # fmt: skip
        yield _row("Table 3", f"{name}, γ on places that were chosen to fit", value,
                   gamma(units, chance="shuffle", samples=4_000).value,
                   "gamma chance=shuffle", own_data=True)  # fmt: skip
    first, second = (gamma(unitizing(name), samples=100).value for name in _UNITIZING)
    yield _row("Table 3", "γ of unitizing 2 less γ of unitizing 1 (the order is reversed)", "",
               second - first, "gamma", holds=second > first)  # fmt: skip


def _table_4() -> Iterator[Check]:
    """One annotator a little more lenient than the other, on scales of 10, 5 and 2 values."""
    first, second = list(range(10)), [*range(1, 10), 9]
    for name, step, nominal, interval, slip in (
        ("0 to 9", 1, "0.04", "0.95", None),
        ("0 to 4", 2, "0.52", "0.90", "the scale is headed 0 to 5; it is 0 to 4"),
        ("0 to 1", 5, "0.81", "0.81", None),
    ):
        data = Ratings.from_matrix([[v // step for v in who] for who in (first, second)])
        for metric, printed in (("nominal", nominal), ("interval", interval)):
            yield _row("Table 4", f"scale {name}, α {metric}", printed,
                       alpha(data, metric=metric).value, f"alpha metric={metric}", slip)  # fmt: skip


def _table_5() -> Iterator[Check]:
    """κ as a system score ranks the worse system first."""
    reference = Ratings.from_matrix(
        [list("AAAABBBB")], annotators=["reference"], categories=list("ABC")
    )
    for name, output, *values in (
        ("system 1", "AACCCCCC", "0.25", "0.125", "0.143"),
        ("system 2", "AABBBBAA", "0.50", "0.50", "0.0"),
    ):
        system = Ratings.from_matrix([list(output)], annotators=[name], categories=list("ABC"))
        found = score(reference, system, "kappa", allow_agreement=True)
        right = score(reference, system, "accuracy").value
        for what, printed, ours, how in zip(
            ("score", "chance", "κ"), values, (right, found.expected, found.value),
            ("score accuracy", "score kappa", "score kappa"), strict=True,
        ):  # fmt: skip
            yield _row("Table 5", f"{name}, {what}", printed, ours, how)
    yield _row("§7.1", "baseline A_e(reference, reference)", "",
               score(reference, reference, "baseline").value, "score baseline")  # fmt: skip


def _table_6() -> Iterator[Check]:
    """Adding a system to the humans makes α rise while its score is below theirs."""
    everyone = {"human 1": "ABCAAB", "human 2": "ABCBBB", "human 3": "ABCABA",
                "system 1": "ABCAAC", "system 2": "ABCBBA"}  # fmt: skip
    humans = [list(everyone[f"human {i}"]) for i in (1, 2, 3)]
    for what, extra, printed in (
        ("α of the humans", [], "0.495"),
        ("α with system 1", [list(everyone["system 1"])], "0.503"),
        ("α with system 2", [list(everyone["system 2"])], "0.529"),
    ):
        data = Ratings.from_matrix([*humans, *extra], categories=list("ABC"))
        yield _row("Table 6", what, printed, alpha(data).value, "alpha")
    for reference, label, printed_scores in (
        ("ABCABB", "majority", ("83 %", "83 %", "83 %", "67 %", "67 %")),
        ("ABCAAB", "revision", ("100 %", "67 %", "67 %", "83 %", "50 %")),
    ):
        right = {name: percent(_two(reference, v)).value for name, v in everyone.items()}
        for (name, ours), printed in zip(right.items(), printed_scores, strict=True):
            yield _row("Table 6", f"{name} against the {label}", printed, ours, "percent")
    # (of the revision, the last)
    yield _row("§7.2.2", "mean score of the humans against the revision", "78 %",
               sum(right[f"human {i}"] for i in (1, 2, 3)) / 3, "percent")  # fmt: skip
    yield _row("§7.2.2", "score of the system called system 2 against the revision", "83 %",
               right["system 2"], "percent", "83 % is the score of system 1")  # fmt: skip


#: what cannot be recomputed, and why
CANNOT = {
    "Figures 1–3": "ideas rather than numbers; the documentation draws them where they explain",
    "Table 3, γ": "its value depends on positions that are only drawn: the places here are ours, and "
    "so are their values",
    "§7.2.1": "the precisions and recalls are quoted from a publication that is not named",
}
