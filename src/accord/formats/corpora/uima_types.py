"""The type system beside XMI files: the layers that accord writes, with the features they need."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_SEGMENTATION = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
_STRING = "uima.cas.String"
#: names that every annotation has already, or that these layers use themselves
_RESERVED = frozenset(
    {"value", "sofa", "begin", "end", "id", "uiId", "arguments", "Governor", "Dependent"}
)


def feature_name(name: str) -> str:
    """A name that UIMA allows, as near as can be.

    >>> feature_name("Confidence"), feature_name("très sûr"), feature_name("value")
    ('Confidence', 'tr_s_s_r', 'value_')
    """
    safe = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
    if not safe[0].isalpha():
        safe = f"f{safe}"
    return f"{safe}_" if safe in _RESERVED else safe


def type_system(features: Mapping[str, Iterable[str]]) -> str:
    """The description that INCEpTION imports as layers."""
    strings = {layer: dict.fromkeys(names, _STRING) for layer, names in features.items()}
    span = {"value": _STRING, "arguments": "uima.cas.FSArray", **strings.get("Span", {})}
    link = {"role": _STRING, "target": "custom.Span"}
    relation = {
        "Governor": "custom.Span",
        "Dependent": "custom.Span",
        "value": _STRING,
        **strings.get("Relation", {}),
    }
    types = [
        _type("custom.Span", "uima.tcas.Annotation", span),
        _type("custom.SpanArgumentsLink", "uima.cas.TOP", link),
        _type("custom.Relation", "uima.tcas.Annotation", relation),
        _type(f"{_SEGMENTATION}.Sentence", "uima.tcas.Annotation", {}),
        _type(f"{_SEGMENTATION}.Token", "uima.tcas.Annotation", {}),
    ]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier">\n  <types>\n'
        + "".join(types)
        + "  </types>\n</typeSystemDescription>\n"
    )


def _type(name: str, above: str, features: Mapping[str, str]) -> str:
    listed = "".join(
        "        <featureDescription>\n"
        f"          <name>{feature}</name>\n          <description/>\n"
        f"          <rangeTypeName>{kind}</rangeTypeName>\n"
        + (
            "          <elementType>custom.SpanArgumentsLink</elementType>\n"
            if kind == "uima.cas.FSArray"
            else ""
        )
        + "        </featureDescription>\n"
        for feature, kind in features.items()
    )
    inside = f"      <features>\n{listed}      </features>\n" if features else ""
    return (
        f"    <typeDescription>\n      <name>{name}</name>\n      <description/>\n"
        f"      <supertypeName>{above}</supertypeName>\n{inside}    </typeDescription>\n"
    )
