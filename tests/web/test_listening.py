"""Where a server may listen, and whom it believes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accord.errors import UsageError
from accord.web.accounts import add
from accord.web.server import Listen
from tests.served import ratings_file, serving


@pytest.mark.parametrize(
    ("proxy", "host", "allowed"),
    [
        ("https://lab.example.org", "127.0.0.1", True), ("https://lab.example.org", "0.0.0.0", True),
        ("http://localhost:8080", "127.0.0.1", True), ("http://127.0.0.1:8080", "localhost", True),
        ("http://[::1]:8080", "::1", True),
        ("http://lab.example.org", "127.0.0.1", False), ("http://lab.example.org", "0.0.0.0", False),
        ("http://localhost:8080", "0.0.0.0", False), ("http://localhost.example.org", "127.0.0.1", False),
        ("http://127.0.0.1.example.org", "127.0.0.1", False), ("http://10.0.0.1", "127.0.0.1", False),
        ("ftp://lab.example.org", "127.0.0.1", False), ("lab.example.org", "127.0.0.1", False),
        ("//lab.example.org", "127.0.0.1", False), ("https://", "127.0.0.1", False),
    ],
)  # fmt: skip
def test_a_proxy_in_the_clear_is_for_this_machine_alone(
    proxy: str, host: str, allowed: bool, tmp_path: Path
) -> None:
    place = Listen(host=host, behind_proxy=proxy, users=tmp_path / "users.json")
    if allowed:
        place.check()
    else:
        with pytest.raises(UsageError, match="behind_proxy"):
            place.check()


def test_an_address_is_believed_from_a_declared_proxy_alone(tmp_path: Path) -> None:
    """Whoever tries passwords says to be somebody else each time, as in front of a whole server."""
    users, data = tmp_path / "users.json", ratings_file(tmp_path)
    add(users, "ann", "adjudicator", "correct horse")

    def tries(client: Any) -> list[int]:
        found = []
        for k in range(8):
            more = {"X-Forwarded-For": f"9.9.9.{k}", "X-Forwarded-Proto": "https",
                    "Content-Type": "application/x-www-form-urlencoded"}  # fmt: skip
            body = f"name=nobody{k}&password=wrong".encode()
            found.append(client.ask("/login", raw=body, headers=more, token=None)[0])
        return found

    arguments = ("--decisions", tmp_path / "c.db", "--users", users)
    with serving(data, *arguments) as client:
        assert tries(client) == [401] * 6 + [429] * 2
