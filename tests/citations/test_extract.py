"""What is cited and where: `app.citations.extract`."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.citations import Citation, extract, norm_names
from tests.growth import assert_linear

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def only(text: str, jurisdiction: str = "ES") -> Citation:
    found = extract(text, jurisdiction)
    assert len(found) == 1, [citation.text for citation in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "cited", "canonical"),
    [
        ("Según el art. 1.124 CC, cabe resolver.", "art. 1.124 CC", ("ES:CC:art1124",)),
        (
            "los arts. 14, 15 y 24.1 CE",
            "arts. 14, 15 y 24.1 CE",
            ("ES:CE:art14", "ES:CE:art15", "ES:CE:art24.1"),
        ),
        ("el artículo 24 de la Constitución.", "artículo 24 de la Constitución", ("ES:CE:art24",)),
        ("ARTÍCULO 36 DE LA LAU", "ARTÍCULO 36 DE LA LAU", ("ES:ley:29/1994:art36",)),
        ("(art.36 LAU)", "art.36 LAU", ("ES:ley:29/1994:art36",)),
        ("art. 348 bis LSC", "art. 348 bis LSC", ("ES:rdleg:1/2010:art348bis",)),
        ("arts. 1101 y ss. C.C.", "arts. 1101 y ss. C.C.", ("ES:CC:art1101",)),
        ("arts. 82-91 TRLGDCU", "arts. 82-91 TRLGDCU", ("ES:rdleg:1/2007:art82-91",)),
        ("D.A. 3ª LEC", "D.A. 3ª LEC", ("ES:ley:1/2000:da3",)),
        ("disp. adic. 3.ª LAU", "disp. adic. 3.ª LAU", ("ES:ley:29/1994:da3",)),
        ("artículo décimo de la L.E.C.", "artículo décimo de la L.E.C.", ("ES:ley:1/2000:art10",)),
        (
            "el art. 9, apartado 1, letra e), de la LPH",
            "art. 9, apartado 1, letra e), de la LPH",
            ("ES:ley:49/1960:art9.1.e",),
        ),
        ("Article 6(1)(f) GDPR applies", "Article 6(1)(f) GDPR", ("EU:reg:2016/679:art6.1.f",)),
        (
            "Article 1902 of the Spanish Civil Code",
            "Article 1902 of the Spanish Civil Code",
            ("ES:CC:art1902",),
        ),
        (
            "artículo 1545 del Código Civil chileno",
            "artículo 1545 del Código Civil chileno",
            ("CL:CC:art1545",),
        ),
        (
            "la Ley Orgánica 10/1995, de 23 de noviembre, rige",
            "Ley Orgánica 10/1995, de 23 de noviembre",
            ("ES:lo:10/1995",),
        ),
        ("RD-ley 8/2020", "RD-ley 8/2020", ("ES:rdl:8/2020",)),
        (
            "Royal Legislative Decree 2/2015, of 23 October",
            "Royal Legislative Decree 2/2015, of 23 October",
            ("ES:rdleg:2/2015",),
        ),
        (
            "Leyes 39/2015 y 40/2015, de 1 de octubre",
            "Leyes 39/2015 y 40/2015, de 1 de octubre",
            ("ES:ley:39/2015", "ES:ley:40/2015"),
        ),
        ("la Ley 30/92", "Ley 30/92", ("ES:ley:30/1992",)),
        ("Ley de 23 de julio de 1908", "Ley de 23 de julio de 1908", ("ES:LRU",)),
        ("Directiva 93/13/CEE del Consejo", "Directiva 93/13/CEE", ("EU:dir:1993/13",)),
        ("Regulation (EC) No 593/2008", "Regulation (EC) No 593/2008", ("EU:reg:2008/593",)),
    ],
)
def test_a_norm_is_found_with_its_exact_words(text: str, cited: str, canonical: tuple[str, ...]) -> None:
    citation = only(text)
    assert (citation.text, citation.canonical, citation.kind) == (cited, canonical, "L4-N")


@pytest.mark.parametrize(
    ("text", "cited", "canonical"),
    [
        (
            "STS, Sala 1.ª, núm. 241/2013, de 9 de mayo (rec. 485/2012).",
            "STS, Sala 1.ª, núm. 241/2013, de 9 de mayo (rec. 485/2012)",
            ("ES:TS:1:241/2013",),
        ),
        ("las SSTS 12/2020 y 15/2021", "SSTS 12/2020 y 15/2021", ("ES:TS:12/2020", "ES:TS:15/2021")),
        ("STC 31/2010, de 28 de junio, FJ 4", "STC 31/2010, de 28 de junio, FJ 4", ("ES:TC:31/2010",)),
        (
            "AAP Barcelona, Sección 15.ª, núm. 12/2019, de 3 de mayo",
            "AAP Barcelona, Sección 15.ª, núm. 12/2019, de 3 de mayo",
            ("ES:AP:Barcelona:15:A12/2019",),
        ),
        (
            "la sentencia 241/2013, de 9 de mayo, del Tribunal Supremo, dijo",
            "sentencia 241/2013, de 9 de mayo, del Tribunal Supremo",
            ("ES:TS:241/2013",),
        ),
        (
            "Supreme Court judgment no. 241/2013, of 9 May",
            "Supreme Court judgment no. 241/2013, of 9 May",
            ("ES:TS:241/2013",),
        ),
        ("ECLI: ES:TC:2010:31", "ECLI: ES:TC:2010:31", ("ES:TC:31/2010",)),
        ("asunto C‑415/11", "C‑415/11", ("EU:C-415/11",)),
        (
            "RG 00/01234/2020 y 00/05678/2020",
            "RG 00/01234/2020 y 00/05678/2020",
            ("ES:TEAC:00/01234/2020", "ES:TEAC:00/05678/2020"),
        ),
    ],
)
def test_a_decision_is_found_with_its_exact_words(text: str, cited: str, canonical: tuple[str, ...]) -> None:
    citation = only(text)
    assert (citation.text, citation.canonical, citation.kind) == (cited, canonical, "L2-J")


@pytest.mark.parametrize(
    ("jurisdiction", "text", "canonical"),
    [
        ("CO", "la Sentencia C-355 de 2006", "CO:CC:C-355/06"),
        ("CO", "el artículo 29 de la Constitución Política", "CO:CPol:art29"),
        ("CO", "Decreto 2591 de 1991", "CO:decreto:2591/1991"),
        ("CL", "artículo 2314 del Código Civil", "CL:CC:art2314"),
        ("CL", "Ley N° 19.496", "CL:ley:19496"),
        ("MX", "art. 123, apartado A, fracción XXII, de la CPEUM", "MX:CPEUM:art123.a.xxii"),
        ("MX", "Registro digital: 2006224", "MX:SCJN:2006224"),
        ("AR", "art. 1710 CCyC", "AR:CCyC:art1710"),
        ("AR", "Fallos 315:1492", "AR:CSJN:Fallos:315:1492"),
        ("PE", "Exp. N° 01234-2019-PHC/TC", "PE:TC:01234-2019-PHC"),
        ("PT", "artigo 483.º do Código Civil", "PT:CC:art483"),
        ("FR", "article L. 121-1 du code de la consommation", "FR:Cconso:artL121-1"),
        ("IT", "art. 360 c.p.c.", "IT:CPC:art360"),
        ("DE", "§ 823 Abs. 1 BGB", "DE:BGB:823.1"),
        ("GB", "section 21 of the Housing Act 1988", "GB:act:housing-act-1988:s21"),
        ("GB", "[2015] EWCA Civ 123", "GB:[2015]EWCACiv123"),
        ("US", "42 U.S.C. § 1983", "US:usc:42:1983"),
    ],
)
def test_other_jurisdictions_are_read_as_their_lawyers_write(
    jurisdiction: str, text: str, canonical: str
) -> None:
    citation = only(text, jurisdiction)
    assert citation.canonical == (canonical,)
    assert citation.jurisdiction == jurisdiction


def test_a_law_left_out_is_the_one_named_last_before_it() -> None:
    text = (
        "La Ley 39/2015, de 1 de octubre, lo exige: su artículo 21 y el artículo 24.1 de la citada Ley. "
        "Según la LEC, el artículo 394."
    )
    assert [citation.canonical for citation in extract(text)] == [
        ("ES:ley:39/2015",),
        ("ES:ley:39/2015:art21",),
        ("ES:ley:39/2015:art24.1",),
        ("ES:ley:1/2000:art394",),
    ]


def test_articles_of_a_contract_are_not_articles_of_the_law_before_it() -> None:
    assert (
        extract(
            "La LEC no lo prevé. El artículo 12 del presente contrato y el artículo 5 de los "
            "Estatutos sociales."
        )
        == ()
    )


def test_a_singular_head_takes_further_numbers_as_paragraphs_and_a_plural_one_as_articles() -> None:
    assert only("art. 217.2 y 3 LEC").canonical == ("ES:ley:1/2000:art217.2,3",)
    assert only("arts. 9.1.e) y 21 LPH").canonical == ("ES:ley:49/1960:art9.1.e", "ES:ley:49/1960:art21")


def test_a_second_list_under_one_head_is_a_citation_of_its_own() -> None:
    assert [citation.text for citation in extract("arts. 1101 y 1124 CC y 394 LEC")] == [
        "arts. 1101 y 1124 CC",
        "394 LEC",
    ]


def test_a_law_named_once_closes_the_lists_coupled_before_it() -> None:
    found = extract("El Código Penal. Artículo 5 y disposición adicional segunda de la LAU")
    assert [citation.canonical for citation in found] == [("ES:ley:29/1994:art5",), ("ES:ley:29/1994:da2",)]


def test_numbers_too_high_for_a_paragraph_are_articles() -> None:
    articles = only("Art. 85.6, 87 y 89 TRLGDCU").articles
    assert articles == ("85", "87", "89")


def test_numbers_in_words_are_read() -> None:
    assert only("artículo mil novecientos dos del Código Civil").articles == ("1902",)


def test_a_decision_with_its_ecli_is_one_citation() -> None:
    citation = only("STS 149/2020, de 4 de marzo (ECLI:ES:TS:2020:600)")
    assert (citation.text, citation.canonical) == ("ECLI:ES:TS:2020:600", ("ES:TS:149/2020",))
    assert citation.ids["decision"] == "149/2020"


def test_a_malformed_ecli_is_found_and_has_no_normal_form() -> None:
    citation = only("ECLI:ES:TS:20:99")
    assert citation.canonical == ()
    assert "ecli" not in citation.ids


def test_rdl_is_not_guessed() -> None:
    assert only("RDL 2/2015").canonical == ()


@pytest.mark.parametrize(
    "text",
    [
        "El expediente 123/2020 quedó archivado.",
        "Vivienda sita en calle Ley 5, 3.º B.",
        "Contrato C-131/12 del lote 3.",
        "El plazo es de 15 días; la cuota, 3/4 partes.",
        "La T-34/85 rusa y el modelo V0123-20.",
        "La ley 3 de Newton, artículo de prensa 24 horas.",
        "El marcado CE y el CP 28001, sin más.",
    ],
)
def test_what_only_looks_like_a_citation_is_left_alone(text: str) -> None:
    assert extract(text) == ()


def test_offsets_are_those_of_the_text_as_sent_even_with_decomposed_accents() -> None:
    text = "Segu\u0301n el arti\u0301culo 1902 del Co\u0301digo Civil, s\u00ed."
    citation = only(text)
    assert (
        citation.text == text[citation.start : citation.end] == "arti\u0301culo 1902 del Co\u0301digo Civil"
    )


def test_names_lead_to_one_norm_each() -> None:
    for entry in norm_names():
        country = entry.jurisdiction.split("-")[0]
        if country not in ("ES", "CO", "EU") or not entry.names:
            continue
        citation = only(f"artículo 3 de la {entry.names[0]}", country)
        assert citation.norm == entry.norm


ALPHABET = st.sampled_from(
    [*"art. 12/0ª§ºCEyde,;()-\n ", "LEC ", "STS 1/2020", "Ley 3/2004", "ECLI:ES:", "artículo "]
)


@settings(max_examples=150)
@given(st.lists(ALPHABET | st.text(max_size=4), max_size=60).map("".join))
def test_citations_are_exact_slices_in_order_and_apart(text: str) -> None:
    last = 0
    for citation in extract(text):
        assert last <= citation.start < citation.end <= len(text)
        assert text[citation.start : citation.end] == citation.text
        last = citation.end


@pytest.mark.parametrize(
    "worst",
    [
        "1",
        "arts. 1, 2 y ",
        "1, ",
        "ECLI:a:",
        "CC art. 5 ",
        "STS 1/2020 y ",
        "a\u0301\u0301",
        "(",
        "uno y ",
        "Ley de la ",
    ],
)
def test_hostile_text_takes_linear_time(worst: str) -> None:
    assert_linear(extract, worst, short=10_000, long=50_000)


@pytest.mark.skipif(
    not (DATA / "citations_dev.json").exists(), reason="needs ../shared/data/citations_dev.json"
)
def test_labelled_citations_are_found_exactly() -> None:
    found = wrong = missed = 0
    for case in json.loads((DATA / "citations_dev.json").read_text(encoding="utf-8")):
        labelled = {(label["start"], label["end"]) for label in case["citations"]}
        spans = {(citation.start, citation.end) for citation in extract(case["text"], case["jurisdiction"])}
        found, wrong, missed = (
            found + len(spans & labelled),
            wrong + len(spans - labelled),
            missed + len(labelled - spans),
        )
    assert found / (found + wrong) >= 0.95
    assert found / (found + missed) >= 0.95
