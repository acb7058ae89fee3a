"""What is in force: the history of each item read from its first decision to its last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from accord.gold.decisions.decision import Decision


@dataclass(slots=True)
class Standing:
    """The decisions on one item: all of them, the one in force, and those that contradict it.

    A decision takes effect when it names the one in force as what it replaces (or nothing, when
    nothing is in force). Otherwise its author had not seen what was there: it stands beside it as
    a rival until somebody replaces the one in force with both in sight. One that says the same
    confirms it instead.
    """

    item: str
    history: list[Decision] = field(default_factory=list)
    in_force: Decision | None = None
    rivals: tuple[Decision, ...] = ()

    @property
    def conflict(self) -> bool:
        return bool(self.rivals)

    def accepts(self, replaces: str | None) -> bool:
        """Whether a decision that replaces this one takes effect."""
        if self.in_force is not None:
            return replaces == self.in_force.id
        # after a withdrawal nothing is in force: its author knows its name, others see nothing
        return replaces is None or (bool(self.history) and replaces == self.history[-1].id)

    def add(self, decision: Decision) -> None:
        if self.accepts(decision.replaces):
            self.in_force = None if decision.kind == "withdraw" else decision
            self.rivals = ()
        elif self.in_force is not None and decision.says == self.in_force.says:
            pass
        elif decision.replaces in {r.id for r in self.rivals}:
            kept = [r for r in self.rivals if r.id != decision.replaces]
            self.rivals = (*kept, *(() if decision.kind == "withdraw" else (decision,)))
        elif decision.kind != "withdraw":
            self.rivals = (*self.rivals, decision)
        self.history.append(decision)


class Ledger:
    """The standing of every item that anybody ever decided, in the order of the first decisions."""

    def __init__(self, decisions: Iterable[Decision] = ()) -> None:
        self._standings: dict[str, Standing] = {}
        self._ids: dict[str, Decision] = {}
        self.decisions: list[Decision] = []
        #: what a reader should know of the file that they were read from
        self.notes: tuple[str, ...] = ()
        for decision in decisions:
            self.add(decision)

    def add(self, decision: Decision) -> None:
        standing = self._standings.setdefault(decision.item, Standing(decision.item))
        standing.add(decision)
        self._ids[decision.id] = decision
        self.decisions.append(decision)

    def standing(self, item: str) -> Standing:
        """How things stand with an item; an empty standing when nobody decided it."""
        return self._standings.get(item) or Standing(item)

    def find(self, id: str) -> Decision | None:  # noqa: A002
        """The decision of this identity."""
        return self._ids.get(id) if id else None

    def holds(self, decision: Decision) -> bool:
        """Whether this very decision was read before: its identity, or the same words of the same
        person about the same item (a table read twice, after others decided too)."""
        if decision.id:
            return decision.id in self._ids
        said = decision.says, decision.who, decision.why
        return any(
            (d.says, d.who, d.why) == said and (not decision.when or decision.when == d.when)
            for d in self.standing(decision.item).history
        )

    def __iter__(self) -> Iterator[Standing]:
        return iter(self._standings.values())

    def __len__(self) -> int:
        return len(self.decisions)

    def __contains__(self, item: str) -> bool:
        return item in self._standings

    @property
    def in_force(self) -> dict[str, Decision]:
        """item → the decision in force."""
        return {s.item: s.in_force for s in self if s.in_force is not None}

    @property
    def conflicts(self) -> list[Standing]:
        """Items with decisions that contradict each other."""
        return [s for s in self if s.conflict]
