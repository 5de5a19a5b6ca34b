"""Decisions and laws of other countries, as lawyers there write them."""

from __future__ import annotations

import pytest

from app.citations import Citation, extract
from tests.growth import assert_linear


def _forms(text: str, country: str) -> set[str]:
    return {form for one in extract(text, country) for form in one.canonical}


def _one(text: str, country: str) -> Citation:
    found = extract(text, country)
    assert len(found) == 1, [one.text for one in found]
    return found[0]


@pytest.mark.parametrize(
    ("country", "text", "form"),
    [
        ("PT", "Ac. do TRP de 14-02-2019, proc. n.º 3341/16.7T8VNG.P1", "PT:TRP:3341/16.7T8VNG.P1"),
        ("PT", "acórdão do Supremo Tribunal de Justiça n.º 12/2014", "PT:STJ:12/2014"),
        ("PT", "o Acórdão n.º 413/2014 do Tribunal Constitucional", "PT:TC:413/2014"),
        ("FR", "Cass. civ. 3e, 12 nov. 2009, n° 08-21.331", "FR:Cass:08-21.331"),
        ("FR", "Cass. soc., 25 nov. 2015, n° 14-24.444", "FR:Cass:14-24.444"),
        ("FR", "l'arrêt de la Cour de cassation du 11 mai 2022, n° 21-14.490", "FR:Cass:21-14.490"),
        ("FR", "CE, 19 mai 1933, Benjamin, n° 17413", "FR:CE:17413"),
        ("FR", "CA Lyon, 12 janv. 2021, n° 18/04512", "FR:CA:18/04512"),
        ("IT", "Cass., Sez. Un., 22 luglio 2015, n. 15350", "IT:Cass:15350/2015"),
        ("IT", "Corte cost., sent. n. 194 del 2018", "IT:CCost:194/2018"),
        ("IT", "TAR Lazio, Roma, sez. I, 12 marzo 2020, n. 3109", "IT:TAR:3109/2020"),
        ("IT", "Tribunale di Milano, sentenza n. 4521/2020", "IT:Trib:4521/2020"),
        ("DE", "das Urteil des BGH vom 12. Mai 2010 (VIII ZR 96/09)", "DE:BGH:VIII ZR 96/09"),
        ("DE", "BAG 20.6.2013 – 6 AZR 805/11", "DE:BAG:6 AZR 805/11"),
        ("DE", "OLG Frankfurt a.M., Beschl. v. 3.5.2021 – 6 W 12/21", "DE:OLG:6 W 12/21"),
        ("AT", "OGH 22.3.2018, 4 Ob 23/18h", "AT:OGH:4 Ob 23/18h"),
        ("CH", "Urteil 4A_123/2020 vom 3. März 2021", "CH:4A_123/2020"),
        ("CH", "BGE 140 III 86", "CH:BGE:140 III 86"),
        ("BE", "Cass., 20 avril 2018, R.G. C.17.0123.N", "BE:Cass:C.17.0123.N"),
        ("PL", "wyrok SN z dnia 12 marca 2020 r., sygn. akt II CSK 123/19", "PL:SN:II CSK 123/19"),
        ("IE", "[2020] IEHC 456", "IE:[2020]IEHC456"),
        ("CA", "2014 SCC 71", "CA:2014SCC71"),
        ("BR", "Súmula 331 do TST", "BR:TST:331"),
        ("BR", "a Súmula Vinculante nº 13", "BR:STF:13"),
        ("BO", "SCP 0112/2012", "BO:TCP:0112/2012"),
        ("DO", "la Sentencia TC/0123/18", "DO:TC/0123/18"),
        ("UY", "Sentencia N° 123/2019 de la Suprema Corte de Justicia", "UY:SCJ:123/2019"),
        ("GB", "Hadley v Baxendale (1854) 9 Exch 341", "GB:(1854)9Exch341"),
        ("ES", "STEDH de 9 de enero de 2018, López Ribalda y otros c. España (n.º 1874/13)", "COE:1874/13"),
        ("GB", "Klass and Others v. Germany, no. 5029/71", "COE:5029/71"),
    ],
)
def test_decisions(country: str, text: str, form: str) -> None:
    assert form in _forms(text, country)


@pytest.mark.parametrize(
    ("country", "text"),
    [
        ("PT", "Processo interno n.º 12/2020 do fornecedor; acórdão favorável."),
        ("FR", "Facture n° 14-24 du 3 mars 2020; CA annuel 12 000 euros, n° 18."),
        ("IT", "Il 3 marzo 2019 la Cassazione era chiusa; fattura n. 1520."),
        ("DE", "Az. unserer Akte 12/20; das Urteil fiel am Montag; Rechnung 4 Sa."),
        ("BR", "O tema 12 da reunião e a súmula da ata."),
        ("GB", "(2 May 1999) order 12; nos. 12/99 of the invoice"),
    ],
)
def test_what_only_looks_like_a_decision(country: str, text: str) -> None:
    assert not [one for one in extract(text, country) if one.kind == "L2-J"]


