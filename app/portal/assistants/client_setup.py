"""Set-up of each assistant and official client, by sign-in (OAuth) and by API key, to be copied. Pure.

docs/tools.md has the same texts to copy, which a test compares and, where they are programs, runs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flask_babel import lazy_gettext as _

from app.portal.web.display.labels import Words

# Replaced by the address of the service, the prefix of its keys, and its name, also in variables.
EXAMPLE_ADDRESS, EXAMPLE_KEY, EXAMPLE_NAME = "https://law.example.com", "svc_…", "candado"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text to copy, and the file, program or language that it is for."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class SetupMethod:
    """One way to connect: steps for a person, what to copy, and the steps `after` that."""

    steps: Sequence[Words]
    snippet: Snippet
    after: Sequence[Words] = ()


@dataclass(frozen=True, slots=True)
class Client:
    """An assistant: its ways to connect. `note` says what it does not take."""

    name: str
    oauth: SetupMethod
    key: SetupMethod
    note: Words | None = None


_OAUTH_ADDRESS = Snippet("URL", f"{EXAMPLE_ADDRESS}/api/mcp/connect")
_SIGN_IN = _("Sign in here when you are asked to, and choose what the assistant may do.")
_RUN_KEY = _("Set CANDADO_URL to the address of this service and CANDADO_KEY to your key, then run it.")
_RUN_OAUTH = _("Set CANDADO_URL to the address of this service, run it, and open the address that it prints.")

_DESKTOP_KEY = """\
{
  "mcpServers": {
    "candado": {
      "command": "npx",
      "args": [
        "-y", "mcp-remote", "https://law.example.com/api/mcp", "--header", "Authorization:${CANDADO_AUTH}"
      ],
      "env": {"CANDADO_AUTH": "Bearer svc_…"}
    }
  }
}"""
_CODE_OAUTH = "claude mcp add --transport http candado https://law.example.com/api/mcp/connect"
_CODE_KEY = (
    "claude mcp add --transport http candado https://law.example.com/api/mcp "
    '--header "Authorization: Bearer $CANDADO_KEY"'
)
_CHATGPT_KEY = """\
{"type": "mcp", "server_label": "candado", "server_url": "https://law.example.com/api/mcp",
 "authorization": "svc_…", "require_approval": "never"}"""
_CURSOR_OAUTH = """\
{
  "mcpServers": {
    "candado": {
      "url": "https://law.example.com/api/mcp/connect"
    }
  }
}"""
_CURSOR_KEY = """\
{
  "mcpServers": {
    "candado": {
      "url": "https://law.example.com/api/mcp",
      "headers": {"Authorization": "Bearer ${env:CANDADO_KEY}"}
    }
  }
}"""
_VSCODE_OAUTH = """\
{
  "servers": {
    "candado": {
      "type": "http",
      "url": "https://law.example.com/api/mcp/connect"
    }
  }
}"""
_VSCODE_KEY = """\
{
  "inputs": [{"type": "promptString", "id": "candado-key", "description": "API key", "password": true}],
  "servers": {
    "candado": {
      "type": "http",
      "url": "https://law.example.com/api/mcp",
      "headers": {"Authorization": "Bearer ${input:candado-key}"}
    }
  }
}"""
_PYTHON_KEY = """\
import asyncio, os

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

URL, KEY = os.environ["CANDADO_URL"], os.environ["CANDADO_KEY"]


async def main() -> None:
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}, timeout=120) as http:
        async with Client(streamable_http_client(f"{URL}/api/mcp", http_client=http)) as client:
            found = await client.call_tool(
                "verify_citation", {"citation": "art. 1902 CC", "jurisdiction": "ES"}
            )
            print(found.structured_content["status"], found.structured_content["depth"])


asyncio.run(main())"""
_PYTHON_OAUTH = """\
import asyncio, os
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl, urlsplit

import httpx2
from mcp.client import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

URL = os.environ["CANDADO_URL"] + "/api/mcp/connect"


