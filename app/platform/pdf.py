"""Render PDF/A-3u documents, tagged and reproducible byte by byte, from the templates in `templates/pdf`.

Each says in its XMP metadata what made it (`Origin`), so that programs can tell generated text from the rest
(Regulation (EU) 2024/1689, article 50(2); decision 062).

Rendering makes no network request: a template may use `data:` URLs and, as `static:`, files of this project.
Any other URL aborts the document, since fetching it would allow server-side request forgery.
"""

from __future__ import annotations

import base64
import hashlib
import re
import threading
import uuid
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal

import jinja2
from markupsafe import Markup, escape

from app.platform import settings
from app.platform.errors import Upstream

_TEMPLATES = settings.PROJECT / "templates" / "pdf"
_STATIC = settings.PROJECT / "static"

# In order of preference. The second of each comes with every system that has the text layout library.
SANS, SERIF = ("Liberation Sans", "DejaVu Sans"), ("Liberation Serif", "DejaVu Serif")
# Layout is one computation after the other under the interpreter's lock: side by side they only take turns.
_rendering = threading.Lock()

# A longer wait would keep a thread of the web process from other requests.
_MAX_WAIT_S = 20.0

# What a document is, by the IPTC's NewsCodes for digital sources: `dataDrivenMedia` for records set as a
# document, `digitalCreation` for text that people wrote, `algorithmicMedia` for an analysis that rules wrote
# and `trainedAlgorithmicMedia` for one that a model had a part in.
Origin = Literal["dataDrivenMedia", "digitalCreation", "algorithmicMedia", "trainedAlgorithmicMedia"]
_IPTC = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
_END_OF_RDF = b"</rdf:RDF>"
_ORIGINS = "http://cv.iptc.org/newscodes/digitalsourcetype/"

# How an attachment relates to its document (ISO 32000-2, 7.11.3).
Relationship = Literal["Source", "Data", "Alternative", "Supplement", "Unspecified"]


class ForbiddenUrl(RuntimeError):
    """A template used a URL that is not allowed; nothing was fetched. This is a defect of the template."""


@dataclass(frozen=True, slots=True)
class CompressedFile:
    """A file compressed with Flate, as PDF stores it.

    `size` (bytes) and `md5` are those of the uncompressed file.
    """

    data: bytes
    size: int
    md5: str

    def __repr__(self) -> str:
        return f"<CompressedFile {self.size} bytes>"


class FileCompressor:
    """Compress a file while it is written, so that it is never whole in memory."""

    def __init__(self) -> None:
        self._compressor = zlib.compressobj()
        # PDF names MD5 for its checksum (ISO 32000-2, table 45); it protects nothing here.
        self._md5 = hashlib.md5(usedforsecurity=False)
        self._data = bytearray()
        self._size = 0

    def write(self, clear: bytes) -> None:
        """Append `clear` to the file."""
        self._data += self._compressor.compress(clear)
        self._md5.update(clear)
        self._size += len(clear)

    def packed(self) -> CompressedFile:
        """Finish the file and return it; nothing can be written afterwards."""
        self._data += self._compressor.flush()
        return CompressedFile(bytes(self._data), self._size, self._md5.hexdigest())


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file embedded in the PDF.

    `created` is in UTC and part of the output, so it should be the time of the content.
    """

    name: str
    data: bytes | CompressedFile
    description: str
    created: datetime
    relationship: Relationship = "Data"

    def __repr__(self) -> str:
        size = self.data.size if isinstance(self.data, CompressedFile) else len(self.data)
        return f"<Attachment of {size} bytes>"


def render(
    template: str, values: Mapping[str, Any], *, origin: Origin, attachments: Sequence[Attachment] = ()
) -> bytes:
    """Render `template` with `values` to a PDF with `attachments` embedded.

    The template sets title and language, which PDF/A requires, and optionally a date in `dcterms.created`.
    `origin` is what the text of its pages is.

    Raises:
        Upstream: 503, where the layout library is not installed or too many documents wait.
        Refused: The template used a URL that is not allowed.
    """
    return _render_html(_environment().get_template(template).render(values), attachments, origin=origin)


def source_type(origin: Origin) -> str:
    """Return the address by which the IPTC names what a document is."""
    return _ORIGINS + origin


def data_uri(data: bytes, media_type: str = "image/png") -> str:
    """Return `data` as a `data:` URL for use in a template."""
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


@cache
def missing_fonts() -> tuple[str, ...]:
    """Return the preferred font families that are not installed; documents then use the next one in order."""
    wanted = (SANS[0], SERIF[0])
    page = "".join(f"<p style=\"font-family: '{family}'\">Aá</p>" for family in wanted)
    raw = _render_html(f"<html lang='en'><title>Fonts</title>{page}", (), uncompressed=True)
    embedded = {name.replace(b"-", b" ").decode() for name in re.findall(rb"/BaseFont /\w+\+([\w-]+)", raw)}
    return tuple(family for family in wanted if family not in embedded)


def _render_html(
    html: str,
    attachments: Sequence[Attachment],
    *,
    origin: Origin = "digitalCreation",
    uncompressed: bool = False,
) -> bytes:
    weasyprint = _library()
    fetcher = _fetcher()
    described = _xmp(origin, _document_id(html, attachments))
    with _render_slot():
        try:
            made = weasyprint.HTML(string=html, url_fetcher=fetcher, base_url=None).write_pdf(
                pdf_variant="pdf/a-3u",
                pdf_tags=True,
                uncompressed_pdf=uncompressed,
                finisher=lambda _document, made: _finish(made, attachments, described),
                attachments=[
                    weasyprint.Attachment(
                        # Of what is packed already the library gets a stand-in; `_finish` puts in the rest.
                        string=one.data.md5.encode() if isinstance(one.data, CompressedFile) else one.data,
                        name=one.name,
                        description=one.description,
                        created=one.created,
                        modified=one.created,
                        relationship=one.relationship,
                        url_fetcher=fetcher,
                    )
                    for one in attachments
                ],
            )
        except _fatal() as error:
            raise ForbiddenUrl(str(error)) from None
    if fetcher.refused:
        # Inside SVG the library goes on without what it did not get.
        raise ForbiddenUrl(fetcher.refused)
    assert isinstance(made, bytes)
    return made


def _document_id(html: str, attachments: Sequence[Attachment]) -> uuid.UUID:
    """Return an id of a document's content: the same content, the same id."""
    digest = hashlib.sha256(html.encode())
    for one in attachments:
        data = one.data.md5.encode() if isinstance(one.data, CompressedFile) else one.data
        digest.update(f"\0{one.name}\0".encode() + data)
    return uuid.uuid5(uuid.NAMESPACE_URL, digest.hexdigest())


