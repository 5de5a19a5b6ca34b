"""Tell the reader of an analysis how its document was read: what to compare, what was left out. Pure.

The warnings of a reading are in one language and one for each page; here they are sentences in the language
of the analysis, each once, with its pages (decision 078).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.documents import Reading
from app.text.bilingual import Bilingual, Language, pick

# The text that was analysed may be another than the document has: `{pages}` names the pages.
_DOUBTS: Mapping[str, Bilingual] = {
    "LOW_OCR_CONFIDENCE": Bilingual(
        "El texto de {pages} se ha reconocido de una imagen con poca certeza: cotéjelo con el original.",
        "The text of {pages} was recognised from an image with little certainty: compare it with the "
        "original.",
    ),
    "OCR_UNAVAILABLE": Bilingual(
        "Falta el texto de {pages}: es una imagen que no se ha podido leer.",
        "The text of {pages} is missing: it is an image that could not be read.",
    ),
    "TEXT_LAYER_UNRELIABLE": Bilingual(
        "El texto guardado en {pages} parece dañado: cotéjelo con el original.",
        "The text stored with {pages} seems garbled: compare it with the original.",
    ),
    "TRACKED_CHANGES_ACCEPTED": Bilingual(
        "El documento tiene cambios marcados con control de cambios: se ha leído como si todos estuvieran "
        "aceptados.",
        "The document has tracked changes: it was read as if all were accepted.",
    ),
    "HIDDEN_TEXT_IGNORED": Bilingual(
        "Se ha omitido texto del archivo que no ve quien lee el documento.",
        "Text of the file that a reader of the document does not see was left out.",
    ),
    "IMAGES_NOT_READ": Bilingual(
        "El documento tiene imágenes: si contienen texto, no se ha leído.",
        "The document has images: if they contain text, it was not read.",
    ),
}
_OTHERS: Mapping[str, Bilingual] = {
    "ACTIVE_CONTENT_IGNORED": Bilingual(
        "Los programas y formularios activos del documento no se han ejecutado ni leído.",
        "Scripts and active forms of the document were not run and not read.",
    ),
    "ATTACHMENTS_NOT_READ": Bilingual(
        "Los archivos adjuntos no se han leído.", "Attached files were not read."
    ),
    "COMMENTS_IGNORED": Bilingual(
        "Los comentarios al margen no se han leído.", "Comments in the margin were not read."
    ),
    "EMBEDDED_FILES_IGNORED": Bilingual(
        "Los archivos incrustados en el documento no se han leído.",
        "Files inside the document were not read.",
    ),
    "ENCODING_GUESSED": Bilingual(
        "El archivo no dice cómo codifica sus letras: se ha supuesto.",
        "The file does not say how its letters are encoded: it was assumed.",
    ),
    "EXTERNAL_CONTENT_IGNORED": Bilingual(
        "El contenido que el documento toma de otro lugar no se ha leído.",
        "Content that the document takes from elsewhere was not read.",
    ),
    "MACROS_IGNORED": Bilingual(
        "Las macros del documento no se han ejecutado.", "Macros of the document were not run."
    ),
    "PAGE_WITHOUT_TEXT": Bilingual("No se ha encontrado texto en {pages}.", "No text was found on {pages}."),
    "TEXT_LAYER_REPLACED": Bilingual(
        "El texto guardado en {pages} no se podía usar y se ha reconocido de la imagen.",
        "The text stored with {pages} was unusable and was recognised from the image.",
    ),
}


@dataclass(frozen=True, slots=True)
class ReadingNotes:
    """Sentences on how a document was read.

    Attributes:
        doubts: where the text that was analysed may not be that of the document; a person should compare.
        others: what else was done or left out.
    """

    doubts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def notes_on(reading: Reading, language: Language) -> ReadingNotes:
    """Return the notes on a reading, each code once with all its pages."""
    pages: dict[str, list[int]] = {}
    unknown: dict[str, str] = {}
    for one in reading.warnings:
        found = pages.setdefault(one.code, [])
        if one.page is not None:
            found.append(one.page)
        if one.code not in _DOUBTS and one.code not in _OTHERS:
            unknown[one.code] = one.message
    return ReadingNotes(
        tuple(_sentence(_DOUBTS[code], pages[code], language) for code in pages if code in _DOUBTS),
        (
            *(_sentence(_OTHERS[code], pages[code], language) for code in pages if code in _OTHERS),
            *unknown.values(),
        ),
    )


def _sentence(template: Bilingual, pages: list[int], language: Language) -> str:
    return template.in_(language).format(pages=_named(sorted(set(pages)), language))


def _named(pages: list[int], language: Language) -> str:
    """Name pages: `page 9`, `pages 3, 7 and 9 to 12`; the document where none is known."""
    if not pages:
        return pick(language, "el documento", "the document")
    if len(pages) == 1:
        return pick(language, f"la página {pages[0]}", f"page {pages[0]}")
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    to = pick(language, "a", "to")
    told = [
        part
        for run in runs
        for part in ([f"{run[0]} {to} {run[-1]}"] if len(run) > 2 else [str(page) for page in run])
    ]
    last = f" {pick(language, 'y', 'and')} ".join([", ".join(told[:-1]), told[-1]] if told[:-1] else told)
    return f"{pick(language, 'las páginas', 'pages')} {last}"
