"""Requests as programs: they are what they seem, in each language, whatever they carry."""

from __future__ import annotations

import ast
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from werkzeug.formparser import FormDataParser

from app.portal.docs.reference.samples import Request, address, json_tokens, pretty, programs

NASTY = {"text": 'it\'s "so" \\ $HOME `id` \n<b>', "n": [1, -2.5e3, True, False, None], "true": "null 7"}


def arguments(program: str) -> list[str]:
    """What the shell hands to curl."""
    script = 'curl() { printf "%s\\0" "$@"; }; uuidgen() { echo made-once; }; API_KEY=svc_1\n' + program
    done = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, check=True)
    return done.stdout.split("\0")[:-1]


def test_curl_sends_the_very_body_from_any_shell() -> None:
    sent = arguments(programs(Request("POST", "/a", body=NASTY, once=True))["curl"])
    assert sent[:2] == ["-sS", "@BASE@/a"]
    assert json.loads(sent[sent.index("-d") + 1]) == NASTY
    assert "Authorization: Bearer svc_1" in sent
    assert "Idempotency-Key: made-once" in sent


def test_curl_encodes_the_query_and_names_the_method_that_is_not_its_own() -> None:
    sent = arguments(programs(Request("DELETE", "/a", {"id": "art. 5 & it's"}, needs_key=False))["curl"])
    assert sent == ["-sS", "-G", "-X", "DELETE", "@BASE@/a", "--data-urlencode", "id=art. 5 & it's"]
    assert arguments(programs(Request("GET", "/a", needs_key=False))["curl"]) == ["-sS", "@BASE@/a"]
    assert "POST" in arguments(programs(Request("POST", "/a"))["curl"])


def test_python_holds_the_very_body() -> None:
    tree = ast.parse(programs(Request("PATCH", "/a", {"q": "ñ&"}, NASTY, once=True))["python"])
    assigned: dict[str, Any] = {
        node.targets[0].id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    assert ast.literal_eval(assigned["body"]) == NASTY
    assert ast.literal_eval(assigned["query"].args[0]) == {"q": "ñ&"}


def test_typescript_holds_the_very_body() -> None:
    program = programs(Request("PUT", "/a", body=NASTY))["typescript"]
    told = program.split("JSON.stringify(")[1].split("),\n});")[0]
    assert json.loads(told) == NASTY
    assert 'method: "PUT"' in program


def test_a_file_goes_into_its_part_in_each_language(tmp_path: Path) -> None:
    made = programs(Request("POST", "/a", upload="file", once=True))
    sent = arguments(made["curl"])
    assert sent[:2] == ["-sS", "@BASE@/a"]
    assert sent[sent.index("-F") + 1] == "file=@contract.pdf"
    assert (
        'body.append("file", new Blob([await readFile("contract.pdf")]), "contract.pdf");'
        in made["typescript"]
    )
    (tmp_path / "contract.pdf").write_bytes(b"%PDF \r\n\x00 words")
    script, _, _ = made["python"].partition("request = urllib")
    script += "\nimport sys; sys.stdout.buffer.write(body); print(boundary, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, check=True)
    options = {"boundary": done.stderr.strip().decode()}
    _, form, files = FormDataParser().parse(
        io.BytesIO(done.stdout), "multipart/form-data", len(done.stdout), options
    )
    assert (dict(form), files["file"].read()) == ({}, b"%PDF \r\n\x00 words")


@pytest.mark.parametrize(
    ("request_", "shown"),
    [
        (Request("GET", "/a", accept="application/pdf"), ("answer.pdf", "file.write", "writeFile")),
        (
            Request("DELETE", "/a", answers=False),
            ("-X DELETE", "print(answer.status)", "console.log(answer.status)"),
        ),
    ],
)
def test_files_are_written_and_nothing_is_not_parsed(request_: Request, shown: tuple[str, ...]) -> None:
    made = programs(request_)
    assert [words in program for words, program in zip(shown, made.values(), strict=True)] == [True] * 3
    compile(made["python"], "sample", "exec")
    assert not any("json" in program for program in made.values())


def test_nothing_but_a_key_that_is_needed_is_asked_of_the_environment() -> None:
    assert not any(
        "API_KEY" in program for program in programs(Request("GET", "/a", needs_key=False)).values()
    )


def test_a_path_is_filled_in_and_encoded() -> None:
    assert address("/a/{x}/b/{y}", {"x": "1/2", "y": "ñ"}) == "/a/1%2F2/b/%C3%B1"


def test_json_is_cut_into_colours_and_nothing_is_lost() -> None:
    text = pretty(NASTY)
    found = json_tokens(text)
    assert "".join(ink.text for ink in found) == text
    assert [ink.text for ink in found if ink.kind == "name"] == ['"text"', '"n"', '"true"']
    assert [ink.text for ink in found if ink.kind == "bare"] == ["1", "-2500.0", "true", "false", "null"]
    assert pretty("a,b\n1,2") == "a,b\n1,2"
