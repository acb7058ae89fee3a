"""Accounts: a file of names, roles and passwords, hashed with scrypt (RFC 7914)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from accord.errors import InputError, UsageError

Role = Literal["adjudicator", "viewer"]

_N, _R, _P = 2**14, 8, 1


@dataclass(frozen=True, slots=True)
class Person:
    """Who a request comes from; without accounts the name is what the person says it is."""

    name: str | None
    role: Role


class Account(NamedTuple):
    """What the file says of one person."""

    role: Role
    password: str


class Accounts:
    """Who may come in, and as what: the file as it is now, read again whenever it was changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._state = _state(path)
        self._people = read(path)

    @property
    def people(self) -> Mapping[str, Account]:
        """The accounts of this moment; none while the file cannot be read."""
        state = _state(self.path)
        if state != self._state:
            self._state = state
            try:
                self._people = read(self.path)
            except InputError:
                self._people = {}
        return self._people

    def log_in(self, name: str, password: str) -> Account | None:
        """The account, if the password is right; an unknown name takes as long as a known one."""
        account = self.people.get(name)
        right = matches(password, _NOBODY if account is None else account.password)
        return account if right else None


def read(path: Path) -> dict[str, Account]:
    """Read {"name": {"role": "adjudicator", "password": "scrypt$…"}}."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("does not exist", path=path, hint="make it with `add_user=NAME`") from None
    except (OSError, ValueError) as problem:
        raise InputError(f"is no readable file of accounts ({problem})", path=path) from None
    people: dict[str, Account] = {}
    for name, entry in found.items() if isinstance(found, dict) else ():
        role = entry.get("role") if isinstance(entry, dict) else None
        if role not in get_args(Role) or not str(entry.get("password", "")).startswith("scrypt$"):
            raise InputError(
                f"the account of {name!r} needs a role ({', '.join(get_args(Role))}) and a "
                "password as `add_user` writes it",
                path=path,
            )
        people[name] = Account("viewer" if role == "viewer" else "adjudicator", entry["password"])
    if not people:
        raise InputError("has no accounts", path=path, hint="add one with `add_user=NAME`")
    return people


def _state(path: Path) -> tuple[int, ...] | None:
    """What changes when a file is written or replaced."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def add(path: Path, name: str, role: str, password: str) -> None:
    """Write an account, readable by its owner only; one of the same name is replaced."""
    if role not in get_args(Role):
        raise UsageError(f"the role must be {' or '.join(get_args(Role))}, got {role!r}")
    if not name.strip() or len(password) < 8:
        raise UsageError("an account needs a name and a password of 8 characters at least")
    held = {n: account._asdict() for n, account in read(path).items()} if path.exists() else {}
    held[name.strip()] = {"role": role, "password": hashed(password)}
    fresh = path.with_name(path.name + ".new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, stat.S_IRUSR | stat.S_IWUSR)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(held, file, ensure_ascii=False, indent=1)
        file.write("\n")
    fresh.replace(path)


def hashed(password: str) -> str:
    """scrypt$N$r$p$salt$hash."""
    salt = secrets.token_bytes(16)
    key = hashlib.scrypt(password.encode(), salt=salt, n=_N, r=_R, p=_P, dklen=32)
    return "$".join(["scrypt", str(_N), str(_R), str(_P), _text(salt), _text(key)])


def matches(password: str, kept: str) -> bool:
    """Whether this is the password that was hashed."""
    try:
        _, n, r, p, salt, key = kept.split("$")
        wanted = base64.b64decode(key)
        found = hashlib.scrypt(
            password.encode(), salt=base64.b64decode(salt), n=int(n), r=int(r), p=int(p),
            dklen=len(wanted), maxmem=2**27,
        )  # fmt: skip
    except ValueError:
        return False
    return hmac.compare_digest(found, wanted)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


#: what is compared with for a name that nobody has
_NOBODY = "$".join(["scrypt", str(_N), str(_R), str(_P), _text(b"0" * 16), _text(b"0" * 32)])
