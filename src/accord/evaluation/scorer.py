"""The validity measures as other libraries call them: scikit-learn's metrics, evaluate's modules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.data import Annotations, Chains, Ratings, Segments, Units
from accord.data.protocol import is_annotations
from accord.errors import InputError, UsageError
from accord.evaluation.scores import score
from accord.formats.tags.tags import from_tags
from accord.options.kinds import refuses_other_kinds
from accord.plain import Plain
from accord.registry import find
from accord.result import Result, to_plain


@dataclass(frozen=True, slots=True)
class Scorer:
    """A measure of a system against a reference, called in two ways.

    ``scorer(y_true, y_pred)`` is a number, as scikit-learn's ``make_scorer`` wants it;
    ``scorer.compute(predictions=…, references=…)`` is a dictionary, as Hugging Face's *evaluate* has
    it. Neither library is needed.
    """

    measure: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def __name__(self) -> str:
        return self.measure.replace("-", "_")

    @property
    def greater_is_better(self) -> bool:
        """False for distances and errors."""
        return find(self.measure, "score").similarity

    def __call__(self, y_true: Iterable[object], y_pred: Iterable[object]) -> float:
        """The value; NaN where it is undefined."""
        return float(self.result(y_true, y_pred).value)

    def compute(
        self, *, predictions: Iterable[object], references: Iterable[object]
    ) -> dict[str, Plain]:
        """The value under the measure's name, its terms, n, and the signature."""
        found = self.result(references, predictions).plain
        terms = {k: to_plain(v) for k, v in found.terms.items()}
        return {
            **terms,
            self.measure: to_plain(found.value),
            "n": found.n,
            "signature": found.signature,
            **({} if found.undefined is None else {"undefined": found.undefined}),
        }

    def result(self, references: Iterable[object], predictions: Iterable[object]) -> Result:
        """The whole result, with what an interval needs."""
        shape = find(self.measure, "score").shape
        found: Result = score(
            _taken(references, shape, "reference"),
            _taken(predictions, shape, "system"),
            self.measure,
            **self.options,
        )
        return found


@refuses_other_kinds
def scorer(measure: str, **options: object) -> Scorer:
    """Make a measure of a system against a reference for scikit-learn and for evaluate-like code.

    The data are: for ratings one label per item; for spans one document each, as BIO tags or as spans
    (start, end, label) or ``{"start", "end", "label"}``; for chains one document each, as lists of
    clusters of mentions; for segmentations one document each, as masses.

    >>> scorer("f1-macro")(list("AABB"), list("ABBB"))
    0.7333333333333334
    >>> tags = scorer("f1").compute(references=[["B-PER", "I-PER", "O"]], predictions=[["B-PER", "O", "O"]])
    >>> tags["f1"], tags["MIS"], tags["SPU"]
    (0.0, 1, 1)
    >>> chains = scorer("b3").compute(references=[[["a", "b"], ["c"]]], predictions=[[["a", "b", "c"]]])
    >>> round(chains["P"], 4), chains["R"]
    (0.5556, 1.0)

    With scikit-learn: ``make_scorer(scorer("f1-macro"))``; for a distance also
    ``greater_is_better=False``, which is what `greater_is_better` of the scorer says.
    """
    record = find(measure, "score")
    if record.question != "score":
        raise UsageError(
            f"{record.name} measures the agreement among annotators; a scorer needs a measure of a "
            "system against a reference"
        )
    if record.several:
        raise UsageError(f"{record.name} is several values; name one of them")
    return Scorer(record.name, dict(options))


def _taken(given: Iterable[Any], shape: str, who: str) -> Annotations:
    """What other libraries hand over, as annotations of one annotator."""
    if is_annotations(given):
        return given
    documents = list(given)
    if shape == "ratings":
        return Ratings.from_matrix([documents], annotators=[who])
    if shape == "units":
        return _units(documents, who)
    names = [str(i) for i in range(len(documents))]
    if shape == "segments":
        return Segments.from_masses([(n, who, d) for n, d in zip(names, documents, strict=True)])
    for name, clusters in zip(names, documents, strict=True):
        if any(isinstance(c, str) or not isinstance(c, Iterable) for c in clusters):
            raise InputError(
                f"document {name} must be a list of clusters, each a list of mentions",
                hint="give one list per document, even for one document",
            )
    return Chains.from_clusters(
        {
            (name, who): [[_mention(m) for m in c] for c in clusters]
            for name, clusters in zip(names, documents, strict=True)
        }
    )


def _units(documents: Sequence[Any], who: str) -> Units:
    if documents and all(isinstance(d, str) for d in documents):
        raise InputError(
            "tags must be one list per document, got one list of tags",
            hint="put it in a list of its own",
        )
    if all(isinstance(tag, str) for d in documents for tag in d):
        return from_tags([list(d) for d in documents], annotator=who)
    rows = []
    for i, document in enumerate(documents):
        for span in document:
            if isinstance(span, Mapping):
                triple = (span["start"], span["end"], span.get("label"))
            else:
                start, end, *label = span
                triple = (start, end, label[0] if label else None)
            rows.append((str(i), who, *triple))
    return Units.from_rows(rows, coverage=[(str(i), who) for i in range(len(documents))])


def _mention(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given
