"""Several files as one matter: read one by one, analysed as jobs that are shown together, fetched as one."""

from __future__ import annotations

import io
import json
import re
import uuid
import zipfile
from collections.abc import Callable

import docx
import pytest
import sqlalchemy as sa
from werkzeug.test import TestResponse

from app.jobs.execution import runner
from app.platform import clock
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.portal.conftest import PortalClient, colleague

Make = Callable[[Player], PortalClient]
SECRET_NAME = "divorcio-de-Aurelia-Quintanilla.txt"


def _word(text: str) -> bytes:
    made = docx.Document()
    for line in text.splitlines():
        made.add_paragraph(line)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def _read(visitor: PortalClient, content: bytes, name: str = "lease.txt", **changes: object) -> TestResponse:
    form = {"key": str(visitor.player.key_id), "file": (io.BytesIO(content), name), **changes}
    return visitor.send("/portal/matters/files", form, on="/portal/matters/new")


def _ref(answer: TestResponse) -> str:
    found = re.search(r'data-ref="([0-9a-f-]{36})"', answer.text)
    assert found, answer.text
    return found[1]


def _options(visitor: PortalClient, **changes: object) -> dict[str, object]:
    return {
        "jurisdiction": "ES",
        "branch": "civil",
        "language": "es",
        "mode": "standard",
        "key": str(visitor.player.key_id),
        "once": clock.now().isoformat(),
        **changes,
    }


def _started(visitor: PortalClient, **changes: object) -> TestResponse:
    return visitor.send("/portal/matters", _options(visitor, **changes), on="/portal/matters/new")


def _jobs_of(path: str) -> list[uuid.UUID]:
    query = sa.text("SELECT id FROM jobs WHERE matter_id = :id ORDER BY created_at")
    with db.reading() as session:
        return list(session.scalars(query, {"id": path.rpartition("/")[2]}))


def test_files_are_read_started_and_shown_together(member: Make, cast: Cast, alice: Player) -> None:
    visitor = member(alice)
    refs = [
        _ref(_read(visitor, LEASE.encode(), SECRET_NAME)),
        _ref(_read(visitor, _word(LEASE), "lease.docx")),
    ]
    started = _started(visitor, ref=refs)
    assert started.status_code == 303, started.text
    path = str(started.location)
    waiting = visitor.get(path)
    assert waiting.text.count("data-job=") == 2
    assert 'hx-trigger="every 2s"' in waiting.text
    assert cast.balance(alice).held == 2
    first, second = _jobs_of(path)
    assert runner.run(first, "test-worker")
    # What changed is announced once; a page that shows it already announces nothing.
    told = [
        'role="status"' in visitor.get(f"{path}?seen={seen}", headers={"HX-Request": "true"}).text
        for seen in (0, 1)
    ]
    assert told == [True, False]
    assert runner.run(second, "test-worker")
    page = visitor.get(path)
    assert "2 of 2 analysed" in page.text
    assert "hx-trigger" not in page.text.split('id="matter"')[1]
    assert len(re.findall(r'href="/portal/analyse/[0-9a-f-]{36}"', page.text)) == 2
    assert cast.balance(alice).balance == 98
    packed = visitor.get(f"{path}/results.zip")
    with zipfile.ZipFile(io.BytesIO(packed.data)) as archive:
        assert sorted(archive.namelist()) == [
            "document-01.docx", "document-01.json", "document-01.md",
            "document-02.docx", "document-02.json", "document-02.md",
        ]  # fmt: skip
        first, second = (json.loads(archive.read(f"document-0{n}.json")) for n in (1, 2))
    assert [first["documentRef"], second["documentRef"]] == refs


