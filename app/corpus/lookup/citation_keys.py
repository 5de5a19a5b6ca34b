"""Derive the keys by which a citation is looked up among loaded norms and judgments."""

from __future__ import annotations

import sqlalchemy as sa

from app.citations import Citation
from app.corpus import registry
from app.corpus.lookup import decision_numbers
from app.corpus.models import CorpusJudgment


def official_ids(citation: Citation) -> tuple[str, ...]:
    """Return the official ids under which the norm of a citation may be loaded, likeliest first."""
    if citation.norm is None:
        return ()
    known = registry.norm(citation.norm)
    found = [known.official_id if known else None, citation.ids.get("boe")]
    found += [known.key.split(":", 1)[1] if known else None, citation.norm.split(":", 1)[1]]
    return tuple(dict.fromkeys(one for one in found if one))


def article_numbers(citation: Citation) -> list[str]:
    """Return the articles of a citation one by one, ranges of up to fifty written out."""
    found: list[str] = []
    for article in citation.articles:
        first, dash, last = article.partition("-")
        if dash and first.isdigit() and last.isdigit() and 0 < int(last) - int(first) < 50:
            found += [str(value) for value in range(int(first), int(last) + 1)]
        else:
            found.append(article)
    return found


def names_judgment(citation: Citation) -> sa.ColumnElement[bool]:
    """Return the SQL condition for the judgments a citation may mean.

    They are known by normal form, ECLI, ROJ number, or the number that their court gave them.
    """
    named: list[sa.ColumnElement[bool]] = [CorpusJudgment.canonical.in_(citation.canonical)]
    for name, column in (("ecli", CorpusJudgment.ecli), ("roj", CorpusJudgment.roj)):
        if name in citation.ids:
            named.append(column == citation.ids[name])
    named += [_has_number(one) for form in citation.canonical if (one := decision_numbers.cited(form))]
    return sa.and_(CorpusJudgment.jurisdiction == citation.jurisdiction, sa.or_(*named))


def _has_number(cited: decision_numbers.DecisionNumber) -> sa.ColumnElement[bool]:
    order = CorpusJudgment.kind == "auto"
    return sa.and_(
        CorpusJudgment.number == cited.number,
        CorpusJudgment.canonical.startswith(f"ES:{cited.court}:", autoescape=True),
        order if cited.is_order else sa.not_(order),
        *(
            [sa.func.concat(CorpusJudgment.court, " ", CorpusJudgment.chamber).icontains(cited.chamber)]
            if cited.chamber
            else []
        ),
    )
