r"""Formulas as a terminal can show them: the LaTeX of our docstrings in Unicode.

Only what they use is known; a test reads them all and fails on a command that is not.
"""

from __future__ import annotations

import re
from collections import deque
from unicodedata import normalize

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.S)
_SIGNS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "pi": "π", "sigma": "σ",
    "mu": "μ", "ell": "ℓ", "sum": " Σ", "max": " max", "sup": " sup", "log": " log ", "ln": " ln ",
    "in": " ∈ ", "ne": " ≠ ", "ge": " ≥ ", "le": " ≤ ", "cap": " ∩ ", "triangle": " △ ", "cdot": "·",
    "dots": "…", "|": "‖", ",": " ", ";": " ", "left": "", "right": "", "quad": " ",
}  # fmt: skip
_ACCENTS = {"bar": "\u0304", "hat": "\u0302"}
_RAISED = str.maketrans("0123456789+−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
#: what a whole numerator or denominator may be without brackets
_SIMPLE = re.compile(r"[^\s+−,=/]+|\|[^|\s]+\|")
#: where a line of several formulas is broken
_BREAK = re.compile(r",\s*\\q?quad\s")


def plain_formula(latex: str) -> list[str]:
    r"""The formulas of a block, one on each line.

    >>> plain_formula(r"\alpha = 1 - D_o / D_e, \quad D_o = \frac1N \sum_{i} \frac{x_{ij}^2}{r_i-1}")
    ['α = 1 − D_o / D_e', 'D_o = 1/N Σ_i x_ij²/(r_i − 1)']
    """
    return [
        found
        for piece in _BREAK.split(latex)
        if (found := _spaced(_read(deque(_TOKEN.findall(piece)))))
    ]


def _spaced(text: str) -> str:
    """One space between things, around signs of two sides, and none within brackets."""
    text = re.sub(r"(?<=[\w)|\]′²³ⁿ\u0304\u0302])\s*([−+=<])\s*", r" \1 ", text)
    return re.sub(r"(?<=[(\[{]) | (?=[)\]},])", "", re.sub(r"\s+", " ", text)).strip()


def _read(tokens: deque[str]) -> str:
    """All up to the end of this group."""
    out = ""
    while tokens and (token := tokens.popleft()) != "}":
        out += _one(token, tokens)
    return out


def _argument(tokens: deque[str]) -> str:
    """What the next command is about: a group or a single sign."""
    while tokens[0].isspace():
        tokens.popleft()
    return _spaced(_one(tokens.popleft(), tokens))


def _one(token: str, tokens: deque[str]) -> str:
    name = token.removeprefix("\\")
    if token == "{":
        return _read(tokens)
    if token in "_^":
        raised, what = token == "^", _argument(tokens)
        if raised and what.translate(_RAISED) != what and len(what) == 1:
            return what.translate(_RAISED)
        return f"{token}{what}" if what.isalnum() else f"{token}{{{what}}}"
    if token == "-":
        return "−"
    if token == "'":
        return "′"
    if token == name:
        return token
    if name in ("frac", "tfrac"):
        return f"{_whole(_argument(tokens))}/{_whole(_argument(tokens))} "
    if name == "sqrt":
        return f"√({_argument(tokens)})"
    if name in _ACCENTS:
        return normalize("NFC", _argument(tokens) + _ACCENTS[name])
    if name in ("text", "mathrm"):
        tokens.popleft()
        return _read(tokens)
    return _SIGNS[name]


def _whole(part: str) -> str:
    return part if _SIMPLE.fullmatch(part) else f"({part})"
