"""Forms of careless writers: lettered articles, numbers without a word, small letters, short years."""

from __future__ import annotations

from datetime import date

import pytest

from app.citations import extract, range_ends
from app.corpus import verify

ON = date(2026, 4, 30)


@pytest.mark.parametrize(
    ("jurisdiction", "text", "cited", "norm", "articles"),
    [
        # Letters that are part of the number, in the procedural laws of Spain alone.
        ("ES", "el art. 588 ter j LECrim, que", "art. 588 ter j LECrim", "ES:LECrim", ("588 ter j",)),
        ("CL", "el art. 152 quáter G CT, que", "art. 152 quáter G CT", "CL:CT", ("152 quater g",)),
        (
            "ES",
            "arts. 588 sexies a y 588 sexies c LECrim",
            None,
            "ES:LECrim",
            ("588 sexies a", "588 sexies c"),
        ),
        ("ES", "arts. 588 bis a) a 588 bis k) LECrim", None, "ES:LECrim", ("588 bis a-588 bis k",)),
        ("ES", "arts. 588 bis a 588 octies LECrim", None, "ES:LECrim", ("588 bis-588 octies",)),
        ("ES", "art. 38 bis a) ET", None, "ES:rdleg:2/2015", ("38 bis",)),
        ("MX", "artículo 1o.-A LIVA", None, "MX:LIVA", ("1A",)),
        ("FR", "CGI, art. 209 B ; puis", "CGI, art. 209 B", "FR:CGI", ("209 B",)),
        ("BR", "art. 927, parágrafo único, CC", None, "BR:CC", ("927",)),
        # Articles without a word for them.
        ("ES", "despido objetivo, 52.c et", "52.c et", "ES:rdleg:2/2015", ("52",)),
        ("ES", "modificación 41.1 et y ya", "41.1 et", "ES:rdleg:2/2015", ("41",)),
        ("ES", "exoneración: 487.1.2º trlc", "487.1.2º trlc", "ES:rdleg:1/2020", ("487",)),
        ("ES", "ver dt 2ª LAU 94", "dt 2ª LAU 94", "ES:ley:29/1994", ("dt2",)),
        ("ES", "el art. 9 LAU 64", "art. 9 LAU 64", "ES:d:4104/1964", ("9",)),
        ("AR", "injuria (LCT, 66)", "LCT, 66", "AR:ley:20744", ("66",)),
        ("MX", "nulidad: 211 del CNPP", "211 del CNPP", "MX:CNPP", ("211",)),
        ("MX", "requisitos: 27, fracción III, LISR", "27, fracción III, LISR", "MX:LISR", ("27",)),
        # Numbers of acts.
        ("ES", "mira la ley 2/23, hombre", "ley 2/23", "ES:ley:2/2023", ()),
        ("DE", "VO (EG) Nr. 261/2004", None, "EU:reg:2004/261", ()),
        ("DE", "RL 93/13/EWG", None, "EU:dir:1993/13", ()),
    ],
)
def test_a_careless_form_is_read(
    jurisdiction: str, text: str, cited: str | None, norm: str, articles: tuple[str, ...]
) -> None:
    one = next(one for one in extract(text, jurisdiction) if one.norm == norm)
    assert (one.text, one.articles) == (cited or text, articles)


@pytest.mark.parametrize(
    ("jurisdiction", "text", "expected"),
    [
        ("CO", "El artículo 422 CGP; medidas, 590 ibídem.", ["422", "590"]),
        ("MX", "Conforme al art. 61 LA; efectos, 63 ibídem.", ["61", "63"]),
        ("ES", "El art. 221.1 LGT; ibídem, 224.2.", ["221", "224"]),
        ("ES", "Custodia: art. 92.8 CC; alimentos, 142 y ss. CC.", ["92", "142"]),
        ("ES", "El art. 31 bis CP; estafa, 248 y 250.1.5.º CP.", ["31 bis", "248", "250"]),
    ],
)
def test_articles_behind_others_are_read(jurisdiction: str, text: str, expected: list[str]) -> None:
    assert [number for one in extract(text, jurisdiction) for number in one.articles] == expected


def test_of_a_list_of_laws_the_one_before_has_the_article() -> None:
    read = [(one.norm, one.articles) for one in extract("RD 39/1997, art. 8, RD 171/2004.", "ES")]
    assert read == [("ES:rd:39/1997", ("8",)), ("ES:rd:171/2004", ())]


