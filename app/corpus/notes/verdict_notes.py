"""Write the notes and names of verdicts, in Spanish and English: what a lawyer reads beside a citation.

A verdict is read on a screen and again in a PDF that is shown to a court: the two say the same.
"""

from collections.abc import Mapping
from datetime import date

from app.corpus import registry
from app.corpus.registry import Entry, Norm
from app.corpus.verdicts import Status, Verdict
from app.text.bilingual import Bilingual, Language

_MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio",
    "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
)  # fmt: skip
_REGIONS = {
    "": "Estado", "an": "Andalucía", "ar": "Aragón", "as": "Asturias", "cb": "Cantabria",
    "cl": "Castilla y León",
    "cm": "Castilla-La Mancha", "cn": "Canarias", "ct": "Cataluña", "ex": "Extremadura", "ga": "Galicia",
    "ib": "Illes Balears", "mc": "Región de Murcia", "md": "Comunidad de Madrid", "nc": "Navarra",
    "pv": "País Vasco", "ri": "La Rioja", "vc": "Comunitat Valenciana",
}  # fmt: skip
_RANKS = {
    "ley": "Ley", "lo": "Ley Orgánica", "rd": "Real Decreto", "rdl": "Real Decreto-ley",
    "rdleg": "Real Decreto Legislativo", "lf": "Ley Foral", "dleg": "Decreto Legislativo",
    "dl": "Decreto-ley",
    "d": "Decreto", "orden": "Orden", "circular": "Circular", "instruccion": "Instrucción",
    "resolucion": "Resolución", "acuerdo": "Acuerdo", "dflg": "Decreto Foral Legislativo",
    "dlf": "Decreto-ley Foral",
}  # fmt: skip
_ACTS = {
    "reg": ("un reglamento", "a regulation"),
    "dir": ("una directiva", "a directive"),
    "dec": ("una decisión", "a decision"),
}
_DISPOSITIONS = {
    "da": ("disposición adicional", "additional provision"),
    "dt": ("disposición transitoria", "transitional provision"),
    "df": ("disposición final", "final provision"),
    "dd": ("disposición derogatoria", "repealing provision"),
}
SHOWN = 6
# Of one citation and of several. What needs a lawyer's eye comes first.
_NAMES: Mapping[Status, tuple[Bilingual, Bilingual]] = {
    "not_found": (Bilingual("no encontrada", "not found"), Bilingual("no encontradas", "not found")),
    "derogated": (Bilingual("derogada", "no longer in force"), Bilingual("derogadas", "no longer in force")),
    "mismatch": (Bilingual("no coincide", "does not match"), Bilingual("no coinciden", "do not match")),
    "pending": (Bilingual("en comprobación", "being checked"), Bilingual("en comprobación", "being checked")),
    "not_verifiable": (
        Bilingual("no verificable", "not verifiable"),
        Bilingual("no verificables", "not verifiable"),
    ),
    "verified": (Bilingual("verificada", "verified"), Bilingual("verificadas", "verified")),
}

VERDICTS: tuple[Status, ...] = tuple(_NAMES)


def day(value: date) -> str:
    """Format a day in Spanish."""
    return f"{value.day} de {_MONTHS[value.month - 1]} de {value.year}"


def label(number: str) -> Bilingual:
    """Name an article or disposition by its number."""
    if number[:2] in _DISPOSITIONS:
        spanish, english = _DISPOSITIONS[number[:2]]
        digits, _, suffix = number[2:].partition(" ")
        return Bilingual(f"la {spanish} {digits}.ª {suffix}".rstrip(), f"{english} {number[2:]}")
    if number[:2] == "am":  # amendments of the Constitution of the United States
        return Bilingual(f"la enmienda {number[2:]}", f"amendment {number[2:]}")
    if number.startswith("recital "):
        return Bilingual(f"el considerando {number[8:]}", number)
    if number.startswith("anexo"):
        return Bilingual(f"el {number}", number.replace("anexo", "annex"))
    return Bilingual(f"el artículo {number}", f"article {number}")


def _called(rank: str, number: str) -> str:
    return f"{_RANKS.get(rank, rank)} {number}"


def norm_called(key: str) -> str:
    """Name a norm by its normal form: "Real Decreto 915/2025"; the form itself where no rank is known."""
    country, _, rest = key.partition(":")
    rank, _, number = rest.partition(":")
    name = _RANKS.get(rank) or {"decreto": "Decreto", "al": "Acto Legislativo"}.get(rank)
    if not name or not number:
        return key
    return f"{name} {number.replace('/', ' de ')}" if country == "CO" else f"{name} {number}"


