"""Values of scikit-learn 1.9.1 on a fixed example.

python> from sklearn.metrics import precision_recall_fscore_support as prf, accuracy_score
python> accuracy_score(y, x)
python> prf(y, x, average="macro", zero_division=0), prf(y, x, average="weighted", zero_division=0)
python> fbeta_score(y, x, beta=2, average="macro", zero_division=0)
"""

import pytest

import accord
from accord.data import Ratings

Y = list("aaabbbccccdaab")
X = list("aabbbaccdcaaab")
FROZEN = [
    ("accuracy", {}, 0.714285714286),
    ("precision", {"average": "macro"}, 0.604166666667),
    ("recall", {"average": "macro"}, 0.575),
    ("precision", {"average": "weighted"}, 0.738095238095),
    ("recall", {"average": "weighted"}, 0.714285714286),
    ("precision", {"average": "micro"}, 0.714285714286),
    ("recall", {"average": "micro"}, 0.714285714286),
    ("f1-macro", {}, 0.583603896104),
    ("f1-macro", {"beta": 2.0}, 0.57717611336),
]


@pytest.mark.parametrize(("name", "options", "value"), FROZEN)
def test_frozen(name, options, value):
    reference = Ratings.from_matrix([Y], annotators=["reference"])
    system = Ratings.from_matrix([X], annotators=["system"])
    assert accord.score(reference, system, name, **options).value == pytest.approx(value, abs=1e-9)
