"""Find Spanish decisions: courts by initials ("STS", "SAP Madrid") or in words, administrative ones."""

import re
from collections.abc import Iterator
from dataclasses import replace

from app.citations import dates, prefilter
from app.citations.citation import NO_IDS, Finding
from app.citations.grammars.norms import full_year

_INITIALS = (
    r"(?:TSJ[A-Z]{0,4}|TC|TS|AN|AP[A-Z]{0,2}|TSJ|JPII|JPI|JSO|JS|JCA|JCCA|JM|JPE|JP|JVM|JI|"
    r"TEDH|TJUE|TJCE|TGUE|TMC)"
)
_HEAD = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9.])((?:SS|AA|S|A){_INITIALS}|S{{1,2}}\.\s?T\.\s?[SC]\.|A\.\s?T\.\s?[SC]\.|"
    rf"S\.\s?A\.\s?P\.)(?:$|[^A-Za-z0-9])"
)
_COURT_WORDS = (
    ("tribunal supremo", "TS"), ("supreme court", "TS"),
    ("tribunal constitucional", "TC"), ("constitutional court", "TC"),
    ("audiencia nacional", "AN"), ("audiencia provincial", "AP"),
    ("tribunal superior de justicia", "TSJ"), ("primera instancia e", "JPII"), ("primera instancia", "JPI"),
    ("mercantil", "JM"), ("de lo social", "JSO"), ("contencioso", "JCA"), ("supremo", "TS"),
    ("audiencia", "AP"), ("tsj", "TSJ"), ("ts", "TS"), ("tc", "TC"), ("an", "AN"), ("ap", "AP"),
)  # fmt: skip
_PLACE = re.compile(
    r"\s{1,3}(?:de\s{1,2}(?:l[ao]s?\s{1,2}|el\s{1,2})?)?(?P<place>(?!Sala\b|Secc?\b|Seccion\b|Pleno\b|"
    r"Num\b|Civil\b|Penal\b|Social\b)[A-Z][A-Za-z'-]{2,20}"
    r"(?:[\s/-]{1,2}(?:(?:de|del|la|las|los|y|e)\s{1,2}){0,3}(?!Sala\b|Secc?\b|Seccion\b|Pleno\b)"
    r"[A-Z][A-Za-z'-]{2,20}){0,4})(?:\s\((?!Sala\b|Secc?)[A-Z][A-Za-z ]{2,24}\))?"
)
_CHAMBER = re.compile(
    r"\s{0,2}(?:,\s{0,2})?(?:"
    r"\((?=[^()]{0,80}(?:Sala|Secc?\b|Seccion|Pleno|Civil|Penal|Social|Contenc|Militar|\d\.?[ºª]))"
    r"(?P<paren>[^()\n]{1,80})\)"
    r"|/\s?(?P<slash>[1-5])\.?\s?[ªºa]\b\.?"
    r"|(?P<bare>[1-5])\.?\s?[ªa]\b\.?"
    r"|(?P<branch>(?:(?:de\s{1,2}lo\s{1,2})?(?:Civil|Penal|Social|Militar|"
    r"Contencioso(?:[\s-]{1,2}Administrativo)?)\b))"
    r"|(?P<sala>(?:de\s{1,2}la\s{1,2})?Sala\s{1,2}(?:(?:de\s{1,2}lo\s{1,2}|de\s{1,2}la\s{1,2})"
    r"?(?:Civil|Penal|Social|Militar|"
    r"Contencioso(?:[\s-]{1,2}Administrativo)?)|(?:Primera|Segunda|Tercera|Cuarta|Quinta)|"
    r"[1-5I]{1,3}\.?\s?[ªºa]?|Especial[^,(]{0,30}))"
    r"|(?P<seccion>Secc?(?:ion)?\.?\s{0,2}(?:\d{1,2}\.?\s?[ªºa]?|Primera|Segunda|Tercera|Cuarta|"
    r"Quinta|Sexta|Septima|Octava)\b\.?[ªº]?)"
    r"|(?P<english>(?:First|Second|Third|Fourth|Fifth|Civil|Criminal|Social|Administrative|Labour)\s{1,2}"
    r"Chamber\b)"
    r"|(?P<pleno>(?:del?\s{1,2})?Pleno\b))",
    re.IGNORECASE,
)
_ONE = re.compile(rf"[SA]{_INITIALS}")
_N = r"(?:num(?:ero|s)?\.?|n\.?\s?[ºo]s?\.?|nums?\.|no\.|nros?\.?)"
# A number, with the point that some drafters put between the thousands: 1234, 1.234.
_COURT_NUMBER = re.compile(
    rf"\s{{1,2}}(?:{_N}\s{{0,2}})?\d{{1,2}}(?=\s{{1,2}}de\s)(?!\s{{1,2}}de\s{{1,2}}{dates.MONTH})|"
    rf"\s{{1,2}}{_N}\s{{0,2}}\d{{1,2}}(?=\s{{1,2}}(?-i:[A-Z][a-z]))",
    re.IGNORECASE,
)
_MARKED_NUMBER = re.compile(rf"\s{{1,2}}{_N}\s{{0,2}}\d{{1,2}}(?=\s{{1,2}}de\s)", re.IGNORECASE)
_DIGITS = r"(?:\d{1,2}\.\d{3}(?!\d)|\d{1,5})"
_NUMBER = re.compile(
    rf"\s{{0,2}}(?:[,:-]\s{{0,2}})?(?:{_N}\s{{0,2}})?(?P<number>{_DIGITS})\s?/\s?(?P<year>(?:19|20)"
    rf"\d\d|\d\d)(?![\d/])",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"(?:\s{{0,2}}[,(-])?\s{{0,3}}(?:(?:de|of|dated|del?\s{{1,2}}dia|de\s{{1,2}}fecha|del)\s{{1,3}}|"
    r"(?<=[\s,(]))"
    rf"(?P<date>(?:\d{{1,2}}\s{{0,2}}(?:,|y)\s{{0,2}}){{0,4}}(?:{dates.LONG}|{dates.NUMERIC}|"
    rf"\d{{1,2}}[\s-]{{1,2}}(?:de\s)?{dates.SHORT_MONTH}[\s-]{{1,2}}(?:del?\s)?(?:19|20)\d\d)"
    rf")",
    re.IGNORECASE,
)
_MORE_DATES = re.compile(
    rf"\s{{0,2}}(?:[,;]\s{{0,2}}(?:y\s{{1,2}})?|\sy\s{{1,2}})(?:de\s{{1,2}})?(?P<date>{dates.LONG}|"
    rf"{dates.NUMERIC})",
    re.IGNORECASE,
)
_DOCKET_WORD = (
    r"(?:rcud|rec|recs|recurso|recursos|rc|rcas|rcip|rco|casacion|rollo|apelacion|appeal|cuestion|conflicto)"
)
_DOCKET = re.compile(
    rf"(?:\s{{0,2}}(?P<open>[(\[])|\s{{0,2}}[,-]\s{{0,2}})\s{{0,2}}(?P<word>{_DOCKET_WORD}s?)"
    rf"\b\.?[a-z\s.]{{0,45}}?(?:{_N}\s{{0,2}})?"
    r"(?P<first>(?:\d{1,3}\.\d{3}|\d{1,6})/\d{2,4})(?P<more>(?:\s{0,2}(?:,|"
    r"y)\s{0,2}\d{1,6}/\d{2,4})*)(?P<close>[)\]])?",
    re.IGNORECASE,
)
_GROUND = re.compile(
    r",\s{0,2}(?P<ground>(?:FFJJ|FJ|F\.\s?J\.|fundamentos?\s(?:juridicos?|de\sderecho)|FD)"
    r"\s{0,2}(?:n\.?º?\s?)?\d{1,2}(?:\.?[ºª])?(?:\.?\s?[a-z]\)|\.\d)?)",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"[\s,]{0,2}[(\[]\s?(?:RJ|RTC|AC|JUR|AS|RJCA|ARP|TOL|LA\sLEY|EDJ|"
    r"Roj:?)[\s\xa0:]{0,2}[^()\[\]\n]{1,40}[)\]]"
)
_NEXT = re.compile(
    rf"\s{{0,2}}(?:[,;]\s{{0,2}}(?:y\s{{1,2}}(?:la\s)?|e\s{{1,2}})?|\s(?:y|e|and)\s{{1,2}}(?:la\s)?)"
    rf"(?:{_N}\s{{0,2}})?(?P<number>{_DIGITS})/(?P<year>(?:19|20)\d\d)(?![\d/])",
    re.IGNORECASE,
)
_OF_COURT = re.compile(
    r",?\s{1,3}(?:del|de\s{1,2}la|of\s{1,2}the)\s{1,3}(?:Spanish\s)?(?:Tribunal\s{1,3}Supremo|"
    r"Tribunal\s{1,3}Constitucional|Audiencia\s{1,3}(?:Nacional|Provincial)|"
    r"Tribunal\s{1,3}Superior\s{1,3}de\s{1,3}Justicia|Supreme\s{1,3}Court|Constitutional\s{1,3}Court|"
    r"TS|TC)\b",
    re.IGNORECASE,
)
_SALAS = (
    ("1", ("1", "primera", "civil", "first")),
    ("2", ("2", "segunda", "penal", "second", "criminal")),
    ("3", ("3", "tercera", "contencioso", "third", "administrative")),
    ("4", ("4", "cuarta", "social", "fourth", "labour")),
    ("5", ("5", "quinta", "militar", "fifth")),
)


