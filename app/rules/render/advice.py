"""Word a rule's advice so that a stranger understands it: on what it is, and who can do it. Pure.

Rules say what to do in a few words, "suprimirla" or "delete it", which is enough under the risk that they
belong to. By itself a recommendation must say what is to be deleted, and it is of no use to a tenant that a
clause should be: who asks is not known. So the recommendation opens with what the risk says of the document,
and where one party writes papers of this kind and the law protects the other, it says whose turn it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from app.rules.draft import Severity
from app.rules.render import wording
from app.text.bilingual import Bilingual, Language, pick

Parties = tuple[Bilingual, Bilingual]

_COMPANY: Final = Bilingual("la empresa", "the company")
_CONSUMER: Final = Bilingual("el consumidor", "the consumer")
_EMPLOYER: Final = Bilingual("la empresa", "the employer")
_TO_CONSUMER: Final[Parties] = (_COMPANY, _CONSUMER)
_TO_WORKER: Final[Parties] = (_EMPLOYER, Bilingual("la persona trabajadora", "the worker"))
_TO_TENANT: Final[Parties] = (
    Bilingual("el arrendador", "the landlord"),
    Bilingual("el arrendatario", "the tenant"),
)
_TO_INSURED: Final[Parties] = (
    Bilingual("la aseguradora", "the insurer"),
    Bilingual("el asegurado", "the insured"),
)
_TO_ADDRESSEE: Final[Parties] = (
    Bilingual("la Administración", "the authority"),
    Bilingual("quien recibió el acto", "the person who received the act"),
)
_CONSUMERS: Final = [
    "consumer_terms",
    "membership",
    "course_enrolment",
    "utility_supply",
    "package_travel",
    "treatment",
    "event_booking",
    "prize_draw",
]
_WORKERS: Final = [
    "employment",
    "domestic_employment",
    "internship",
    "remote_work_agreement",
    "senior_management",
    "workplace_rules",
    "dismissal_letter",
    "objective_dismissal",
    "collective_dismissal",
    "disciplinary_sanction",
    "conditions_change",
    "geographic_mobility",
    "work_suspension",
    "contract_end_notice",
    "settlement_receipt",
    "employment_certificate",
]
_ACTS: Final = [
    "administrative_decision",
    "traffic_fine",
    "tax_assessment",
    "tax_penalty",
    "tax_liability",
    "enforcement_order",
    "seizure_order",
    "immigration_decision",
    "social_security_decision",
    "expropriation",
]
_TO_DEBTOR: Final[Parties] = (
    Bilingual("quien reclama", "whoever claims"),
    Bilingual("quien recibió la carta", "the person who received the letter"),
)
_TO_DATA_SUBJECT: Final[Parties] = (
    Bilingual("quien trata los datos", "whoever processes the data"),
    Bilingual("la persona interesada", "the data subject"),
)
# Who writes a paper of a kind, and whom the law protects.
_PARTIES: Final[Mapping[str, Parties]] = {
    **dict.fromkeys(_CONSUMERS, _TO_CONSUMER),
    **dict.fromkeys(_WORKERS, _TO_WORKER),
    **dict.fromkeys(_ACTS, _TO_ADDRESSEE),
    **dict.fromkeys(("housing_lease", "room_lease"), _TO_TENANT),
    **dict.fromkeys(("insurance_policy", "insurer_letter"), _TO_INSURED),
    "payment_demand": _TO_DEBTOR,
    "privacy_notice": _TO_DATA_SUBJECT,
    "care_home": (Bilingual("la residencia", "the home"), Bilingual("la persona residente", "the resident")),
    "loan": (Bilingual("el prestamista", "the lender"), Bilingual("el prestatario", "the borrower")),
    "agency": (Bilingual("el empresario", "the principal"), Bilingual("el agente", "the agent")),
    "franchise": (
        Bilingual("el franquiciador", "the franchisor"),
        Bilingual("el franquiciado", "the franchisee"),
    ),
    "trade_contract": (
        Bilingual("el cliente", "the client"),
        Bilingual("el trabajador autónomo", "the self-employed worker"),
    ),
    "community_minutes": (
        Bilingual("la comunidad", "the community of owners"),
        Bilingual("el propietario que no esté conforme", "an owner who disagrees"),
    ),
    "company_minutes": (Bilingual("la sociedad", "the company"), Bilingual("el socio", "a member")),
}
# What only who writes the paper, or decides, can do about it.
_DRAFTING: Final = frozenset(
    [
        "acotar",
        "actualizar",
        "adaptar",
        "admitir",
        "ajustar",
        "ampliar",
        "anadir",
        "añadir",
        "avisar",
        "ceñir",
        "citar",
        "completar",
        "conceder",
        "condicionar",
        "convocar",
        "corregir",
        "dar",
        "decir",
        "definir",
        "dejar",
        "describir",
        "devolver",
        "distinguir",
        "dotar",
        "elevar",
        "eliminar",
        "enumerar",
        "establecer",
        "exceptuar",
        "excluir",
        "fijar",
        "garantizar",
        "graduar",
        "hacer",
        "identificar",
        "incluir",
        "incorporar",
        "indicar",
        "informar",
        "levantar",
        "ligar",
        "limitar",
        "llevar",
        "mantener",
        "moderar",
        "motivar",
        "nombrar",
        "ofrecer",
        "otorgar",
        "pactar",
        "permitir",
        "poner",
        "precisar",
        "prever",
        "rebajar",
        "recabar",
        "recoger",
        "reconocer",
        "recontar",
        "reducir",
        "reembolsar",
        "regular",
        "remitir",
        "reponer",
        "respetar",
        "restablecer",
        "separar",
        "someter",
        "subir",
        "sujetar",
        "suprimir",
        "sustituir",
        "tasar",
        "verificar",
        "volver",
    ]
)
_PAYING: Final = frozenset(("afiliar", "cotizar", "depositar", "liquidar", "pagar", "registrar"))
# What is void before anybody deletes it.
_STRIKING: Final = frozenset(("eliminar", "exceptuar", "limitar", "suprimir", "sustituir"))
_INSTRUCTION: Final = re.compile(r"(?:no )?([a-zñ]+?[aei]r|[a-z]+ír)(?:se)?(?:l[aeo]s?)?\b")
_SENTENCE: Final = re.compile(r"\b(?:basta|conviene|corresponde|deben?|pueden?|tienen? que)\b")
_ACCENTS: Final = str.maketrans("áéíóú", "aeiou")
# What the other party does: an instruction with both is nobody's alone.
_CLAIMING: Final = re.compile(
    r"\b(?:acreditar|alegar|denunciar|demandar|disfrutar|exigir|firmar|impugnar|negarse|oponer|rechazar|reclamar"
    r"|recurrir|tachar)"
)
# What can be done only as long as nothing is signed.
_SIGNING: Final = re.compile(r"(?:no )?(?:firmar|tachar)\b")
_UNSIGNED: Final = Bilingual("si aún no se ha firmado, ", "if it is not signed yet, ")
# What to do with a day is told with it; a comparison that the reader is to make anew says nothing.
_CHECKS: Final = re.compile(r"(?:comparar|comprobar|confirmar|contar)\b")
# English that does not open with the bare verb of an instruction.
_NO_VERB: Final = frozenset(("do", "if", "in", "it", "never", "no", "only", "otherwise", "the", "without"))
# "Suprimirla" alone names nothing that could be deleted.
_BARE: Final = Bilingual("suprimir esa cláusula", "delete that clause")
_BARE_ES: Final = re.compile(r"^(?:suprimir|eliminar)l[aeo]s?(?=[.;:, ]|$)", re.IGNORECASE)
_BARE_EN: Final = re.compile(r"^(?:delete|remove) (?:it|them)\b", re.IGNORECASE)
# Security that a third person gives for a debt protects neither party to the loan.
_OF_GUARANTOR: Final = re.compile(r"\b(?:fia(?:nza|dor)|avalista|guarantor|surety)", re.IGNORECASE)
_GUARANTOR: Final = Bilingual("el fiador", "the guarantor")
_TURN: Final = Bilingual(
    "Corresponde {whom} {what}; {other} puede pedirlo", "It is for {whom} to {what}; {other} may ask for it"
)
_TURN_GRAVE: Final = Bilingual(
    "Corresponde {whom} {what}; {other} puede exigirlo",
    "It is for {whom} to {what}; {other} may insist on it",
)
_FIRST: Final = re.compile(r"[;:.] ")
_HEAD: Final = re.compile(r"[:;.] ")


def is_mere_check(advice: Bilingual) -> bool:
    """Tell whether an advice only asks to compare or check something."""
    return _CHECKS.match(advice.es.lower()) is not None


def parties_to(kinds: Sequence[str], kind: str) -> Parties | None:
    """Return who writes papers of a kind, and whom the law protects; None where neither is so.

    They are those of the document's `kind` where a rule's `kinds` name it, or name none; else those of its
    kinds, where these are the same.
    """
    named = {_PARTIES.get(one) for one in ([kind] if kind in kinds or not kinds else kinds)}
    return named.pop() if len(named) == 1 else None


def worded(
    advice: Bilingual,
    title: str,
    parties: Parties | None,
    language: Language,
    severity: Severity | None = None,
    *,
    void: bool = False,
) -> str:
    """Return the recommendation to make.

    Args:
        advice: what the rule says to do, in both languages, its figures filled in.
        title: what the risk says of the document, in the language of the answer; "" if there is no risk.
        parties: who writes papers of the kind, and whom the law protects; None where neither is so.
        language: of the answer.
        severity: of the risk.
        void: whether what is unfair does not bind the party protected, whatever the other one does.
    """
    text = advice.in_(language)
    plain = advice.es.lower()
    if title and parties is None:
        bare = _BARE.in_(language)
        text = pick(language, _BARE_ES, _BARE_EN).sub(f"{bare[0].upper()}{bare[1:]}", text)
    if parties is _PARTIES["loan"] and _OF_GUARANTOR.search(title):
        parties = parties[0], _GUARANTOR
    found = _INSTRUCTION.match(plain.translate(_ACCENTS))
    if found is None and _SENTENCE.search(_FIRST.split(plain, maxsplit=1)[0]):
        return text  # it says who can do what
    if (
        found is not None
        and parties is not None
        and (verb := _of_the_writer(plain, found[1], parties, advice.en))
    ):
        text = _for_two(text, parties, language, severity, void=void and verb in _STRIKING)
    if _SIGNING.match(plain) is not None:
        text = _UNSIGNED.in_(language) + wording.lower_first(text)
    if not title:
        return text[0].upper() + text[1:]
    opening = _HEAD.split(title.strip(), maxsplit=1)[0].rstrip(".")
    if len(opening.split()) < 2:
        opening = title.strip().rstrip(".").replace(":", ",")
    return f"{opening}: {wording.lower_first(text)}"


def _of_the_writer(plain: str, verb: str, parties: Parties, english: str) -> str:
    """Return the verb of an instruction that only the writer of the paper can follow, else ""."""
    if english.split(maxsplit=1)[0].lower().strip(",") in _NO_VERB or plain.startswith("no "):
        return ""
    if _CLAIMING.search(_FIRST.split(plain, maxsplit=1)[0]):
        return ""
    own = verb in _DRAFTING or (verb in _PAYING and parties is _TO_WORKER)
    own = own or bool(re.match(r"pedir\w* (?:aparte|(?:el |un |su )?consentimiento)", plain))
    return verb if own else ""


def _for_two(
    text: str, parties: Parties, language: Language, severity: Severity | None, *, void: bool
) -> str:
    """Return an instruction as what one party is to do and the other may ask for, then what follows it."""
    cut = _FIRST.search(text)
    first, rest = (text[: cut.start()], text[cut.end() :]) if cut else (text.rstrip("."), "")
    writer, other = (one.in_(language) for one in parties)
    whom = pick(language, f"al {writer[3:]}" if writer.startswith("el ") else f"a {writer}", writer)
    said = (_TURN_GRAVE if severity == "high" else _TURN).in_(language)
    said = said.format(whom=whom, what=wording.lower_first(first), other=other)
    said += (
        pick(language, ", y no le obliga lo que sea abusivo", ", and is not bound by what is unfair") * void
    )
    return f"{said}. {rest[0].upper()}{rest[1:]}" if rest else f"{said}."


def without_opening(text: str, head: str) -> str:
    """Return a recommendation that stands under its risk, `head`: what the risk says already is left out."""
    opening, colon, rest = text.partition(": ")
    if not colon or not rest or not head.startswith(opening):
        return text
    return rest[0].upper() + rest[1:]
