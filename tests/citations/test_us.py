"""Citations of American law: `app.citations.extract` for documents of the United States and elsewhere."""

import logging
from datetime import date

import pytest

from app.citations import Citation, extract
from app.corpus import verify

ON = date(2026, 4, 30)


def found(text: str, jurisdiction: str = "US") -> list[tuple[str, tuple[str, ...]]]:
    citations = extract(text, jurisdiction)
    assert all(text[one.start : one.end] == one.text for one in citations)
    return [(one.text, one.canonical) for one in citations]


def only(text: str, jurisdiction: str = "US") -> Citation:
    citations = extract(text, jurisdiction)
    assert len(citations) == 1, [one.text for one in citations]
    return citations[0]


@pytest.mark.parametrize(
    ("text", "cited", "canonical"),
    [
        ("Brown v. Board of Education, 347 U.S. 483 (1954)", "347 U.S. 483", "US:347 U.S. 483"),
        ("Roe, 410 U. S. 113 (1973)", "410 U. S. 113", "US:410 U.S. 113"),
        ("Smith v. Jones, 123 F.3d 456, 460 (9th Cir. 1997)", "123 F.3d 456", "US:123 F.3d 456"),
        ("98 S. Ct. 2733", "98 S. Ct. 2733", "US:98 S. Ct. 2733"),
        ("see 12 Cal. App. 4th 200", "12 Cal. App. 4th 200", "US:12 Cal. App. 4th 200"),
        ("at 2020 WL 1234567 (S.D.N.Y. 2020)", "2020 WL 1234567", "US:2020 WL 1234567"),
        ("under 42 U.S.C. § 1983", "42 U.S.C. § 1983", "US:usc:42:1983"),
        ("under 15 U.S.C. § 1.", "15 U.S.C. § 1", "US:usc:15:1"),
        (
            "pursuant to 42 U.S.C. § 2000e-5(f)(1)",
            "42 U.S.C. § 2000e-5(f)(1)",
            "US:usc:42:2000e-5.f.1",
        ),
        ("Rule 10b-5, 17 C.F.R. § 240.10b-5", "17 C.F.R. § 240.10b-5", "US:cfr:17:240.10b-5"),
        ("29 CFR Part 541", "29 CFR Part 541", "US:cfr:29:541"),
        (
            "Section 362(a) of Title 11 of the United States Code",
            "Section 362(a) of Title 11 of the United States Code",
            "US:usc:11:362.a",
        ),
        ("Cal. Civ. Code § 1714(a)", "Cal. Civ. Code § 1714(a)", "US:code:cal-civ-code:1714.a"),
        (
            "N.Y. Gen. Bus. Law § 349",
            "N.Y. Gen. Bus. Law § 349",
            "US:code:n-y-gen-bus-law:349",
        ),
        (
            "U.S. Const. amend. XIV, § 1",
            "U.S. Const. amend. XIV, § 1",
            "US:Const:am14.1",
        ),
    ],
)
def test_an_american_citation_is_found_with_its_exact_words(text: str, cited: str, canonical: str) -> None:
    assert found(text) == [(cited, (canonical,))]


def test_short_forms_are_the_decision_they_stand_for() -> None:
    text = (
        "Brown, 347 U.S. 483, 495 (1954), and Miranda, 384 U.S. 436 (1966). Id. at 444. "
        "Again 347 U.S., at 490; and 512 U.S. at 12."
    )
    assert found(text) == [
        ("347 U.S. 483", ("US:347 U.S. 483",)),
        ("384 U.S. 436", ("US:384 U.S. 436",)),
        ("Id. at 444", ("US:384 U.S. 436",)),
        ("347 U.S., at 490", ("US:347 U.S. 483",)),
        ("512 U.S. at 12", ()),
    ]
    assert [one.pinpoint for one in extract(text, "US")] == ["495", None, "444", "490", "12"]


def test_parallel_reporters_share_the_year_and_a_neighbour_keeps_its_own() -> None:
    text = "531 U.S. 98, 121 S. Ct. 525, 148 L. Ed. 2d 388 (2000); 98 S. Ct. 2733. Later, 1 F.2d 3 (1924)"
    assert [one.ids.get("year") for one in extract(text, "US")] == ["2000", "2000", "2000", None, "1924"]


