"""The worked example of Pradhan et al. 2014 (ACL), taken up by Moosavi & Strube 2016 for LEA.

Key {a b c} {d e f g}, response {a b} {c d} {f g h i}: predicted mentions, e missed, h and i added.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from accord.data import Chains
from accord.measures import coreference

KEY = Chains.from_clusters({("d", "key"): [list("abc"), list("defg")]})
RESPONSE = Chains.from_clusters({("d", "system"): [list("ab"), list("cd"), list("fghi")]})

EXPECTED = {
    "muc": (Fraction(2, 5), Fraction(2, 5)),
    "b3": (Fraction(35, 84), Fraction(1, 2)),
    "ceaf_m": (Fraction(4, 7), Fraction(4, 8)),
    "ceaf_e": (Fraction(13, 20), Fraction(13, 30)),
    "lea": (Fraction(5, 21), Fraction(1, 3)),
    "mention_detection": (Fraction(6, 7), Fraction(6, 8)),
}


@pytest.mark.parametrize(("name", "expected"), EXPECTED.items())
def test_recall_and_precision(name, expected):
    result = getattr(coreference, name)(KEY, RESPONSE)
    R, P = map(float, expected)
    assert (result.terms["R"], result.terms["P"]) == pytest.approx((R, P))
    assert result.value == pytest.approx(2 * R * P / (R + P))


def test_blanc_by_links():
    """9 and 8 coreference links, 2 in common; 12 and 20 others, 8 in common."""
    result = coreference.blanc_luo(KEY, RESPONSE)
    assert result.terms["F_c"] == pytest.approx(4 / 17)
    assert result.terms["F_n"] == pytest.approx(16 / 32)
    assert result.value == pytest.approx((4 / 17 + 1 / 2) / 2)
    assert coreference.blanc(KEY, RESPONSE).value == pytest.approx(result.value)


def test_conll_is_the_mean():
    scores = [getattr(coreference, n)(KEY, RESPONSE).value for n in ("muc", "b3", "ceaf_e")]
    assert coreference.conll(KEY, RESPONSE).value == pytest.approx(sum(scores) / 3)