@pytest.mark.parametrize(
    ("jurisdiction", "text"),
    [
        ("ES", "una dosis de 2.5 cc, motor de 1600 cc, 36.1 kg y salida a las 12.30 am"),
        ("ES", "el estudio de Pérez 10.2 et al. y el punto 7.5 et cetera"),
        ("ES", "el 3 de la ley 3/20 del juego"),
        ("ES", "la VO 3/2020 y el RL 12/34 del plano"),
        ("ES", "facturas 55, 56; tramo LAU, 20 días"),
        ("ES", "p. 12; ibídem, 47"),
    ],
)
def test_what_only_looks_like_one_is_none(jurisdiction: str, text: str) -> None:
    assert extract(text, jurisdiction) == ()


def test_a_range_may_end_in_a_suffix() -> None:
    assert range_ends("236-241 bis") == ("236", "241 bis")
    (one,) = extract("arts. 236 a 241 bis LSC", "ES")
    assert verify(one, ON).status == "verified"


def test_an_article_with_a_letter_of_its_own_exists() -> None:
    (one,) = extract("arts. 588 ter a) y 588 ter j) LECrim", "ES")
    assert verify(one, ON).status == "verified"


@pytest.mark.parametrize(
    ("jurisdiction", "text", "cited", "norm"),
    [
        ("ES", "la Lei n.º 88/2017, de 21 de agosto,", "Lei n.º 88/2017, de 21 de agosto", "PT:lei:88/2017"),
        ("ES", "la loi n° 89-462 du 6 juillet 1989", "loi n° 89-462 du 6 juillet 1989", "FR:loi:89-462"),
        ("GB", "the d.lgs. n. 231/2001", "d.lgs. n. 231/2001", "IT:dlgs:231/2001"),
        ("ES", "la Ley 19.496 chilena", "Ley 19.496", "CL:ley:19496"),
        ("AR", "la Ley 18.331 de Uruguay", "Ley 18.331", "UY:ley:18331"),
        ("GB", "article 1124 of the Spanish Civil Code", "article 1124 of the Spanish Civil Code", "ES:CC"),
        ("DE", "Art. 336c Abs. 1 lit. b OR", "Art. 336c Abs. 1 lit. b OR", "CH:OR"),
        ("GB", "s 6 of the Unfair Dismissals Act 1977", None, "IE:act:unfair-dismissals-act-1977"),
        ("GB", "s 14 TOLATA 1996", None, "GB:act:trusts-of-land-and-appointment-of-trustees-act-1996"),
        ("GB", "Party Wall etc. Act 1996", None, "GB:act:party-wall-etc-act-1996"),
        ("MX", "la NOM-035-STPS-2018", "NOM-035-STPS-2018", "MX:NOM-035-STPS-2018"),
        ("CO", "el DUR 1072 de 2015", "DUR 1072 de 2015", "CO:decreto:1072/2015"),
        ("BR", "a EC 132/2023", "EC 132/2023", "BR:ec:132/2023"),
        ("IT", "il dm 55/2014", "dm 55/2014", "IT:dm:55/2014"),
        ("UY", "Decreto-Ley 14.219", None, "UY:decreto-ley:14219"),
        ("ES", "el rdl 8/2019", "rdl 8/2019", "ES:rdl:8/2019"),
        (
            "FR",
            "l'art. 6, paragraphe 1, sous f), du RGPD",
            "art. 6, paragraphe 1, sous f), du RGPD",
            "EU:reg:2016/679",
        ),
    ],
)
def test_a_law_of_another_country_or_form_is_read(
    jurisdiction: str, text: str, cited: str | None, norm: str | None
) -> None:
    found = [(one.text, one.norm) for one in extract(text, jurisdiction)]
    assert found == ([(cited or text, norm)] if norm else [])


def test_a_law_that_nobody_knows_takes_no_antecedent() -> None:
    found = extract("el art. 4 ET y el art. 12 Ley de Cosas del Estado", "ES")
    assert [(one.text, one.norm) for one in found] == [
        ("art. 4 ET", "ES:rdleg:2/2015"),
        ("art. 12 Ley de Cosas del Estado", None),
    ]


_PAPER = " El recurrente alega que el acuerdo carece de motivación y pide su anulación." * 6