def test_a_list_of_sections_is_one_citation_and_the_next_title_another() -> None:
    assert found("15 U.S.C. § 1 and 42 U.S.C. §§ 1981, 1983 and 1985; 28 U.S.C. §§ 2201-2202") == [
        ("15 U.S.C. § 1", ("US:usc:15:1",)),
        ("42 U.S.C. §§ 1981, 1983 and 1985", ("US:usc:42:1981", "US:usc:42:1983", "US:usc:42:1985")),
        ("28 U.S.C. §§ 2201-2202", ("US:usc:28:2201-2202",)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "On 5 May 2020, at 12 King Street 45, New York.",
        "The Tenant shall pay 30 Days 15 after notice.",
        "12 Foo. 34 is no reporter",
        "Exhibit 4 Part B 12",
    ],
)
def test_what_is_no_reporter_is_no_citation(text: str) -> None:
    assert found(text) == []


def test_elsewhere_only_unmistakable_reporters_are_citations() -> None:
    text = "Véanse Brown, 347 U.S. 483 (1954), 123 F.3d 456 y 42 U.S.C. § 1983; piso 12 C. 34 y 5 D. 20."
    assert [cited for cited, _ in found(text, "ES")] == ["347 U.S. 483", "123 F.3d 456", "42 U.S.C. § 1983"]


def test_what_is_known_is_verified_and_the_rest_left_unverified() -> None:
    def status(text: str) -> str:
        return verify(only(text), ON).status

    assert status("U.S. Const. amend. XIV, § 1") == "verified"
    assert status("U.S. Const. amend. XXVIII") == "not_found"
    assert status("U.S. Const. amend. XVIII") == "derogated"
    assert status("U.S. Const. art. III") == "verified"
    assert status("42 U.S.C. § 1983") == "verified"
    assert status("29 U.S.C. § 99207") == "not_found"
    assert status("1204 F.3d 33 (2d Cir. 2016)") == "not_found"
    assert status("30 U.S.C. § 801") == "not_verifiable"
    assert status("347 U.S. 483 (1954)") == "not_verifiable"
    assert "amendment 28" in verify(only("U.S. Const. amend. XXVIII"), ON).note_en


def test_nothing_of_the_text_reaches_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    found("Brown v. Secretname, 347 U.S. 483; Id. at 495; Cal. Civ. Code § 1714; 347 U.S., at 450")
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("text", "written", "norm", "articles"),
    [
        ("See Cal. Civ. Code § 1950.5.", "Cal. Civ. Code § 1950.5", "US:code:cal-civ-code", ("1950.5",)),
        (
            "Ohio Rev. Code § 1335.05 bars it.",
            "Ohio Rev. Code § 1335.05",
            "US:code:ohio-rev-code",
            ("1335.05",),
        ),
        (
            "Mass. Gen. Laws ch. 93A, § 9",
            "Mass. Gen. Laws ch. 93A, § 9",
            "US:code:mass-gen-laws-ch-93a",
            ("9",),
        ),
        ("Under 740 ILCS 14/15(b) consent", "740 ILCS 14/15(b)", "US:code:ilcs-740-14", ("15",)),
        ("N.J.S.A. 56:8-2 applies", "N.J.S.A. 56:8-2", "US:code:njsa-56-8", ("2",)),
        ("under CPLR 3211(a)(7)", "CPLR 3211(a)(7)", "US:code:n-y-cplr", ("3211",)),
        (
            "As California Labor Code section 201 says",
            "California Labor Code section 201",
            "US:code:california-labor-code",
            ("201",),
        ),
        (
            "under ERISA § 502(a)(1)(B)",
            "ERISA § 502(a)(1)(B)",
            "US:act:employee-retirement-income-security-act",
            ("502",),
        ),
    ],
)
def test_a_statute_of_a_state_is_read_as_its_courts_write_it(
    text: str, written: str, norm: str, articles: tuple[str, ...]
) -> None:
    (one,) = extract(text, "US")
    assert (one.text, one.norm, one.articles) == (written, norm, articles)


@pytest.mark.parametrize(
    ("text", "norm", "articles"),
    [
        ("the Lanham Act § 43(a) claim", "US:act:lanham-act", ("43",)),
        ("Under the Clayton Act, § 7", "US:act:clayton-act", ("7",)),
        ("8 Del. C. § 220(b)", "US:code:del-code-ann-tit-8", ("220",)),
        ("RCW 19.86.020", "US:code:wash-rev-code", ("19.86.020",)),
        ("Cal. Const. art. I, § 7", "US:const-cal", ("I",)),
    ],
)
def test_acts_by_name_and_compilations_by_initials_are_read(
    text: str, norm: str, articles: tuple[str, ...]
) -> None:
    (one,) = extract(text, "US")
    assert (one.norm, one.articles) == (norm, articles)
