"""What an export says of the units that were read: by name, by their features, by their gaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from accord.data.statements import Said, Statement, by_features, numbered, supported
from accord.formats.export import Export, Mark
from accord.formats.format import ReadOptions


def said_of(
    export: Export, layers: set[str], options: ReadOptions, pick: Callable[[Mark], str | None]
) -> Said:
    """The statements about units of these layers; `pick` gives a unit its label.

    Features that are not the label are attributes of the unit, or of the event that it triggers.
    """
    told = {
        (*key, one.targets[0][1], one.label)
        for key, said in export.statements.items()
        for one in said
        if one.kind == "attribute" and one.targets
    }
    triggered = {
        (*key, one.targets[0][1]): one.name
        for key, said in export.statements.items()
        for one in said
        if one.kind == "event"
    }
    found: dict[tuple[str, str], list[Statement]] = {}
    labels: dict[tuple[str, str, str], str] = {}
    for number, mark in enumerate(export.marks):
        if mark.layer not in layers or (mark.start == mark.end and not options.points):
            continue
        key = (mark.document, mark.annotator)
        pieces = mark.fragments or ((mark.start, mark.end),)
        if len(pieces) > 1 and options.discontinuous != "hull":
            continue
        used = options.feature or export.label_features.get(mark.layer)
        features = {
            feature: value
            for feature, value in (mark.features or {}).items()
            if feature != used and (*key, mark.name, feature) not in told
        }
        if features or len(pieces) > 1 or (mark.name and key in export.statements):
            name = mark.name or f"mark {number}"
            here = found.setdefault(key, [])
            here.append(Statement(name, "unit", pick(mark) or "", places=pieces))
            labels[*key, name] = here[-1].label
            here.extend(by_features(triggered.get((*key, name), name), features))
    for key, said in export.statements.items():
        here = found.setdefault(key, [])
        here.extend(_typed(one, key, labels) for one in said)
        units = {one.name for one in here if one.kind == "unit"}
        standing = supported([one for one in here if one.kind != "unit"], units)
        found[key] = [*(one for one in here if one.kind == "unit"), *standing]
    return {key: numbered(said) for key, said in found.items() if said}


def _typed(
    one: Statement, key: tuple[str, str], labels: Mapping[tuple[str, str, str], str]
) -> Statement:
    """An event without a type has that of its trigger."""
    if one.kind != "event" or one.label or not one.targets:
        return one
    return one._replace(label=labels.get((*key, one.targets[0][1]), ""))
