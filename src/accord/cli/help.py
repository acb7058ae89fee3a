"""What ``--help`` shows, in layers: what is used most with two examples, then group by group, then all."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from accord.cli.keywords import INTERVAL, OUTPUT, WHICH
from accord.cli.terminal import writable
from accord.errors import UsageError
from accord.language import headed, speak, spoken
from accord.options.reading import PEOPLE_PANEL, READING_PANEL, SHAPES

#: both spellings, everywhere
CONTEXT = {"help_option_names": ["-h", "--help"]}

DECISIONS = "Human decisions"
METHODS = "What single methods take"
ADDRESS = "Address and accounts"
SEVERAL_SHAPES = "Measures of several shapes"


def of_shape(shape: str) -> str:
    """Return the panel of the options that measures of one shape take.

    >>> of_shape("units")
    'Measures of units (γ and others)'
    """
    return f"Measures of {shape}" + (" (γ and others)" if shape == "units" else "")


#: panel → what is typed after ``--help`` to see it, in the order in which they are shown
GROUPS = {
    "": "options",
    WHICH: "measure",
    DECISIONS: "decisions",
    ADDRESS: "address",
    METHODS: "methods",
    INTERVAL: "intervals",
    OUTPUT: "output",
    PEOPLE_PANEL: "people",
    READING_PANEL: "reading",
    SEVERAL_SHAPES: "shared",
    **{of_shape(shape): shape for shape in SHAPES},
}
ALL = "all"
_TITLES = {word: panel for panel, word in GROUPS.items()}
_PLACE = {panel: place for place, panel in enumerate(GROUPS)}
#: options that the first page shows at most
FIRST = 15
#: cells of the column of names, and before what is indented
_NAMES, _INDENT = 30, 2
#: where the words of a help page are kept
_ASKED = "accord.help"

#: what an option takes, by the kind of its value
_TAKES = (("path", "FILE"), ("int", "N"), ("float", "X"))

#: what commands do, typed: these run in a clone of the repository
_TYPED = """\
accord agree examples/moods.csv --by category
accord agree examples/claims.csv --measure gamma --by document
accord align examples/claims.csv
accord align examples/claims.csv --html alignments.html
accord distribute examples/claims.csv --jobs 2
accord distribute units.parquet --dask tcp://scheduler:8786
accord gold examples/moods.csv --method dawid-skene -o reference.csv
accord gold examples/claims.csv -o reference.csv --worklist todo.csv
accord decisions campaign.db --import examples/decided.csv
accord decisions campaign.db --export decisions.csv
accord serve examples/moods.csv
accord serve examples/claims.csv --texts examples/claims_texts.csv --blind
accord discuss examples/moods.csv -o meeting
accord discuss examples/claims.csv -o talk --method consensus
accord score examples/key.conll examples/response.conll
accord score examples/key.conll examples/response.conll -m muc,b3,lea
accord rank examples/labels.csv --systems gpt,llama
accord rank examples/labels.csv --systems gpt --without llama --paired
accord alt-test examples/labels.csv --systems gpt,llama
accord alt-test examples/labels.csv --systems gpt,llama --epsilon 0.1
accord prefer examples/judgements.csv
accord prefer examples/judgements.csv --prior 0.5 --json
accord judge examples/labels.csv --judge gpt,llama
accord judge examples/labels.csv --judge gpt --without llama --width 0.15
accord limits examples/scores.csv
accord limits examples/scores.csv --annotators Ana,Ben --svg limits.svg
accord audit examples/moods.csv
accord audit examples/moods.csv --fail-on serious
accord falsify b3 --max-n 4
accord falsify nvi --max-n 4 --max-n-triples 4
accord report examples/moods.csv -o report.html
accord report examples/claims.csv --texts examples/claims_texts.csv --lang fr
accord simulate grid examples/moods.csv --campaigns 3 --steps 4
accord simulate grid examples/claims.csv --value 0.6 --campaigns 2 --steps 2
accord simulate damage --degradation shift --level 1.2 -o shifted.csv
accord simulate damage --degradation omission --level .2 -o fewer.csv
accord simulate prevalence --at 0.5,0.1,0.01
accord simulate prevalence --sensitivity 0.8 --svg prevalence.svg
accord simulate size --width 0.2 --campaigns 50
accord simulate size examples/moods.csv --threshold 0.5 --campaigns 20
accord simulate measures examples/moods.csv --campaigns 2 --steps 2
accord simulate measures examples/claims.csv -m gamma,u-alpha --steps 1
accord simulate chains size --repetitions 20
accord simulate chains singletons -m b3 -m lea --repetitions 20
accord simulate reliability examples/scores.csv --target 0.9
accord simulate reliability examples/scores.csv --nested
accord inspect examples/claims.csv
accord inspect examples/key.conll --json
accord measures
accord measures gamma
accord convert examples/key.conll key.json
accord convert examples/claims.csv claims --to brat --blank-texts
accord reproduce
accord reproduce taln2020
"""


def _examples() -> dict[str, tuple[str, ...]]:
    """Return the examples of each command; those of a group are the first of some of its own."""
    found: dict[str, tuple[str, ...]] = {}
    for line in _TYPED.splitlines():
        _, command, below, *_ = (*line.split(), "")
        name = f"{command} {below}" if command == "simulate" else command
        found[name] = (*found.get(name, ()), line)
    found["simulate"] = (found["simulate grid"][0], found["simulate prevalence"][0])
    return found


EXAMPLES = _examples()

#: what `accord` alone says
START = """\
[bold]accord[/bold] evaluates annotations. What do you have?

  [bold]a table or an export, and a question[/bold]
    accord inspect DATA          what is in there: annotators, documents, labels
    accord agree DATA            do the annotators agree, beyond chance?
    accord audit DATA            can the number be trusted; which one to report
    accord report DATA           all of it on one page, report.html

  [bold]disagreements to settle[/bold]
    accord gold DATA -o REF      a reference, how sure it is, what needs a human
    accord serve DATA            settle the rest together, in the browser

  [bold]a system, or a language model[/bold]
    accord score REF SYSTEM      how good it is against a reference
    accord judge DATA --judge M  may it stand in for people; the corrected rate

