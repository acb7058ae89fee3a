"""Who marked nothing in a document where others did: has seen it, or has not?

Rows of units do not say it. A pair of document and annotator is doubtful where the others marked three
or more each on average and this one nothing. Few doubtful pairs are silence, which is data: everybody
saw everything. Many are a question, as both answers are sensible and give different numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from accord.data.brief import count, one_of
from accord.data.reading import Answer, Decision, Provenance

if TYPE_CHECKING:
    from accord.data.located import Located

#: annotations of each other annotator, on average, that make the silence of one doubtful
_OTHERS = 3
#: one pair in so many that is doubtful raises the question
_MOST = 20
#: pairs that are named
_NAMED = 5

ABOUT = "seen"
SEEN = Answer("who marked nothing in a document saw it", (ABOUT, "all"))
_UNSEEN = Answer("who marked nothing in a document did not see it", (ABOUT, "marked"))


def silence_of(data: Located) -> Decision | None:
    """What is decided of those who marked nothing; None where it was said, or nobody was silent.

    >>> from accord.data.units import Units
    >>> u = Units.from_rows([("d", a, 0, 4, "x") for a in "AB"] + [("e", "A", 5, 9, "x")])
    >>> silence_of(u).why
    "nothing says who saw what: 1 of 4 pairs of document and annotator has no unit (B in 'e')"
    """
    if not data.assumed:
        return None
    sizes = np.bincount(data.document, minlength=len(data.documents))
    return decided(data.marked, sizes, data.documents, data.annotators, one_of(data.shape))


def decided(
    marked: NDArray[np.bool_],
    sizes: NDArray[np.int64],
    documents: tuple[str, ...],
    annotators: tuple[str, ...],
    what: str,
) -> Decision | None:
    """The same of the pairs (document, annotator) with something marked, and how much there is."""
    people = len(annotators)
    if people < 2 or marked.all():
        return None
    # who marked nothing has no part in what there is
    doubtful = ~marked & (sizes[:, None] >= _OTHERS * (people - 1))
    many = int(doubtful.sum()) * _MOST >= marked.size
    shown = doubtful if many else ~marked
    pairs = [(annotators[a], documents[d]) for d, a in np.argwhere(shown)[:_NAMED].tolist()]
    listed = ", ".join(f"{who} in {document!r}" for who, document in pairs)
    found = int(shown.sum())
    if found > len(pairs):
        listed += f" and {found - len(pairs)} more"
    of = f"{found} of {count(marked.size, 'pair')} of document and annotator"
    have = "has" if found == 1 else "have"
    why = f"nothing says who saw what: {of} {have} no {what} ({listed})"
    if many:
        why = (
            f"nothing says who saw what: {of} {have} no {what} where the others marked three or more "
            f"({listed})"
        )
        return Decision(about=ABOUT, others=(SEEN, _UNSEEN), why=why)
    return Decision(about=ABOUT, taken=SEEN, others=(_UNSEEN,), why=why)


def is_decided(provenance: Provenance | None) -> bool:
    """Whether reading has settled who saw what."""
    return provenance is not None and any(d.about == ABOUT for d in provenance.decisions)
