"""What the rules look at: the data, and results computed once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from accord.data import Annotations, Ratings
from accord.measures import agree
from accord.result import Result


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

    def headline(self) -> Result | None:
        """The recommended measure with its interval, computed once; None when it cannot be had."""
        from accord.audit.recommendation import headline

        if "headline" not in self._known:
            self._known["headline"] = headline(self.data, seed=self.seed)
        result: Result | None = self._known["headline"]
        return result

    def know_headline(self, result: Result) -> None:
        """Spare the computation of a result that is at hand."""
        self._known["headline"] = result

    def agree(self, measure: str, **options: Any) -> Result:
        """One measure without interval, computed once."""
        key = f"{measure}{sorted(options.items())}"
        if key not in self._known:
            self._known[key] = agree(self.data, measure, **options)
        result: Result = self._known[key]
        return result
