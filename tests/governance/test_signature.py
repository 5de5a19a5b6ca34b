"""PAdES signatures of documents: two foreign judges, changed bytes, and that the file stays archival."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pypdf
import pytest

from app import governance
from app.dev.system_packages import PDF
from app.governance.documents import signature
from app.platform import clock, settings
from app.platform.errors import Upstream
from app.platform.postgres import rls
from app.platform.settings import SettingsError
from tests import pdfa
from tests.cast import Cast, Player
from tests.governance.authority import authority, openssl, served
from tests.portal.conftest import analysed

__all__ = ["served"]

pytestmark = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)


@pytest.fixture(scope="module")
def ca(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate authority, and a certificate of its making for documents: PEM and PKCS#12."""
    folder = tmp_path_factory.mktemp("ca")
    authority(folder)
    (folder / "leaf.cnf").write_text("[leaf]\nkeyUsage = critical,digitalSignature,nonRepudiation\n")
    openssl(folder, "req", "-newkey", "rsa:2048", "-keyout", "leaf.key", "-passout", "pass:secret", "-out",
            "leaf.csr", "-subj", "/CN=Operator")  # fmt: skip
    openssl(folder, "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-out", "leaf.pem", "-days", "2", "-extfile", "leaf.cnf", "-extensions", "leaf")  # fmt: skip
    openssl(folder, "pkcs12", "-export", "-in", "leaf.pem", "-inkey", "leaf.key", "-passin", "pass:secret",
            "-certfile", "ca.pem", "-out", "leaf.p12", "-passout", "pass:secret")  # fmt: skip
    return folder


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., settings.Settings]]:
    """Change settings for one test."""

    def choose(**values: Any) -> settings.Settings:
        config = settings.load(
            database_url=settings.current().database_url,
            redis_url=settings.current().redis_url,
            secret_key=settings.current().secret_key,
            **{name: str(value) for name, value in values.items()},
        )
        monkeypatch.setattr(settings, "current", lambda: config)
        return config

    yield choose
    signature._signer.cache_clear()


def _document(player: Player) -> bytes:
    today = clock.today()
    with rls.acting_for(player.account_id):
        made = governance.period_at_once(
            player.account_id,
            today - timedelta(days=3),
            today,
            key_id=None,
            flagged=False,
            language="es",
            now=clock.now(),
        )
    assert made is not None
    return made


def _cms(raw: bytes, folder: Path) -> str:
    """Take the signature out by hand and let OpenSSL verify it and its chain."""
    field = pypdf.PdfReader(io.BytesIO(raw)).get_fields()["Issuer"]["/V"]
    first, length, second, rest = (int(one) for one in field["/ByteRange"])
    assert (first, second + rest) == (0, len(raw)), "the signature covers the whole file"
    (folder / "signed.bin").write_bytes(raw[:length] + raw[second:])
    (folder / "signature.der").write_bytes(field["/Contents"].original_bytes)
    return openssl(
        folder, "cms", "-verify", "-binary", "-inform", "DER", "-in", "signature.der",
        "-content", "signed.bin", "-CAfile", "ca.pem", "-purpose", "any", "-cades", "-out", "/dev/null",
    )  # fmt: skip


def _pdfsig(raw: bytes, folder: Path) -> str:
    (folder / "signed.pdf").write_bytes(raw)
    return subprocess.run(["pdfsig", "signed.pdf"], cwd=folder, capture_output=True, text=True).stdout


needs_pdfsig = pytest.mark.skipif(
    not shutil.which("pdfsig"), reason="no pdfsig on this machine: apt-get install poppler-utils"
)


