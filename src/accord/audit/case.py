"""What the rules look at: the data, and what several of them need, computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from accord.data import Annotations, Ratings
from accord.data.contents import is_free_text
from accord.errors import AccordError
from accord.measures import find
from accord.registry import Measure
from accord.result import Result
from accord.study import Certainty, Studies, Study
from accord.study.ask import Ask

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
    #: studies made elsewhere, for the report, that need not be made again
    shared: Studies | None = None
    _known: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def ratings(self) -> Ratings | None:
        """The data when they are ratings by at least two annotators."""
        data = self.data
        return data if isinstance(data, Ratings) and len(data.annotators) > 1 else None

    @property
    def categories(self) -> Ratings | None:
        """The ratings when their values are names: categories, or two numbers (0 and 1); no free text."""
        data = self.ratings
        if data is None or data.kind in ("sets", "objects"):
            return None
        if (data.kind == "numbers" and len(data.values) > 2) or is_free_text(data):
            return None
        return data

    @property
    def decisions(self) -> Ratings | None:
        """What each annotator decided, item by item, whatever the shape; None for one annotator."""
        from accord.audit.decisions import decisions

        if len(self.data.annotators) < 2:
            return None
        return self.once("decisions", lambda: decisions(self.data))

    @property
    def declared(self) -> tuple[str, ...]:
        """The annotators that were said to be systems, here or when the data were read."""
        roles = self.data.roles
        return (*self.systems, *(() if roles is None else roles.systems))

    @property
    def together(self) -> tuple[Ratings | None, list[str]]:
        """What people and models decided, and who the models are: as declared, else by their names."""
        from accord.audit.decisions import decisions
        from accord.data.model_names import looks_like_a_model

        def made() -> tuple[Ratings | None, list[str]]:
            data, roles = self.data, self.data.roles
            if roles is not None and roles.systems:
                known = {*data.annotators, *roles.systems}
                who = [a for a in roles.everybody.annotators if a in known]
                data = roles.everybody.select(annotators=who)
            named = [a for a in data.annotators if a in self.declared]
            models = named or [a for a in data.annotators if looks_like_a_model(a)]
            if len(data.annotators) < 2 or not models:
                return None, models
            return decisions(data), models

        return self.once("together", made)

    @property
    def ask(self) -> Ask:
        """The question about the campaign, with the measure that suits its data."""
        how = Certainty(ci="auto", seed=self.seed)
        asked = Ask(question="agree", certainty=how)
        return self.once("ask", lambda: asked.settled(self.data))

    @property
    def usual(self) -> Measure:
        """The measure that suits the data."""
        return self.ask.records(self.data)[0]

    @property
    def studies(self) -> Studies:
        """What was computed about the campaign."""
        how = self.ask.certainty
        return self.once("studies", lambda: self.shared or Studies(find, self.data, certainty=how))

    @property
    def recommended(self) -> Study:
        """The study of the measure that is reported: the recommended one, unless one was chosen."""
        if self.studies.headline is not None:
            return self.studies.headline
        return self.ask.study(self.usual, self.data, studies=self.studies)

    def headline(self) -> Result | None:
        """That measure with its interval; None when it cannot be had."""

        def estimated() -> Result | None:
            try:
                return self.recommended.estimate
            except AccordError as problem:
                self._known["refusal"] = problem.sentence
                return None

        return self.once("headline", estimated)

    @property
    def refusal(self) -> str:
        """Why that measure cannot be had, as it says itself."""
        self.headline()
        return str(self._known.get("refusal", ""))

    def know_headline(self, result: Result) -> None:
        """Spare the computation of a result that is at hand."""
        self._known["headline"] = result

    def agree(self, measure: str, **options: Any) -> Result:
        """One measure without interval."""
        return self.studies(measure, **options).result

    def once(self, key: str, make: Callable[[], Made]) -> Made:
        """What `make` returns, made when it is first asked for."""
        if key not in self._known:
            self._known[key] = make()
        made: Made = self._known[key]
        return made
