"""Sample programs for a request, in the languages of `recipes`, derived from OpenAPI. Pure.

Each reads `API_KEY` from its environment and uses only its language's standard library. `BASE` is replaced by
the service's address when a page is served.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

from app.portal.docs.recipes import TONGUES, Tongue

BASE = "@BASE@"
# The file that a sample uploads.
_UPLOADED = "contract.pdf"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_IN_PYTHON = {"true": "True", "false": "False", "null": "None"}
_BARE = re.compile(r"true|false|null|-?[0-9][0-9.eE+-]*")


@dataclass(frozen=True, slots=True)
class JsonToken:
    """A token of JSON for syntax highlighting."""

    kind: Literal["name", "string", "bare", ""]
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """A request: `path` without placeholders, `query` as strings, `body` as JSON or `None`.

    `upload` is the part of a multipart body that a file goes into, "" where none is sent.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    upload: str = ""
    needs_key: bool = True
    # An Idempotency-Key goes with it, new each time.
    once: bool = False
    accept: str = "application/json"
    # Whether anything comes back in the body.
    answers: bool = True

    @property
    def is_file(self) -> bool:
        """Whether the answer is saved to a file."""
        return not self.accept.endswith("json")


def programs(request: Request) -> Mapping[Tongue, str]:
    """Return the program for `request` in each language."""
    write = {"curl": _curl, "python": _python, "typescript": _typescript}
    return {tongue: write[tongue](request) for tongue in TONGUES}


def pretty(value: Any, indent: int = 2) -> str:
    """Return `value` as indented JSON; a string is returned unchanged."""
    return value if isinstance(value, str) else json.dumps(value, indent=indent, ensure_ascii=False)


def json_tokens(text: str) -> tuple[JsonToken, ...]:
    """Split indented JSON into tokens for highlighting; joined they are `text` again."""
    found: list[JsonToken] = []
    at = 0
    for string in _STRING.finditer(text):
        found += _bare(text[at : string.start()])
        found.append(JsonToken("name" if text.startswith(":", string.end()) else "string", string[0]))
        at = string.end()
    return tuple(found + _bare(text[at:]))


def _bare(text: str) -> list[JsonToken]:
    found: list[JsonToken] = []
    at = 0
    for word in _BARE.finditer(text):
        found += [JsonToken("", text[at : word.start()]), JsonToken("bare", word[0])]
        at = word.end()
    return [ink for ink in (*found, JsonToken("", text[at:])) if ink.text]


def address(template: str, values: Mapping[str, str]) -> str:
    """Fill in the parameters of a path template."""
    for name, value in values.items():
        template = template.replace("{" + name + "}", quote(value, safe=""))
    return template


def _file(request: Request) -> str:
    endings = {"application/pdf": "pdf", "text/csv": "csv"}
    return "answer." + endings.get(request.accept, "bin")


def _curl(request: Request) -> str:
    flags = ["-G"] if request.query else []
    has_body = request.body is not None or bool(request.upload)
    if request.method != "GET" and not (request.method == "POST" and has_body):
        flags.append(f"-X {request.method}")
    parts = [" ".join(["curl -sS", *flags, shlex.quote(BASE + request.path)])]
    parts += [f"--data-urlencode {shlex.quote(f'{name}={value}')}" for name, value in request.query.items()]
    if request.needs_key:
        parts.append('-H "Authorization: Bearer $API_KEY"')
    if request.once:
        parts.append('-H "Idempotency-Key: $(uuidgen)"')
    if request.body is not None:
        parts.append('-H "Content-Type: application/json"')
        # Between the shell's apostrophes there can be none; JSON has another spelling for it.
        parts.append("-d '" + pretty(request.body).replace("'", "\\u0027") + "'")
    if request.upload:
        parts.append(f"-F {request.upload}=@{_UPLOADED}")
    if request.is_file:
        parts.append(f"-o {_file(request)}")
    return " \\\n  ".join(parts)


