"""How archives are packed, and how they are unpacked without ever filling the machine."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import PurePosixPath

from accord.errors import InputError, missing_dependency

#: bytes that all entries of an archive may expand to, together
BUDGET = 4 << 30
#: an entry that expands more than this many times, to more than a megabyte, is a bomb
RATIO = 400
_MEGABYTE = 1 << 20
#: the number of Zstandard among the ways to pack a member of a zip
ZSTANDARD = 93


def packing(head: bytes) -> str | None:
    """The kind of archive that begins so: zip, gzip or tar (also within bz2 and xz)."""
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return "zip"
    if head[:3] == b"\x1f\x8b\x08":
        return "gzip"
    if head[257:262] == b"ustar":
        return "tar"
    return "tar" if head[:3] == b"BZh" or head[:6] == b"\xfd7zXZ\0" else None


def gunzip(data: bytes, where: str, budget: list[int]) -> bytes:
    """All members of a gzip file, never more than the budget has left."""
    pieces: list[bytes] = []
    found = 0
    while data:
        stream = zlib.decompressobj(wbits=31)
        rest = data
        try:
            while rest and not stream.eof:
                pieces.append(stream.decompress(rest, _MEGABYTE))
                rest = stream.unconsumed_tail
                found += len(pieces[-1])
                _refuse_bomb(found, len(data), "", where)
                _spend(budget, len(pieces[-1]), where)
        except zlib.error as problem:
            raise InputError(f"cannot be unpacked ({problem})", path=where) from None
        if not stream.eof:
            raise InputError("ends too early: the gzip file is cut off", path=where)
        data = stream.unused_data.lstrip(b"\0")
    return b"".join(pieces)


def zstandard_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """A member packed in the way that Python's own zip reader learns with 3.14."""
    try:
        import zstandard
    except ImportError:
        raise missing_dependency("zstandard", "logs", "reading zips of Zstandard") from None
    file = archive.fp
    if file is None:
        raise InputError("is closed")
    file.seek(member.header_offset)
    header = file.read(30)
    file.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), 1)
    packed = io.BytesIO(file.read(member.compress_size))
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
            # never more than the declared size, which the budget has counted
            return bytes(stream.read(member.file_size))
    except zstandard.ZstdError as problem:
        raise ValueError(str(problem)) from None


def safe_parts(name: str, where: str) -> tuple[str, ...]:
    """The parts of a member's name, which must stay inside of the archive."""
    name = name.replace("\\", "/")
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or (parts and parts[0].endswith(":")):
        raise InputError(f"has an entry that climbs out of the archive: {name!r}", path=where)
    return parts


def charge(budget: list[int], expanded: int, packed: int, name: str, where: str) -> None:
    """Count what an entry expands to; refuse a bomb, and what is beyond the budget of all."""
    _refuse_bomb(expanded, packed, name, where)
    _spend(budget, expanded, where)


def _refuse_bomb(expanded: int, packed: int, name: str, where: str) -> None:
    """Refuse what expands beyond all measure."""
    if expanded > _MEGABYTE and expanded > RATIO * max(packed, 1):
        raise InputError(
            f"has an entry that expands {expanded // max(packed, 1)} times, like a zip bomb"
            + (f": {name!r}" if name else ""),
            path=where,
            hint="unpack it yourself if you trust it",
        )


def _spend(budget: list[int], size: int, where: str) -> None:
    """Refuse to go on when nothing is left of the budget."""
    budget[0] -= size
    if budget[0] < 0:
        raise InputError(
            f"expands to more than {BUDGET >> 30} GB", path=where, hint="unpack it yourself"
        )
