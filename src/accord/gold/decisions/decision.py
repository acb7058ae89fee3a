"""What a decision is: who says what about which item, when, why, and instead of what."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from json.encoder import encode_basestring as _quoted
from typing import Any, Literal, Self, get_args

from accord.data.label_sets import EMPTY
from accord.errors import InputError

Kind = Literal["label", "reject", "none", "withdraw"]
KINDS: tuple[Kind, ...] = get_args(Kind)

#: a label, a number, several labels, or a unit {"start", "end", "label"}
Value = str | float | int | Sequence[str] | Mapping[str, str | float | int | None] | None

#: what people write in the decision column of a table when no label is meant
WORDS: Mapping[str, Kind] = {"(reject)": "reject", "(none)": "none", "(withdraw)": "withdraw"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision; the next on the same item may take its place, and this one stays readable.

    `kind` is *label* (the value holds), *reject* (the item does not belong in the reference), *none*
    (looked at, and nothing there) or *withdraw* (what `replaces` names no longer holds, and nothing
    takes its place). `replaces` is the decision that its author saw in force. `digest` stands for
    the annotations it was made on, `place` for where the item was then.
    """

    item: str
    kind: Kind
    value: Value = None
    who: str
    when: str = ""
    why: str = ""
    replaces: str | None = None
    digest: str | None = None
    place: Mapping[str, Any] | None = None
    #: decisions made in one step share it
    batch: str | None = None
    #: made by a second person who did not see the first one's
    independent: bool = False
    id: str = ""

    @property
    def says(self) -> tuple[str, str]:
        """What it says, comparable: two decisions that say the same do not contradict each other."""
        return self.kind, canonical(self.value) if self.kind == "label" else ""

    def stamped(self) -> Self:
        """With an identity and a moment, where it has none yet."""
        return replace(
            self,
            id=self.id or secrets.token_hex(8),
            when=self.when or datetime.now(UTC).isoformat(timespec="milliseconds"),
        )

    def to_dict(self) -> dict[str, object]:
        """As plain data, without what is empty by nature."""
        record = {f.name: getattr(self, f.name) for f in fields(self)}
        for name in ("place", "batch"):
            if record[name] is None:
                del record[name]
        if not record["independent"]:
            del record["independent"]
        return {"id": record.pop("id"), **record}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Read a record, old logs' too; says what is wrong with it."""
        item, who, kind = record.get("item"), record.get("who"), record.get("kind", "label")
        if not isinstance(item, str) or not item:
            raise InputError("a decision names no item")
        if kind not in KINDS:
            raise InputError(
                f"the decision on {item!r} has the kind {kind!r}; it must be {', '.join(KINDS)}"
            )
        if not isinstance(who, str) or not who.strip():
            raise InputError(f"the decision on {item!r} does not say who made it")
        value = record.get("value")
        if kind == "label" and (value is None or value == ""):
            raise InputError(f"the decision on {item!r} is a label without a value")
        place = record.get("place")
        return cls(
            item=item,
            kind=kind,
            value=value if kind == "label" else None,
            who=who.strip(),
            when=str(record.get("when") or ""),
            why=str(record.get("why") or ""),
            replaces=_text(record.get("replaces")),
            digest=_text(record.get("digest")),
            place=place if isinstance(place, Mapping) else None,
            batch=_text(record.get("batch")),
            independent=bool(record.get("independent")),
            id=str(record.get("id") or ""),
        )


def canonical(value: Value) -> str:
    """A value as one text: equal values give equal texts, 2 and 2.0 and "2" among them.

    >>> canonical({"end": 4.0, "start": 1, "label": "x"}) == canonical({"start": 1.0, "end": 4, "label": "x"})
    True
    >>> canonical(2.0) == canonical("2")
    True
    """
    if isinstance(value, Mapping):
        # as JSON writes it, without an encoder made for each of very many units
        held = (f"{_quoted(k)}: {_quoted(_plain(v))}" for k, v in sorted(value.items()))
        return "{" + ", ".join(held) + "}"
    if isinstance(value, (list, tuple, set, frozenset)):
        return "|".join(sorted(map(str, value))) or EMPTY
    return _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(float(value))
    return "" if value is None else str(value)


def number(value: float) -> str:
    """A position in full precision, whole numbers without a point.

    >>> number(2000010.0), number(0.1), number(2.5e20)
    ('2000010', '0.1', '2.5e+20')
    """
    whole = float(value).is_integer() and abs(value) < 1e15
    return str(int(value)) if whole else repr(float(value))


def _text(value: Any) -> str | None:
    return None if value is None or value == "" else str(value)
