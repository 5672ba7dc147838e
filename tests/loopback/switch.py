"""One server for many small tests: starting one takes longer than most of them."""

from starlette.types import ASGIApp, Receive, Scope, Send


class Switch:
    """An application that hands requests on to another one, which may be changed between requests."""

    def __init__(self) -> None:
        self.app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        assert self.app is not None, "no application is set"
        await self.app(scope, receive, send)
