"""What `import accord` offers; written by scripts/make_stub.py from the records of the measures."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import overload

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

def gamma(
    units: Units,
    *,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    positional: str = ...,
    categorical: str = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    tolerance: float | None = ...,
    forbid: bool = ...,
    dissimilarity: OwnFunction | None = ...,
    fragments: str = ...,
    chance: str = ...,
    expected: str | None = ...,
    samples: int | None = ...,
    precision: float | None = ...,
    ground_truth: Sequence[str] | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    alignment: str = ...,
    labels: str = ...,
) -> Result: ...
def gamma_cat(
    units: Units,
    *,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    positional: str = ...,
    categorical: str = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    tolerance: float | None = ...,
    forbid: bool = ...,
    dissimilarity: OwnFunction | None = ...,
    fragments: str = ...,
    chance: str = ...,
    expected: str | None = ...,
    samples: int | None = ...,
    precision: float | None = ...,
    ground_truth: Sequence[str] | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    alignment: str = ...,
    labels: str = ...,
    alone: str = ...,
) -> Result: ...
def gamma_k(
    units: Units,
    *,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    positional: str = ...,
    categorical: str = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    tolerance: float | None = ...,
    forbid: bool = ...,
    dissimilarity: OwnFunction | None = ...,
    fragments: str = ...,
    chance: str = ...,
    expected: str | None = ...,
    samples: int | None = ...,
    precision: float | None = ...,
    ground_truth: Sequence[str] | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    alignment: str = ...,
    labels: str = ...,
    alone: str = ...,
) -> tuple[Result, ...]: ...
def holistic(
    units: Units,
    *,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    positional: str = ...,
    categorical: str = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    tolerance: float | None = ...,
    forbid: bool = ...,
    dissimilarity: OwnFunction | None = ...,
    fragments: str = ...,
    chance: str = ...,
    expected: str | None = ...,
    samples: int | None = ...,
    precision: float | None = ...,
    ground_truth: Sequence[str] | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    labels: str = ...,
) -> Result: ...
def aickin(ratings: Ratings) -> Result: ...
def alpha(
    ratings: Ratings,
    *,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    taxonomy: str | PathLike[str] | None = ...,
    chance: str = ...,
    seed: int = ...,
) -> Result: ...
def percent(
    ratings: Ratings,
    *,
    missing: str = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
) -> Result: ...
def s(
    ratings: Ratings,
    *,
    missing: str = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
) -> Result: ...
def fleiss(
    ratings: Ratings,
    *,
    missing: str = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
) -> Result: ...
def pi(
    ratings: Ratings,
    *,
    missing: str = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
) -> Result: ...
def ac1(ratings: Ratings, *, missing: str = ...) -> Result: ...
def ac2(
    ratings: Ratings,
    *,
    missing: str = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
) -> Result: ...
def pabak(ratings: Ratings, *, missing: str = ...) -> Result: ...
def kappa(ratings: Ratings, *, missing: str = ...) -> Result: ...
def weighted_kappa(
    ratings: Ratings,
    *,
    missing: str = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
) -> Result: ...
def conger(
    ratings: Ratings,
    *,
    missing: str = ...,
    weights: str | PathLike[str] | NDArray[np.float64] = ...,
    taxonomy: str | PathLike[str] | None = ...,
) -> Result: ...
def light(ratings: Ratings) -> Result: ...
def ccc(ratings: Ratings) -> Result: ...
def icc_1(ratings: Ratings) -> Result: ...
def icc_a(ratings: Ratings) -> Result: ...
def icc_c(ratings: Ratings) -> Result: ...
def icc_1k(ratings: Ratings, *, k: float | None = ...) -> Result: ...
def icc_ak(ratings: Ratings, *, k: float | None = ...) -> Result: ...
def icc_ck(ratings: Ratings, *, k: float | None = ...) -> Result: ...
def kendall_w(ratings: Ratings) -> Result: ...
def ks(
    ratings: Ratings,
    *,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    seed: int = ...,
) -> Result: ...
def sigma(
    ratings: Ratings,
    *,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    quantile: float = ...,
    cdf: str = ...,
    seed: int = ...,
) -> Result: ...
def box_gamma(
    boxes: Boxes,
    *,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    categorical: str = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    forbid: bool = ...,
    chance: str = ...,
    samples: int = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
) -> Result: ...
def box_cat(
    boxes: Boxes,
    *,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    categorical: str = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    forbid: bool = ...,
    chance: str = ...,
    samples: int = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
) -> Result: ...
def disorder(
    reference: Units,
    system: Units,
    *,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    positional: str = ...,
    missing_documents: str = ...,
    jobs: int = ...,
) -> Result: ...
def f1(
    reference: Units,
    system: Units,
    *,
    tolerance: float = ...,
    average: str = ...,
    missing_documents: str = ...,
) -> Result: ...
def overlap_f1(
    reference: Units, system: Units, *, average: str = ..., missing_documents: str = ...
) -> Result: ...
def token_f1(
    reference: Units,
    system: Units,
    *,
    atom: float | None = ...,
    average: str = ...,
    missing_documents: str = ...,
) -> Result: ...
def pairwise_f1(units: Units, *, match: str = ...) -> Result: ...
def semeval_strict(
    reference: Units,
    system: Units,
    *,
    tolerance: float = ...,
    average: str = ...,
    missing_documents: str = ...,
) -> Result: ...
def semeval_exact(
    reference: Units,
    system: Units,
    *,
    tolerance: float = ...,
    average: str = ...,
    missing_documents: str = ...,
) -> Result: ...
def semeval_partial(
    reference: Units,
    system: Units,
    *,
    tolerance: float = ...,
    average: str = ...,
    missing_documents: str = ...,
) -> Result: ...
def semeval_type(
    reference: Units,
    system: Units,
    *,
    tolerance: float = ...,
    average: str = ...,
    missing_documents: str = ...,
) -> Result: ...
def semeval(
    reference: Units,
    system: Units,
    *,
    tolerance: float = ...,
    average: str = ...,
    missing_documents: str = ...,
) -> tuple[Result, ...]: ...
def ser(
    reference: Units,
    system: Units,
    *,
    weighting: str = ...,
    tolerance: float = ...,
    missing_documents: str = ...,
) -> Result: ...
@overload
def box_f1(boxes: Boxes, *, iou: float = ..., unlabelled: bool = ...) -> Result: ...
@overload
def box_f1(
    reference: Boxes,
    system: Boxes,
    *,
    iou: float = ...,
    unlabelled: bool = ...,
    average: str = ...,
    missing_documents: str = ...,
) -> Result: ...
def chain_alpha(
    data: Chains,
    *,
    distance: str = ...,
    expected: str = ...,
    drop_singletons: bool = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def muc(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def b3(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def ceaf_m(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def ceaf_e(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def lea(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def mention_detection(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def entity_f(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def conll(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def blanc(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def blanc_luo(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def mor(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def vi(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def vi_scaled(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def nvi(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def nid(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def rand(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def ari(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def pair_jaccard(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def split_join(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def merge_split(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def b3_jaccard(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def ceaf_m_jaccard(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def u_alpha(
    units: Units, *, atom: float | None = ..., length: float | None = ..., overlaps: str = ...
) -> Result: ...
def bar_u_alpha(
    units: Units, *, atom: float | None = ..., length: float | None = ..., overlaps: str = ...
) -> Result: ...
def cu_alpha(
    units: Units,
    *,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    length: float | None = ...,
    overlaps: str = ...,
) -> Result: ...
def ku_alpha(
    units: Units, *, length: float | None = ..., overlaps: str = ...
) -> tuple[Result, ...]: ...
def alpha_u(
    units: Units, *, atom: float | None = ..., length: float | None = ..., overlaps: str = ...
) -> Result: ...
def atomized_alpha(
    units: Units,
    *,
    atom: float | None = ...,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    length: float | None = ...,
    overlaps: str = ...,
    beside: bool = ...,
    seed: int = ...,
) -> Result: ...
def atomized_kappa(
    units: Units,
    *,
    atom: float | None = ...,
    length: float | None = ...,
    overlaps: str = ...,
    beside: bool = ...,
    seed: int = ...,
) -> Result: ...
def mention_gamma(
    data: Chains,
    *,
    samples: int | None = ...,
    precision: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
) -> Result: ...
def mention_u_alpha(data: Chains, *, length: float | None = ...) -> Result: ...
def pairwise_muc(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_b3(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_ceaf_m(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_ceaf_e(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_lea(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_mention_detection(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_entity_f(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_conll(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_blanc(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_blanc_luo(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_vi(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_vi_scaled(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_nvi(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_nid(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_rand(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_ari(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_pair_jaccard(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_split_join(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_merge_split(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_b3_jaccard(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def pairwise_ceaf_m_jaccard(
    data: Chains,
    *,
    drop_singletons: bool = ...,
    matching: str = ...,
    mentions: str = ...,
    overlap: float = ...,
) -> Result: ...
def bridging(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def split_antecedent(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def zero_anaphor(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool | None = ...,
    matching: str | None = ...,
    min_spans: bool = ...,
    zeros: str | None = ...,
    repeated: str | None = ...,
    preset: str | None = ...,
    words: str = ...,
    missing_documents: str = ...,
    across: str | None = ...,
    average: str = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def relation_alpha(
    relations: Relations,
    *,
    undirected: bool = ...,
    window: int | None = ...,
    candidates: str | PathLike[str] | None = ...,
) -> Result: ...
def relation_cat(relations: Relations, *, undirected: bool = ...) -> Result: ...
@overload
def relation_f1(
    relations: Relations,
    *,
    match: str = ...,
    unlabelled: bool = ...,
    undirected: bool = ...,
    symmetric: Sequence[str] | None = ...,
) -> Result: ...
@overload
def relation_f1(
    reference: Relations,
    system: Relations,
    *,
    match: str = ...,
    unlabelled: bool = ...,
    undirected: bool = ...,
    symmetric: Sequence[str] | None = ...,
) -> Result: ...
def relation_gamma(
    relations: Relations,
    *,
    alpha: float | None = ...,
    beta: float | None = ...,
    delta: float | None = ...,
    matrix: str | PathLike[str] | NDArray[np.float64] | None = ...,
    categorical: str = ...,
    taxonomy: str | PathLike[str] | None = ...,
    feature_weights: Sequence[str] | Sequence[float] | None = ...,
    undirected: bool = ...,
    symmetric: Sequence[str] | None = ...,
    chance: str = ...,
    samples: int | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
) -> Result: ...
def boundary_pi(data: Segments, *, nt: int = ...) -> Result: ...
def boundary_kappa(data: Segments, *, nt: int = ...) -> Result: ...
def boundary_alpha(data: Segments) -> Result: ...
def ghd(
    reference: Segments,
    system: Segments,
    *,
    insertion: float = ...,
    deletion: float = ...,
    shift: float = ...,
) -> Result: ...
def segmentation_gamma(
    data: Segments,
    *,
    chance: str = ...,
    expected: str | None = ...,
    samples: int | None = ...,
    precision: float | None = ...,
    ground_truth: Sequence[str] | None = ...,
    time_limit: float | None = ...,
    seed: int = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
) -> Result: ...
def segmentation_similarity(
    reference: Segments, system: Segments, *, nt: int = ..., types: str = ...
) -> Result: ...
def boundary_similarity(
    reference: Segments, system: Segments, *, nt: int = ..., types: str = ...
) -> Result: ...
def pk(reference: Segments, system: Segments, *, window: int | None = ...) -> Result: ...
def windowdiff(
    reference: Segments, system: Segments, *, window: int | None = ..., padding: str = ...
) -> Result: ...
def winpr(reference: Segments, system: Segments, *, window: int | None = ...) -> Result: ...
def accuracy(
    reference: Ratings,
    system: Ratings,
    *,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def precision(
    reference: Ratings,
    system: Ratings,
    *,
    average: str = ...,
    neutral: str | None = ...,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def recall(
    reference: Ratings,
    system: Ratings,
    *,
    average: str = ...,
    neutral: str | None = ...,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def f1_macro(
    reference: Ratings,
    system: Ratings,
    *,
    beta: float = ...,
    neutral: str | None = ...,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def f1_micro(
    reference: Ratings,
    system: Ratings,
    *,
    beta: float = ...,
    neutral: str | None = ...,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def baseline(
    reference: Ratings, system: Ratings, *, ties: str = ..., seed: int = ...
) -> Result: ...
def pearson(
    reference: Ratings,
    system: Ratings,
    *,
    target: str = ...,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def spearman(
    reference: Ratings,
    system: Ratings,
    *,
    target: str = ...,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def weighted_accuracy(
    reference: Ratings, system: Ratings, *, by: Sequence[str] = ...
) -> Result: ...
def observed_agreement(
    reference: Ratings,
    system: Ratings,
    *,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    taxonomy: str | PathLike[str] | None = ...,
    matrix: str | PathLike[str] | None = ...,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def fuzzy_distance(
    reference: Ratings, system: Ratings, *, norm: str = ..., by: Sequence[str] = ...
) -> Result: ...
def alpha_to_distribution(
    reference: Ratings,
    system: Ratings,
    *,
    metric: str | PathLike[str] | NDArray[np.float64] | Callable[..., float] = ...,
    period: float | None = ...,
    taxonomy: str | PathLike[str] | None = ...,
    matrix: str | PathLike[str] | None = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def f1_samples(
    reference: Ratings,
    system: Ratings,
    *,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def exact_match(
    reference: Ratings,
    system: Ratings,
    *,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def hamming_loss(
    reference: Ratings,
    system: Ratings,
    *,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def hierarchical_f1(
    reference: Ratings,
    system: Ratings,
    *,
    taxonomy: str | PathLike[str] | None = ...,
    beta: float = ...,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def cross_entropy(
    reference: Ratings, system: Ratings, *, clip: float = ..., by: Sequence[str] = ...
) -> Result: ...
def kl(
    reference: Ratings, system: Ratings, *, clip: float = ..., by: Sequence[str] = ...
) -> Result: ...
def jsd(reference: Ratings, system: Ratings, *, by: Sequence[str] = ...) -> Result: ...
def js_distance(reference: Ratings, system: Ratings, *, by: Sequence[str] = ...) -> Result: ...
def manhattan(reference: Ratings, system: Ratings, *, by: Sequence[str] = ...) -> Result: ...
def emd(reference: Ratings, system: Ratings, *, by: Sequence[str] = ...) -> Result: ...
def entropy_correlation(
    reference: Ratings, system: Ratings, *, by: Sequence[str] = ...
) -> Result: ...
def log_loss(
    reference: Ratings,
    system: Ratings,
    *,
    clip: float = ...,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def brier(
    reference: Ratings,
    system: Ratings,
    *,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
def ece(
    reference: Ratings,
    system: Ratings,
    *,
    ties: str = ...,
    seed: int = ...,
    by: Sequence[str] = ...,
) -> Result: ...
