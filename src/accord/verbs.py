"""Packages that are also the function they are named after: ``accord.audit(data)``."""

from __future__ import annotations

import sys
from types import ModuleType


class Verb(ModuleType):
    """A package that can be called; it calls its function of the same name."""

    def __call__(self, *given: object, **named: object) -> object:
        return getattr(self, self.__name__.rpartition(".")[2])(*given, **named)


def is_verb(package: str) -> None:
    """Let the package be called: to be said at the end of its ``__init__``."""
    sys.modules[package].__class__ = Verb