class Callback(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.answer = dict(parse_qsl(urlsplit(self.path).query))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Connected. You can close this page.")


class Memory:  # write what it holds to a file to stay connected
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def main() -> None:
    server = HTTPServer(("127.0.0.1", 0), Callback)

    async def redirect(address: str) -> None:
        print("Open", address, flush=True)

    async def callback() -> AuthorizationCodeResult:
        await asyncio.to_thread(server.handle_request)
        answer = server.answer
        return AuthorizationCodeResult(code=answer["code"], state=answer["state"], iss=answer["iss"])

    auth = OAuthClientProvider(
        server_url=URL,
        client_metadata=OAuthClientMetadata(
            client_name="Example", redirect_uris=[f"http://127.0.0.1:{server.server_port}/callback"]
        ),
        storage=Memory(),
        redirect_handler=redirect,
        callback_handler=callback,
    )
    async with httpx2.AsyncClient(auth=auth, timeout=120) as http:
        async with Client(streamable_http_client(URL, http_client=http)) as client:
            found = await client.call_tool(
                "verify_citation", {"citation": "art. 1902 CC", "jurisdiction": "ES"}
            )
            print(found.structured_content["status"], found.structured_content["depth"])


asyncio.run(main())"""
_TYPESCRIPT_KEY = """\
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const transport = new StreamableHTTPClientTransport(new URL(`${process.env.CANDADO_URL}/api/mcp`), {
  requestInit: { headers: { Authorization: `Bearer ${process.env.CANDADO_KEY}` } },
});
const client = new Client({ name: "example", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
await client.connect(transport);
const found = await client.callTool({
  name: "verify_citation",
  arguments: { citation: "art. 1902 CC", jurisdiction: "ES" },
});
console.log(found.structuredContent);
await client.close();"""
_TYPESCRIPT_OAUTH = """\
import { once } from "node:events";
import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";

const url = new URL(`${process.env.CANDADO_URL}/api/mcp/connect`);
const server = createServer((_, response) => response.end("Connected. You can close this page."));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const redirectUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}/callback`;
const kept: Record<string, any> = {}; // write it to a file to stay connected
const authProvider = {
  redirectUrl,
  clientMetadata: { client_name: "Example", redirect_uris: [redirectUrl] },
  clientInformation: () => kept.client,
  saveClientInformation: (client: any) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens: any) => void (kept.tokens = tokens),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
  redirectToAuthorization: (address: URL) => console.log("Open", address.href),
};
const transport = () => new StreamableHTTPClientTransport(url, { authProvider });
const client = new Client({ name: "example", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
const first = transport();
try {
  await client.connect(first);
} catch (error) {
  if (!(error instanceof UnauthorizedError)) throw error;
  const [request] = await once(server, "request");
  await first.finishAuth(new URL(request.url, redirectUrl).searchParams);
  await client.connect(transport());
}
const found = await client.callTool({
  name: "verify_citation",
  arguments: { citation: "art. 1902 CC", jurisdiction: "ES" },
});
console.log(found.structuredContent);
await client.close();
server.close();"""

_CLIENTS = {
    "claude": Client(
        "Claude",
        SetupMethod(
            [
                _("In Claude on the web or in Claude Desktop, open Settings, then Connectors."),
                _("Choose “Add custom connector”, enter this address, and choose “Connect”."),
            ],
            _OAUTH_ADDRESS,
            [_SIGN_IN],
        ),
        SetupMethod(
            [
                _("In Claude Desktop, open Settings, Developer, “Edit Config”. Node.js must be installed."),
                _("Add this to claude_desktop_config.json, with your key in it, and start Claude again."),
            ],
            Snippet("claude_desktop_config.json", _DESKTOP_KEY),
        ),
        _("Claude on the web takes no API key."),
    ),
    "claude-code": Client(
        "Claude Code",
        SetupMethod(
            [_("Run this in a terminal.")],
            Snippet("sh", _CODE_OAUTH),
            [_("In Claude Code, enter /mcp and choose “Authenticate”."), _SIGN_IN],
        ),
        SetupMethod([_("Run this in a terminal, with your key in CANDADO_KEY.")], Snippet("sh", _CODE_KEY)),
    ),
    "chatgpt": Client(
        "ChatGPT",
        SetupMethod(
            [
                _("In ChatGPT on the web, open Settings, Apps & Connectors, and turn developer mode on."),
                _("Create a connector with this address and OAuth as its authentication."),
            ],
            _OAUTH_ADDRESS,
            [_SIGN_IN],
        ),
        SetupMethod(
            [_("In a request to OpenAI's Responses API, add this to “tools”, with your key in it.")],
            Snippet("json", _CHATGPT_KEY),
            [_("For its research models, use the address that ends in /api/mcp/search.")],
        ),
        _("ChatGPT itself takes no API key; OpenAI's API does."),
    ),
    "cursor": Client(
        "Cursor",
        SetupMethod(
            [_("Add this to ~/.cursor/mcp.json.")],
            Snippet("mcp.json", _CURSOR_OAUTH),
            [_("In Cursor's settings, under MCP, choose “Needs login”."), _SIGN_IN],
        ),
        SetupMethod(
            [_("Add this to ~/.cursor/mcp.json, and set CANDADO_KEY in the environment of Cursor.")],
            Snippet("mcp.json", _CURSOR_KEY),
        ),
    ),
    "vscode": Client(
        "VS Code",
        SetupMethod(
            [_("Add this to .vscode/mcp.json and choose “Start” above it.")],
            Snippet(".vscode/mcp.json", _VSCODE_OAUTH),
            [_SIGN_IN],
        ),
        SetupMethod(
            [_("Add this to .vscode/mcp.json and choose “Start” above it. VS Code asks for the key once.")],
            Snippet(".vscode/mcp.json", _VSCODE_KEY),
        ),
    ),
    "python": Client(
        "Python",
        SetupMethod(
            [_("Install the official package “mcp” from PyPI."), _RUN_OAUTH], Snippet("python", _PYTHON_OAUTH)
        ),
        SetupMethod(
            [_("Install the official package “mcp” from PyPI."), _RUN_KEY], Snippet("python", _PYTHON_KEY)
        ),
    ),
    "typescript": Client(
        "TypeScript",
        SetupMethod(
            [_("Install the official package “@modelcontextprotocol/client” from npm."), _RUN_OAUTH],
            Snippet("typescript", _TYPESCRIPT_OAUTH),
        ),
        SetupMethod(
            [_("Install the official package “@modelcontextprotocol/client” from npm."), _RUN_KEY],
            Snippet("typescript", _TYPESCRIPT_KEY),
        ),
    ),
}
NAMES: Mapping[str, str] = {code: client.name for code, client in _CLIENTS.items()}


def client(code: str, *, name: str, address: str, key_prefix: str) -> Client:
    """Return the set-up of an assistant, with this service's name and address and its keys' beginning.

    Args:
        code: One of `NAMES`.
        name: Name of the service as the member knows it.
        address: Base URL of the service, without a slash at the end.
        key_prefix: First characters of an API key.
    """
    found = _CLIENTS[code]
    values = {
        EXAMPLE_ADDRESS: address,
        EXAMPLE_KEY: f"{key_prefix}…",
        EXAMPLE_NAME: server_name(name),
        EXAMPLE_NAME.upper(): server_name(name).upper().replace("-", "_"),
    }
    oauth, key = (
        replace(
            way,
            snippet=replace(way.snippet, text=_filled(way.snippet.text, values)),
            steps=[_filled(str(step), values) for step in way.steps],
        )
        for way in (found.oauth, found.key)
    )
    return replace(found, oauth=oauth, key=key)


def server_name(name: str) -> str:
    """Return a name of the service as assistants' files take it: lower-case ASCII words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    # Variables of the environment begin with a letter.
    return words if words[:1].isalpha() else f"legal-{words}".strip("-")


def _filled(text: str, values: Mapping[str, str]) -> str:
    # In one pass: an address may contain the example of a name.
    return re.sub("|".join(map(re.escape, values)), lambda found: values[found[0]], text)
