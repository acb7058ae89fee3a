"""Coreference: entities of a key and a response compared, all from one contingency table."""

from accord.measures.coreference.chain_alpha import chain_alpha
from accord.measures.coreference.entities import (
    b3,
    ceaf_e,
    ceaf_m,
    conll,
    entity_f,
    lea,
    mention_detection,
    muc,
)
from accord.measures.coreference.links import blanc, blanc_luo
from accord.measures.coreference.overlap import mor
from accord.measures.coreference.pairwise import mention_gamma, mention_u_alpha, pairwise
from accord.measures.coreference.partitions import (
    ari,
    b3_jaccard,
    ceaf_m_jaccard,
    merge_split,
    nid,
    nvi,
    pair_jaccard,
    rand,
    split_join,
    vi,
    vi_scaled,
)
from accord.measures.coreference.references import bridging, split_antecedent
from accord.measures.coreference.zeros import zero_anaphor

__all__ = [
    "ari",
    "b3",
    "b3_jaccard",
    "blanc",
    "blanc_luo",
    "bridging",
    "ceaf_e",
    "ceaf_m",
    "ceaf_m_jaccard",
    "chain_alpha",
    "conll",
    "entity_f",
    "lea",
    "mention_detection",
    "mention_gamma",
    "mention_u_alpha",
    "merge_split",
    "mor",
    "muc",
    "nid",
    "nvi",
    "pair_jaccard",
    "pairwise",
    "rand",
    "split_antecedent",
    "split_join",
    "vi",
    "vi_scaled",
    "zero_anaphor",
]
