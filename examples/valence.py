"""From text to ranking: the protocol of Antoine, Le Tallec & Villaneau (2011) on a small tale.

Sixty sentences written for this example, each with a central valence from -2 to +2 and a spread;
31 judges drawn around them (they are simulated, and say so); two systems that read the text alone:
a bag of words, and a compositional variant with negation, intensifiers and predicates that turn the
value of what follows. ``python examples/valence.py`` prints the whole comparison.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from accord.data import Ratings
from accord.evaluation import Ranking, rank

CLASSES = (-2, -1, 0, 1, 2)
#: three classes from five: valence without intensity


@dataclass(frozen=True, slots=True)
class Word:
    """An entry of the lexicon: a word with a value, a negation, an intensifier or a predicate."""

    kind: str
    value: float


def tale() -> tuple[tuple[str, ...], tuple[str, ...], np.ndarray, np.ndarray]:
    """Names, texts, central valences and spreads of the sentences."""
    rows = _table("tale.csv")
    return (
        tuple(r["sentence"] for r in rows),
        tuple(r["text"] for r in rows),
        np.array([float(r["valence"]) for r in rows]),
        np.array([float(r["spread"]) for r in rows]),
    )


def lexicon() -> dict[str, Word]:
    """The words that the two systems know."""
    return {r["word"]: Word(r["kind"], float(r["value"])) for r in _table("lexicon.csv")}


def judges(number: int = 31, seed: int = 2011) -> Ratings:
    """Simulated judges: each has a leaning and a noise of their own around the central valence."""
    names, _, valence, spread = tale()
    rng = np.random.default_rng(seed)
    leaning = rng.normal(0, 0.25, number)
    noise = rng.uniform(0.6, 1.3, number)
    opinion = (
        valence + leaning[:, None] + noise[:, None] * spread * rng.normal(size=(number, len(names)))
    )
    return Ratings.from_matrix(
        np.clip(np.round(opinion), -2, 2),
        annotators=[f"J{j + 1:02d}" for j in range(number)],
        items=names,
    )


def bag_of_words(text: str, words: Mapping[str, Word]) -> int:
    """The sum of the values of the words, cut to the scale.

    >>> bag_of_words("The little fox was not afraid", lexicon())
    -2
    """
    return _cut(
        sum(words[w].value for w in _tokens(text) if w in words and words[w].kind == "word")
    )


def compositional(text: str, words: Mapping[str, Word], scope: int = 3) -> int:
    """As the bag of words, but operators act on the valued words of the `scope` that follow them.

    A negation turns a value halfway to the other side (what is not good is a little bad), an
    intensifier multiplies it, a predicate such as "lost" or "stopped" turns it wholly. Without an
    argument a predicate has the value of its own sign.

    >>> compositional("The little fox was not afraid", lexicon())
    1
    >>> compositional("The old fox stopped the fight", lexicon())
    1
    """
    tokens = _tokens(text)
    total = 0.0
    for i, token in enumerate(tokens):
        word = words.get(token)
        if word is None:
            continue
        if word.kind == "word":
            value = word.value
            for j in range(i - 1, max(-1, i - 1 - scope), -1):
                before = words.get(tokens[j])
                if before is None:
                    continue
                if before.kind == "word":
                    break
                if before.kind == "intensifier" and j == i - 1:
                    value *= before.value
                elif before.kind == "negation":
                    value *= -0.5
                elif before.kind == "predicate":
                    value *= before.value
            total += value
        elif word.kind == "predicate" and not any(
            t in words and words[t].kind == "word" for t in tokens[i + 1 : i + 1 + scope]
        ):
            total += word.value
    return _cut(total)


def systems() -> dict[str, Ratings]:
    """The answers of the two systems on the tale."""
    names, texts, _, _ = tale()
    words = lexicon()
    answers: dict[str, Sequence[int]] = {
        "bag-of-words": [bag_of_words(t, words) for t in texts],
        "compositional": [compositional(t, words) for t in texts],
    }
    return {
        name: Ratings.from_matrix([[float(v) for v in row]], annotators=[name], items=names)
        for name, row in answers.items()
    }


def signs(data: Ratings) -> Ratings:
    """Whether the valence is negative, null or positive: three classes from five."""
    values, codes = np.unique(np.sign(data.numbers), return_inverse=True)
    return data.recoded(codes.astype(np.int32), values.tolist(), "numbers")


def protocol(*, classes: int = 5, paired: bool = True, resamples: int = 300) -> Ranking:
    """Rank the two systems among the judges, on five classes or on three."""
    people, machines = judges(), systems()
    if classes == 3:
        people, machines = signs(people), {name: signs(m) for name, m in machines.items()}
    return rank(people, machines, paired=paired, resamples=resamples)


def main() -> None:
    """Print both rankings."""
    from rich.console import Console

    console = Console()
    for classes in (3, 5):
        found = protocol(classes=classes)
        weak = found.terms["weak_majority"]
        console.print(
            f"\n[bold]{classes} classes[/bold]: 31 judges, 60 sentences; the majority is under half "
            f"the votes on {weak:.1%} of them"
        )
        for row in found.systems:
            console.print(
                f"  {row['system']:14} {row['measure']:22} {row['value']:7.3f}   rank {row['rank']:2} "
                f"of {row['of']} [{row['rank_low']}, {row['rank_high']}]",
                highlight=False,
            )


def _tokens(text: str) -> list[str]:
    return "".join(c if c.isalpha() else " " for c in text.lower()).split()


def _cut(value: float) -> int:
    """Halves go away from zero: a half-hearted word still says which side it is on."""
    return int(np.clip(np.sign(value) * np.floor(abs(value) + 0.5), -2, 2))


def _table(name: str) -> list[dict[str, str]]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


if __name__ == "__main__":
    main()
