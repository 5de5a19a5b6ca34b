"""Read a consolidated statute as the BOE publishes it in XML: metadata, then blocks with all their versions.

The document of `https://www.boe.es/datosabiertos/api/legislacion-consolidada/id/{id}`, or of its parts in one
file. Of a version, `fecha_vigencia` is the first day it was in force and `id_norma` the norm that made it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from app.citations import SOLE, heading_without_content, provisions_opened
from app.corpus.loading.readers import files, front_matter, self_names, xml_stream
from app.corpus.loading.records import (
    ArticleText,
    Item,
    NormFacts,
    Skip,
    Source,
    Status,
    Statute,
    Wording,
)  # fmt: skip

_NOTES = ("nota_pie", "nota_pie_2", "nota_inicial", "nota_final", "cita_con_pleca", "pie_unico")
_DIVISIONS = {"libro": 1, "titulo": 2, "capitulo": 3, "seccion": 4, "subseccion": 5}


@dataclass
class _ParseState:
    """State of the parser within one law."""

    facts: dict[str, str] = field(default_factory=dict)
    articles: list[ArticleText] = field(default_factory=list)
    path: list[tuple[int, str]] = field(default_factory=list)
    loose: int = 0


def read(source: Source, after: int) -> Iterator[Item]:
    """Yield one item: the file is one law with its whole history."""
    if after:
        return
    law = _ParseState()
    try:
        for event, name, element in xml_stream.elements(
            source.path, "metadatos", "bloque", freed=("metadatos", "bloque")
        ):
            if event == "end" and name == "metadatos":
                law.facts = _metadata(element)
            elif event == "end":
                _block(law, element)
    except xml_stream.Malformed:
        yield Item(1, Skip("no well-formed XML"))
        return
    notes = ("blocks that are no provision",) * law.loose
    identifier = law.facts.get("identificador")
    if not identifier:
        yield Item(1, Skip("no metadata of the BOE with an identifier"), notes)
    elif not law.articles:
        yield Item(1, Skip("no article in the file"), notes)
    else:
        facts = _norm(law.facts, identifier, source)
        yield Item(1, Statute(facts, _numbered(law.articles), history=True), notes)


def _metadata(element: Any) -> dict[str, str]:
    return {xml_stream.local(one): xml_stream.words(one) for one in element if isinstance(one.tag, str)}


def _norm(words: dict[str, str], identifier: str, source: Source) -> NormFacts:
    repealed = front_matter.day(words.get("fecha_derogacion"))
    annulled = front_matter.day(words.get("fecha_anulacion"))
    status: Status = "in_force"
    if words.get("estatus_anulacion") == "S" or annulled:
        status = "annulled"
    elif words.get("estatus_derogacion") == "S" or repealed:
        status = "repealed"
    elif words.get("vigencia_agotada") == "S":
        status = "expired"
    known, by = self_names.repeal("ES", identifier)
    url = words.get("url_eli") or f"https://www.boe.es/buscar/act.php?id={identifier}"
    return NormFacts(
        jurisdiction=source.jurisdiction or "ES",
        official_id=identifier,
        title=words.get("titulo", identifier).rstrip("."),
        source="boe-xml",
        digest=files.digest(source.path),
        status=status,
        rank=words.get("rango"),
        number=words.get("numero_oficial") or self_names.number_of(url),
        dated=front_matter.day(words.get("fecha_disposicion")),
        published=front_matter.day(words.get("fecha_publicacion")),
        in_force=front_matter.day(words.get("fecha_vigencia")),
        repealed=repealed or annulled or known,
        repealed_by=by,
        url=url,
        edition=front_matter.day((words.get("fecha_actualizacion") or "")[:8]),
        whole=True,
    )


def _block(law: _ParseState, element: Any) -> None:
    versions = [one for one in element if isinstance(one.tag, str) and xml_stream.local(one) == "version"]
    title = element.get("titulo", "")
    kind = element.get("tipo", "")
    if kind == "encabezado" and versions:
        _divide(law, versions[-1])
        return
    parts = [_version(one) for one in versions]
    heading = next((words for words, *_ in reversed(parts) if words), title) or title
    found = provisions_opened(heading) or provisions_opened(title)
    if found is None or not parts:
        law.loose += 1
        return
    path = () if found.numbers[0][:1] == "d" else tuple(words for _, words in law.path)
    wordings = _in_order(parts, heading_without_content(heading))
    for number in found.numbers:
        law.articles.append(ArticleText(number, wordings, 0, found.rubric, path))


def _divide(law: _ParseState, version: Any) -> None:
    """Add a heading block, "TÍTULO I" and its name, in paragraphs whose class tells the level."""
    for paragraph in xml_stream.descendants(version, "p"):
        kind = str(paragraph.get("class", "")).split("_")[0]
        if kind not in _DIVISIONS:
            continue
        level, text = _DIVISIONS[kind], xml_stream.words(paragraph)
        if str(paragraph.get("class", "")).endswith("_tit") and law.path and law.path[-1][0] == level:
            law.path[-1] = (level, f"{law.path[-1][1]}. {text.rstrip('.')}")
            continue
        while law.path and law.path[-1][0] >= level:
            law.path.pop()
        law.path.append((level, text.rstrip(".")))


def _version(element: Any) -> tuple[str, str, date | None, str | None]:
    """Return (heading, words, first day in force, norm that made it) of one version of a block."""
    heading, paragraphs = "", []
    for one in xml_stream.descendants(element, "p", "td", "th"):
        kind = one.get("class", "")
        if kind in _NOTES or any(up.tag == "blockquote" for up in one.iterancestors("blockquote")):
            continue
        if kind.startswith("articulo") and not heading:
            heading = xml_stream.words(one)
        else:
            paragraphs.append(xml_stream.words(one))
    day = front_matter.day(element.get("fecha_vigencia") or element.get("fecha_publicacion"))
    return heading, "\n\n".join(text for text in paragraphs if text), day, element.get("id_norma") or None


def _in_order(parts: list[tuple[str, str, date | None, str | None]], empty: bool) -> tuple[Wording, ...]:
    """Return the wordings, oldest first, each up to the day of the next; of several of one day, the last."""
    by_day = {part[2] or date.min: part for part in parts}
    ordered = [part for _, part in sorted(by_day.items())]
    return tuple(
        Wording(
            text or ("(Sin contenido)" if empty or not heading else heading),
            day,
            ordered[at + 1][2] if at + 1 < len(ordered) else None,
            by if at else None,
        )
        for at, (heading, text, day, by) in enumerate(ordered)
    )


def _numbered(articles: list[ArticleText]) -> tuple[ArticleText, ...]:
    """Set positions and occurrences; a sole article of an enacting decree gets number one."""
    numbers = {article.number for article in articles}
    seen: dict[str, int] = {}
    made: list[ArticleText] = []
    for article in articles:
        number = "1" if article.number == SOLE and "1" not in numbers else article.number
        seen[number] = seen.get(number, 0) + 1
        made.append(
            ArticleText(number, article.wordings, len(made) + 1, article.heading, article.path, seen[number])
        )
    return tuple(made)
