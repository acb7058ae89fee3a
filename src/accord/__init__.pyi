"""What `import accord` offers; written by scripts/make_stub.py from the records of the measures."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Literal, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from accord import simulate as simulate

from accord.errors import AccordError as AccordError
from accord.data import Boxes as Boxes
from accord.study import Certainty as Certainty
from accord.data import Chains as Chains
from accord.errors import InputError as InputError
from accord.result import Interval as Interval
from accord.data import Ratings as Ratings
from accord.errors import RefusedError as RefusedError
from accord.data import Relations as Relations
from accord.result import Result as Result
from accord.result import Results as Results
from accord.data import Segments as Segments
from accord.study import Study as Study
from accord.data import Units as Units
from accord.errors import UsageError as UsageError
from accord.version import __version__ as __version__
from accord.notebook import adjudicate as adjudicate
from accord.measures import agree as agree
from accord.measures import agree_each as agree_each
from accord.alignment.align import align as align
from accord.evaluation import alt_test as alt_test
from accord.audit import audit as audit
from accord.evaluation import compare as compare
from accord.measures.distribute import distribute as distribute
from accord.measures import enrolled as enrolled
from accord.notebook import explore as explore
from accord.measures import find as find
from accord.formats.tags.tags import from_tags as from_tags
from accord.gold import gold as gold
from accord.gold.chunks import gold_file as gold_file
from accord.uncertainty import interval as interval
from accord.evaluation.judges import judge as judge
from accord.evaluation.preferences import prefer as prefer
from accord.evaluation import rank as rank
from accord.evaluation import rank_located as rank_located
from accord.reading import read as read
from accord.report import report as report
from accord.evaluation import score as score
from accord.evaluation.scorer import scorer as scorer
from accord.web.session import serve as serve
from accord.reading.conversion import write as write
from accord.distance.units import OwnFunction
from accord.reading.given import Plain
from accord.reading.keywords import Keywords, KeywordsButLength

def gamma(
    units: Units | Plain,
    *others: Plain,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    positional: Literal["sporadic", "hamming"] = ...,
    categorical: Literal[
        "nominal", "ordinal", "numerical", "edit", "features", "path", "wu-palmer"
    ] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    tolerance: float | None = ...,
    forbid: bool = ...,
    dissimilarity: OwnFunction | None = ...,
    fragments: Literal["sets", "hull"] = ...,
    chance: Literal[
        "rotation", "random1", "random2", "shuffle", "statistical", "documents", "min"
    ] = ...,
    expected: Literal["document", "corpus"] | None = ...,
    samples: int | None = ...,
    precision: float | None = ...,
    ground_truth: Sequence[str] | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    alignment: Literal["exact", "soft"] = ...,
    labels: Literal["shared", "own"] = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def gamma_cat(
    units: Units | Plain,
    *others: Plain,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    positional: Literal["sporadic", "hamming"] = ...,
    categorical: Literal[
        "nominal", "ordinal", "numerical", "edit", "features", "path", "wu-palmer"
    ] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    tolerance: float | None = ...,
    forbid: bool = ...,
    dissimilarity: OwnFunction | None = ...,
    fragments: Literal["sets", "hull"] = ...,
    chance: Literal[
        "rotation", "random1", "random2", "shuffle", "statistical", "documents", "min"
    ] = ...,
    expected: Literal["document", "corpus"] | None = ...,
    samples: int | None = ...,
    precision: float | None = ...,
    ground_truth: Sequence[str] | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    alignment: Literal["exact", "soft"] = ...,
    labels: Literal["shared", "own"] = ...,
    alone: Literal["none", "differs"] = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def gamma_k(
    units: Units | Plain,
    *others: Plain,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    positional: Literal["sporadic", "hamming"] = ...,
    categorical: Literal[
        "nominal", "ordinal", "numerical", "edit", "features", "path", "wu-palmer"
    ] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    tolerance: float | None = ...,
    forbid: bool = ...,
    dissimilarity: OwnFunction | None = ...,
    fragments: Literal["sets", "hull"] = ...,
    chance: Literal[
        "rotation", "random1", "random2", "shuffle", "statistical", "documents", "min"
    ] = ...,
    expected: Literal["document", "corpus"] | None = ...,
    samples: int | None = ...,
    precision: float | None = ...,
    ground_truth: Sequence[str] | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    alignment: Literal["exact", "soft"] = ...,
    labels: Literal["shared", "own"] = ...,
    alone: Literal["none", "differs"] = ...,
    **reading: Unpack[KeywordsButLength],
) -> tuple[Result, ...]: ...
def holistic(
    units: Units | Plain,
    *others: Plain,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    positional: Literal["sporadic", "hamming"] = ...,
    categorical: Literal[
        "nominal", "ordinal", "numerical", "edit", "features", "path", "wu-palmer"
    ] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    tolerance: float | None = ...,
    forbid: bool = ...,
    dissimilarity: OwnFunction | None = ...,
    fragments: Literal["sets", "hull"] = ...,
    chance: Literal[
        "rotation", "random1", "random2", "shuffle", "statistical", "documents", "min"
    ] = ...,
    expected: Literal["document", "corpus"] | None = ...,
    samples: int | None = ...,
    precision: float | None = ...,
    ground_truth: Sequence[str] | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    labels: Literal["shared", "own"] = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def aickin(ratings: Ratings | Plain, *others: Plain, **reading: Unpack[Keywords]) -> Result: ...
def alpha(
    ratings: Ratings | Plain,
    *others: Plain,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    taxonomy: str | PathLike[str] | None = ...,
    chance: Literal["observed", "uniform"] = ...,
    seed: int = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def percent(
    ratings: Ratings | Plain,
    *others: Plain,
    missing: Literal["available", "pairable"] = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def s(
    ratings: Ratings | Plain,
    *others: Plain,
    missing: Literal["available", "pairable"] = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def fleiss(
    ratings: Ratings | Plain,
    *others: Plain,
    missing: Literal["available", "pairable"] = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pi(
    ratings: Ratings | Plain,
    *others: Plain,
    missing: Literal["available", "pairable"] = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def ac1(
    ratings: Ratings | Plain,
    *others: Plain,
    missing: Literal["available", "pairable"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def ac2(
    ratings: Ratings | Plain,
    *others: Plain,
    missing: Literal["available", "pairable"] = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pabak(
    ratings: Ratings | Plain,
    *others: Plain,
    missing: Literal["available", "pairable"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def kappa(
    ratings: Ratings | Plain,
    *others: Plain,
    missing: Literal["available", "pairable"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def weighted_kappa(
    ratings: Ratings | Plain,
    *others: Plain,
    missing: Literal["available", "pairable"] = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def conger(
    ratings: Ratings | Plain,
    *others: Plain,
    missing: Literal["available", "pairable"] = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def light(
    ratings: Ratings | Plain,
    *others: Plain,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def ccc(ratings: Ratings | Plain, *others: Plain, **reading: Unpack[Keywords]) -> Result: ...
def icc_1(ratings: Ratings | Plain, *others: Plain, **reading: Unpack[Keywords]) -> Result: ...
def icc_a(ratings: Ratings | Plain, *others: Plain, **reading: Unpack[Keywords]) -> Result: ...
def icc_c(ratings: Ratings | Plain, *others: Plain, **reading: Unpack[Keywords]) -> Result: ...
def icc_1k(
    ratings: Ratings | Plain, *others: Plain, k: float | None = ..., **reading: Unpack[Keywords]
) -> Result: ...
def icc_ak(
    ratings: Ratings | Plain, *others: Plain, k: float | None = ..., **reading: Unpack[Keywords]
) -> Result: ...
def icc_ck(
    ratings: Ratings | Plain, *others: Plain, k: float | None = ..., **reading: Unpack[Keywords]
) -> Result: ...
def kendall_w(ratings: Ratings | Plain, *others: Plain, **reading: Unpack[Keywords]) -> Result: ...
def ks(
    ratings: Ratings | Plain,
    *others: Plain,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    seed: int = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def sigma(
    ratings: Ratings | Plain,
    *others: Plain,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    quantile: float = ...,
    cdf: Literal["empirical", "kde"] = ...,
    seed: int = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def box_gamma(
    boxes: Boxes | Plain,
    *others: Plain,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    categorical: Literal[
        "nominal", "ordinal", "numerical", "edit", "features", "path", "wu-palmer"
    ] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    forbid: bool = ...,
    chance: Literal["images", "uniform"] = ...,
    samples: int = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def box_cat(
    boxes: Boxes | Plain,
    *others: Plain,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    categorical: Literal[
        "nominal", "ordinal", "numerical", "edit", "features", "path", "wu-palmer"
    ] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    forbid: bool = ...,
    chance: Literal["images", "uniform"] = ...,
    samples: int = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def disorder(
    reference: Units | Plain,
    system: Units | Plain,
    *,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    positional: Literal["sporadic", "hamming"] = ...,
    missing_documents: Literal["empty", "error"] = ...,
    jobs: int = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def f1(
    reference: Units | Plain,
    system: Units | Plain,
    *,
    tolerance: float = ...,
    average: Literal["micro", "macro", "weighted"] = ...,
    missing_documents: Literal["empty", "error"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def overlap_f1(
    reference: Units | Plain,
    system: Units | Plain,
    *,
    average: Literal["micro", "macro", "weighted"] = ...,
    missing_documents: Literal["empty", "error"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def token_f1(
    reference: Units | Plain,
    system: Units | Plain,
    *,
    atom: float | None = ...,
    average: Literal["micro", "macro", "weighted"] = ...,
    missing_documents: Literal["empty", "error"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_f1(
    units: Units | Plain,
    *others: Plain,
    match: Literal["strict", "overlap", "token"] = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def semeval_strict(
    reference: Units | Plain,
    system: Units | Plain,
    *,
    tolerance: float = ...,
    average: Literal["micro", "macro", "weighted"] = ...,
    missing_documents: Literal["empty", "error"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def semeval_exact(
    reference: Units | Plain,
    system: Units | Plain,
    *,
    tolerance: float = ...,
    average: Literal["micro", "macro", "weighted"] = ...,
    missing_documents: Literal["empty", "error"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def semeval_partial(
    reference: Units | Plain,
    system: Units | Plain,
    *,
    tolerance: float = ...,
    average: Literal["micro", "macro", "weighted"] = ...,
    missing_documents: Literal["empty", "error"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def semeval_type(
    reference: Units | Plain,
    system: Units | Plain,
    *,
    tolerance: float = ...,
    average: Literal["micro", "macro", "weighted"] = ...,
    missing_documents: Literal["empty", "error"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def semeval(
    reference: Units | Plain,
    system: Units | Plain,
    *,
    tolerance: float = ...,
    average: Literal["micro", "macro", "weighted"] = ...,
    missing_documents: Literal["empty", "error"] = ...,
    **reading: Unpack[Keywords],
) -> tuple[Result, ...]: ...
def ser(
    reference: Units | Plain,
    system: Units | Plain,
    *,
    weighting: Literal["makhoul", "etape"] = ...,
    tolerance: float = ...,
    missing_documents: Literal["empty", "error"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
@overload
def box_f1(
    boxes: Boxes | Plain,
    *others: Plain,
    iou: float = ...,
    unlabelled: bool = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
@overload
def box_f1(
    reference: Boxes | Plain,
    system: Boxes | Plain,
    *,
    iou: float = ...,
    unlabelled: bool = ...,
    average: Literal["micro", "macro", "weighted"] = ...,
    missing_documents: Literal["empty", "error"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def chain_alpha(
    data: Chains | Plain,
    *others: Plain,
    distance: Literal["passonneau", "masi", "jaccard", "dice", "nominal"] = ...,
    expected: Literal["document", "corpus"] = ...,
    drop_singletons: bool = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def muc(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def b3(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def ceaf_m(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def ceaf_e(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def lea(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def mention_detection(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def entity_f(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def conll(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def blanc(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def blanc_luo(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def mor(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def vi(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def vi_scaled(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def nvi(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def nid(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def rand(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def ari(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pair_jaccard(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def split_join(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def merge_split(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def b3_jaccard(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def ceaf_m_jaccard(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def u_alpha(
    units: Units | Plain,
    *others: Plain,
    atom: float | None = ...,
    length: float | None = ...,
    overlaps: Literal["refuse", "outermost", "innermost"] = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def bar_u_alpha(
    units: Units | Plain,
    *others: Plain,
    atom: float | None = ...,
    length: float | None = ...,
    overlaps: Literal["refuse", "outermost", "innermost"] = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def cu_alpha(
    units: Units | Plain,
    *others: Plain,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    length: float | None = ...,
    overlaps: Literal["refuse", "outermost", "innermost"] = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def ku_alpha(
    units: Units | Plain,
    *others: Plain,
    length: float | None = ...,
    overlaps: Literal["refuse", "outermost", "innermost"] = ...,
    **reading: Unpack[KeywordsButLength],
) -> tuple[Result, ...]: ...
def alpha_u(
    units: Units | Plain,
    *others: Plain,
    atom: float | None = ...,
    length: float | None = ...,
    overlaps: Literal["refuse", "outermost", "innermost"] = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def atomized_alpha(
    units: Units | Plain,
    *others: Plain,
    atom: float | None = ...,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    length: float | None = ...,
    overlaps: Literal["all", "outermost", "innermost"] = ...,
    beside: bool = ...,
    seed: int = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def atomized_kappa(
    units: Units | Plain,
    *others: Plain,
    atom: float | None = ...,
    length: float | None = ...,
    overlaps: Literal["all", "outermost", "innermost"] = ...,
    beside: bool = ...,
    seed: int = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def mention_gamma(
    data: Chains | Plain,
    *others: Plain,
    samples: int | None = ...,
    precision: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def mention_u_alpha(
    data: Chains | Plain,
    *others: Plain,
    length: float | None = ...,
    **reading: Unpack[KeywordsButLength],
) -> Result: ...
def pairwise_muc(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_b3(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_ceaf_m(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_ceaf_e(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_lea(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_mention_detection(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_entity_f(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_conll(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_blanc(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_blanc_luo(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_vi(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_vi_scaled(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_nvi(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_nid(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_rand(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_ari(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_pair_jaccard(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_split_join(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_merge_split(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_b3_jaccard(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pairwise_ceaf_m_jaccard(
    data: Chains | Plain,
    *others: Plain,
    drop_singletons: bool = ...,
    matching: Literal["exact", "head", "partial"] = ...,
    mentions: Literal["exact", "near"] = ...,
    overlap: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def bridging(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def split_antecedent(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def zero_anaphor(
    reference: Chains | Plain,
    system: Chains | Plain,
    *,
    drop_singletons: bool | None = ...,
    matching: Literal["exact", "head", "partial"] | None = ...,
    min_spans: bool = ...,
    zeros: Literal["linear", "dependent", "drop"] | None = ...,
    repeated: Literal["first", "conll", "corefud"] | None = ...,
    preset: Literal["crac", "crac24", "crac23", "crac22", "conll12"] | None = ...,
    words: Literal["same", "ignore"] = ...,
    missing_documents: Literal["error", "empty"] = ...,
    across: str | None = ...,
    average: Literal["micro", "macro"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def relation_alpha(
    relations: Relations | Plain,
    *others: Plain,
    undirected: bool = ...,
    window: int | None = ...,
    candidates: str | PathLike[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def relation_cat(
    relations: Relations | Plain,
    *others: Plain,
    undirected: bool = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
@overload
def relation_f1(
    relations: Relations | Plain,
    *others: Plain,
    match: Literal["strict", "overlap"] = ...,
    unlabelled: bool = ...,
    undirected: bool = ...,
    symmetric: Sequence[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
@overload
def relation_f1(
    reference: Relations | Plain,
    system: Relations | Plain,
    *,
    match: Literal["strict", "overlap"] = ...,
    unlabelled: bool = ...,
    undirected: bool = ...,
    symmetric: Sequence[str] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def relation_gamma(
    relations: Relations | Plain,
    *others: Plain,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    categorical: Literal[
        "nominal", "ordinal", "numerical", "edit", "features", "path", "wu-palmer"
    ] = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    undirected: bool = ...,
    symmetric: Sequence[str] | None = ...,
    chance: Literal["endpoints", "units", "min", "documents"] = ...,
    samples: int | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def boundary_pi(
    data: Segments | Plain, *others: Plain, nt: int = ..., **reading: Unpack[Keywords]
) -> Result: ...
def boundary_kappa(
    data: Segments | Plain, *others: Plain, nt: int = ..., **reading: Unpack[Keywords]
) -> Result: ...
def boundary_alpha(
    data: Segments | Plain, *others: Plain, **reading: Unpack[Keywords]
) -> Result: ...
def ghd(
    reference: Segments | Plain,
    system: Segments | Plain,
    *,
    insertion: float = ...,
    deletion: float = ...,
    shift: float = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def segmentation_gamma(
    data: Segments | Plain,
    *others: Plain,
    chance: Literal[
        "rotation", "random1", "random2", "shuffle", "statistical", "documents", "min"
    ] = ...,
    expected: Literal["document", "corpus"] | None = ...,
    samples: int | None = ...,
    precision: float | None = ...,
    ground_truth: Sequence[str] | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def segmentation_similarity(
    reference: Segments | Plain,
    system: Segments | Plain,
    *,
    nt: int = ...,
    types: Literal["nominal", "ordinal"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def boundary_similarity(
    reference: Segments | Plain,
    system: Segments | Plain,
    *,
    nt: int = ...,
    types: Literal["nominal", "ordinal"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pk(
    reference: Segments | Plain,
    system: Segments | Plain,
    *,
    window: int | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def windowdiff(
    reference: Segments | Plain,
    system: Segments | Plain,
    *,
    window: int | None = ...,
    padding: Literal["none", "lamprier"] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def winpr(
    reference: Segments | Plain,
    system: Segments | Plain,
    *,
    window: int | None = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def accuracy(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def precision(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    average: Literal["macro", "micro", "weighted"] = ...,
    neutral: str | None = ...,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def recall(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    average: Literal["macro", "micro", "weighted"] = ...,
    neutral: str | None = ...,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def f1_macro(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    beta: float = ...,
    neutral: str | None = ...,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def f1_micro(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    beta: float = ...,
    neutral: str | None = ...,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def baseline(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def pearson(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    target: Literal["majority", "mean"] = ...,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def spearman(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    target: Literal["majority", "mean"] = ...,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def weighted_accuracy(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def observed_agreement(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    taxonomy: str | PathLike[str] | None = ...,
    matrix: str | PathLike[str] | None = ...,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def fuzzy_distance(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    norm: Literal["linear", "quadratic"] = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def alpha_to_distribution(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    taxonomy: str | PathLike[str] | None = ...,
    matrix: str | PathLike[str] | None = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def f1_samples(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def exact_match(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def hamming_loss(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def hierarchical_f1(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    taxonomy: str | PathLike[str] | None = ...,
    beta: float = ...,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def cross_entropy(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    clip: float = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def kl(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    clip: float = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def jsd(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def js_distance(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def manhattan(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def emd(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def entropy_correlation(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def log_loss(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    clip: float = ...,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def brier(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
def ece(
    reference: Ratings | Plain,
    system: Ratings | Plain,
    *,
    ties: Literal["split", "error", "abstain", "first", "random"] = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
    **reading: Unpack[Keywords],
) -> Result: ...