@pytest.mark.parametrize(
    ("country", "text", "norm", "articles", "pinpoint"),
    [
        ("PT", "artigo 389.º/1/b) do CT", "PT:CT", ("389",), "1.b"),
        ("PT", "artigos 340.º, al. g), e 394.º do CT", "PT:CT", ("340", "394"), None),
        ("PT", "Decreto-Lei n.º 446/85, de 25 de outubro", "PT:dl:446/1985", (), None),
        ("FR", "articles L. 1232-1 et L. 1235-3 du C. trav.", "FR:Ctrav", ("L1232-1", "L1235-3"), None),
        ("FR", "article 6 § 1 de la CESDH", "COE:CEDH", ("6",), "1"),
        ("IT", "art. 18, comma 4, della legge n. 300 del 1970", "IT:l:300/1970", ("18",), "4"),
        ("IT", "art. 3, comma 2, lett. a), d.lgs. 4 marzo 2015, n. 23", "IT:dlgs:23/2015", ("3",), "2.a"),
        ("DE", "§ 14 Abs. 2 Satz 1 TzBfG", "DE:TzBfG", ("14",), "2.1"),
        ("DE", "§§ 305 bis 310 des Bürgerlichen Gesetzbuchs", "DE:BGB", ("305-310",), None),
        ("DE", "§ 3 Abs. 1 EntgTranspG", "DE:EntgTranspG", ("3",), "1"),
        ("AT", "§ 30 Abs 2 Z 4 MRG", "AT:MRG", ("30",), "2.4"),
        ("BR", "art. 7º, XXIX, da Constituição Federal", "BR:CF", ("7",), "xxix"),
        ("BR", "art. 477, § 8º, da CLT", "BR:CLT", ("477",), "8"),
        ("NL", "art. 7:669 lid 3 BW", "NL:BW", ("7:669",), "3"),
        ("PL", "art. 30 § 4 Kodeksu pracy", "PL:KP", ("30",), "4"),
        ("UY", "artículo 1342 del Código Civil", "UY:CC", ("1342",), None),
        ("PY", "Ley N° 1183/85", "PY:ley:1183/1985", (), None),
        ("GB", "s 98(4) ERA 1996", "GB:act:employment-rights-act-1996", ("98",), "4"),
        ("GB", "Schedule 2 to the Housing Act 1988", "GB:act:housing-act-1988", ("sch2",), None),
        ("US", "Fed. R. Civ. P. 12(b)(6)", "US:frcp", ("12",), "b.6"),
        ("US", "UCC § 2-207(2)", "US:ucc", ("2-207",), "2"),
        ("US", "Section 10(b) of the Securities Exchange Act of 1934",
         "US:act:securities-exchange-act-of-1934", ("10",), "b"),
        ("EU", "Article 8 ECHR", "COE:CEDH", ("8",), None),
        ("EU", "Commission Implementing Decision (EU) 2021/914", "EU:dec:2021/914", (), None),
    ],
)  # fmt: skip
def test_laws(country: str, text: str, norm: str, articles: tuple[str, ...], pinpoint: str | None) -> None:
    found = _one(text, country)
    assert (found.norm, found.articles, found.pinpoint) == (norm, articles, pinpoint)


@pytest.mark.parametrize(
    ("country", "text", "norm"),
    [
        ("PT", "artigo 615.º do CPC e art. 5.º do mesmo diploma", "PT:CPC"),
        ("GB", "the Housing Act 1988 and s. 21 of that Act", "GB:act:housing-act-1988"),
        ("DE", "§ 433 BGB und § 434 Abs. 1 desselben Gesetzes", "DE:BGB"),
    ],
)
def test_the_same_law_again(country: str, text: str, norm: str) -> None:
    assert extract(text, country)[-1].norm == norm


def test_an_article_before_a_semicolon_has_a_law_of_its_own() -> None:
    first, second = extract("Ley 15/2022; art. 17; art. 6.1 RGPD", "ES")[1:]
    assert (first.norm, second.norm) == ("ES:ley:15/2022", "EU:reg:2016/679")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("STS 4.ª, 8-2-2018 (rec. 1.121/2015)", "ES:TS:4:rec1121/2015"),
        ("TEAC 15-07-2019, R.G. 3884/2016", "ES:TEAC:00/03884/2016"),
        ("Resolución de 5 de mayo de 2021 de la Dirección General de Seguridad Jurídica y Fe Pública",
         "ES:DGSJFP:2021-05-05"),
        ("el Informe jurídico AEPD 0195/2017", "ES:AEPD:I195/2017"),
        ("la Ley 1 de 2000", "ES:ley:1/2000"),
        ("art. 95 Dos LIVA", "ES:ley:37/1992:art95.2"),
    ],
)  # fmt: skip
def test_forms_of_spain(text: str, form: str) -> None:
    assert form in _forms(text, "ES")


@pytest.mark.parametrize("country", ["DE", "FR", "IT", "PT", "GB", "BR", "PL"])
@pytest.mark.parametrize(
    "piece",
    [
        "Cass., sez. ",
        "Urteil vom 1.1.2020, ",
        "§ 1, 2, 3 Abs. ",
        "A and B v. ",
        "Ac. de 1-1-2020, ",
        "(((BGH (",
        "s 1 of that Act ",
        "1/20, ",
        "Súmula ",
        "art. 1 § 1 ",
    ],
)
def test_hostile_text_takes_linear_time(country: str, piece: str) -> None:
    assert_linear(lambda text: extract(text, country), piece * 6_000, short=10_000, long=50_000)
