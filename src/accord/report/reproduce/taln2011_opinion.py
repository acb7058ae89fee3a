"""Antoine, Le Tallec & Villaneau (2011): evaluating against 31 judges who do not agree."""

from __future__ import annotations

from collections.abc import Iterator

from accord.data import Ratings
from accord.evaluation import score
from accord.report.reproduce.check import Check

PAPER = "taln2011_opinion"


def checks() -> Iterator[Check]:
    """The worked example of §3.2, and the percentages that 93 sentences allow."""
    yield from _weighted()
    yield from _votes()
    yield from _percentages()


def _judges() -> Ratings:
    """A hundred judges of one sentence: 35 negative, 48 neutral, 17 positive."""
    votes = ["negative"] * 35 + ["neutral"] * 48 + ["positive"] * 17
    return Ratings.from_matrix([[v] for v in votes], items=["sentence"])


def _weighted() -> Iterator[Check]:
    for answer, printed in (("neutral", 1.0), ("negative", 0.35 / 0.48), ("positive", 0.17 / 0.48)):
        system = Ratings.from_matrix([[answer]], annotators=["system"], items=["sentence"])
        yield Check(
            paper=PAPER,
            table="§3.2",
            what=f"weighted accuracy of the answer {answer}",
            printed=printed,
            ours=score(_judges(), system, "weighted-accuracy").value,
            rounding=1e-9,
        )


def _votes() -> Iterator[Check]:
    yield Check(
        paper=PAPER,
        table="Figure 1",
        what="share of the majority: 12 of 31 votes",
        printed=0.387,
        ours=12 / 31,
    )


def _percentages() -> Iterator[Check]:
    """A percentage of 93 sentences must be a multiple of 1/93, rounded."""
    for where, printed in (
        ("Table 1, EmoLogus", 0.828),
        ("Table 1, baseline", 0.646),
        ("Table 1, EmoLogus in context", 0.753),
        ("Table 1, baseline in context", 0.538),
        ("Table 2, EmoLogus", 0.699),
        ("Table 2, baseline", 0.527),
        ("Table 2, EmoLogus in context", 0.592),
        ("Table 2, baseline in context", 0.398),
        ("§3, majorities under half", 0.256),
    ):
        nearest = round(printed * 93) / 93
        impossible = abs(nearest - printed) > 0.0005 + 1e-9
        yield Check(
            paper=PAPER,
            table="percentages",
            what=f"{where}: nearest share of 93 sentences",
            printed=printed,
            ours=nearest,
            slip="no number of sentences out of 93 gives it" if impossible else None,
        )
    yield Check(
        paper=PAPER,
        table="§3.1",
        what="accuracy of EmoLogus quoted from Table 2",
        printed=0.753,
        ours=0.699,
        slip="the text quotes 75.3 %, which is in Table 1; Table 2 has 69.9 %",
    )


#: what cannot be recomputed, and why
CANNOT = {
    "Tables 1–5": "the 93 sentences, their 31 judgements and the systems' answers are not published; "
    "the protocol runs on our own example (documentation, evaluation)",
}
