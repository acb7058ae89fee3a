"""The options of the measures as options of a command, made from their records.

A command learns them when it is used, not when `accord --help` lists it: the records come with
numpy and the measures, which a help page must not wait for.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from accord.cli.help import CONTEXT, SEVERAL_SHAPES, Helped, of_shape
from accord.cli.parameters import in_words, parameter, seen_as
from accord.errors import UsageError
from accord.language import spoken

if TYPE_CHECKING:
    from accord.options import Option
    from accord.registry import Measure, Question

#: an option and the shapes of annotation whose measures have it
Uses = Mapping[str, Sequence[tuple[str, "Option"]]]


def takes(
    uses: Callable[[], Uses], hidden: Callable[[], Uses] = dict
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options that `uses` returns; it receives what was typed by keyword.

    Those of `hidden` are accepted but not listed by --help.
    """

    def mark(command: Callable[..., None]) -> Callable[..., None]:
        class WithOptions(Helped):
            listed: Uses | None = None

            def get_params(self, ctx: Any) -> Any:
                if self.listed is None:
                    self.listed = uses()
                    whole = _completed(command, self.listed, hidden())
                    self.params, self.callback = whole.params, whole.callback
                return super().get_params(ctx)

            def told(self, param: Any) -> str:
                of_measures = (self.listed or {}).get(param.name)
                return super().told(param) if of_measures is None else _help(of_measures)

            def of_measure(self, name: str) -> frozenset[str] | None:
                from accord.registry import find_each

                try:
                    records = find_each(name)
                except UsageError:
                    return None
                return frozenset(option.name for m in records for option in m.options)

        command.command_class = WithOptions  # type: ignore[attr-defined]
        return command

    return mark


def of_measures(question: Question) -> Callable[[], Uses]:
    """Every option of every measure that answers the question."""

    def uses() -> Uses:
        from accord.measures import enrolled

        if question == "score":
            import accord.evaluation  # noqa: F401 enrols what lives beside the measures

        return collected(enrolled(question=question))

    return uses


def collected(records: Iterable[Measure]) -> Uses:
    """Option name → the distinct records of it, with the shape each belongs to."""
    found: dict[str, dict[tuple[str, str], Option]] = {}
    for record in records:
        for option in record.options:
            if not option.python_only:
                of_name = found.setdefault(option.name, {})
                of_name.setdefault((record.shape, option.help), option)
    return {
        name: [(shape, option) for (shape, _), option in several.items()]
        for name, several in found.items()
    }


def given(typed: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were typed."""
    return {name: value for name, value in typed.items() if value is not None}


def refuse_foreign(options: Mapping[str, Any], records: Sequence[Measure]) -> None:
    """An option that no measure asked for takes is an error."""
    for name in options:
        if not any(record.takes(name) for record in records):
            shown = ", ".join(r.name for r in records[:5])
            raise UsageError(f"`{name}` is not an option of {shown}")


def _completed(command: Callable[..., None], listed: Uses, hidden: Uses) -> Any:
    """What typer makes of the command with these options added to its signature."""
    own = inspect.signature(command).parameters
    parameters = [
        *own.values(),
        *(_parameter(u, hidden=False) for n, u in listed.items() if n not in own),
        *(
            _parameter(u, hidden=True)
            for n, u in hidden.items()
            if n not in own and n not in listed
        ),
    ]

    def run(**given: Any) -> None:
        command(**given)

    app = typer.Typer(add_completion=False, context_settings=CONTEXT)
    first = frozenset(name for name, u in listed.items() if any(o.first for _, o in u))
    app.command()(seen_as(run, command, parameters, command.first | first))  # type: ignore[attr-defined]
    return typer.main.get_command(app)


def _parameter(uses: Sequence[tuple[str, Option]], *, hidden: bool) -> inspect.Parameter:
    first = uses[0][1]
    both = first.type is bool and any(option.default for _, option in uses)
    shapes = list(dict.fromkeys(shape for shape, _ in uses))
    whole = first.but(
        default=None,
        help=_help(uses),
        typed=f"{first.flag}/--no-{first.flag[2:]}" if both else "",
        choices=tuple(dict.fromkeys(word for _, option in uses for word in option.choices)),
        panel=of_shape(shapes[0]) if len(shapes) == 1 else SEVERAL_SHAPES,
    )
    metavar = None if first.type is bool else _metavar(first)
    return parameter(whole.but(hidden=hidden, metavar=metavar), show_default=False)


def _metavar(option: Option) -> str:
    names = {int: "N", float: "X", tuple: "A,B"}
    if option.file:
        return "WORD|FILE" if option.choices else "FILE"
    return names.get(option.type, "WORD")


def _help(uses: Sequence[tuple[str, Option]]) -> str:
    """One text where the shapes agree, else what the option means for each."""
    texts: dict[str, list[str]] = {}
    for shape, option in uses:
        texts.setdefault(in_words(option), []).append(spoken(shape))
    if len(texts) == 1:
        return next(iter(texts))
    return " ".join(f"({', '.join(dict.fromkeys(s))}) {text}" for text, s in texts.items())


def command_class(attached: Callable[..., Any]) -> type[TyperCommand]:
    """The class of click command that a function was marked with."""
    found: type[TyperCommand] = getattr(attached, "command_class", Helped)
    return found
