"""Plan what is asked of the law for one document: articles by number, and questions. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from app import corpus
from app.citations import Citation
from app.rules import Basis, Reading, Section, Statement, subjects, topics
from app.search import Question
from app.text import linear
from app.text.bilingual import Language

# Where a question comes from. The order is that of trust.
Origin = Literal["rule", "checklist", "clause"]

_MOST_QUESTIONS: Final = 96
_MOST_BY_NUMBER: Final = 400
_MOST_SUBJECTS: Final = 60
# A clause shorter than this names a heading, a place or a signature; a longer one than that is several.
_SHORTEST, _LONGEST = 60, 900
# The Union's law, of which rules name articles by their CELEX number.
_UNION: Final = "EU"
# Whose law the rules know.
_SPAIN: Final = "ES"
# What stands in the place of a name or an identifier says nothing of the law.
_PLACEHOLDER: Final = linear.compile(r"\[[A-Z]+(?:_[A-Z]+)*_[0-9]+[a-z]?\]")
# Blocks that say who signs, not what is agreed.
_PEOPLE: Final = frozenset({"reunidos", "intervienen", "comparecen", "firmas", "parties", "signatures"})


@dataclass(frozen=True, slots=True, order=True)
class ArticleKey:
    """An article by its number in normal form: jurisdiction, official id of the norm, number."""

    jurisdiction: str
    official_id: str
    number: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, where it comes from, and how much its answers count."""

    question: Question
    origin: Origin
    weight: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask for one document.

    Attributes:
        jurisdictions: whose law is searched: the document's own, then that above it, the nearest first.
        required: articles that belong to the answer whatever a search finds: the legal bases of the rules
            found and what the document cites, in order.
        likely: articles that the checklist and what is missing rest on.
        subjects: articles that rules rest on about whose subjects the document speaks, the likeliest first.
        possible: articles that rules about this kind of document rest on, met or not.
        questions: what is searched for.
        cites: by article, how the author of a rule cites it.
    """

    jurisdictions: tuple[str, ...]
    required: tuple[ArticleKey, ...]
    likely: tuple[ArticleKey, ...]
    subjects: tuple[ArticleKey, ...]
    possible: tuple[ArticleKey, ...]
    questions: tuple[Asked, ...]
    cites: dict[ArticleKey, str] = field(default_factory=dict)


def make(
    reading: Reading,
    statements: Sequence[Statement],
    cited: Sequence[Citation],
    language: Language,
    *,
    branch: str = "",
    with_rules: bool = True,
) -> Plan:
    """Plan what to ask for one document.

    Args:
        reading: what was read of the document.
        statements: what the rules found in it.
        cited: the citations of the document.
        language: that of the document's kind, where it is named in a question.
        branch: the branch of law; only its own checklist brings articles.
        with_rules: whether the rules say anything; without, the clauses and citations alone ask.
    """
    cites: dict[ArticleKey, str] = {}
    required = list(_of_citations(cited))
    likely: list[ArticleKey] = []
    possible: list[ArticleKey] = []
    about_rules: list[ArticleKey] = []
    context = reading.recognition.name.es if reading.recognition.kind else ""
    questions: list[Asked] = []
    if with_rules:
        by_cite = _by_cite(reading)
        rules = {risk.id: risk for risk in reading.rules.risks}
        found: list[ArticleKey] = []
        for one in statements:
            rule = rules.get(one.facts.get("rule", ""))
            if rule is not None and one.section in (Section.RISKS, Section.DEADLINES):
                found += _keys(rule.basis, reading.jurisdiction, cites)
                questions.append(Asked(Question(f"{rule.title.es}. {rule.text.es}", context), "rule", 1.0))
                continue
            named = [by_cite[cite] for cite in one.citations if cite in by_cite]
            keys = _keys(named, reading.jurisdiction, cites)
            if one.section in (Section.RISKS, Section.DEADLINES):
                found += keys
            else:
                likely += keys
        required = found + required
        kind, family = reading.recognition.id, reading.recognition.family
        for item in reading.rules.checklist:
            if item.applies(branch, kind, family):
                likely += _keys(item.basis, reading.jurisdiction, cites)
                questions.append(Asked(Question(item.question.es, context), "checklist", 0.5))
        for risk in reading.rules.risks_of.get(kind, ()):
            possible += _keys(risk.basis, reading.jurisdiction, cites)
        if reading.jurisdiction == _SPAIN:
            known = reading.rules
            for risk in subjects(reading.document, known.risks, _kinds(reading), known.codes):
                about_rules += _keys(risk.basis, reading.jurisdiction, cites)
    questions += [Asked(Question(words, context), "clause", 1.0) for words in clauses(reading)]
    about = topics(reading, language)
    questions += [Asked(Question(about), "clause", 1.0)] if about else []
    return Plan(
        corpus.lineage(reading.jurisdiction),
        tuple(dict.fromkeys(required)),
        tuple(dict.fromkeys(likely)),
        tuple(dict.fromkeys(about_rules))[:_MOST_SUBJECTS],
        tuple(dict.fromkeys(possible))[:_MOST_BY_NUMBER],
        tuple(dict.fromkeys(questions))[:_MOST_QUESTIONS],
        cites,
    )


def _kinds(reading: Reading) -> set[str]:
    """Return the kinds that a document may be, and those of the papers in it."""
    found = {reading.recognition.id, *(paper.kind.id for paper in reading.enclosed)}
    also = (reading.recognition.also, reading.recognition.rival)
    return found | {one.id for one in also if one is not None}


def clauses(reading: Reading) -> list[str]:
    """Return the words of every clause worth a question, in order: its title, then what it says."""
    text = reading.document.text
    blocks = [one for one in reading.facts.sections if one.quote] or []
    if len(blocks) < 2:
        return [words for words in _pieces(reading, 0, len(text), "") if len(words) >= _SHORTEST]
    found: list[str] = []
    for block in blocks:
        if block.heading.casefold() in _PEOPLE or block.label.casefold().strip(" .:") in _PEOPLE:
            continue
        found += _pieces(reading, block.start, block.end, block.heading)
    return list(dict.fromkeys(one for one in found if len(one) >= _SHORTEST))


def _pieces(reading: Reading, start: int, end: int, heading: str) -> Iterator[str]:
    """Yield a clause whole, or the sentences of a long one joined to pieces of one subject's length."""
    text = reading.document.text
    if end - start <= _LONGEST:
        yield _words(text[start:end])
        return
    piece: list[str] = []
    for part in reading.document.parts:
        if part.start < start or part.end > end:
            continue
        words = _words(text[part.start : part.end])
        if piece and sum(map(len, piece)) + len(words) > _LONGEST // 2:
            yield ". ".join([heading, *piece] if heading else piece)
            piece = []
        piece.append(words)
    if piece:
        yield ". ".join([heading, *piece] if heading else piece)


