"""What needs a human, most useful first, as a table to fill in and read back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.data import Annotations
from accord.data.context import passage
from accord.data.progress import counted
from accord.data.ratings import label_of
from accord.errors import UsageError

if TYPE_CHECKING:
    from accord.gold.decisions.ledger import Ledger
    from accord.gold.item_reference import ItemReference

#: columns a person fills in
BLANK = ("decision", "who", "when", "why")
#: characters of text on each side of an element
_AROUND = 60


def worklist(
    reference: ItemReference,
    *,
    confidence: float = 0.75,
    blind: bool = False,
    most: int | None = None,
    texts: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Items that no person decided and that tie, rest on a weak majority, or are not sure enough.

    Ordered by expected gain: the probability that the value now held is wrong, 1 - confidence, times
    the weight of the item. `blind` hides what the annotators said and what the rule would choose, so
    that the person judges afresh. `texts` gives the text of each item to judge by. An item whose
    annotations changed since it was decided is there again; `replaces` names its decision.
    """
    data = reference.data
    overturned = set(reference.overturned.tolist())
    weights = data.weights
    numeric = reference.error is not None
    rows: list[tuple[float, int, dict[str, Any]]] = []
    ratings = data.per_item
    for i, item in enumerate(counted(data.items)):
        name = label_of(item)
        again = name in reference.changed
        if reference.source[i] > 0 and not again:
            continue
        sure = float(reference.confidence[i])
        reasons = ["changed since it was decided"] if again else []
        if ratings[i] == 0:
            reasons.append("no rating")
        elif reference.tied[i]:
            reasons.append("tie")
        elif not numeric and reference.strength[i] < 0.5:
            reasons.append("weak majority")
        if i in overturned:
            reasons.append("contradicts unanimous independent annotators")
        if sure < confidence:
            reasons.append("low confidence")
        if reference.code[i] < 0 and not reasons:
            reasons.append("no value by the rule")
        if not reasons:
            continue
        gain = (1 - sure) * (1.0 if weights is None else float(weights[i]))
        row: dict[str, Any] = {"item": name, "reason": "; ".join(reasons)}
        row["gain"] = round(gain, 6)
        row["text"] = (texts or {}).get(name, "")
        if not blind:
            row["proposed"] = reference.written(i)
            row["confidence"] = round(sure, 6)
            row["votes"] = _votes(reference, i)
        blank = {
            **dict.fromkeys(BLANK, ""),
            "replaces": reference.decisions.get(name, {}).get("id", ""),
        }
        rows.append((gain, i, row | blank))
    # a contradiction of unanimous people comes first whatever the model's confidence
    rows.sort(key=lambda r: (r[1] not in overturned, -r[0], str(r[2]["item"])))
    return [row for _, _, row in rows[:most]]


def quoted(data: Annotations, place: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """The passage that an element stands in, the element in brackets; empty without a text.

    >>> from accord.data import Units
    >>> text = "Nobody plants an oak for himself, as everybody knows who has ever seen it grow, or fall."
    >>> u = Units.from_rows([("d", "A", 17, 20, "tree")], texts={"d": text})
    >>> quoted(u, {"document": "d", "start": 17, "end": 20}, {})
    'Nobody plants an [oak] for himself, as everybody knows who has ever seen it grow, …'
    """
    found = passage(data, place, texts, around=_AROUND + 1)
    if found is None:
        return ""
    before, inside, after = found
    # whole words only: what is cut ends where a word does
    if len(before) > _AROUND:
        before = f"… {before.partition(' ')[2]}" if " " in before else f"…{before}"
    if len(after) > _AROUND:
        after = f"{after.rpartition(' ')[0]} …" if " " in after.strip() else f"{after}…"
    # (the two ends of a relation have brackets of their own)
    marked = inside if place.get("ends") else f"[{inside}]"
    return " ".join(f"{before}{marked}{after}".split())


def refuse_filled(path: Path, ledger: Ledger) -> None:
    """A worklist that somebody filled in is never overwritten before its decisions are stored."""
    from accord.errors import InputError
    from accord.gold.decisions.exchange import read_decisions

    if not path.is_file():
        return  # nothing, or a device that keeps nothing
    try:
        filled = read_decisions(path, who="unknown")
    except InputError:
        raise UsageError(
            f"{path} exists and is no worklist; name another file for the worklist"
        ) from None
    lost = [d for d in filled if not any(d.says == e.says for e in ledger.standing(d.item).history)]
    if lost:
        raise UsageError(
            f"{path} holds {len(lost)} decisions that are not stored yet; take them in with "
            f"`adjudicate={path}`, or name another file for the worklist"
        )


def _votes(reference: ItemReference, i: int) -> str:
    """Who said what, most said first: 'yes: A, B; no: C'."""
    data = reference.data
    said: dict[str, list[str]] = {}
    for j in range(int(data.indptr[i]), int(data.indptr[i + 1])):
        said.setdefault(label_of(data.values[data.code[j]]), []).append(
            data.annotators[data.annotator[j]]
        )
    ordered = sorted(said.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return "; ".join(f"{value}: {', '.join(who)}" for value, who in ordered)
