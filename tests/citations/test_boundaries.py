"""Where a citation begins and ends, and what it is read as: kinds of form that unseen texts showed."""

import pytest

from app.citations import extract


@pytest.mark.parametrize(
    ("country", "text", "words", "norm", "articles"),
    [
        # the law before its article
        (
            "ES",
            "según la Ley 7/1998, de 13 de abril, arts. 5 y 7.",
            "Ley 7/1998, de 13 de abril, arts. 5 y 7",
            "ES:ley:7/1998",
            ("5", "7"),
        ),
        ("FR", "v. C. com., art. 1844.", "C. com., art. 1844", "FR:Ccom", ("1844",)),
        ("CO", "conforme al E.T., art. 588, se corrige.", "E.T., art. 588", "CO:decreto:624/1989", ("588",)),
        ("EU", "under GDPR art. 17 and", "GDPR art. 17", "EU:reg:2016/679", ("17",)),
        # subdivisions beside the article
        (
            "ES",
            "por la letra c) del art. 27.2 de la LAU,",
            "letra c) del art. 27.2 de la LAU",
            "ES:ley:29/1994",
            ("27",),
        ),
        (
            "EU",
            "el artículo 267 TFUE, apartado 3, obliga",
            "artículo 267 TFUE, apartado 3",
            "EU:TFUE",
            ("267",),
        ),
        # a second name in brackets is a citation of its own
        (
            "BR",
            "o art. 186 do Código Civil (Lei nº 10.406/2002)",
            "art. 186 do Código Civil",
            "BR:CC",
            ("186",),
        ),
        # lists whose articles have subdivisions
        (
            "MX",
            "los artículos 14, fracción II, y 16 de la Constitución Federal",
            "artículos 14, fracción II, y 16 de la Constitución Federal",
            "MX:CPEUM",
            ("14", "16"),
        ),
        (
            "PT",
            "os arts. 5.º, n.º 2, e 615.º, n.º 1, do CPC",
            "arts. 5.º, n.º 2, e 615.º, n.º 1, do CPC",
            "PT:CPC",
            ("5", "615"),
        ),
        ("PT", "artigo 762.º, n.º 2, CC", "artigo 762.º, n.º 2, CC", "PT:CC", ("762",)),
        (
            "CL",
            "el art. 20 N° 2 y N° 3 de la Constitución,",
            "art. 20 N° 2 y N° 3 de la Constitución",
            "CL:CPR",
            ("20",),
        ),
        (
            "FR",
            "les articles L. 1221-1 à L. 1221-5 du code du travail",
            "articles L. 1221-1 à L. 1221-5 du code du travail",
            "FR:Ctrav",
            ("L1221-1-L1221-5",),
        ),
        # points back
        (
            "CO",
            "el art. 64 C.S.T., modificado por el art. 28 de la Ley 789 de 2002, y el art. 66 ibídem",
            "art. 66 ibídem",
            "CO:CST",
            ("66",),
        ),
        (
            "FR",
            "l'article L. 1234-1 du code du travail et l'article L. 1234-5 dudit code",
            "article L. 1234-5 dudit code",
            "FR:Ctrav",
            ("L1234-5",),
        ),
        (
            "MX",
            "el artículo 69-B del Código Fiscal de la Federación y el numeral 67 del mismo ordenamiento",
            "numeral 67 del mismo ordenamiento",
            "MX:CFF",
            ("67",),
        ),
        # laws without a number, conventions, communities
        (
            "MX",
            "según la Ley Federal de Procedimiento Administrativo.",
            "Ley Federal de Procedimiento Administrativo",
            "MX:LFPA",
            (),
        ),
        (
            "ES",
            "el art. 4 del Convenio 158 de la OIT",
            "art. 4 del Convenio 158 de la OIT",
            "INT:OIT:158",
            ("4",),
        ),
        (
            "ES",
            "la Ley 5/2006, de 10 de mayo, del Parlament de Catalunya",
            "Ley 5/2006, de 10 de mayo, del Parlament de Catalunya",
            "ES-CT:ley:5/2006",
            (),
        ),
        ("ES", "el RDL 11/2020, de 31 de marzo", "RDL 11/2020, de 31 de marzo", "ES:rdl:11/2020", ()),
        # acts of the Union
        ("ES", "el art. 16 Dir. 2011/83/UE", "art. 16 Dir. 2011/83/UE", "EU:dir:2011/83", ("16",)),
        (
            "ES",
            "la Directiva (UE) 2019/1023, de 20 de junio",
            "Directiva (UE) 2019/1023, de 20 de junio",
            "EU:dir:2019/1023",
            (),
        ),
        ("ES", "conforme al art. 4 Roma I", "art. 4 Roma I", "EU:reg:2008/593", ("4",)),
        ("ES", "[CELEX 32016R0679]", "CELEX 32016R0679", "EU:reg:2016/679", ()),
        ("IT", "l'art. 18, co. 4, L. 300/1970", "art. 18, co. 4, L. 300/1970", "IT:l:300/1970", ("18",)),
        ("IT", "l'art. 3, c. 2, d.lgs. 23/2015", "art. 3, c. 2, d.lgs. 23/2015", "IT:dlgs:23/2015", ("3",)),
    ],
)
def test_a_norm_is_cited_from_head_to_law(
    country: str, text: str, words: str, norm: str | None, articles: tuple[str, ...]
) -> None:
    found = {(one.text, one.norm, one.articles) for one in extract(text, country)}
    assert (words, norm, articles) in found


