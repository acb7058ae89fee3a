"""The shapes of annotation, and the seams to dataframes and parallel work.

`Ratings`: a value per given item. `Units`: located, labelled units on a continuum. `Segments`: a
complete cutting of a continuum. `Chains`: a partition of mentions into entities. `Relations`: links
between units, or between given items. `Boxes`: labelled rectangles and polygons in images.

All are frozen, canonical (the order of the input rows does not matter) and share the little
protocol `Annotations`, so that resampling, pairwise tables and leave-one-out are written once.
"""

from accord.data.boxes import Boxes
from accord.data.chains import Chains
from accord.data.protocol import Annotations
from accord.data.ratings import Ratings
from accord.data.relations import Relations
from accord.data.segments import Segments
from accord.data.units import Units

__all__ = ["Annotations", "Boxes", "Chains", "Ratings", "Relations", "Segments", "Units"]
