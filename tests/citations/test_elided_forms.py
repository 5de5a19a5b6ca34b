"""What is left out or said in passing: heads, laws, dates, former wordings; annexes, recitals, journals."""

from __future__ import annotations

from datetime import date

import pytest

from app.citations import article_number, extract
from app.corpus import registry, verify
from benchmarks.citation_rounds import Key, reads, same_span

ON = date(2026, 4, 30)


@pytest.mark.parametrize(
    ("country", "text", "words", "norm", "articles"),
    [
        ("AR", "La multa del art. 80 LCT se mide por el 232 LCT.", "232 LCT", "AR:ley:20744", ("232",)),
        ("MX", "Conforme al 1792 del Código Civil Federal, hay convenio.", "1792 del Código Civil Federal",
         "MX:CCF", ("1792",)),
        ("ES", "infracción del art. 5.1.f) RGPD, tipificada en el 83.4.a) del mismo Reglamento.",
         "83.4.a) del mismo Reglamento", "EU:reg:2016/679", ("83",)),
        ("ES", "arts. 1281 CC, 394 LEC y 399 de la citada Ley", "399 de la citada Ley", "ES:ley:1/2000",
         ("399",)),
        ("ES", "El art. 1 de la LAU de 1994 y la de 1964 (art. 57) no se confunden.", "art. 57",
         "ES:d:4104/1964", ("57",)),
        ("ES", "véase el considerando 26 del RGPD", "considerando 26 del RGPD", "EU:reg:2016/679",
         ("recital 26",)),
        ("EU", "listed in Annex III, point 4, to the AI Act", "Annex III, point 4, to the AI Act",
         "EU:reg:2024/1689", ()),
        ("ES", "el Reglamento (UE) 2016/679 (DOUE L 119 de 4.5.2016, p. 1)", "DOUE L 119 de 4.5.2016, p. 1",
         "EU:reg:2016/679", ()),
        ("FR", "l'article L. 1235-3 du code du travail (et L. 1235-3-1)", "L. 1235-3-1", "FR:Ctrav",
         ("L1235-3-1",)),
        ("FR", "l'article 22-1 de la loi n° 89-462 du 6 juillet 1989", "article 22-1 de la loi n° 89-462",
         "FR:loi:89-462", ("22-1",)),
        ("US", "Cal. Lab. Code § 226(a); id. § 2802(b).", "id. § 2802(b)", "US:code:cal-lab-code", ("2802",)),
        ("GB", "the Housing Act 1988 and Ground 10 of Schedule 2 to that Act",
         "Ground 10 of Schedule 2 to that Act", "GB:act:housing-act-1988", ("sch2",)),
        ("CO", "el artículo 75 del Código de Procedimiento Civil (Decreto 1400 de 1970)",
         "artículo 75 del Código de Procedimiento Civil", "CO:CPC", ("75",)),
        ("CL", "el artículo 161 A del Código Civil", "artículo 161 A del Código Civil", "CL:CC", ("161A",)),
        ("PT", "o artigo 9.º-A do CPC", "artigo 9.º-A do CPC", "PT:CPC", ("9A",)),
        ("IT", "il D.Lgs. 81/08", "D.Lgs. 81/08", "IT:dlgs:81/2008", ()),
        ("PT", "o DL 49408, de 24-11-1969", "DL 49408, de 24-11-1969", "PT:dl:49408/1969", ()),
    ],
)  # fmt: skip
def test_left_out(country: str, text: str, words: str, norm: str, articles: tuple[str, ...]) -> None:
    found = [one for one in extract(text, country) if one.text.startswith(words)]
    assert [(one.norm, one.articles) for one in found] == [(norm, articles)]


@pytest.mark.parametrize(
    ("country", "text", "form"),
    [
        ("ES", "SJPI núm. 5 de Gijón 120/2021, de 3 de mayo", "ES:JPI:Gijon:120/2021"),
        ("ES", "SJS núm. 2 de León 33/2020, de 4 de junio", "ES:JS:Leon:33/2020"),
        ("IT", "Cass., S.U., 3 maggio 2017, n. 27.436", "IT:Cass:27436/2017"),
        ("MX", "la tesis I.6o.T.23 L (11a.)", "MX:tesis:I.6o.T.23L(11a.)"),
        ("CL", "el dictamen Ord. N° 3.512/98 de la Dirección del Trabajo", "CL:DT:3512/98"),
    ],
)
def test_decisions(country: str, text: str, form: str) -> None:
    assert [one.canonical for one in extract(text, country)] == [(form,)]