def _sala(text: str) -> str:
    """Return the chamber of the Supreme Court that `text` names, as its number, or nothing."""
    low = re.split(r"secc?(?:ion)?\b", text.lower())[0]
    if (
        "sala" not in low
        and "chamber" not in low
        and not re.match(r"\s*/?\s*[1-5]", low)
        and not any(word in low for word in ("civil", "penal", "contencioso", "social", "militar"))
    ):
        return ""
    return next((sala for sala, words in _SALAS if any(re.search(rf"\b{word}", low) for word in words)), "")


def _section(text: str) -> str:
    match = re.search(r"secc?(?:ion)?\.?\s*(\d{1,2})", text, re.IGNORECASE)
    return match[1] if match else ""


def _decision(
    folded: str, start: int, pos: int, court: str, plural: bool, order: bool, given: tuple[str, str] | None
) -> Finding | None:
    """Return the decision (or list of decisions) whose court has been read up to `pos`."""
    place, sala, section = "", "", ""
    if court in ("TSJ", "AP") or court.startswith("J"):
        # "SJPI 5 de Gijón": of a court that has a number; "SAP 3 de marzo" is a date.
        number_first = (_COURT_NUMBER if court.startswith("J") else _MARKED_NUMBER).match(folded, pos)
        pos = number_first.end() if number_first else pos
        match = _PLACE.match(folded, pos)
        if match:
            place, pos = match["place"], match.end()
    for _ in range(4):
        chamber = _CHAMBER.match(folded, pos)
        if not chamber:
            break
        sala, section, pos = sala or _sala(chamber[0]), section or _section(chamber[0]), chamber.end()
    numbers: list[tuple[str, str]] = [given] if given else []
    ids: dict[str, str] = {}
    dated = None
    if not given:
        dated = _DATE.match(folded, pos)
        number = _NUMBER.match(folded, dated.end() if dated else pos)
        if number:
            numbers.append((number["number"], full_year(number["year"])))
            pos = number.end()
        elif dated:
            pos = dated.end()
        else:
            return None
    end = pos
    dockets: list[str] = []
    ground: str | None = None
    for _ in range(40):
        moved = end
        for pattern in (_CHAMBER, _DATE, _DOCKET, _REPORTED, _GROUND):
            match = pattern.match(folded, end)
            if not match:
                continue
            if pattern is _DATE:
                if dated and not plural:
                    continue
                dated = dated or match
            if pattern is _DOCKET:
                dockets += [
                    one.replace(".", "")
                    for one in re.findall(r"(?:\d{1,3}\.\d{3}|\d{1,6})/\d{2,4}", match[0])
                ]
                if match["open"] and not match["close"]:
                    closing = re.compile(r"(?:(?!ECLI)[^()\n]){0,80}\)").match(folded, match.end())
                    end = closing.end() if closing else match.end()
                    continue
            if pattern is _GROUND:
                ground = match["ground"]
            if pattern is _CHAMBER:
                sala, section = sala or _sala(match[0]), section or _section(match[0])
            end = match.end()
        if plural or given:
            following = _NEXT.match(folded, end) if plural else None
            if following:
                numbers.append((following["number"], full_year(following["year"])))
                end = following.end()
            elif plural and not numbers:
                more = _MORE_DATES.match(folded, end)
                end = more.end() if more else end
        if end == moved:
            break
    if given:
        court_after = _OF_COURT.match(folded, end)
        end = court_after.end() if court_after else end
    if dated:
        read = dates.read(dated["date"])
        if read:
            ids["date"] = read
    if dockets:
        ids["rec"] = dockets[0]
    if court == "TS" and not sala and re.search(r"\brcud", folded[start:end], re.IGNORECASE):
        sala = "4"  # the appeal for unification of doctrine belongs to the Social chamber (LRJS 218 to 228)
    prefix = ":".join(
        [
            "ES",
            court,
            *([place] if place else []),
            *([section] if place and section else []),
            *([sala] if court == "TS" and sala else []),
        ]
    )
    mark = "A" if order else ""
    if numbers:
        plain = [(int(number.replace(".", "")), year) for number, year in numbers]
        canonical = tuple(f"{prefix}:{mark}{number}/{year}" for number, year in plain)
        if court == "TC" and len(plain) == 1 and not order:
            ids["ecli"] = f"ECLI:ES:TC:{plain[0][1]}:{plain[0][0]}"
    elif dockets:
        word = "rcud" if "rcud" in folded[start:end].lower() else "rec"
        canonical = tuple(f"{prefix}:{word}{docket}" for docket in dockets)
    else:
        canonical = ()
        ids["unnumbered"] = "1"
    return Finding(start, end, "L2-J", "ES", canonical, pinpoint=ground, ids=ids, priority=60)


