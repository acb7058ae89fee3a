"""Mathet & Widlöcher (2016): chance models, prevalence, homogeneity, ordered values, misuse."""

from __future__ import annotations

from collections.abc import Iterator

from accord.data import Ratings, Units
from accord.measures.gamma import gamma
from accord.measures.ratings import alpha, fleiss, kappa, percent, pi, s
from accord.measures.ratings.chance_curves import expected_coefficients
from accord.measures.unitizing.atomized import atomize
from accord.report.reproduce.check import Check

PAPER = "tal2016"


def checks() -> Iterator[Check]:
    """Every number of the paper that concerns ratings."""
    yield from _table_1()
    yield from _table_2()
    yield from _least_agreement()
    yield from _prevalence()
    yield from _pages()
    yield from _table_3()
    yield from _table_4()
    yield from _table_5()
    yield from _table_6()


def _two(first: str, second: str, categories: str | None = None) -> Ratings:
    return Ratings.from_matrix(
        [list(first), list(second)], categories=list(categories) if categories else None
    )


def _table_1() -> Iterator[Check]:
    """Three conceptions of chance on four pairs of annotators with the same raw agreement."""
    examples = {
        1: ("AAAAAB", "ABBBBB", 0.111, 0.077, -0.333),
        2: ("ABABAB", "AABABB", 0.111, -0.333, -0.333),
        3: ("ACCCCB", "ADDDDB", 0.111, 0.294, 0.077),
        4: ("ACCDDB", "ADDCCB", 0.111, 0.077, 0.077),
    }
    for number, (first, second, bennett, cohen, scott) in examples.items():
        data = _two(first, second, "ABCD")
        for name, printed, result in (
            ("%", 0.333, percent(data)),
            ("S", bennett, s(data)),
            ("κ", cohen, kappa(data)),
            ("π", scott, pi(data)),
        ):
            yield Check(
                paper=PAPER,
                table="Table 1",
                what=f"example {number}, {name}",
                printed=printed,
                ours=result.value,
            )


def _table_2() -> Iterator[Check]:
    """A rare disease: 10 000 patients, two doctors."""
    counts = {"++": 5, "+-": 5, "-+": 5, "--": 9985}
    first = "".join(pair[0] * n for pair, n in counts.items())
    second = "".join(pair[1] * n for pair, n in counts.items())
    data = _two(first, second)
    yield Check(paper=PAPER, table="Table 2", what="κ", printed=0.499, ours=kappa(data).value)
    yield Check(
        paper=PAPER,
        table="Table 2",
        what="raw agreement",
        printed=0.9985,
        ours=percent(data).value,
        rounding=0.00005,
        slip="the text says 99.85 %, the table gives 99.90 %",
    )


def _least_agreement() -> Iterator[Check]:
    data = Ratings.from_matrix([list("AB"), list("BA"), list("BA")], orientation="annotators")
    yield Check(
        paper=PAPER,
        table="§3.1",
        what="least agreement of 3 annotators, 2 categories",
        printed=0.333,
        ours=float(percent(data).terms["floor"]),
    )


def _prevalence() -> Iterator[Check]:
    """Bonnardel (1996): two doctors with sensitivity and specificity of 90 %."""
    for prevalence, printed in ((0.5, 0.64), (0.1, 0.39), (0.01, 0.066)):
        curve = expected_coefficients(prevalence, sensitivity=0.9, specificity=0.9)
        yield Check(
            paper=PAPER,
            table="§3.4 prevalence",
            what=f"κ at prevalence {prevalence:g}",
            printed=printed,
            ours=curve["kappa"],
            rounding=0.0005 if prevalence == 0.01 else 0.005,
        )


def _pages() -> Iterator[Check]:
    """Two pages with the same raw agreement and other distributions of the categories."""
    first_page = ["A" * 9 + "B" * 9 + "AB", "A" * 9 + "B" * 9 + "BA"]
    second_page = ["A" + "B" * 17 + "AB", "A" + "B" * 17 + "BA"]
    pages = {
        "page 1": (first_page, 0.5, 0.8),
        "page 2": (second_page, 0.82, 0.44),
        "both": ([a + b for a, b in zip(first_page, second_page, strict=True)], 0.58, 0.76),
    }
    for name, (pair, chance, value) in pages.items():
        result = fleiss(_two(*pair))
        for what, printed, ours in (
            ("A_o", 0.9, result.observed),
            ("A_e", chance, result.expected),
            ("A", value, result.value),
        ):
            yield Check(
                paper=PAPER,
                table="§3.6 pages",
                what=f"{name}, {what}",
                printed=printed,
                ours=float(ours if ours is not None else "nan"),
                rounding=0.005,
            )


