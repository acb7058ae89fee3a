"""A table for a paper: its cells once, rendered for LaTeX (booktabs) and as Markdown."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.language import Translator, speaker, translator

#: p-value from which two systems are not told apart
TOLD_APART = 0.05
_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip
_MATH = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi",
    "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega",
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "≥": "ge", "≤": "le", "≠": "ne", "±": "pm", "×": "times",
    "·": "cdot", "→": "rightarrow", "∞": "infty", "≈": "approx",
}  # fmt: skip
_SIGNS = {
    "−": "$-$", "–": "--", "—": "---", "…": r"\ldots{}", "\u202f": r"\,", "\u00a0": "~", "“": "``",
    "”": "''", "‘": "`", "’": "'", "²": "$^2$", "³": "$^3$", "½": r"\textonehalf{}", "«": r"\guillemotleft{}",
    "»": r"\guillemotright{}",
}  # fmt: skip
#: what Markdown would not leave as it is
_MARKED = re.compile(r"([\\`*_\[\]<>|])")
#: what LaTeX takes for an argument of the line before
_ARGUMENT = re.compile(r"^(?=[\[*])")


@dataclass(frozen=True, slots=True)
class Bold:
    """A cell that stands out: the best, or what is not told apart from it."""

    cell: object


class Printable:
    """Anything that is a table in a paper: :meth:`to_latex` and :meth:`to_markdown`."""

    __slots__ = ()

    def _printed(self) -> Printed:
        """The table; each answer says which."""
        raise NotImplementedError

    def to_latex(self, *, lang: str | None = None) -> str:
        """Return the answer as a LaTeX table, to be pasted; it takes the package booktabs."""
        return self._printed().latex(None if lang is None else translator(lang))

    def to_markdown(self, *, lang: str | None = None) -> str:
        """Return the answer as a Markdown table."""
        return self._printed().markdown(None if lang is None else translator(lang))


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed(Printable):
    """A table to be pasted: a head, rows of words, numbers and limits, a caption, notes below it."""

    head: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    label: str = ""

    @classmethod
    def of_rows(
        cls,
        rows: Sequence[Mapping[str, Any]],
        *,
        caption: str = "",
        notes: Sequence[str] = (),
        label: str = "",
        bold: Callable[[Mapping[str, Any]], bool] = lambda row: False,
    ) -> Printed:
        """Make a table of rows: `low` and `high` are one column, what is no cell stays out.

        >>> found = Printed.of_rows([{"object": "a_b", "value": 0.5, "low": 0.25, "high": 1.0}])
        >>> print(found.markdown())
        | object | value | interval |
        |---|--:|--:|
        | a\\_b | 0.500 | [0.250, 1.000] |
        """
        plain = [_with_limits(row) for row in rows]
        names = [
            name
            for name in dict.fromkeys(name for row in plain for name in row)
            if all(_is_cell(row.get(name)) for row in plain)
            and any(row.get(name) is not None for row in plain)
        ]
        cells = [
            tuple(
                Bold(row.get(n)) if bold(row) and row.get(n) is not None else row.get(n)
                for n in names
            )
            for row in plain
        ]
        return cls(
            head=tuple(name.replace("_", " ") for name in names),
            rows=tuple(cells),
            caption=caption,
            notes=tuple(notes),
            label=label,
        )

    def _printed(self) -> Printed:
        return self

    def latex(self, say: Translator | None = None) -> str:
        """Return the table for LaTeX with the package booktabs; the language is that of `say`."""
        say = say or speaker()
        columns = "".join("l" if left else "r" for left in self._left)
        lines = [
            r"\begin{table}",
            r"  \centering",
            rf"  \begin{{tabular}}{{{columns}}}",
            r"    \toprule",
            "    " + _line("$n$" if name == "n" else tex(say(name)) for name in self.head),
            r"    \midrule",
            *("    " + _line(_tex(cell, say) for cell in row) for row in self.rows),
            r"    \bottomrule",
            r"  \end{tabular}",
        ]
        if self.notes:
            told = " ".join(tex(say(note)) for note in self.notes)
            lines.append(rf"  \par\smallskip{{\footnotesize {told}}}")
        if self.caption:
            lines.append(rf"  \caption{{{tex(say(self.caption))}}}")
        if self.label:
            lines.append(rf"  \label{{tab:{self.label}}}")
        return "\n".join([*lines, r"\end{table}"])

    def markdown(self, say: Translator | None = None) -> str:
        """Return the table as Markdown with its caption above and its notes below."""
        say = say or speaker()
        rule = "|".join("---" if left else "--:" for left in self._left)
        table = [
            _piped(_marked(say(name)) for name in self.head),
            f"|{rule}|",
            *(_piped(_markdown(cell, say) for cell in row) for row in self.rows),
        ]
        parts = [
            _marked(say(self.caption)),
            "\n".join(table),
            " ".join(_marked(say(note)) for note in self.notes),
        ]
        return "\n\n".join(part for part in parts if part)

    @property
    def _left(self) -> list[bool]:
        """The columns that hold words."""
        return [
            not any(isinstance(_inner(row[j]), (int, float, tuple)) for row in self.rows)
            for j in range(len(self.head))
        ]


def leading(
    values: Mapping[str, float], comparisons: Sequence[Mapping[str, Any]], *, similarity: bool
) -> frozenset[str]:
    """Return the best, and those that no test tells apart from it.

    `comparisons` are rows of :func:`accord.uncertainty.family.comparisons` of these values.

    >>> rows = [{"a": "x", "b": "y", "p_holm": 0.2}, {"a": "x", "b": "z", "p_holm": 0.01}]
    >>> sorted(leading({"x": 0.9, "y": 0.8, "z": 0.1}, rows, similarity=True))
    ['x', 'y']
    """
    known = {name: value for name, value in values.items() if math.isfinite(value)}
    if not known:
        return frozenset()
    best = (max if similarity else min)(known, key=known.__getitem__)
    apart = {
        other
        for row in comparisons
        for one, other in ((row["a"], row["b"]), (row["b"], row["a"]))
        if one == best and (p := row.get("p_holm")) is not None and p < TOLD_APART
    }
    return frozenset(known) - apart


def tex(text: str) -> str:
    r"""Any text, safe in LaTeX.

    >>> tex("Krippendorff's α, 95 % of #1")
    "Krippendorff's $\\alpha$, 95 \\% of \\#1"
    """
    clean = " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split(" "))
    clean = re.sub(r"[\t\n\r\f\v]+", " ", clean)
    return "".join(
        _SPECIAL.get(c) or _SIGNS.get(c) or (rf"$\{_MATH[c]}$" if c in _MATH else c) for c in clean
    )


def _with_limits(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row in which two limits, or an interval, are one cell behind the value."""
    made: dict[str, Any] = {}
    for name, value in row.items():
        if name == "low" and "high" in row:
            made["interval"] = (
                None if value is None or row["high"] is None else (value, row["high"])
            )
        elif name == "interval" and isinstance(value, Mapping):
            made[name] = value["low"], value["high"]
        elif not (name == "high" and "low" in row):
            made[name] = value
    return made