# "sts 1250/2024", "stsj galicia 12-5-2025": a court in small letters, with its number or date behind it.
_SMALL_COURT = prefilter.compile(
    r"(?:^|[^A-Za-z0-9.])((?:ss|aa|s|a)(?:tsj|tc|ts|an|ap|jpi|jso|jca|jm)"
    r"(?:\s(?:de\s)?(?:[a-z]{3,12}|la\s[a-z]{3,12})(?:\sde\s[a-z]{3,12})?)?"
    rf"(?:\s\([^()\n]{{3,40}}\))?,?\s(?:{_N}\s{{0,2}})?(?:de\s)?(?:\d{{1,5}}/(?:19|20)?\d\d|{dates.NUMERIC}|"
    rf"\d{{1,2}}\s(?:de\s)?(?:{dates.MONTH}|{dates.SHORT_MONTH})\s(?:del?\s)?(?:19|20)\d\d))"
)
_COURT_LETTERS = re.compile(r"[sa]{1,2}(?:tsj|tc|ts|an|ap|jpi|jso|jca|jm)")
_SMALL_PLACE = re.compile(
    r"\s(?:de\s)?(?!num|nro|rec|sala|secc|pleno|fecha|civil|penal|social)(?:la\s)?([a-z]{3,12})"
)


