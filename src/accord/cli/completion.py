"""What the shell offers after an option: the words that it takes.

Options that are declared offer their choices by themselves; these are the others. A test looks for
every word in the help of its option.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

#: options whose words are names of formats
_FORMATS = ("format", "to")
#: option → its words
_WORDS = {
    "ci": "auto dirichlet bootstrap jackknife analytic krippendorff none",
    "unit": "item document annotator",
    "question": "agree score",
}
#: (command, option) → its words, where they are the command's own
_WORDS_OF = {
    ("agree", "by"): "pair annotator document category item time confusion coincidence repeats label "
    "mention unmatched errors",
    ("score", "by"): "document category item confusion majority difficulty unanimous bin errors entity "
    "size type upos error error-type error-size error-document correction label",
    ("agree", "fail_on"): "value low",
    ("score", "fail_on"): "value low",
    ("audit", "fail_on"): "note caution serious",
    ("gold", "method"): "majority unanimity weighted dawid-skene one-coin glad mace ebcc minimax-entropy "
    "mean median bias-noise consensus bsc hmm-crowd token-dawid-skene",
    ("gold", "ties"): "error abstain first random",
    ("judge", "method"): "auto post-stratified ppi++ ppi rogan-gladen human",
    ("judge", "sampling"): "random by-judge by-class weights",
}  # fmt: skip


def words_after(command: str, option: str) -> list[str]:
    """The words that an option of a command takes; none where it takes any."""
    if option in _FORMATS:
        from accord.formats import listed

        return sorted(f.name for f in listed() if option == "format" or f.writes)
    return (_WORDS_OF.get((command, option)) or _WORDS.get(option, "")).split()


def offered(words: Iterable[str], typed: str) -> list[str]:
    """Those that go on with what was typed, in a list that commas separate with its last one.

    >>> offered(["pair", "item", "annotator"], "pair,a"), offered(["en", "fr"], "f")
    (['pair,annotator'], ['fr'])
    """
    before, comma, last = typed.rpartition(",")
    return [f"{before}{comma}{word}" for word in words if word.startswith(last)]


def complete(param: Any, command: str) -> None:
    """Let the shell offer the words of an option that offers none by itself."""
    name = param.name
    known = name in _FORMATS or name in _WORDS or (command, name) in _WORDS_OF
    if known and getattr(param, "_custom_shell_complete", None) is None:
        param._custom_shell_complete = lambda ctx, param, typed: offered(
            words_after(command, name), typed
        )