def entry_title(entry: Entry) -> str:
    """Name a norm of the index in short: "Ley 4/1983", "Orden HFP/816/2017", "Orden" of a day."""
    if not entry.number:
        return _called(entry.rank, entry.mark).rstrip()
    return _called(entry.rank, f"{entry.number}/{entry.dated.year}")


def entry_name(entry: Entry) -> str:
    """Name a norm of the index with its date: "Ley 4/1983, de 27 de junio de 1983"."""
    return f"{entry_title(entry)}, de {day(entry.dated)}"


def entry_placed(entry: Entry) -> str:
    """Name a norm of the index with its region."""
    return f"{entry_name(entry)} ({_REGIONS.get(entry.region, entry.region)}, {entry.official_id})"


def no_article(norm: Norm, number: str) -> Bilingual:
    """Say that the norm lacks the article or disposition."""
    named = label(number)
    last = norm.articles.last or norm.articles_max
    plain = last and number[:1].isdigit() and number.isdigit() and int(number) > last
    return Bilingual(
        f"{norm.title}: no existe {named.es}" + (f"; el último es el {last}." if plain else "."),
        f"{norm.title} has no {named.en}" + (f"; the last one is {last}." if plain else "."),
    )


def empty_article(norm: Norm, number: str) -> Bilingual:
    """Say that the article has a number and no words."""
    named = label(number)
    return Bilingual(
        f"{norm.title}: {named.es} figura sin contenido en el texto consolidado (derogación, "
        f"supresión o nulidad).",
        f"{norm.title}: {named.en} has no content in the consolidated text (repealed, suppressed or "
        f"annulled).",
    )


def empty_articles(norm: Norm, written: str) -> Bilingual:
    """Say that every article of a range was repealed."""
    return Bilingual(
        f"{norm.title}: los artículos {written} figuran todos sin contenido en el texto consolidado "
        f"(derogación, supresión o nulidad).",
        f"{norm.title}: none of the articles {written} has content in the consolidated text "
        f"(repealed, suppressed or annulled).",
    )


def former_wording(norm: Norm, number: str, said: str) -> Bilingual:
    """Say that the citation itself names a wording that is no longer in force."""
    named = label(number)
    return Bilingual(
        f"{norm.title}: {named.es} se cita en una redacción anterior («{said}»), que ya no está en vigor.",
        f"{norm.title}: {named.en} is cited in a former wording ({said}), which is no longer in force.",
    )


def only_one_so_called(norm: Norm, year: str) -> Bilingual:
    """Say that the only act of that title is of another year."""
    return Bilingual(
        f"El año no coincide: no hay ninguna ley de ese título de {year}; la única es {norm.title}.",
        f"The year does not match: there is no act of that title of {year}; the only one is {norm.title}.",
    )


def number_of_another_year(norm: Norm) -> Bilingual:
    """Say that the number is that of a law of another year."""
    return Bilingual(
        f"El año no coincide: ese número corresponde a otra fecha: {norm.title}.",
        f"The year does not match: that number belongs to another date: {norm.title}.",
    )


def out_of_turn(before: Norm, behind: Norm) -> Bilingual:
    """Say that laws are numbered on from year to year, so that the number is of another year."""
    return Bilingual(
        f"El año no coincide: la numeración es correlativa, y ese número está entre {before.title} y "
        f"{behind.title}.",
        f"The year does not match: numbers run on, and this one lies between {before.title} and "
        f"{behind.title}.",
    )


def of_another_edition(norm: Norm, year: str) -> Bilingual:
    """Say that the text names an earlier law of that name, and that the registry knows the later one."""
    return Bilingual(
        f"El texto cita la norma de ese nombre de {year}; el registro tiene la posterior ({norm.title}).",
        f"The text cites the act of that name of {year}; the registry has only the later one ({norm.title}).",
    )


def unlisted_article(norm: Norm, number: str) -> Bilingual:
    """Say that the norm exists and that its list of articles is not complete."""
    named = label(number)
    return Bilingual(
        f"{norm.title}: la norma existe, pero el registro no permite confirmar {named.es}.",
        f"{norm.title}: the norm exists, but the registry cannot confirm {named.en}.",
    )


def article_exists(norm: Norm, place: Bilingual, divided: bool) -> Bilingual:
    """Say that norm and articles exist by the registry, without a text; `divided`: a part of one is cited."""
    part = ", de modo que el apartado o letra que se cita no está comprobado: solo hasta el artículo"
    part_en = ", so the cited paragraph or letter was not checked: only the article was"
    return Bilingual(
        f"{norm.title}: según el registro, la norma está en vigor y tiene {place.es}; no se ha cotejado "
        f"su texto"
        f"{part if divided else ''}.",
        f"{norm.title}: according to the registry, the norm is in force and has {place.en}; its text was "
        f"not compared{part_en if divided else ''}.",
    )


