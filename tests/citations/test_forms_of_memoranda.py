"""Forms of memoranda: initials of one act, rules without their name, ministries, "the same article"."""

from __future__ import annotations

from datetime import date

import pytest

from app.citations import extract
from app.corpus import verify

ON = date(2026, 4, 30)
_HEARD = (
    (
        "GB",
        "repealed by s 46 of LASPO.",
        "s 46 of LASPO",
        "GB:act:legal-aid-sentencing-and-punishment-of-offenders-act-2012",
        ("46",),
        "verified",
    ),
    (
        "GB",
        "Under s 62 TCEA the goods",
        "s 62 TCEA",
        "GB:act:tribunals-courts-and-enforcement-act-2007",
        ("62",),
        None,
    ),
    (
        "GB",
        "CPR 44.3(5) lists the factors; indemnity basis under rule 36.17(4). Costs follow.",
        "rule 36.17(4)",
        "GB:CPR",
        ("36.17",),
        "verified",
    ),
    ("GB", "a good reason, CPR 3.18.", "CPR 3.18", "GB:CPR", ("3.18",), "verified"),
    (
        "GB",
        "s 29 of the Access to Justice Act 1999",
        "s 29 of the Access to Justice Act 1999",
        "GB:act:access-to-justice-act-1999",
        ("29",),
        "derogated",
    ),
    (
        "GB",
        "the Legal Aid Act 1974 applied",
        "Legal Aid Act 1974",
        "GB:act:legal-aid-act-1974",
        (),
        "derogated",
    ),
    (
        "EU",
        "Regulation (EEC) No 218/92 applied",
        "Regulation (EEC) No 218/92",
        "EU:reg:1992/218",
        (),
        "derogated",
    ),
    (
        "EU",
        "Article 203 of Directive 2006/112/EC",
        "Article 203 of Directive 2006/112/EC",
        "EU:dir:2006/112",
        ("203",),
        "verified",
    ),
    ("CL", "manda el DS MOP N° 75, de 2004, y más", "DS MOP N° 75, de 2004", "CL:ds:75/2004", (), "verified"),
    ("CL", "el DFL MOP N° 850, de 1997, rige", "DFL MOP N° 850, de 1997", "CL:dfl:850/1997", (), "verified"),
    ("CL", "el D.S. MINSAL N° 594, de 1999", "D.S. MINSAL N° 594, de 1999", "CL:ds:594/1999", (), "verified"),
    (
        "CL",
        "el Decreto N° 250, de 2004, del Ministerio de Hacienda, ya no",
        "Decreto N° 250, de 2004, del Ministerio de Hacienda",
        "CL:ds:250/2004",
        (),
        "derogated",
    ),
    (
        "CL",
        "art. 53 de la Ley de Procedimiento Administrativo",
        "art. 53 de la Ley de Procedimiento Administrativo",
        "CL:ley:19880",
        ("53",),
        "verified",
    ),
    (
        "CO",
        "el artículo 102 del C. de P. P. dice",
        "artículo 102 del C. de P. P.",
        "CO:ley:906/2004",
        ("102",),
        "verified",
    ),
    (
        "ES",
        "la retasación del artículo 58 de la Ley de Expropiación.",
        "artículo 58 de la Ley de Expropiación",
        "ES:LEF",
        ("58",),
        "verified",
    ),
    (
        "ES",
        "Según el art. 52.2.ª LEF, ocho días. La regla 6.ª del mismo precepto obliga a más.",
        "regla 6.ª del mismo precepto",
        "ES:LEF",
        ("52",),
        "verified",
    ),
    (
        "BR",
        "O art. 51 do CDC; o § 1º do mesmo artigo diz mais.",
        "§ 1º do mesmo artigo",
        "BR:CDC",
        ("51",),
        "verified",
    ),
)


@pytest.mark.parametrize(("jurisdiction", "text", "cited", "norm", "articles", "status"), _HEARD)
def test_the_form_is_heard_of_its_law(
    jurisdiction: str, text: str, cited: str, norm: str, articles: tuple[str, ...], status: str | None
) -> None:
    found = {one.text: one for one in extract(text, jurisdiction)}
    assert cited in found, sorted(found)
    assert found[cited].norm == norm
    assert found[cited].articles == articles
    assert status is None or verify(found[cited], ON).status == status


def test_a_rule_alone_is_not_of_the_procedure_rules_where_the_text_cites_others() -> None:
    text = "CPR 44.3 is one thing. Under the Arbitration Rules, rule 36.17 says more."
    assert "rule 36.17" not in {one.text for one in extract(text, "GB")}


def test_the_same_article_of_nothing_is_no_citation() -> None:
    assert not extract("El apartado 4 del mismo artículo lo dice.", "ES")


def test_a_numbered_opinion_of_the_comptroller_is_heard_with_its_year() -> None:
    (one,) = extract("hay doctrina: el dictamen N° 34.523, de 2013.", "CL")
    assert one.text == "dictamen N° 34.523, de 2013"
    assert verify(one, ON).status == "not_verifiable"