def _in_capitals(folded: str) -> str:
    """Return the text with courts in small letters as others write them, each letter in its place."""
    pieces, last = [], 0
    for match in _SMALL_COURT.finditer(folded):
        start = match.start(1)
        letters = _COURT_LETTERS.match(folded, start)
        assert letters is not None, "the grammar begins with them"
        pieces += [folded[last:start], letters[0].upper()]
        last = letters.end()
        place = _SMALL_PLACE.match(folded, last)
        if place:
            pieces += [folded[last : place.start(1)], folded[place.start(1)].upper()]
            last = place.start(1) + 1
    return "".join((*pieces, folded[last:])) if pieces else folded


def decisions(folded: str) -> Iterator[Finding]:
    """Yield decisions of Spanish courts by initials.

    Those of the Court of Justice and Strasbourg are elsewhere.
    """
    folded = _in_capitals(folded)
    for match in _HEAD.finditer(folded):
        start, end = match.span(1)
        written = re.sub(r"[.\s]", "", folded[start:end])
        plural = not _ONE.fullmatch(written)
        court = written[2 if plural else 1 :]
        if court in ("TEDH", "TJUE", "TJCE", "TGUE"):
            continue
        if folded[max(0, start - 5) : start].rstrip().lower().endswith("roj:"):
            number = _NUMBER.match(folded, end)
            if number:
                mark = "A" if written[0] == "A" else ""
                key = f"{int(number['number'].replace('.', ''))}/{number['year']}"
                yield Finding(
                    start,
                    number.end(),
                    "L2-J",
                    "ES",
                    (f"ES:{court}:ROJ:{mark}{key}",),
                    ids={"roj": f"{written} {key}"},
                    priority=50,
                )
            continue
        place = ""
        if court.startswith("TSJ") and len(court) > 3:
            place, court = court[3:], "TSJ"
        elif court.startswith("AP") and len(court) > 2:
            place, court = court[2:], "AP"
        found = _decision(folded, start, end, court, plural, written[0] == "A", None)
        if found:
            if place:
                canonical = tuple(
                    form.replace(f"ES:{court}", f"ES:{court}:{place}", 1) for form in found.canonical
                )
                found = Finding(
                    found.start,
                    found.end,
                    found.kind,
                    "ES",
                    canonical,
                    pinpoint=found.pinpoint,
                    ids=found.ids,
                    priority=60,
                )
            yield found


