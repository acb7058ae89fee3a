"""What all shapes have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from accord.options.reading import SHAPES as SHAPES
from accord.options.reading import Shape as Shape

if TYPE_CHECKING:
    from accord.data.contents import Contents
    from accord.data.reading import Provenance, Reading
    from accord.data.roles import Roles


@runtime_checkable
class Annotations(Protocol):
    """Annotators, documents, and a way to keep some of them."""

    shape: ClassVar[Shape]

    @property
    def annotators(self) -> tuple[str, ...]: ...

    @property
    def documents(self) -> tuple[str, ...]: ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What was changed or left out on the way in, one sentence each."""

    @property
    def who_saw(self) -> NDArray[np.bool_]:
        """Documents × annotators: whether this one saw that; nobody of ratings, which are of items."""

    @property
    def roles(self) -> Roles | None:
        """Who was chosen, and who stands by: systems and the reference."""

    @property
    def provenance(self) -> Provenance | None:
        """What reading kept of itself: sources, columns, decisions."""

    def contents(self) -> Contents:
        """Count what there is: by person, in all, and of what more than one person has seen."""

    @property
    def reading(self) -> Reading:
        """What was read: who, how much, what was left out or assumed."""

    def select(
        self,
        *,
        annotators: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
    ) -> Self:
        """Keep only these annotators and documents."""


def is_annotations(given: object) -> TypeGuard[Annotations]:
    """Tell annotations by their class: the protocol would compute every property that it looks for.

    >>> from accord.data import Segments
    >>> cut = Segments.from_masses([("d", "A", [2, 3])])
    >>> is_annotations(cut), is_annotations(Segments), is_annotations([cut])
    (True, False, False)
    """
    return all(hasattr(type(given), name) for name in ("contents", "reading", "select", "who_saw"))


def changed(data: Annotations, **fields: Any) -> Annotations:
    """The same data with other fields; each shape is a dataclass."""
    made: Annotations = replace(data, **fields)  # type: ignore[type-var]
    return made
