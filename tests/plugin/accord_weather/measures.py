"""Share of the sunny answers that all annotators give."""

from __future__ import annotations

from accord.data import Ratings
from accord.registry import Option, measure
from accord.result import Result, signature

SKY = Option("sky", str, "The value that counts as fine.", default="sun")


@measure(
    "sunshine",
    title="Sunshine",
    shape="ratings",
    question="agree",
    citation="The weather office",
    range=(0.0, 1.0),
    options=(SKY,),
)
def sunshine(ratings: Ratings, *, sky: str) -> Result:
    """The share of the ratings that are fine."""
    share = sum(ratings.labels[c] == sky for c in ratings.code) / len(ratings.code)
    return Result(
        measure="sunshine", value=share, n=ratings.n_items, signature=signature("sunshine", 1)
    )
