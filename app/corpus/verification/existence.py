"""Judge one citation: existence, article range, repeal at a date. Pure.

The registry answers first; what is loaded (`LookupResult`) refines the answer. Outside what the two cover it
is `not_verifiable`, never `not_found` (decision 015).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from app.citations import Citation, Division, norm_names, range_ends, written_date
from app.corpus import registry
from app.corpus.articles import structure
from app.corpus.lookup.batch import EMPTY, LoadedNorm, LookupResult
from app.corpus.notes import claim_notes, coverage_notes, place_notes, verdict_notes
from app.corpus.registry import Entry, Known, Norm
from app.corpus.verdicts import Verdict, of_norm, unverifiable
from app.corpus.verification import plausibility
from app.text.bilingual import Bilingual

# Ranks that only the State passes, so that the State's own series decides whether a number exists.
_STATE_ONLY = frozenset({"lo", "rdl", "rdleg"})
# No region comes near that many laws a year beyond the State's last.
_FAR_BEYOND = 60
_LONGEST_RANGE = 500
_NUMBERED_WITH_A_DASH = frozenset({"US:ucc"})
# Their laws are cited by the day that the registry gives as the date of a law.
_DATED_BY_LAW = frozenset({"EU", "FR", "IT", "PT"})
# Elsewhere writers give the day of signature, promulgation or publication.
_PUBLISHED_WITHIN_DAYS = 183
# In Colombia within days: "17 de noviembre" for "17 de octubre" is a slip.
_PUBLISHED_SOON = {"CO": 30}
# No year has had so many legislative decrees since they have a series of their own (1990).
_MOST_LEGISLATIVE_DECREES, _OWN_SERIES_SINCE = 12, 1990
_YEARLY = re.compile(r"ES:(?:TS|TC|AN)(?::\d)?:A?\d+/(\d{4})")


def _agrees(written: str, actual: date) -> bool:
    """Tell whether a date as the citation gives it (`2015-10-01` or `--10-01`) is `actual`."""
    month_day = f"-{actual.month:02d}-{actual.day:02d}"
    return written in (f"-{month_day}", f"{actual.year}{month_day}")


def _is_far(written: str, actual: date, within: int = _PUBLISHED_WITHIN_DAYS) -> bool:
    """Tell whether a whole date cannot be that of signature or publication of a law of `actual`.

    They lie within months of one another: the same day of another year, or more than `within` days, is wrong.
    """
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return False
    anniversary = (day.month, day.day) == (actual.month, actual.day) and day.year != actual.year
    return anniversary or abs((day - actual).days) > within


def _articles(citation: Citation, norm: Norm, held: LoadedNorm | None) -> Verdict:
    """Return the verdict on the articles cited of a norm that exists and is in force."""
    # "U.C.C. § 2-316" is one section.
    dashed = norm.key in _NUMBERED_WITH_A_DASH
    american = norm.key.startswith("US:code:")  # "§ 42-110b" is one, where the list has it so
    numbers = [
        end
        for one in citation.articles
        for end in ((one,) if dashed or (american and one in norm.articles) else range_ends(one))
    ]
    named = citation.divisions
    lettered = f"{numbers[0]} {citation.pinpoint[:1]}" if citation.pinpoint else ""
    if len(numbers) == 1 and (lettered in norm.articles or (held and lettered in held.articles)):
        numbers = [lettered]  # "283 bis a)" is an article of its own
        named = tuple(one[1:] for one in named)
    ranged = len(numbers) > len(citation.articles)
    if held and held.texts:
        stood = _standing(numbers, ranged, norm, held)
        if stood:
            return stood
    known = {number: _exists(norm, held, number) for number in numbers}
    missing = next((number for number, answer in known.items() if answer == "no"), None)
    if missing is not None:
        return of_norm("not_found", norm, verdict_notes.no_article(norm, missing), depth="article")
    if ranged and all(map(norm.empty.__contains__, _members(citation.articles))):
        note = verdict_notes.empty_articles(norm, citation.articles[0])
        return of_norm("derogated", norm, note, depth="article")
    empty = next((number for number in numbers if norm.is_empty(number) and not ranged), None)
    if empty is not None:
        return of_norm("derogated", norm, verdict_notes.empty_article(norm, empty), depth="article")
    # The loaded text says better what became of a letter (decision 016).
    read = held is not None and all(number in held.articles for number in numbers)
    gone = next((part for part in _parts(citation) if part in norm.empty_parts), None)
    if gone is not None and not read:
        return of_norm("derogated", norm, verdict_notes.empty_article(norm, gone), depth="paragraph")
    unknown = next((number for number, answer in known.items() if answer == "unknown"), None)
    if unknown is not None:
        return unverifiable(verdict_notes.unlisted_article(norm, unknown), norm)
    place = place_notes.articles(citation.articles, numbers)
    divided = any(named) and len(named) == len(citation.articles)
    if held and read:
        if divided:
            return _divided(citation, tuple(zip(numbers, named, strict=False)), norm, held, place)
        note = coverage_notes.article_loaded(norm.title, place, held.edition)
        return of_norm("verified", norm, note, depth="article", place=place)
    note = verdict_notes.article_exists(norm, place, divided)
    return of_norm("verified", norm, note, depth="article", place=place)


def _parts(citation: Citation) -> Iterator[str]:
    """Yield each article cited with its first subdivision: "52.d"."""
    for article, named in zip(citation.articles, citation.divisions, strict=False):
        for value in named[0].values if named else ():
            yield f"{article}.{value}"


def _members(articles: Sequence[str]) -> Iterator[str]:
    """Yield the articles cited one by one; a range that no list holds as itself, so that it is not in one."""
    for article in articles:
        first, *last = range_ends(article)
        if last and first.isdigit() and last[0].isdigit() and int(last[0]) - int(first) < _LONGEST_RANGE:
            yield from map(str, range(int(first), int(last[0]) + 1))
        else:
            yield article


def _divided(
    citation: Citation,
    cited: tuple[tuple[str, tuple[Division, ...]], ...],
    norm: Norm,
    held: LoadedNorm,
    whole: Bilingual,
) -> Verdict:
    """Return the verdict on parts of loaded articles: the first that is not there decides."""
    unclear: Verdict | None = None
    for number, named in cited:
        if not named:
            continue
        place = place_notes.place(number, named)
        if number not in held.words:
            note = coverage_notes.place_unclear(norm.title, whole, place, held.edition)
            caveat = coverage_notes.not_told(place)
            unclear = of_norm("verified", norm, note, depth="article", place=whole, caveat=caveat)
            continue
        found = structure.look(held.words[number][1], named, citation.jurisdiction)
        if found.answer in ("missing", "abolished"):
            note = coverage_notes.place_absent(norm.title, number, named, found, held.edition)
            return of_norm("not_found", norm, note, depth="paragraph", place=place)
        if found.answer == "unclear":
            note = coverage_notes.place_unclear(norm.title, whole, place, held.edition)
            caveat = coverage_notes.not_told(place)
            unclear = of_norm("verified", norm, note, depth="article", place=whole, caveat=caveat)
    if unclear:
        return unclear
    place = place_notes.joined([place_notes.place(number, named) for number, named in cited])
    note = coverage_notes.article_loaded(norm.title, place, held.edition)
    return of_norm("verified", norm, note, depth="paragraph", place=place)


def _standing(numbers: list[str], ranged: bool, norm: Norm, held: LoadedNorm) -> Verdict | None:
    """Return the verdict on articles whose loaded versions were not in force on the day."""
    for number in numbers:
        standing = held.articles.get(number)
        if standing == "ended":
            note = coverage_notes.article_ended(norm.title, number)
            return of_norm("derogated", norm, note, depth="article")
        if standing == "later":
            return unverifiable(coverage_notes.article_later(norm.title, number), norm)
        if standing == "empty" and not ranged:
            return of_norm("derogated", norm, verdict_notes.empty_article(norm, number), depth="article")
    return None


def _exists(norm: Norm, held: LoadedNorm | None, number: str) -> Known:
    """Tell whether an article exists: a loaded one does; one that a norm loaded whole lacks does not."""
    if held and number in held.articles:
        return "yes"
    known = norm.has(number)
    if known == "unknown" and held and held.whole:
        return "no"
    return known


def _wrong_date(citation: Citation, actual: date, name: str, url: str | None) -> Verdict | None:
    by_law = citation.jurisdiction in ("ES", *_DATED_BY_LAW)
    within = _PUBLISHED_SOON.get(citation.jurisdiction, _PUBLISHED_WITHIN_DAYS)
    written = citation.ids.get("date") or (
        written_date(citation.text) if citation.jurisdiction != "ES" else None
    )
    if not written or _agrees(written, actual) or not (by_law or _is_far(written, actual, within)):
        return None
    note = verdict_notes.wrong_date(name, actual)
    return Verdict("mismatch", note.es, note.en, url, mismatch_kind="date", norm_title=name, depth="norm")


def _of_norm(citation: Citation, norm: Norm, on: date, loaded: LookupResult) -> Verdict:
    """Return the verdict on a citation of a norm of the registry."""
    if norm.dated and ("eli" not in citation.ids or "date" in citation.ids):
        wrong = _wrong_date(citation, norm.dated, norm.title, norm.url)
        if wrong:
            return wrong
    named = citation.ids.get("of_year", "")
    if named and norm.dated and int(named) < norm.dated.year - 1:
        # "CPC/73" is not the code of 2015 (decision 119).
        return unverifiable(verdict_notes.of_another_edition(norm, named), norm)
    if norm.dated and on < norm.dated:
        return unverifiable(verdict_notes.later_than_asked(norm.title, on), norm)
    if norm.repealed and on >= norm.repealed:
        return of_norm("derogated", norm, verdict_notes.repealed(norm, norm.repealed))
    if citation.articles and "former" in citation.ids:
        note = verdict_notes.former_wording(norm, citation.articles[0], citation.ids["former"])
        return of_norm("derogated", norm, note, depth="article")
    if citation.articles:
        return _articles(citation, norm, loaded.norm(norm.key))
    return of_norm("verified", norm, verdict_notes.norm_exists(norm))


def _of_entry(citation: Citation, entry: Entry, on: date, loaded: LookupResult) -> Verdict:
    """Return the verdict on a norm that only the index of numbers has."""
    named = registry.norm(f"ES:{entry.official_id}")
    if entry.region:
        own = f"ES-{entry.region.upper()}:{entry.rank}:{entry.number}/{entry.dated.year}"
        named = named or registry.norm(own)
    if named:
        return _of_norm(citation, named, on, loaded)
    name, note = verdict_notes.entry_name(entry), verdict_notes.entry_in_force(entry)
    if entry.status:
        note = verdict_notes.entry_repealed(entry)
        return Verdict("derogated", note.es, note.en, entry.url, norm_title=name, depth="norm")
    if on < entry.dated:
        return unverifiable(verdict_notes.later_than_asked(name, on))
    held = loaded.norm(f"ES:{entry.official_id}")
    if citation.articles and held and held.texts:
        return _of_loaded(citation, held, entry.dated, on)
    if citation.articles:
        note = verdict_notes.entry_without_articles(entry)
        return Verdict("not_verifiable", note.es, note.en, entry.url, norm_title=name, depth="norm")
    return Verdict("verified", note.es, note.en, entry.url, norm_title=name, depth="norm")


def _of_loaded(citation: Citation, held: LoadedNorm, dated: date | None, on: date) -> Verdict:
    """Return the verdict on a norm whose articles the registry does not list, but whose text is loaded."""
    norm = Norm(
        key=citation.norm or held.official_id,
        jurisdiction=citation.jurisdiction,
        title=held.title,
        official_id=held.official_id,
        url=held.url,
        dated=dated,
        articles_max=held.last,
        complete=False,
    )
    if not citation.articles:
        return of_norm("verified", norm, verdict_notes.norm_exists(norm))
    return _articles(citation, norm, held)


def _possible(rank: str, number: str) -> tuple[str, ...]:
    """Return the ranks a short form may stand for: RDL is decree-law or legislative decree.

    A series that is known to its end may rule one out.
    """
    if rank != "rdl?":
        return (rank,)
    sequence, _, year = number.partition("/")
    if int(year) >= _OWN_SERIES_SINCE and int(sequence) > _MOST_LEGISLATIVE_DECREES:
        return ("rdl",)
    last = {name: registry.closed_series().get((name, int(year))) for name in ("rdl", "rdleg")}
    return tuple(name for name, end in last.items() if end is None or int(sequence) <= end)


def _spanish_number(citation: Citation, rank: str, number: str, on: date, loaded: LookupResult) -> Verdict:
    """Return the verdict on a Spanish norm cited by rank and number, which State and regions may share."""
    ranks = _possible(rank, number)
    entries = [entry for name in ranks for entry in registry.numbered(name, number)]
    named = [norm for name in ranks if (norm := registry.norm(f"ES:{name}:{number}"))]
    regions = set(citation.ids.get("regions", "").split())
    # An act of a community that the index of consolidated norms leaves out.
    apart = {entry.region for entry in entries}
    named += [
        norm
        for name in ranks
        for norm in registry.regional(name, number)
        if norm.jurisdiction[3:].lower() not in apart
    ]
    for norm in named:
        if norm.official_id and norm.official_id == citation.ids.get("boe"):
            return _of_norm(citation, norm, on, loaded)
    said = registry.norm(citation.ids.get("named_as", ""))
    same = tuple(f":{name}:{number}" for name in ranks)
    if said and said.jurisdiction.startswith("ES-") and said.key.endswith(same):
        return _of_norm(citation, said, on, loaded)  # its name says which community's it is
    if "by_name" in citation.ids:  # "Ley Rider": a name is the State's unless a community's bears it
        entries = [entry for entry in entries if not entry.region] or entries
    listed = {entry.official_id for entry in entries}
    unlisted = [norm for norm in named if norm.official_id not in listed]
    written = citation.ids.get("date") or citation.ids.get("context_date")
    if written and (entries or unlisted):
        dated = [entry for entry in entries if _agrees(written, entry.dated)]
        dated_norms = [norm for norm in unlisted if norm.dated and _agrees(written, norm.dated)]
        if not dated and not dated_norms:
            apart = {entry.region for entry in entries} | {one.jurisdiction[3:].lower() for one in named}
            if {citation.ids.get("region")} - {None} - apart:  # a community's act that nobody lists
                return unverifiable(verdict_notes.unknown_date())
            return _misdated(citation, entries, named)
        # Of two communities with one number and day, the one that the text names.
        theirs = [entry for entry in dated if entry.region in regions]
        alone = len(theirs) == 1 and not dated_norms and all(entry.region for entry in dated)
        entries, unlisted = theirs if alone else dated, dated_norms
    elif own := _before(citation, entries, unlisted):
        return (
            _of_entry(citation, own, on, loaded)
            if isinstance(own, Entry)
            else _of_norm(citation, own, on, loaded)
        )
    elif rank == "rdl?" and len(ranks) > 1:
        return unverifiable(verdict_notes.ambiguous_rank(number, entries, unlisted))
    state = _of_the_state(citation, entries, named) if len(entries) + len(unlisted) > 1 else None
    if state:
        return _of_norm(citation, state, on, loaded)
    if (dated_state := _same_day(citation, entries)) and not unlisted:
        return _of_entry(citation, dated_state, on, loaded)
    if len(entries) + len(unlisted) > 1:
        return unverifiable(verdict_notes.ambiguous(entries, unlisted))
    if entries:
        return _of_entry(citation, entries[0], on, loaded)
    if unlisted:
        return _of_norm(citation, unlisted[0], on, loaded)
    other = _of_another_year(citation)
    if other:
        return of_norm("mismatch", other, verdict_notes.number_of_another_year(other), "date")
    return _absent(ranks, number)


def _before(citation: Citation, entries: list[Entry], unlisted: list[Norm]) -> Entry | Norm | None:
    """Return the act of the community that the text names right before it ("Murcia: Ley 13/2015")."""
    region = citation.ids.get("region_before")
    theirs: list[Entry | Norm] = [one for one in entries if one.region == region]
    theirs += [one for one in unlisted if one.jurisdiction == f"ES-{(region or '').upper()}"]
    return theirs[0] if region and len(theirs) == 1 else None


def _same_day(citation: Citation, entries: list[Entry]) -> Entry | None:
    """Return the State's act among several of one number and day, where the text names none of the regions.

    Two legislatures may pass a Ley 2/2020 on one 27 July: with its day and no community it is the State's.
    """
    own = [entry for entry in entries if not entry.region]
    named = set(citation.ids.get("regions", "").split())
    if len(own) != 1 or len(entries) < 2 or "date" not in citation.ids:
        return None
    return None if {entry.region for entry in entries if entry.region} & named else own[0]


def _of_the_state(citation: Citation, entries: list[Entry], named: list[Norm]) -> Norm | None:
    """Return the State's statute among several acts of one number, where nothing points at a region.

    Regional acts are cited with their community. Only a statute known by name is chosen, and
    only where the text names none of the communities that have an act of that number.
    """
    regions = {entry.region for entry in entries if entry.region}
    own = {entry.official_id for entry in entries if not entry.region}
    listed = {entry.official_id for entry in entries}
    # A statute repealed as a whole stands in the registry alone, not in the index of consolidated norms.
    known = [norm for norm in named if norm.official_id in own or norm.official_id not in listed]
    if (
        len(own) + sum(norm.official_id not in own for norm in known) != 1
        or len(known) != 1
        or regions & set(citation.ids.get("regions", "").split())
    ):
        return None
    return known[0]


def _misdated(citation: Citation, entries: list[Entry], named: list[Norm]) -> Verdict:
    """Return the verdict on a number that exists, but not with that date."""
    state = [entry for entry in entries if not entry.region]
    if "date" in citation.ids and named and named[0].dated:
        verdict = _wrong_date(citation, named[0].dated, named[0].title, named[0].url)
    elif "date" in citation.ids and state:
        verdict = _wrong_date(citation, state[0].dated, verdict_notes.entry_title(state[0]), state[0].url)
    else:
        verdict = None
    return verdict or unverifiable(verdict_notes.unknown_date())


def _absent(ranks: tuple[str, ...], number: str) -> Verdict:
    """Return the verdict on an unknown number: it does not exist only in a series known to its end."""
    rank = ranks[0] if ranks else "rdl"
    sequence, _, year = number.partition("/")
    last = registry.closed_series().get((rank, int(year)))
    beyond = last is not None and int(sequence) > last + (0 if rank in _STATE_ONLY else _FAR_BEYOND)
    if last is not None and beyond and len(ranks) < 2:
        note = verdict_notes.beyond_series(rank, number, last)
        return Verdict("not_found", note.es, note.en, depth="norm")
    return unverifiable(verdict_notes.outside_series(rank, number))


def _union(citation: Citation, norm_key: str, on: date, loaded: LookupResult) -> Verdict:
    """Return the verdict on an act of the Union, or a treaty."""
    norm = registry.norm(norm_key)
    kind, _, number = norm_key.removeprefix("EU:").partition(":")
    if kind == "oj":
        return unverifiable(verdict_notes.unknown_act())
    if number[:4].isdigit() and not norm and int(number[:4]) >= 2015:
        # Since 2015 one series numbers every kind of act, so that a number belongs to one kind alone.
        for other in {"reg", "dir", "dec"} - {kind}:
            right = registry.norm(f"EU:{other}:{number}")
            if right:
                return of_norm("mismatch", right, verdict_notes.other_act(other, number, right), "type")
    if norm is None:
        return unverifiable(verdict_notes.unknown_act())
    verdict = _of_norm(citation, norm, on, loaded)
    if "order" in citation.ids and verdict.status == "verified":
        note = verdict_notes.reversed_number(verdict, number)
        return replace(verdict, note=note.es, note_en=note.en)
    return verdict


def _judgment(citation: Citation, on: date, loaded: LookupResult) -> Verdict:
    """Return the verdict on a judgment: whether the citation contradicts itself, then what is loaded."""
    ids = citation.ids
    if not citation.canonical and "unnumbered" not in ids and "ecli" not in ids:
        return unverifiable(verdict_notes.malformed())
    single = citation.canonical[0] if len(citation.canonical) == 1 else ""
    yearly = _YEARLY.fullmatch(single)
    number, _, year = ids.get("decision", "").partition("/")
    year = year or (yearly[1] if yearly else "")
    ecli = ids.get("ecli", "").split(":")
    contradiction: tuple[Bilingual, str] | None = None
    if len(ecli) == 5 and year and ecli[3] != year:
        contradiction = verdict_notes.ecli_year(ecli[3], year), "date"
    elif len(ecli) == 5 and ecli[2] == "TC" and number and number != ecli[4].rstrip("A"):
        contradiction = verdict_notes.ecli_number(ecli[4], ids["decision"]), "number"
    elif len(ecli) == 5 and ecli[1] == "EU" and not _of_case(ids.get("case", ""), ecli[3]):
        contradiction = verdict_notes.ecli_of_case(ecli[3], ids["case"]), "date"
    elif yearly and not _of_year(ids.get("date", "-"), year):
        contradiction = verdict_notes.decision_year(ids["date"][:4], year), "date"
    if contradiction:
        note, kind = contradiction
        return Verdict("mismatch", note.es, note.en, mismatch_kind=kind, depth="norm")
    return _decisions(citation, loaded)


def _of_year(dated: str, year: str) -> bool:
    """Tell whether a day can be that of a decision with a number of a year.

    A judgment voted in the last days of a year keeps its number and is published in the first
    months of the next.
    """
    if not dated[:4].isdigit() or dated[:4] == year:
        return True
    return dated[:4] == str(int(year) + 1) and dated[5:7] in ("01", "02", "03")


# No case before the Court of Justice has lasted as long.
_LONGEST_CASE = 12
_CASE_OF_COURT = re.compile(r"C-\d{1,4}/(\d\d)")


def _of_case(case: str, year: str) -> bool:
    """Tell whether a decision of a year can be one on a case of the Court of Justice ("C-394/07")."""
    lodged = _CASE_OF_COURT.match(case)
    if not lodged or not year.isdigit():
        return True
    since = int(lodged[1]) + (1900 if int(lodged[1]) > 50 else 2000)
    return since <= int(year) < since + _LONGEST_CASE


def _decisions(citation: Citation, loaded: LookupResult) -> Verdict:
    """Return the verdict on decisions that do not contradict themselves, against those loaded."""
    # A decision of several names (number, ROJ, ECLI) is one; a list has one identifier for each or none.
    ids = citation.ids if len(citation.canonical) <= 1 else {}
    found = {form: loaded.judgment(form, ids) for form in citation.canonical or ("",)}
    for form, held in found.items():
        if held is None and loaded.absent(form):
            namesake = loaded.namesake(form)
            note = coverage_notes.decision_absent(form, namesake.title if namesake else None)
            return Verdict("not_found", note.es, note.en, depth="norm")
    known = [held for held in found.values() if held]
    if len(known) < len(found):
        covered = citation.jurisdiction in loaded.courts
        return unverifiable(coverage_notes.decision_not_loaded() if covered else verdict_notes.no_corpus())
    written = ids.get("date", "")
    first = known[0]
    if written and first.dated and not _agrees(written, first.dated):
        note = coverage_notes.decision_dated(first.title, first.dated)
        return Verdict("mismatch", note.es, note.en, first.url, mismatch_kind="date", depth="norm")
    note = coverage_notes.decision_loaded([held.title for held in known])
    return Verdict("verified", note.es, note.en, first.url, depth="norm")


def _statute(citation: Citation, on: date, loaded: LookupResult) -> Verdict:
    if citation.norm is None:
        candidates = citation.ids.get("candidates", "").split()
        return unverifiable(
            verdict_notes.ambiguous_short(candidates) if candidates else verdict_notes.unknown_norm()
        )
    if citation.jurisdiction in ("EU", "COE"):
        return _union(citation, citation.norm, on, loaded)
    named = registry.norm(citation.norm)
    if not named and (acts := registry.ministerial(citation.norm)):
        return _ministerial(citation, acts, on, loaded)
    numbered = re.fullmatch(r"ES:([a-z]+\??):(\d+/\d{4})", citation.norm)
    boe = citation.ids.get("boe")
    if numbered and not (named and boe and named.official_id == boe):
        return _spanish_number(citation, numbered[1], numbered[2], on, loaded)
    if named:
        return _of_norm(citation, named, on, loaded)
    entry = registry.indexed(boe) if boe and citation.jurisdiction == "ES" else None
    regional = re.fullmatch(r"ES-([A-Z]{2}):([a-z]+):(\d+/\d{4})", citation.norm)
    if regional:
        found = registry.numbered(regional[2], regional[3])
        entry = next((one for one in found if one.region == regional[1].lower()), None)
    if entry:
        return _of_entry(citation, entry, on, loaded)
    stem, _, year = citation.norm.rpartition("-")
    namesake = registry.sole_titles().get(stem) if year.isdigit() else None
    if namesake:
        return of_norm("mismatch", namesake, verdict_notes.only_one_so_called(namesake, year), "date")
    other = _of_another_year(citation)
    if other:
        return of_norm("mismatch", other, verdict_notes.number_of_another_year(other), "date")
    turn = _out_of_turn(citation)
    if turn:
        note = verdict_notes.out_of_turn(*turn)
        return Verdict("mismatch", note.es, note.en, mismatch_kind="date", depth="norm")
    other = _of_that_day(citation)
    if other:
        return of_norm("mismatch", other, claim_notes.other_number(other.title), "number")
    held = loaded.norm(citation.norm, (boe,) if boe else ())
    return _of_loaded(citation, held, None, on) if held else unverifiable(verdict_notes.outside_registry())


def _ministerial(citation: Citation, acts: tuple[Entry, ...], on: date, loaded: LookupResult) -> Verdict:
    """Return the verdict on an act of a ministry or agency, of which several may share a day or a number."""
    issuer = citation.ids.get("issuer")
    if issuer and len(acts) > 1:
        acts = tuple(one for one in acts if one.issuer == issuer) or acts
    elif issuer and acts[0].mark and acts[0].issuer not in ("", issuer):
        return unverifiable(verdict_notes.outside_registry())  # the same number of another agency
    written = citation.ids.get("date") or citation.ids.get("context_date")
    if written and not any(_agrees(written, one.dated) for one in acts):
        name = verdict_notes.entry_title(acts[0])
        wrong = _wrong_date(citation, acts[0].dated, name, acts[0].url) if len(acts) == 1 else None
        return wrong or unverifiable(verdict_notes.unknown_date())
    acts = tuple(one for one in acts if not written or _agrees(written, one.dated))
    verdicts = [_of_entry(citation, one, on, loaded) for one in acts]
    # "Orden de 27 de diciembre de 1994": of several of a day all must be in force, or none.
    alike = len({one.status for one in verdicts}) == 1
    return verdicts[0] if alike else unverifiable(verdict_notes.ambiguous(list(acts), []))


# Since then the statutes of a series are numbered on from year to year.
_NUMBERED_ON_SINCE = {"CO:ley": 1993, "BR:lei": 1946, "BR:lc": 1967, "BR:ec": 1992}


def _of_another_year(citation: Citation) -> Norm | None:
    """Return the law that has the number of a citation and another year, where no second one can have it.

    Numbers run on from year to year, or the citation gives the day and month of that law as well: "legge 20
    maggio 1971, n. 300".
    """
    series, _, numbered = (citation.norm or "").rpartition(":")
    number, _, year = numbered.partition("/")
    if not year.isdigit():
        return None
    since = _NUMBERED_ON_SINCE.get(series)
    written = citation.ids.get("date") or written_date(citation.text) or ""
    for norm in registry.same_number(series, number):
        own = int(norm.key.rpartition("/")[2])
        if since and own >= since and int(year) >= since:
            return norm
        if norm.dated and written and _agrees(f"-{written[-6:]}", norm.dated):
            return norm
    return None


def _out_of_turn(citation: Citation) -> tuple[Norm, Norm] | None:
    """Return the laws before and behind the number cited, where it cannot be of the year that is given.

    "Ley 1700 de 2019": a series that is numbered on has that number between those of 2013.
    """
    series, _, numbered = (citation.norm or "").rpartition(":")
    number, _, year = numbered.partition("/")
    since = _NUMBERED_ON_SINCE.get(series)
    if not since or not number.isdigit() or not year.isdigit() or int(year) < since:
        return None
    before, behind = registry.neighbours(series, int(number), since)
    if before is None or behind is None:
        return None
    first, last = (int(one.key.rpartition("/")[2]) for one in (before, behind))
    return None if first <= int(year) <= last else (before, behind)


# "Loi n° 89-642 du 6 juillet 1989": the year stands before the number.
_YEAR_FIRST = re.compile(r"(FR:[a-z]+):(\d{2,4})-(\d{2,4})")


def _of_that_day(citation: Citation) -> Norm | None:
    """Return the act of the day that a citation gives whose number has its last figures in another order."""
    cited = _YEAR_FIRST.fullmatch(citation.norm or "")
    written = citation.ids.get("date") or written_date(citation.text) or ""
    if not cited or len(written) != 10:
        return None
    figures = cited[3]
    for index in range(len(figures) - 1):
        swapped = f"{figures[:index]}{figures[index + 1]}{figures[index]}{figures[index + 2 :]}"
        norm = registry.norm(f"{cited[1]}:{cited[2]}-{swapped}")
        if norm and swapped != figures and norm.dated and norm.dated.isoformat() == written:
            return norm
    return None


# The title of a law that says what it changes or carries out names the other law as well.
_OF_ANOTHER = re.compile(
    r"modific|reform|desarroll|reglament|aprob|adapt|traspo|transpo|complement|alter", re.I
)


def _misnamed(citation: Citation, verdict: Verdict) -> tuple[Norm, Norm] | None:
    """Return the law cited by its number, and the other one whose name is given to it."""
    named = registry.norm(citation.ids.get("named_as", ""))
    cited = registry.norm(citation.norm or "")
    if (
        named
        and not cited
        and verdict.status == "not_verifiable"
        and _one_slip(named.key, citation.norm or "")
    ):
        return named, named
    if (
        not named
        or not cited
        or named.key == cited.key
        or _of_community(named, cited)
        or verdict.status not in ("verified", "derogated")
    ):
        return None
    if _OF_ANOTHER.search(cited.title) or _alike(cited.title, named.title):
        return None
    # The name passed from one law to the next: the Ley del Mercado de Valores of 1988, 2015 and 2023.
    if any(_title_words(name) <= _title_words(cited.title) for name in _names(named.key)):
        return None
    return cited, named


def _of_community(named: Norm, cited: Norm) -> bool:
    """Tell whether two norms bear one rank and number, one of them a community's."""
    return (
        named.jurisdiction != cited.jurisdiction
        and named.key.partition(":")[2] == cited.key.partition(":")[2]
    )


