"""What ``accord measures NAME`` tells: prose and formulas for a terminal, not their source."""

from __future__ import annotations

import inspect
import re

import pytest

import accord.evaluation  # noqa: F401 enrols what lives beside the measures
from accord.cli.description import described
from accord.cli.plain_formula import plain_formula
from accord.measures import enrolled
from tests.in_process import run

#: marks of LaTeX and reStructuredText
_MARKS = re.compile(r"\\|``|:\w+:`|^\.\. |::$|-{4,}|(?<!\w)\*\w", re.M)


@pytest.mark.parametrize("record", enrolled(), ids=lambda m: f"{m.question}-{m.name}")
def test_no_marks_are_left(record):
    told = list(described(inspect.getdoc(record.function)))
    assert told
    prose = "\n".join(text for text, as_it_stands in told if not as_it_stands)
    assert not _MARKS.search(prose)
    formulas = "\n".join(text for text, kept in told if kept and not text.startswith(">>>"))
    assert "\\" not in formulas
    assert "Parameters" not in prose


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (
            r"\frac{\sum_k r_{ik}(r_{ik} - 1)}{r_i (r_i - 1)}",
            "(Σ_k r_ik(r_ik − 1))/(r_i (r_i − 1))",
        ),
        (r"A = \frac{1}{q^2}\sum_{kl} w_{kl}", "A = 1/q² Σ_kl w_kl"),
        (r"1 - \frac{k}{n}(\bar x - \hat y)^2", "1 − k/n (x̄ − ŷ)²"),
        (r"\sum_{c=1}^{K-1} \left|x_{c+1}\right|", "Σ_{c = 1}^{K − 1} |x_{c + 1}|"),
        (r"\sqrt{\frac{1}{2} x} \quad\text{(quadratic)}", "√(1/2 x) (quadratic)"),
        (r"\text{accuracy}_b - \text{mean of } x", "accuracy_b − mean of x"),
        (r"d(r,r') \ne M[\ell,\ell']", "d(r,r′) ≠ M[ℓ,ℓ′]"),
    ],
)
def test_formulas_in_unicode(latex, plain):
    assert plain_formula(latex) == [plain]


def test_a_measure_on_a_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, told, _, _ = run("accord measures alpha")
    assert code == 0
    assert "\n    D_e = 1/(N(N − 1)) Σ_{c,k} n_c n_k δ²_ck\n" in told
    lines = told.splitlines()
    # (only what may be copied is longer)
    assert all(len(line) <= 80 or line.startswith("    >>>") for line in lines)
    # options are told in two columns
    assert any(
        re.fullmatch(r"  --period +Period of the circular metric\. *", line) for line in lines
    )
