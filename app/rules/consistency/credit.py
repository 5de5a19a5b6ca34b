"""Compute what a loan, a credit or a guarantee says of itself in several places, and compare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from app.rules.consistency.fault import Context, Fault
from app.rules.document import Span
from app.rules.facts.money.amounts import Amount
from app.rules.render import wording
from app.text.bilingual import Bilingual

_MONTHLY = re.compile(
    r"^[^.;\d%]{0,12}\b(?:mensual(?:es)?|al mes|cada mes|por mes|monthly|per month|a month)\b"
)
_MONTHLY_BEFORE = re.compile(r"\b(?:mensual(?:es)?|monthly)\b[^.;\d%\n]{0,24}[ .:]*$")
_RATE = re.compile(r"\b(?:tipo|interes(?:es)?|tin\b|deudor|nominal|rate|interest)\b")
_NO_RATE = re.compile(
    r"\b(?:demora|moratori[oa]s?|retraso|seguro|prima|comision|cuota|penal[a-z]*|recargo|default|late|fee"
    r"|insurance|premium)\b"
)
_PREMIUM = re.compile(r"\b(?:seguro|prima|insurance|premium)\b")
_QUOTA = re.compile(r"\b(?:cuota|pago) (?:mensual|minim[oa])|\bcuota\b|\bminimum payment\b")
_APR = re.compile(r"\b(?:tae|t\.a\.e\.?|tasa anual equivalente|apr|annual percentage rate)\b[^%;\n\d]{0,60}$")
_NOMINAL = re.compile(
    r"\b(?:tin|tipo (?:de interes )?nominal(?: anual)?|nominal anual|nominal rate)\b[^%;\n\d]{0,60}$"
)
_ACKNOWLEDGED = re.compile(
    r"\b(?:reconoce[n]? (?:haber )?recibi[a-z]*|declara[n]? (?:haber )?(?:recibi[a-z]*|tener)|presta a|"
    r"presta "
    r"la cantidad|entrega en prestamo|recib[a-z]+ en prestamo|en concepto de prestamo|la cantidad de|tener "
    r"ya en "
    r"su poder|acknowledges? (?:having received|receipt)|lends)\b"
)
_DELIVERED = re.compile(
    r"\b(?:transferencia|ingres[oa]|en (?:efectivo|metalico|billetes|mano)|cheque|bank transfer|in cash|by "
    r"wire)\b"
)
_HANDED = re.compile(r"\b(?:entreg[a-z]*|delivered|paid over)\b")
_KEPT = re.compile(r"\b(?:la diferencia|lo demas|el resto|the rest|the difference)\b")
_RETAINED = re.compile(
    r"\b(?:reti(?:ene|enen|encion|ne)|descuent|cancel[a-z]* (?:el|la|su|otro) prestamo|withh)"
)
_GUARANTOR = re.compile(r"\b(?:fiador[a]?|afianza|avalista|avala|responde|garantiza|guarantor|fianza)\b")
_CAP = re.compile(r"\b(?:hasta|maximo de|limite de|up to)\b[^.;]{0,90}$")
_AUCTION = re.compile(
    r"\b(?:tipo (?:de|para la|en la) subasta|sirva de tipo|a efectos de subasta|valor para subasta|"
    r"tasan? [^.;]{0,30}(?:finca|subasta)|precio en que[^.;]{0,40}tasan)"
)
_VALUED = re.compile(
    r"\b(?:valor de tasacion|tasad[oa] (?:la finca|la vivienda)?[^.;]{0,20}en|tasacion[^.;]{0,140})"
)
_MOST_APART = Decimal("0.15")  # percentage points between an annual rate stated and computed


def annual(monthly: Decimal) -> Decimal:
    """Return the effective yearly percentage of a monthly one, both in per cent: 2.15 gives 29.08."""
    return ((1 + monthly / 100) ** 12 * 100 - 100).quantize(Decimal("0.01"))


def find_credit_faults(context: Context) -> Iterator[Fault]:
    """Yield rates, sums and limits of a credit that deny each other."""
    yield from _rates(context)
    yield from _received(context)
    yield from _guarantees(context)
    yield from _auction(context)


def _rates(context: Context) -> Iterator[Fault]:
    """Compare a monthly rate with the yearly ones, and with an instalment that is a share of the balance."""
    source, language = context.facts.source, context.language
    shares = [one for one in context.facts.amounts if one.kind == "percentage"]
    monthly: Amount | None = None
    premium, quota, apr, nominal = None, None, None, None
    for one in shares:
        line = source.cased.rfind("\n", 0, one.start) + 1
        before = source.folded[max(line, one.start - 70) : one.start]
        after = source.folded[one.end : one.end + 30]
        each_month = _MONTHLY.search(after) is not None or _MONTHLY_BEFORE.search(before) is not None
        if _APR.search(before):
            apr = apr or one
        elif _NOMINAL.search(before) and not each_month:
            nominal = nominal or one
        elif each_month and _PREMIUM.search(before):
            premium = premium or one
        elif _QUOTA.search(before) and "saldo" in after:
            quota = quota or one
        elif each_month and _RATE.search(before) and not _NO_RATE.search(before):
            monthly = monthly or one
    law = (
        ("art. 16.2.g) de la Ley 16/2011, de 24 de junio",) if context.spanish and _consumer(context) else ()
    )
    if monthly is not None and apr is not None and apr.value < annual(monthly.value) - _MOST_APART:
        rate, right, stated, yearly = (
            wording.percent(value, language)
            for value in (monthly.value, annual(monthly.value), apr.value, monthly.value * 12)
        )
        yield _fault(
            "apr",
            "high",
            f"La TAE indicada ({stated}) es inexacta: un {rate} mensual es un {yearly} nominal anual y una "
            f"TAE de "
            f"{right} como mínimo, sin contar seguros ni comisiones.",
            f"The APR stated ({stated}) is wrong: {rate} a month is {yearly} nominal a year and an APR of "
            f"{right} "
            "at least, without insurance and fees.",
            [monthly, apr],
            law,
        )
    elif apr is not None and nominal is not None and apr.value < nominal.value:
        stated, rate = wording.percent(apr.value, language), wording.percent(nominal.value, language)
        yield _fault(
            "apr",
            "high",
            f"La TAE indicada ({stated}) es inferior al tipo nominal ({rate}), y no puede serlo: la TAE "
            f"incluye el "
            "nominal y los gastos.",
            f"The APR stated ({stated}) is below the nominal rate ({rate}), and cannot be: it contains it.",
            [nominal, apr],
            law,
        )
    if quota is not None and monthly is not None:
        cost = monthly.value + (premium.value if premium is not None else 0)
        if cost >= quota.value:
            pays, costs = wording.percent(quota.value, language), wording.percent(cost, language)
            yield _fault(
                "quota",
                "high",
                f"La cuota ({pays} del saldo) no cubre los intereses y la prima de cada mes ({costs} del "
                f"saldo): la "
                "deuda no se amortiza, crece.",
                f"The instalment ({pays} of the balance) does not cover the interest and premium of a month "
                f"({costs} of it): the debt grows.",
                [quota, monthly],
                ("art. 80.1 TRLGDCU",) if context.spanish and _consumer(context) else (),
            )


def _consumer(context: Context) -> bool:
    return (
        re.search(r"\bconsum(?:o|idor[a-z]*)\b|ley 16/2011|fines ajenos", context.facts.source.folded)
        is not None
    )


def _received(context: Context) -> Iterator[Fault]:
    """Compare the sum that a borrower acknowledges with what the document says was handed over."""
    if context.kind not in ("loan", "debt_acknowledgement", "suretyship"):
        return
    source, language = context.facts.source, context.language
    money = [one for one in context.facts.amounts if one.kind == "money" and one.currency]
    owed = next(
        (
            one
            for one in money
            if _ACKNOWLEDGED.search(source.folded[max(0, one.start - 160) : one.start]) and one.value >= 300
        ),
        None,
    )
    if owed is None:
        return
    found: list[Amount] = []
    clause: Span | None = None
    for one in money:
        if one.start <= owed.end or one.value >= owed.value:
            continue
        own = context.document.clause(Span(one.start, one.end))
        words = source.folded[own.start : own.end]
        if not (_DELIVERED.search(words) and _HANDED.search(words) and _KEPT.search(words)):
            continue
        if clause is None:
            clause = own
        if own == clause and re.search(r"devol|cuotas?\b|recibos?\b", words) is None:
            found.append(one)
    made = sum((one.value for one in found), Decimal(0))
    if not found or made >= owed.value or made < owed.value / 4:
        return
    more, less, kept = (
        wording.money(value, owed.currency, language) for value in (owed.value, made, owed.value - made)
    )
    parts = " + ".join(wording.number(one.value, language) for one in found)
    shown = f" ({parts})" if len(found) > 1 else ""
    yield _fault(
        "received",
        "high",
        f"Se declara recibida mayor cantidad que la entregada: se reconocen {more} y la entrega que se "
        f"describe es "
        f"de {less}{shown}; faltan {kept}. Es nulo el préstamo en que se supone recibida mayor cantidad que "
        f"la "
        "verdaderamente entregada, y entonces sólo se devuelve lo recibido.",
        f"More is acknowledged than was handed over: {more} against {less}{shown}; {kept} are missing. A "
        f"loan in "
        "which more is said to be received than was truly delivered is void, and only what was received is "
        "due.",
        [owed, found[0]],
        ("art. 1 de la Ley de 23 de julio de 1908", "art. 3 de la Ley de 23 de julio de 1908")
        if context.spanish
        else (),
    )


def _guarantees(context: Context) -> Iterator[Fault]:
    """Compare the most that a guarantor owes with the debt that is guaranteed."""
    if context.kind not in ("loan", "suretyship", "debt_acknowledgement"):
        return
    source, language = context.facts.source, context.language
    money = [one for one in context.facts.amounts if one.kind == "money" and one.currency]
    debt = next(
        (one for one in money if _ACKNOWLEDGED.search(source.folded[max(0, one.start - 160) : one.start])),
        None,
    )
    for one in money:
        sentence = context.document.sentence(Span(one.start, one.end))
        before = source.folded[max(sentence.start, one.start - 160) : one.start]
        if (
            debt is None
            or one.value <= debt.value
            or not _CAP.search(before)
            or not _GUARANTOR.search(before)
        ):
            continue
        if re.search(r"intereses|costas|gastos", source.folded[one.start : sentence.end]):
            continue  # the debt with what it may grow by
        cap, owed = (wording.money(value, one.currency, language) for value in (one.value, debt.value))
        yield _fault(
            "guarantee",
            "high",
            f"La fianza alcanza a {cap} y el capital que se garantiza es de {owed}: el fiador no puede "
            f"obligarse a más "
            "que el deudor principal, y lo que exceda de cuanto éste deba, con sus intereses, se reduce a "
            "ese límite.",
            f"The guarantee goes up to {cap} and the capital guaranteed is {owed}: a guarantor cannot owe "
            f"more than "
            "the debtor, and what exceeds the debtor's obligation with its interest is reduced to it.",
            [one, debt],
            ("art. 1826 CC",) if context.spanish else (),
        )
        return


def _auction(context: Context) -> Iterator[Fault]:
    """Compare the price at which an auction begins with the valuation that the deed states."""
    if not context.spanish or "hipotec" not in context.facts.source.folded:
        return
    source, language = context.facts.source, context.language
    money = [one for one in context.facts.amounts if one.kind == "money" and one.currency]
    start = valued = None
    for one in money:
        before = source.folded[max(0, one.start - 200) : one.start]
        sentence = context.document.sentence(Span(one.start, one.end))
        own = source.folded[max(sentence.start, one.start - 260) : one.start]
        if _AUCTION.search(own) or _AUCTION.search(before[-120:]):
            start = start or one
        elif _VALUED.search(own) and "catastral" not in own[-40:]:
            valued = valued or one
    if start is None or valued is None or start.value * 4 >= valued.value * 3:
        return
    price, value, least, share = (
        wording.money(start.value, start.currency, language),
        wording.money(valued.value, valued.currency, language),
        wording.money((valued.value * 3 / 4).quantize(Decimal(1)), valued.currency, language),
        wording.percent((start.value * 100 / valued.value).quantize(Decimal("0.1")), language),
    )
    yield _fault(
        "auction",
        "high",
        f"El tipo de subasta ({price}) es el {share} de la tasación que consta ({value}): no puede ser "
        f"inferior al "
        f"75 % del valor de tasación ({least}), y sin ello no cabe la ejecución directa de la hipoteca.",
        f"The auction begins at {price}, {share} of the valuation stated ({value}): it may not be below 75% "
        f"of it "
        f"({least}), without which the mortgage cannot be enforced by the direct procedure.",
        [start, valued],
        ("art. 682.2.1.º LEC",),
    )


def _fault(key: str, severity: str, es: str, en: str, items: Sequence[Amount], law: tuple[str, ...]) -> Fault:
    return Fault(
        key,
        "high" if severity == "high" else "medium",
        Bilingual(es=es, en=en),
        Bilingual(
            es="Contrastar las dos cifras con el documento firmado y los justificantes, y hacer valer la "
            "correcta.",
            en="Check both figures against the signed document and the proofs, and insist on the right one.",
        ),
        tuple(Span(item.start, item.end) for item in items),
        law,
    )