@pytest.mark.parametrize(
    "files",
    [
        {"document_certificate": "leaf.p12"},
        {"document_certificate": "leaf.pem", "document_certificate_key": "leaf.key"},
    ],
    ids=["pkcs12", "pem"],
)
def test_a_document_of_a_period_is_signed_and_openssl_verifies_it(
    cast: Cast, ca: Path, chosen: Callable[..., Any], files: dict[str, str]
) -> None:
    alice = cast.player("alice")
    analysed(alice)
    chosen(**{name: ca / file for name, file in files.items()}, document_certificate_passphrase="secret")
    raw = _document(alice)
    assert "successful" in _cms(raw, ca)
    pdfa.check(raw)
    found = pdfa.metadata(raw)
    assert found["{http://iptc.org/std/Iptc4xmpExt/2008-02-29/}DigitalSourceType"].endswith(
        "/dataDrivenMedia"
    )
    reader = pypdf.PdfReader(io.BytesIO(raw))
    assert set(reader.attachments) == {"audit_records.json", "audit_records.csv"}
    # Certified: no change afterwards is allowed.
    [reference] = reader.get_fields()["Issuer"]["/V"]["/Reference"]
    assert (reference["/TransformMethod"], reference["/TransformParams"]["/P"]) == ("/DocMDP", 1)


@needs_pdfsig
def test_pdfsig_calls_it_valid_and_every_changed_byte_not(
    cast: Cast, ca: Path, chosen: Callable[..., Any]
) -> None:
    alice = cast.player("alice")
    analysed(alice)
    chosen(document_certificate=ca / "leaf.p12", document_certificate_passphrase="secret")
    raw = _document(alice)
    told = _pdfsig(raw, ca)
    assert "Signature is Valid." in told
    assert "Total document signed" in told
    assert "Operator" in told
    for at in (200, len(raw) // 3, raw.index(b"DigitalSourceType")):
        changed = bytearray(raw)
        changed[at] ^= 1
        assert "Signature is Valid." not in _pdfsig(bytes(changed), ca), at
        with pytest.raises(subprocess.CalledProcessError):
            _cms(bytes(changed), ca)


def test_the_time_stamp_is_inside_and_a_silent_authority_does_not_hold_the_document_up(
    cast: Cast, ca: Path, chosen: Callable[..., Any], served: Any
) -> None:
    alice = cast.player("alice")
    analysed(alice)

    def stamp(query: bytes) -> tuple[int, bytes]:
        (ca / "query.tsq").write_bytes(query)
        openssl(ca, "ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query.tsq", "-out", "reply.tsr")
        return 200, (ca / "reply.tsr").read_bytes()

    use = partial(chosen, document_certificate=ca / "leaf.p12", document_certificate_passphrase="secret")
    token = bytes.fromhex("060b2a864886f70d010910020e")  # id-aa-timeStampToken (RFC 3161, appendix A)
    for number, (work, stamped) in enumerate(
        [(stamp, True), (lambda _query: (500, b""), False), (lambda _query: (200, b"x"), False)]
    ):
        use(time_stamp_url=served(f"/tsa{number}", work))
        raw = _document(alice)
        assert "successful" in _cms(raw, ca)
        assert (token in (ca / "signature.der").read_bytes()) == stamped
        pdfa.check(raw)


def test_without_a_certificate_the_document_is_as_it_was(cast: Cast, chosen: Callable[..., Any]) -> None:
    chosen()
    assert signature.signed(b"%PDF", reason="x") == b"%PDF"


def test_an_expired_certificate_gives_no_document(
    cast: Cast, ca: Path, chosen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen(document_certificate=ca / "leaf.p12", document_certificate_passphrase="secret")
    moment = clock.now() + timedelta(days=3)
    monkeypatch.setattr(clock, "now", lambda: moment)
    with pytest.raises(Upstream) as refused:
        signature.signed(b"%PDF", reason="x")
    assert refused.value.status == 503


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"document_certificate": "none.p12"}, "cannot be read"),
        ({"document_certificate": "leaf.p12", "document_certificate_passphrase": "wrong"}, "cannot be read"),
        ({"document_certificate": "leaf.pem"}, "cannot be read"),
        ({"document_certificate": "leaf.pem", "document_certificate_key": "tsa.key"}, "is not the key"),
        ({"document_certificate": "tsa.cnf"}, "cannot be read"),
    ],
)
def test_a_certificate_that_cannot_be_used_stops_the_process(
    ca: Path, chosen: Callable[..., Any], files: dict[str, str], complaint: str
) -> None:
    named = {name: word if "passphrase" in name else ca / word for name, word in files.items()}
    with pytest.raises(SettingsError, match=complaint):
        signature.check_settings(chosen(**named))
