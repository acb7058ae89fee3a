"""The application: pages, the API, and what happens when it starts and stops."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from accord.adjudication.campaign import Campaign
from accord.data import Units
from accord.errors import InputError
from accord.gold.consensus import Consensus
from accord.report.explorer import SCRIPTS, explorer
from accord.web.accounts import Accounts
from accord.web.api import Api
from accord.web.discussion import discussion
from accord.web.pages import render, static
from accord.web.safety import Gate, Guard

#: the explorer sets colours on elements; scripts and style sheets stay ours
_EXPLORER = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " \
    "img-src data:; base-uri 'none'; frame-ancestors 'none'"  # fmt: skip


def application(
    campaign: Campaign, gate: Gate, *, accounts: Accounts | None = None, title: str = "accord"
) -> Starlette:
    """An ASGI application that settles this campaign."""
    api = Api(campaign)

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        api.writer.start()
        watch = asyncio.create_task(api.watch())
        yield
        watch.cancel()
        api.events.close()
        await api.writer.stop()

    async def home(request: Request) -> Response:
        token = request.query_params.get("token")
        if request.scope["accord.person"] is None:
            if accounts is not None:
                return RedirectResponse("/login", 303)
            return HTMLResponse(render("closed.html", title=title), 401)
        response = HTMLResponse(
            render(
                "app.html", title=title, shape=campaign.data.shape, accounts=accounts is not None
            )
        )
        if token is not None and gate.token is not None and token == gate.token:
            gate.remember(response, token)
        return response

    async def document(request: Request) -> Response:
        if request.scope["accord.person"] is None:
            return HTMLResponse(render("closed.html", title=title), 401)
        name = request.query_params.get("name", "")
        draft = campaign.draft
        if not isinstance(draft, Consensus) or not isinstance(campaign.data, Units):
            return PlainTextResponse("these data have no alignment to look at", 404)
        found = [a for a in draft.alignments if a.document == name]
        if not found or campaign.blind:
            return PlainTextResponse("there is no alignment of such a document to show", 404)
        packed = await asyncio.to_thread(explorer, campaign.data, found)
        html = render("document.html", title=name, explorer=packed, scripts=SCRIPTS)
        return HTMLResponse(html, headers={"content-security-policy": _EXPLORER})

    async def discuss(request: Request) -> Response:
        if request.scope["accord.person"] is None:
            return HTMLResponse(render("closed.html", title=title), 401)
        who = request.query_params.get("annotator")
        try:
            html = await asyncio.to_thread(discussion, campaign, who)
        except InputError as problem:
            return PlainTextResponse(str(problem), 404)
        return HTMLResponse(html)

    async def login(request: Request) -> Response:
        if accounts is None:
            return RedirectResponse("/", 303)
        wrong = False
        if request.method == "POST":
            form = parse_qs((await request.body()).decode("utf-8", "replace"))
            name, password = (form.get(k, [""])[0] for k in ("name", "password"))
            # hashing takes its time on purpose: not on the loop that serves everybody
            person = await asyncio.to_thread(accounts.log_in, name, password)
            if person is not None:
                response = RedirectResponse("/", 303)
                gate.remember(response, gate.open_session(person))
                return response
            wrong = True
        return HTMLResponse(render("login.html", title=title, wrong=wrong), 401 if wrong else 200)

    async def logout(request: Request) -> Response:
        gate.sessions.pop(request.cookies.get(gate.cookie, ""), None)
        response = RedirectResponse("/login", 303)
        response.delete_cookie(gate.cookie, path="/")
        return response

    async def icon(request: Request) -> Response:
        return Response(status_code=204)

    return Starlette(
        routes=[
            Route("/", home),
            Route("/document", document),
            Route("/discussion", discuss),
            Route("/login", login, methods=["GET", "POST"]),
            Route("/logout", logout, methods=["POST"]),
            Route("/static/{name}", static),
            Route("/favicon.ico", icon),
            *api.routes(),
        ],
        middleware=[Middleware(Guard, gate=gate)],
        lifespan=life,
    )