_LEADING = re.compile(
    rf"(?P<kind>sentencia|auto|judgment|ruling)(?P<plural>s)?(?:,?\s{{1,3}}(?:{_N}\s{{0,2}})"
    rf"?(?P<number>{_DIGITS})/(?P<year>(?:19|20)\d\d))?(?P<date>,?\s{{1,3}}(?:de|of)"
    rf"\s{{1,3}}(?:fecha\s)?(?:{dates.LONG}|{dates.NUMERIC}))?"
    rf"(?P<link>,?\s{{1,3}}(?:(?:dictada|pronunciada)\s{{1,2}}por\s{{1,2}}(?:la|el)|del?|"
    rf"de\s{{1,2}}la|of\s{{1,2}}the)\s{{1,3}}(?:Sala\s{{1,2}}(?:de\s{{1,2}}lo\s{{1,2}})"
    rf"?(?P<sala>[A-Z][a-z]+(?:-[A-Za-z]+)?),?\s{{1,2}}del\s{{1,2}}|"
    rf"(?:(?:First|Second|Third|Fourth|Civil|Criminal|Social|Administrative)\s{{1,2}}Chamber"
    rf"\s{{1,2}}of\s{{1,2}}the\s{{1,2}}))?"
    rf"(?:(?:Excm[oa]\.?|Excelentisim[oa])\s{{1,2}})?(?:Spanish\s{{1,2}})?)"
    r"(?P<court>(?:Tribunal\s{1,3})?Supremo\b|Tribunal\s{1,3}Constitucional|Audiencia\s{1,3}Nacional|"
    r"Audiencia\s{1,3}Provincial|Tribunal\s{1,3}Superior\s{1,3}de\s{1,3}Justicia|Supreme\s{1,3}Court|"
    r"Constitutional\s{1,3}Court|Juzgado\s{1,3}(?:Central\s{1,3})?de\s{1,3}(?:lo\s{1,3}(?:Mercantil|Social|"
    r"Contencioso(?:[\s-]Administrativo)?)|Primera\s{1,3}Instancia(?:\s{1,3}e\s{1,3}Instruccion)?)|"
    r"Audiencia\b|TSJ|TS|TC|AN|AP)\b",
    re.IGNORECASE,
)
# "sentencia de la Sala Primera 512/2019": of the Supreme Court; "de la Sala de lo Social de Burgos 300/2020":
# of the High Court of Justice that sits there.
_CHAMBER_ALONE = re.compile(
    r"(?:sentencia|auto)s?,?\s{1,3}(?:de\s{1,2}la|dictada\s{1,2}por\s{1,2}la)\s{1,3}(?P<sala>Sala\s{1,2}"
    r"(?:de\s{1,2}lo\s{1,2}(?:Civil|Penal|Social|Militar|Contencioso(?:[\s-]{1,2}Administrativo)?)|"
    r"Primera|Segunda|Tercera|Cuarta|Quinta|[1-5]\.?\s?[ºªa]))(?=[\s,])",
    re.IGNORECASE,
)
_COURT_LATER = re.compile(r"[^.;\n]{0,60}?\b(?:Tribunal|Audiencia|Juzgado|TSJ|AN|TS)\b", re.IGNORECASE)
_COURT_FIRST = re.compile(
    r"(?:(?:Tribunal\s{1,3})?(?:Supremo|Constitucional)|Alto\s{1,3}Tribunal|Audiencia\s{1,3}Nacional|"
    r"(?:Supreme|Constitutional)\s{1,3}Court)(?:\s\([^()\n]{3,50}\))?,?\s{1,3}"
    # "ha declarado en su reciente", "held, in its"
    r"(?:(?:(?:ha|has|lo|asi|se|que|ya)\s{1,2}){0,3}(?:[a-z]{3,14},?\s{1,2}){0,2}"
    r"(?:en|in)\s{1,2}(?:(?:su|la|una|its|the|a)\s{1,2})?(?:[a-z]{5,12}\s{1,2}|conocida\s{1,2})?)?$",
)
_LEADING_ANCHOR = prefilter.compile(r"(?i)\b(?:sentencias?|autos?|judgments?|rulings?)\b|\by\slas?\sdel?\s")
# "La STS 241/2013 y la de la AP Madrid (Secc. 10.ª) nº 87/2019": the word for the decision is left out.
_THAT_OF_COURT = re.compile(
    r"y\slas?\s(?P<start>)(?:de\sla|del)\s(?P<court>TSJ|TS|TC|AN|AP|Audiencia\s(?:Provincial|Nacional)|"
    r"Audiencia(?=\sde\s[A-Z])|"
    r"Tribunal\sSupremo|Tribunal\sConstitucional|Supremo|Constitucional)(?![A-Za-z])"
)
_ENGLISH_HEAD = prefilter.compile(
    r"(?i)\b(?:Spanish\s)?((?:Supreme|Constitutional)\sCourt(?:'s)?\s(?:judgments?|rulings?|decisions?))\b"
)


