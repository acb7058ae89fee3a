"""What a value of agreement means for somebody who has to decide: one sentence, the same everywhere.

Krippendorff's lines: from .8 on, values are reliable; from .667 on, they allow tentative
conclusions; below, they are not to be used. A line is passed or missed only when the whole interval
lies on one side of it; between, the data cannot show which.
"""

from __future__ import annotations

import math

from accord.registry import measure_of
from accord.result import Result

TENTATIVE, RELIABLE = 0.667, 0.8

NEGATIVE = "People agree less than chance would make them. Do not build a reference from these annotations."
OR_CHANCE = "The interval includes 0: chance alone may explain this."
NO_BETTER = "This is no better than chance. Do not build a reference from these annotations yet."
MAYBE_CHANCE = (
    "The interval includes 0: these data do not show that people agree better than chance."
)
TOO_LOW = f"This is below {TENTATIVE}, too low to build a reference on."
ONLY_TENTATIVE = (
    f"This is between {TENTATIVE} and {RELIABLE}: enough for tentative conclusions only."
)
FIRM = f"This is above {RELIABLE}: reliable enough to build a reference on."

SAME = "All answers are the same: first make sure that they were given independently of each other."


def undecided(line: float) -> str:
    """The interval lies on both sides of the line."""
    return f"The interval includes {line:g}, so these data cannot show whether the threshold is reached."


def unsure(line: float) -> str:
    """The value lies above the line, and nothing says how far it might move."""
    return f"This is above {line:g}, but there is no interval to show how sure that is."


def borrowed(result: Result) -> str:
    """The thresholds were drawn for α."""
    if result.measure.endswith("alpha"):
        return ""
    name = symbol(result)
    return f" (The thresholds were proposed for α; none exists for {name}.)"


def symbol(result: Result) -> str:
    """What the measure is called in a sentence: its title up to the explanation."""
    return shortened(measure_of(result).title)


def shortened(title: str) -> str:
    """A title up to the explanation, in any language.

    >>> shortened("u-α: agreement on units"), shortened("ICC(A,1), absolute agreement")
    ('u-α', 'ICC(A,1)')
    """
    for aside in (" = ", ":", " (", ", "):
        title = title.partition(aside)[0]
    return title.rstrip()


def verdict(result: Result) -> str:
    """What the value says about the annotations; nothing of a measure that ignores chance.

    >>> from accord.data import Ratings
    >>> import accord
    >>> alike = Ratings.from_matrix([["a", "b"] * 40, ["a", "b"] * 40])
    >>> verdict(accord.agree(alike, "alpha", ci="auto"))
    'All answers are the same: first make sure that they were given independently of each other.'
    """
    if result.undefined is not None or not measure_of(result).chance:
        return ""
    made = result.interval
    known = made is not None and math.isfinite(made.low + made.high)
    low, high = (made.low, made.high) if made is not None and known else (result.value,) * 2
    if result.value < 0:
        return NEGATIVE
    if low <= 0:
        return MAYBE_CHANCE if known else NO_BETTER
    if low < TENTATIVE <= high:
        return undecided(TENTATIVE) + borrowed(result)
    if high < TENTATIVE:
        return TOO_LOW + borrowed(result)
    if not known:
        return unsure(RELIABLE if low >= RELIABLE else TENTATIVE) + borrowed(result)
    if high < RELIABLE:
        return ONLY_TENTATIVE + borrowed(result)
    if low < RELIABLE:
        return undecided(RELIABLE) + borrowed(result)
    return SAME if result.value >= 1 else FIRM + borrowed(result)
