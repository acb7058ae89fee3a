"""What ``--help`` shows: options in panels by theme, what each takes, two examples per command."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from accord.cli.keywords import INTERVAL, OUTPUT, WHICH
from accord.options.reading import PEOPLE_PANEL, READING_PANEL

#: both spellings, everywhere
CONTEXT = {"help_option_names": ["-h", "--help"]}

DECISIONS = "Human decisions"
METHODS = "What single methods take"
ADDRESS = "Address and accounts"
#: panels of this order come first; those of the measures' own options follow
_ORDER = ("", WHICH, DECISIONS, ADDRESS, METHODS, INTERVAL, OUTPUT, PEOPLE_PANEL, READING_PANEL)

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
accord simulate grid --delta 2 --chance shuffle --campaigns 2 --steps 2
accord simulate damage --degradation shift --level 1.2 -o shifted.csv
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
    """A help page that closes with its examples: one a line, in every version of typer."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, formatter)  # type: ignore[misc]
        words: list[str] = []
        while ctx.parent is not None:
            words.insert(0, ctx.info_name)
            ctx = ctx.parent
        if lines := EXAMPLES.get(" ".join(words)):
            from rich.console import Console

            shown = "\n   ".join(["\n [dim]Examples[/dim]", *lines])
            Console(highlight=False, soft_wrap=True).print(shown)


class Helped(_Shown, TyperCommand):
    """A command whose options stand in panels, each with what it takes."""

    def get_params(self, ctx: Any) -> Any:
        # arguments keep their order; a panel is printed where its first option stands
        return sorted(map(_explained, super().get_params(ctx)), key=_place)


class Grouped(_Shown, TyperGroup):
    """A group of commands whose own options are explained in the same way."""

    def get_params(self, ctx: Any) -> Any:
        return [_explained(param) for param in super().get_params(ctx)]


def explain_group(group: typer.Typer) -> None:
    """The same for the commands of a group."""
    for info in group.registered_commands:
        info.cls = getattr(info.callback, "command_class", Helped)


def _explained(param: Any) -> Any:
    """A parameter with the word for what it takes, where it has none."""
    # (click calls its --help otherwise from 8.5 on)
    if param.name in ("help", "_click_default_help", "quiet"):
        param.rich_help_panel = OUTPUT
    if param.param_type_name == "argument":
        # newer versions of typer show the type of an argument beside its name, before 0.29 so
        param.display_type_rich = lambda ctx: None
        if getattr(param, "type", None) is not None:
            param.type.get_metavar = lambda param, ctx=None: ""
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


def _place(param: Any) -> int:
    if param.param_type_name == "argument":
        return -1
    panel = getattr(param, "rich_help_panel", None) or ""
    return _ORDER.index(panel) if panel in _ORDER else len(_ORDER)
