"""Who saw which document, whatever the shape of the annotations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.data.contents import seen_in
from accord.data.located import Documented
from accord.data.protocol import Annotations


def seen_by(data: Annotations) -> NDArray[np.bool_]:
    """Documents × annotators: whether this one saw that. Ratings are of items, not of documents.

    >>> from accord.data import Segments
    >>> seen_by(Segments.from_masses([("d", "A", [2, 3]), ("e", "A", [4]), ("e", "B", [4])])).tolist()
    [[True, False], [True, True]]
    """
    return data.who_saw if isinstance(data, Documented) else seen_in(data, ())
