"""Verdicts of the registry alone, without loaded law, on what careful knowledge settles."""

from datetime import date

from app.citations import extract
from app.corpus import registry, verify

ON = date(2026, 4, 30)
ANSWERS = (
    ("ES", "la ley rider", "ley rider", "verified"),
    ("ES", "el art. 620.2 CP", "art. 620.2 CP", "derogated"),
    ("ES", "el art. 207 de la Ley 23/2014", "art. 207 de la Ley 23/2014", "verified"),
    ("ES", "la Ley 58/2004, General Tributaria", "Ley 58/2004", "mismatch"),
    ("ES", "la Directiva 2014/41/UE", "Directiva 2014/41/UE", "verified"),
    ("FR", "l'art. L. 122-14-4 C. trav.", "art. L. 122-14-4 C. trav.", "derogated"),
    ("FR", "l'art. L. 1222-4 C. trav.", "art. L. 1222-4 C. trav.", "verified"),
    ("CO", "la Ley 1581 del 17 de noviembre de 2012", "Ley 1581 del 17 de noviembre de 2012", "mismatch"),
    ("CO", "la Ley 1581 del 17 de octubre de 2012", "Ley 1581 del 17 de octubre de 2012", "verified"),
    ("DE", "nach §§ 305c–307 BGB", "§§ 305c–307 BGB", "verified"),
    ("DE", "nach § 1162b ABGB", "§ 1162b ABGB", "verified"),
    ("DE", "nach Art. 197 OR", "Art. 197 OR", "verified"),
    ("US", "under U.C.C. § 2-316(2)", "U.C.C. § 2-316(2)", "verified"),
    ("US", "under U.C.C. §§ 2-314 to 2-316", "U.C.C. §§ 2-314 to 2-316", "verified"),
    ("PT", "o art. 29.º do CT", "art. 29.º do CT", "verified"),
    # Earlier laws of a name, by their year.
    ("MX", "la Ley Federal del Trabajo de 1931", "Ley Federal del Trabajo de 1931", "derogated"),
    ("CL", "la Constitución de 1925 decía", "Constitución de 1925", "derogated"),
    ("PT", "o artigo 467.º do CPC de 1961", "artigo 467.º do CPC de 1961", "derogated"),
    ("BR", "o art. 20 do CPC/73", "art. 20 do CPC/73", "derogated"),
    ("ES", "la LAU de 1964 aún rige", "LAU de 1964", "derogated"),
    ("ES", "el art. 85 del TRLSA de 1989", "art. 85 del TRLSA de 1989", "derogated"),
    ("ES", "el art. 17 de la Sexta Directiva", "art. 17 de la Sexta Directiva", "derogated"),
    ("FR", "la loi Quilliot", "loi Quilliot", "derogated"),
    # Another year or number than the law has that is meant.
    ("CO", "la Ley 1480 de 2012", "Ley 1480 de 2012", "mismatch"),
    ("IT", "la legge 20 maggio 1971, n. 300", "legge 20 maggio 1971, n. 300", "mismatch"),
    ("AR", "la ley 24.420 de Defensa del Consumidor", "ley 24.420", "mismatch"),
    ("CL", "la Ley N° 19.496, de 7 de marzo de 1998", "Ley N° 19.496, de 7 de marzo de 1998", "mismatch"),
    ("CL", "la Ley N° 19.496, de 7 de marzo de 1997", "Ley N° 19.496, de 7 de marzo de 1997", "verified"),
    ("DE", "die Richtlinie 93/13/EWG vom 15. April 1993", "Richtlinie 93/13/EWG", "mismatch"),
    ("ES", "la Directiva 93/13/CEE del Consejo, de 5 de abril de 1993", "Directiva 93/13/CEE", "verified"),
    # No year has a legislative decree of that number; a code of eight parts has no ninth.
    ("ES", "el RDL 8/2019", "RDL 8/2019", "verified"),
    ("FR", "l'article L. 9876-1 du code du travail", "article L. 9876-1 du code du travail", "not_found"),
    (
        "ES",
        "la disposición adicional centésima del Estatuto de los Trabajadores",
        "disposición adicional centésima del Estatuto de los Trabajadores",
        "not_found",
    ),
    ("ES", "el art 54 et. o sea ley rider, da 23 et, y ya", "da 23 et", "verified"),
    # The ordinal may stand before its unit.
    ("IT", "l'art. 1341, secondo comma, c.c.", "art. 1341, secondo comma, c.c.", "verified"),
)


def test_an_earlier_law_of_the_name_is_never_verified_by_the_later_one() -> None:
    (found,) = extract("o artigo 10.º do Código do Procedimento Administrativo de 1976", "PT")
    assert verify(found, ON).status == "not_verifiable"


def test_the_registry_answers_what_careful_knowledge_settles() -> None:
    for country, text, span, status in ANSWERS:
        found = {one.text: verify(one, ON).status for one in extract(text, country)}
        assert found.get(span) == status, (text, found)


def test_a_number_that_two_communities_share_stays_ambiguous_without_a_name() -> None:
    (found,) = extract("el art. 3 de la Ley 12/2021", "ES")
    assert verify(found, ON).status == "not_verifiable"


def test_what_further_lists_in_several_files_adds_up() -> None:
    """The Civil Code of California has its first sections in one file, more in another."""
    code = registry.norm("US:code:cal-civ-code")
    assert code
    assert code.has("1940.35") == "yes"
    assert code.has("1788.17") == "yes"


def test_laws_of_a_series_that_runs_on_stand_in_the_order_of_their_years() -> None:
    """A year that is out of turn would call every number beside it wrong."""
    for series, since in (("CO:ley", 1993), ("BR:lei", 1946), ("BR:lc", 1967)):
        before = 0
        for number in range(1, 20_000):
            key, _ = registry.neighbours(series, number, since)
            year = int(key.key.rpartition("/")[2]) if key else 0
            assert year >= before, key
            before = year
