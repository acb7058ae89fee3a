"""The version, alone in its module so that the build can read it without importing anything."""

__version__ = "0.1.0"


def compiled() -> bool:
    """Whether the kernels were compiled when this copy was installed; else they run as plain Python."""
    from importlib.machinery import EXTENSION_SUFFIXES
    from pathlib import Path

    built = Path(__file__).parent / "kernels"
    return any(path.name.endswith(tuple(EXTENSION_SUFFIXES)) for path in built.iterdir())