def _python(request: Request) -> str:
    modules = ["urllib.request"]
    headers = []
    if request.needs_key:
        modules.append("os")
        headers.append('"Authorization": f"Bearer {os.environ[\'API_KEY\']}",')
    if request.once:
        modules.append("uuid")
        headers.append('"Idempotency-Key": str(uuid.uuid4()),')
    if request.body is not None:
        headers.append('"Content-Type": "application/json",')
    if request.upload:
        modules.append("secrets")
        headers.append('"Content-Type": f"multipart/form-data; boundary={boundary}",')
    if request.body is not None or (request.answers and not request.is_file):
        modules.append("json")
    if request.query:
        modules.append("urllib.parse")
    lines = ["import " + ", ".join(sorted(modules)), "", f'url = "{BASE}{request.path}"']
    where = "url"
    if request.query:
        lines.append(f"query = urllib.parse.urlencode({_literal(dict(request.query))})")
        where = 'url + "?" + query'
    if request.body is not None:
        lines.append(f"body = {_literal(request.body)}")
    if request.upload:
        lines += [
            "boundary = secrets.token_hex(16)",
            f'with open("{_UPLOADED}", "rb") as file:',
            "    part = (",
            '        f"--{boundary}\\r\\n"',
            f'        \'Content-Disposition: form-data; name="{request.upload}"; filename="{_UPLOADED}"\'',
            '        "\\r\\n\\r\\n"',
            "    )",
            '    body = part.encode() + file.read() + f"\\r\\n--{boundary}--\\r\\n".encode()',
        ]
    lines += ["request = urllib.request.Request(", f"    {where},"]
    if request.method != "GET":
        lines.append(f'    method="{request.method}",')
    if request.body is not None:
        lines.append("    data=json.dumps(body).encode(),")
    if request.upload:
        lines.append("    data=body,")
    if headers:
        lines += ["    headers={", *(f"        {line}" for line in headers), "    },"]
    lines += [")", "with urllib.request.urlopen(request, timeout=120) as answer:"]
    if not request.answers:
        lines.append("    print(answer.status)")
    elif request.is_file:
        lines += [f'    with open("{_file(request)}", "wb") as file:', "        file.write(answer.read())"]
    else:
        lines.append("    print(json.load(answer))")
    return "\n".join(lines)


def _literal(value: Any) -> str:
    """Return a JSON value as a Python literal."""
    return "".join(
        _IN_PYTHON.get(ink.text, ink.text) if ink.kind == "bare" else ink.text
        for ink in json_tokens(pretty(value, 4))
    )


def _typescript(request: Request) -> str:
    lines = []
    helpers = [*(["readFile"] if request.upload else []), *(["writeFile"] if request.is_file else [])]
    if helpers:
        lines += [f'import {{ {", ".join(helpers)} }} from "node:fs/promises";', ""]
    if request.upload:
        lines += [
            "const body = new FormData();",
            f'body.append("{request.upload}", new Blob([await readFile("{_UPLOADED}")]), "{_UPLOADED}");',
        ]
    where = f'"{BASE}{request.path}"'
    if request.query:
        lines += [f"const query = new URLSearchParams({pretty(dict(request.query))});"]
        where = f"`{BASE}{request.path}?${{query}}`"
    lines.append(f"const answer = await fetch({where}, {{")
    if request.method != "GET":
        lines.append(f'  method: "{request.method}",')
    headers = []
    if request.needs_key:
        headers.append("Authorization: `Bearer ${process.env.API_KEY}`,")
    if request.once:
        headers.append('"Idempotency-Key": crypto.randomUUID(),')
    if request.body is not None:
        headers.append('"Content-Type": "application/json",')
    if headers:
        lines += ["  headers: {", *(f"    {line}" for line in headers), "  },"]
    if request.body is not None:
        lines.append(f"  body: JSON.stringify({pretty(request.body)}),".replace("\n", "\n  "))
    if request.upload:
        lines.append("  body,")
    lines += ["});", "if (!answer.ok) throw new Error(await answer.text());"]
    if not request.answers:
        lines.append("console.log(answer.status);")
    elif request.is_file:
        lines.append(f'await writeFile("{_file(request)}", Buffer.from(await answer.arrayBuffer()));')
    else:
        lines.append("console.log(await answer.json());")
    return "\n".join(lines)
