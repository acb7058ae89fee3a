"""The pages of the reference, from the code: they cannot drift from it.

Every command with every option, every public function and class, every measure with formula, range,
citation, options and example; the search finds a measure by the words people know it by.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reference_examples import example

_FAMILIES = {
    ("ratings", "agree"): "Agreement on ratings",
    ("units", "agree"): "Agreement on units",
    ("segments", "agree"): "Agreement on segmentations",
    ("chains", "agree"): "Agreement on chains",
    ("relations", "agree"): "Agreement on relations",
    ("boxes", "agree"): "Agreement on boxes",
    ("ratings", "score"): "Systems against a reference: ratings",
    ("units", "score"): "Systems against a reference: spans",
    ("segments", "score"): "Systems against a reference: segmentations",
    ("chains", "score"): "Systems against a reference: coreference",
    ("relations", "score"): "Systems against a reference: relations",
    ("boxes", "score"): "Systems against a reference: boxes",
}
_SHARED = ("Who and which documents", "Reading the data")


def write_reference(folder: Path) -> None:
    """Write all pages; those that are current already are not touched."""
    pages = {f"measures/{name}.md": text for name, text in measure_pages()}
    pages["commands.md"] = commands_page()
    pages["reading.md"] = reading_page()
    pages["python.md"] = python_page()
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


# --- measures ------------------------------------------------------------------------------------


def measure_pages() -> Iterator[tuple[str, str]]:
    import accord.evaluation  # noqa: F401 enrols everything
    from accord.measures import enrolled

    for (shape, question), title in _FAMILIES.items():
        records = enrolled(shape=shape, question=question)
        if not records:
            continue
        lines = [f"# {title}", "", f"`accord {question} … --measure NAME`", ""]
        lines += [f"- [{m.name}](#{m.name}): {m.title}" for m in records]
        lines.append("")
        for m in records:
            lines += _measure(m)
        yield f"{shape}-{question}", "\n".join(lines)


def _measure(m: Any) -> list[str]:
    module = inspect.getmodule(m.function)
    low, high = (_end(end) for end in m.range)
    facts = [f"Range: {low} to {high}"]
    facts.append("corrected for chance" if m.chance else "not corrected for chance")
    facts.append("larger is more alike" if m.similarity else "a distance: 0 is best")
    lines = [f"## {m.name}", ""]
    # what people look for is one word, their own or an author's name; headings do for the rest
    if words := [name for name in (m.name, *m.aliases) if "-" not in name]:
        lines += [f"```{{index}} {', '.join(f'! {word}' for word in words)}", "```", ""]
    lines += [f"**{m.title}**", "", m.use, "", "; ".join(facts) + ".", ""]
    if m.aliases:
        lines += ["Also called " + ", ".join(f"`{a}`" for a in m.aliases) + ".", ""]
    lines += [f"Source: {m.citation}", ""]
    called = m.name.replace("-", "_")
    sides = "data" if m.question == "agree" else "reference, system"
    lines += [
        f'In Python `accord.{m.question}({sides}, "{m.name}")`, or `accord.{called}` on data.',
        "",
    ]
    if m.options:
        lines += ["| Python | terminal | what it says |", "|---|---|---|"]
        lines += [
            f"| `{o.name}` | {'' if o.python_only else f'`{o.flag}`'} | {_cell(o.description)} |"
            for o in m.options
        ]
        lines.append("")
    lines += [
        "```{eval-rst}",
        f".. autofunction:: {module.__name__ if module else ''}.{m.function.__name__}",
        "   :no-index:",
        "```",
        "",
    ]
    between = m.name.removeprefix("pairwise-")
    if between != m.name:
        lines += [f"The formula is that of [{between}]({m.shape}-score.md#{between}).", ""]
    if ">>>" not in (m.function.__doc__ or ""):
        lines += ["```pycon", *example(m), "", "```", ""]
    return lines


def _end(value: float) -> str:
    return "∞" if value == math.inf else "−∞" if value == -math.inf else f"{value:g}"


# --- commands ------------------------------------------------------------------------------------


def commands_page() -> str:
    """Every command and option, from the command line itself."""
    import typer

    from accord.cli import app as command_line
    from accord.cli.help import EXAMPLES

    command_line.load_commands()
    group = typer.main.get_command(command_line.app)
    lines = [
        "# Every command",
        "",
        "`accord COMMAND --help` says the same in the terminal. Every command takes `--json` and then",
        "prints exactly one JSON document on standard output. Exit codes: 0 fine, 1 a line given with",
        "`--fail-under` or `--fail-on` is not met, 2 bad input or usage.",
        "",
        "## Options for reading",
        "",
        "All commands that read annotations take these.",
        "",
    ]
    context = typer.Context(group.commands["inspect"], info_name="inspect")
    lines += _options(
        [p for p in group.commands["inspect"].get_params(context) if _panel(p) in _SHARED]
    )
    for name, command in _commands(group):
        context = typer.Context(command, info_name=name)
        own = [p for p in command.get_params(context) if _panel(p) not in _SHARED]
        arguments = [p for p in own if p.param_type_name == "argument"]
        words = " ".join(
            f"{p.metavar}{'…' if p.nargs != 1 else ''}" if p.required else f"[{p.metavar}]"
            for p in arguments
        )
        lines += [f"## accord {name}", "", inspect.cleandoc(command.help or ""), ""]
        lines += ["```console", f"$ accord {name} {words} [OPTIONS]".rstrip(), "```", ""]
        for p in arguments:
            lines += [f"- `{p.metavar}`: {p.help}"]
        lines.append("")
        if name in EXAMPLES:
            lines += ["```console", *(f"$ {line}" for line in EXAMPLES[name]), "```", ""]
        lines += _options([p for p in own if p.param_type_name == "option"])
    return "\n".join(lines)


def _commands(group: Any) -> Iterator[tuple[str, Any]]:
    for name, command in sorted(group.commands.items()):
        inner = getattr(command, "commands", None)
        if inner is None:
            yield name, command
        else:
            yield from ((f"{name} {n}", c) for n, c in sorted(inner.items()))


def _panel(param: Any) -> str:
    return getattr(param, "rich_help_panel", None) or ""


def _options(params: list[Any]) -> list[str]:
    shown = [p for p in params if not getattr(p, "hidden", False) and p.name != "help"]
    if not shown:
        return []
    rows = ["| option | takes | what it does |", "|---|---|---|"]
    for p in shown:
        names = ", ".join(f"`{o}`" for o in [*p.opts, *p.secondary_opts])
        takes = f"`{p.metavar}`".replace("|", "\\|") if p.metavar else ""
        default = p.default
        plain = isinstance(default, (str, int, float)) and not isinstance(default, bool)
        said = f" Default: `{default}`." if plain and default != "" else ""
        rows.append(f"| {names} | {takes} | {_cell(p.help or '')}{said} |")
    return [*rows, ""]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


# --- reading -------------------------------------------------------------------------------------


def reading_page() -> str:
    """What a reader may be told, from its declaration."""
    from accord.options.reading import FORMAT, KEYWORDS

    lines = [
        "# Options for reading",
        "",
        "Keywords of `accord.read`, and of whatever reads for you; every command that reads annotations",
        "takes the same. A name that is none of these is refused, with the one that was probably meant.",
        "",
        "| Python | terminal | takes | what it says |",
        "|---|---|---|---|",
    ]
    for option in (FORMAT, *KEYWORDS):
        typed = "" if option.python_only else f"`{option.flags[0]}`".replace("/", "`, `")
        if option.name == "columns":
            typed += ", `--columns`"
        takes = " ".join(f"`{word}`" for word in option.choices) or _TAKES[option.type]
        said = f" Default: `{option.default_shown}`." if option.default_shown else ""
        lines.append(f"| `{option.name}` | {typed} | {takes} | {_cell(option.help)}{said} |")
    return "\n".join([*lines, ""])


#: what an option of that type may be given as in Python
_TAKES: dict[type, str] = {
    str: "text",
    bool: "`True` or `False`",
    float: "a number",
    Path: "a path",
    tuple: "a list, or one text with commas",
    Mapping: "a mapping, or texts as they are typed",
}


# --- Python --------------------------------------------------------------------------------------

_CLASSES = (
    "accord.data.ratings.Ratings",
    "accord.data.units.Units",
    "accord.data.segments.Segments",
    "accord.data.chains.Chains",
    "accord.data.relations.Relations",
    "accord.data.boxes.Boxes",
    "accord.result.Result",
    "accord.result.Results",
    "accord.result.Interval",
    "accord.gold.reference.Reference",
    "accord.gold.placed_reference.PlacedReference",
    "accord.evaluation.ranking.Ranking",
    "accord.evaluation.alternative.AltTest",
    "accord.evaluation.judges.answer.JudgeStudy",
    "accord.evaluation.scorer.Scorer",
    "accord.audit.finding.Finding",
    "accord.audit.finding.Findings",
    "accord.uncertainty.compare.Comparison",
    "accord.alignment.alignment.Alignment",
    "accord.report.page.Report",
    "accord.notebook.alignments.AlignmentView",
    "accord.notebook.cards.CardView",
    "accord.web.session.Session",
    "accord.study.Study",
    "accord.study.Certainty",
)


def python_page() -> str:
    """Every public name of the package."""
    import accord

    homes = {**accord._HOMES, **{p: f"accord.{p}" for p in accord._PACKAGES}}
    verbs, errors = [], []
    listed = {c.rpartition(".")[2] for c in _CLASSES}
    for name, home in sorted(homes.items()):
        found = getattr(accord, name)
        if isinstance(found, type):
            if issubclass(found, Exception):
                errors.append(f"{home}.{name}")
            else:
                assert name in listed, f"{name} is public and has no place in the reference"
        elif name != "simulate":
            verbs.append(f"{home}.{name}")
    lines = [
        "# Python",
        "",
        "`import accord` is light: what it offers is imported when it is first used. Every measure is a",
        "function too (`accord.alpha`, `accord.gamma`, …): [every measure](index.md).",
        "",
        "## Functions",
        "",
        *_documented("autofunction", verbs, "accord."),
        "## Simulation",
        "",
        *_documented("autofunction", _simulations(), "accord.simulate."),
        "## Classes",
        "",
        *_documented("autoclass", _CLASSES),
        "## Errors",
        "",
        *_documented("autoclass", errors),
    ]
    return "\n".join(lines)


def _simulations() -> list[str]:
    from accord import simulate

    return [
        f"{f.__module__}.{name}"
        for name in sorted(simulate.__all__)
        if inspect.isfunction(f := getattr(simulate, name))
    ]


def _documented(directive: str, names: Any, called: str = "") -> list[str]:
    """Each name under a heading that says how it is called, whatever module it lives in."""
    lines = []
    for name in names:
        lines += [f"### {called}{name.rpartition('.')[2]}", "", "```{eval-rst}"]
        lines += [f".. {directive}:: {name}", "   :no-index:"]
        lines += ["   :members:", "   :undoc-members:"] if directive == "autoclass" else []
        lines += ["```", ""]
    return lines


def with_fields(lines: list[str]) -> list[str]:
    """A docstring with its parameters as a list of definitions, and what it returns as a field.

    Fields would have their names begin with a capital, and themes write them in capitals: a name is
    shown as it is typed.
    """
    out: list[str] = []
    i = 0
    while i < len(lines):
        title = lines[i].strip()
        ruled = i + 1 < len(lines) and set(lines[i + 1].strip()) == {"-"}
        if title not in ("Parameters", "Returns", "Yields", "Raises") or not ruled:
            out.append(lines[i])
            i += 1
            continue
        i += 2
        entries: list[str] = []
        while i < len(lines) and lines[i].strip():
            if lines[i].startswith(" ") and entries:
                entries[-1] += " " + lines[i].strip()
            else:
                entries.append(lines[i].strip())
            i += 1
        if title == "Parameters":
            for entry in entries:
                names, _, text = entry.partition(" :")
                out += [f"``{names}``", f"   {text.strip()}"]
        else:
            out.append(f":{title.lower()}: {' '.join(entries)}")
        out.append("")
    return out
