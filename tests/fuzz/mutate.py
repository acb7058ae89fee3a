"""Damage to files, as discs, editors, converters and malice do it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

#: words that have broken parsers before
_WORDS = [
    b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\t", b"|", b"_", b"*", b"->", b"[",
    b"]", b"{", b"}", b"\\", b'"', b"'", b"<", b">", b"&", b"&amp;", b"&x;", b"<![CDATA[", b"]]>",
    b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"<!-- ", b"<?xml", b"-1", b"0", b"1e999", b"NaN", b"Infinity",
    b"99999999999999999999999", b"9" * 400, b"1.5", b"null", b"true", b"[]", b"{}", b'""', b"\\ud83e",
    "🥳".encode(), "e\u0301".encode(), "\u2028".encode(), b"\xf0\x9f", b"T1\t", b"#Text=", b"#T_SP=",
    b"start", b"end", b"SPEAKER", b"xml:id", b"PK\x03\x04", b";;", b"<NA>",
]  # fmt: skip

_VALUES: list[Any] = [
    None, True, 0, -1, 1.5, 1e308, 10**30, "", "x", "🥳", "\ud83e", [], [[]], [None], {}, {"a": {}},
    [[0, 1, "x"]], {"start": 0, "end": 10**9}, "2", [1, "a", None, {}],
]  # fmt: skip


def damaged(data: bytes, rng: random.Random) -> bytes:
    """One to four random changes."""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        data = rng.choice(_CHANGES)(data, rng)
    return data[: 1 << 16]


def _place(data: bytes, rng: random.Random) -> int:
    return rng.randrange(len(data) + 1)


def _flip(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return data
    i = rng.randrange(len(data))
    return data[:i] + bytes([rng.randrange(256)]) + data[i + 1 :]


def _cut(data: bytes, rng: random.Random) -> bytes:
    i, j = sorted((_place(data, rng), _place(data, rng)))
    return data[:i] + data[min(j, i + rng.choice([1, 5, 50, 5000])) :]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    i = _place(data, rng)
    piece = data[i : i + rng.choice([1, 10, 100, 1000])]
    return data[:i] + piece * rng.choice([2, 3, 20]) + data[i:]


def _insert(data: bytes, rng: random.Random) -> bytes:
    i = _place(data, rng)
    return data[:i] + rng.choice(_WORDS) + data[i:]


def _truncate(data: bytes, rng: random.Random) -> bytes:
    return data[: _place(data, rng)]


def _swap_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines)


def _change_number(data: bytes, rng: random.Random) -> bytes:
    places = [i for i, b in enumerate(data) if 48 <= b <= 57]
    if not places:
        return data
    i = rng.choice(places)
    j = i
    while j < len(data) and 48 <= data[j] <= 57:
        j += 1
    return data[:i] + rng.choice([b"0", b"1", b"7", b"-3", b"99999", b"9" * 20, b"1e5"]) + data[j:]


def _change_word(data: bytes, rng: random.Random) -> bytes:
    i = _place(data, rng)
    j = i
    while j < len(data) and data[j] not in b" \t\n\"'<>=,:[]{}":
        j += 1
    return data[:i] + rng.choice(_WORDS) + data[j:]


def _change_json(data: bytes, rng: random.Random) -> bytes:
    """Replace or remove one value of a JSON document or line."""
    lines = data.split(b"\n")
    k = rng.randrange(len(lines))
    whole = data if rng.random() < 0.5 else lines[k]
    try:
        value = json.loads(whole)
    except ValueError:
        return _insert(data, rng)
    holders: list[Any] = [[value]]
    for holder in holders:
        inner = holder.values() if isinstance(holder, dict) else holder
        holders.extend(v for v in inner if isinstance(v, (dict, list)))
    holder = rng.choice(holders)
    if not holder:
        return data
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    key = rng.choice(keys)
    if rng.random() < 0.3 and holder is not holders[0]:
        del holder[key]
    else:
        holder[key] = rng.choice(_VALUES)
    changed = json.dumps(holders[0][0]).encode()
    if whole is data:
        return changed
    lines[k] = changed
    return b"\n".join(lines)


_CHANGES: list[Callable[[bytes, random.Random], bytes]] = [
    _flip, _cut, _repeat, _insert, _truncate, _swap_lines, _change_number, _change_word,
    _change_json, _change_json,
]  # fmt: skip
