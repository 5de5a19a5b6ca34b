"""PAdES signatures of documents, where the operator has a certificate (decision 063).

A certifying signature (ETSI EN 319 142, level B-B) that allows no change afterwards, with an RFC 3161 time
stamp inside (level B-T) where an authority is set. pyHanko is loaded with the first signature only.
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import pkcs12

from app.governance import operator_http
from app.platform import clock, log, safe_http, settings
from app.platform.errors import Upstream
from app.platform.settings import Settings, SettingsError

if TYPE_CHECKING:
    from pyhanko.sign.signers import SimpleSigner
    from pyhanko.sign.timestamps import TimeStamper

_FIELD = "Issuer"
_logger = log.logger("governance")


def check_settings(config: Settings) -> None:
    """Check that the certificate that signs documents can be used, where one is set.

    Raises:
        SettingsError: naming what is wrong with it.
    """
    if config.document_certificate:
        _signer(*_chosen(config))


def signed(raw: bytes, *, reason: str) -> bytes:
    """Return a PDF with the operator's signature, or as it is where no certificate is set.

    The time-stamping authority is asked where one is set; where it fails, the document is signed without.

    Args:
        raw: The whole PDF.
        reason: Why it is signed, for the reader.

    Raises:
        Upstream: 503, the certificate is not valid today: a document is not given out unsigned in its stead.
    """
    config = settings.current()
    if not config.document_certificate:
        return raw
    signer = _signer(*_chosen(config))
    valid = signer.signing_cert
    assert valid is not None
    if not valid.not_valid_before <= clock.now() <= valid.not_valid_after:
        _logger.error("the certificate of DOCUMENT_CERTIFICATE is not valid today")
        raise Upstream(
            "Documents cannot be signed: the operator's certificate has expired. Tell its operator."
        )
    if config.time_stamp_url:
        try:
            return _sign(raw, signer, reason, _time_stamper(config.time_stamp_url))
        except (safe_http.RequestError, OSError, _time_stamp_refused()) as error:
            _logger.warning("a document was signed without a time stamp", exc_info=error)
    return _sign(raw, signer, reason, None)


def _sign(raw: bytes, signer: SimpleSigner, reason: str, time_stamper: TimeStamper | None) -> bytes:
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign import fields, signers

    class Writer(IncrementalPdfFileWriter):
        def _update_meta(self) -> None:
            # Metadata stay as they were written: pyHanko's own writing of them is not valid PDF/A.
            return

    wanted = signers.PdfSignatureMetadata(
        field_name=_FIELD,
        md_algorithm="sha256",
        subfilter=fields.SigSeedSubFilter.PADES,
        reason=reason,
        certify=True,
        docmdp_permissions=fields.MDPPerm.NO_CHANGES,
    )
    made = signers.sign_pdf(Writer(io.BytesIO(raw)), wanted, signer=signer, timestamper=time_stamper)
    return bytes(made.getbuffer())


def _chosen(config: Settings) -> tuple[str, str, str]:
    return (
        config.document_certificate,
        config.document_certificate_key,
        config.document_certificate_passphrase.get_secret_value(),
    )


@cache
def _signer(certificate: str, key: str, passphrase: str) -> SimpleSigner:
    """Return the signer of a PKCS#12 file, or of a PEM chain and its key."""
    try:
        private, chain = _read(Path(certificate), key, passphrase.encode() or None)
    except (OSError, ValueError, TypeError) as error:
        raise SettingsError(f"DOCUMENT_CERTIFICATE cannot be read: {error}") from None
    if private.public_key() != chain[0].public_key():
        raise SettingsError("DOCUMENT_CERTIFICATE_KEY is not the key of the first certificate.")
    try:
        from asn1crypto.keys import PrivateKeyInfo
        from asn1crypto.x509 import Certificate
        from pyhanko.sign.signers import SimpleSigner
        from pyhanko_certvalidator.registry import SimpleCertificateStore
    except ImportError:
        raise SettingsError("DOCUMENT_CERTIFICATE is set and pyHanko is not installed.") from None
    own, *others = (Certificate.load(one.public_bytes(serialization.Encoding.DER)) for one in chain)
    return SimpleSigner(
        signing_cert=own,
        signing_key=PrivateKeyInfo.load(
            private.private_bytes(
                serialization.Encoding.DER,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        ),
        cert_registry=SimpleCertificateStore.from_certs(others),  # type: ignore[no-untyped-call]
    )


def _read(certificate: Path, key: str, passphrase: bytes | None) -> tuple[Any, list[x509.Certificate]]:
    """Return the private key and its certificates, the signer's first."""
    data = certificate.read_bytes()
    if b"-----BEGIN" in data:
        chain = x509.load_pem_x509_certificates(data)
        pem = Path(key).read_bytes() if key else data
        return serialization.load_pem_private_key(pem, passphrase), chain
    found = pkcs12.load_pkcs12(data, passphrase)
    if found.key is None or found.cert is None:
        raise ValueError("it holds no key with its certificate")
    return found.key, [found.cert.certificate, *(one.certificate for one in found.additional_certs)]


def _time_stamp_refused() -> type[Exception]:
    from pyhanko.sign.timestamps import TimestampRequestError

    return TimestampRequestError


def _time_stamper(url: str) -> TimeStamper:
    from asn1crypto.tsp import TimeStampReq, TimeStampResp
    from pyhanko.sign.timestamps import TimeStamper, TimestampRequestError

    class Authority(TimeStamper):
        async def async_request_tsa_response(self, req: TimeStampReq) -> TimeStampResp:
            answer = operator_http.post(url, req.dump(), "application/timestamp-query")
            if answer.status != 200:
                raise TimestampRequestError(f"the authority answered {answer.status}")
            try:
                return TimeStampResp.load(answer.body, strict=True)
            except ValueError as error:
                raise TimestampRequestError("the authority's answer is no time stamp") from error

    return Authority()  # type: ignore[no-untyped-call]
