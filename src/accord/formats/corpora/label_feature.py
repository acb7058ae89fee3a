"""Which feature of a layer holds its label, the same for every format of UIMA and WebAnno."""

from __future__ import annotations

from collections.abc import Iterable

from accord.formats.export import Export

#: the features that people mean, first choice first; otherwise the one that most marks have
_PREFERRED = ("value", "label", "PosValue", "identifier", "referenceType", "category", "type")
_OF_RELATIONS = ("DependencyType", "relationType")


def preferred(features: Iterable[str]) -> str | None:
    """The feature that people mean by the label, of those of one annotation."""
    names = list(features)
    chosen = [f for f in (*_PREFERRED, *_OF_RELATIONS) if f in names]
    return next(iter(chosen or names), None)


def label_layers(export: Export) -> None:
    """Choose the feature that holds the labels of each layer, and label the marks with it."""
    counts: dict[str, dict[str, int]] = {}
    for mark in export.marks:
        here = counts.setdefault(mark.layer, {})
        for name in mark.features or ():
            here[name] = here.get(name, 0) + 1
    for layer, features in counts.items():
        if features and layer not in export.label_features:
            preferred = [f for f in _PREFERRED if f in features]
            most = max(features, key=lambda f: features[f])
            export.label_features[layer] = preferred[0] if preferred else most
    for i, mark in enumerate(export.marks):
        if mark.label is None:
            feature = export.label_features.get(mark.layer)
            # a layer without any feature says all by its name
            label = (
                mark.layer.rpartition(".")[2]
                if feature is None
                else (mark.features or {}).get(feature)
            )
            if label is not None:
                export.marks[i] = mark._replace(label=label)