def test_an_unknown_abbreviation_is_not_the_law_before_it() -> None:
    found = extract("El art. 7 LIRPF y el art. 3 RXYZ.", "ES")
    assert [(one.text, one.norm) for one in found] == [
        ("art. 7 LIRPF", "ES:ley:35/2006"),
        ("art. 3 RXYZ", None),
    ]


@pytest.mark.parametrize(
    "text",
    ["El Código tiene 1976 artículos. 5.º Que no procede.", "hasta el 30 de abril", "los 15 días del ET"],
)
def test_what_only_looks_like_an_article(text: str) -> None:
    assert not extract(text, "ES")


def _status(country: str, text: str) -> str:
    return verify(extract(text, country)[0], ON).status


@pytest.mark.parametrize(
    ("country", "text", "status"),
    [
        ("FR", "ancien article 1382 du Code civil", "derogated"),
        ("DE", "§ 312d BGB a.F.", "derogated"),
        ("DE", "§ 611a BGB", "verified"),
        ("DE", "§ 2500 BGB", "not_found"),
        ("FR", "articles 1217 à 1231-7 du Code civil", "verified"),
        ("FR", "loi n° 89-462 du 7 juillet 1989", "mismatch"),
        ("AR", "arts. 8 a 15 de la ley 24.013", "derogated"),
        ("AR", "art. 245 de la ley 20.744", "verified"),
        ("GB", "Unfair Contract Terms Act 1987", "mismatch"),
        ("GB", "Companies Act 1976", "not_verifiable"),
        ("IT", "D.Lgs. 626/1994", "derogated"),
        ("ES", "considerando 200 del RGPD", "not_found"),
        ("ES", "RDL 32/2021", "verified"),
        ("ES", "Ley 1/1998", "derogated"),
    ],
)
def test_what_the_registry_knows(country: str, text: str, status: str) -> None:
    assert _status(country, text) == status


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("611a", "611a"), ("L. 1235-3", "L1235-3"), ("16-1-1", "16-1-1"), ("145 A", "145A"), ("15-A", "15A"),
        ("9 bis", "9 bis"), ("Artículo 5", "5"), ("disposición final 1.ª", "df1"),
        ("recital 47", "recital 47"),
        ("annex III", "anexo 3"), ("129-bis", "129 bis"), ("140AA", "140AA"), ("1.124", "1124"),
    ],
)  # fmt: skip
def test_numbers_of_articles(written: str, number: str) -> None:
    assert article_number(written) == number


def test_a_number_that_goes_down_is_no_range() -> None:
    held = registry.NumberSet.parse("1-3, 16-1, recital 1-9")
    assert [one in held for one in ("16-1", "2", "recital 4")] == [True] * 3
    assert [one in held for one in ("16", "recital 10")] == [False] * 2


def test_the_benchmark_knows_one_norm_under_two_names_and_no_other() -> None:
    found = extract("artículo 75 del Código de Procedimiento Civil", "CO")
    said = {"norm": "CO:decreto:1400/1970", "articles": ["75"]}
    assert reads(Key(0, 45, said, "CO"), found)
    assert not reads(Key(0, 45, said | {"norm": "CO:ley:1564/2012"}, "CO"), found)
    ruled = extract("Sentencia SU-049 de 2017", "CO")
    assert reads(Key(0, 24, {"court": "CC", "numbers": ["SU-049 de 2017"]}, "CO"), ruled)
    assert not reads(Key(0, 24, {"court": "CC", "numbers": ["SU-049 de 2018"]}, "CO"), ruled)


def test_one_rule_says_when_two_spans_are_of_one_decision() -> None:
    text = "según la Corte Suprema, rol N° 12.362-2021, y la STC 39/2016 (ECLI:ES:TC:2016:39)"

    def span(words: str) -> tuple[int, int]:
        return text.index(words), text.index(words) + len(words)

    rol, whole = span("rol N° 12.362-2021"), span("Corte Suprema, rol N° 12.362-2021")
    assert same_span(text, whole, rol, ["12.362-2021"])
    assert same_span(text, rol, whole, ["12.362-2021"])
    assert same_span(text, rol, whole)
    both, ecli = span("STC 39/2016 (ECLI:ES:TC:2016:39)"), span("ECLI:ES:TC:2016:39")
    assert not same_span(text, both, ecli, ["39/2016", "ECLI:ES:TC:2016:39"])
    assert not same_span(text, ecli, both)
    assert not same_span(text, rol, span("N° 12.362-2021, y la STC"), ["12.362-2021"])