def _xmp(origin: Origin, document_id: uuid.UUID) -> bytes:
    """Return the XMP properties that the library does not write.

    PDF/A wants a description of each schema that is not among those of XMP itself (ISO 19005-3, 6.6.2.3.2).
    """
    # The neutral name: a document may go out under a partner's.
    tool = escape(settings.current().wire_name)
    return f"""\
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:Iptc4xmpExt="{_IPTC}">\
<xmp:CreatorTool>{tool}</xmp:CreatorTool>\
<xmpMM:DocumentID>uuid:{document_id}</xmpMM:DocumentID>\
<xmpMM:InstanceID>uuid:{document_id}</xmpMM:InstanceID>\
<Iptc4xmpExt:DigitalSourceType>{source_type(origin)}</Iptc4xmpExt:DigitalSourceType>\
</rdf:Description>\
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" \
xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" \
xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">\
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">\
<pdfaSchema:schema>IPTC Extension</pdfaSchema:schema>\
<pdfaSchema:namespaceURI>{_IPTC}</pdfaSchema:namespaceURI>\
<pdfaSchema:prefix>Iptc4xmpExt</pdfaSchema:prefix>\
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">\
<pdfaProperty:name>DigitalSourceType</pdfaProperty:name>\
<pdfaProperty:valueType>URI</pdfaProperty:valueType>\
<pdfaProperty:category>external</pdfaProperty:category>\
<pdfaProperty:description>The kind of source that made the document</pdfaProperty:description>\
</rdf:li></rdf:Seq></pdfaSchema:property>\
</rdf:li></rdf:Bag></pdfaExtension:schemas>\
</rdf:Description>""".encode()


def _finish(made: Any, attachments: Sequence[Attachment], described: bytes) -> None:
    """Add `described` to the metadata, put the data of compressed attachments in and list each once."""
    stream = made.objects[int(made.catalog["Metadata"].split()[0])]
    [packet] = stream.stream
    # In clear, for programs that look for the packet without reading PDF.
    stream.stream, stream.compress = [packet.replace(_END_OF_RDF, described + _END_OF_RDF)], False
    if "AF" in made.catalog:
        made.catalog["AF"][:] = dict.fromkeys(made.catalog["AF"])
    packed = {one.name: one.data for one in attachments if isinstance(one.data, CompressedFile)}
    for thing in made.objects:
        if not packed or not isinstance(thing, dict) or thing.get("Type") != "/Filespec":
            continue
        found = packed.pop(thing["UF"].string, None)
        if found is None:
            continue
        held = made.objects[int(thing["EF"]["F"].split()[0])]
        held.extra["Filter"] = "/FlateDecode"
        held.extra["Params"] |= {"CheckSum": f"<{found.md5}>", "Size": found.size}
        held.stream, held.compress = [found.data], False


@contextmanager
def _render_slot() -> Iterator[None]:
    if not _rendering.acquire(timeout=_MAX_WAIT_S):
        raise Upstream("Too many PDF documents are being generated right now. Try again in a few seconds.")
    try:
        yield
    finally:
        _rendering.release()


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(sans=_stack(SANS), serif=_stack(SERIF))
    return made


def _stack(families: Sequence[str]) -> Markup:
    return Markup(", ".join(f"'{family}'" for family in families))  # noqa: S704 (names of our own)


def _library() -> Any:
    """Import WeasyPrint at first use: it loads system libraries that may be missing."""
    try:
        import weasyprint
    except OSError:
        raise Upstream("PDF documents are not available on this server. Tell its operator.") from None
    return weasyprint


def _fatal() -> type[BaseException]:
    from weasyprint.urls import FatalURLFetchingError

    found: type[BaseException] = FatalURLFetchingError
    return found


def _fetcher() -> Any:
    """Return a URL fetcher for one document; its `refused` holds the reason of the last refusal."""
    from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

    class LocalFetcher(URLFetcher):  # type: ignore[misc]  # WeasyPrint ships no types
        refused = ""

        def fetch(self, url: str, headers: Any = None) -> Any:
            scheme, _, rest = url.partition(":")
            if scheme.lower() == "data":
                return super().fetch(url, headers)
            if scheme == "static":
                found = (_STATIC / rest).resolve()
                if found.is_relative_to(_STATIC.resolve()) and found.is_file():
                    return URLFetcherResponse(url, found.read_bytes())
            self.refused = f"a document may not use an address of the scheme {scheme[:20]!r}"
            raise FatalURLFetchingError(self.refused)

    return LocalFetcher(allowed_protocols=("data",), allow_redirects=False)
