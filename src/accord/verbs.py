"""Packages that are also the function they are named after: ``accord.audit(data)``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import Signature, signature
from types import ModuleType


class Verb(ModuleType):
    """A package that can be called; it calls its function of the same name."""

    def __call__(self, *given: object, **named: object) -> object:
        return self._function(*given, **named)

    @property
    def __signature__(self) -> Signature:
        """What editors and notebooks show of the function."""
        return signature(self._function)

    @property
    def _function(self) -> Callable[..., object]:
        found: Callable[..., object] = getattr(self, self.__name__.rpartition(".")[2])
        return found


def is_verb(package: str) -> None:
    """Let the package be called: to be said at the end of its ``__init__``."""
    sys.modules[package].__class__ = Verb
