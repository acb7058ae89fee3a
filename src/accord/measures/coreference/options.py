"""What the measures of chains can be told."""

from accord.measures.coreference.set_distances import DISTANCES
from accord.options import BY, JOBS, PROGRESS, SEED, Option

__all__ = [
    "ACROSS",
    "AVERAGE",
    "BY",
    "DISTANCE",
    "DROP_SINGLETONS",
    "EXPECTED",
    "JOBS",
    "MATCHING",
    "MENTIONS",
]
__all__ += ["MIN_SPANS", "MISSING_DOCUMENTS", "OVERLAP", "PRESET", "PROGRESS", "REPEATED"]
__all__ += ["SCORE", "SEED", "WORDS", "ZEROS"]

DROP_SINGLETONS = Option(
    "drop_singletons",
    bool,
    "Leave out entities of one mention (some presets do).",
    signed="singletons",
)
MATCHING = Option(
    "matching",
    str,
    "When two mentions are the same; head and partial need heads, as in CorefUD. Without it: that "
    "of the preset, or exact.",
    choices=("exact", "head", "partial"),
)
ZEROS = Option(
    "zeros",
    str,
    "Mentions whose head is an empty node: at their place, matched by what they depend on, or left "
    "out. Without it: that of the preset, or linear.",
    choices=("linear", "dependent", "drop"),
)
PRESET = Option(
    "preset",
    str,
    "Matching, zeros and singletons as a shared task sets them, where not set otherwise.",
    choices=("crac", "crac24", "crac23", "crac22", "conll12"),
)
REPEATED = Option(
    "repeated",
    str,
    "A mention in several entities of one side: in the one opened first, as the CoNLL scorer 8.01 "
    "counts it, or as the CorefUD scorer does. Without it: that of the preset, or first.",
    choices=("first", "conll", "corefud"),
)
MIN_SPANS = Option(
    "min_spans",
    bool,
    "Mentions are the same when their minimum spans are: their heads, as CorefUD files have them.",
    default=False,
)
ACROSS = Option(
    "across",
    str,
    "Entities cross documents: corpus, or the column that says which documents belong together "
    "(a topic).",
)
MISSING_DOCUMENTS = Option(
    "missing_documents",
    str,
    "A document on one side only: an error, or it counts as empty.",
    default="error",
    choices=("error", "empty"),
    signed="missing",
)
AVERAGE = Option(
    "average",
    str,
    "Documents put together: counts summed (official), or the mean of their scores.",
    default="micro",
    choices=("micro", "macro"),
)
DISTANCE = Option(
    "distance",
    str,
    "Distance between the entities that two annotators give a mention.",
    default="passonneau",
    choices=tuple(DISTANCES),
)
EXPECTED = Option(
    "expected",
    str,
    "Chance for each document by itself, or over the corpus.",
    default="document",
    choices=("document", "corpus"),
)
WORDS = Option(
    "words",
    str,
    "Both sides must have the same words, or only as many of them (other spellings, normalisation).",
    default="same",
    choices=("same", "ignore"),
)
MENTIONS = Option(
    "mentions",
    str,
    "Mentions of two annotators are the same when their words are, or also when they nearly are.",
    default="exact",
    choices=("exact", "near"),
)
OVERLAP = Option(
    "overlap",
    float,
    "How much of two near mentions must be common (Dice coefficient).",
    default=0.5,
    least=0,
    most=1,
)
#: all that a score of a key and a response can be told
SCORE = (
    *(DROP_SINGLETONS, MATCHING, MIN_SPANS, ZEROS, REPEATED, PRESET),
    *(WORDS, MISSING_DOCUMENTS, ACROSS, AVERAGE, BY),
)