def norm_exists(norm: Norm) -> Bilingual:
    """Say that the norm exists."""
    return Bilingual(
        f"{norm.title}: la norma existe y está en vigor según el registro.",
        f"{norm.title}: the norm exists and is in force according to the registry.",
    )


def repealed(norm: Norm, since: date) -> Bilingual:
    """Say when and by what the norm was repealed."""
    successors = " y ".join(norm.successors)
    extra = f" ({norm.repeal_note})" if norm.repeal_note else ""
    extra_en = f" ({norm.repeal_note_en})" if norm.repeal_note_en else ""
    return Bilingual(
        f"{norm.title}: no está en vigor desde el {day(since)}{extra}."
        + (f" Norma que la sustituye: {successors}." if successors else ""),
        f"{norm.title}: not in force since {since.isoformat()}{extra_en}."
        + (f" Replaced by: {successors}." if successors else ""),
    )


def wrong_date(name: str, actual: date) -> Bilingual:
    """Say that the date in the citation is not that of the norm."""
    return Bilingual(
        f"La fecha no corresponde: {name} es de {day(actual)}.",
        f"The date is wrong: {name} is dated {actual.isoformat()}.",
    )


def later_than_asked(name: str, on: date) -> Bilingual:
    """Say that the norm is younger than the day asked about."""
    return Bilingual(
        f"{name} es posterior a la fecha consultada ({day(on)}).",
        f"{name} is later than the requested date ({on.isoformat()}).",
    )


def entry_repealed(entry: Entry) -> Bilingual:
    """Say that the index marks the norm as no longer in force, without saying since when."""
    spanish, english = {
        "r": ("derogada", "repealed"),
        "x": ("sin vigencia por haber agotado sus efectos", "expired"),
        "a": ("anulada", "annulled"),
    }[entry.status]
    return Bilingual(
        f"{entry_placed(entry)}: consta {spanish} en el índice del BOE; el registro no recoge desde cuándo.",
        f"{entry_placed(entry)}: listed as {english} in the index of the BOE; the registry does not give "
        "the date.",
    )


def entry_in_force(entry: Entry) -> Bilingual:
    """Say that the index has the norm as in force."""
    return Bilingual(
        f"{entry_placed(entry)}: consta en vigor en el índice del BOE.",
        f"{entry_placed(entry)}: listed as in force in the index of the BOE.",
    )


def entry_without_articles(entry: Entry) -> Bilingual:
    """Say that the index has the norm, not its articles."""
    return Bilingual(
        f"{entry_placed(entry)}: la norma existe y consta en vigor; el registro no relaciona sus artículos.",
        f"{entry_placed(entry)}: the norm exists and is listed as in force; the registry does not list its "
        f"articles.",
    )


def _candidates(entries: list[Entry], norms: list[Norm]) -> str:
    names = [f"{entry_name(entry)} ({_REGIONS.get(entry.region, entry.region)})" for entry in entries]
    names += [norm.title for norm in norms]
    return "; ".join(names[:SHOWN]) + ("; …" if len(names) > SHOWN else "")


def ambiguous(entries: list[Entry], norms: list[Norm]) -> Bilingual:
    """Say that several norms have the number."""
    listed = _candidates(entries, norms)
    return Bilingual(
        f"Cita ambigua: varias normas llevan ese número ({listed}). La fecha las distingue.",
        f"Ambiguous: several norms have that number ({listed}). Add the date to identify one.",
    )


def ambiguous_rank(number: str, entries: list[Entry], norms: list[Norm]) -> Bilingual:
    """Say that RDL without a date is ambiguous."""
    listed = _candidates(entries, norms)
    known = f" En el registro: {listed}." if listed else ""
    known_en = f" In the registry: {listed}." if listed else ""
    return Bilingual(
        f"Abreviatura ambigua: «RDL {number}» puede ser el Real Decreto-ley {number} o el Real "
        f"Decreto Legislativo {number}.{known}",
        f"Ambiguous abbreviation: RDL {number} may be Royal Decree-law {number} or Royal Legislative "
        f"Decree {number}.{known_en}",
    )


def ambiguous_short(candidates: list[str]) -> Bilingual:
    """Say that several norms share the abbreviation."""
    listed = "; ".join(found.title if (found := registry.norm(key)) else key for key in candidates)
    return Bilingual(
        f"Abreviatura ambigua: puede ser {listed}.", f"Ambiguous abbreviation: it may be {listed}."
    )