def decisions_in_words(folded: str) -> Iterator[Finding]:
    """Yield decisions cited in words, in Spanish or English, in either order.

    For instance "Sentencia del Tribunal Supremo 241/2013, de 9 de mayo".
    """
    for anchor in _LEADING_ANCHOR.finditer(folded):
        if anchor[0][:2].lower() == "y ":
            that = _THAT_OF_COURT.match(folded, anchor.start())
            words = " " + re.sub(r"\s+", " ", that["court"].lower()) if that else ""
            code = next((code for label, code in _COURT_WORDS if label in words), "")
            named = (
                _decision(folded, that.start("court"), that.end(), code, False, False, None) if that else None
            )
            if named and named.canonical:
                yield named
            continue
        match = _LEADING.match(folded, anchor.start())
        if not match:
            before = _COURT_FIRST.search(folded, max(0, anchor.start() - 90), anchor.start())
            number = _NUMBER.match(folded, anchor.end()) if before else None
            if before and number:
                court = "TC" if "Constitu" in before[0] else "AN" if "Nacional" in before[0] else "TS"
                order, plural = anchor[0].lower().startswith("auto"), anchor[0].lower().endswith("s")
                named = _decision(folded, before.start(), anchor.end(), court, plural, order, None)
                if named:
                    yield named
                continue
            yield from _of_chamber(folded, anchor.start())
            continue
        words = " " + re.sub(r"\s+", " ", match["court"].lower())
        court = next(code for label, code in _COURT_WORDS if label in words)
        given = (match["number"], match["year"]) if match["number"] else None
        order = match["kind"].lower() == "auto"
        found = _decision(folded, match.start(), match.end(), court, bool(match["plural"]), order, given)
        if found is None and match["date"]:
            found = Finding(
                match.start(), match.end(), "L2-J", "ES", (), ids={"unnumbered": "1"}, priority=60
            )
        if found:
            ids = dict(found.ids)
            read = dates.read(match["date"]) if match["date"] else None
            if read:
                ids.setdefault("date", read)
            yield Finding(
                found.start,
                found.end,
                "L2-J",
                "ES",
                found.canonical,
                pinpoint=found.pinpoint,
                ids=ids,
                priority=60,
            )
    for head in _ENGLISH_HEAD.finditer(folded):
        start, end = head.span()
        court = "TC" if "onstitutional" in folded[start:end] else "TS"
        found = _decision(folded, start, end, court, folded[start:end].endswith("s"), False, None)
        if found:
            yield found


def _of_chamber(folded: str, start: int) -> Iterator[Finding]:
    """Yield the decision cited by its chamber without its court ("sentencia de la Sala Primera 512/2019")."""
    match = _CHAMBER_ALONE.match(folded, start)
    if not match:
        return
    sala, at = _sala(match["sala"]), match.end()
    place = _PLACE.match(folded, at)
    if place and not _COURT_LATER.match(folded[at : place.end()]):
        found = _decision(folded, start, at, "TSJ", False, False, None)
    else:
        found = _decision(folded, start, at, "TS", False, False, None)
        if found and found.canonical and sala:
            forms = tuple(re.sub(r"^ES:TS:(?!\d:)", f"ES:TS:{sala}:", form) for form in found.canonical)
            found = replace(found, canonical=forms)
    if found and found.canonical:
        yield found


