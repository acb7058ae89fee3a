"""Antoine, Le Tallec & Villaneau (2011): evaluating against 31 judges who do not agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord.data import Ratings
from accord.evaluation import score
from accord.gold import gold
from accord.report.charts import Estimate, estimates
from accord.report.reproduce.check import Check, Drawing, rows_of
from accord.result import Result

_row = rows_of("taln2011_opinion")

#: 31 judges on five classes: the text gives the 12 of the class chosen, the other votes are ours
VOTES = {"-2": 3, "-1": 6, "0": 12, "1": 7, "2": 3}
#: what the tables print in per cent of 93 sentences: three classes, then five; in context below
_ACCURACIES = {
    "EmoLogus": ("82.8 %", "69.9 %"),
    "baseline": ("64.6%", "52.7 %"),
    "EmoLogus in context": ("75.3%", "59.2%"),
    "baseline in context": ("53.8 %", "39.8 %"),
}
#: one example for the formulas of §1: a reference and answers on three ordered classes
_REFERENCE, _ANSWERS = (-1, -1, 0, 0, 0, 1, 1, 1), (-1, 0, 0, 0, 1, 1, 1, 1)


def checks() -> Iterator[Check]:
    """The formulas of §1, the worked example of §3.2, and what 93 sentences and 31 judges allow."""
    yield from _formulas()
    for name, shares in _ACCURACIES.items():
        for table, share in enumerate(shares, 1):
            yield _share(f"Table {table}", f"{name}: nearest share of 93 sentences", share)
    yield _weak_majorities()
    decided = gold(_votes(VOTES))
    yield _row("Figure 1", "share of the majority: 12 of 31 votes", "38.7%",
               float(decided.strength[0]), "gold method=majority")  # fmt: skip
    yield _row("§3.1", "accuracy of EmoLogus quoted from Table 2", "75.3%", _accuracy(65, 93).value,
               "score accuracy",
               "the text quotes 75.3 %, which is in Table 1; Table 2 has 69.9 %")  # fmt: skip
    for answer, votes, best, most in (
        ("neutral", "48%", "0.48", "100%"),
        ("negative", "35%", "0.48", ""),
        ("positive", "17%", "0.48", ""),
    ):
        found = score(_votes({"negative": 35, "neutral": 48, "positive": 17}), _system([answer]),
                      "weighted-accuracy")  # fmt: skip
        for what, printed, ours in (
            ("share of the votes of the answer", votes, found.terms["votes"]),
            ("weight of the sentence, answer", best, found.terms["best"]),
            ("weighted accuracy of the answer", most, found.value),
        ):
            yield _row(
                "§3.2",
                f"{what} {answer}",
                printed,
                float(ours),
                "score weighted-accuracy",
            )


def figures() -> Iterator[Drawing]:
    """Figure 1: the votes on one sentence."""
    total = sum(VOTES.values())
    drawn = estimates("votes", "Votes of 31 judges on one sentence",
                      [Estimate(c, n / total, n=n) for c, n in VOTES.items()],
                      label="class", x_label="share of the votes")  # fmt: skip
    yield Drawing(table="Figure 1", caption="The votes of 31 judges on one sentence; the 12 of the "
                  "class chosen are the paper's, the others ours.", svg=drawn.standalone())  # fmt: skip


def _formulas() -> Iterator[Check]:
    """Three formulas as they stand, beside the measures they are meant to be."""
    reference, answers = _system(_REFERENCE, "reference"), _system(_ANSWERS)
    pearson = score(reference, answers, "pearson").value
    variances = [sum(v * v for v in x) / 8 - (sum(x) / 8) ** 2 for x in (_REFERENCE, _ANSWERS)]
    as_written = pearson / (variances[0] * variances[1]) ** 0.5
    yield _row("§1", "Pearson's correlation of an example", "", pearson, "score pearson",
               "the formula divides by the variances; it is by the standard deviations",
               holds=abs(as_written - pearson) < 1e-9)  # fmt: skip
    kappa = score(reference, answers, "kappa", allow_agreement=True)
    observed, chance = kappa.observed or 0.0, kappa.expected or 0.0
    yield _row("§1", "κ of the same example", "", kappa.value, "score kappa",
               "the formula lacks its brackets: (P_o − P_a)/(1 − P_a)",
               holds=abs(observed - chance / (1 - chance) - kappa.value) < 1e-9)  # fmt: skip
    macro, micro = (score(reference, answers, f"f1-{how}").value for how in ("macro", "micro"))
    yield _row("§1", "mean over the classes (macro) of F of the same example", "", macro,
               "score f1-macro", "the words micro and macro change places",
               holds=abs(macro - micro) < 1e-9)  # fmt: skip


def _weak_majorities() -> Check:
    """The share of sentences whose majority is under half, as near 25.6 % as 93 sentences allow."""
    weak = round(0.256 * 93)
    votes = [["a", "a", "b", "c", "d"]] * weak + [["a"] * 5] * (93 - weak)
    decided = gold(Ratings.from_matrix(votes, orientation="items"))
    return _row("§3", "majorities under half: nearest share of 93 sentences", "25.6%",
                decided.terms["weak_items"] / 93, "gold method=majority", _IMPOSSIBLE)  # fmt: skip


def _share(table: str, what: str, printed: str) -> Check:
    """A percentage of 93 sentences is a whole number of them."""
    right = round(float(printed.rstrip(" %")) / 100 * 93)
    found = _row(table, what, printed, _accuracy(right, 93).value, "score accuracy")
    return found if found.ok else _row(table, what, printed, found.ours, found.how, _IMPOSSIBLE)


_IMPOSSIBLE = "no number of sentences out of 93 gives it"


def _accuracy(right: int, of: int) -> Result:
    answers = ["a"] * right + ["b"] * (of - right)
    return score(_system(["a"] * of, "reference"), _system(answers), "accuracy")


def _votes(votes: dict[str, int]) -> Ratings:
    """One sentence and its judges."""
    return Ratings.from_matrix([[c] for c, n in votes.items() for _ in range(n)],
                               orientation="annotators", items=["sentence"])  # fmt: skip


def _system(answers: Sequence[object], name: str = "system") -> Ratings:
    items = ["sentence"] if len(answers) == 1 else None
    return Ratings.from_matrix([list(answers)], annotators=[name], items=items)


#: what cannot be recomputed, and why
CANNOT = {
    "Tables 1–5": "the 93 sentences, their 31 judgements and the systems' answers are not published: "
    "of their accuracies we check that 93 sentences can give them; F, Pearson, κ, ranks and weighted "
    "accuracies run on our own example (documentation, evaluation)",
    "§3.2, 82 and 76 of 93 sentences called neutral by a judge": "the judgements are not published",
}
