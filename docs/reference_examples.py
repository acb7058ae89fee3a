"""An example of every measure whose docstring has none, run when the page is written.

The data are as small as they can be while the measure has something to say.
"""

from __future__ import annotations

from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from typing import Any

_SPANS = """\
reference = accord.Units.from_rows([("d", "reference", 0, 2, "PER"), ("d", "reference", 5, 6, "LOC")])
system = accord.Units.from_rows([("d", "system", 0, 2, "ORG"), ("d", "system", 4, 6, "LOC")])"""
_KEY = """\
key = [["Ann", "she", "her"], ["Bob", "he"], ["Paris", "it"]]
auto = [["Ann", "she"], ["her", "Bob", "he"], ["Paris", "it"], ["that", "this"]]
reference = accord.Chains.from_clusters({("d", "key"): key})
system = accord.Chains.from_clusters({("d", "auto"): auto})"""
_CHAINS = """\
ana = [[(0, 1), (3, 4), (8, 9)], [(5, 6), (11, 12)], [(14, 15), (17, 18)]]
ben = [[(0, 1), (3, 4)], [(5, 6), (8, 9), (11, 12)], [(14, 15), (20, 21)]]
data = accord.Chains.from_clusters({("d", "Ana"): ana, ("d", "Ben"): ben}, lengths={"d": 24})"""
_LINKS = """\
from accord.data.chains import Link
entities = [["the car", "it"], ["Tom"], ["Ann"], ["the wheel"], ["they"]]
right, wrong = RIGHT, WRONG
reference = accord.Chains.from_clusters({("d", "key"): entities}, links={("d", "key"): right})
system = accord.Chains.from_clusters({("d", "auto"): entities}, links={("d", "auto"): [*right, wrong]})"""
_ZEROS = """\
key, auto = [[(0, 1), (3, 4), (6, 7)], [(1, 2)]], [[(0, 1), (3, 4)], [(1, 2), (6, 7)]]
zeros = {("d", (3, 4)): {"head": 3.1}, ("d", (6, 7)): {"head": 6.1}}
reference = accord.Chains.from_clusters({("d", "key"): key}, facts=zeros)
system = accord.Chains.from_clusters({("d", "auto"): auto}, facts=zeros)"""
_LABELS = 'reference, system = list("aabbbc"), list("abbbca")'
_NUMBERS = "reference, system = [1, 2, 3, 4, 5], [1, 3, 2, 4, 5]"
_SETS = """\
reference = accord.Ratings.from_matrix([[frozenset("ab"), frozenset("b")]], annotators=["reference"])
system = accord.Ratings.from_matrix([[frozenset("a"), frozenset("b")]], annotators=["system"])"""
_JUDGES = """\
reference = accord.Ratings.from_matrix([[1, 2, 3, 3], [1, 2, 3, 2], [2, 2, 3, 1]])
system = accord.Ratings.from_matrix([[1, 2, 3, 1]], annotators=["system"])"""
_SHARES = """\
reference = accord.Ratings.from_matrix([list("aabb"), list("abbb"), list("aaba")])
system = accord.Ratings.from_probabilities({"a": [0.9, 0.4, 0.2, 0.5], "b": [0.1, 0.6, 0.8, 0.5]})"""

_OF_A_SHAPE = {
    ("units", "score"): _SPANS,
    ("chains", "score"): _KEY,
    ("chains", "agree"): _CHAINS,
    ("ratings", "score"): _LABELS,
}
_SOFT = ("cross-entropy", "kl", "jsd", "js-distance", "manhattan", "entropy-correlation")
_OF_A_MEASURE = {
    **dict.fromkeys(("pearson", "spearman"), _NUMBERS),
    **dict.fromkeys(("exact-match", "hamming-loss"), _SETS),
    **dict.fromkeys(
        ("observed-agreement", "fuzzy-distance", "alpha-to-distribution", "emd"), _JUDGES
    ),
    **dict.fromkeys(_SOFT, _SHARES),
    "bridging": _LINKS.replace(
        "RIGHT, WRONG", '[Link("bridge", "the wheel", (0,))], Link("bridge", "they", (0,))'
    ),
    "split-antecedent": _LINKS.replace(
        "RIGHT, WRONG", '[Link("split", "they", (1, 2))], Link("split", "it", (1, 2))'
    ),
    "zero-anaphor": _ZEROS,
}  # fmt: skip


def example(m: Any) -> list[str]:
    """The lines of a session that ends with the value of a measure; nothing is written by hand."""
    made = _OF_A_MEASURE.get(m.name) or _OF_A_SHAPE[m.shape, m.question]
    sides = "data" if m.question == "agree" else "reference, system"
    call = f'print(accord.{m.question}({sides}, "{m.name}"))'
    if m.name == "semeval":
        call = f'for one in accord.score({sides}, "semeval"):\n    print(one)'
    lines = [line for piece in _pieces(f"import accord\n{made}") for line in piece]
    return [*lines, *next(iter(_pieces(call))), *_printed(made, call)]


def _pieces(source: str) -> list[list[str]]:
    """Statements as they are typed at the prompt."""
    import ast

    text = source.splitlines()
    found = []
    for statement in ast.parse(source).body:
        first, *rest = text[statement.lineno - 1 : statement.end_lineno]
        found.append([f">>> {first}", *(f"... {line}" for line in rest)])
    return found


@cache
def _printed(made: str, call: str) -> tuple[str, ...]:
    import accord

    names: dict[str, Any] = {"accord": accord}
    exec(made, names)
    out = StringIO()
    with redirect_stdout(out):
        exec(call, names)
    return tuple(out.getvalue().splitlines())
