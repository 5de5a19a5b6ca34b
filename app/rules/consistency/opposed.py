"""Find two clauses of one document that cannot both hold: each pair of this list, by its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import re2

from app.rules.consistency.fault import Context, Fault
from app.rules.document import Document, Span, compile_pattern
from app.rules.draft import Severity
from app.text.bilingual import Bilingual


@dataclass(frozen=True, slots=True)
class Opposition:
    """Two provisions that deny each other.

    Attributes:
        key: what sort of contradiction it is.
        kinds: the kinds of document in which it matters; all of the family `families` where empty.
        one, other: words of either provision. `unless`: words that reconcile them, in a sentence of either.
        apart: whether both must stand in different sentences.
        wide: whether what reconciles them may stand anywhere in the clause of either.
        citations: the articles that speak of it.
    """

    key: str
    kinds: frozenset[str]
    families: frozenset[str]
    severity: Severity
    one: re2._Regexp
    other: re2._Regexp
    unless: re2._Regexp | None
    apart: bool
    wide: bool
    text: Bilingual
    advice: Bilingual
    citations: tuple[str, ...]


def _opposed(
    key: str,
    kinds: str,
    one: str,
    other: str,
    *,
    unless: str = "",
    apart: bool = False,
    wide: bool = False,
    severity: Severity = "medium",
    es: str,
    en: str,
    advice: tuple[str, str],
    law: tuple[str, ...],
    families: str = "contract",
) -> Opposition:
    return Opposition(
        key,
        frozenset(kinds.split()),
        frozenset(families.split()),
        severity,
        compile_pattern(one),
        compile_pattern(other),
        compile_pattern(unless) if unless else None,
        apart,
        wide,
        Bilingual(es, en),
        Bilingual(*advice),
        law,
    )


_SETTLE = (
    "Dejar una sola de las dos cláusulas, o decir cuál prevalece y en qué caso.",
    "Keep one of the two clauses only, or say which prevails and when.",
)
_COURTS = (
    "(se someten|sumision|sometimiento|con renuncia|acuerdan acudir|submit|jurisdiction)…(juzgados|"
    "tribunales|courts?)\\b|(juzgados|tribunales|courts)…(someten|exclusive jurisdiction|competentes para)"
)
_ARBITRATION = (
    "(se sometera|someter|se someten|sera resuelt|seran resuelt|resolver|resolvera|decidira|finally settled|"
    "referred "
    "to|settled by|resolved by)…(arbitraje|arbitro\\b|arbitration|arbitrator)|"
    "disputes?…(arbitration|arbitrator)"
)
_OPPOSED = (
    _opposed(
        "forum", "", _COURTS, _ARBITRATION,
        unless="\\b(subsidiari[a-z]*|en su defecto|a falta "
        "de|formalizacion|auxilio|ejecucion del laudo|cautelares|"
        "failing|interim|enforce[a-z]*|in aid|sin perjuicio|otherwise|en otro caso|"
        "en los demas casos|por lo demas|anulacion|o bien|a eleccion|lo que deba ir|en lo "
        "que no "
        "pueda|arbitraje de consumo|junta arbitral|renuncian? (expresa ?mente )?(a los|al) (tribunales|"
        "juzgados))\\b",
        es="El contrato somete las controversias a la vez a unos tribunales y a arbitraje: dos cláusulas que "
        "se "
        "excluyen. El convenio arbitral ha de expresar la voluntad de someter a arbitraje las controversias, "
        "y un "
        "convenio contradictorio pone en duda esa voluntad.",
        en="The contract submits disputes both to courts and to arbitration: the two clauses conflict. An "
        "arbitration "
        "agreement must express the will to submit disputes to arbitration, and a pathological one puts it "
        "in doubt.",
        advice=(
            "Elegir una vía: el arbitraje exige la voluntad clara de excluir los tribunales.",
            "Choose one: an arbitration agreement needs a clear will to exclude the courts.",
        ),
        law=("art. 9.1 de la Ley 60/2003, de 23 de diciembre", "art. 1288 CC"), wide=True,
    ),
    _opposed(
        "exclusive", "agency distribution franchise services software_services",
        "(con caracter de exclusiva|en exclusiva|distribuidor exclusiv|agente exclusiv|concesionari[oa] "
        "exclusiv|"
        "exclusividad (en|sobre|para) (la|el|su) (zona|territorio|area)|exclusive (distributor|agent|dealer|"
        "representative|right to sell))",
        "(podra|podran|se reserva|may|reserves)…(visitar|ofertar|vender|servir|suministrar|designar|nombrar|"
        "atender|"
        "serve|sell|appoint|supply|deal)…(en (la|el) (zona|territorio|area)|de la zona|cualquier cliente|"
        "clientes? (de|"
        "establecid)|otros (agentes|distribuidores)|in the (area|territory|region)|others)",
        unless="\\b(devengara[n]? (la )?comision|con derecho "
        "a (la )?comision|salvo acuerdo|with the consent of the "
        "(agent|distributor))\\b",
        es="Una cláusula concede la exclusiva y otra permite a quien la concede vender en la misma zona por "
        "sí o por "
        "otros, a su arbitrio: la exclusividad queda vacía de contenido. El cumplimiento no puede dejarse al "
        "arbitrio "
        "de uno de los contratantes.",
        en="One clause grants exclusivity and another lets the grantor sell in the same area itself or "
        "through others, "
        "at will: the exclusivity contradicts itself and is emptied. Performance may not be left to one "
        "party's will.",
        advice=(
            "Suprimir la reserva o limitarla a cuentas cerradas, con comisión o compensación por sus ventas.",
            "Delete the reservation or limit it to a closed list, with commission on those sales.",
        ),
        law=("art. 1256 CC", "art. 1284 CC"),
    ),
    _opposed(
        "earnest", "real_estate_sale goods_sale",
        "(arras|senal)…penitencial[a-z]*|"
        "(arras|senal|atras|desist|conformes?|contentos)…articulos? 1_?454",
        "(arras|senal|tambien|ademas)…confirmatori[a-z]*|"
        "(arras|senal)…(es|en|queda|trato|venta|contrato) firme|"
        "(ninguna|ninguno|nadie)…podran? (echarse|volverse) atras",
        unless="\\b(no (tienen|son|seran|tendran)…(confirmatori|"
        "penitencial)|y no (confirmatori|penitencial)|en ningun "
        "caso (confirmatori|penitencial))",
        es="Las arras se pactan a la vez como penitenciales (art. 1454 CC) y como confirmatorias: es "
        "contradictorio, porque "
        "unas "
        "permiten desistir perdiéndolas o devolviéndolas dobladas y las otras obligan a cumplir. Su "
        "naturaleza ha de "
        "quedar clara.",
        en="The deposit is at once a price of withdrawal and a proof of the bargain: contradictory, since "
        "the one lets "
        "either party withdraw and the other binds them.",
        advice=(
            "Definir de qué clase de arras se trata, con remisión expresa al art. 1454 CC si se quiere poder "
            "desistir.",
            "Say which of the two is meant.",
        ),
        law=("art. 1454 CC", "art. 1281 CC"),
    ),
    _opposed(
        "encumbered", "real_estate_sale",
        "(libre de (toda )?(clase de )?(cargas|gravamenes)|sin cargas)",
        "((queda|pesa|tiene|existe|grava[a-z]*|hay|pendiente[s]? de)…(hipoteca|embargo|anotacion)|"
        "hipoteca…(pendiente|"
        "faltan?|quedan?|vigente|capital))",
        unless="\\b(cancel[a-z]*|se subrog[a-z]*|reten[a-z]*|descont[a-z]*|alzad[a-z]*|levant[a-z]*)\\b",
        es="Se vende libre de cargas y consta una hipoteca u otra carga pendiente, sin que se pacte "
        "cancelarla ni "
        "retener parte del precio: las dos declaraciones se contradicen y el comprador adquiriría el "
        "inmueble gravado.",
        en="The property is sold free of charges and a mortgage or other charge is stated to remain, with no "
        "duty to "
        "cancel it and no retention of price: the two statements contradict each other.",
        advice=(
            "Pactar la cancelación de la carga en la escritura y con cargo al precio, con certificado de "
            "saldo.",
            "Agree that the charge is cancelled at the deed, out of the price.",
        ),
        law=("art. 118 LH", "art. 1124 CC"),
    ),
    _opposed(
        "occupied", "real_estate_sale",
        "((piso|vivienda|finca|inmueble|local|casa)…(vaci[oa]\\b|libre de (ocupantes|inquilinos|"
        "arrendatarios|"
        "arrendamientos))|libre de (cargas y )?(ocupantes|inquilinos|arrendatarios|arrendamientos))",
        "(contrato de (vivienda|alquiler|arrendamiento)|(vive|ocupa[a-z]*|habita)…(inquilin|arrendatari|"
        "contrato)|"
        "arrendad[oa] a)",
        unless="\\b(renunci|se extinguira|finalizo|resuelto|desaloj[oa] ya)\\b",
        es="Se promete entregar el inmueble vacío y el mismo documento dice que lo ocupa un inquilino con "
        "contrato: "
        "el adquirente de una vivienda arrendada queda subrogado en el arrendamiento durante los cinco "
        "primeros años "
        "(siete si arrendaba una persona jurídica), y el inquilino puede seguir en él.",
        en="Vacant possession is promised and the same document says that a tenant lives there under a "
        "contract: who "
        "buys a let home steps into the lease for its first five years (seven if the landlord was a "
        "company).",
        advice=(
            "Pedir el contrato de arrendamiento y la renuncia escrita del inquilino, y rebajar el precio o "
            "condicionar la compra a su salida.",
            "Ask for the lease and for the tenant's written waiver, and make the purchase depend on it.",
        ),
        law=("art. 14 LAU", "art. 9 LAU"),
    ),
    _opposed(
        "unpaid_office", "shareholders_agreement bylaws company_minutes",
        "cargo de (administrador|consejero)[a-z]*…gratuit[oa]|(administrador|consejero)[a-z]*…(caracter|sera|"
        "es) gratuit[oa]",
        "(percibira|retribu|remunera|cobrara)…(E|euros)",
        unless="\\b(modificar(an)? los estatutos|previa modificacion|laboral comun)\\b",
        es="Se pacta una retribución para quien administra y los estatutos que se citan dicen que el cargo "
        "es gratuito: "
        "el cargo es gratuito salvo que los estatutos establezcan lo contrario, y el consejero delegado "
        "necesita "
        "además un contrato aprobado por dos tercios del consejo.",
        en="Pay is agreed for a director while the articles quoted say that the office is unpaid: it is "
        "unpaid unless "
        "the articles say otherwise, and a managing director needs a contract approved by two thirds of the "
        "board.",
        advice=(
            "Modificar antes los estatutos y aprobar el contrato del consejero delegado.",
            "Change the articles first and approve the contract of the managing director.",
        ),
        law=("art. 217.1 LSC", "art. 249.3 LSC"), apart=True,
    ),
    _opposed(
        "guarantee_limit", "loan suretyship debt_acknowledgement housing_lease business_lease lease",
        "(fianza|afianza|fiador|avalista|avala)…(por un maximo|maximo de|hasta (un|el) (maximo|limite)|"
        "limitad[oa] a)",
        "(respondera?|afianza|garantiza|fianza|responde)…(totalidad|sin limite|ilimitad|de todo lo que|sin "
        "tope)",
        unless="\\b(dentro de dicho limite|hasta ese limite|sin exceder)\\b", apart=True,
        es="La fianza se limita a una cantidad máxima en una cláusula y en otra se extiende a la totalidad "
        "sin límite: "
        "es contradictorio. La fianza ha de ser expresa y no puede extenderse a más de lo contenido en ella.",
        en="One clause limits the guarantee to a maximum and another extends it to the whole without limit: "
        "a "
        "contradiction. A guarantee must be express and may not be extended beyond what it contains.",
        advice=(
            "Hacer valer el límite más bajo y exigir que se suprima la otra cláusula.",
            "Insist on the lower limit and have the other clause deleted.",
        ),
        law=("art. 1827 CC",),
    ),
    _opposed(
        "claims", "", "(se )?(declar[ae]|declarando|declaracion de)…(resuelt[oa]|resolucion del contrato)",
        "(se )?condene…(ejecutar|concluir|terminar|finalizar|cumplir|realizar)…(obra|contrato|trabajos|"
        "prestacion)|"
        "conden[ae]…(como precio|el precio (de|integro))",
        unless="\\b(subsidiari[a-z]*|eventual[a-z]*|alternativ[a-z]*|"
        "en su defecto|para el caso de que no)\\b",
        apart=True, families="pleading", severity="high",
        es="Se piden a la vez la resolución del contrato y su cumplimiento: son acciones incompatibles. El "
        "perjudicado "
        "ha de escoger entre una y otra, y sólo pueden acumularse de forma eventual, con expresión de cuál "
        "es la "
        "principal y cuál la subsidiaria.",
        en="Termination of the contract and its performance are claimed together: incompatible claims. The "
        "party harmed "
        "must choose, and may join both only in the alternative.",
        advice=(
            "Ordenar las peticiones como principal y subsidiaria antes de que se conteste.",
            "State one claim as principal and the other in the alternative.",
        ),
        law=("art. 71.3 LEC", "art. 1124 CC"),
    ),
    _opposed(
        "renewal", "",
        "(sin (posibilidad de )?prorroga|no (sera|es) (prorrogable|renovable)|no cabra prorroga|"
        "improrrogable|not be "
        "renewed|without renewal)",
        "se (prorrog|renov)[a-z]*…(automatic|tacit|periodos|anual|por anos)|renews automatically",
        apart=True,
        unless="\\b(plazo[s]? improrrogable|dias improrrogable|termino improrrogable|hasta alcanzar)\\b",
        es="Una cláusula excluye la prórroga del contrato y otra lo prorroga: se contradicen.",
        en="One clause excludes renewal and another renews the contract: they contradict each other.",
        advice=_SETTLE, law=("art. 1285 CC", "art. 1288 CC"),
    ),
    _opposed(
        "interest_free", "loan debt_acknowledgement",
        "(prestamo|cantidad|devolucion|capital)…(sin (devengar )?interes(es)?|no devenga[a-z]* interes)|"
        "interest[- ]free",
        "(devengara|devenga|interes(es)? (remuneratori[oa]s?|ordinari[oa]s?))…([0-9]|por ciento)",
        unless="\\b(demora|moratori[a-z]*|impag[a-z]*|retras[a-z]*|mora|default|late)\\b", apart=True,
        es="Una cláusula dice que el préstamo no devenga interés y otra fija un interés ordinario: se "
        "contradicen, y "
        "no se deben intereses sino cuando expresamente se hubiesen pactado.",
        en="One clause says that the loan bears no interest and another sets one: they contradict each "
        "other.",
        advice=_SETTLE, law=("art. 1755 CC", "art. 1288 CC"),
    ),
    _opposed(
        "permanent", "employment",
        "(contrato|relacion|caracter)…(indefinid[oa]|por tiempo indefinido)",
        "(el contrato|la relacion|su duracion)…(finalizara el|terminara el)|duracion (del contrato )?sera de "
        "[a-z0-9]+ "
        "(meses|semanas)",
        unless="\\b(convert[a-z]*|transform[a-z]*|entender[a-z]*|"
        "presum[a-z]*|si |salvo|prueba|anterior|excedencia|"
        "vacaciones|bonific[a-z]*)\\b", apart=True,
        es="El contrato se dice indefinido y en otra cláusula tiene fecha o plazo de fin: se contradicen. El "
        "contrato de "
        "trabajo se presume concertado por tiempo indefinido.",
        en="The contract is called permanent and another clause sets its end: a contradiction. Employment is "
        "presumed "
        "to be for an indefinite time.",
        advice=_SETTLE, law=("art. 15.1 ET", "art. 1288 CC"),
    ),
)  # fmt: skip
_FORUM_CITY = re.compile(
    r"(?:juzgados(?: y tribunales)?|tribunales|courts)(?: competentes)? (?:de|del|of) (?:la |el |the "
    r")?(?:ciudad|villa|city|plaza)?"
    r"(?: (?:de|of))? ?(?P<city>[A-Z][A-Za-z]+(?: (?:de |del |la )*[A-Z][a-z]+)?)"
)
_SUBMITTED = re.compile(
    r"somet|sumision|competent|jurisdic|renuncia|fuero|submit|waiv|acuden|acudir|ventilar"
)
_EITHER = re.compile(
    r"en su defecto|a eleccion|o bien|domicilio del (?:consumidor|demandado)|subsidiari|salvo"
)
_LAWS = re.compile(
    r"\b(?:se (?:rige|regira|somete)n?|regid[oa]s?|governed by|subject to|aplicable)\b[^.;]{0,60}?"
    r"\b(?:ley(?:es)?|derecho|laws?|legislacion)(?: (?:de|of|del))?(?: the)? ?(?P<land>espan[a-z]*|"
    r"ingles[a-z]*|inglaterra|frances[a-z]*|"
    r"francia|aleman[a-z]*|portug[a-z]*|italian[a-z]*|italia|spain|spanish|england|english|france|french|"
    r"germany|german|sweden|swedish|"
    r"delaware|new york|ireland|irish|switzerland|swiss)\b"
)
_LAND = {
    "espan": "España", "spain": "España", "spani": "España", "ingle": "Inglaterra", "ingla": "Inglaterra",
    "engla": "Inglaterra", "engli": "Inglaterra", "franc": "Francia", "frenc": "Francia", "alema": "Alemania",
    "germa": "Alemania", "portu": "Portugal", "itali": "Italia", "swede": "Suecia", "swedi": "Suecia",
    "delaw": "Delaware", "new y": "Nueva York", "irela": "Irlanda", "irish": "Irlanda", "switz": "Suiza",
    "swiss": "Suiza",
}  # fmt: skip


def find_opposed_clauses(context: Context) -> Iterator[Fault]:
    """Yield provisions of which one denies the other, and rival courts and laws."""
    document = context.document
    for pair in _OPPOSED:
        if context.family not in pair.families or (pair.kinds and context.kind not in pair.kinds):
            continue
        found = _both(document, pair)
        if found is not None:
            yield Fault(
                pair.key,
                pair.severity,
                pair.text,
                pair.advice,
                found,
                pair.citations if context.spanish else (),
            )
    if context.family == "contract":
        yield from _two_courts(context)
        yield from _two_laws(context)


def _both(document: Document, pair: Opposition) -> tuple[Span, Span] | None:

    def reconciled(place: Span) -> bool:
        around = document.clause(place) if pair.wide else document.sentence(place)
        return pair.unless is not None and document.find(pair.unless, around.start, around.end) is not None

    for one in document.find_all(pair.one, limit=6):
        if reconciled(one):
            continue
        for other in document.find_all(pair.other, limit=6):
            same = document.sentence(other) == document.sentence(one)
            if not reconciled(other) and not (pair.apart and same):
                return one, other
    return None


def _two_courts(context: Context) -> Iterator[Fault]:
    source, document = context.facts.source, context.document
    cities: dict[str, Span] = {}
    for found in _FORUM_CITY.finditer(source.cased):
        sentence = document.sentence(Span(found.start(), found.end()))
        words = source.folded[sentence.start : sentence.end]
        if _SUBMITTED.search(words) is None:
            continue
        if _EITHER.search(words):
            return
        cities.setdefault(found["city"].lower().split()[0], Span(found.start(), found.end()))
    if len(cities) == 2:
        one, other = (source.text[span.start : span.end].split()[-1] for span in cities.values())
        yield Fault(
            "courts",
            "medium",
            Bilingual(
                es=f"El contrato somete las controversias a los tribunales de {one} en una cláusula y a los "
                f"de {other} en "
                "otra: se contradicen. La sumisión ha de designar con precisión la circunscripción.",
                en=f"The contract submits disputes to the courts of {one} in one clause and to those of "
                f"{other} in "
                "another: they contradict each other.",
            ),
            Bilingual(*_SETTLE),
            tuple(cities.values()),
            ("art. 55 LEC",) if context.spanish else (),
        )


def _two_laws(context: Context) -> Iterator[Fault]:
    lands: dict[str, Span] = {}
    for found in _LAWS.finditer(context.facts.source.folded):
        lands.setdefault(_LAND.get(found["land"][:5], found["land"]), Span(found.start(), found.end()))
    if len(lands) == 2:
        one, other = lands
        yield Fault(
            "laws",
            "medium",
            Bilingual(
                es=f"Dos cláusulas eligen leyes distintas para el contrato ({one} y {other}): se contradicen "
                f"si no se "
                "dice qué parte rige cada una.",
                en="Two clauses choose different laws for the contract: they contradict each other unless "
                "each is said "
                "to govern a part.",
            ),
            Bilingual(*_SETTLE),
            tuple(lands.values()),
        )
