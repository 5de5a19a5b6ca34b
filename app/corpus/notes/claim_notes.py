"""Write the notes on a claimed quotation, in Spanish and in English. Pure."""

from __future__ import annotations

from datetime import date

from app.corpus.quote_match import Comparison
from app.text.bilingual import Bilingual

_REASONS = {
    "negation": ("una negación", "a negation"),
    "modality": ("lo que se puede o se debe", "what may or must be done"),
    "number": ("una cifra, un plazo o una cantidad", "a number, a period or a quantity"),
    "exception": ("una excepción o condición", "an exception or condition"),
    "subject": ("el sujeto", "the subject"),
    "place": ("el lugar", "the place"),
}


def other_name(named: str, title: str | None) -> Bilingual:
    """Say that a right number stands under the name of another law."""
    real = f": es {title}" if title else ""
    real_en = f": it is {title}" if title else ""
    return Bilingual(
        f"El número no corresponde a «{named}»{real}.",
        f"The number does not belong to «{named}»{real_en}.",
    )


def other_number(named: str) -> Bilingual:
    """Say that a law cited by its name has another number."""
    return Bilingual(
        f"No consta una norma con ese número; la así llamada es {named}.",
        f"No norm of that number is known; the one so called is {named}.",
    )


def judgment_loaded(title: str) -> Bilingual:
    """Say that the judgment is in the corpus."""
    return Bilingual(f"Consta en el corpus: {title}.", f"It is in the corpus: {title}.")


def other_date(title: str, dated: date) -> Bilingual:
    """Say that the judgment is of another day."""
    return Bilingual(f"{title} es de {dated:%d-%m-%Y}.", f"{title} is dated {dated.isoformat()}.")


def no_text() -> Bilingual:
    """Say that words were claimed of something whose text is not loaded."""
    return Bilingual(
        "El texto no está cargado para esa fecha: las palabras citadas no se pueden comprobar.",
        "The text is not loaded for that date: the quoted words cannot be checked.",
    )


def other_language() -> Bilingual:
    """Say that the text is loaded in another language than that of the words quoted."""
    return Bilingual(
        "El texto está cargado en otra lengua: las palabras citadas no se pueden cotejar.",
        "The text is loaded in another language: the quoted words cannot be compared.",
    )


def says_so(
    compared: Comparison, title: str | None, place: Bilingual | None = None, caveat: Bilingual | None = None
) -> Bilingual:
    """Say that the words are there; `place` is where, `caveat` what could not be checked all the same."""
    where = f"{place.es} de {title or 'la norma'}" if place else (title or "la resolución")
    where_en = f"{place.en} of {title or 'the norm'}" if place else (title or "the decision")
    slips, slips_en = (
        (", salvo erratas", ", apart from minor slips") if compared.match == "near" else ("", "")
    )
    literally, literally_en = ("", "") if slips else (" literalmente", " literally")
    more, more_en = caveat or ("", "")
    return Bilingual(
        f"Las palabras citadas figuran{literally} en {where}, según el texto cargado{slips}.{more}",
        f"The quoted words appear{literally_en} in {where_en}, according to the loaded "
        f"text{slips_en}.{more_en}",
    )


def says_otherwise(compared: Comparison, place: Bilingual | None = None) -> Bilingual:
    """Say that the words are not there, or differ."""
    if compared.reason == "place":
        where, where_en = place or ("el lugar citado", "the place cited")
        return Bilingual(
            f"Las palabras citadas figuran en otra parte del artículo, no en {where}.",
            f"The quoted words appear in another part of the article, not in {where_en}.",
        )
    if compared.kind == "stitched":
        return Bilingual(
            "La cita une, sin señalar la omisión, fragmentos que en el texto están separados.",
            "The quotation joins passages that are separate in the text without marking the omission.",
        )
    if compared.kind == "meaning" and compared.reason:
        changed, changed_en = _REASONS[compared.reason]
        difference, difference_en = _difference(compared)
        return Bilingual(
            f"La cita cambia {changed}{difference}.", f"The quotation changes {changed_en}{difference_en}."
        )
    if compared.similarity < 0.5:
        return Bilingual("El texto no dice eso.", "The text does not say that.")
    difference, difference_en = _difference(compared)
    return Bilingual(
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
