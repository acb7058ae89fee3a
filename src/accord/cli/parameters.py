"""Options as parameters of a command, and as the words that would be typed again."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from accord.language import headed, spoken
from accord.options import Option, declared
from accord.options.option import declares


def parameter(option: Option, **how: Any) -> inspect.Parameter:
    """The option as a parameter from which typer makes one; `how` goes to typer."""
    several = option.repeatable or option.type is Mapping
    kind: Any = option.type if option.type in (bool, int, float, Path) else str
    default = untyped(option)
    if several:
        kind = list[kind]
    made: Any = typer.Argument if option.argument else typer.Option
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[
            kind | None if default is None else kind,
            made(
                *([] if option.argument else option.flags),
                help=option.help,
                autocompletion=_completed(option),
                rich_help_panel=option.panel or None,
                hidden=option.hidden,
                **{"metavar": option.metavar} | how,
            ),
        ],
    )


def in_words(option: Option) -> str:
    """Return what an option does; its choices are words to be typed, in any language."""
    parts = [spoken(option.help)]
    if option.choices:
        file = f", {spoken('or a file')}" if option.file else ""
        parts.append(f"{spoken('One of')} {', '.join(option.choices)}{file}.")
    if option.default_shown is not None:
        parts.append(headed(spoken("Default"), f"{option.default_shown}."))
    return " ".join(parts)


def untyped(option: Option) -> Any:
    """What a command receives where the option is not typed."""
    return None if option.type in (tuple, Mapping) else option.default


def _completed(option: Option) -> Callable[[str], Sequence[Any]] | None:
    if callable(option.words):
        return option.words
    words = option.choices or option.words.split()
    return (lambda incomplete: offered(words, incomplete)) if words else None


def offered(words: Iterable[str], typed: str) -> list[str]:
    """Those that go on with what was typed, in a list that commas separate with its last one.

    >>> offered(["pair", "item", "annotator"], "pair,a"), offered(["en", "fr"], "f")
    (['pair,annotator'], ['fr'])
    """
    before, comma, last = typed.rpartition(",")
    return [f"{before}{comma}{word}" for word in words if word.startswith(last)]


def with_options(
    command: Callable[..., None],
    shared: Iterable[Option],
    run: Callable[[dict[str, Any], dict[str, Any]], None],
    check: Callable[[Mapping[str, Any]], None],
) -> Callable[..., None]:
    """A command with these options beside those it declares; `run` gets what was typed of both.

    Before, `check` gets all of it together.

    An option of the same name that the command has of its own means what the command says.
    """
    own = declared(command)
    names = {option.name for option in own}
    beside = [option for option in shared if option.name not in names]
    # dataclasses of options that belong together are filled here
    gathered = {name: kind for name, kind in get_type_hints(command).items() if declares(kind)}

    def whole(**every: Any) -> None:
        given = dict(every)
        typed = {option.name: given.pop(option.name) for option in beside}
        for name, kind in gathered.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        check(every)
        run(typed, given)

    every = (*own, *beside)
    first = frozenset(option.name for option in every if option.first)
    return seen_as(whole, command, [parameter(option) for option in every], first)


def seen_as(
    function: Callable[..., None],
    command: Callable[..., None],
    parameters: list[inspect.Parameter],
    first: frozenset[str],
) -> Callable[..., None]:
    """The function under the name of a command; typer reads its options from the signature.

    The options named `first` stand on the first page of its help.
    """
    function.first = first  # type: ignore[attr-defined]
    function.__name__, function.__doc__ = command.__name__, command.__doc__
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {p.name: p.annotation for p in parameters}
    return function


def typed_again(options: Iterable[Option], typed: Mapping[str, Any]) -> tuple[str, ...]:
    """The options that differ from their defaults, as they are typed."""
    words: list[str] = []
    for option in options:
        value = typed.get(option.name)
        if value == untyped(option) or value in (None, []):
            continue
        if isinstance(value, bool):
            words.append(option.flags[0].split("/")[0 if value else 1])
            continue
        for one in value if isinstance(value, list) else [value]:
            words += [option.flag, shlex.quote(str(one))]
    return tuple(words)
