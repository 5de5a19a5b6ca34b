"""Find one person in two parts that the law keeps apart, and a child of a testator whom the will forgets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.rules.consistency.fault import Context, Fault
from app.rules.document import Span
from app.text.bilingual import Bilingual
from app.text.occurrences import occurrences

_OF = r"(?:de|del|la|las|los|DE|DEL|LA|LAS|LOS)"
_NAME = rf"[A-Z][A-Za-z'-]+(?: {_OF})*(?: (?:{_OF} )*[A-Z][A-Za-z'-]+){{1,4}}"
_TITLED = r"(?:D\.? ?|Don |Dona |Da\.? ?|Dna\.? ?|D\.?ª\.? ?|DON |DONA )"
_INSTRUCTOR = re.compile(r"\b[Ii][Nn][Ss][Tt][Rr][Uu][Cc][Tt][Oo][Rr][Aa]?\b")
_NAMED = re.compile(rf"(?:^|[^A-Za-z]){_TITLED}({_NAME})")
_SIGNS = re.compile(
    r"organo que resuelve|\bresuelve\b|fdo|firmad[oa]|alcalde|concejal|jef[ea]|director|delegad|secretari"
    r"|presidente|consejer"
)
_REACH = 170
_DISPOSITIONS = re.compile(
    r"\n\s*(?:CLAUSULAS|DISPOSICIONES|ESTIPULACIONES|OTORGA|DISPONE)\b|\n\s*PRIMERA\b", re.IGNORECASE
)


def find_clashing_parts(context: Context) -> Iterator[Fault]:
    """Yield persons whom a document puts into two parts that may not be one person's, or leaves out."""
    if not context.spanish:
        return
    if context.family == "act":
        yield from _instructs_and_decides(context)
    if context.kind == "will":
        yield from _forgotten_children(context)
        yield from _heirs_as_witnesses(context)


def _instructs_and_decides(context: Context) -> Iterator[Fault]:
    cased, folded = context.facts.source.cased.replace("\n", " "), context.facts.source.folded
    for found in _INSTRUCTOR.finditer(cased):
        named = _NAMED.search(cased, found.end(), found.end() + _REACH)
        if named is None:
            continue
        name = named[1]
        if len(name.split()) < 3:
            continue
        for start, end in occurrences(cased.lower(), name.lower(), named.end()):
            before = folded[max(0, start - 90) : start]
            signs = _SIGNS.findall(before)
            if "instructor" in before or not signs or signs[-1] == "secretari":
                continue
            written = context.document.text[named.start(1) : named.end(1)]
            yield Fault(
                "roles",
                "high",
                Bilingual(
                    es=f"La misma persona ({written}) instruye el expediente y lo resuelve: en los "
                    f"procedimientos "
                    "sancionadores la fase instructora y la sancionadora han de estar separadas y "
                    "encomendarse a "
                    "órganos distintos.",
                    en=f"The same person ({written}) instructs the file and decides it: in penalty "
                    f"proceedings both "
                    "phases must be kept apart and entrusted to different bodies.",
                ),
                Bilingual(
                    es="Alegarlo como vicio del procedimiento en el recurso.",
                    en="Plead it as a defect of the procedure in the appeal.",
                ),
                (Span(named.start(1), named.end(1)), Span(start, end)),
                ("art. 63.1 de la Ley 39/2015, de 1 de octubre",),
            )
            return


def _parts(context: Context) -> tuple[int, int] | None:
    """Return where the dispositions of a will begin and end, or None where nothing parts them."""
    found = _DISPOSITIONS.search(context.facts.source.cased)
    return (found.start(), len(context.facts.source.cased)) if found else None


