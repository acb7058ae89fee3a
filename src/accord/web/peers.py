"""Which user of this machine is at the other end of a connection, where the system tells: on Linux."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
#: the state of a connection that both ends hold: what is half closed names its user no more
_ESTABLISHED = "01"


def user_of(there: tuple[Any, ...], here: tuple[Any, ...]) -> str:
    """The number of the user who holds the other end; "" for another machine or system."""
    try:
        far, near = _written(there), _written(here)
    except (OSError, ValueError, TypeError):  # not of the internet
        return ""
    for table in _TABLES:
        try:
            lines = table.read_text("ascii").splitlines()[1:]
        except (OSError, ValueError):
            continue
        for line in lines:
            # slot, their own address, the address they speak to, state, …, user
            cells = line.split()
            if cells[3] == _ESTABLISHED and cells[1].endswith(far) and cells[2].endswith(near):
                return cells[7]
    return ""


def _written(address: tuple[Any, ...]) -> str:
    """An address as these tables write it, of IPv4 without what stands before it in the table of IPv6."""
    host, port = address[:2]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    packed = socket.inet_pton(family, host)
    words = [packed[i : i + 4] for i in range(0, len(packed), 4)]
    ordered = (word[::-1] if sys.byteorder == "little" else word for word in words)
    return f"{b''.join(ordered).hex().upper()}:{port:04X}"
