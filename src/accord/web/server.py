"""Listening: where, under which safeguards, and saying when it is ready."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from accord.adjudication.campaign import Campaign
from accord.errors import InputError, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """Where a server listens."""

    host: str = "127.0.0.1"
    port: int = 0
    #: when the port is taken, take any
    or_any: bool = False
    users: Path | None = None
    tls_certificate: Path | None = None
    tls_key: Path | None = None
    #: names of this machine, as its users write them
    names: tuple[str, ...] = ()
    #: the address under which a proxy that adds TLS shows this server: https://name
    behind_proxy: str | None = None

    def check(self) -> None:
        """Beyond this machine only with accounts, and never in the clear."""
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise UsageError("`tls_certificate` and `tls_key` belong together")
        for path in (self.tls_certificate, self.tls_key):
            if path is not None and not path.is_file():
                raise InputError("does not exist", path=path)
        outside = urlsplit(self.behind_proxy or "https://proxy")
        if not outside.netloc or outside.scheme not in ("http", "https"):
            raise UsageError(
                f"`behind_proxy` must be an address, https://name, got {self.behind_proxy!r}"
            )
        if outside.scheme == "http" and not (self.local and _loopback(outside.hostname or "")):
            raise UsageError(
                f"`behind_proxy={self.behind_proxy}` would send passwords and decisions in the clear; "
                "only https:// is safe beyond this machine"
            )
        if self.local:
            return
        if self.users is None:
            raise UsageError(
                f"`host={self.host}` is reachable from other machines: it needs accounts (`users=FILE`)"
            )
        if self.tls_certificate is None and self.behind_proxy is None:
            raise UsageError(
                f"`host={self.host}` is reachable from other machines: it needs `tls_certificate` and "
                "`tls_key`, or `behind_proxy=https://NAME` for a proxy that adds them"
            )

    @property
    def local(self) -> bool:
        return _loopback(self.host)


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Running(Protocol):
    """A server that can be told to stop."""

    should_exit: bool


def serve(
    campaign: Campaign,
    listen: Listen,
    *,
    title: str = "accord",
    lang: str = "en",
    browser: bool = False,
    ready: Callable[[str, str], None],
    started: Callable[[Running], None] | None = None,
) -> None:
    """Serve until interrupted; `ready` gets the address and the token once requests are answered.

    `browser` opens the page then. `started` gets the server itself, for who wants to stop it from
    another thread.
    """
    listen.check()
    import uvicorn

    from accord.web import connections
    from accord.web.accounts import Accounts
    from accord.web.app import application
    from accord.web.browser import open_page
    from accord.web.gate import Gate
    from accord.web.guards import local_names
    from accord.web.log import sparing

    accounts = None if listen.users is None else Accounts(listen.users)
    strangers = connections.strangers(proxied=listen.behind_proxy is not None)
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    door = connections.Listening(family, socket.SOCK_STREAM)
    door.strangers = strangers
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        try:
            door.bind((listen.host, listen.port))
        except OSError:
            if not listen.or_any:
                raise
            door.bind((listen.host, 0))
    except OSError as problem:
        raise UsageError(
            f"cannot listen on {listen.host}:{listen.port} ({problem.strerror}); "
            "choose another `port`, or 0 for any"
        ) from None
    port = int(door.getsockname()[1])
    scheme = "https" if listen.tls_certificate is not None else "http"
    hosts, origins = local_names(listen.host, port, scheme, listen.names)
    if listen.behind_proxy is not None:
        outside = urlsplit(listen.behind_proxy)
        hosts |= {outside.netloc.lower()}
        origins |= {f"{outside.scheme}://{outside.netloc}".lower()}
    shown = f"[{listen.host}]" if ":" in listen.host else listen.host
    address = f"{(listen.behind_proxy or f'{scheme}://{shown}:{port}').rstrip('/')}/"
    gate = Gate(cookie=f"accord-{port}", accounts=accounts, secure=address.startswith("https:"),
                proxied=listen.behind_proxy is not None)  # fmt: skip
    app = application(campaign, gate, names=(hosts, origins), title=title, lang=lang)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, lifespan="on",
        ssl_certfile=listen.tls_certificate, ssl_keyfile=listen.tls_key, loop="asyncio", ws="none",
        http=type("Connection", (connections.Connection,), {"strangers": strangers}),
        # who may say for whom it speaks is decided by the gate
        proxy_headers=False,
        timeout_graceful_shutdown=2, h11_max_incomplete_event_size=64 * 1024,
    )  # fmt: skip

    class Server(uvicorn.Server):
        opened: Callable[[], None] | None = None

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            token = "" if accounts is not None else gate.token
            ready(address, token)
            if browser:
                page = f"{address}?token={token}" if token else address
                self.opened = open_page(page, gate.entered)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if self.opened is not None:
                self.opened()
            await super().shutdown(sockets)

    door.listen(512)
    server = Server(config)
    if started is not None:
        started(server)
    with sparing("uvicorn.error", "asyncio"):
        server.run([door])