def _is_cell(value: object) -> bool:
    value = _inner(value)
    limits = isinstance(value, tuple)
    return value is None or limits or isinstance(value, (str, bool, int, float))


def _inner(cell: object) -> object:
    return cell.cell if isinstance(cell, Bold) else cell


def _shown(cell: object, say: Translator) -> str:
    """A cell in words of the language: numbers with its decimal sign."""
    if isinstance(cell, bool):
        return say("yes" if cell else "no")
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return "–"
    if isinstance(cell, tuple) and len(cell) == 3:
        value, *limits = cell
        both = "" if None in limits else f" {_shown(tuple(limits), say)}"
        return f"{_shown(value, say)}{both}"
    if isinstance(cell, tuple):
        return _figures("[" + ", ".join(_shown(one, translator("en")) for one in cell) + "]", say)
    if isinstance(cell, float):
        return _figures(f"{cell:.3f}".replace("-", "−"), say)
    return str(cell)


def _figures(text: str, say: Translator) -> str:
    return text if say.lang == "en" else say.number(text)


def _tex(cell: object, say: Translator) -> str:
    text = tex(_shown(_inner(cell), say))
    return rf"\textbf{{{text}}}" if isinstance(cell, Bold) else text


def _markdown(cell: object, say: Translator) -> str:
    inner = _inner(cell)
    text = _shown(inner, say)
    text = _marked(text) if isinstance(inner, str) else text
    return f"**{text}**" if isinstance(cell, Bold) else text


def _marked(text: str) -> str:
    return _MARKED.sub(r"\\\1", " ".join(text.split()))


def _line(cells: Any) -> str:
    """A row of LaTeX; what begins it is never read as an argument of the line before."""
    first, *rest = cells
    first = "{" + first[0] + "}" + first[1:] if _ARGUMENT.match(first) and first else first
    return " & ".join([first, *rest]) + r" \\"


def _piped(cells: Any) -> str:
    return "| " + " | ".join(cells) + " |"
