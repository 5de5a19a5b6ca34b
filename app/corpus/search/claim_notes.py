"""What is said of a claimed quotation, in Spanish and in English. Pure."""

from __future__ import annotations

from datetime import date

from app.corpus.quotation import Comparison
from app.corpus.verdicts import Note

_REASONS = {
    "negation": ("una negación", "a negation"),
    "modality": ("lo que se puede o se debe", "what may or must be done"),
    "number": ("una cifra, un plazo o una cantidad", "a number, a period or a quantity"),
    "exception": ("una excepción o condición", "an exception or condition"),
    "subject": ("el sujeto", "the subject"),
}


def other_name(named: str, title: str | None) -> Note:
    """A right number under the name of another law."""
    real = f": es {title}" if title else ""
    real_en = f": it is {title}" if title else ""
    return Note(
        f"El número no corresponde a «{named}»{real}.",
        f"The number is not that of «{named}»{real_en}.",
    )


def loaded(title: str | None) -> Note:
    """The article stands in the text that was loaded."""
    return Note(
        f"El artículo consta en el texto cargado de {title or 'la norma'}.",
        f"The article stands in the loaded text of {title or 'the norm'}.",
    )


def judgment_loaded(title: str) -> Note:
    """The judgment is in the corpus."""
    return Note(f"Consta en el corpus: {title}.", f"It is in the corpus: {title}.")


def other_date(title: str, dated: date) -> Note:
    """The judgment is of another day."""
    return Note(f"{title} es de {dated:%d-%m-%Y}.", f"{title} is of {dated.isoformat()}.")


def no_text() -> Note:
    """Words were claimed of something whose text is not loaded."""
    return Note(
        "El texto no está cargado para esa fecha: las palabras citadas no se pueden comprobar.",
        "The text is not loaded for that day: the words quoted cannot be checked.",
    )


def says_so(compared: Comparison, before: Note) -> Note:
    """The words are there."""
    if compared.match == "near":
        return Note(
            f"{before.es} Las palabras citadas figuran en el texto, salvo erratas.",
            f"{before.en} The words quoted stand in the text, but for slips of the pen.",
        )
    return Note(
        f"{before.es} Las palabras citadas figuran literalmente en el texto.",
        f"{before.en} The words quoted stand literally in the text.",
    )


def says_otherwise(compared: Comparison) -> Note:
    """The words are not there, or not so."""
    if compared.kind == "stitched":
        return Note(
            "La cita une, sin señalar la omisión, fragmentos que en el texto están separados.",
            "The quotation joins, without marking the omission, places that stand apart in the text.",
        )
    if compared.kind == "meaning" and compared.reason:
        changed, changed_en = _REASONS[compared.reason]
        difference, difference_en = _difference(compared)
        return Note(
            f"La cita cambia {changed}{difference}.", f"The quotation changes {changed_en}{difference_en}."
        )
    if compared.similarity < 0.5:
        return Note("El texto no dice eso.", "The text does not say that.")
    difference, difference_en = _difference(compared)
    return Note(
        f"No son las palabras del texto{difference}.", f"These are not the words of the text{difference_en}."
    )


def _difference(compared: Comparison) -> tuple[str, str]:
    if compared.claimed and compared.written:
        return (
            f": donde la cita dice «{compared.claimed}», el texto dice «{compared.written}»",
            f": where the quotation says «{compared.claimed}», the text says «{compared.written}»",
        )
    if compared.claimed:
        return f": añade «{compared.claimed}»", f": it adds «{compared.claimed}»"
    if compared.written:
        return f": omite «{compared.written}»", f": it leaves out «{compared.written}»"
    return "", ""
