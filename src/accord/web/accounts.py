"""Accounts: a file of names, roles and passwords, hashed with scrypt (RFC 7914)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from accord.errors import InputError, UsageError
from accord.web.safety import Person, Role

_N, _R, _P = 2**14, 8, 1


@dataclass(frozen=True, slots=True)
class Accounts:
    """Who may come in, and as what."""

    people: dict[str, tuple[Role, str]]

    @classmethod
    def read(cls, path: Path) -> Accounts:
        """Read {"name": {"role": "adjudicator", "password": "scrypt$…"}}."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(
                "does not exist", path=path, hint="make it with `add_user=NAME`"
            ) from None
        except (OSError, ValueError) as problem:
            raise InputError(f"is no readable file of accounts ({problem})", path=path) from None
        people: dict[str, tuple[Role, str]] = {}
        for name, entry in found.items() if isinstance(found, dict) else ():
            role = entry.get("role") if isinstance(entry, dict) else None
            if role not in get_args(Role) or not str(entry.get("password", "")).startswith(
                "scrypt$"
            ):
                raise InputError(
                    f"the account of {name!r} needs a role ({', '.join(get_args(Role))}) and a "
                    "password as `add_user` writes it",
                    path=path,
                )
            known: Role = "viewer" if role == "viewer" else "adjudicator"
            people[name] = (known, entry["password"])
        if not people:
            raise InputError("has no accounts", path=path, hint="add one with `add_user=NAME`")
        return cls(people)

    def log_in(self, name: str, password: str) -> Person | None:
        """The person, if the password is right; an unknown name takes as long as a known one."""
        role, kept = self.people.get(name, ("viewer", _NOBODY))
        right = matches(password, kept)
        return Person(name, role) if right and name in self.people else None


def add(path: Path, name: str, role: str, password: str) -> None:
    """Write an account, readable by its owner only; one of the same name is replaced."""
    if role not in get_args(Role):
        raise UsageError(f"the role must be {' or '.join(get_args(Role))}, got {role!r}")
    if not name.strip() or len(password) < 8:
        raise UsageError("an account needs a name and a password of 8 characters at least")
    held = {}
    if path.exists():
        held = {n: {"role": r, "password": p} for n, (r, p) in Accounts.read(path).people.items()}
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
