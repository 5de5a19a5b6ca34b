"""Documents for the tests, made as offices' programs make them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from typing import Any

import numpy as np

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_MORE = (
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:v="urn:schemas-microsoft-com:vml"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def zipped(entries: Mapping[str, bytes | str], *, first: str | None = None) -> bytes:
    """Return a ZIP archive; `first` is stored uncompressed at its beginning."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        if first is not None:
            archive.writestr(zipfile.ZipInfo(first), entries[first])
        for name, content in entries.items():
            if name != first:
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return output.getvalue()


def docx(
    body: str,
    *,
    parts: Mapping[str, str] | None = None,
    relations: Sequence[tuple[str, str, str]] = (),
    entries: Mapping[str, bytes] | None = None,
    main: str = _MAIN,
) -> bytes:
    """Return a Word document.

    Args:
        body: Elements of `w:body`.
        parts: Contents of the root elements of further parts, by kind: `numbering`, `styles`, `footnotes` …
        relations: Further relationships of the document: kind, target, and `External` or `Internal`.
        entries: Further entries of the archive.
        main: Content type of the document itself.
    """
    roots = {"header": "hdr", "footer": "ftr"}
    made: dict[str, bytes | str] = {
        "word/document.xml": f"<w:document {_W}{_MORE}><w:body>{body}</w:body></w:document>",
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>',
    }
    listed = []
    for kind, content in (parts or {}).items():
        tag = roots.get(kind, kind)
        made[f"word/{kind}.xml"] = f"<w:{tag} {_W}{_MORE}>{content}</w:{tag}>"
        listed.append((kind, f"{kind}.xml", "Internal", f"id-{kind}"))
    listed += [(*one, f"x{number}") for number, one in enumerate(relations)]
    made["word/_rels/document.xml.rels"] = (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="{name}" Type="{_RELATIONS}/{kind}" Target="{target}" TargetMode="{mode}"/>'
            for kind, target, mode, name in listed
        )
        + "</Relationships>"
    )
    made["[Content_Types].xml"] = (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        'ContentType="application/xml"/><Override PartName="/word/document.xml" '
        f'ContentType="{main}"/></Types>'
    )
    return zipped({**made, **(entries or {})})


def p(*runs: str, properties: str = "") -> str:
    """Return a paragraph; what is not an element becomes a run."""
    inner = "".join(one if one.startswith("<") else r(one) for one in runs)
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{inner}</w:p>"


def r(text: str, properties: str = "") -> str:
    """Return a run."""
    shown = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{shown}<w:t xml:space="preserve">{text}</w:t></w:r>'


def numbered(level: int, list_id: int = 1) -> str:
    """Return the properties of a paragraph in a list."""
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'


def levels(*forms: tuple[str, str, int]) -> str:
    """Return the levels of an abstract list: form, text and start of each."""
    return "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, (form, text, start) in enumerate(forms)
    )


_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_ODF = (
    " ".join(
        f'xmlns:{name}="{_OASIS}:{name if name != "office" else "office"}:1.0"'
        for name in ("office", "text", "table", "style")
    )
    + f' xmlns:draw="{_OASIS}:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="x"'
)


def odt(
    body: str, *, styles: str = "", master: str = "", entries: Mapping[str, bytes] | None = None
) -> bytes:
    """Return an OpenDocument text with `body` in `office:text`."""
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<office:document-content {_ODF}><office:automatic-styles>{styles}"
            f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
            "styles.xml": f"<office:document-styles {_ODF}><office:master-styles>{master}"
            "</office:master-styles></office:document-styles>",
            **(entries or {}),
        },
        first="mimetype",
    )


def message(**values: Any) -> EmailMessage:
    """Return a message of alice to bob."""
    made = EmailMessage()
    made["From"] = values.get("sender", "Alice Núñez <alice@example.org>")
    made["To"] = "bob@example.org"
    made["Subject"] = values.get("subject", "Resolución del contrato")
    made["Date"] = "Mon, 02 Mar 2026 10:00:00 +0100"
    return made


CSS = """
@page { size: A4; margin: 2.5cm 2.5cm 3cm }
body { font-family: 'Liberation Serif', 'DejaVu Serif'; font-size: 11pt; text-align: justify; hyphens: auto }
h1 { font-size: 16pt; text-align: center } h2 { font-size: 12pt }
table { border-collapse: collapse; width: 100% } .ruled td { border: 1px solid black }
td { text-align: left; vertical-align: top; padding: 2pt 7pt } .columns { columns: 2; column-gap: 8mm }
.note { font-size: 8pt; position: absolute; bottom: 0 } sup { font-size: 6pt; vertical-align: super }
"""


MARGINS = """
@page { @top-center { content: "Expediente 2026/33"; font-size: 8pt }
  @bottom-center { content: "Página " counter(page) " de " counter(pages); font-size: 8pt } }
"""


SMALL = "@page { size: 16cm 13cm; margin: 1cm }"
"""For scans: recognition takes its time by the size of a page."""


def pdf(body: str, *, css: str = "", **options: Any) -> bytes:
    """Return a PDF of HTML, set by WeasyPrint."""
    import weasyprint

    made: bytes = weasyprint.HTML(
        string=f"<html lang='es'><style>{CSS}{css}</style><body>{body}</body></html>"
    ).write_pdf(**options)
    return made


def pictures(document: bytes, *, dpi: int = 200, skew: float = 0.0, noise: float = 0.0) -> list[Any]:
    """Return the pages of a PDF as grey pictures, as a scanner would give them."""
    import pypdfium2
    from PIL import Image, ImageFilter

    random = np.random.default_rng(20)
    made = []
    source = pypdfium2.PdfDocument(document)
    for page in source:
        picture = page.render(scale=dpi / 72, grayscale=True).to_pil()
        if skew:
            picture = picture.rotate(skew, Image.Resampling.BICUBIC, fillcolor=255)
        if noise:
            values = np.asarray(picture, np.float32) + random.normal(0, noise, picture.size[::-1])
            picture = Image.fromarray(values.clip(0, 255).astype(np.uint8)).filter(
                ImageFilter.GaussianBlur(0.5)
            )
        made.append(picture)
    source.close()
    return made


def scan(
    document: bytes, form: str = "PDF", *, dpi: int = 200, skew: float = 0.0, noise: float = 0.0
) -> bytes:
    """Return a PDF as a scanner would make it: pictures alone, in a format of PIL."""
    first, *rest = pictures(document, dpi=dpi, skew=skew, noise=noise)
    output = io.BytesIO()
    if form == "TIFF":
        first.save(output, form, save_all=True, append_images=rest, dpi=(dpi, dpi))
    elif form == "PDF":
        first.save(output, form, save_all=True, append_images=rest, resolution=dpi)
    else:
        first.save(output, form)
    return output.getvalue()


def texts(reading: Any) -> list[str]:
    """Return the paragraphs of a reading as texts."""
    text = reading.text.reveal()
    return [text[one.start : one.end] for one in reading.paragraphs]


def kinds(reading: Any) -> list[str]:
    """Return the kinds of the paragraphs of a reading."""
    return [one.kind for one in reading.paragraphs]


def codes(reading: Any) -> list[str]:
    """Return the codes of the warnings of a reading."""
    return [one.code for one in reading.warnings]