def unknown_date() -> Bilingual:
    """Say that no known norm with that number has that date."""
    return Bilingual(
        "Ninguna norma del índice con ese número lleva esa fecha; el índice no recoge todas las "
        "normas autonómicas.",
        "No norm in the index with that number has that date; the index does not contain all regional norms.",
    )


def beyond_series(rank: str, number: str, last: int) -> Bilingual:
    """Say that the series ended before that number."""
    year = number.partition("/")[2]
    return Bilingual(
        f"No existe {_called(rank, number)}: el último de esa serie estatal en {year} fue el número {last}.",
        f"{_called(rank, number)} does not exist: the last number of that State series in {year} was {last}.",
    )


def outside_series(rank: str, number: str) -> Bilingual:
    """Say that the registry does not cover the series."""
    return Bilingual(
        f"{_called(rank, number)} no figura en el registro, que no cubre entera esa serie.",
        f"{_called(rank, number)} is not in the registry, which does not cover that series in full.",
    )


def other_act(kind: str, number: str, right: Norm) -> Bilingual:
    """Say that the number belongs to another kind of act of the Union."""
    spanish, english = _ACTS[kind]
    return Bilingual(
        f"El acto {number} es {spanish}: {right.title}.", f"Act {number} is {english}: {right.title}."
    )


def reversed_number(verdict: Verdict, number: str) -> Bilingual:
    """Say that the act is right and that year and number are in the wrong order."""
    return Bilingual(
        f"{verdict.note} Desde 2015 el número se escribe {number}.",
        f"{verdict.note_en} Since 2015 the number is written {number}.",
    )


def unknown_act() -> Bilingual:
    """Say that the registry lacks the act of the Union."""
    return Bilingual(
        "El acto de la Unión no figura en el registro.", "The act of the Union is not in the registry."
    )


def unknown_norm() -> Bilingual:
    """Say that the law is named in a way the registry does not know."""
    return Bilingual(
        "La norma citada no está identificada en el registro.",
        "The norm cited is not identified in the registry.",
    )


def outside_registry() -> Bilingual:
    """Say that the norm is of a series that is not covered."""
    return Bilingual(
        "La norma no figura en el registro, que no cubre esa serie.",
        "The norm is not in the registry, which does not cover that series.",
    )


def malformed() -> Bilingual:
    """Say that the identifier cannot be one."""
    return Bilingual(
        "La cita está mal formada y no identifica una resolución.",
        "The citation is malformed and does not identify a decision.",
    )


def ecli_year(ecli: str, year: str) -> Bilingual:
    """Say that the ECLI is of another year than the decision."""
    return Bilingual(
        f"El ECLI es de {ecli} y la resolución citada, de {year}.",
        f"The ECLI is of {ecli} and the decision cited of {year}.",
    )


def ecli_of_case(ecli: str, case: str) -> Bilingual:
    """Say that no decision of the year of an ECLI can be on the case cited beside it."""
    return Bilingual(
        f"El ECLI es de {ecli}, año del que no puede ser una resolución del asunto {case}.",
        f"The ECLI is of {ecli}, a year of which no decision in case {case} can be.",
    )


def ecli_number(ecli: str, decision: str) -> Bilingual:
    """Say that ECLI and number differ, which are the same for the Constitutional Court."""
    return Bilingual(
        f"El número del ECLI ({ecli}) no es el de la resolución citada ({decision}).",
        f"The number in the ECLI ({ecli}) is not that of the decision cited ({decision}).",
    )


def decision_year(dated: str, year: str) -> Bilingual:
    """Say that the date is of another year than the number."""
    return Bilingual(
        f"La fecha es de {dated} y el número de la resolución, de {year}.",
        f"The date is of {dated} and the number of the decision of {year}.",
    )


def no_corpus() -> Bilingual:
    """Say that no decisions are loaded."""
    return Bilingual(
        "No hay resoluciones cargadas con las que comprobarla; no es indicio de error.",
        "No decisions are loaded to check it against; this does not mean that it is wrong.",
    )


def elided(verdict: Verdict) -> Bilingual:
    """Say that the law was supplied from the context, so that the verdict may be about the wrong law."""
    return Bilingual(
        f"El texto no nombra la norma y se ha entendido la citada antes; respecto de ella: {verdict.note}",
        f"The text does not name the norm, so the norm cited before was assumed: {verdict.note_en}",
    )


def verdict_name(status: Status, language: Language, count: int = 1) -> str:
    """Return the name of a verdict on `count` citations, in `es` or `en`."""
    one, several = _NAMES[status]
    return (one if count == 1 else several).in_(language)
