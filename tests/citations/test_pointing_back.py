"""What a text points back to, and citations of a form that stands behind another: of the right law each."""

from datetime import date

import pytest

from app.citations import Citation, extract
from app.corpus import verify

ON = date(2026, 4, 30)


def found(text: str, jurisdiction: str, cited: str) -> Citation:
    citations = {one.text: one for one in extract(text, jurisdiction)}
    assert cited in citations, sorted(citations)
    return citations[cited]


READ = (
    # A code without a number is no "Ley", and what follows is of the law that the text came back to.
    ("AR", "La Ley 19.550 y el art. 1031 CCyC. Art. 94 bis de la citada ley.", "Art. 94 bis de la citada ley",
     "AR:ley:19550", ("94 bis",)),
    ("AR", "La Ley 20.744 y el art. 959 CCyC; art. 17 bis de dicha ley y el art. 103 bis.",
     "art. 103 bis", "AR:ley:20744", ("103 bis",)),
    ("CL", "La Ley 19.496 y el art. 1546 del Código Civil; art. 3 bis de la citada ley.",
     "art. 3 bis de la citada ley", "CL:ley:19496", ("3 bis",)),
    # A recast text.
    ("PE", "El TUO del Decreto Legislativo N.° 728 y la Constitución; artículo 34 del citado TUO.",
     "artículo 34 del citado TUO", "PE:dleg:728", ("34",)),
    ("PE", "El TUO de la Ley N.° 27584 y el artículo 139 de la Constitución; artículo 19 del TUO.",
     "artículo 19 del TUO", "PE:ley:27584", ("19",)),
    ("PE", "El Texto Único Ordenado de la Ley N.° 27444. El artículo 11 del referido Texto Único Ordenado.",
     "artículo 11 del referido Texto Único Ordenado", "PE:ley:27444", ("11",)),
    ("IT", "L'art. 117 del testo unico bancario; l'art. 1418 c.c.; l'art. 119 del medesimo testo unico.",
     "art. 119 del medesimo testo unico", "IT:TUB", ("119",)),
    # American sections.
    ("US", "Cal. Lab. Code § 201 says so; section 203 of the same code adds a penalty.",
     "section 203 of the same code", "US:code:cal-lab-code", ("203",)),
    ("US", "Under 15 U.S.C. § 1692e. A letter is a communication (§ 1692a(2)).", "§ 1692a(2)", "US:usc:15",
     ("1692a",)),
    ("US", "42 U.S.C. § 1981 protects contracts; fees under § 1988(b).", "§ 1988(b)", "US:usc:42", ("1988",)),
    # German paragraphs in English.
    ("EU", "The court applied § 826(2) BGB.", "§ 826(2) BGB", "DE:BGB", ("826",)),
    ("EU", "The court applied section 138(2) BGB.", "section 138(2) BGB", "DE:BGB", ("138",)),
    ("GB", "It relied on § 1 para. 2 UWG.", "§ 1 para. 2 UWG", "DE:UWG", ("1",)),
    # The first of a month.
    ("IT", "art. 7 del d.lgs. 1° settembre 2011, n. 150", "art. 7 del d.lgs. 1° settembre 2011, n. 150",
     "IT:dlgs:150/2011", ("7",)),
    # Titles in haste.
    ("ES", "art. 52 de la Ley de Bases de Régimen Local", "art. 52 de la Ley de Bases de Régimen Local",
     "ES:ley:7/1985", ("52",)),
    ("ES", "art. 18 de la Ley de Contratos de Sector Público",
     "art. 18 de la Ley de Contratos de Sector Público",
     "ES:ley:9/2017", ("18",)),
    ("ES", "art. 4 de la Ley del Ruido", "art. 4 de la Ley del Ruido", "ES:ley:37/2003", ("4",)),
)  # fmt: skip


@pytest.mark.parametrize(("jurisdiction", "text", "cited", "norm", "articles"), READ)
def test_a_place_is_read_of_the_law_meant(
    jurisdiction: str, text: str, cited: str, norm: str, articles: tuple[str, ...]
) -> None:
    one = found(text, jurisdiction, cited)
    assert (one.norm, one.articles) == (norm, articles)
    assert verify(one, ON).status == "verified"


@pytest.mark.parametrize(
    ("jurisdiction", "text", "unheard"),
    [
        ("US", "15 U.S.C. § 1116(a). Agreement § 1118 is silent.", "§ 1118"),
        ("US", "15 U.S.C. § 1116(a). Section 1120 of the Agreement is silent.", "Section 1120"),
        ("US", "15 U.S.C. § 1116(a). The box is § 4.", "§ 4"),
        ("PE", "La Ley N.° 28237.\nArtículo 3.- Dar por agotada la vía.", "Artículo 3"),
        ("PE", "Resolución N.° 0000003219-2026-ONP/DPR.GD/DL 18846, que niega.", "DL 18846"),
        ("IT", "Il d.lgs. 28/2010; art. 5 delle condizioni generali", "art. 5"),
    ],
)
def test_what_is_of_another_paper_is_not_heard(jurisdiction: str, text: str, unheard: str) -> None:
    assert unheard not in [one.text for one in extract(text, jurisdiction)]


def test_a_number_and_its_ecli_in_brackets_are_one_citation() -> None:
    text = "la Consulta, sentenza n. 10/2015 (ECLI:IT:COST:2015:10)"
    one = found(text, "IT", "sentenza n. 10/2015 (ECLI:IT:COST:2015:10)")
    assert one.ids["decision"] == "10/2015"
    assert [one.text for one in extract("sentenza n. 11/2015 (ECLI:IT:COST:2015:10)", "IT")][-1].startswith(
        "ECLI"
    )


def test_an_article_with_a_suffix_may_be_of_the_law_before() -> None:
    """Where the code named last is not known to have "10 bis", and the law before it is."""
    text = "El proveedor, Ley 24.240, y el deber general, art. 1092 CCyC, dan las opciones del art. 10 bis."
    assert verify(found(text, "AR", "art. 10 bis"), ON).status == "verified"


@pytest.mark.parametrize("number", ["183-bis", "366-bis", "702-bis", "709-ter"])
def test_repealed_articles_of_the_italian_code_are_told(number: str) -> None:
    cited = f"art. {number} c.p.c."
    assert verify(found(cited, "IT", cited), ON).status == "derogated"


@pytest.mark.parametrize(
    ("jurisdiction", "cited"),
    [
        ("IT", "art. 1, comma 48, legge 228/2012"),
        ("IT", "art. 128-bis del d.lgs. 385/1993"),
        ("US", "16 C.F.R. § 255.5"),
        ("US", "12 C.F.R. § 1005.33"),
        ("US", "Cal. Code Civ. Proc. § 2034.260"),
        ("PE", "artículo 20 del Decreto Supremo 003-98-SA"),
        ("ES", "disposición final séptima de la Ley 19/2015, de 13 de julio"),
    ],
)
def test_articles_that_exist_are_confirmed(jurisdiction: str, cited: str) -> None:
    assert verify(found(cited, jurisdiction, cited), ON).status == "verified"