_DGT = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])((?:(?:(?:(?:CV|[Cc]onsultas?(?:\s[Vv]inculantes?)?)\s(?:de\sla\s)?)?DGT\s(?:CV\s)?|"
    rf"CV\s)?"
    rf"([Vv]\d{{4}}-\d{{2}}|[Vv]\d{{4}}/(?:20)?\d{{2}})|CV\s(\d{{4}}-\d{{2}}))(?:,\sde\s(?i:{dates.LONG}))?)"
    rf"(?:$|[^A-Za-z0-9])"
)
# "Consulta no vinculante 0117-03": without the letter, only by its kind.
_DGT_PLAIN = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])([Cc]onsultas?\s(?:general(?:es)?|no\svinculantes?|tributarias?)\s(?:(?:de\sla"
    rf"\s)?DGT\s)?(?:n\.?º\s|num\.\s)?"
    rf"(\d{{4}}-\d{{2}})(?:,\sde\s(?i:{dates.LONG}))?)(?:$|[^A-Za-z0-9-])"
)
_DGT_CONTEXT = re.compile(r"consulta|vinculante|\bDGT\b|tributos|\bCV\b", re.IGNORECASE)
_TEAC = prefilter.compile(
    rf"(?i)\b(?:(?:R(?:es(?:olucion(?:es)?|\.)?)?\s?(?:del?\s)?)?TEAC,?\s(?:de\s(?:fecha\s)?)?"
    rf"(?:{dates.LONG}|{dates.NUMERIC}),?\s(?:\()?)?"
    r"(?:R\.\s?G\.|RG|reclamacion)\s?:?\s?(?:n\.?º\s?|"
    r"num\.\s)?(?:R\.?G\.?\s?)?((\d{2})/(\d{4,5})/(\d{4}))((?:/\d{2}){0,3}(?:/\d{2,4})?)"
    r"((?:\s{0,2}(?:,|y)\s{1,2}(?:R\.?\s?G\.?\s{0,2})?\d{2}/\d{5}/\d{4}){0,9})"
)
# "R.G. 3884/2016": the number alone, of the Central Tribunal where the text names it.
# "RTEAC 00/04189/2019": the number behind the court.
_TEAC_BARE = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])((?:R\.?|RR\.?|[Rr]es(?:olucion|\.)?\s(?:del\s)?)?(?:TEAC|TEAR|"
    rf"TEA)[A-Za-z ]{{0,20}},?\s(?:n\.?º\s|num\.\s)?(\d{{2}}/\d{{4,5}}/(?:19|20)\d\d)"
    rf"(?:/\d{{2}}){{0,3}}(?:,?\sde\s(?:(?i:{dates.LONG})|{dates.NUMERIC}))?)(?:$|[^\d/])"
)
_TEAC_SHORT = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])((?:R(?:es(?:olucion|\.)?)?\s?(?:del\s)?TEAC,?\s"
    rf"(?:de\s(?:fecha\s)?)?(?:(?i:{dates.LONG})|"
    rf"{dates.NUMERIC}),?\s\(?)?(?:R\.\s?G\.|RG)\s?:?\s?(?:n\.?º\s?|num\.\s)?(\d{{1,5}})/((?:19|"
    r"20)?\d{2}))(?:$|[^\d/])"
)
_TEAC_NEAR = re.compile(r"TEAC|T\.E\.A\.C|economico[\s-]administrativo\scentral", re.IGNORECASE)
_TEAC_MORE = re.compile(r"\d{2}/\d{5}/\d{4}")
_AEPD = prefilter.compile(
    r"\b(?:(?:[Rr]esolucion(?:es)?|[Pp]rocedimiento)\s(?:(?:de\sla\s)?AEPD,?\s)(?:n\.?º\s)?)?((?:PS|AP|TD|E|"
    r"EXP|PA|AI|AT|RR|PD|AAPP)[/-]\d{5}[/-]20\d\d|EXP20\d{7,9}|N/REF:?\s?\d{4,6}/20\d\d)\b"
)
_AEPD_NEAR = re.compile(r"AEPD|proteccion de datos|RGPD|LOPD", re.IGNORECASE)
_ADVISER = r"Consejo\sde\sEstado|Agencia\sEspanola\sde\sProteccion\sde\sDatos|AEPD"
# "Informe 12/2026 de la AEPD", "Dictamen del Consejo de Estado 5/2024".
_REPORT = prefilter.compile(
    rf"(?i)\b((informe|dictamen)\s(?:juridico\s)?(?:(?:(?:del|de\sla)\s)?({_ADVISER})\s(?:n\.?º\s|"
    r"num\.?\s|numero\s)?"
    rf"(\d{{1,5}})/(\d{{4}})|(?:n\.?º\s|num\.?\s|numero\s)?(\d{{1,5}})/(\d{{4}}),?\s(?:del|de\sla)\s"
    rf"((?:gabinete\sjuridico\sde\sla\s)?(?:{_ADVISER})|gabinete\sjuridico)))"
)
_DAY = rf"(?:(?i:{dates.LONG})|{dates.NUMERIC})"
_REGISTRIES = (
    r"(?:Direccion\sGeneral\sde\s(?:los\sRegistros\sy\sdel\sNotariado|"
    r"Seguridad\sJuridica\sy\sFe\sPublica)|DGRN|DGSJFP|DGSJyFP)"
)
_DIRECTORATE = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])((?:R{{1,2}}\.?\s?(?:de\sla\s)?(?:DGRN|DGSJFP|"
    rf"DGSJyFP),?\s{{1,2}}(?:de\s{{1,2}}(?:fecha\s)?)?{_DAY})"
    rf"|[Rr]esolucion(?:es)?\s(?:de\sla\s{_REGISTRIES},?\s(?:de\s(?:fecha\s)?)?{_DAY}|"
    rf"(?:de\s(?:fecha\s)?)?{_DAY},?\s(?:dictada\spor\s|de\s)la\s"
    rf"{_REGISTRIES}))"
)


def administrative(folded: str) -> Iterator[Finding]:
    """Yield tax rulings (DGT) and decisions of TEAC, the data protection agency and the registries."""
    for match in _DGT.finditer(folded):
        start, end = match.span(1)
        if _DGT_CONTEXT.search(folded, max(0, start - 90), end + 60):
            read = dates.read(match[1])
            ids = {"date": read} if read else NO_IDS
            number = re.sub(r"/(?:20)?", "-", match[2].upper()) if match[2] else f"V{match[3]}"
            yield Finding(start, end, "L2-J", "ES", (f"ES:DGT:{number}",), ids=ids, priority=40)
    for match in _DGT_PLAIN.finditer(folded):
        start, end = match.span(1)
        read = dates.read(match[1])
        ids = {"date": read} if read else NO_IDS
        yield Finding(start, end, "L2-J", "ES", (f"ES:DGT:{match[2]}",), ids=ids, priority=40)
    for match in _TEAC_SHORT.finditer(folded):
        start, end = match.span(1)
        if _TEAC_NEAR.search(folded, max(0, start - 120), end + 60):
            form = f"ES:TEAC:00/{int(match[2]):05d}/{full_year(match[3])}"
            yield Finding(start, end, "L2-J", "ES", (form,), ids={"rg": form[8:]}, priority=39)
    for match in _TEAC_BARE.finditer(folded):
        start, end = match.span(1)
        number = match[2]
        court = "TEAC" if number.startswith("00") else f"TEAR{number[:2]}"
        yield Finding(start, end, "L2-J", "ES", (f"ES:{court}:{number}",), ids={"rg": number}, priority=39)
    for match in _TEAC.finditer(folded):
        start, end = match.span()
        numbers = [match[1] + match[5], *_TEAC_MORE.findall(match[6])]
        canonical = tuple(
            f"ES:{'TEAC' if number.startswith('00') else 'TEAR' + number[:2]}:{number}" for number in numbers
        )
        yield Finding(start, end, "L2-J", "ES", canonical, ids={"rg": match[1]}, priority=40)
    for match in _AEPD.finditer(folded):
        start, end = match.span()
        if match[1][:2] not in ("PS", "TD") and not _AEPD_NEAR.search(folded, max(0, start - 200), end + 120):
            continue
        yield Finding(
            start,
            end,
            "L2-J",
            "ES",
            (f"ES:AEPD:{re.sub('^N/REF:? ?', '', match[1]).replace('-', '/')}",),
            priority=40,
        )
    for match in _REPORT.finditer(folded):
        start, end = match.span(1)
        number, year = (match[4], match[5]) if match[4] else (match[6], match[7])
        body = (match[3] or match[8]).lower()
        if not _AEPD_NEAR.search(folded) and body == "gabinete juridico":
            continue
        court = "CE" if "consejo" in body else "AEPD"
        kind = "D" if match[2].lower() == "dictamen" else "I"
        form = f"ES:{court}:{kind}{int(number)}/{year}"
        yield Finding(start, end, "L2-J", "ES", (form,), ids={"number": f"{number}/{year}"}, priority=40)
    for plain in _DIRECTORATE.finditer(folded):
        read = dates.read(plain[1])
        start, end = plain.span(1)
        late = "DGSJ" in plain[1] or "Seguridad" in plain[1]
        yield Finding(
            start,
            end,
            "L2-J",
            "ES",
            (f"ES:{'DGSJFP' if late else 'DGRN'}:{read}",) if read else (),
            ids={"date": read or ""},
            priority=40,
        )
