"""Connections of people nobody knows yet: so many, for so long, and no longer than others need the place.

A connection is a stranger's until a request on it shows a token that is good. Strangers' connections
are few in all and from one address; one more ends the oldest of the address that has the most, so
that whoever asks now is heard. Connections of people we know are never counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from accord.web.peers import user_of

#: strangers' connections in all, and from one address
MOST, EACH = 512, 128
#: seconds within which a connection must show who it is, and for which it is not ended for others of
#: its address: many that come at the same moment are heard, one after the other
SECONDS, PATIENCE = 20.0, 1.0
#: descriptors that strangers leave to files and to people we know, at least
_SPARE = 256

#: host and port of the other side, as the system tells them
Peer = tuple[Any, ...]


@dataclass(slots=True)
class Strangers:
    """The connections of those who have not shown who they are, by host, the oldest first."""

    most: int = MOST
    each: int = EACH
    seconds: float = SECONDS
    patience: float = PATIENCE
    _held: dict[Any, dict[Peer, tuple[Callable[[], object], asyncio.TimerHandle]]] = field(
        default_factory=dict
    )

    def add(self, peer: Peer, end: Callable[[], object]) -> None:
        """Hold one more, or learn a better way to end it; beyond a limit the oldest goes."""
        held = self._held.setdefault(peer[0], {})
        if peer in held:
            held[peer] = end, held[peer][1]
            return
        loop = asyncio.get_running_loop()
        held[peer] = end, loop.call_later(self.seconds, self._end, peer)
        if len(held) > self.each:
            loop.call_later(self.patience, self._thin, peer[0])
        if sum(map(len, self._held.values())) > self.most:
            crowd = max(self._held, key=lambda host: len(self._held[host]))
            self._end(next(iter(self._held[crowd])))

    def discard(self, peer: Peer) -> None:
        """Count it no longer: it is gone, or known."""
        held = self._held.get(peer[0], {})
        if peer in held:
            held.pop(peer)[1].cancel()
        if not held:
            self._held.pop(peer[0], None)

    def _thin(self, host: Any) -> None:
        while len(held := self._held.get(host, {})) > self.each:
            self._end(next(iter(held)))

    def _end(self, peer: Peer) -> None:
        end, _ = self._held[peer[0]][peer]
        self.discard(peer)
        with contextlib.suppress(OSError):
            end()


class Listening(socket.socket):
    """A socket whose connections are counted from the first moment: before TLS has begun, too."""

    strangers: Strangers

    def accept(self) -> tuple[socket.socket, Any]:
        made, peer = super().accept()
        self.strangers.add(peer, lambda: made.shutdown(socket.SHUT_RDWR))
        return made, peer


class Connection(H11Protocol):
    """HTTP on one connection, which is a stranger's until it is known."""

    strangers: ClassVar[Strangers]

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.peer: Peer = transport.get_extra_info("peername") or ("",)
        self.here: Peer = transport.get_extra_info("sockname") or ("",)
        self.asked, self.app = self.app, self._with_connection
        self.strangers.add(self.peer, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self.known()
        super().connection_lost(exc)

    def known(self) -> None:
        """Whoever asks has shown who they are."""
        self.strangers.discard(self.peer)

    @cached_property
    def user(self) -> str:
        """The user of this machine who asks, where the system tells."""
        return user_of(self.peer, self.here)

    async def _with_connection(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["accord.connection"] = self
        await self.asked(scope, receive, send)


def strangers(*, proxied: bool = False) -> Strangers:
    """Room for as many as the system gives; a proxy brings everybody from one address, its own."""
    most = max(64, min(MOST, _descriptors() - _SPARE))
    return Strangers(most=most, each=most if proxied else min(most, EACH))


def _descriptors() -> int:
    """How many files and connections this process may hold: all that it may ask for."""
    try:
        import resource
    except ImportError:  # Windows holds as many as memory does
        return 4096
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # (no limit is the largest number on some systems, and -1 on others)
    wanted = min((n for n in (4096, hard) if n >= 0), default=4096)
    if 0 <= soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return soft if soft >= 0 else wanted
