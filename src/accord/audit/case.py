"""What the rules look at: the data, and what several of them need, computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from accord.data import Annotations, Ratings
from accord.measures import agree
from accord.result import Result

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A campaign under audit."""

    data: Annotations
    reference: Annotations | None = None
    system: Annotations | None = None
    measure: str | None = None
    systems: tuple[str, ...] = ()
    seed: int = 0
    _known: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def ratings(self) -> Ratings | None:
        """The data when they are ratings by at least two annotators."""
        data = self.data
        return data if isinstance(data, Ratings) and len(data.annotators) > 1 else None

    @property
    def categories(self) -> Ratings | None:
        """The ratings when their values are names: categories, or two numbers (0 and 1)."""
        data = self.ratings
        if data is None or data.kind == "sets" or (data.kind == "numbers" and len(data.values) > 2):
            return None
        return data

    @property
    def decisions(self) -> Ratings | None:
        """What each annotator decided, item by item, whatever the shape; None for one annotator."""
        from accord.audit.decisions import decisions

        if len(self.data.annotators) < 2:
            return None
        return self.once("decisions", lambda: decisions(self.data))

    def headline(self) -> Result | None:
        """The recommended measure with its interval; None when it cannot be had."""
        from accord.audit.recommendation import headline

        return self.once("headline", lambda: headline(self.data, seed=self.seed))

    def know_headline(self, result: Result) -> None:
        """Spare the computation of a result that is at hand."""
        self._known["headline"] = result

    def agree(self, measure: str, **options: Any) -> Result:
        """One measure without interval."""
        key = f"{measure}{sorted(options.items())}"
        result: Result = self.once(key, lambda: agree(self.data, measure, **options))
        return result

    def once(self, key: str, make: Callable[[], Made]) -> Made:
        """What `make` returns, made when it is first asked for."""
        if key not in self._known:
            self._known[key] = make()
        made: Made = self._known[key]
        return made
