"""The flow of the official client, with nothing but the address of the OAuth endpoint to begin with."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from flask import Flask
from mcp.client import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from tests.cast import Player
from tests.mcp.assistant import LEGACY, MODERN, TOOLS, listening
from tests.oauth.browser import decide, signed_in


class Storage:
    """The client's memory."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@pytest.mark.parametrize("mode", [MODERN, "legacy"])
def test_the_official_client_connects_by_itself(app: Flask, alice: Player, mode: str) -> None:
    assert LEGACY
    storage, led = Storage(), {}

    async def work(url: str) -> Any:
        browser = signed_in(app, alice, url)

        async def redirect(address: str) -> None:
            answer = await asyncio.to_thread(decide, browser, address)
            led.update({k: v[0] for k, v in parse_qs(urlsplit(answer.location).query).items()})

        async def callback() -> AuthorizationCodeResult:
            return AuthorizationCodeResult(code=led["code"], state=led["state"], iss=led["iss"])

        auth = OAuthClientProvider(
            server_url=f"{url}/api/mcp/connect",
            client_metadata=OAuthClientMetadata(
                client_name="Official", redirect_uris=["http://127.0.0.1:3030/callback"]
            ),
            storage=storage,
            redirect_handler=redirect,
            callback_handler=callback,
        )
        async with httpx2.AsyncClient(auth=auth, timeout=60) as http:
            transport = streamable_http_client(f"{url}/api/mcp/connect", http_client=http)
            async with Client(transport, mode=mode) as client:
                found = await client.list_tools()
                return found, await client.call_tool("list_jurisdictions", {})

    with listening(app) as url:
        found, result = asyncio.run(work(url))
    assert [tool.name for tool in found.tools] == list(TOOLS)
    assert not result.is_error
    assert storage.tokens is not None
    assert storage.tokens.scope == "mcp"
