"""Names of the field that are no measure here: one sentence each, what to use instead and why."""

from __future__ import annotations

from collections.abc import Mapping

from accord.errors import RefusedError

#: the names, and what is said to who asks for one of them
_SENTENCES: Mapping[str, str] = {
    "holsti cr coefficient-of-reliability": "Holsti's coefficient is the raw share of agreement: use "
    "percent, and alpha beside it, which corrects for chance",
    "perreault-leigh perreault-leigh-ir": "Perreault and Leigh's I_r is the square root of s: use s, "
    "or alpha, whose chance comes from the data",
    "maxwell-re janson-vegelius": "Maxwell's RE is s with two categories: use s",
    "iaa irr icr inter-annotator inter-rater intercoder inter-annotator-agreement "
    "inter-rater-reliability inter-rater-agreement intercoder-reliability reliability agreement": "agreement "
    "is the question: accord agree chooses the measure that suits the data, such as alpha for ratings "
    "and gamma for units",
    "intra-annotator intra-rater intra-coder test-retest retest stability": "an annotator is "
    "compared with an earlier round: use accord agree with `by=repeats` and `duplicates=first` where the "
    "table has both answers, or name the rounds as two annotators",
    "dice sorensen-dice dice-coefficient dsc": "the Dice coefficient of two annotators is their "
    "F-measure: use pairwise-f1 or f1 (units), box-f1 (boxes), or alpha with `metric=jaccard` or "
    "`metric=masi` (sets of labels)",
    "iou jaccard-index intersection-over-union": "overlap is what boxes are matched by: use box-f1 with "
    "`iou`, or box-gamma, which needs no threshold; for sets of labels alpha with `metric=jaccard`",
    "oks pck keypoints object-keypoint-similarity": "keypoints are not read: use box-gamma on the boxes "
    "around them, or pycocotools for OKS",
    "staple": "STAPLE estimates annotators' errors on pixels: for one label per item accord gold with "
    "`method=dawid-skene` is the same model; for masks use SimpleITK",
    "easydiag": "EasyDIAg matches units that share 60 % of their time, then takes κ: use gamma, which "
    "aligns units without such a threshold, and gamma-cat for their labels alone",
    "elo glicko trueskill bradley-terry": "Elo depends on the order of the games: accord prefer ranks by "
    "the Bradley–Terry model, with intervals and ties",
    "ap ap50 ap75 map coco-ap average-precision mean-average-precision box-ap": "average precision "
    "needs the confidence of every detection, which annotators do not have: use box-gamma (agreement) "
    "or box-f1 (agreement, and a system at one threshold); for systems with confidences "
    "faster-coco-eval computes COCO's AP (pip install faster-coco-eval)",
    "auc roc-auc auroc pr-auc": "the area under a curve ranks items by a confidence: use brier or "
    "log-loss for probabilities of labels, scikit-learn for the curve",
    "mcc matthews phi": "the correlation of two binary columns is near kappa where both say yes equally "
    "often: use kappa between annotators, f1-macro for a system",
    "balanced-accuracy": "balanced accuracy is the mean recall of the classes: use recall with "
    "`average=macro`",
    "kendall-tau tau tau-b": "for agreement on an order use kendall-w, for a system's numbers spearman",
    "r-wg rwg": "r_wg compares a variance with that of random answers, item by item: use icc-a, or alpha "
    "with `metric=interval`, which compare with the items' own variance",
    "bleu rouge meteor chrf bertscore comet": "this compares texts, not annotations of them: use "
    "sacrebleu or the metric's own package, and accord agree on people's ratings of the texts",
    "wer cer word-error-rate": "this compares transcripts, not annotations of them: use jiwer; of "
    "labelled spans ser is the error rate",
    "der jer diarization-error-rate": "this compares who speaks when up to the names: use "
    "pyannote.metrics; among annotators gamma on the turns, for named spans ser",
}
_SENTENCE = {name: sentence for names, sentence in _SENTENCES.items() for name in names.split()}


def refuse_elsewhere(name: str) -> None:
    """Refuse a name of the field that is no measure here, and say what to use instead.

    >>> refuse_elsewhere("holsti")
    Traceback (most recent call last):
    ...
    accord.errors.RefusedError: no measure is called holsti: Holsti's coefficient is the raw share of ...
    >>> refuse_elsewhere("alpha")
    """
    if name in _SENTENCE:
        raise RefusedError(f"no measure is called {name}: {_SENTENCE[name]}")
