"""Recognise a permission told of what an article forbids, limits or leaves to a choice. Pure.

A paraphrase has other words, so that only what excludes each other counts: a waiver allowed where the article
makes the waiver void, free discretion where it sets a limit, both remedies where it lets one choose. What the
article may mean otherwise is left alone (decision 016).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.corpus.quote_match.comparison import Comparison

# Who says that an article gives leave, in the languages of the documents.
LEAVE_VERB = (
    r"(?:permiten?|permitia|autorizan?|facultan?|consienten?|admiten?|amparan?|dejan?(?!\s(?:fuera|sin|"
    r"a salvo|claro|de ))|habilitan?|toleran?|"
    r"legitiman?|allows?|permits?|lets?|authori[sz]es?|entitles?)"
)
_LEAVE = re.compile(
    rf"^\W*(?:(?:que|which|asi|lo|la|los|se|le|les|so|also|expresamente)\s+){{0,3}}(?P<verb>{LEAVE_VERB})\b"
)
_MODAL = re.compile(
    r"\b(?:puede|pueden|podra|podran|cabe|es licit[oa]|es valid[oa]|son valid[oa]s|may|can|"
    r"da(?:n)? (?:valor|validez|eficacia|preferencia)|reconoce(?:n)? (?:valor|validez|eficacia)|"
    r"(?:declara|considera|estima)n? (?:valid|licit)[oa]s?)\b"
)
_NO = re.compile(r"\b(?:no|ni|nunca|jamas|not|never|cannot|tampoco|prohib\w+|imped\w+|impid\w+)\b")
# How far behind the verb its object may stand.
_NEAR = 160
# Who says that a ban protects him says nothing against it.
IN_LINE = re.compile(
    r"\b(?<!sin )(?:nul[oa]s?|nulidad|anul\w+|abusiv\w+|inefica\w+|impugn\w+|reclam\w+|opon\w+|oposicion|"
    r"rechaz\w+|negarse|"
    r"exig\w+|devol\w+|recuper\w+|prohib\w+|demand\w+|denunci\w+|no puesta|void|unfair|annul\w*|claim\w*|"
    r"challenge\w*|"
    r"refus\w+|object to|resist\w*|invalid\w*|proteg\w+|protec\w+|indemniz\w+|ces(?:ar|e|en|acion)|"
    r"imped\w+|evitar\w*|sancion\w+|castig\w+|expuls\w+|privar\w*|"
    r"cease|stop\w*|prevent\w*|punish\w*)\b"
)
_BAN = re.compile(
    r"\b(?:nul[oa]s? (?:\w+ ){0,2}(?:pactos?|acuerdos?|clausulas?|estipulacion(?:es)?|renuncias?|"
    r"convenios?)|no (?:se |le |les )?(?:podran?|pueden?|cabe|tendran?|debe[nr]?\w*|sera[n]? (?:validos?|"
    r"validas?|eficac?es?|"
    r"aplicables?|licit[oa]s?|renunciables?|oponibles?)|es (?:valid|licit|renunciabl|admisibl)\w+|"
    r"\w{4,}[ai]bles?|es posible|se admit\w+|se permit\w+|seran? de aplicacion|se aplicara)|"
    r"tampoco (?:podran?|pueden?|sera[n]?|cabe)|quedan? prohibid[oa]s?|se prohiben?|prohibid[oa]s?|"
    r"nul[oa]s?|nulidad|"
    r"abusiv[oa]s?|irrenunciables?|inalienables?|(?:se tendran?|tenid[oa]s?) por no puest[oa]s?|"
    r"en ningun caso|"
    r"shall not|may not|must not|void|prohibited|null)\b"
)
_GIVES = re.compile(
    r"\b(?:podran?|puede|pueden|pudiendo|tendran? derecho|tiene[n]? derecho|sera[n]? valid[oa]s?|"
    r"es valid[oa]|licit[oa]s?|"
    r"facultad(?:es)?|salvo pacto|pact(?:o|en|ar|ado)|acord(?:ar|ado)|acuerdo|may|can|entitled|right to)\b"
)
_EXCEPT = re.compile(
    r"\b(?:salvo|excepto|a no ser|a menos|sin perjuicio|siempre que|si no|cuando|unless|except|provided)\b.*",
    re.DOTALL,
)
_CONDITIONAL = re.compile(
    r"\b(?:si|siempre|cuando|salvo|excepto|siempre que|con tal|previ[oa]|mediante|if|when|unless|provided)\b"
)
_WAIVE = re.compile(r"\b(?:ir)?renunci\w+|\bwaiv\w+|\bgiv(?:es?|ing)? up\b|\brenounc\w+")
_DISCRETION = re.compile(
    r"\b(?:que|lo que|cuanto|cuando|como) (?:\w+ ){0,3}(?:estimen?|consideren?|quieran?|decidan?|"
    r"desee[n]?|crean?|establezcan?|"
    r"fijen?|disponga[n]?|le convenga|convenga) ?(?:\w+ )?(?:conveniente|oportun[oa]|neces\w+|mejor)?|"
    r"\b(?:libremente|sin limite\w*|sin limitacion\w*|a su (?:libre )?(?:arbitrio|criterio|discrecion|"
    r"voluntad)|"
    r"a voluntad|freely|at (?:its|will|his|her|their)(?: sole)? ?(?:discretion)?|any (?:term|period|"
    r"price)|without limit)\b"
)
_LIMIT = re.compile(
    r"\bno (?:se )?(?:podran?|pueden?|debera[n]?)(?: ser| fijarse)? (?:exceder|superar|ser|modific|"
    r"superior|rebasar|sobrepasar|"
    r"inferior|durar)\w*|\bno (?:excedera|superara|sera (?:superior|inferior))|\bse prohiben?\b|"
    r"\bshall not exceed\b|"
    r"\ben ningun caso\b"
)
# "No podrá exceder de tres meses" limits, and forbids nothing.
CAP = re.compile(
    r"\b(?:no (?:se )?(?:podran?|pueden?|debera[n]?) (?:exceder|superar|rebasar|sobrepasar|durar|(?:ser|"
    r"tener|extenderse|"
    r"fijarse|pactarse|prolongarse)[^,;.]{0,30}?(?:superior|inferior|mayor|menor))\w*|shall not exceed)\b"
)
_AUTONOMY = re.compile(
    r"\b(?:renunci(?:ar|en|a|e)|exclu(?:ir|yan|ya|yen)|pactar (?:otra cosa|lo contrario|en contra|"
    r"libremente)|"
    r"apartarse (?:de|del) (?:regimen|norma|ley)|waive|exclude|contract out|opt out|agree otherwise)\b"
)
_AUTONOMOUS = re.compile(
    r"renunci|exclu[iy]|pact[oae]|acuerd|acord|estipul|conven|convin|voluntad|volunt|autonom|contrari|"
    r"libre|dispositiv|"
    r"waiv|agree|otherwise|optar|opcion|eleg|elecc"
)
_BOTH = re.compile(
    r"\b(?:conjuntamente|a la vez|simultaneamente|al mismo tiempo|cumulativamente|acumulad\w+|ambas cosas|"
    r"both|at the same time|together|cumulatively)\b"
)
_EITHER = re.compile(r"\b(?:escoger|elegir|optar|opcion|alternativ\w+|choose|elect|option)\b")
_JOINT = re.compile(
    r"\b(?:ademas|conjunt\w+|ambas|ambos|acumul\w+|simultane\w+|en ambos casos|both|as well as)\b"
)
_ALWAYS = re.compile(
    r"\b(?:siempre|en todo caso|sin excepcion|nunca|en ningun caso|always|never|in any event)\b(?! que\b)"
)
_PACT = re.compile(
    r"\b(?:salvo|a falta de|en defecto de|si no (?:hubiere|hay|existe)) (?:que (?:se |"
    r"las partes )?(?:pacte|acuerde|convenga)\w*|"
    r"pacto|acuerdo|estipulacion|convenio)"
)
_DESPITE = re.compile(
    r"\b(?:aunque|aun cuando|incluso (?:si|cuando|con)|a pesar de|pese a|even (?:if|when|with)|although|"
    r"despite)\b(?P<what>[^.;]*)"
)
_NOT_FOR = re.compile(
    r"\b(?:no (?:sera[n]?|es|son) de aplicacion|no se aplicara[n]?|no sera[n]? aplicables?|"
    r"no (?:se )?podran?|no procedera|"
    r"se exceptuan?|quedan? exceptuad[oa]s?|shall not apply)\b"
)
_GENERIC = frozenset(
    ("haya", "caso", "casos", "part", "parte", "este", "esta", "art", "artic", "exist", "siend", "sean")
)
_PARTIES = (
    (r"empresas?|empresari[oa]s?|comerciantes?|profesional(?:es)?|prestador\w*|banco|entidad(?:es)?|prestamista|traders?|supplier",
     r"consumidor\w*|usuari[oa]s?|cliente\w*|prestatari[oa]|consumer\w*"),
    (r"arrendador\w*|propietari[oa]|propiedad|casero|landlord", r"arrendatari[oa]s?|inquilin[oa]s?|tenant"),
    (r"empleador\w*|empresari[oa]|empresa|employer", r"trabajador\w*|emplead[oa]s?|employee|worker"),
)  # fmt: skip


def opposed(
    said: str, stems: frozenset[str], parts: Sequence[str], own: Sequence[frozenset[str]], *, across: bool
) -> Comparison | None:
    """Return how a sentence that gives leave excludes what an article says; `None` where it need not.

    Args:
        said: What is attributed to the article, folded, the verb first.
        stems: The beginnings of its content words.
        parts: The sentences of the article or of the paragraph cited, folded.
        own: Their stems.
        across: Whether the two are in different languages, so that no words are compared.
    """
    found = _both(said, parts) or (None if across else _always(said, stems, parts, own))
    if found or not parts:
        return found
    strong = _LEAVE.search(said)
    modal = _MODAL.search(said)
    leave = strong or modal
    if leave is None or _NO.search(said[: leave.end() + 25]):
        return None
    verb = strong["verb"] if strong else leave[0]
    waived = _waiver(said, verb, stems, parts, own, across=across)
    if waived:
        return waived
    if not across:
        found = (
            _free(said, verb, parts, strong=strong is not None)
            or _despite(said, verb, parts)
            or (_other_party(said, verb, parts) if strong else None)
        )
        if found:
            return found
    if strong is None or IN_LINE.search(said[:_NEAR]):
        return None
    return _banned(said, verb, stems, parts, own, across=across) or _no_autonomy(
        said, verb, parts, across=across
    )


def _unlike(verb: str, written: str, similarity: float = 0.5) -> Comparison:
    return Comparison("different", similarity, "meaning", "modality", verb, written.strip())


def _share(stems: frozenset[str], own: frozenset[str]) -> float:
    return round(min(0.99, len(stems & own) / max(len(stems), 1)), 4)


def _waiver(
    said: str,
    verb: str,
    stems: frozenset[str],
    parts: Sequence[str],
    own: Sequence[frozenset[str]],
    *,
    across: bool,
) -> Comparison | None:
    """Return a waiver that is told as allowed where the sentence nearest to it forbids it."""
    if not _WAIVE.search(said):
        return None
    places = [place for place, part in enumerate(parts) if _WAIVE.search(part)]
    bans = [place for place in places if _BAN.search(parts[place])]
    if not bans:
        return None
    free = [place for place in places if place not in bans]
    words = {word for word in re.findall(r"[^\W\d_]{5,}", said) if not _WAIVE.search(word)}
    shared = {
        place: len(stems & own[place]) + len(words.intersection(parts[place].split())) for place in places
    }
    best = max(bans, key=lambda place: shared[place])
    if free and (across or max(shared[place] for place in free) >= shared[best]):
        return None
    # "pueden renunciar a lo ganado, pero no a lo futuro" gives leave for a part.
    clauses = [one for one in re.split(r"[,;]", parts[best]) if _WAIVE.search(one) or _BAN.search(one)]
    if any(_GIVES.search(_BAN.sub(" ", one)) for one in clauses):
        return None
    return _unlike(verb, _BAN.search(parts[best])[0], max(0.5, _share(stems, own[best])))  # type: ignore[index]


def _banned(
    said: str,
    verb: str,
    stems: frozenset[str],
    parts: Sequence[str],
    own: Sequence[frozenset[str]],
    *,
    across: bool,
) -> Comparison | None:
    """Return leave told of an article that does nothing but forbid."""
    bans = [place for place, part in enumerate(parts) if _BAN.search(CAP.sub(" ", part))]
    if not bans:
        return None
    whole = " ".join(parts)
    if _GIVES.search(_BAN.sub(" ", _EXCEPT.sub(" ", whole) if len(parts) == 1 else whole)):
        return None
    headed = parts[0].rstrip().endswith(":") and 0 in bans
    if not headed and len(bans) < (len(parts) + 1) // 2:
        return None
    exceptions = [match[0] for part in parts if (match := _EXCEPT.search(part))]
    if exceptions:
        if across or _CONDITIONAL.search(said):
            return None
        without = _stems_of(" ".join(_EXCEPT.sub(" ", part) for part in parts))
        inside = _stems_of(" ".join(exceptions))
        if not stems & without or len(stems & inside) > len(stems & without):
            return None
    written = _BAN.search(parts[bans[0]])
    assert written is not None, "the sentence has a ban"
    return _unlike(verb, written[0], max(0.5, _share(stems, own[bans[0]])))


def _no_autonomy(said: str, verb: str, parts: Sequence[str], *, across: bool) -> Comparison | None:
    """Return leave to exclude or waive told of an article that knows neither agreement nor choice."""
    named = _AUTONOMY.search(said[:140])
    if across or named is None or _AUTONOMOUS.search(" ".join(parts)):
        return None
    return Comparison("different", 0.5, "meaning", "modality", f"{verb} {named[0]}", "")


def _free(said: str, verb: str, parts: Sequence[str], *, strong: bool) -> Comparison | None:
    """Return free discretion told of an article that sets a limit to it."""
    named = _DISCRETION.search(said)
    if named is None or (not strong and _CONDITIONAL.search(said.replace(named[0], " "))):
        return None
    limit = next((found for part in parts if (found := _LIMIT.search(part))), None)
    return _unlike(f"{verb} {named[0]}", limit[0]) if limit else None


def _despite(said: str, verb: str, parts: Sequence[str]) -> Comparison | None:
    """Return leave "even if there are minors" where the article excludes just that."""
    named = _DESPITE.search(said)
    wanted = _stems_of(named["what"], 4) if named else frozenset()
    if not wanted:
        return None
    for part in parts:
        denial = _NOT_FOR.search(part)
        if denial and wanted & _stems_of(part[denial.end() :], 4) - _GENERIC:
            return _unlike(f"{verb} {named[0].strip()}"[:60], denial[0])  # type: ignore[index]
    return None


def _other_party(said: str, verb: str, parts: Sequence[str]) -> Comparison | None:
    """Return leave told of one party where the article forbids, and gives leave to the other party alone."""
    head = said[said.find(verb) + len(verb) :][:50]
    bans = [part for part in parts if _BAN.search(part)]
    gives = [part for part in parts if (found := _GIVES.search(_BAN.sub(" ", part))) and found]
    if not bans or not gives or IN_LINE.search(said[:_NEAR].replace("exigir", " ")):
        return None
    for pair in _PARTIES:
        for mine, other in (pair, pair[::-1]):
            if not re.match(rf"\s*(?:a|al|a la|a las|a los|the|que|que el|que la)\s+(?:{mine})\b", head):
                continue
            if all(
                re.search(rf"\b(?:{other})\b[^.;]{{0,60}}$", part[: _GIVES.search(part).start()])  # type: ignore[union-attr]
                and not re.search(rf"\b(?:{mine})\b[^.;]{{0,60}}$", part[: _GIVES.search(part).start()])  # type: ignore[union-attr]
                for part in gives
            ):
                return _unlike(f"{verb}{head}"[:60], _BAN.search(bans[0])[0])  # type: ignore[index]
    return None


def _both(said: str, parts: Sequence[str]) -> Comparison | None:
    """Return both remedies told of an article that lets one choose between them."""
    both = _BOTH.search(said)
    if both is None or _NO.search(said[max(0, both.start() - 30) : both.start()]):
        return None
    for part in parts:
        either = _EITHER.search(part)
        if (
            either
            and not _JOINT.search(re.sub(r"en ambos casos", " ", part))
            and re.search(r"\b[ou]\b|\bor\b", part)
        ):
            return _unlike(both[0], either[0])
    return None


def _always(
    said: str, stems: frozenset[str], parts: Sequence[str], own: Sequence[frozenset[str]]
) -> Comparison | None:
    """Return "always" told of an article from which the parties may depart."""
    always = _ALWAYS.search(said)
    if always is None:
        return None
    place = max(range(len(parts)), key=lambda one: len(stems & own[one]), default=None)
    if place is None or len(stems & own[place]) < 2:
        return None
    pact = _PACT.search(parts[place])
    if pact is None or _PACT.search(said) or _ALWAYS.search(parts[place]):
        return None
    return Comparison("different", _share(stems, own[place]), "meaning", "exception", always[0], pact[0])


def _stems_of(folded: str, least: int = 5) -> frozenset[str]:
    return frozenset(word[:5] for word in re.findall(r"[^\W\d_]+", folded) if len(word) >= least)