def _words(text: str) -> str:
    return " ".join(_PLACEHOLDER.sub(" ", text).split())


def _by_cite(reading: Reading) -> dict[str, Basis]:
    return {basis.cite: basis for basis in reading.rules.bases()}


def _keys(bases: Sequence[Basis], own: str, cites: dict[ArticleKey, str]) -> list[ArticleKey]:
    found: list[ArticleKey] = []
    for basis in bases:
        number = corpus.article_number(basis.article) or corpus.article_number(f"Artículo {basis.article}")
        if number is None:
            continue
        for key in _where(basis, own, number):
            cites.setdefault(key, basis.cite)
            found.append(key)
    return found


def _where(basis: Basis, own: str, number: str) -> Iterator[ArticleKey]:
    """Yield the keys under which the article of a basis may be loaded."""
    if not basis.key:
        yield ArticleKey(_UNION if basis.celex else own, basis.norm, number)
        return
    for code, official in corpus.norm_official_ids(basis.key):
        yield ArticleKey(code, official, number)


def _of_citations(cited: Sequence[Citation]) -> Iterator[ArticleKey]:
    for one in cited:
        if one.norm is None or one.kind != "L4-N":
            continue
        for number in corpus.article_numbers(one):
            for official in corpus.official_ids(one):
                yield ArticleKey(one.norm.partition(":")[0].split("-")[0], official, number)
