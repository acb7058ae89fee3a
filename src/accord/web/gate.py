"""Who a request comes from: the server's token, or the sessions of those who logged in."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

from starlette.requests import HTTPConnection
from starlette.responses import Response

from accord.web.accounts import Account, Accounts, Person

#: seconds after which a session ends: without a request, and in any case
IDLE, LONGEST = 12 * 3600.0, 7 * 24 * 3600.0
#: sessions of one account; one more ends the oldest of the same account
EACH = 20


@dataclass(slots=True)
class _Session:
    name: str
    account: Account
    user: str
    began: float
    seen: float


@dataclass(slots=True, kw_only=True)
class Gate:
    """What a request must show to be known.

    Without accounts there is one random token, in the address at first and then in the cookie; with
    accounts, one for each session, which ends with time and with the account as it was.
    """

    cookie: str
    accounts: Accounts | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    secure: bool = False
    #: a proxy stands before us and says who its clients are
    proxied: bool = False
    now: Callable[[], float] = time.monotonic
    #: somebody came in by the address with the token
    entered: threading.Event = field(default_factory=threading.Event)
    _sessions: dict[bytes, _Session] = field(default_factory=dict)

    def person(self, request: HTTPConnection, *, waking: bool = True) -> Person | None:
        """Whoever shows a token that is good, or nobody; `waking` counts it as a sign of life."""
        shown = self.shown(request)
        if self.accounts is None:
            good = self.opens(shown) or _same(shown, self.pass_of(request))
            return Person(None, "adjudicator") if good else None
        session = self._sessions.get(_key(shown))
        if session is None or session.user != user_of(request) or not self._lasts(session):
            return None
        if waking:
            session.seen = self.now()
        return Person(session.name, session.account.role)

    def opens(self, shown: str) -> bool:
        """Whether this is the token of a server without accounts."""
        return self.accounts is None and _same(shown, self.token)

    def pass_of(self, request: HTTPConnection) -> str:
        """What the cookie holds instead of the token: good for the user of this machine who got it.

        A browser shows its cookies to every port of this machine, and others may serve there.
        """
        return hmac.digest(self.token.encode(), user_of(request).encode(), "sha256").hex()

    def shown(self, request: HTTPConnection) -> str:
        """The token that a request shows, in a header, in the page's address or in the cookie."""
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and bearer.strip():
            return bearer.strip()
        asked = request.query_params.get("token") if request.scope["path"] == "/" else None
        return asked or request.cookies.get(self.cookie, "")

    def address(self, request: HTTPConnection) -> str:
        """Where a request comes from; a proxy of ours names its client last, after what it was told."""
        told = ",".join(request.headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
        if self.proxied and told:
            return told[:100]
        return request.client.host if request.client is not None else ""

    def open_session(self, name: str, account: Account, user: str = "") -> str:
        """A token for somebody who logged in, good for this `user` of the machine."""
        key, now = secrets.token_urlsafe(24), self.now()
        self._sessions = {k: s for k, s in self._sessions.items() if self._lasts(s)}
        own = [k for k, s in self._sessions.items() if s.name == name]
        for old in own[: max(0, len(own) - EACH + 1)]:
            del self._sessions[old]
        self._sessions[_key(key)] = _Session(name, account, user, now, now)
        return key

    def close_session(self, request: HTTPConnection) -> None:
        """Forget the session that a request shows."""
        self._sessions.pop(_key(self.shown(request)), None)

    def remember(self, response: Response, token: str) -> None:
        """Set the cookie: for this site only, out of reach of scripts."""
        response.set_cookie(
            self.cookie, token, httponly=True, samesite="strict", secure=self.secure, path="/"
        )

    def was_here(self, request: HTTPConnection, name: str) -> str | None:
        """The mark of a browser in which this person was before: others' wrong passwords are not its own."""
        account = self.accounts.people.get(name) if self.accounts is not None else None
        shown = request.cookies.get(f"{self.cookie}-here", "")
        known = account is not None and _same(shown, _mark(name, account))
        return shown if known else None

    def remember_browser(self, response: Response, name: str, account: Account) -> None:
        """Mark the browser of somebody who logged in, until the password changes."""
        response.set_cookie(
            f"{self.cookie}-here", _mark(name, account), max_age=180 * 24 * 3600, httponly=True,
            samesite="strict", secure=self.secure, path="/login",
        )  # fmt: skip

    def _lasts(self, session: _Session) -> bool:
        now = self.now()
        assert self.accounts is not None
        return (
            now - session.seen < IDLE
            and now - session.began < LONGEST
            and self.accounts.people.get(session.name) == session.account
        )


def user_of(request: HTTPConnection) -> str:
    """The user of this machine who asks, where the system tells."""
    connection = request.scope.get("accord.connection")
    return "" if connection is None else str(connection.user)


def _same(shown: str, good: str) -> bool:
    return hmac.compare_digest(shown.encode(), good.encode())


def _mark(name: str, account: Account) -> str:
    """What only this server can say of somebody with this password."""
    return hmac.digest(account.password.encode(), name.encode("utf-8", "replace"), "sha256").hex()


def _key(token: str) -> bytes:
    """What a token is looked up by; how long that takes tells nothing of the others."""
    return sha256(token.encode("utf-8", "replace")).digest()
