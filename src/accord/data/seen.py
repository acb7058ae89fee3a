"""Who saw which document, whatever the shape of the annotations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.data.chains import Chains
from accord.data.contents import seen_in
from accord.data.located import Located
from accord.data.protocol import Annotations
from accord.data.segments import Segments


def seen_by(data: Annotations) -> NDArray[np.bool_]:
    """Documents × annotators: whether this one saw that. Ratings are of items, not of documents.

    >>> seen_by(Segments.from_masses([("d", "A", [2, 3]), ("e", "A", [4]), ("e", "B", [4])])).tolist()
    [[True, False], [True, True]]
    """
    if isinstance(data, Located):
        return data.coverage
    pairs = data.boundaries if isinstance(data, Segments) else ()
    return seen_in(data, data.coverage if isinstance(data, Chains) else pairs)
