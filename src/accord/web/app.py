"""The application: pages, the API, and what happens when it starts and stops."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator
from dataclasses import replace
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from accord.adjudication.campaign import Campaign
from accord.data import Units
from accord.data.vocabulary import vocabulary
from accord.errors import InputError
from accord.gold.consensus import Consensus
from accord.language import Translator, page_script, translator
from accord.report.explorer import SCRIPTS, explorer
from accord.web.accounts import Accounts
from accord.web.api import Api
from accord.web.attempts import Attempts
from accord.web.discussion import discussion
from accord.web.pages import render, static
from accord.web.safety import Gate, Guard

#: the explorer sets colours on elements; scripts and style sheets stay ours
_EXPLORER = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " \
    "img-src data:; base-uri 'none'; frame-ancestors 'self'"  # fmt: skip
#: pages of documents that are kept: the next card is mostly of the same one
_MOST_PAGES = 16


def _with_texts(campaign: Campaign) -> Units:
    """The data with the texts that were given beside them, for the explorer to show."""
    data = campaign.data
    assert isinstance(data, Units)
    held = data.texts or (None,) * len(data.documents)
    given = campaign.deck.texts
    texts = tuple(given.get(d, t) for d, t in zip(data.documents, held, strict=True))
    return replace(data, texts=texts) if any(t is not None for t in texts) else data


def _in_language(page: str, say: Translator) -> str:
    """The page in its language, with the script that translates what other scripts write."""
    if say.lang == "en":
        return page
    return say.html(page).replace("</title>", '</title>\n<script src="/language.js"></script>', 1)


def application(
    campaign: Campaign,
    gate: Gate,
    *,
    accounts: Accounts | None = None,
    title: str = "accord",
    lang: str = "en",
) -> Starlette:
    """An ASGI application that settles this campaign."""
    api = Api(campaign)
    attempts = Attempts()
    pages: dict[str, str] = {}
    names = vocabulary(campaign.data) | {title}
    say = translator(lang, names)

    def shown(template: str, **values: object) -> str:
        return _in_language(render(template, **values), say)

    async def language(request: Request) -> Response:
        return Response(page_script(lang, names), media_type="text/javascript; charset=utf-8")

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
            return HTMLResponse(shown("closed.html", title=title), 401)
        response = HTMLResponse(
            shown("app.html", title=title, shape=campaign.data.shape, accounts=accounts is not None)
        )
        if token is not None and gate.token is not None and token == gate.token:
            gate.remember(response, token)
        return response

    async def document(request: Request) -> Response:
        if request.scope["accord.person"] is None:
            return HTMLResponse(shown("closed.html", title=title), 401)
        name = request.query_params.get("name", "")
        draft = campaign.draft
        if not isinstance(draft, Consensus) or not isinstance(campaign.data, Units):
            return PlainTextResponse("these data have no alignment to look at", 404)
        found = [a for a in draft.alignments if a.document == name]
        if not found or campaign.blind:
            return PlainTextResponse("there is no alignment of such a document to show", 404)
        embedded = request.query_params.get("embedded") == "1"
        key = f"{embedded} {name}"
        if key not in pages:
            packed = await asyncio.to_thread(explorer, _with_texts(campaign), found)
            html = shown(
                "document.html", title=name, explorer=packed, scripts=SCRIPTS, embedded=embedded
            )
            while len(pages) >= _MOST_PAGES:
                del pages[next(iter(pages))]
            pages[key] = html
        # the card shows this page in a frame of its own
        return HTMLResponse(pages[key], headers={"content-security-policy": _EXPLORER})

    async def discuss(request: Request) -> Response:
        if request.scope["accord.person"] is None:
            return HTMLResponse(shown("closed.html", title=title), 401)
        who = request.query_params.get("annotator")
        try:
            html = await asyncio.to_thread(discussion, campaign, who)
        except InputError as problem:
            return PlainTextResponse(str(problem), 404)
        return HTMLResponse(say.html(html))

    async def login(request: Request) -> Response:
        if accounts is None:
            return RedirectResponse("/", 303)
        if request.method != "POST":
            return HTMLResponse(shown("login.html", title=title, problem=""))
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        name, password = (form.get(k, [""])[0] for k in ("name", "password"))
        address = gate.address(request)
        seconds = math.ceil(attempts.wait(name, address))
        if seconds:
            problem = f"Too many wrong passwords: try again in {seconds} seconds."
            html = shown("login.html", title=title, problem=problem)
            return HTMLResponse(html, 429, headers={"retry-after": str(seconds)})
        # counted before it is known, so that many at once are not tried for one
        attempts.wrong(name, address)
        # hashing takes its time on purpose: not on the loop that serves everybody
        person = await asyncio.to_thread(accounts.log_in, name, password)
        if person is None:
            problem = "The name or the password is not right."
            return HTMLResponse(shown("login.html", title=title, problem=problem), 401)
        attempts.right(name, address)
        response = RedirectResponse("/", 303)
        gate.remember(response, gate.open_session(person))
        return response

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
            Route("/language.js", language),
            Route("/static/{name}", static),
            Route("/favicon.ico", icon),
            *api.routes(),
        ],
        middleware=[Middleware(Guard, gate=gate)],
        lifespan=life,
    )
