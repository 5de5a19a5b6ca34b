"""Apply the forms of every jurisdiction but Spain and the Union to one text."""

from collections.abc import Iterator

from app.citations import prefilter
from app.citations.citation import Finding, Mention
from app.citations.grammars import europe, latin_america
from app.citations.grammars.forms import plain

_FORMS = latin_america.FORMS + europe.FORMS
_LAWS = latin_america.LAWS + europe.LAWS
_COLOMBIAN = latin_america.LAWS[0]
_BRAZILIAN = prefilter.compile(r"\b(Lei\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2})(\d{1,2}\.?\d{3})/((?:19|20)\d\d))\b")


def forms(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield findings of every form that applies to a document of `jurisdiction`."""
    for form in _FORMS:
        if form.where is not None and jurisdiction not in form.where:
            continue
        for match in form.pattern.finditer(folded):
            start, end = match.span()
            canonical = form.canonical(match)
            ids = {"registro": canonical[8:]} if canonical.startswith("MX:SCJN:") else {}
            end -= folded[end - 1] == " "
            yield Finding(start, end, form.kind, form.jurisdiction, (canonical,), ids=ids, priority=45)


def laws(folded: str, jurisdiction: str) -> Iterator[Mention]:
    """Yield numbered laws written as the country of the document writes them."""
    for form in _LAWS:
        if jurisdiction in form.where:
            for match in form.pattern.finditer(folded):
                start, end = match.span(1)
                norm = form.norm(match)
                if not norm.endswith("None"):
                    yield Mention(start, end, jurisdiction, (f"{jurisdiction}:{norm}",), cites=True)
    if jurisdiction not in ("BR", "PT"):
        for match in _BRAZILIAN.finditer(folded):
            start, end = match.span(1)
            yield Mention(start, end, "BR", (f"BR:lei:{plain(match[2])}/{match[3]}",), cites=True)
    # "Ley 100 de 1993" is Colombian style; elsewhere only a text that speaks of Colombia means it so.
    if jurisdiction not in latin_america.COUNTRIES and "olombia" in folded:
        for match in _COLOMBIAN.pattern.finditer(folded):
            start, end = match.span(1)
            yield Mention(start, end, "CO", (f"CO:{_COLOMBIAN.norm(match)}",), cites=True)
