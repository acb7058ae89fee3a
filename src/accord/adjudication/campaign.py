"""A campaign being settled: its cards, its store, and where each card stands."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal
from zlib import crc32

import numpy as np

from accord.adjudication import added
from accord.adjudication.deck import Deck, Mask, deck_of
from accord.adjudication.queue import STATUSES, Filter, Queue
from accord.data import Annotations, Ratings, Units
from accord.data.reading import Reading
from accord.errors import AccordError, InputError, UsageError
from accord.gold import gold
from accord.gold.decisions import ConflictError, Decision, Element, Ledger, Standing, Store, resolve
from accord.gold.decisions.check import Check
from accord.gold.decisions.decision import Kind, Value
from accord.gold.decisions.element import is_added
from accord.gold.decisions.store import Remark
from accord.gold.placed_reference import PlacedReference
from accord.gold.reference import Reference

#: cards of one answer
MOST = 1_000


class UnwrittenError(AccordError):
    """Something right that could not be written now: a full disk, a lock; it may be tried again."""


@contextmanager
def _writing() -> Iterator[None]:
    """What is wrong here is the disk: what is to be written was checked before."""
    try:
        yield
    except (InputError, OSError, sqlite3.Error) as problem:
        raise UnwrittenError(str(problem)) from problem


class Campaign:
    """Data and a store of decisions, put together.

    The proposals are those of the rule without decisions; :meth:`reference` is with them. `double` is
    the share of the cards that two people are asked, each without seeing the other's answer.
    """

    def __init__(
        self,
        data: Annotations,
        store: Store,
        *,
        method: str | None = None,
        texts: Mapping[str, str] | None = None,
        blind: bool = False,
        double: float = 0.0,
        new_labels: bool = False,
        seed: int = 0,
        guidelines: Mapping[str, str] | None = None,
        progress: Callable[[int, int], None] | None = None,
        **options: Any,
    ) -> None:
        if not 0 <= double <= 1:
            raise UsageError(f"the share of cards asked twice must be from 0 to 1, got {double}")
        self.data, self.store, self.method = data, store, method
        self.blind, self.options, self.seed = blind, {**options, "seed": seed}, seed
        self.guidelines = dict(guidelines or {})
        self.draft: Reference = gold(data, method, progress=progress, **self._settings())
        self.resolution = None
        names: Sequence[str] = ()
        self.elements: tuple[Element, ...] = ()
        if isinstance(self.draft, PlacedReference):
            self.elements = self.draft.elements
            self.resolution = resolve(self.elements, store.ledger)
            names = self.resolution.names
        self.deck: Deck = deck_of(self.draft, names, texts or {})
        self.queue_: Queue = Queue(self.deck)
        n = len(self.deck)
        self.decided, self.changed, self.conflict, self.flagged = (
            np.zeros(n, dtype=bool) for _ in range(4)
        )
        share = round(double * 2**32)
        self.double: Mask = np.fromiter(
            (crc32(f"{seed}:{name}".encode()) < share for name in self.deck.names), bool, n
        )
        #: for cards asked twice: who answered them
        self._answered: dict[int, set[str]] = {}
        self._check = Check(
            data=data, names=self.deck.names, element=self._element, new_labels=new_labels
        )
        self._read = 0
        #: what people added to the annotators' elements
        self.added: set[str] = set()
        self.catch_up()
        self.deck.prepare()
        self.queue_.order("gain")
        for name in store.flagged:
            if name in self.deck.place:
                self.flagged[self.deck.place[name]] = True

    def _settings(self) -> dict[str, Any]:
        """The options of the method: a consensus takes no seed."""
        if isinstance(self.data, Ratings):
            return self.options
        return {k: v for k, v in self.options.items() if k != "seed"}

    # --- reading -----------------------------------------------------------------------------

    def queue(
        self,
        *,
        order: str = "gain",
        status: str = "open",
        limit: int = 50,
        after: str | None = None,
        who: str | None = None,
        wanted: Filter | None = None,
    ) -> dict[str, Any]:
        """A page of cards and how many are left."""
        if status not in STATUSES:
            raise UsageError(f"the status must be one of {', '.join(STATUSES)}, got {status!r}")
        if not 1 <= limit <= MOST:
            raise UsageError(f"the limit must be from 1 to {MOST}, got {limit}")
        if after is not None and after not in self.deck.place and after not in self.added:
            raise InputError(f"there is no item {after!r}")
        mask = self._status(status, who)
        if wanted is not None and wanted != Filter():
            mask = mask & self.queue_.mask(wanted)
        # what people added stands after the annotators' own
        more = added.chosen(self.store, self.added, status, wanted or Filter())
        cards: list[dict[str, Any]] = []
        if after is None or after in self.deck.place:
            page = self.queue_.page(
                order, mask, limit=limit, after=None if after is None else self.deck.place[after]
            )
            cards = [self.card(int(i), who=who) for i in page]
            rest = more
        else:
            rest = [name for name in more if added.by_place(name) > added.by_place(after)]
        cards += [added.card(self, name) for name in rest[: limit - len(cards)]]
        return {
            "left": int(self.open_for(None).sum()),
            "matching": int(mask.sum()) + len(more),
            "items": cards,
        }

    def card(self, i: int, *, who: str | None = None) -> dict[str, Any]:
        """A card as the queue shows it."""
        element = self.deck.element(i)
        standing = self.standing(i)
        hidden = self.waits_for_second(i) and who not in self._answered.get(i, ())
        versions: list[dict[str, Any]] = [{"value": v.value} for v in element.versions]
        if self.blind:
            # no majority shows in the order of the versions either
            versions.sort(key=lambda v: (v["value"] is None, str(v["value"])))
        else:
            for shown, version in zip(versions, element.versions, strict=True):
                shown["annotators"] = list(version.annotators)
        decision = None if hidden else standing.in_force
        return {
            "id": self.deck.names[i],
            "shape": self.data.shape,
            "document": element.document,
            "place": dict(element.place),
            "proposal": self.deck.propose(i),
            "confidence": round(float(self.deck.confidence[i]), 6),
            "gain": round(float(self.deck.gain[i]), 6),
            "disputed": bool(self.deck.disputed[i]),
            "confusion": self.deck.confusion[i],
            "versions": versions,
            "decision": None if decision is None else decision.to_dict(),
            "rivals": [] if hidden else [r.to_dict() for r in standing.rivals],
            "status": self.status(i),
            "changed": bool(self.changed[i]),
            "flagged": bool(self.flagged[i]),
            "double": bool(self.double[i]),
        }

    def whole_card(self, name: str, *, who: str | None = None) -> dict[str, Any]:
        """A card with everything to judge by: its text, its history, what others said of it."""
        i = self.deck.place.get(name)
        if i is None:
            return added.card(self, name)
        card = self.card(i, who=who)
        if isinstance(self.data, Units) and not self.blind:
            # the alignments of a document are its cards, in the same order
            card["group"] = i - self.deck.members[self.deck.documents[i]][0]
        found = self.deck.passage(i)
        standing = self.standing(i)
        hidden = self.waits_for_second(i) and who not in self._answered.get(i, ())
        card["context"] = None if found is None else dict(zip(("before", "inside", "after"), found,
                                                              strict=True))  # fmt: skip
        card["history"] = [] if hidden else [d.to_dict() for d in standing.history]
        card["remarks"] = self.remarks(name)
        category = self.deck.category[i]
        card["guideline"] = self.guidelines.get(category)
        card["similar"] = {
            "form": self.deck.form[i],
            "confusion": self.deck.confusion[i],
            "same_form": self._others_alike(i, "form"),
            "same_confusion": self._others_alike(i, "confusion"),
        }
        return card

    def remarks(self, name: str) -> list[dict[str, Any]]:
        """What was said of an item that decides nothing."""
        return [
            {"id": r.id, "kind": r.kind, "text": r.text, "who": r.who, "when": r.when}
            for r in self.store.remarks
            if r.item == name
        ]

    def standing(self, i: int) -> Standing:
        return self.store.ledger.standing(self.deck.names[i])

    def decided_in(self, document: str) -> list[Decision]:
        """The decisions in force in a document, on its cards and on what was added."""
        here = [self.deck.names[i] for i in self.deck.members.get(document, ()) if self.decided[i]]
        here += [name for name in self.added if name.startswith(document + ":+")]
        found = (self.store.ledger.standing(name).in_force for name in here)
        return [d for d in found if d is not None]

    def status(self, i: int) -> str:
        """open, decided, conflict or changed."""
        if self.conflict[i]:
            return "conflict"
        if self.changed[i]:
            return "changed"
        return "decided" if self.decided[i] and not self.waits_for_second(i) else "open"

    def waits_for_second(self, i: int) -> bool:
        """Whether a card that two people are asked has one answer."""
        return bool(self.double[i] and self.decided[i] and len(self._answered.get(i, ())) < 2
                    and not self.conflict[i])  # fmt: skip

    def open_for(self, who: str | None) -> Mask:
        """Cards that still need this person, or anybody."""
        mask = ~self.decided | self.changed | self.conflict
        for i, people in self._answered.items():
            if len(people) < 2 and self.decided[i] and not self.conflict[i]:
                mask[i] = who is None or who not in people
        return mask

    def _status(self, status: str, who: str | None) -> Mask:
        if status == "open":
            return self.open_for(who)
        if status == "decided":
            return self.decided & ~self.open_for(who)
        if status == "all":
            return np.ones(len(self.deck), dtype=bool)
        mask: Mask = getattr(self, status)
        return mask

    # --- deciding ----------------------------------------------------------------------------

    def checked(self, record: Mapping[str, Any]) -> Decision:
        """A decision as a client sent it, checked against the data; raises what is wrong."""
        allowed = {"item", "kind", "value", "who", "why", "replaces", "batch"}
        given = {k: v for k, v in record.items() if k in allowed}
        for name in ("item", "who", "why", "replaces", "key"):
            if record.get(name) is not None and not isinstance(record[name], str):
                raise InputError(f"{name} must be a text")
        if not isinstance(given.get("value"), (str, int, float, list, dict, type(None))):
            raise InputError("the value must be a text, a number or a unit")
        try:
            text = json.dumps(given, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise InputError("the decision holds characters that no text can hold") from None
        if b"\\u0000" in text:
            raise InputError("the decision holds a null character")
        if record.get("key"):
            # the same decision sent again is the same; nobody can name another's
            given["id"] = blake2b(
                "\n".join([record["key"], str(given.get("item")), str(given.get("who"))]).encode(),
                digest_size=8,
            ).hexdigest()
        try:
            decision = self._check(Decision.from_dict(given))
        except (OverflowError, RecursionError):
            raise InputError("the value is too large") from None
        i = self.deck.place.get(decision.item)
        if i is not None and self.waits_for_second(i):
            first = decision.who not in self._answered[i]
            decision = replace(decision, independent=first and decision.replaces is None)
        return decision

    def decide(self, decisions: Sequence[Decision]) -> list[Decision | ConflictError]:
        """Store checked decisions; what is returned as stored is on the disk."""
        with _writing():
            return self.store.decide_all(decisions)

    def remark(
        self, item: str, kind: Literal["flag", "unflag", "comment"], text: str, who: str
    ) -> Remark:
        """Flag a card for discussion, or comment on it."""
        if item not in self.deck.place and item not in self.added:
            raise InputError(f"there is no item {item!r}")
        if kind not in ("flag", "unflag", "comment"):
            raise InputError(f"a remark must be flag, unflag or comment, got {kind!r}")
        if not who.strip():
            raise InputError("a remark must say who makes it")
        if kind == "comment" and not text.strip():
            raise InputError("a comment must say something")
        with _writing():
            made = self.store.remark(
                Remark(item=item, kind=kind, text=text[:10_000], who=who.strip())
            )
        if item in self.deck.place:
            self.flagged[self.deck.place[item]] = item in self.store.flagged
        return made

    def together(
        self, numbers: Sequence[int], *, who: str, why: str = "", kind: Kind = "label",
        value: Value = None, accept: bool = False,
    ) -> list[Decision]:  # fmt: skip
        """One decision for several cards, each of its own: a value, or the proposal of each.

        Cards that cannot take it are left out: those without a proposal when proposals are accepted.
        """
        batch = secrets.token_hex(8)
        out = []
        for i in numbers:
            said, worth = kind, value
            if accept:
                worth = self.deck.propose(i)
                said = "none" if worth is None else "label"
                if worth is None and isinstance(self.data, Ratings):
                    continue
            there = self.standing(i).in_force
            record = {"item": self.deck.names[i], "kind": said, "value": worth, "who": who, "why": why,
                      "replaces": None if there is None else there.id, "batch": batch}  # fmt: skip
            out.append(self.checked(record))
        return out

    def undone(self, key: str, *, who: str) -> list[Decision]:
        """Decisions that take back one decision or one batch: what each replaced is in force again."""
        ledger = self.store.ledger
        one = ledger.find(key)
        made = [one] if one is not None else [d for d in ledger.decisions if d.batch == key]
        if not made:
            raise InputError(f"there is no decision or batch {key!r}")
        batch = secrets.token_hex(8)
        out = []
        for decision in made:
            standing = ledger.standing(decision.item)
            if standing.in_force is None or standing.in_force.id != decision.id:
                continue
            before = ledger.find(decision.replaces or "")
            back = before if before is not None and before.kind != "withdraw" else None
            out.append(
                replace(
                    back or decision,
                    kind="withdraw" if back is None else back.kind,
                    value=None if back is None else back.value,
                    who=who,
                    why="undone",
                    when="",
                    id="",
                    replaces=decision.id,
                    batch=batch,
                    independent=False,
                )
            )
        return out

    # --- keeping up --------------------------------------------------------------------------

    def catch_up(self) -> list[str]:
        """Take note of decisions stored since, by anybody; returns the items they are on."""
        new = self.store.ledger.decisions[self._read :]
        self._read += len(new)
        touched = list(dict.fromkeys(d.item for d in new))
        for name in touched:
            i = self.deck.place.get(name)
            if i is not None:
                self._look_at(i)
            elif is_added(name):
                self.added.add(name)
        return touched

    def _look_at(self, i: int) -> None:
        standing = self.standing(i)
        there = standing.in_force
        self.decided[i] = there is not None
        self.conflict[i] = standing.conflict
        self.changed[i] = (
            there is not None
            and there.digest is not None
            and there.digest != self.deck.element(i).digest
        )
        if self.double[i]:
            # a new round begins when what was in force is replaced or withdrawn
            people = {d.who for d in standing.history if d.kind != "withdraw"}
            self._answered[i] = people if there is not None else set()

    def _element(self, name: str) -> Element | None:
        i = self.deck.place.get(name)
        return None if i is None else replace(self.deck.element(i), item=name)

    def alike(self, i: int, by: Literal["form", "confusion"]) -> list[int]:
        """The open cards of the same surface form or the same confusion, this one first."""
        same = np.flatnonzero(self.open_for(None) & self.deck.alike(i, by))
        return [i, *(int(j) for j in same if j != i)]

    def _others_alike(self, i: int, by: Literal["form", "confusion"]) -> int:
        """How many other open cards are like this one."""
        same = self.deck.alike(i, by) & self.open_for(None)
        return int(np.count_nonzero(same)) - int(same[i])

    def element(self, name: str) -> Element:
        """What a card is about: the annotators' element, or what a person added."""
        i = self.deck.place.get(name)
        return self.deck.element(i) if i is not None else added.element(self.store, name)

    # --- where it stands ---------------------------------------------------------------------

    @cached_property
    def reading(self) -> Reading:
        """What was read; who is who stays hidden when blind."""
        found = self.data.reading.whole()
        return found.without_names() if self.blind else found

    def progress(self) -> dict[str, Any]:
        """How far it is, and by whom."""
        ledger = self.store.ledger
        held = list(ledger.in_force.values())
        still = self.open_for(None)
        by = Counter(d.who for d in held)
        made = Counter(d.who for d in ledger.decisions)
        return {
            "cards": len(self.deck),
            "decided": int((self.decided & ~still).sum()),
            "left": int(still.sum()),
            "disputed_left": int((still & self.deck.disputed).sum()),
            "conflicts": int(self.conflict.sum()),
            "changed": int(self.changed.sum()),
            "flagged": int(self.flagged.sum()),
            "by": {w: by[w] for w, _ in made.most_common()},
            "made": dict(made.most_common()),
            "added": sum(is_added(d.item) and d.kind == "label" for d in held),
            "aside": self.aside(),
            "asked_twice": int(self.double.sum()),
            "reading": self.reading.to_dict(),
        }

    def aside(self) -> list[str]:
        """Decisions on what the data do not have."""
        return [
            s.item for s in self.store.ledger
            if s.in_force is not None and s.item not in self.deck.place and not is_added(s.item)
        ]  # fmt: skip

    def reference(self) -> Reference:
        """The reference with the decisions of this moment."""
        ledger = Ledger(list(self.store.ledger.decisions))
        more: dict[str, Any] = {}
        if self.draft.alignments:
            more["alignments"] = self.draft.alignments
        found: Reference = gold(
            self.data, self.method, decisions=ledger, **self._settings(), **more
        )
        return found