@pytest.mark.parametrize(
    ("jurisdiction", "heading"),
    [
        ("ES", "AL TRIBUNAL ECONÓMICO-ADMINISTRATIVO REGIONAL DE ARAGÓN\nReclamación n.º 50/00981/2026."),
        ("DE", "An das Landgericht Köln – 5 O 211/26 –\n\nReplik der Klägerin."),
        ("CL", "S.J.L. del Trabajo de Concepción. RIT T-512-2025, RUC 25-4-0678123-1."),
    ],
)
def test_the_number_of_the_own_case_is_no_citation(jurisdiction: str, heading: str) -> None:
    assert extract(heading + _PAPER, jurisdiction) == ()
    # Alone it is a reference, and behind a sentence a decision.
    assert len(extract(heading, jurisdiction)) == 1
    assert len(extract(f"Según el criterio del {heading}" + _PAPER, jurisdiction)) == 1


def test_the_lease_of_a_french_paper_is_no_code() -> None:
    text = "Vu l'article 1103 du code civil.\nII. Sur les clauses. L'article 9 du bail oblige le preneur"
    assert [one.articles for one in extract(text, "FR")] == [("1103",)]


@pytest.mark.parametrize(
    ("jurisdiction", "text", "expected"),
    [
        (
            "ES",
            "un delito del art. 390.1 en relación con el 392 CP",
            [("ES:lo:10/1995", ("390",)), ("ES:lo:10/1995", ("392",))],
        ),
        ("ES", "Pactos: 1255 C.c.", [("ES:CC", ("1255",))]),
        ("ES", "art. 80 LRJS; ídem, 191.2.g)", [("ES:ley:36/2011", ("80",)), ("ES:ley:36/2011", ("191",))]),
        ("CO", "literal b) del art. 4 de la Ley 1581", [("CO:ley:1581/2012", ("4",))]),
        ("CO", "la Dcto. 1377/13", [("CO:decreto:1377/2013", ())]),
        ("FR", "l'article 1134 ancien du code civil", [("FR:Cciv", ("1134",))]),
        ("FR", "L. n° 75-1334, 31 déc. 1975, art. 3", [("FR:loi:75-1334", ("3",))]),
    ],
)
def test_a_law_closes_what_stands_before_it(
    jurisdiction: str, text: str, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert [(one.norm, one.articles) for one in extract(text, jurisdiction)] == expected


def test_a_former_article_is_told_as_former() -> None:
    (one,) = extract("l'article 1134 ancien du code civil", "FR")
    assert verify(one, ON).status == "derogated"


@pytest.mark.parametrize(
    ("text", "norm", "articles", "pinpoint"),
    [
        ("Sch 1 para 5 EqA 2010", "GB:act:equality-act-2010", ("sch1",), "5"),
        (
            "Schedule B1, para 12 of the Insolvency Act 1986",
            "GB:act:insolvency-act-1986",
            ("schB1",),
            "12",
        ),
        ("Part 36 of the Civil Procedure Rules", "GB:CPR", ("36",), None),
        ("rule 3.4(2)(a) of the Civil Procedure Rules 1998", "GB:CPR", ("3.4",), "2.a"),
    ],
)
def test_schedules_and_rules_stand_first(
    text: str, norm: str, articles: tuple[str, ...], pinpoint: str | None
) -> None:
    (one,) = extract(f"see {text}, and", "GB")
    assert (one.text, one.norm, one.articles, one.pinpoint) == (text, norm, articles, pinpoint)


def test_a_schedule_of_a_lease_is_none() -> None:
    assert extract("see Schedule 2 paragraph 3 of this lease and Part 36 of the building", "GB") == ()


def test_a_letter_in_capitals_is_part_of_the_number_in_the_labour_code_of_chile() -> None:
    (one,) = extract("procede el art. 152 quáter L CT", "CL")
    assert (one.norm, one.articles) == ("CL:CT", ("152 quater l",))


@pytest.mark.parametrize(
    ("jurisdiction", "text", "norms"),
    [
        (
            "US",
            "Plaintiff sues under the FLSA and FMLA.",
            ["US:act:fair-labor-standards-act-of-1938", "US:act:family-and-medical-leave-act-of-1993"],
        ),
        ("CL", "Se rige por el Código de Aguas; no por el Código Civil.", ["CL:dfl:1122/1981"]),
        ("FR", "Le code général de la fonction publique s'applique.", ["FR:CGFP"]),
        (
            "GB",
            "RIDDOR 2013 is in point.",
            ["GB:act:reporting-of-injuries-diseases-and-dangerous-occurrences-regulations-2013"],
        ),
    ],
)
def test_a_special_law_named_for_itself_is_cited_once(jurisdiction: str, text: str, norms: list[str]) -> None:
    assert [one.norm for one in extract(text, jurisdiction)] == norms