def _table_3() -> Iterator[Check]:
    """Cutting a continuum into atoms judges the worse of two cases better; γ does not.

    Lengths 2, 2, 2 and 1 on a continuum of 10; the positions, which γ needs, are ours.
    """
    several = [("d", "Alex", 0, 2, "A"), ("d", "Alex", 2, 4, "A"), ("d", "Alex", 4, 6, "A"),
               ("d", "Alex", 8, 9, "A"), ("d", "Suzan", 0, 6, "A"), ("d", "Suzan", 8, 9, "B")]  # fmt: skip
    same = [
        ("d", who, start, end, "B" if (who, start) == ("Suzan", 6) else "A")
        for who in ("Alex", "Suzan")
        for start, end in ((0, 2), (3, 5), (6, 8), (9, 10))
    ]
    gammas = []
    for name, rows, printed in (("unitizing 1", several, 0.804), ("unitizing 2", same, 0.648)):
        units = Units.from_rows(rows, lengths={"d": 10})
        atoms = atomize(units)
        yield Check(
            paper=PAPER,
            table="Table 3",
            what=f"{name}, α on atoms",
            printed=printed,
            ours=alpha(atoms).value,
            slip=None
            if name == "unitizing 2"
            else "the column is headed kappa; it is α (κ is .796 and .643)",
        )
        gammas.append(gamma(units, samples=100).value)
    yield Check(
        paper=PAPER,
        table="Table 3",
        what="γ of unitizing 2 less γ of unitizing 1 (the order is reversed)",
        printed=None,
        ours=gammas[1] - gammas[0],
        holds=gammas[1] > gammas[0],
    )


def _table_4() -> Iterator[Check]:
    """One annotator a little more lenient than the other, on scales of 10, 5 and 2 values."""
    first = list(range(10))
    second = [*range(1, 10), 9]
    scales = {
        "0 to 9": (first, second, 0.04, 0.95, None),
        "0 to 4": (
            [v // 2 for v in first],
            [v // 2 for v in second],
            0.52,
            0.90,
            "the scale is headed 0 to 5; it is 0 to 4",
        ),
        "0 to 1": ([v // 5 for v in first], [v // 5 for v in second], 0.81, 0.81, None),
    }
    for name, (a, b, nominal, interval, slip) in scales.items():
        data = Ratings.from_matrix([a, b])
        for metric, printed in (("nominal", nominal), ("interval", interval)):
            yield Check(
                paper=PAPER,
                table="Table 4",
                what=f"scale {name}, α {metric}",
                printed=printed,
                ours=alpha(data, metric=metric).value,
                rounding=0.005,
                slip=slip,
            )


def _table_5() -> Iterator[Check]:
    """κ as a system score ranks the worse system first."""
    reference = "AAAABBBB"
    systems = {
        "system 1": ("AACCCCCC", 0.25, 0.125, 0.143),
        "system 2": ("AABBBBAA", 0.5, 0.5, 0.0),
    }
    for name, (output, score, chance, value) in systems.items():
        result = kappa(_two(reference, output, "ABC"))
        for what, printed, ours in (
            ("score", score, result.observed),
            ("chance", chance, result.expected),
            ("κ", value, result.value),
        ):
            yield Check(
                paper=PAPER,
                table="Table 5",
                what=f"{name}, {what}",
                printed=printed,
                ours=float(ours if ours is not None else "nan"),
            )
    itself = fleiss(_two(reference, reference))
    yield Check(
        paper=PAPER,
        table="Table 5",
        what="baseline A_e(reference, reference)",
        printed=0.5,
        ours=float(itself.expected or 0.0),
    )


def _table_6() -> Iterator[Check]:
    """Adding a system to the humans makes α rise while its score is below theirs."""
    humans = ["ABCAAB", "ABCBBB", "ABCABA"]
    systems = {"system 1": "ABCAAC", "system 2": "ABCBBA"}
    majority, revised = "ABCABB", "ABCAAB"
    alpha_h = alpha(Ratings.from_matrix([list(h) for h in humans], categories=list("ABC")))
    yield Check(
        paper=PAPER, table="Table 6", what="α of the humans", printed=0.495, ours=alpha_h.value
    )
    for name, output, printed in (
        ("system 1", systems["system 1"], 0.503),
        ("system 2", systems["system 2"], 0.529),
    ):
        rows = [list(h) for h in [*humans, output]]
        value = alpha(Ratings.from_matrix(rows, categories=list("ABC"))).value
        yield Check(
            paper=PAPER, table="Table 6", what=f"α with {name}", printed=printed, ours=value
        )
    everyone = {f"human {i + 1}": h for i, h in enumerate(humans)} | systems
    for reference, label, scores in (
        (majority, "majority", (0.83, 0.83, 0.83, 0.67, 0.67)),
        (revised, "revision", (1.0, 0.67, 0.67, 0.83, 0.50)),
    ):
        for (name, output), score in zip(everyone.items(), scores, strict=True):
            yield Check(
                paper=PAPER,
                table="Table 6",
                what=f"{name} against the {label}",
                printed=score,
                ours=percent(_two(reference, output)).value,
                rounding=0.005,
            )


#: what cannot be recomputed, and why
CANNOT = {
    "Figures 1–3": "ideas rather than numbers; the documentation draws them where they explain",
    "Table 3, γ": "its value depends on positions that are only drawn; the order of the two cases is checked",
}
