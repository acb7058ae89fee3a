"""Validate → store → flush to disk → acknowledge, many people's decisions in one write.

Flushing to disk takes milliseconds whatever the size. While one write is under way the decisions
that arrive wait together and become the next: nobody waits for more than two, and each is
acknowledged when it is on the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from accord.gold.decisions import ConflictError, Decision

Outcome = Decision | ConflictError


class Writer:
    """One task that stores what others hand in."""

    def __init__(
        self,
        store: Callable[[Sequence[Decision]], list[Outcome]],
        stored: Callable[[], None],
    ) -> None:
        self._store, self._stored = store, stored
        self._waiting: asyncio.Queue[tuple[list[Decision], asyncio.Future[list[Outcome]]]] = (
            asyncio.Queue()
        )
        self._task: asyncio.Task[None] | None = None
        # of its own: no other work keeps a decision waiting
        self._hand = ThreadPoolExecutor(1, "writer")

    async def decide(self, decisions: Sequence[Decision]) -> list[Outcome]:
        """Hand in; returns when all are on the disk (or refused)."""
        if not decisions:
            return []
        done: asyncio.Future[list[Outcome]] = asyncio.get_running_loop().create_future()
        await self._waiting.put((list(decisions), done))
        # a client that goes away does not take the decision back
        return await asyncio.shield(done)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._hand.shutdown()

    async def _run(self) -> None:
        while True:
            batch = [await self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            decisions = [d for wanted, _ in batch for d in wanted]
            try:
                loop = asyncio.get_running_loop()
                outcomes = await loop.run_in_executor(self._hand, self._store, decisions)
            except Exception as problem:
                for _, done in batch:
                    if not done.done():
                        done.set_exception(problem)
                continue
            self._stored()
            first = 0
            for wanted, done in batch:
                if not done.done():
                    done.set_result(outcomes[first : first + len(wanted)])
                first += len(wanted)