@pytest.mark.parametrize(
    ("country", "text", "words", "canonical"),
    [
        (
            "AR",
            "CNAT, Sala III, S.D. 91.223 del 10/05/2011",
            "CNAT, Sala III, S.D. 91.223 del 10/05/2011",
            "AR:CNAT:91.223",
        ),
        ("CL", "el dictamen DT Ord. N° 1.469/27 dice", "dictamen DT Ord. N° 1.469/27", "CL:DT:1469/27"),
        ("CO", "CSJ SC, 14 mar. 2006, exp. 7321", "CSJ SC, 14 mar. 2006, exp. 7321", "CO:CSJ:7321"),
        (
            "CO",
            "SC2218-2021, rad. 11001-31-03-008-2009-00401-01",
            "SC2218-2021, rad. 11001-31-03-008-2009-00401-01",
            "CO:CSJ:SC2218-2021",
        ),
        (
            "DE",
            "BGH NJW 2004, 2299, Az. VIII ZR 124/03",
            "BGH NJW 2004, 2299, Az. VIII ZR 124/03",
            "DE:BGH:VIII ZR 124/03",
        ),
        ("DE", "EuGH, Urt. v. 16.06.2011, C-65/09", "C-65/09", "EU:C-65/09"),
        (
            "FR",
            "CA Paris, ch. soc. B, 4 mars 2022, RG 19/04517",
            "CA Paris, ch. soc. B, 4 mars 2022, RG 19/04517",
            "FR:CA:19/04517",
        ),
        (
            "FR",
            "CE, 3e et 8e ch. réunies, 19 juillet 2017, n° 403928",
            "CE, 3e et 8e ch. réunies, 19 juillet 2017, n° 403928",
            "FR:CE:403928",
        ),
        ("PE", "Cas. Lab. 12475-2014 Moquegua", "Cas. Lab. 12475-2014 Moquegua", "PE:CS:12475-2014-Moquegua"),
        ("PT", "o AUJ n.º 4/2014", "AUJ n.º 4/2014", "PT:STJ:4/2014"),
        ("ES", "la consulta no vinculante 0117-03", "consulta no vinculante 0117-03", "ES:DGT:0117-03"),
        (
            "ES",
            "RTEAC 23-03-2022, R.G. 3156/2019",
            "RTEAC 23-03-2022, R.G. 3156/2019",
            "ES:TEAC:00/03156/2019",
        ),
        ("ES", "la sentencia T-553/23, Latombe/Comisión", "T-553/23", "EU:T-553/23"),
        ("ES", "la SJPI 5 de Gijón 33/2019", "SJPI 5 de Gijón 33/2019", "ES:JPI:Gijon:33/2019"),
        (
            "ES",
            "TEDH, Airey c. Irlanda, 9 de octubre de 1979, n.º 6289/73",
            "Airey c. Irlanda, 9 de octubre de 1979, n.º 6289/73",
            "COE:6289/73",
        ),
    ],
)
def test_a_decision_is_cited_with_court_chamber_date_and_docket(
    country: str, text: str, words: str, canonical: str
) -> None:
    found = {
        (one.text.removeprefix("TEDH, "), form) for one in extract(text, country) for form in one.canonical
    }
    assert (words, canonical) in found


@pytest.mark.parametrize(
    ("country", "text"),
    [
        ("ES", "Rige la LAU. Véase el anexo 1, artículo 5."),
        ("FR", "Le code civil s'applique ; facture n° L. 2025-118."),
        ("FR", "Le code du travail s'applique ; article 7 du règlement intérieur."),
        ("CO", "Rige la Ley 80 de 1993; numeral 3 del pliego."),
    ],
)
def test_what_belongs_to_another_paper_is_no_citation(country: str, text: str) -> None:
    assert not [one for one in extract(text, country) if one.articles]


def test_a_rule_after_a_semicolon_is_not_of_the_article_before() -> None:
    (citation,) = extract("art. 17.7ª LPH; regla 6.ª", "ES")
    assert [part.values for part in citation.divisions[0]] == [("7",)]


def test_a_former_wording_is_told_within_the_citation() -> None:
    (citation,) = extract("l'art. 1382 anc. C. civ.", "FR")
    assert (citation.text, citation.ids["former"]) == ("art. 1382 anc. C. civ.", "anc.")


def test_a_decision_with_its_ecli_in_one_bracket_is_read_with_both() -> None:
    (citation,) = extract(
        "STS, Pleno, núm. 149/2020, de 4 de marzo (rec. 4813/2019; ECLI:ES:TS:2020:600)", "ES"
    )
    assert (citation.ids["decision"], citation.ids["rec"]) == ("149/2020", "4813/2019")