def _one_slip(right: str, written: str) -> bool:
    """Tell whether two numbered laws share rank and number or year ("Ley 58/2004" for 58/2003).

    Of numbers without a year, one may have two figures in the wrong order, or one wrong ("24.420" for
    24.240).
    """
    (one, _, first), (other, _, second) = right.rpartition(":"), written.rpartition(":")
    one = re.sub("^ES-[A-Z]{2}:", "ES:", one)  # an act of a community is cited as one of the State
    if first.isdigit() and second.isdigit():
        apart = [(a, b) for a, b in zip(first, second, strict=False) if a != b]
        swapped = len(apart) == 2 and apart[0] == apart[1][::-1]
        return one == other and len(first) == len(second) and (len(apart) == 1 or swapped)
    shared = set(first.split("/")) & set(second.split("/"))
    return one == other and first != second and "/" in first and bool(shared)


_OF_MANY_TITLES = frozenset(
    {"código", "general", "federal", "nacional", "orgánica", "orgánico", "sobre", "texto"}
)


def _names(key: str) -> tuple[str, ...]:
    """Return the names of a law that say what it is of."""
    return tuple(
        name for entry in norm_names() if entry.norm == key for name in entry.names if _title_words(name)
    )


def _title_words(title: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d]{5,}", title.lower())) - _OF_MANY_TITLES