def test_names_of_files_are_stored_nowhere(member: Make, alice: Player) -> None:
    visitor = member(alice)
    row = _read(visitor, LEASE.encode(), SECRET_NAME)
    assert "Quintanilla" not in row.text
    with db.reading() as session:
        kept = session.scalar(sa.text("SELECT coalesce(string_agg(d::text, ''), '') FROM documents d"))
    assert "Quintanilla" not in kept


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (b"", "empty.txt", "It contains no text"),
        (b"short", "short.txt", "must have 50 to"),
        (b"%PDF-1.7 " + b"x" * 100, "broken.pdf", "It is damaged"),
        (b"\x7fELF" + b"\x00" * 100, "program.bin", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_in_its_row(
    member: Make, alice: Player, content: bytes, name: str, words: str
) -> None:
    answer = _read(member(alice), content, name)
    assert answer.status_code == 200
    assert words in answer.text
    assert "data-ref" not in answer.text


def test_without_scripts_files_come_with_the_form(member: Make, cast: Cast, alice: Player) -> None:
    visitor = member(alice)
    files = [(io.BytesIO(LEASE.encode()), "a.txt"), (io.BytesIO(LEASE.encode()), "b.txt")]
    assert _started(visitor, files=files).status_code == 303
    assert cast.balance(alice).held == 2
    bad = [(io.BytesIO(LEASE.encode()), "a.txt"), (io.BytesIO(b"short"), "b.txt")]
    refused = _started(visitor, files=bad)
    assert refused.status_code == 422
    assert "File 2:" in refused.text
    many = [(io.BytesIO(LEASE.encode()), f"{n}.txt") for n in range(6)]
    assert "at most 5 files" in _started(visitor, files=many).text
    assert "at least one file" in _started(visitor).text
    assert cast.balance(alice).held == 2, "what was refused held nothing"


def test_all_documents_start_or_none(member: Make, cast: Cast) -> None:
    poor = cast.player("poor", credit=1)
    visitor = member(poor)
    refs = [_ref(_read(visitor, LEASE.encode())) for _ in range(2)]
    answer = _started(visitor, ref=refs)
    assert answer.status_code == 422
    assert "enough credits" in answer.text
    assert all(ref in answer.text for ref in refs), "what was read need not be chosen again"
    assert cast.balance(poor).held == 0


def test_a_document_of_another_account_or_key_cannot_be_named(
    member: Make, cast: Cast, alice: Player, mallory: Player
) -> None:
    ref = _ref(_read(member(alice), LEASE.encode()))
    for named in (ref, "nonsense", str(uuid.uuid4())):
        answer = _started(member(mallory), ref=[named])
        assert answer.status_code == 422
        assert "no longer kept" in answer.text


def test_a_matter_is_its_accounts_alone(member: Make, alice: Player, mallory: Player) -> None:
    visitor = member(alice)
    path = str(_started(visitor, ref=[_ref(_read(visitor, LEASE.encode()))]).location)
    assert member(colleague(alice, "developer")).get(path).status_code == 200
    assert member(colleague(alice, "compliance")).get(path).status_code == 403
    for where in (path, f"{path}/results.zip"):
        assert member(mallory).get(where).status_code == 404


def test_one_form_starts_one_matter(member: Make, cast: Cast, alice: Player) -> None:
    visitor = member(alice)
    form = _options(visitor, ref=[_ref(_read(visitor, LEASE.encode()))])
    first, second = (visitor.send("/portal/matters", form, on="/portal/matters/new") for _ in range(2))
    assert (first.status_code, second.location) == (303, "/portal/matters/new")
    assert cast.balance(alice).held == 1


def test_a_revoked_key_starts_nothing(member: Make, cast: Cast, alice: Player) -> None:
    visitor = member(alice)
    key_id, _ = cast.key(alice.account_id)
    ref = _ref(_read(visitor, LEASE.encode(), key=str(key_id)))
    path = f"/portal/keys/{key_id}/revoke"
    assert visitor.send(path, {}).status_code == 303
    answer = _started(visitor, ref=[ref], key=str(key_id))
    assert answer.status_code in (404, 422)
    assert cast.balance(alice).held == 0


def test_a_single_file_is_analysed_like_a_text(member: Make, cast: Cast, alice: Player) -> None:
    visitor = member(alice)
    answer = visitor.send(
        "/portal/analyse",
        _options(visitor, text="", file=(io.BytesIO(_word(LEASE)), "lease.docx")),
    )
    assert answer.status_code == 303, answer.text
    path = str(answer.location)
    assert runner.run(uuid.UUID(path.rpartition("/")[2]), "test-worker")
    assert "12345678Z" in visitor.get(path).text


def test_a_long_file_is_priced_before_it_is_analysed(member: Make, cast: Cast, alice: Player) -> None:
    visitor = member(alice)
    long = (LEASE + "\n\n") * (50_000 // len(LEASE) + 2)
    sent = _options(visitor, text="", mode="deep", file=(io.BytesIO(long.encode()), "long.txt"))
    answer = visitor.send("/portal/analyse", sent)
    assert answer.status_code == 303
    assert "/portal/matters/new?" in str(answer.location)
    assert cast.balance(alice).held == 0, "nothing is set aside before the price was seen"
    page = visitor.get(str(answer.location))
    assert "1 files, 4 credits in all" in page.text
    assert _started(visitor, ref=[_ref(page)], mode="deep").status_code == 303
    assert cast.balance(alice).held == 4
