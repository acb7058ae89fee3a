"""The studies of one campaign, each made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from accord.data import Annotations
from accord.options import filled
from accord.registry import Measure
from accord.study.study import Certainty, Study


class Studies:
    """The studies of one campaign: the same question is studied once, whoever asks.

    `find` gives the record of a measure's name.
    """

    def __init__(
        self,
        find: Callable[[str], Measure],
        *data: Annotations,
        certainty: Certainty | None = None,
    ) -> None:
        self.find = find
        self.every = data
        self.certainty = certainty or Certainty()
        #: the one whose value is reported, once it is chosen
        self.headline: Study | None = None
        self._known: dict[Hashable, Study] = {}

    def __call__(self, measure: str, **options: object) -> Study:
        """The study of that measure with these options."""
        return self.of(self.find(measure), options)

    def of(self, record: Measure, options: Mapping[str, Any], notes: tuple[str, ...] = ()) -> Study:
        """The same by the measure's record; `notes` are what was assumed when it was chosen."""
        values = filled(record.name, record.options, options)
        key = (record.name, tuple((k, _key(v)) for k, v in values.items() if k != "progress"))
        if key not in self._known:
            self._known[key] = Study(
                record,
                *self.every,
                options=options,
                certainty=self.certainty,
                notes=notes,
            )
        return self._known[key]


def _key(value: Any) -> Hashable:
    return value if isinstance(value, Hashable) else id(value)
