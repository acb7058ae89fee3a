"""Tables for papers: one table of each answer, as LaTeX that compiles as pasted and as Markdown."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import accord
from accord.printed import Bold, Printed, leading, tex
from tests.in_process import run

EXAMPLES = Path(__file__).parents[2] / "examples"
#: the commands that a table may use: of LaTeX itself and of booktabs
KNOWN = {
    "begin", "end", "centering", "toprule", "midrule", "bottomrule", "caption", "label", "textbf", "par",
    "smallskip", "footnotesize", "textbackslash", "textasciitilde", "textasciicircum", "textless",
    "textgreater", "textbar", "ldots", "alpha", "gamma", "kappa", "pi", "rho", "ge", "le", "theta",
    "Delta", "omega", "cdot", "times", "pm", "guillemotleft", "guillemotright", "textonehalf",
}  # fmt: skip
#: names as campaigns have them, each a trap for LaTeX or for Markdown
TRAPS = ["a_b", "50 %", "A&B", "$x$", "#1", "{open", "close}", "~", "^", "back\\slash", "[first]",
         "*star*", "pipe|bar", "<tag>", "`code`", "two\nlines", "é–ß", "γ ≥ 1", "tab\there", "\x07bell",
         "\\", "[", "--", "“quoted”"]  # fmt: skip


def check_latex(text: str) -> None:
    """What a compiler would stumble over."""
    assert text.startswith("\\begin{table}")
    assert text.rstrip().endswith("\\end{table}")
    depth, environments, math = 0, [], False
    for word in re.findall(r"\\[a-zA-Z]+|\\.|[{}$&#%^~_]|[^\\{}$&#%^~_]+", text, re.S):
        assert word not in ("#", "%", "^", "_"), (word, text)
        if word == "{":
            depth += 1
        elif word == "}":
            depth -= 1
            assert depth >= 0, text
        elif word == "$":
            math = not math
        elif re.fullmatch(r"\\[a-zA-Z]+", word):
            assert word[1:] in KNOWN, word
    assert depth == 0
    assert not math
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        assert kind == "begin" or environments.pop() == name
        if kind == "begin":
            environments.append(name)
    assert environments == []
    columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", text)
    assert columns is not None
    body = text.partition("\\toprule")[2].partition("\\bottomrule")[0]
    rows = [line for line in body.splitlines() if line.strip() and line.strip() != "\\midrule"]
    for row in rows:
        assert row.endswith(r" \\"), row
        assert len(re.findall(r"(?<!\\)&", row)) == len(columns[1]) - 1, row
        # an argument of the rule or of the line break before
        assert row.strip()[0] not in "[*", row
    assert "\n\n" not in text
    assert all(c.isprintable() or c == "\n" for c in text)


@pytest.mark.parametrize("name", TRAPS)
def test_any_name_is_safe(name):
    table = Printed.of_rows(
        [{name: name, "value": 0.5, "low": -0.25, "high": 1.0}, {name: "b", "value": float("nan")}],
        caption=name, notes=[name], bold=lambda row: row["value"] == 0.5,
    )  # fmt: skip
    check_latex(table.latex())
    lines = table.markdown().splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 4
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4}


def test_what_is_written():
    table = Printed(
        head=("system", "f_1", "interval"),
        rows=(("a&b", Bold((0.5, 0.25, 0.75)), (-0.1, None)), ("c", None, (0.0, 1.0))),
        caption="Scores", label="scores", notes=("Bold: the best.",),
    )  # fmt: skip
    assert (
        table.latex()
        == r"""\begin{table}
  \centering
  \begin{tabular}{lrr}
    \toprule
    system & f\_1 & interval \\
    \midrule
    a\&b & \textbf{0.500 [0.250, 0.750]} & [$-$0.100, --] \\
    c & -- & [0.000, 1.000] \\
    \bottomrule
  \end{tabular}
  \par\smallskip{\footnotesize Bold: the best.}
  \caption{Scores}
  \label{tab:scores}
\end{table}"""
    )
    assert (
        table.markdown()
        == """Scores

| system | f\\_1 | interval |
|---|--:|--:|
| a&b | **0.500 [0.250, 0.750]** | [−0.100, –] |
| c | – | [0.000, 1.000] |

