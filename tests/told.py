"""What a reading says of itself beside the data: everything left out and assumed, with its options."""

from accord.data import Annotations
from accord.data.reading import Provenance


def told(data: Annotations) -> list[str]:
    kept = data.provenance or Provenance()
    left = [f"{x.what}, {x.why} {x.kept_by}".rstrip(", ") for x in kept.left_out]
    taken = [
        " ".join([d.taken.means, *(f"({a.typed})" for a in d.others)])
        for d in kept.decisions
        if d.taken is not None
    ]
    return left + taken
