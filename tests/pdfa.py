"""A judge of PDF/A-3u that is not the library that wrote the file: pikepdf, and what ISO 19005-3 asks.

It is no full validator. It checks what our own additions could break: the XMP packet and its extension
schemas, fonts, colours, attachments, identifiers, and that nothing active or encrypted is inside.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pikepdf
from lxml import etree

# Namespaces that PDF/A-3 knows by itself (XMP, September 2005); properties of any other are described.
_PREDEFINED = {
    "http://purl.org/dc/elements/1.1/",
    "http://ns.adobe.com/xap/1.0/",
    "http://ns.adobe.com/xap/1.0/mm/",
    "http://ns.adobe.com/pdf/1.3/",
    "http://www.aiim.org/pdfa/ns/id/",
    "http://www.aiim.org/pdfa/ns/extension/",
}
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_SCHEMA = "{http://www.aiim.org/pdfa/ns/schema#}"
_PROPERTY = "{http://www.aiim.org/pdfa/ns/property#}"
_FORBIDDEN_ACTIONS = {"/Launch", "/Sound", "/Movie", "/ResetForm", "/ImportData", "/Hide", "/JavaScript"}


def opened(raw: bytes) -> pikepdf.Pdf:
    """Open a file for its metadata and objects."""
    return pikepdf.open(io.BytesIO(raw))


def metadata(raw: bytes) -> dict[str, Any]:
    """Return the XMP properties by their prefixed names."""
    with opened(raw) as document, document.open_metadata() as found:
        return {name: found[name] for name in found}


def check(raw: bytes) -> None:
    """Assert that a file is a whole PDF/A-3u as far as this judge sees."""
    with opened(raw) as document:
        assert document.check_pdf_syntax() == []
        assert not document.is_encrypted
        root = document.Root
        _check_packet(root.Metadata)
        with document.open_metadata() as found:
            assert found.pdfa_status == "3U"
        assert len(document.trailer.ID) == 2
        [intent] = [one for one in root.OutputIntents if one.S == "/GTS_PDFA1"]
        assert intent.DestOutputProfile.read_bytes()
        assert "/OpenAction" not in root
        assert "/AA" not in root
        assert root.MarkInfo.Marked
        related = {one.objgen for one in root.get("/AF", [])}
        for thing in _dictionaries(document):
            assert thing.get("/S") not in _FORBIDDEN_ACTIONS
            if thing.get("/Type") == "/Font" and "/FontDescriptor" in thing:
                described = thing.FontDescriptor
                assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(described.keys()), thing.get(
                    "/BaseFont"
                )
            if thing.get("/Type") == "/Filespec":
                assert {"/F", "/UF", "/AFRelationship", "/EF"} <= set(thing.keys())
                assert thing.objgen in related
                assert thing.EF.F.Subtype
            if thing.get("/Type") == "/Annot" and thing.get("/Subtype") != "/Popup":
                # Printed, neither hidden nor without view.
                assert int(thing.get("/F", 0)) & 0b100111 == 0b000100, thing


def _check_packet(stream: pikepdf.Object) -> None:
    """Check that the packet is one RDF tree, whose foreign properties are all described (6.6.2.3)."""
    data = stream.read_bytes()
    assert data.startswith(b'<?xpacket begin="')
    assert data.rstrip().endswith(b'<?xpacket end="r"?>')
    tree = etree.fromstring(data)
    [rdf] = tree
    assert rdf.tag == _RDF + "RDF"
    used, seen = set(), []
    for description in rdf:
        assert description.get(_RDF + "about") == ""
        names = [child.tag for child in description] + [
            name for name in description.attrib if not name.startswith(_RDF)
        ]
        seen += names
        used |= {tuple(name[1:].split("}")) for name in names if name[1:].split("}")[0] not in _PREDEFINED}
    assert len(seen) == len(set(seen)), "a property stands there twice"
    assert used <= set(_described(rdf)), used


def _described(rdf: Any) -> Iterator[tuple[str, str]]:
    for schema in rdf.iter(_SCHEMA + "property"):
        namespace = schema.getparent().findtext(_SCHEMA + "namespaceURI")
        for one in schema.iter(_RDF + "li"):
            assert one.findtext(_PROPERTY + "category") in ("internal", "external")
            assert one.findtext(_PROPERTY + "valueType") in ("Text", "URI", "URL", "Date", "Integer")
            assert one.findtext(_PROPERTY + "description")
            yield namespace, one.findtext(_PROPERTY + "name")


def _dictionaries(document: pikepdf.Pdf) -> Iterator[Any]:
    for thing in document.objects:
        if isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)):
            yield thing
