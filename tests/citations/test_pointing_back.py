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
    ("US", "42 U.S.C. § 1981 protects contracts.\n\nE. Section 1983. It has no period.", "Section 1983",
     "US:usc:42", ("1983",)),
    ("US", "Fed. R. Civ. P. 8(c)(1). It may go on a motion under Rule 12(b)(6) only.", "Rule 12(b)(6)",
     "US:frcp", ("12",)),
    # German paragraphs in English.
    ("EU", "The court applied § 826(2) BGB.", "§ 826(2) BGB", "DE:BGB", ("826",)),
    ("EU", "The court applied section 138(2) BGB.", "section 138(2) BGB", "DE:BGB", ("138",)),
    ("GB", "It relied on § 1 para. 2 UWG.", "§ 1 para. 2 UWG", "DE:UWG", ("1",)),
    # The first of a month.
    ("IT", "art. 7 del d.lgs. 1° settembre 2011, n. 150", "art. 7 del d.lgs. 1° settembre 2011, n. 150",
     "IT:dlgs:150/2011", ("7",)),
    # A law named whole, for being gone or for what it changed, is not the one of which the text speaks.
    ("CL", "Art. 26 de la Ley N° 19.496. La Ley N° 18.223 fue reemplazada en 1997. Elige, art. 50 A, y más.",
     "art. 50 A", "CL:ley:19496", ("50A",)),
    ("CL", "Art. 20 de la Ley N° 19.496. El plazo, según lo dejó la Ley N° 21.398, corrió; el artículo 12 A "
     "exige acceso.", "artículo 12 A", "CL:ley:19496", ("12A",)),
    ("UY", "Art. 1 de la Ley N° 18.331. Invoca la Ley N° 17.838, que dejó de regir por el artículo 48 "
     "de la ley vigente, y más.", "artículo 48 de la ley vigente", "UY:ley:18331", ("48",)),
    # A paragraph without a word for it, of the law of which its article was cited, or right behind another.
    ("ES", "Según el art. 17.1.b) LOE y el art. 1591 CC, entra en la garantía del 17.1.a). Sigue.", "17.1.a)",
     "ES:ley:38/1999", ("17",)),
    ("ES", "El plazo del art. 150.1.a) LGT y el art. 24 CE. No se interrumpió la de 2020, 150.6.a), y cae.",
     "150.6.a)", "ES:ley:58/2003", ("150",)),
    ("ES", "Los arts. 95 a 104 TRLPI y el art. 10 LCD. Los derechos son del empresario, 97.4. Sigue.", "97.4",
     "ES:rdleg:1/1996", ("97",)),
    ("ES", "Reposición (art. 222 LGT) o reclamación en un mes, 235.1. Sigue.", "235.1", "ES:ley:58/2003",
     ("235",)),
    # Titles in haste.
    ("ES", "reducción del art. 188.1.a) de la General Tributaria", "art. 188.1.a) de la General Tributaria",
     "ES:ley:58/2003", ("188",)),
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
        ("US", "Fed. R. Civ. P. 8(c)(1) and Local Rule 7(b).", "Rule 7(b)"),
        ("US", "Fed. R. Civ. P. 8(c)(1) and Fed. R. Evid. 403. Under Rule 12(b)(6).", "Rule 12(b)(6)"),
        ("ES", "El art. 24 CE. Nos vemos el 24.1, a las diez.", "24.1"),
        ("ES", "El art. 36 LAU. Sube al nivel, 36.1 %, y baja.", "36.1"),
        ("ES", "El art. 36 LAU. La cláusula 35 y, por ende, 36.1, no rigen.", "36.1"),
        ("ES", "El art. 36 LAU. El coste es, 36.15, menor.", "36.15"),
        ("MX", "El artículo 36 de la LFT. El valor sube, 36.1, y baja.", "36.1"),
        ("ES", "La Ley 29/1994 rige. El valor sube, 236.1, y baja.", "236.1"),
        ("CL", "La Ley N° 19.496. El artículo 12 A efectos de prueba.", "artículo 12 A"),
        (
            "ES",
            "La STJUE de 18 de diciembre de 2019, C-666/18." + " Sigue." * 40 + " Va el lote C-12/20.",
            "C-12/20",
        ),
        ("PE", "La Ley N.° 28237.\nArtículo 3.- Dar por agotada la vía.", "Artículo 3"),
        ("PE", "Resolución N.° 0000003219-2026-ONP/DPR.GD/DL 18846, que niega.", "DL 18846"),
        ("IT", "Il d.lgs. 28/2010; art. 5 delle condizioni generali", "art. 5"),
    ],
)
def test_what_is_of_another_paper_is_not_heard(jurisdiction: str, text: str, unheard: str) -> None:
    assert unheard not in [one.text for one in extract(text, jurisdiction)]


def test_a_conjunction_behind_a_letter_is_no_further_letter() -> None:
    (one,) = extract("El art. 150.6.a), y cae, de la LGT; art. 150.6.a) LGT, y ya.", "ES")[-1:]
    assert one.pinpoint == "6.a"
    assert found("La LGT y su art. 150.6.a), y cae.", "ES", "art. 150.6.a)").pinpoint == "6.a"


def test_a_law_that_is_gone_is_the_antecedent_where_no_other_is_named() -> None:
    text = "La Ley N° 18.223, derogada, lo decía en su art. 3."
    assert found(text, "CL", "art. 3").norm == "CL:ley:18223"


def test_a_case_of_the_court_stands_alone_behind_another() -> None:
    text = "La STJUE de 18 de diciembre de 2019, C-666/18." + " Sigue." * 40 + " No la de crearlos: {}."
    assert found(text.format("C-203/02"), "ES", "C-203/02").canonical == ("EU:C-203/02",)
    alone = text.replace("La STJUE de 18 de diciembre de 2019, C-666/18.", "").format("C-203/02")
    assert not extract(alone, "ES")


@pytest.mark.parametrize(
    ("text", "form", "status"),
    [
        ("the reference to the IPPC Directive, 2008/1/EC, is out of date", "EU:dir:2008/1", "derogated"),
        ("Article 27 of the EIA Directive", "EU:dir:2011/92:art27", "not_found"),
    ],
)
def test_a_directive_named_by_its_subject_is_known(text: str, form: str, status: str) -> None:
    (one,) = extract(text, "EU")
    assert (one.canonical, verify(one, ON).status) == ((form,), status)


def test_a_number_behind_a_comma_is_no_directive() -> None:
    assert not extract("según esta Directiva, 12/2003 fue un año malo", "ES")


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
