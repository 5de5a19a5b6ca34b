"""Verdicts of the registry alone, without loaded law, on what careful knowledge settles."""

from datetime import date

from app.citations import extract
from app.corpus import verify

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
)


def test_the_registry_answers_what_careful_knowledge_settles() -> None:
    for country, text, span, status in ANSWERS:
        found = {one.text: verify(one, ON).status for one in extract(text, country)}
        assert found.get(span) == status, (text, found)


def test_a_number_that_two_communities_share_stays_ambiguous_without_a_name() -> None:
    (found,) = extract("el art. 3 de la Ley 12/2021", "ES")
    assert verify(found, ON).status == "not_verifiable"
