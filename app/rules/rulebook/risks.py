"""Find which risk rules a document meets, on which words, and rank them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice

import re2

from app.deadlines import add_months
from app.rules.clause_types import PROPOSED
from app.rules.document import Document, Span, compile_pattern
from app.rules.facts.document_facts import Facts
from app.rules.facts.people.parties import Party
from app.rules.facts.time.dates import DateMention
from app.rules.rulebook.comparisons import CHECKS, Comparison
from app.rules.rulebook.defect_words import names_defect
from app.rules.rulebook.denials import denied
from app.rules.rulebook.exclusions import excluded_laws
from app.rules.rulebook.kinship import family_flags
from app.rules.rulebook.penalties import same_person
from app.rules.rulebook.quantities import Quantity
from app.rules.rulebook.repetition import told_once
from app.rules.rulebook.resemblance import resembling
from app.rules.rulebook.schema import Kind, Nature, Pattern, Risk, Rulebook
from app.rules.rulebook.states import stands_under
from app.text.bilingual import Language
from app.text.occurrences import occurrences

_FIFTEEN_DAYS = 15
_MOST_PLACES = 12
_SIGNS = 4  # places quoted for signs that prove something jointly
_RANK = {"high": 0, "medium": 1, "low": 2}
_CONSUMER = compile_pattern(
    "\\bconsumidor(a|es)?\\b|consumer\\b|credito al consumo|consumer credit|ley 16/2011|"
    "informacion normalizada europea|"
    "(fines?|proposito|finalidad) (ajen[oa]s?|(particular|personal|privad[oa]|domestic[oa]|familiar)\\b)|"
    "(ajen[oa]s? a|sin relacion con|al margen de) (su|la|toda|cualquier) "
    "(actividad|profesion|negocio|empresa|oficio)"
)
_BUSINESS_ONLY = compile_pattern(
    "no (tiene|ostenta)[a-z]* la condicion de consumidor|not (act(ing)? )?as a consumer"
)
_RESIDENTIAL_MORTGAGE = compile_pattern(
    "hipotec…(vivienda|uso residencial)|(vivienda|uso residencial)…hipotec|residential mortgage|"
    "mortgage…(dwelling|home|house)"
)
# A deed describes the dwelling in one place and mortgages it in another.
_MORTGAGE = compile_pattern(
    "(garantia|prestamo|credito|derecho real de) hipotecari[oa]|(constitu|otorg|grav)[a-z]*…hipoteca|"
    "hipoteca[a-z]* (sobre|a favor)|\\bhipoteca\\b…\\bfinca|mortgage (loan|deed)|secured by (a )?mortgage"
)
_NO_MORTGAGE = compile_pattern(
    "\\b(sin|carece de|no (lleva|tiene|requiere)) (garantia|constitucion de) hipotec"
)
_DWELLING = compile_pattern(
    "\\bviviendas?\\b|uso residencial|\\bpiso\\b|apartamento|domicilio familiar|dwelling|"
    "\\b(house|home|flat)\\b"
)
_OWN_HOME = compile_pattern(
    "(vivienda|residencia|domicilio) (habitual|familiar|permanente)|"
    "\\bsu (propia )?(vivienda|domicilio|residencia|hogar)\\b|main (home|residence)"
)
_MORTGAGE_ACT = compile_pattern(
    "ley 5/2019|credito inmobiliario|\\bfein\\b|ficha europea de informacion|act 5/2019"
)
_SELLER_OF_HOMES = compile_pattern(
    "promotor(a|es|as)?\\b|promociones? (inmobiliari|[a-z])|sobre plano|developer\\b|"
    "en construccion\\b|viviendas? de obra nueva"
)
_OWNER = compile_pattern("propietari[oa]|\\bduen[oa]|\\bpropiedad\\b|arrendador|titular|\\bowner|landlord")
_AGENCY = compile_pattern("agencia|gestor[a]?\\b|intermedi|comercializ|inmobiliaria\\b|\\bagen(t|cy)")
_ADHESION = compile_pattern(
    "condiciones generales|contrato de adhesion|standard (terms|form)|general (terms and )?conditions|"
    "clausulado (tipo|comun|es el comun)|no (admite|admiten) (variacion|modificacion|negociacion)"
)
_COURTS_OF = compile_pattern(
    "(juzgados|tribunales|juzgados y tribunales|jueces y tribunales|courts) (de|of) "
    "(la ciudad de |the city of )?"
    "[a-z]+( (de |del |la |el |las |los )?[a-z]+)?"
)
_PREMISES = compile_pattern(
    "\\b(sit[oa]s?|ubicad[oa]s?|situad[oa]s?|vivienda|finca|piso|local|inmueble|dwelling|premises|property|flat|"
    "situated|located)\\b…"
)
# What stands before a date that is not that of a fact imputed to the worker.
_NO_FACT = compile_pattern(
    "efecto|extin|surti|antiguedad|contrato|ingreso|incorpor|vinculad|trabaja(ndo)? (en|para|con)|servicios|"
    "convenio|\\bboe\\b|\\bley\\b|real decreto|sentencia|finiquito|liquidacion|indemniz|audiencia|alegacion|"
    "pliego|expediente|conocimiento|sancion|amonest|advert|apercib|carta|comunicacion|escrito|\\bbaja|"
    "\\balta\\b|despido|ultimo dia|\\bcumplira|suspension de (empleo|sueldo)"
)
_DUE = compile_pattern(
    "factura|\\bvenc(e|io|ia|ian|ieron|imiento|id[oa]s?)\\b|adeuda|\\bdeuda|impag|exigible|"
    "invoice|\\bdue\\b|overdue|unpaid"
)
_INTERRUPTED = compile_pattern(
    "interrump|reconoci[a-z]* (la|su|esta) deuda|"
    "(requerimiento|burofax|reclamacion)[a-z]* (anterior|previ[oa]|de fecha|remitid)|"
    "(pago|entrega) a cuenta|ultimo pago|acknowledged the debt|previous (letter|demand)|part[- ]payment"
)
_MEETING = compile_pattern(
    "(junta|reunion|meeting)…(celebra|tendra lugar|proximo|dia|held|take place)|"
    "(celebra|tendra lugar)[a-z]*…(junta|reunion)|"
    "a las [0-9a-z]+…(horas|h\\b)|will be held|primera convocatoria"
)
# What stands before the day on which a meeting was called, and beside that on which it was held.
_CALLED = compile_pattern(
    "\\b(convoc|citad|citaci|nota depositada|anuncio|(las? )?cartas?\\b|deposit|remit|burofax)"
)
_HELD = compile_pattern("\\b(horas|a las [0-9]|siendo las|celebrad|se reun)")
_CALL_REACH, _HELD_BEFORE, _HELD_BEHIND = 140, 60, 30  # characters
_CALLED_WITHIN = 62  # days: a letter of long before called no meeting
_SIX_DAYS = 6
# What makes a contract of a text of no known kind.
_ANY_CONTRACT = compile_pattern(
    "(contrato|acuerdo|convenio|pacto|agreement|contract)[^;]{0,600}(estipul|clausul|las partes|de una parte"
    "|reunidos|primera[ .:]|the parties|whereas|hereby agree)"
)
_NAMES_CONSUMER = compile_pattern("consumidor|\\bconsumers?\\b")
# Pay that is claimed, and a month in which it fell due.
_PAY_OF_A_MONTH = compile_pattern(
    "(adeud|reclam|impag|debe|deven|horas extra|salari|nomina|diferencias|mensualidad|no (ha )?(abon|pag))"
    "[a-z]*"
    "[^.;]{0,120}?(enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
    "( de| del)?( ano)? ?(20[0-9][0-9])"
)
# Kinds of which one party is a consumer, unless the document says that it is none.
_WITH_A_CONSUMER = frozenset(
    {
        "consumer_terms",
        "membership",
        "course_enrolment",
        "care_home",
        "package_travel",
        "prize_draw",
        "treatment",
    }
)
_SPAIN = "ES"
_EXCEPTIONS_ARE_NOUNS = frozenset({"es"})  # languages
_MONTHS = (
    b"enero", b"febrero", b"marzo", b"abril", b"mayo", b"junio", b"julio", b"agosto", b"septiembre",
    b"octubre", b"noviembre", b"diciembre",
)  # fmt: skip
_MONTH = re.compile(rb"(" + rb"|".join(_MONTHS) + rb")(?: del?)?(?: ano)?\s?(20\d\d)\Z")
_TAX_YEAR = re.compile(rb"\bejercicio\s{1,3}(?:fiscal\s)?((?:19|20)\d\d)\b")
_PLACE = re.compile(rb"(?:de|of)\s+(?:la\s+ciudad\s+de\s+|the\s+city\s+of\s+)?([a-z]{3,})")


@dataclass(frozen=True, slots=True)
class Finding:
    """A risk rule that the document meets, the comparison behind it, and up to two places it stands on."""

    risk: Risk
    comparison: Comparison
    spans: tuple[Span, ...]
    alike: bool = False
    """Whether no pattern was met, but a part of the document is worded like passages of the rule."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A paper that the rules of its kind are asked of, with its figures and circumstances.

    `within` is where it stands, None for the whole text; `titled` tells whether it is called by its title.
    """

    kind: str
    quantities: Mapping[str, Quantity]
    flags: frozenset[str]
    within: Span | None = None
    titled: bool = True


@dataclass(frozen=True, slots=True)
class _Question:
    """A rule and the paper that it is asked of."""

    risk: Risk
    asked: Asked


def circumstances(document: Document, facts: Facts, kind: str, branch: str) -> frozenset[str]:
    """Return what holds of a document, as rules ask for it in their `flags`.

    consumer (also who buys a home of a developer, or mortgages the own home), adhesion, landlord_company,
    landlord_person, companies (no natural person among the parties and at least two companies),
    person_borrower, residential_mortgage, tax_period_old, same_instructor (who instructed a penalty signs
    or takes the decision), undated_facts and stale_facts (a letter of dismissal or sanction dates none of
    the facts it imputes, or some too long ago), forum_at_property and forum_at_agent (the courts named are
    those of the place of the premises, of the agent), claim_over_a_year (a labour claim asks for pay of more
    than a year ago), call_under_fifteen_days and call_under_six_days (how soon a meeting was held), and
    branch_<name> for the branch asked for; and what `kinship.family_flags` tells of wills and divorces.
    """
    found = {f"branch_{branch}"}
    consumer = document.find(_CONSUMER) is not None and document.find(_BUSINESS_ONLY) is None
    principals = [party for party in facts.parties if party.role_key != "representative"]
    if kind == "real_estate_sale" and document.find(_SELLER_OF_HOMES) is not None:
        consumer = consumer or any(p.role_key == "buyer" and p.kind == "person" for p in principals)
    if kind in _WITH_A_CONSUMER or consumer:
        found.add("consumer")
    if kind == "consumer_terms" or document.find(_ADHESION) is not None:
        found.add("adhesion")
    if _let_by_company(document, principals, kind):
        found.add("landlord_company")
    elif any(party.role_key == "landlord" and party.kind == "person" for party in principals):
        found.add("landlord_person")
    if len(principals) >= 2 and all(party.kind == "company" for party in principals):
        found.add("companies")
    private = any(party.role_key == "lender" and party.kind == "person" for party in principals)
    if _mortgages_home(document) and (not private or document.find(_MORTGAGE_ACT) is not None):
        found.add("residential_mortgage")
    borrowers = {party.kind for party in principals if party.role_key in ("borrower", "guarantor")}
    if "residential_mortgage" in found and "person" in borrowers and document.find(_OWN_HOME) is not None:
        found.add("consumer")
    if "person" in borrowers or (kind == "loan" and consumer):
        found.add("person_borrower")
    if kind == "tax_assessment" and _period_old(document, facts):
        found.add("tax_period_old")
    if kind in ("dismissal_letter", "settlement_receipt", "disciplinary_sanction"):
        found |= _imputed(document, facts)
    if kind == "labour_claim" and _claims_old_pay(document, facts):
        found.add("claim_over_a_year")
    if kind == "payment_demand" and _debt_old(document, facts):
        found.add("debt_over_five_years")
    if kind == "company_call":
        found |= _notice_of_meeting(document, facts)
    if kind in ("company_minutes", "community_minutes"):
        found |= _notice_in_minutes(document, facts)
    if kind in ("administrative_decision", "traffic_fine") and same_person(document):
        found.add("same_instructor")
    found |= _forum(document, facts) | family_flags(document, facts.amounts, kind)
    return frozenset(found)


def _let_by_company(document: Document, principals: Sequence[Party], kind: str) -> bool:
    """Tell whether a company lets: it is named landlord, or owns what natural persons rent."""
    companies = [party for party in principals if party.kind == "company"]
    if any(party.role_key == "landlord" for party in companies):
        return True
    lessors = any(party.role_key == "landlord" and party.kind == "person" for party in principals)
    if not kind.endswith("_lease") or lessors:
        return False
    for party in companies:
        sentence = document.sentence(Span(party.start, party.end))
        beside = Span(party.start, min(sentence.end, party.end + 260))
        if party.role_key is None and document.find(_OWNER, beside.start, beside.end) is not None:
            return document.find(_AGENCY, max(sentence.start, party.start - 60), party.end + 20) is None
    return False


def _mortgages_home(document: Document) -> bool:
    """Tell whether a document mortgages a dwelling, wherever it describes it."""
    if document.find(_RESIDENTIAL_MORTGAGE) is not None:
        return True
    if document.find(_MORTGAGE) is None or document.find(_NO_MORTGAGE) is not None:
        return False
    return document.find(_DWELLING) is not None or document.find(_MORTGAGE_ACT) is not None


def _debt_old(document: Document, facts: Facts) -> bool:
    """Tell whether every due date of a letter lies five years before it, with no word of interruption."""
    written = facts.dated("letter")
    if written is None or document.find(_INTERRUPTED) is not None:
        return False
    due = [iso for iso in _dates_beside(document, facts, _DUE) if iso < written]
    return bool(due) and add_months(date.fromisoformat(max(due)), 60) < date.fromisoformat(written)


def _claims_old_pay(document: Document, facts: Facts) -> bool:
    """Tell whether a labour claim asks for pay of a month that ended more than a year before it."""
    written = facts.dated("pleading")
    if written is None:
        return False
    limit = add_months(date.fromisoformat(written), -13)
    for span in document.find_all(_PAY_OF_A_MONTH, limit=20):
        month = _MONTH.search(document.folded, span.start, span.end)
        if month is not None:
            first = date(int(month.group(2)), _MONTHS.index(month.group(1)) + 1, 1)
            if first < limit:
                return True
    return False


def _notice_of_meeting(document: Document, facts: Facts) -> set[str]:
    """Tell how little time lies between the day of the notice and the meeting that it calls."""
    written = facts.dated("letter")
    if written is None:
        return set()
    days = [iso for iso in _dates_beside(document, facts, _MEETING) if iso > written]
    if not days:
        return set()
    called, held = date.fromisoformat(written), date.fromisoformat(min(days))
    found = set()
    if (held - called).days < _FIFTEEN_DAYS:
        found.add("call_under_fifteen_days")
    if held < add_months(called, 1):
        found.add("call_under_a_month")
    return found


def _notice_in_minutes(document: Document, facts: Facts) -> set[str]:
    """Tell how little time minutes show between the day of the notice and that of the meeting.

    A day without its year ("el doce de junio") is one of the meeting's year.
    """
    held = [
        item.iso
        for item in facts.dates
        if item.iso
        and document.find(_HELD, max(0, item.start - _HELD_BEFORE), item.end + _HELD_BEHIND) is not None
    ]
    if not held:
        return set()
    meeting = date.fromisoformat(min(held))
    called = [
        day
        for item in facts.dates
        if (day := _completed(item, meeting.year)) is not None
        and 0 < (meeting - day).days < _CALLED_WITHIN
        and document.find(_CALLED, max(0, item.start - _CALL_REACH), item.start) is not None
    ]
    if not called:
        return set()
    days = (meeting - max(called)).days
    found = {"call_under_fifteen_days"} if days < _FIFTEEN_DAYS else set()
    return found | ({"call_under_six_days"} if days < _SIX_DAYS else set())


def _completed(item: DateMention, year: int) -> date | None:
    """Return the day of a date, in some year where it names none; None of one that is no day."""
    if item.iso:
        return date.fromisoformat(item.iso)
    if item.flag not in (None, "partial") or item.year is not None or item.month is None or item.day is None:
        return None
    try:
        return date(year, item.month, item.day)
    except ValueError:
        return None


def _dates_beside(document: Document, facts: Facts, words: re2._Regexp) -> list[str]:
    """Return the days named in the same sentence as some words."""
    days = []
    for item in facts.dates:
        sentence = document.sentence(Span(item.start, item.end))
        if item.iso and document.find(words, sentence.start, sentence.end) is not None:
            days.append(item.iso)
    return days


def _period_old(document: Document, facts: Facts) -> bool:
    """Tell whether a tax period ended so long before service that four years have passed since its filing.

    The filing period of a yearly tax may end as late as mid-summer of the next year.
    """
    period = _TAX_YEAR.search(document.folded)
    served = [item.iso for item in facts.dates if item.role == "notification" and item.iso]
    if period is None or not served:
        return False
    return served[-1] > f"{int(period.group(1)) + 5}-08-31"


def _imputed(document: Document, facts: Facts) -> set[str]:
    """Tell whether a dismissal letter dates none of the facts it imputes, or dates some too long ago.

    Faults are time-barred six months after they were committed (art. 60.2 ET).
    """
    letter = facts.dated("letter")
    imputed = []
    for item in facts.dates:
        start = max(document.sentence(Span(item.start, item.end)).start, item.start - 80)
        own = item.role in ("signature", "birth") or (item.iso is not None and item.iso == letter)
        if not own and document.find(_NO_FACT, start, item.start) is None:
            imputed.append(item)
    found = set() if imputed else {"undated_facts"}
    if letter is not None:
        limit = add_months(date.fromisoformat(letter), -6).isoformat()
        if any(item.iso is not None and item.iso < limit for item in imputed):
            found.add("stale_facts")
    return found


def _forum(document: Document, facts: Facts) -> set[str]:
    """Tell whether the place whose courts are named is also the place of the premises or of the agent."""
    named = document.find(_COURTS_OF)
    place = None if named is None else _PLACE.search(document.folded, named.start, named.end)
    if named is None or place is None:
        return set()
    town = place.group(1).decode("ascii")
    clause = document.sentence(named)
    found = set()
    for start, end in islice(occurrences(document.folded.decode("ascii"), town), _MOST_PLACES):
        span = Span(start, end)
        sentence = document.sentence(span)
        if sentence == clause:
            continue
        if document.find(_PREMISES, sentence.start, span.start) is not None:
            found.add("forum_at_property")
        if any(
            sentence.start <= party.start < sentence.end
            for party in facts.parties
            if party.role_key == "agent"
        ):
            found.add("forum_at_agent")
    return found


def find_risks(
    document: Document,
    rulebook: Rulebook,
    kind: str,
    quantities: Mapping[str, Quantity],
    flags: frozenset[str],
    dated: str | None = None,
    language: Language = "es",
    also: Collection[str] = (),
    enclosed: Iterable[Asked] = (),
    natures: Iterable[str] = (),
    governed: str | None = None,
    beside: Collection[str] = (),
    *,
    asked_on: date | None = None,
) -> tuple[Finding, ...]:
    """Return the risk rules met, high ones first, critical before the rest, those of the kind first.

    Otherwise they come in the order of the document.

    Args:
        document: the document.
        rulebook: the rules.
        kind: of the document.
        quantities: its figures, as the terms of the rules name them.
        flags: its circumstances.
        dated: its day (YYYY-MM-DD): law that came into force later does not govern it.
        governed: the first day of the agreement, where that is a later one, for law that goes by it.
        asked_on: the day of the request, whose law governs a document that states no day.
        language: in which it is written.
        also: kinds that it may be instead, or whose matter it treats as well: of their rules those about
            what is wrong in clauses are asked, for silence proves nothing there.
        enclosed: papers of other kinds in the same text (`app.rules.rulebook.papers`). Their rules are asked
            too, those about clauses within the paper; a silence must be one of the whole text, and counts
            only where the paper is called by its title.
        natures: of the document, whatever its kind; of their rules, silences are asked too.
        beside: kinds whose rules about clauses are asked by what the document is; likeness to passages of
            those rules says nothing there.
    """
    findings = []
    unmet = set()
    whole = Asked(kind, quantities, flags)
    law_of = dated or (asked_on.isoformat() if asked_on is not None else None)
    questions = {risk.id: _Question(risk, whole) for risk in rulebook.risks_of.get(kind, ())}
    for other in also:
        for risk in rulebook.risks_of.get(other, ()):
            if risk.about_clauses and risk.section == "risks":
                questions.setdefault(risk.id, _Question(risk, whole))
    for paper in enclosed:
        for risk in rulebook.risks_of.get(paper.kind, ()):
            if risk.about_clauses or paper.titled:
                questions.setdefault(risk.id, _Question(risk, paper))
    of_kind = set(questions)
    for other in beside:
        for risk in rulebook.risks_of.get(other, ()):
            if risk.about_clauses and risk.section == "risks":
                questions.setdefault(risk.id, _Question(risk, whole))
    by_words = set(questions) - of_kind
    for nature in natures:
        for risk in rulebook.risks_of_nature.get(nature, ()):
            if risk.section == "deadlines" and kind in rulebook.risks_of:
                continue  # a period that the kind has, or has not, is told by the kind
            questions.setdefault(risk.id, _Question(risk, whole))
    excluded = excluded_laws(document, rulebook.exclusions, law_of, kind)
    for question in questions.values():
        risk = question.risk
        if question.asked is whole and risk.basis[0].norm in excluded:
            continue
        if not _in_force(risk, governed if risk.by_first_day and governed else law_of):
            continue
        if all(_holds(flag, question.asked.flags) for flag in risk.flags):
            finding = _examine(document, question, dated)
            if finding is not None:
                findings.append(finding)
            elif risk.about_clauses and risk.section == "risks" and not risk.together:
                unmet.update({risk.id} - by_words)
    met = {finding.risk.id for finding in findings}
    findings = [
        _with_signs(finding, findings) if finding.risk.together else finding
        for finding in findings
        if not finding.risk.together or len(met.intersection(finding.risk.together)) >= finding.risk.least
    ]
    met = {finding.risk.id for finding in findings}
    alike = list(_resembling(document, questions, unmet, findings, dated, language, rulebook.codes))
    findings = [finding for finding in findings if not met.intersection(finding.risk.yields_to)]
    # What only seems yields to what is met, whichever of two rules on one matter yields to the other.
    told = met.union(*(finding.risk.yields_to for finding in findings))
    # Nor is it told of words in which a pattern found a defect: they are like passages of its neighbours. In
    # other countries rules are few and far apart, and a clause that has one defect may well have another.
    of_risks = [one for one in findings if one.risk.section == "risks" and _SPAIN in rulebook.codes]
    taken = [span for finding in of_risks for span in finding.spans]
    findings += [
        one
        for one in alike
        if one.risk.id not in told
        and not met.intersection(one.risk.yields_to)
        and not any(a.start < b.end and b.start < a.end for a in one.spans for b in taken)
    ]
    of_whole = {rule for rule, one in questions.items() if one.asked is whole}
    findings = _without_doubles(findings, of_whole)
    findings = _without_doubles(findings, of_kind)
    if _SPAIN not in rulebook.codes:
        findings = told_once(document, findings)
    findings.sort(
        key=lambda f: (
            _RANK[f.risk.severity],
            not f.risk.critical,
            f.risk.id not in of_kind,
            _position(f, document),
        )
    )
    return tuple(findings)


def _in_force(risk: Risk, day: str | None) -> bool:
    """Tell whether the law of a rule is in force on a day (YYYY-MM-DD); without a day, the latest is."""
    if day is None:
        return risk.in_force_to is None
    if risk.in_force_from and day < risk.in_force_from.isoformat():
        return False
    return risk.in_force_to is None or day <= risk.in_force_to.isoformat()


def _with_signs(finding: Finding, findings: Iterable[Finding]) -> Finding:
    """Return what is found by silence or a figure with the places of the signs that prove it jointly."""
    if finding.risk.about_clauses or finding.comparison.evidence:
        return finding
    signs = [other.spans[0] for other in findings if other.risk.id in finding.risk.together and other.spans]
    return replace(finding, spans=tuple(signs[:_SIGNS]))


def _without_doubles(findings: Sequence[Finding], first: Collection[str]) -> list[Finding]:
    """Return findings without those that rest on the same article and words as one of the `first` rules.

    Args:
        findings: all of them.
        first: the ids of the rules that say it where both do: those of the whole text before those of an
            enclosed paper, those of a kind before those of any.
    """
    told = [finding for finding in findings if finding.risk.id in first]
    return [
        finding
        for finding in findings
        if finding.risk.id in first or not any(_says_the_same(finding, other) for other in told)
    ]


def _says_the_same(one: Finding, other: Finding) -> bool:
    if one.risk.section != other.risk.section or not {
        (basis.norm, basis.article) for basis in one.risk.basis[:1]
    }.intersection((basis.norm, basis.article) for basis in other.risk.basis):
        return False
    if not one.spans or not other.spans:
        return not one.spans and not other.spans
    return any(a.start < b.end and b.start < a.end for a in one.spans for b in other.spans)


def natures_of(document: Document, family: str, natures: Iterable[Nature]) -> tuple[Nature, ...]:
    """Return what a document is by its nature, whatever its kind.

    Args:
        document: the document.
        family: of its kind.
        natures: those that there are; those of documents of some kinds alone are left to `brought`.
    """
    return tuple(
        one
        for one in natures
        if not one.of and family not in one.never and (_has(document, one) or _is_of(document, one, family))
    )


def _is_of(document: Document, nature: Nature, family: str) -> bool:
    return family in nature.families and not _stands(document, nature.unless)


def brought(document: Document, kind: Kind | None, natures: Iterable[Nature] = ()) -> tuple[str, ...]:
    """Return the kinds whose rules a document of some kind meets as well, by what it treats of.

    A contract of Spain of no known kind meets those on any contract, which stand under services, and those
    on consumers where it names one.

    Args:
        document: the document.
        kind: its kind, None where none was recognised.
        natures: what it may treat of, of which its kind says nothing.
    """
    if kind is None:
        if document.source.jurisdiction != "ES" or document.find(_ANY_CONTRACT) is None:
            return ()
        return ("services",) if document.find(_NAMES_CONSUMER) is None else ("services", "consumer_terms")
    found = [one.kind for one in kind.brings if _stands(document, one.words)]
    for nature in natures:
        if kind.id in nature.of and _has(document, nature):
            found += nature.brings
    return tuple(one for one in dict.fromkeys(found) if one != kind.id)


def _has(document: Document, nature: Nature) -> bool:
    """Tell whether a document treats of something beside its kind."""
    standing = sum(document.find(one.compiled) is not None for one in nature.words)
    return standing >= nature.least and not _stands(document, nature.unless)


def matches(document: Document, risk: Risk, within: Span | None = None) -> tuple[Span, ...]:
    """Return at most two places that meet what `risk` says of a clause, and none of its exceptions.

    Only places in `within` count, where it is given.
    """
    if not risk.about_clauses or _excepts(document, risk.elsewhere, document.whole):
        return ()
    spans: list[Span] = []
    for span, judged in _proposed(document, risk):
        if within is not None and not within.start <= span.start < within.end:
            continue
        sentence = document.sentence(span)
        if any(kept.start < sentence.end and sentence.start < kept.end for kept in spans):
            continue
        if judged is None and denied(document, span, sentence):
            continue
        if _excepts(document, risk.unless, sentence):
            continue
        clause = document.clause(span)
        if _excepts(document, risk.unless_clause, clause):
            continue
        if not all(_stands(document, [pattern], judged or clause) for pattern in risk.all_of):
            continue
        spans.append(span)
        if len(spans) == 2:
            break
    return tuple(spans)


def _proposed(document: Document, risk: Risk) -> Iterator[tuple[Span, Span | None]]:
    """Yield the places that the patterns of `risk` match, then those the classifier proposes.

    What a pattern matched is judged by its whole clause. What the classifier proposes is judged by its
    sentence, given beside it: it knows what a sentence is about, not what is said of it.
    """
    against = {id(pattern): more.unless for more in risk.further for pattern in more.patterns}
    for pattern in risk.patterns:
        for span in document.find_all(pattern.compiled, limit=6):
            if not _excepts(document, against.get(id(pattern), ()), document.sentence(span)):
                yield span, None
    if risk.clause_types:
        for part in document.clauses_of(risk.clause_types, PROPOSED):
            yield part, document.sentence(part)


def _examine(document: Document, question: _Question, dated: str | None) -> Finding | None:
    risk = question.risk
    comparison = _compared(risk, question.asked.quantities, dated)
    if comparison is None:
        return None
    spans = matches(document, risk, question.asked.within)
    if not _met(document, risk, spans):
        return None
    return Finding(risk, comparison, spans)


def _compared(risk: Risk, quantities: Mapping[str, Quantity], dated: str | None) -> Comparison | None:
    """Return the comparison that a rule asks for: empty where it asks for none, None where it fails."""
    if not risk.check:
        return Comparison()
    return CHECKS[risk.check](quantities, {**risk.parameters, "dated": dated})


def _resembling(
    document: Document,
    questions: Mapping[str, _Question],
    unmet: Collection[str],
    findings: Sequence[Finding],
    dated: str | None,
    language: Language,
    codes: Collection[str],
) -> Iterator[Finding]:
    """Yield the rules that no pattern met, but that a part of the document is worded like.

    Their figures, their conditions on the whole document and their exceptions must hold as for any other.
    """
    told = {finding.risk.id for finding in findings}
    rules = (one.risk for one in questions.values())
    for risk, part in resembling(document, rules, told.union(unmet), language, codes):
        asked = questions[risk.id].asked
        if asked.within is not None and not asked.within.start <= part.start < asked.within.end:
            continue
        if risk.id in told or not _met(document, risk, (part,)) or excepted(document, risk, part):
            continue
        # Spain has some twelve passages of a rule, another country few: there likeness alone says little.
        if _SPAIN not in codes and not (
            all(_stands(document, [pattern], document.clause(part)) for pattern in risk.all_of)
            and names_defect(risk, document.folded[part.start : part.end].decode(), document.source.tongue)
        ):
            continue
        comparison = _compared(risk, asked.quantities, dated)
        if comparison is not None:
            told.add(risk.id)
            yield Finding(risk, comparison, (part,), alike=True)


def excepted(document: Document, risk: Risk, span: Span) -> bool:
    """Tell whether one of the exceptions of a rule stands at a place, denied there or not.

    What is only alike is a weaker sign than a pattern: the words of an exception are enough against it.
    """
    return (
        _stands(document, risk.elsewhere)
        or _stands(document, risk.unless, document.sentence(span))
        or _stands(document, risk.unless_clause, document.clause(span))
    )


def meets(document: Document, risk: Risk) -> bool:
    """Return whether a document meets what `risk` says of its words; its `check` is another matter."""
    return _met(document, risk, matches(document, risk))


def _met(document: Document, risk: Risk, spans: tuple[Span, ...]) -> bool:
    if not spans if risk.about_clauses else _stands(document, risk.elsewhere):
        return False
    if risk.under and not stands_under(document, risk.under):
        return False
    return all(_stands(document, [pattern]) for pattern in risk.requires)


def _stands(document: Document, patterns: Iterable[Pattern], within: Span | None = None) -> bool:
    """Tell whether one of the patterns stands in the document, or in a part of it."""
    start, end = (within.start, within.end) if within is not None else (0, None)
    return any(document.find(pattern.compiled, start, end) is not None for pattern in patterns)


def _excepts(document: Document, exceptions: Iterable[Pattern], within: Span) -> bool:
    """Tell whether one of the exceptions of a rule stands in a part of a document, and is not denied there.

    "Sin que perciba comisión especial" is no special commission. Exceptions in other languages than Spanish
    name verbs, which are denied where a clause is lawful: "will not retaliate".
    """
    if document.source.tongue not in _EXCEPTIONS_ARE_NOUNS:
        return _stands(document, exceptions, within)
    for exception in exceptions:
        start = within.start
        for _ in range(_MOST_PLACES):
            found = document.find(exception.compiled, start, within.end)
            if found is None:
                break
            if not denied(document, found, document.sentence(found), exception=True):
                return True
            start = found.end
    return False


def _holds(flag: str, flags: frozenset[str]) -> bool:
    return flag[1:] not in flags if flag.startswith("!") else flag in flags


def _position(finding: Finding, document: Document) -> int:
    places = [span.start for span in finding.spans]
    places += [quantity.span.start for quantity in finding.comparison.evidence]
    return min(places, default=len(document.text))
