"""The law the service knows: jurisdictions, the registry of norms, loaded texts, and verdicts on citations.

Ships facts only (identifiers, titles, dates, articles that exist, repeals); texts come from a loaded corpus.
Owns `corpus_norms`, `corpus_articles`, `corpus_versions`, `corpus_versions_set_aside`, `corpus_judgments`,
`corpus_passages` and `corpus_loads`.

Invariants: ids are derived from what they name, so that loading again changes nothing; `not_found` and
`derogated` are said only of what the registry or the loaded texts cover; otherwise the answer is
`not_verifiable`.
"""

from app.corpus.coverage import (
    CheckableCounts,
    CoverageSnapshot,
    LawCount,
    checkable_counts,
    counts_by_jurisdiction,
    coverage_snapshot,
    law,
)
from app.corpus.jurisdictions import (
    Jurisdiction,
    assessed_branches,
    assessment,
    jurisdiction,
    jurisdictions,
    known_code,
    lineage,
)
from app.corpus.links import article_url, judgment_url, norm_alias
from app.corpus.load_status import status, waiting
from app.corpus.loading import FORMS, KINDS, Progress, Report, load
from app.corpus.lookup.articles import (
    ArticleAt,
    Edition,
    NormMatch,
    article,
    article_number,
    article_versions,
    editions,
    find,
    permanent,
    says_nothing,
    short_name,
    wordings,
)
from app.corpus.lookup.articles import loaded as loaded_norm
from app.corpus.lookup.articles import title_of as norm_title
from app.corpus.lookup.batch import LoadedJudgment, LoadedNorm, LookupResult, look_up, look_up_in
from app.corpus.lookup.citation_keys import article_numbers, names_judgment, official_ids
from app.corpus.lookup.judgments import Decision, decision, decisions, judgment_texts, texts
from app.corpus.lookup.norms import indexed_norm, key_of, norms_named
from app.corpus.lookup.norms import official_ids as norm_official_ids
from app.corpus.models import CorpusArticle, CorpusJudgment, CorpusNorm, CorpusPassage, CorpusVersion
from app.corpus.notes.verdict_notes import VERDICTS, verdict_name
from app.corpus.quote_match import Comparison, contradiction, same_language
from app.corpus.quote_match import compare as compare_words
from app.corpus.registry import Norm, norm, norm_count
from app.corpus.verdicts import Depth, Status, Verdict
from app.corpus.verification import claim_check
from app.corpus.verification.claim_verdicts import (
    apply_comparison,
    compare_cited,
    lacks_place,
    words_of_place,
)
from app.corpus.verification.existence import verify

__all__ = [
    "FORMS",
    "KINDS",
    "VERDICTS",
    "ArticleAt",
    "CheckableCounts",
    "Comparison",
    "CorpusArticle",
    "CorpusJudgment",
    "CorpusNorm",
    "CorpusPassage",
    "CorpusVersion",
    "CoverageSnapshot",
    "Decision",
    "Depth",
    "Edition",
    "Jurisdiction",
    "LawCount",
    "LoadedJudgment",
    "LoadedNorm",
    "LookupResult",
    "Norm",
    "NormMatch",
    "Progress",
    "Report",
    "Status",
    "Verdict",
    "apply_comparison",
    "article",
    "article_number",
    "article_numbers",
    "article_url",
    "article_versions",
    "assessed_branches",
    "assessment",
    "checkable_counts",
    "claim_check",
    "compare_cited",
    "compare_words",
    "contradiction",
    "counts_by_jurisdiction",
    "coverage_snapshot",
    "decision",
    "decisions",
    "editions",
    "find",
    "indexed_norm",
    "judgment_texts",
    "judgment_url",
    "jurisdiction",
    "jurisdictions",
    "key_of",
    "known_code",
    "lacks_place",
    "law",
    "lineage",
    "load",
    "loaded_norm",
    "look_up",
    "look_up_in",
    "names_judgment",
    "norm",
    "norm_alias",
    "norm_count",
    "norm_official_ids",
    "norm_title",
    "norms_named",
    "official_ids",
    "permanent",
    "same_language",
    "says_nothing",
    "short_name",
    "status",
    "texts",
    "verdict_name",
    "verify",
    "waiting",
    "wordings",
    "words_of_place",
]
