"""Foreign tests of the tool server: the inspector, the conformance suite, mcpscore, the TypeScript client."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.mcp.endpoint import OAUTH_ADDRESS
from app.platform import settings
from tests.cast import Player
from tests.faults.run import free_port
from tests.mcp.assistant import TOOLS
from tests.mcp.judges.application import FIXTURES
from tests.mcp.judges.conftest import HERE, NODE, Run
from tests.oauth.browser import Assistant, decide, signed_in
from tests.oauth.program import signed_in_by

# One server serves them all.
pytestmark = pytest.mark.xdist_group("judges")

DOCS = (settings.PROJECT / "docs" / "tools.md").read_text("utf-8")
# TypeScript by key, and by sign-in.
_EXAMPLES = re.findall(r"```ts\n(.*?)```", DOCS, re.DOTALL)
# Scenarios that ask for none of the suite's fixtures.
PLAIN = (
    ("2025-11-25", "server-initialize"),
    ("2025-11-25", "ping"),
    ("2025-11-25", "tools-list"),
    ("2025-11-25", "dns-rebinding-protection"),
    ("2026-07-28", "tools-list"),
    ("2026-07-28", "dns-rebinding-protection"),
    ("2026-07-28", "http-header-validation"),
)


@pytest.mark.parametrize("address", ["/api/mcp", "/api/mcp/search"])
def test_the_inspector_finds_no_error_in_a_schema(
    server: str, programs: Path, run: Run, alice: Player, address: str
) -> None:
    done = run(
        *(NODE, programs / ".bin" / "mcp-inspector", "--cli", f"{server}{address}", "--transport", "http"),
        *("--method", "tools/list", "--strict", "--header", f"Authorization: Bearer {alice.key}"),
    )
    assert done.returncode == 0, done.stderr
    names = [tool["name"] for tool in json.loads(done.stdout)["tools"]]
    assert names == (["search", "fetch"] if address.endswith("search") else list(TOOLS))


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_conformance_suite_passes_behind_our_view(
    server: str, programs: Path, run: Run, alice: Player, revision: str
) -> None:
    done = run(
        *(NODE, programs / ".bin" / "conformance", "server", "--requirements", revision),
        *("--url", f"{server}/as/{alice.key}{FIXTURES}"),
        *("--expected-failures", HERE / f"expected_failures.{revision}.yaml"),
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert "=== SUMMARY ===" in done.stdout


@pytest.mark.parametrize(("revision", "scenario"), PLAIN)
def test_our_own_server_passes_what_needs_no_fixture(
    server: str, programs: Path, run: Run, alice: Player, revision: str, scenario: str
) -> None:
    done = run(
        *(NODE, programs / ".bin" / "conformance", "server", "--url", f"{server}/as/{alice.key}/api/mcp"),
        *("--scenario", scenario, "--spec-version", revision),
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    passed = re.search(r"(\d+)/\d+", done.stdout)
    assert passed, done.stdout
    assert int(passed[1]) > 0, done.stdout


def test_the_authorization_server_passes_the_suite(
    app: Flask, server: str, programs: Path, tmp_path: Path, alice: Player
) -> None:
    """The suite asks for a client id, prints an address for a person, and waits for the code."""
    port = free_port()
    body = json.dumps({"redirect_uris": [f"http://127.0.0.1:{port}/callback"]}).encode()
    asked = urllib.request.Request(
        f"{server}/oauth/register", data=body, headers={"Content-Type": "application/json"}
    )
    client_id = json.load(urllib.request.urlopen(asked))["client_id"]
    command = [NODE, programs / ".bin" / "conformance", "authorization", "--url", f"{server}/oauth"]
    command += ["--client-id", client_id, "--resource", f"{server}{OAUTH_ADDRESS}", "--port", str(port)]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        try:
            assert running.stdout is not None
            said = []
            for line in running.stdout:
                said.append(line)
                if line.startswith(f"{server}/portal/authorize?"):
                    answer = decide(signed_in(app, alice, server), line.strip())
                    urllib.request.urlopen(answer.location, timeout=10).read()
            running.wait(30)
        finally:
            running.kill()
    text = "".join(said)
    assert running.returncode == 0, text
    assert "✓ authorization-code-grant" in text, text
    assert "✓ authorization-server-metadata-endpoint" in text, text


@pytest.mark.parametrize("address", ["/api/mcp", OAUTH_ADDRESS])
def test_mcpscore_gives_ninety_and_finds_no_broken_promise(
    app: Flask, server: str, run: Run, alice: Player, address: str, law: None
) -> None:
    token = alice.key if address == "/api/mcp" else _access_token(app, server, alice)
    done = run(
        *(Path(sys.executable).parent / "mcpscore", f"{server}{address}"),
        *("--header", f"Authorization: Bearer {token}"),
        *("--fail-under", "90", "--smoke", "--no-config"),
    )
    assert done.returncode == 0, done.stderr
    score = re.search(r"Final score: (\d+)/(\d+)", done.stderr)
    assert score, done.stderr
    assert int(score[1]) >= 0.9 * int(score[2])


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_typescript_client_prints_a_verdict_in_both_eras(
    server: str, programs: Path, tmp_path: Path, run: Run, alice: Player, mode: str
) -> None:
    by_key, _ = _EXAMPLES
    if mode == "legacy":
        assert ', { versionNegotiation: { mode: "auto" } }' in by_key
        by_key = by_key.replace(', { versionNegotiation: { mode: "auto" } }', "")
    done = run(NODE, _program(by_key, programs, tmp_path), CANDADO_URL=server, CANDADO_KEY=alice.key)
    assert done.returncode == 0, done.stderr
    assert "status: 'verified'" in done.stdout


def test_the_typescript_client_signs_in(
    app: Flask, server: str, programs: Path, tmp_path: Path, alice: Player
) -> None:
    _, by_oauth = _EXAMPLES
    command = [str(NODE), str(_program(by_oauth, programs, tmp_path))]
    assert "status: 'verified'" in signed_in_by(command, app, alice, server)


def _program(text: str, programs: Path, folder: Path) -> Path:
    """Write a program beside the packages; Node.js runs TypeScript, but not from within `node_modules`."""
    (folder / "node_modules").symlink_to(programs)
    made = folder / "example.mts"
    made.write_text(text, "utf-8")
    return made


def _access_token(app: Flask, server: str, player: Player) -> str:
    """An access token for the server's own address."""

    class Elsewhere(Assistant):
        """An assistant that names no resource: it knows the server by another address than this process."""

    client: FlaskClient = app.test_client()
    assistant = Elsewhere(client)
    answer = decide(signed_in(app, player, server), server + assistant.address(resource=None))
    code = re.search(r"[?&]code=([^&]+)", answer.location)
    assert code
    form = {
        "grant_type": "authorization_code",
        "code": code[1],
        "redirect_uri": assistant.callback,
        "client_id": assistant.client_id,
        "code_verifier": assistant.verifier,
    }
    token: str = client.post(f"{server}/oauth/token", data=form).get_json()["access_token"]
    return token
