"""Say in plain sentences what changed between two versions. Code writes them, no model. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from app.comparison.changes import Change, ClauseChange, Place, count_changes
from app.comparison.risks import RiskChanges
from app.comparison.values import ValueChange
from app.rules import Severity, listing
from app.text.bilingual import Bilingual, Language, pick

# So many sentences about values and about clauses: beyond that a list is no summary, and the answer has all.
MOST_OF_A_KIND = 25

_NOUNS: Mapping[str, Bilingual] = {
    "articulo": Bilingual("artículo", "article"),
    "art.": Bilingual("artículo", "article"),
    "article": Bilingual("artículo", "article"),
    "apartado": Bilingual("apartado", "section"),
    "seccion": Bilingual("sección", "section"),
    "section": Bilingual("sección", "section"),
    "anexo": Bilingual("anexo", "annex"),
    "annex": Bilingual("anexo", "annex"),
    "schedule": Bilingual("anexo", "schedule"),
    "appendix": Bilingual("anexo", "appendix"),
    "exhibit": Bilingual("anexo", "exhibit"),
    "capitulo": Bilingual("capítulo", "chapter"),
    "titulo": Bilingual("título", "title"),
}
_CLAUSE = Bilingual("cláusula", "clause")
_UNNUMBERED = Bilingual("párrafo sin número", "unnumbered paragraph")
# One clause, and several.
_COUNTED: Mapping[Change, tuple[Bilingual, Bilingual]] = {
    "changed": (Bilingual("cambia {n} cláusula", "{n} clause changed"),
                Bilingual("cambian {n} cláusulas", "{n} clauses changed")),
    "added": (Bilingual("se añade {n}", "{n} was added"), Bilingual("se añaden {n}", "{n} were added")),
    "removed": (Bilingual("se suprime {n}", "{n} was removed"),
                Bilingual("se suprimen {n}", "{n} were removed")),
    "moved": (Bilingual("cambia de lugar {n}", "{n} moved"), Bilingual("cambian de lugar {n}", "{n} moved")),
    "unchanged": (Bilingual("queda igual {n}", "{n} is unchanged"),
                  Bilingual("quedan igual {n}", "{n} are unchanged")),
}  # fmt: skip
_HAPPENED: Mapping[Change, Bilingual] = {
    "added": Bilingual("Se añade: {place}.", "Added: {place}."),
    "removed": Bilingual("Se suprime: {place}.", "Removed: {place}."),
    "moved": Bilingual("Cambia de lugar: {place}.", "Moved: {place}."),
}
SEVERITIES: Mapping[Severity | None, Bilingual] = {
    "high": Bilingual("alta", "high"),
    "medium": Bilingual("media", "medium"),
    "low": Bilingual("baja", "low"),
    None: Bilingual("sin graduar", "not graded"),
}
_PLURAL_SUBJECTS = ("los ", "las ")


def summarise(
    changes: Sequence[ClauseChange],
    values: Sequence[ValueChange],
    risks: RiskChanges,
    language: Language,
) -> tuple[str, ...]:
    """Return the sentences: counts, values, clauses that came, went or moved, and risks."""
    counted = count_changes(changes)
    found = [
        *_counts(counted, language),
        *_limited([_value(one, changes, language) for one in values], language),
        *_limited(list(_clauses(changes, language)), language),
        *_risks(risks, changes, language),
    ]
    return tuple(found)


def name_of(place: Place, language: Language) -> str:
    """Return how a reader is told of a clause: "cláusula 7 (Penalización)", "clause 7 (Penalty)"."""
    if place.number:
        noun = _NOUNS.get(place.noun, _CLAUSE).in_(language)
        return f"{noun} {place.number}{f' ({place.heading})' if place.heading else ''}"
    if place.heading:
        return pick(language, f"«{place.heading}»", f"“{place.heading}”")
    return _UNNUMBERED.in_(language)


def short_name_of(place: Place, language: Language) -> str:
    """Return the same without the heading of a clause that has a number."""
    if place.number:
        return f"{_NOUNS.get(place.noun, _CLAUSE).in_(language)} {place.number}"
    return name_of(place, language)


def _counts(counted: Mapping[str, int], language: Language) -> Iterator[str]:
    parts = [
        texts[counted[change] != 1].in_(language).format(n=counted[change])
        for change, texts in _COUNTED.items()
        if counted[change]
    ]
    if parts:
        joined = listing(parts, language)
        yield f"{joined[0].upper()}{joined[1:]}."
    if renumbered := counted["renumbered"]:
        yield pick(
            language,
            f"{'Cambia' if renumbered == 1 else 'Cambian'} de número {renumbered}.",
            f"{renumbered} {'has' if renumbered == 1 else 'have'} another number.",
        )


def _value(one: ValueChange, changes: Sequence[ClauseChange], language: Language) -> str:
    where = short_name_of(changes[one.clause].place, language)
    named = one.either.subject
    if one.before is not None and one.after is not None:
        if one.after.role == "other":
            named = one.before.subject
        subject = named.in_(language)
        capital = f"{subject[0].upper()}{subject[1:]}"
        old, new = one.before.said.in_(language), one.after.said.in_(language)
        if old == new:
            # The same figure of another unit, such as business days: its own words tell them apart.
            old, new = (" ".join(each.quote.split()) for each in (one.before, one.after))
        several = named.es.startswith(_PLURAL_SUBJECTS)
        return pick(
            language,
            _contracted(f"{capital} {'pasan' if several else 'pasa'} de {old} a {new} ({where})."),
            f"{capital} {'go' if several else 'goes'} from {old} to {new} ({where}).",
        )
    subject = named.in_(language)
    said = one.either.said.in_(language)
    if one.before is None:
        return pick(language, f"Nuevo: {subject}, {said} ({where}).", f"New: {subject}, {said} ({where}).")
    return pick(
        language, f"Ya no consta: {subject}, {said} ({where}).", f"Gone: {subject}, {said} ({where})."
    )


def _clauses(changes: Sequence[ClauseChange], language: Language) -> Iterator[str]:
    for one in changes:
        if one.change in _HAPPENED:
            yield _HAPPENED[one.change].in_(language).format(place=name_of(one.place, language))
        if one.joined is not None:
            name = name_of(one.before or one.place, language)
            yield pick(
                language,
                f"Se divide en varias: {name}." if one.joined == "split" else f"Se une a otra: {name}.",
                f"Split into several: {name}." if one.joined == "split" else f"Merged with another: {name}.",
            )


def _risks(risks: RiskChanges, changes: Sequence[ClauseChange], language: Language) -> Iterator[str]:
    appeared, went, stayed = len(risks.appeared), len(risks.went), len(risks.stayed)
    new = "nuevo" if appeared == 1 else "nuevos"
    gone, held = "está" if went == 1 else "están", "sigue" if stayed == 1 else "siguen"
    yield pick(
        language,
        f"Riesgos: {appeared} {new}, {went} que ya no {gone} y {stayed} que {held}.",
        f"Risks: {appeared} new, {went} gone, {stayed} that {'stays' if stayed == 1 else 'stay'}.",
    )
    for one in risks.stayed:
        if not one.severity_changed:
            continue
        old, new = (SEVERITIES[each.severity].in_(language) for each in (one.before, one.after))
        where = (
            f" ({short_name_of(changes[one.after.clauses[0]].place, language)})" if one.after.clauses else ""
        )
        yield pick(
            language,
            f"Un riesgo que sigue pasa de gravedad {old} a {new}{where}.",
            f"A risk that stays goes from {old} to {new} severity{where}.",
        )


def _limited(sentences: list[str], language: Language) -> list[str]:
    distinct = list(dict.fromkeys(sentences))
    if len(distinct) <= MOST_OF_A_KIND:
        return distinct
    more = len(distinct) - MOST_OF_A_KIND
    return [
        *distinct[:MOST_OF_A_KIND],
        pick(language, f"Y {more} cambios más como estos.", f"And {more} more changes like these."),
    ]


def _contracted(sentence: str) -> str:
    """Return a Spanish sentence with its prepositions and articles contracted."""
    return sentence.replace(" de el ", " del ").replace(" a el ", " al ")
