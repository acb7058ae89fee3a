"""What tests ask of the source of the package."""

from __future__ import annotations

import ast


def docstrings_of(tree: ast.AST) -> set[int]:
    """The nodes (by identity) that are docstrings of a module, a class or a function."""
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