def _forgotten_children(context: Context) -> Iterator[Fault]:
    parts = _parts(context)
    if parts is None:
        return
    cased = context.facts.source.cased
    told, disposed = cased[: parts[0]], cased[parts[0] :]
    for found in re.finditer(
        r"(?:reconoci[oe]|adopt[oe]|tuvo|tiene|nacio|nacieron|"
        r"reconocid[oa])[^.;]{0,60}?\bhij[oa]s?\b(?P<names>[^.;]{0,140})",
        told,
    ):
        if re.search(r"otra relacion|adopcion|anterior de (?:su|la) espos", found[0]):
            continue
        listed = re.sub(r"^[^A-Z]*", "", found["names"])
        first = re.match(r"(?:Don|Dona|D\.|D\.a|Da\.)? ?([A-Z][a-z]{2,})", listed)
        names = [first[1]] if first else []
        names += re.findall(r"(?:, | y | e )(?:Don |Dona |D\. )?([A-Z][a-z]{2,})", listed[:110])
        for name in names:
            if re.search(rf"\b{name}\b", disposed, re.IGNORECASE):
                continue
            at = told.index(name, found.start())
            written = context.document.words(Span(at, at + len(name)))
            yield Fault(
                "forgotten",
                "high",
                Bilingual(
                    es=f"Las disposiciones del testamento no mencionan a {written}, a quien los antecedentes "
                    f"nombran "
                    "como descendiente: preterición. No perjudica su legítima y, si no fue intencional, "
                    "puede anular "
                    "la institución de herederos.",
                    en=f"The dispositions of the will do not mention {written}, whom its recitals name as a "
                    f"child: a "
                    "forced heir passed over keeps the reserved share, and the institution of heirs may be "
                    "annulled.",
                ),
                Bilingual(
                    es="Nombrarle expresamente, aunque sea para reconocerle sólo la legítima o, con causa "
                    "legal, "
                    "desheredarle.",
                    en="Name the child, be it to leave the reserved share only.",
                ),
                (Span(at, at + len(name)),),
                ("art. 814 CC",),
            )
            return


def _heirs_as_witnesses(context: Context) -> Iterator[Fault]:
    cased, folded = context.facts.source.cased, context.facts.source.folded
    named = re.search(r"\btestigos?\b[^;]{0,320}", folded)
    heirs = re.search(r"\b(?:instituye|herederos?)\b[^.;]{0,20}?\bhereder[oa]s?\b[^.;]{0,160}", folded)
    if named is None or heirs is None:
        return
    instituted = set(re.findall(r"\b([A-Z][a-z]{2,})\b", cased[heirs.start() : heirs.end()]))
    told: list[tuple[str, str, Span]] = []
    married = re.search(
        r"(?:casad[oa] con|espos[oa] de|conyuge de|marido de|mujer de)", folded[named.start() : named.end()]
    )
    if married is not None:
        at = named.start() + married.end()
        who = re.search(r"\b([A-Z][a-z]{2,})\b", re.sub(r"\b(?:Don|Dona)\b", "   ", cased[at : at + 40]))
        if who is not None and who[1] in instituted:
            told.append(
                (
                    "el cónyuge de quien es instituido heredero",
                    "the spouse of an instituted heir",
                    Span(named.start(), at + 30),
                )
            )
    staff = re.search(
        r"(?:oficial|emplead[oa]|auxiliar|copista) de (?:esta|la|mi) notaria",
        folded[named.start() : named.end()],
    )
    if staff is not None:
        at = named.start() + staff.start()
        told.append(
            (
                "quien trabaja en la Notaría",
                "somebody employed by the notary",
                Span(at, named.start() + staff.end()),
            )
        )
    if told:
        yield Fault(
            "witnesses",
            "high",
            Bilingual(
                es=f"Interviene como testigo {' y '.join(es for es, _, _ in told)}: no pueden ser testigos "
                f"los herederos "
                "y legatarios, sus cónyuges y parientes próximos, ni quienes trabajan para el Notario. El "
                "defecto de "
                "forma expone el testamento a la nulidad.",
                en=f"A witness is {' and another '.join(en for _, en, _ in told)}: heirs, legatees, their "
                f"spouses and "
                "near relatives, and those who work for the notary cannot be witnesses. The will may be "
                "void.",
            ),
            Bilingual(
                es="Otorgarlo de nuevo con testigos idóneos.",
                en="Make the will again before witnesses who are free of it.",
            ),
            tuple(span for _, _, span in told),
            ("art. 682 CC", "art. 681 CC"),
        )
