"""How the shared tasks set the matching of mentions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from accord.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What decides which mentions count and which are the same."""

    matching: str = "exact"
    zeros: str = "linear"
    drop_singletons: bool = False
    #: without a head in the file: the first word, as the CorefUD scorer has it
    first_heads: bool = False
    #: which entity counts for a mention that is in several
    repeated: str = "first"
    #: the measures the task reports, its primary score first
    shown: tuple[str, ...] = ("conll", "muc", "b3", "ceaf-e")


_CRAC = ("conll", "muc", "b3", "ceaf-e", "mor", "zero-anaphor")
_CRAC23 = Settings(
    matching="head", drop_singletons=True, first_heads=True, repeated="corefud", shown=_CRAC
)
_CRAC24 = replace(_CRAC23, zeros="dependent")
#: version 1.2 of the CorefUD scorer; the figures of 2022 and 2023 came from 1.0 and 1.1
PRESETS: Mapping[str, Settings] = MappingProxyType(
    {
        "crac": _CRAC24,
        "crac24": _CRAC24,
        "crac23": _CRAC23,
        "crac22": replace(_CRAC23, matching="partial"),
        "conll12": Settings(repeated="conll"),
    }
)


def settings_of(
    preset: str | None,
    *,
    matching: str | None = None,
    zeros: str | None = None,
    drop_singletons: bool | None = None,
    repeated: str | None = None,
    min_spans: bool = False,
) -> Settings:
    """The settings of a preset with what was set otherwise.

    >>> settings_of("crac22", zeros="drop").matching, settings_of(None).matching
    ('partial', 'exact')
    """
    if preset is not None and preset not in PRESETS:
        raise UsageError(f"the preset must be one of {', '.join(PRESETS)}, got {preset!r}")
    base = Settings() if preset is None else PRESETS[preset]
    if min_spans:
        if matching not in (None, "head"):
            raise UsageError(
                f"min_spans matches mentions by their heads, not matching={matching!r}"
            )
        # with one head word per mention, its minimum span is the head
        matching = "head"
    return replace(
        base,
        matching=base.matching if matching is None else matching,
        zeros=base.zeros if zeros is None else zeros,
        drop_singletons=base.drop_singletons if drop_singletons is None else drop_singletons,
        repeated=base.repeated if repeated is None else repeated,
    )