def _alike(one: str, other: str) -> bool:
    """Tell whether most long words of one title stand in the other ("arbitraje", of 1988 and of 2003)."""
    first, second = _title_words(one), _title_words(other)
    return 2 * len(first & second) > min(len(first), len(second))


def verify(citation: Citation, on: date, loaded: LookupResult = EMPTY) -> Verdict:
    """Judge `citation` as the law stood on a day (decision 015: six statuses).

    `verified` means that the norm, and every article cited of it, exists and is in force, checked as deep as
    `depth` says; it says nothing of what the article says. What is impossible (30 February, article 0, a
    judgment of a future year) is `not_found`. Where the text does not name the law and the antecedent was
    taken, a doubt is never called an error.

    Args:
        citation: The citation.
        on: The day.
        loaded: What the loaded corpus knows (`look_up`). Without it the registry alone answers: paragraphs
            and letters are not checked, and judgments are `not_verifiable` unless the citation contradicts
            itself (`mismatch`).
    """
    impossible = plausibility.impossible(citation, on)
    if impossible:
        cannot = Verdict("not_found", impossible.es, impossible.en, depth="norm")
        return unverifiable(verdict_notes.elided(cannot)) if "elided" in citation.ids else cannot
    if citation.kind == "L2-J":
        return _judgment(citation, on, loaded)
    verdict = _statute(citation, on, loaded)
    misnamed = _misnamed(citation, verdict)
    if misnamed:
        cited, named = misnamed
        if cited is named:
            return of_norm("mismatch", named, claim_notes.other_number(named.title), "number")
        return of_norm("mismatch", cited, claim_notes.other_name(named.title, cited.title))
    # Few laws have an article "10 bis": where the law named last is not known to, the other may be meant.
    open_to_other = verdict.status == "not_verifiable" and any(" " in one for one in citation.articles)
    if "or" in citation.ids and (verdict.status == "not_found" or open_to_other):
        # The law named last has no such article, and the one before it has: that one is meant.
        other = replace(citation, norm=citation.ids["or"], jurisdiction=citation.ids["or"][:2])
        second = _statute(other, on, loaded)
        if second.status == "verified" and second.depth != "norm":
            return second
    if "elided" in citation.ids and verdict.status in ("not_found", "mismatch"):
        return unverifiable(
            verdict_notes.elided(verdict), registry.norm(citation.norm) if citation.norm else None
        )
    return verdict
