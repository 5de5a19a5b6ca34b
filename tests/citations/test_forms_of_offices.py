"""Forms in which offices cite that earlier grammars did not hear or bound to another law."""

from __future__ import annotations

import pytest

from app.citations import extract


@pytest.mark.parametrize(
    ("jurisdiction", "text", "words", "norm", "articles"),
    [
        ("ES", "art. 52.c) ET, sin poner lo que manda el 53.1 b).", "53.1 b)", "ES:rdleg:2/2015", ("53",)),
        ("ES", "Asturias: TROTU.", "TROTU", "ES-AS:dleg:1/2004", ()),
        ("ES", "según la LOE de siempre", "LOE", "ES:ley:38/1999", ()),
        ("ES", "los mecanismos de la DAC6.", "DAC6", "EU:dir:2018/822", ()),
        ("US", "In California, Civ. Code, §§ 1941.1, 1942.4.", "Civ. Code, §§ 1941.1, 1942.4",
         "US:code:cal-civ-code", ("1941.1", "1942.4")),
        ("US", "California; Code Civ. Proc. § 1161(2) applies", "Code Civ. Proc. § 1161(2)",
         "US:code:cal-civ-proc-code", ("1161",)),
        ("US", "Cal. Civ. Code § 1950.5(b)(2); see subdivision (l) of that section.",
         "subdivision (l) of that section",
         "US:code:cal-civ-code", ("1950.5",)),
        ("US", "Cal. Lab. Code §§ 201, 203, 226(e), 1194.", "Cal. Lab. Code §§ 201, 203, 226(e), 1194",
         "US:code:cal-lab-code", ("201", "203", "226", "1194")),
        ("US", "under IWC Wage Order 5-2001 too", "IWC Wage Order 5-2001", "US:iwc:5-2001", ()),
        ("IT", "il d.lgs. 385/1993 e il d.l. 394/2000; l'art. 117 d.lgs. 385/1993 e "
         "l'art. 38 del medesimo decreto", "art. 38 del medesimo decreto", "IT:dlgs:385/1993", ("38",)),
        ("IT", "art. 1284, IV comma, c.c.", "art. 1284, IV comma, c.c.", "IT:CC", ("1284",)),
        ("IT", "le memorie 171-ter c.p.c. depositate", "171-ter c.p.c.", "IT:CPC", ("171 ter",)),
        ("IT", "il R.D.L. 375/1936", "R.D.L. 375/1936", "IT:rdl:375/1936", ()),
        ("IT", "Reg. Consob n. 20307/2018", "Reg. Consob n. 20307/2018", "IT:consob:20307/2018", ()),
        ("BR", "art. 5º da Lei 8.078/90 e art. 300, caput e § 2º, CPC",
         "art. 300, caput e § 2º, CPC", "BR:CPC", ("300",)),
        ("BR", "art. 51 do CDC; art. 292, V e VI, CPC", "art. 292, V e VI, CPC", "BR:CPC", ("292",)),
        ("CO", "el artículo 86 de la Carta", "artículo 86 de la Carta", "CO:CPol", ("86",)),
        ("CO", "artículo 13 de la Carta Política", "artículo 13 de la Carta Política", "CO:CPol", ("13",)),
        ("CO", "el derogado C.P.C. no rige", "C.P.C.", "CO:CPC", ()),
        ("CO", "la Resolución 2292 de 2021 del Ministerio de Salud", "Resolución 2292 de 2021",
         "CO:resolucion:2292/2021", ()),
        ("CO", "la Ley 71 de 1988 y el Decreto 1160 del mismo año", "Decreto 1160 del mismo año",
         "CO:decreto:1160/1988", ()),
        ("MX", "art. 46-A del CFF. Conforme al diverso 50, primer párrafo, se emite",
         "diverso 50, primer párrafo",
         "MX:CFF", ("50",)),
        ("MX", "la Ley de Obra Pública para el Estado de Jalisco y sus Municipios",
         "Ley de Obra Pública para el Estado de Jalisco y sus Municipios",
         "MX:estatal:ley-de-obra-publica-para-el-estado-de-jalisco-y-sus-municipios", ()),
        ("MX", "art. 4 de la Constitución Política del Estado de Jalisco",
         "art. 4 de la Constitución Política del Estado de Jalisco", "MX:Const-Jal", ("4",)),
        ("BR", "arts. 138, 139 e 140, c/c art. 141, III e § 2º, do Código Penal", "arts. 138, 139 e 140",
         "BR:CP", ("138", "139", "140")),
        ("BR", "arts. 138 e 140, c/c art. 141, III e § 2º, do Código Penal",
         "art. 141, III e § 2º, do Código Penal", "BR:CP", ("141",)),
        ("BR", "art. 147-A do CP. Houve mais (147-B; outra coisa)", "147-B", "BR:CP", ("147B",)),
        ("BR", "a Lei 14.532, de 11 de janeiro de 2023", "Lei 14.532, de 11 de janeiro de 2023",
         "BR:lei:14532/2023", ()),
        ("AR", "por el decreto 1558/2001 y el art. 53, 3er párrafo, LDC", "art. 53, 3er párrafo, LDC",
         "AR:ley:24240", ("53",)),
        ("AR", "el art. 14 ley 48 lo permite", "art. 14 ley 48", "AR:ley:48", ("14",)),
        ("AR", "la Com. \"A\" 6017 BCRA", "Com. \"A\" 6017 BCRA", "AR:bcra-a:6017", ()),
        ("AR", "la RG AFIP 4815/2020", "RG AFIP 4815/2020", "AR:res-afip:4815/2020", ()),
        ("AR", "art. 52 bis LDC, según ley 26.361; art. 47 inc. b",
         "art. 47 inc. b", "AR:ley:24240", ("47",)),
        ("AR", "el DNU 274/2019", "DNU 274/2019", "AR:decreto:274/2019", ()),
        ("CL", "interpretación, 19 a 24 Código Civil", "19 a 24 Código Civil", "CL:CC", ("19-24",)),
        ("GB", "as SI 2003/2426 says", "SI 2003/2426", "GB:si:2003/2426", ()),
        ("GB", "Article 15 UK GDPR. The Data (Use and Access) Act 2025 is new. Article 82(1) is clear.",
         "Article 82(1)", "GB:UK-GDPR", ("82",)),
        ("DE", "§ 573 Abs. 2 Nr. 2 BGB greift nicht; Sperrfrist § 577a Abs. 1a S. 1 Nr. 1; so auch hier.",
         "§ 577a Abs. 1a S. 1 Nr. 1", "DE:BGB", ("577a",)),
        ("DE", "Verstoß gegen WiStrG § 5.", "WiStrG § 5", "DE:WiStrG", ("5",)),
        ("DE", "früher das alte AGBG.", "AGBG", "DE:AGBG", ()),
        ("FR", "art. L. 1242-1 C. trav. et art. 58 CPC. Discrimination: L. 1132-1 et L. 1134-1.",
         "L. 1132-1 et L. 1134-1", "FR:Ctrav", ("L1132-1", "L1134-1")),
        ("FR", "harcèlement, 222-33-2 du code pénal.", "222-33-2 du code pénal", "FR:Cpen", ("222-33-2",)),
        ("ES", "arts. 442 y 443.1.º TRLC y la presunción del 444.2.º; antes otra.", "444.2.º",
         "ES:rdleg:1/2020", ("444",)),
        ("UY", "el art. 317 de la Carta", "art. 317 de la Carta", "UY:Const", ("317",)),
        ("UY", "la Ley 15.869 y los arts. 24 y 25 Const.", "arts. 24 y 25 Const.", "UY:Const", ("24", "25")),
        ("MX", "regla 2.7.1.1 de la RMF para 2026", "regla 2.7.1.1 de la RMF para 2026", "MX:RMF:2026", ()),
    ],
)  # fmt: skip
def test_form_is_heard(
    jurisdiction: str, text: str, words: str, norm: str, articles: tuple[str, ...]
) -> None:
    found = {one.text: one for one in extract(text, jurisdiction)}
    assert words in found
    assert (found[words].norm, found[words].articles) == (norm, articles)


@pytest.mark.parametrize(
    ("jurisdiction", "text"),
    [
        ("CO", "la Resolución 4512 de 2026 de Colpensiones"),
        ("US", "the Civ. Code, § 12 of another land"),
        ("CO", "la carta de despido de 2020"),
        ("DE", "Die Kaution regelt § 5 Abs. 2. Siehe § 577 des Mietvertrags."),
    ],
)
def test_look_alike_is_not_heard(jurisdiction: str, text: str) -> None:
    assert not extract(text, jurisdiction)


def test_number_of_a_docket_holds_no_date() -> None:
    (citation,) = extract("TJSP, Apelação Cível 1002345-11.2024.8.26.0100", "BR")
    assert "date" not in citation.ids


def test_another_law_in_brackets_is_no_wrong_number() -> None:
    first, second = extract("arts. 7 y 10 de la ley 23.928 (ley 25.561)", "AR")
    assert "named_as" not in first.ids
    assert second.norm == "AR:ley:25561"
