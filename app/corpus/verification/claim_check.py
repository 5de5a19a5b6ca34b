"""Check one citation, and the words it is claimed to say, against registry and loaded texts (decision 033).

Existence, range and repeal come from `existence`; the words from the version in force on the day; the
names from `citations`. Of what is not loaded the words are `not_verifiable`, never `verified`.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

import sqlalchemy as sa

from app.citations import Citation, extract
from app.corpus import courts, quote_match, registry
from app.corpus.articles import structure
from app.corpus.links import article_url, judgment_url, norm_alias
from app.corpus.lookup.batch import LookupResult, look_up_in
from app.corpus.lookup.citation_keys import article_numbers, names_judgment, official_ids
from app.corpus.models import CorpusArticle, CorpusJudgment, CorpusNorm, CorpusPassage, CorpusVersion
from app.corpus.notes import claim_notes, coverage_notes, place_notes
from app.corpus.quote_match import Comparison
from app.corpus.verdicts import Depth, Status
from app.corpus.verification.claim_verdicts import compare_cited
from app.corpus.verification.existence import verify
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.text.bilingual import Bilingual

# Whose citations are tried where the caller does not say whose law is meant.
_TRIED = ("ES", "EU", "CO", "MX", "AR", "CL", "PE", "PT", "BR", "FR", "IT", "DE", "GB", "US")
_LONGEST_TEXT = 2_000_000
Standing = Literal["in_force", "repealed", "unknown"]


class Unreadable(Invalid):
    """The text contains no citation that can be read; `note` says so in Spanish and in English."""

    def __init__(self, kind: str) -> None:
        """Set the message and both notes."""
        what, what_es = (
            ("an article or a law", "un artículo o una ley")
            if kind == "L4-N"
            else ("a judgment", "una sentencia")
        )
        super().__init__(f"citation: no citation of {what} was recognised.", details={"field": "citation"})
        self.note = Bilingual(
            f"No se ha reconocido en el texto una cita de {what_es}: no hay nada que comprobar todavía.",
            f"No citation of {what} was recognised in the text, so there is nothing to check.",
        )


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """The result for one citation.

    `mismatch_kind` tells how the words differ and is `None` where they do not, or where it is not the words
    that are wrong. `compared` is `None` where no words were claimed, or no text is loaded. `text` is the
    version of the day; `depth` is how deep the citation was checked, `place` the part of the norm that was
    found and `caveat` what could not be checked; `ids` holds those known of `ecli`, `roj`, `court`, `kind`
    and `year`.
    """

    citation: Citation
    status: Status
    note: Bilingual
    url: str | None
    mismatch_kind: str | None = None
    compared: Comparison | None = None
    text: str | None = None
    norm_title: str | None = None
    norm_id: uuid.UUID | None = None
    alias: str | None = None
    standing: Standing = "unknown"
    court: str | None = None
    kind: str | None = None
    year: int | None = None
    ecli: str | None = None
    roj: str | None = None
    depth: Depth | None = None
    place: Bilingual | None = None
    caveat: Bilingual | None = None


@dataclass(frozen=True, slots=True)
class _LoadedArticle:
    """A loaded article: its norm, heading and text on the day."""

    norm: CorpusNorm
    heading: str
    text: str


def read_citation(written: str, jurisdiction: str | None, kind: str) -> Citation:
    """Read a text that is one citation.

    Args:
        written: The citation as the caller wrote it.
        jurisdiction: Whose law is meant; `None` to read it off the form.
        kind: `L4-N` (statute) or `L2-J` (judgment).

    Raises:
        Unreadable: The text is no citation of that kind.
        Invalid: It could be of several countries.
    """
    if jurisdiction:
        found = [one for one in extract(written, jurisdiction) if one.kind == kind]
        if not found:
            raise Unreadable(kind)
        return max(found, key=lambda one: (bool(one.articles), bool(one.canonical)))
    meant: dict[tuple[str, ...], Citation] = {}
    for code in _TRIED:
        for one in extract(written, code):
            if one.kind == kind and one.canonical:
                meant.setdefault(one.canonical, one)
    known = {
        key: one for key, one in meant.items() if kind == "L2-J" or (one.norm and registry.norm(one.norm))
    }
    candidates = known or meant
    countries = sorted({one.jurisdiction for one in candidates.values()})
    if len(countries) > 1:
        raise Invalid(
            f"citation: could be of {', '.join(countries)}. Send one of them in jurisdiccion.",
            details={"field": "jurisdiccion", "candidates": countries},
        )
    if not candidates:
        # What names no known law may still be a citation, of Spain where nothing says otherwise.
        return read_citation(written, "ES", kind)
    return max(candidates.values(), key=lambda one: (bool(one.articles), len(one.text)))


def check_statute(
    session: db.Session, citation: Citation, *, day: date, written: str = "", claim: str | None = None
) -> ClaimCheck:
    """Check a citation of law, and the words that it is claimed to say.

    Args:
        session: An open transaction.
        citation: The citation.
        day: The law as in force on that day.
        written: The citation as the caller wrote it, with the name of the law that stands beside its number.
        claim: The words it is claimed to say, if any.
    """
    verdict = verify(citation, day, look_up_in(session, [citation], day))
    note = Bilingual(verdict.note, verdict.note_en)
    norm = _norm(session, citation)
    found = ClaimCheck(
        citation,
        verdict.status,
        note,
        article_url(norm.official_id, norm.url, _first(citation)) if norm else verdict.url,
        norm_title=norm.title if norm else verdict.norm_title,
        norm_id=norm.id if norm else None,
        alias=norm_alias(norm.jurisdiction, norm.official_id) if norm else None,
        standing=_standing(verdict.status),
        depth=verdict.depth,
        place=verdict.place,
        caveat=verdict.caveat,
    )
    named = quote_match.misnamed(citation, written or citation.text)
    if named and found.status in ("verified", "derogated", "not_verifiable"):
        return replace(found, status="mismatch", note=claim_notes.other_name(named, found.norm_title))
    held = _article(session, citation, norm, day) if norm else None
    if held is not None:
        found = replace(found, text=held.text)
        if found.status == "not_verifiable" and norm and norm.status == "in_force":
            found = _loaded(found, norm, held.text)
    if claim is None or found.status in ("not_found", "mismatch"):
        return found
    if held is None:
        return replace(
            found,
            status="derogated" if found.status == "derogated" else "not_verifiable",
            note=claim_notes.no_text(),
        )
    if not quote_match.same_language(claim, held.text):
        return replace(found, status="not_verifiable", note=claim_notes.other_language())
    return _with_words(found, claim, held.text, held.heading)


def _loaded(found: ClaimCheck, norm: CorpusNorm, text: str) -> ClaimCheck:
    """Return the result for a loaded article that the registry cannot confirm, with its parts."""
    citation = found.citation
    place = place_notes.articles(citation.articles, citation.articles)
    found = replace(
        found,
        status="verified",
        standing="in_force",
        note=coverage_notes.article_loaded(norm.title, place, norm.edition),
        depth="article",
        place=place,
    )
    named = citation.divisions[0] if len(citation.articles) == 1 and citation.divisions else ()
    if not named:
        return found
    number = citation.articles[0]
    part = place_notes.place(number, named)
    looked = structure.look(text, named, citation.jurisdiction)
    if looked.answer in ("missing", "abolished"):
        note = coverage_notes.place_absent(norm.title, number, named, looked, norm.edition)
        return replace(found, status="not_found", note=note, depth="paragraph", place=part)
    if looked.answer == "unclear":
        note = coverage_notes.place_unclear(norm.title, place, part, norm.edition)
        return replace(found, note=note, caveat=coverage_notes.not_told(part))
    note = coverage_notes.article_loaded(norm.title, part, norm.edition)
    return replace(found, note=note, depth="paragraph", place=part)


def check_judgment(
    session: db.Session, citation: Citation, *, day: date, claim: str | None = None
) -> ClaimCheck:
    """Check a citation of a judgment, and the words that it is claimed to say.

    Args:
        session: An open transaction.
        citation: The citation.
        day: The day of the check: a judgment cannot be later.
        claim: The words it is claimed to say, if any.
    """
    known = look_up_in(session, [citation], day)
    verdict = verify(citation, day, known)
    row, form = _judgment(session, citation, known), courts.court_and_year(citation)
    found = ClaimCheck(
        citation,
        verdict.status,
        Bilingual(verdict.note, verdict.note_en),
        verdict.url,
        ecli=citation.ids.get("ecli"),
        roj=citation.ids.get("roj"),
        court=form.court,
        year=form.year,
        depth=verdict.depth,
    )
    if row is None or found.status == "not_found":
        return found
    found = replace(
        found,
        url=judgment_url(row.id, row.url, row.ecli),
        court=row.court,
        kind=row.kind,
        year=row.year,
        ecli=row.ecli or found.ecli,
        roj=row.roj or found.roj,
    )
    if found.status == "mismatch":
        return found
    dated = citation.ids.get("date")
    if dated and row.dated and not row.dated.isoformat().endswith(dated.lstrip("-")):
        return replace(found, status="mismatch", note=claim_notes.other_date(row.title, row.dated))
    found = replace(
        found,
        status="verified",
        note=claim_notes.judgment_loaded(row.title),
        depth="norm",
        norm_title=row.title,
    )
    text = _text_of(session, row) if row.text_known else None
    found = replace(found, text=text)
    if claim is None:
        return found
    if text is None:
        return replace(found, status="not_verifiable", note=claim_notes.no_text())
    return _with_words(found, claim, text, "")


def _with_words(found: ClaimCheck, claim: str, text: str, heading: str) -> ClaimCheck:
    compared = compare_cited(found.citation, claim, text, heading)
    found = replace(found, compared=compared, depth="words")
    if compared.right:
        note = claim_notes.says_so(compared, found.norm_title, found.place, found.caveat)
        if found.status == "derogated":
            note = Bilingual(f"{found.note.es} {note.es}", f"{found.note.en} {note.en}")
        return replace(found, note=note)
    return replace(
        found,
        status="mismatch",
        mismatch_kind=compared.kind,
        note=claim_notes.says_otherwise(compared, found.place),
    )


def _standing(status: Status) -> Standing:
    if status == "derogated":
        return "repealed"
    return "in_force" if status == "verified" else "unknown"


def _first(citation: Citation) -> str | None:
    return citation.articles[0] if citation.articles else None


def _norm(session: db.Session, citation: Citation) -> CorpusNorm | None:
    ids = official_ids(citation)
    if not ids:
        return None
    rows = session.scalars(
        sa.select(CorpusNorm).where(
            CorpusNorm.jurisdiction == citation.jurisdiction, CorpusNorm.official_id.in_(ids)
        )
    ).all()
    return min(rows, key=lambda row: (row.source == "index", ids.index(row.official_id)), default=None)


def _article(session: db.Session, citation: Citation, norm: CorpusNorm, day: date) -> _LoadedArticle | None:
    """Return the text of the articles cited; several of a range or of one number are joined."""
    numbers = article_numbers(citation)
    if not numbers:
        return None
    lettered = f"{numbers[0]} {citation.pinpoint[:1]}" if citation.pinpoint else numbers[0]
    rows = session.execute(
        sa.select(CorpusArticle.number, CorpusArticle.heading, CorpusVersion.text)
        .join(CorpusVersion, CorpusVersion.article_id == CorpusArticle.id)
        .where(
            CorpusArticle.norm_id == norm.id,
            CorpusArticle.number.in_([*numbers, lettered]),
            sa.or_(CorpusVersion.in_force_from.is_(None), CorpusVersion.in_force_from <= day),
            sa.or_(CorpusVersion.in_force_to.is_(None), CorpusVersion.in_force_to > day),
        )
        .order_by(CorpusArticle.place, CorpusArticle.occurrence, CorpusVersion.version)
    ).all()
    if not rows or {row.number for row in rows} | {lettered} < {*numbers}:
        return None
    return _LoadedArticle(
        norm, _heading(rows[0].number, rows[0].heading), "\n\n".join(row.text for row in rows)
    )


def _heading(number: str, heading: str | None) -> str:
    if heading and heading.lower().startswith(("art", "disp", "anexo")):
        return heading
    return f"Artículo {number}. {heading or ''}"


def _judgment(session: db.Session, citation: Citation, known: LookupResult) -> CorpusJudgment | None:
    # The known also knows a decision by the ROJ number that its normal form stands for.
    held = known.judgment(citation.canonical[0], citation.ids) if len(citation.canonical) == 1 else None
    if held is not None:
        return session.get(CorpusJudgment, held.id)
    found: Sequence[CorpusJudgment] = session.scalars(
        sa.select(CorpusJudgment).where(names_judgment(citation)).limit(2)
    ).all()
    return found[0] if len(found) == 1 else None


def _text_of(session: db.Session, row: CorpusJudgment) -> str:
    parts = session.scalars(
        sa.select(CorpusPassage.text)
        .where(CorpusPassage.jurisdiction == row.jurisdiction, CorpusPassage.judgment_id == row.id)
        .order_by(CorpusPassage.place)
    )
    return "\n".join(parts)[:_LONGEST_TEXT]