accord --help lists every command, accord COMMAND --help its options with
examples, accord measures the measures. Completion: accord --install-completion\
"""


class _Shown:
    """A help page: sections of names and what they mean, closed by examples."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        return super().parse_args(ctx, self._heard(ctx, list(args)))  # type: ignore[misc]

    def _heard(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the language and the group of a help page out of the words that were typed."""
        typed = args[: args.index("--")] if "--" in args else args
        asked = next((i for i, word in enumerate(typed) if word in ("--help", "-h")), None)
        # (the words of a command below it are for that command)
        if asked is None or (hasattr(self, "commands") and not typed[0].startswith("-")):
            return args
        following = typed[asked + 1 : asked + 2]
        ctx.meta[_ASKED] = "".join(word for word in following if not word.startswith("-"))
        speak(_language(typed))
        return ["--help"]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(writable("\n".join([*self._page(ctx), ""]), sys.stdout))

    def _page(self, ctx: Any) -> Iterator[str]:
        words = _words(ctx)
        params = self.get_params(ctx)  # type: ignore[attr-defined]
        arguments = [p for p in params if p.param_type_name == "argument"]
        options = [
            p for p in params if p.param_type_name == "option" and not getattr(p, "hidden", False)
        ]
        yield from _usage(words, arguments, group=hasattr(self, "commands"))
        yield ""
        for paragraph in _paragraphs(self):
            yield from wrap(spoken(paragraph), _width())
        if arguments:
            yield ""
            yield from _rows([(p.metavar, self.told(p)) for p in arguments])
        yield from self._sections(ctx, options)
        if lines := EXAMPLES.get(" ".join(words[1:])):
            yield from ("", _bold(spoken("Examples")), *(f"  {line}" for line in lines))

    def _sections(self, ctx: Any, options: Sequence[Any]) -> Iterator[str]:
        yield from self._section(spoken("Options"), options)

    def _section(self, title: str, options: Sequence[Any]) -> Iterator[str]:
        yield from ("", _bold(title))
        yield from _rows([(_named(p), self.told(p)) for p in options])

    def told(self, param: Any) -> str:
        """Return what a parameter means, and its default."""
        text, default = spoken(param.help or ""), param.default
        plain = isinstance(default, (str, int, float)) and not isinstance(default, bool)
        if not plain or default == "" or not param.show_default:
            return text
        return f"{text} {headed(spoken('Default'), str(default))}."


class Helped(_Shown, TyperCommand):
    """A command whose options stand in groups, of which its help shows the most used ones first."""

    def get_params(self, ctx: Any) -> Any:
        # arguments keep their order
        return sorted(map(_explained, super().get_params(ctx)), key=_place)

    def _sections(self, ctx: Any, options: Sequence[Any]) -> Iterator[str]:
        panels = {p: list(own) for p, own in groupby(options, key=_panel)}
        groups = {GROUPS[panel]: own for panel, own in panels.items()}
        word = ctx.meta.get(_ASKED, "")
        if word in groups:
            yield from self._section(_title(word), groups[word])
        elif word == ALL or (not word and len(options) <= FIRST):
            for word, own in groups.items():
                yield from self._section(_title(word), own)
        elif not word:
            first: frozenset[str] = getattr(self.callback, "first", frozenset())
            most = [p for p in options if p.name in first or _is_help(p)]
            yield from self._section(spoken("What is used most"), most)
            yield from self._further(ctx, groups)
        elif (names := self.of_measure(word)) is not None:
            title = headed(spoken("What this measure takes"), word)
            yield from self._section(title, [p for p in options if p.name in names])
        else:
            command = " ".join(_words(ctx))
            raise UsageError(
                f"{command} --help has no group {word!r}; its groups are {', '.join(groups)} and {ALL}"
            )

    def _further(self, ctx: Any, groups: Iterable[str]) -> Iterator[str]:
        yield ""
        yield _bold(headed(spoken("All the options"), f"{' '.join(_words(ctx))} --help GROUP"))
        every = [(word, _title(word)) for word in groups]
        yield from _rows([*every, (ALL, spoken("every group"))], names=12)
        if self.of_measure("gamma") is not None:
            yield from wrap(
                spoken("The name of a measure shows what it takes: --help gamma."),
                _width(),
                initial_indent=" " * _INDENT,
                subsequent_indent=" " * _INDENT,
            )

    def of_measure(self, name: str) -> frozenset[str] | None:
        """Return the names of the options that a measure takes here, None where none can be named."""
        return None


class Grouped(_Shown, TyperGroup):
    """A group of commands, listed by their themes."""

    def get_params(self, ctx: Any) -> Any:
        params = [_explained(param) for param in super().get_params(ctx)]
        for param in filter(_is_help, params):
            param.help, param.metavar = "Show this page.", ""
        return params

    def _sections(self, ctx: Any, options: Sequence[Any]) -> Iterator[str]:
        yield from super()._sections(ctx, options)
        themes: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command = self.commands[name]
            summary = spoken(next(_paragraphs(command)))
            themes.setdefault(_panel(command) or "Commands", []).append((name, summary))
        for theme, rows in themes.items():
            yield from ("", _bold(spoken(theme)))
            yield from _rows(rows)


def explain_group(group: typer.Typer) -> None:
    """Give the commands of a group help pages of the same kind."""
    for info in group.registered_commands:
        info.cls = getattr(info.callback, "command_class", Helped)


def _language(typed: Sequence[str]) -> str:
    """The language that was asked for beside the help page."""
    for word, following in zip(typed, [*typed[1:], ""], strict=True):
        name, _, value = word.partition("=")
        if name == "--lang":
            return value or following
    return "en"


def _words(ctx: Any) -> list[str]:
    """The command as it is typed."""
    words = [] if ctx.parent is None else _words(ctx.parent)
    return [*words, ctx.info_name if words else "accord"]


def _usage(words: Sequence[str], arguments: Sequence[Any], *, group: bool) -> list[str]:
    several = [f"{p.metavar}{'...' if p.nargs != 1 else ''}" for p in arguments]
    places = [one if p.required else f"[{one}]" for one, p in zip(several, arguments, strict=True)]
    rest = ["COMMAND", "[OPTIONS]"] if group else ["[OPTIONS]"]
    return wrap(headed(spoken("Usage"), " ".join([*words, *places, *rest])), _width())


def _rows(rows: Sequence[tuple[str, str]], names: int = _NAMES) -> Iterator[str]:
    """Names and what they mean, side by side; a long name has a line of its own."""
    before = min(names, max((len(name) for name, _ in rows), default=0)) + 2 * _INDENT
    for name, text in rows:
        first, *more = wrap(text, _width() - before, break_on_hyphens=False) or [""]
        if len(name) + 2 * _INDENT > before:
            yield f"{'':{_INDENT}}{name}"
            more, name, first = [first, *more], "", ""
        if name:
            yield f"{'':{_INDENT}}{name:<{before - _INDENT}}{first}".rstrip()
        yield from (f"{'':{before}}{line}" for line in more)


def _named(param: Any) -> str:
    """How an option is typed, the short spelling first, with what it takes."""
    both = sorted(param.opts, key=len)
    no = "".join(f"/{other}" for other in param.secondary_opts)
    return f"{', '.join(both)}{no} {param.metavar or ''}".rstrip()


def _title(word: str) -> str:
    return spoken(_TITLES[word] or "Options of this command")


def _bold(text: str) -> str:
    return typer.style(text, bold=True)


def _width() -> int:
    return get_terminal_size((80, 24)).columns


def _is_help(param: Any) -> bool:
    # (click calls its --help otherwise from 8.5 on)
    return param.name in ("help", "_click_default_help")


def _explained(param: Any) -> Any:
    """A parameter with the word for what it takes, where it has none."""
    if _is_help(param):
        param.help = "Show what is used most, one group of options, or all."
        param.metavar = "[GROUP]"
    if _is_help(param) or param.name == "quiet":
        param.rich_help_panel = OUTPUT
    if getattr(param, "metavar", None) is None:
        takes = next((word for part, word in _TAKES if part in _kind(param)), "WORD")
        named = param.name.upper() if param.param_type_name == "argument" else takes
        param.metavar = "" if getattr(param, "is_flag", False) else named
    return param


def _kind(param: Any) -> str:
    """The type of a parameter as its version of typer calls it: "path", "<list[Path]>", …"""
    known = getattr(param, "type", None)
    if known is not None:
        return str(known.name).lower()
    shown = getattr(param, "bare_type", "")
    return str(shown() if callable(shown) else shown).lower()


def _panel(shown: Any) -> str:
    """The panel of an option or of a command."""
    panel = getattr(shown, "rich_help_panel", None)
    return panel if isinstance(panel, str) else ""


def _paragraphs(command: Any) -> Iterator[str]:
    """What a command does, on one line a paragraph."""
    yield from (" ".join(text.split()) for text in (command.help or "").split("\n\n"))


def _place(param: Any) -> int:
    return -1 if param.param_type_name == "argument" else _PLACE[_panel(param)]
