"""Write the notes on what is loaded, in Spanish and English; those on the registry are in `verdict_notes`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from app.citations import Division
from app.corpus.articles.structure import PartLookup
from app.corpus.notes import place_notes
from app.corpus.notes.verdict_notes import SHOWN, day, label
from app.text.bilingual import Bilingual


def article_loaded(title: str, place: Bilingual, edition: date | None) -> Bilingual:
    """Say that the loaded text has the place cited and that its words were not compared."""
    of, of_en = _edition(edition)
    return Bilingual(
        f"{title}: el texto cargado{of} contiene {place.es}; no se ha cotejado lo que dice.",
        f"{title}: the loaded text{of_en} has {place.en}; its content was not compared.",
    )


def place_absent(
    title: str, number: str, named: Sequence[Division], found: PartLookup, edition: date | None
) -> Bilingual:
    """Say that the article lacks the paragraph or letter, or has it as repealed; with what it has."""
    of, of_en = _edition(edition)
    reached = place_notes.place(number, named[: found.at])
    wanted = place_notes.part(named[found.at], found.value, found.at)
    has = place_notes.content(found)
    if found.answer == "abolished":
        return Bilingual(
            f"{title}: en el texto cargado{of} {place_notes.of(wanted.es, reached.es)} figura sin "
            f"contenido (derogación, "
            f"supresión o veto).{has.es}",
            f"{title}: in the loaded text{of_en}, {wanted.en} of {reached.en} has no content (repealed, "
            f"suppressed or vetoed).{has.en}",
        )
    return Bilingual(
        f"{title}: en el texto cargado{of} no existe {place_notes.of(wanted.es, reached.es)}.{has.es}",
        f"{title}: the loaded text{of_en} has no {wanted.en} of {reached.en}.{has.en}",
    )


def place_unclear(title: str, whole: Bilingual, place: Bilingual, edition: date | None) -> Bilingual:
    """Say that the article is loaded and that its text does not show whether it has the part cited."""
    of, of_en = _edition(edition)
    return Bilingual(
        f"{title}: el texto cargado{of} contiene {whole.es}, pero su estructura no permite comprobar "
        f"{place.es}: la "
        f"cita se ha comprobado solo hasta el artículo.",
        f"{title}: the loaded text{of_en} has {whole.en}, but its structure does not show {place.en}: the "
        "citation was checked only down to the article.",
    )


def not_told(place: Bilingual) -> Bilingual:
    """Say that the words were found but not the part they are said to stand in."""
    return Bilingual(
        f" No se ha podido comprobar que sea {place.es}.",
        f" It could not be checked whether this is {place.en}.",
    )


def _edition(edition: date | None) -> Bilingual:
    if edition is None:
        return Bilingual("", "")
    return Bilingual(f", consolidado a {day(edition)},", f", as consolidated on {edition.isoformat()},")


def article_ended(title: str, number: str) -> Bilingual:
    """Say that the loaded versions end before the day asked about."""
    named = label(number)
    return Bilingual(
        f"{title}: {named.es} ya no estaba en vigor en la fecha consultada.",
        f"{title}: {named.en} was no longer in force on the requested date.",
    )


def article_later(title: str, number: str) -> Bilingual:
    """Say that the loaded versions begin after the day asked about."""
    named = label(number)
    return Bilingual(
        f"{title}: {named.es} entró en vigor después de la fecha consultada.",
        f"{title}: {named.en} came into force after the requested date.",
    )


def decision_loaded(titles: list[str]) -> Bilingual:
    """Say that every decision cited is in the corpus."""
    listed = "; ".join(titles[:SHOWN])
    return Bilingual(f"{listed}: consta en el corpus.", f"{listed}: is in the corpus.")


def decision_dated(title: str, actual: date) -> Bilingual:
    """Say that the date in the citation is not that of the decision."""
    return Bilingual(
        f"La fecha no corresponde: {title} es de {day(actual)}.",
        f"The date is wrong: {title} is dated {actual.isoformat()}.",
    )


def decision_absent(canonical: str, namesake: str | None) -> Bilingual:
    """Say that the loaded series of the court lacks the number, or has it under another letter."""
    name = canonical.rsplit(":", 1)[-1]
    return Bilingual(
        f"No consta ninguna resolución {name} en la serie completa de ese tribunal y año."
        + (f" Ese número lo lleva: {namesake}." if namesake else ""),
        f"There is no decision {name} in the complete series of that court and year."
        + (f" The number is that of: {namesake}." if namesake else ""),
    )


def decision_not_loaded() -> Bilingual:
    """Say that decisions of the jurisdiction are loaded and this one is not."""
    return Bilingual(
        "La resolución no está entre las cargadas, que no cubren entera esa serie; no es indicio de error.",
        "The decision is not among those loaded, which do not cover that series in full; this does not "
        "mean that it is wrong.",
    )


def not_loaded(candidates: list[str], title: str | None) -> Bilingual:
    """Say that a name is ambiguous, or of a norm that is not loaded, or of none that is known."""
    if candidates:
        listed = "; ".join(candidates[:SHOWN])
        return Bilingual(f"Denominación ambigua: puede ser {listed}.", f"Ambiguous: it could be {listed}.")
    if title:
        return Bilingual(f"{title}: la norma no está cargada.", f"{title}: the norm is not loaded.")
    return Bilingual("La norma no está identificada.", "The norm is not identified.")


def article_not_held(title: str, written: str, whole: bool) -> Bilingual:
    """Say that the loaded norm lacks the article."""
    if whole:
        return Bilingual(f"{title}: no existe el artículo {written}.", f"{title} has no article {written}.")
    return Bilingual(
        f"{title}: el artículo {written} no está entre los cargados, que no son todos los de la norma.",
        f"{title}: article {written} is not loaded; not all articles of the norm are.",
    )


def norm_repealed(title: str, since: date, by: str | None) -> Bilingual:
    """Say that the norm was repealed before the day asked about."""
    return Bilingual(
        f"{title}: no está en vigor desde el {day(since)}."
        + (f" Norma que la sustituye: {by}." if by else ""),
        f"{title}: not in force since {since.isoformat()}." + (f" Replaced by: {by}." if by else ""),
    )


def norm_not_in_force(title: str, status: str) -> Bilingual:
    """Say that the index has the norm as no longer in force, without a day."""
    spanish = {"repealed": "derogada", "expired": "con vigencia agotada", "annulled": "anulada"}[status]
    return Bilingual(
        f"{title}: consta {spanish}; no se conoce desde cuándo.",
        f"{title}: listed as {status}; the date is not known.",
    )


def no_version(title: str, number: str) -> Bilingual:
    """Say that the article had no words on the day."""
    named = label(number)
    return Bilingual(
        f"{title}: {named.es} no estaba en vigor en esa fecha.",
        f"{title}: {named.en} was not in force on that day.",
    )


def number_twice(title: str, number: str, times: int) -> Bilingual:
    """Say that the number occurs more than once in the norm."""
    named = label(number)
    return Bilingual(
        f"{title}: {named.es} figura {times} veces en el texto consolidado; se muestra la primera.",
        f"{title}: {named.en} occurs {times} times in the consolidated text; the first is shown.",
    )


def no_text(title: str) -> Bilingual:
    """Say that only the entry of the norm in an index is loaded."""
    return Bilingual(
        f"{title}: consta en el índice; su texto no está cargado.",
        f"{title}: listed in the index; its text is not loaded.",
    )


def no_such_norm() -> Bilingual:
    """Say that no norm with an id is loaded."""
    return Bilingual("No hay cargada ninguna norma con ese identificador.", "No norm with this id is loaded.")
