"""Give an uploaded Word document back with comments at the words that its analysis quotes (decision 079)."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from app import documents, jobs
from app.documents import Reading, UnknownDocument
from app.platform.postgres import db
from app.reports.composition import notes
from app.reports.docx_writer import MEDIA_TYPE
from app.reports.errors import NoOriginal
from app.text.bilingual import Bilingual, Language, language_of

# So many characters around words tell them from the same words elsewhere.
_AROUND = 240
# Under no name, a comment needs an author all the same.
_NOBODY = Bilingual("Revisión", "Review")
_NOWHERE = Bilingual(
    "Estas palabras no están en el cuerpo del documento, sino en un encabezado, un pie u otra parte:",
    "These words do not stand in the body of the document but in a header, a footer or another part:",
)


def write(job: jobs.Job, answer: Mapping[str, Any], *, name: str) -> bytes:
    """Return the document that `answer` analysed, as DOCX with comments under `name` (empty for nobody's).

    The file is a stranger's and is written in a process of its own.

    Raises:
        NoOriginal: 409, the analysis was made of a text, of another kind of file, or the file is gone.
        DocumentUnreadable: 422, it cannot be written.
        Upstream: 503, too many documents are being read.
        redis_client.Unavailable: Redis does not answer.
    """
    reading, original = _original(job, answer)
    language = language_of(answer.get("language"))
    author = name or _NOBODY.in_(language)
    return documents.run(
        "comment",
        original,
        {
            "author": author,
            "initials": "".join(word[0] for word in author.split() if word[0].isalnum())[:3].upper(),
            "nowhere": _NOWHERE.in_(language),
            "comments": _comments(answer, reading, language),
        },
    )


def can_comment(job: jobs.Job, answer: Mapping[str, Any]) -> bool:
    """Return whether the document that `answer` analysed is a DOCX that is still stored."""
    ref = answer.get("documentRef")
    if not ref:
        return False
    try:
        with db.reading() as session:
            found = documents.find_of_key(session, job.account_id, job.api_key_id, uuid.UUID(ref))
            return found.media_type == MEDIA_TYPE
    except UnknownDocument:
        return False


def _original(job: jobs.Job, answer: Mapping[str, Any]) -> tuple[Reading, bytes]:
    ref = answer.get("documentRef")
    if not ref:
        raise NoOriginal(
            "format: this analysis was made of a text. Upload the DOCX file with POST /api/v1/documents and "
            "send its documentRef in place of text; or ask for format=docx.",
            details={"field": "format"},
        )
    try:
        with db.reading() as session:
            found = documents.find_of_key(session, job.account_id, job.api_key_id, uuid.UUID(ref))
            session.expunge(found)
        if found.media_type != MEDIA_TYPE:
            raise NoOriginal(
                "format: the analysed file is no DOCX, and only a DOCX can carry these comments. Save it as "
                "DOCX and analyse that; or ask for format=docx.",
                code="ORIGINAL_NOT_DOCX",
                details={"field": "format", "expected": MEDIA_TYPE, "got": found.media_type},
            )
        return documents.reading_of(found), documents.original(found)
    except UnknownDocument:
        raise NoOriginal(
            "format: the analysed file is no longer stored. Upload it again and analyse it again; or ask for "
            "format=docx.",
            code="ORIGINAL_EXPIRED",
            details={"field": "format"},
        ) from None


def _comments(answer: Mapping[str, Any], reading: Reading, language: Language) -> Sequence[dict[str, Any]]:
    """Return the comments in the order of the text, one for all statements that quote the same words."""
    text = reading.text.reveal()
    told: dict[tuple[int, int], list[str]] = defaultdict(list)
    for quote, note in notes(answer, language):
        start, end = int(quote["start"]), int(quote["end"])
        if 0 <= start < end <= len(text):
            told[start, end] += [*([""] if told[start, end] else []), *note]
    return [
        {
            "words": text[start:end],
            "before": text[max(0, start - _AROUND) : start],
            "after": text[end : end + _AROUND],
            "at": start / len(text),
            "note": note,
        }
        for (start, end), note in sorted(told.items())
    ]