Bold: the best."""
    )


def test_one_column_of_names_that_are_arguments():
    check_latex(Printed(head=("[a]",), rows=(("*",), ("[x]",), ("",))).latex())


def test_the_best_and_who_is_not_told_apart():
    rows = [
        {"a": "x", "b": "y", "p_holm": 0.05}, {"a": "z", "b": "x", "p_holm": 0.049},
        {"a": "y", "b": "z", "p_holm": 0.9},
    ]  # fmt: skip
    values = {"x": 0.9, "y": 0.8, "z": 0.7}
    assert leading(values, rows, similarity=True) == {"x", "y"}
    # z is the best of a distance; y is not told apart from it, x is
    assert leading(values, rows, similarity=False) == {"z", "y"}
    assert leading({"x": float("nan")}, rows, similarity=True) == frozenset()
    # nobody tested them
    assert leading(values, [], similarity=True) == set(values)


KEY = list("AABBAABBAABBAABBAABB")


def test_systems_by_measures_with_what_is_best_in_bold(tmp_path):
    path = tmp_path / "scores.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["item", "annotator", "value"])
        for i, v in enumerate(KEY):
            other = "B" if v == "A" else "A"
            for who, said in (
                ("key", v),
                ("good", v),
                ("same", other if i == 0 else v),
                ("poor", other),
            ):
                table.writerow([i, who, said])
    target = tmp_path / "table.tex"
    words = f"accord score '{path}' --reference-annotator key --systems good,same,poor -m accuracy,f1-macro"
    code, out, told, _ = run(f"{words} --markdown --latex '{target}'")
    assert code == 0, told
    lines = [line for line in out.splitlines() if line.startswith("|")]
    assert lines[0] == "| system | accuracy | f1-macro |"
    assert [line.count("**") for line in lines[2:]] == [4, 4, 0]
    assert "mcnemar" in out
    check_latex(target.read_text())
    assert target.read_text().count(r"\textbf") == 4
    # what is asked twice is refused, and nothing is written onto what is read
    assert run(f"{words} --markdown --json")[0] == 2
    assert run(f"{words} --latex '{path}'")[0] == 2


@pytest.mark.parametrize(
    "line",
    [
        "agree moods.csv --measure alpha,fleiss", "agree claims.csv --samples 5 --by category",
        "agree claims.csv -m gamma-k --samples 5",
        "score key.conll response.conll", "rank labels.csv --systems gpt,llama --resamples 20",
        "judge labels.csv --judge gpt,llama --resamples 20", "prefer judgements.csv --resamples 50",
        "simulate prevalence --at .5,.1", "simulate grid moods.csv --campaigns 2 --steps 2",
        "simulate size --width .4 --campaigns 20", "simulate reliability scores.csv",
        "simulate measures moods.csv --campaigns 2 --steps 1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_verb_has_its_table(line, lang, tmp_path):
    command, *rest = line.split()
    words = [command, *(str(EXAMPLES / w) if (EXAMPLES / w).is_file() else w for w in rest)]
    target = tmp_path / "table.tex"
    code, out, told, _ = run(
        f"accord {' '.join(words)} --markdown --latex '{target}' --lang {lang}"
    )
    assert code == 0, told
    check_latex(target.read_text())
    rows = [row for row in out.splitlines() if row.startswith("|")]
    assert len(rows) >= 3
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
    assert re.search(r"\d,\d{3}" if lang == "fr" else r"\d\.\d{3}", out)


def test_the_same_in_python():
    found = accord.agree(EXAMPLES / "moods.csv", "alpha", ci="auto")
    assert (
        found.to_markdown()
        in run(f"accord agree '{EXAMPLES / 'moods.csv'}' -m alpha --markdown")[1]
    )
    check_latex(found.to_latex())
    assert "0,646" in found.to_latex(lang="fr")
    for answer in (
        accord.compare(KEY, v1=KEY, v2=KEY[::-1], margin=0.1),
        accord.judge(EXAMPLES / "labels.csv", "gpt"),
        accord.prefer(EXAMPLES / "judgements.csv"),
        found,
    ):
        check_latex(answer.to_latex())
        assert len(re.findall(r"^\|[-:|]+\|$", answer.to_markdown(), re.M)) == 1
    assert "| < 0.001 | mcnemar |" in accord.compare(
        KEY, v1=KEY, v2=KEY[::-1]
    ).to_markdown().replace("\\", "")


def test_sets_of_special_signs_are_written():
    assert tex("α_1 ≥ 50 %") == r"$\alpha$\_1 $\ge$ 50 \%"
