"""Options as parameters of a command, and as the words that would be typed again."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from accord.cli.completion import offered
from accord.options import Option


def parameter(option: Option, **how: Any) -> inspect.Parameter:
    """The option as a parameter from which typer makes one; `how` goes to typer."""
    several = option.repeatable or option.type is Mapping
    kind: Any = option.type if option.type in (bool, int, float, Path) else str
    default = untyped(option)
    return inspect.Parameter(
        option.word,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[
            _or_none(list[str] if several else kind, default),
            typer.Option(
                *option.flags,
                help=option.help,
                autocompletion=_completed(option.choices),
                rich_help_panel=option.panel or None,
                **how,
            ),
        ],
    )


def untyped(option: Option) -> Any:
    """What a command receives where the option is not typed."""
    return None if option.type in (tuple, Mapping) else option.default


def _or_none(kind: Any, default: Any) -> Any:
    return kind | None if default is None else kind


def _completed(words: tuple[str, ...]) -> Callable[[str], list[str]] | None:
    return (lambda incomplete: offered(words, incomplete)) if words else None


def with_options(
    command: Callable[..., None],
    options: Iterable[Option],
    run: Callable[[dict[str, Any], dict[str, Any]], None],
) -> Callable[..., None]:
    """A command with these options beside its own; `run` gets what was typed of both.

    An option of the same name that the command has of its own means what the command says.
    """
    own = {
        p.name: p
        for p in inspect.signature(command).parameters.values()
        if p.name != "how" and p.kind is not p.VAR_KEYWORD
    }
    hints = get_type_hints(command, include_extras=True)
    shared = [parameter(o) for o in options if o.word not in own]
    parameters = [
        *(p.replace(annotation=hints[p.name], kind=p.KEYWORD_ONLY) for p in own.values()),
        *shared,
    ]

    def whole(**given: Any) -> None:
        run({p.name: given.pop(p.name) for p in shared}, given)

    return seen_as(whole, command, parameters)


def seen_as(
    function: Callable[..., None],
    command: Callable[..., None],
    parameters: list[inspect.Parameter],
) -> Callable[..., None]:
    """The function under the name of a command; typer reads its options from the signature."""
    function.__name__, function.__doc__ = command.__name__, command.__doc__
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {p.name: p.annotation for p in parameters}
    return function


def typed_again(options: Iterable[Option], typed: Mapping[str, Any]) -> tuple[str, ...]:
    """The options that differ from their defaults, as they are typed."""
    words: list[str] = []
    for option in options:
        value = typed.get(option.word)
        if value == untyped(option) or value in (None, []):
            continue
        if isinstance(value, bool):
            words.append(option.flags[0].split("/")[0 if value else 1])
            continue
        for one in value if isinstance(value, list) else [value]:
            words += [option.flag, shlex.quote(str(one))]
    return tuple(words)
