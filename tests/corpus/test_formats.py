"""Statutes in XML, decisions as text and in lists, and the cutting of judgments."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.citations import provisions_opened
from app.corpus.loading.passages import passages
from app.corpus.loading.readers import (
    files,
    judgment_csv,
    judgment_jsonl,
    judgment_text,
    statute_akn,
    statute_boe,
    statute_markdown,
)
from app.corpus.loading.records import Item, Judgment, Reader, Skip, Source, Statute

BOE = """<?xml version="1.0" encoding="UTF-8"?>
<documento><metadatos><identificador>BOE-A-2099-1</identificador><rango codigo="1300">Ley</rango>
<fecha_disposicion>20990102</fecha_disposicion><numero_oficial>1/2099</numero_oficial>
<titulo>Ley 1/2099, de 2 de enero, de Prueba.</titulo><fecha_publicacion>20990103</fecha_publicacion>
<fecha_vigencia>20990104</fecha_vigencia><fecha_actualizacion>20990801T000000Z</fecha_actualizacion>
<estatus_derogacion>N</estatus_derogacion><url_eli>https://www.boe.es/eli/es/l/2099/01/02/1</url_eli></metadatos>
<texto>
<bloque id="pr" tipo="preambulo" titulo="[preambulo]"><version id_norma="BOE-A-2099-1"
fecha_vigencia="20990104"><p>Hola</p></version></bloque>
<bloque id="ti" tipo="encabezado" titulo="TITULO I"><version id_norma="BOE-A-2099-1"
fecha_vigencia="20990104"><p class="titulo_num">TÍTULO I</p><p class="titulo_tit">De
todo</p></version></bloque>
<bloque id="a1" tipo="precepto" titulo="Artículo 1"><version id_norma="BOE-A-2099-9"
fecha_publicacion="20990601" fecha_vigencia="20990701"><p class="articulo">Artículo 1. Objeto.</p><p
class="parrafo">Nuevo.</p><blockquote><p class="nota_pie">Se modifica.</p></blockquote></version>
<version id_norma="BOE-A-2099-1" fecha_publicacion="20990103" fecha_vigencia="20990104"><p
class="articulo">Artículo 1. Objeto.</p><p class="parrafo">Viejo.</p></version></bloque>
<bloque id="a2" tipo="precepto" titulo="Artículo 2"><version id_norma="BOE-A-2099-1"
fecha_vigencia="20990104"><p class="articulo">Artículo 2. (Derogado)</p></version></bloque>
<bloque id="da" tipo="precepto" titulo="Disposición adicional única"><version id_norma="BOE-A-2099-1"
fecha_vigencia="20990104"><p class="articulo">Disposición adicional única. Cosas.</p><p
class="parrafo">Sí.</p></version></bloque>
</texto></documento>"""

AKN = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="act"><meta>
<identification source="#x"><FRBRWork><FRBRthis value="/akn/zz/act/2020/7/main"/><FRBRuri
value="/akn/zz/act/2020/7"/>
<FRBRdate date="2020-02-03" name="Enactment"/><FRBRcountry value="zz"/><FRBRnumber value="7"/>
<FRBRalias name="title" value="Test Act 2020"/></FRBRWork>
<FRBRExpression><FRBRdate date="2024-01-01" name="Expression"/></FRBRExpression></identification>
<lifecycle source="#x"><eventRef eId="e1" date="2020-02-03" type="generation" source="#o"/>
<eventRef eId="e2" date="2023-05-01" type="amendment" source="#amend9"/></lifecycle>
<temporalData source="#x"><temporalGroup eId="t1"><timeInterval start="#e1" end="#e2"
refersTo="#a"/></temporalGroup>
<temporalGroup eId="t2"><timeInterval start="#e2" refersTo="#a"/></temporalGroup></temporalData></meta>
<body><chapter eId="c1"><num>Chapter 1</num><heading>General</heading>
<article eId="a1" period="#t1"><num>Article
1</num><heading>Scope</heading><paragraph><num>1.</num><content><p>Old
words.</p></content></paragraph></article>
<article eId="a1b" period="#t2"><num>Article
1</num><heading>Scope</heading><paragraph><num>1.</num><content><p>New
words.</p></content></paragraph></article>
<article eId="a2"><num>2</num><heading>Rest</heading><content><p>Rest.</p></content></article>
</chapter></body></act></akomaNtoso>"""


def one(reader: Reader, path: Path, jurisdiction: str | None = None) -> Item:
    (item,) = reader(Source(path, path.name, jurisdiction), 0)
    assert list(reader(Source(path, path.name), item.position)) == []
    return item


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_boe_xml_has_every_version_in_order(tmp_path: Path) -> None:
    item = one(statute_boe.read, written(tmp_path / "law.xml", BOE))
    statute = item.record
    assert isinstance(statute, Statute)
    assert (statute.facts.official_id, statute.facts.number, statute.facts.edition, statute.history) == (
        "BOE-A-2099-1", "1/2099", date(2099, 8, 1), True,
    )  # fmt: skip
    first, second, third = statute.articles
    assert [(w.text, w.in_force_from, w.in_force_to, w.amended_by) for w in first.wordings] == [
        ("Viejo.", date(2099, 1, 4), date(2099, 7, 1), None),
        ("Nuevo.", date(2099, 7, 1), None, "BOE-A-2099-9"),
    ]
    assert first.path == ("TÍTULO I. De todo",)
    assert second.wordings[0].text == "(Sin contenido)"
    assert (third.number, third.path) == ("da1", ())
    assert item.notes == ("blocks that are no provision",)


def test_akoma_ntoso_has_its_intervals(tmp_path: Path) -> None:
    statute = one(statute_akn.read, written(tmp_path / "act.xml", AKN)).record
    assert isinstance(statute, Statute)
    assert (statute.facts.jurisdiction, statute.facts.title, statute.facts.dated) == (
        "ZZ", "Test Act 2020", date(2020, 2, 3),
    )  # fmt: skip
    first, second = statute.articles
    assert [(w.text, w.in_force_from, w.in_force_to, w.amended_by) for w in first.wordings] == [
        ("1. Old words.", date(2020, 2, 3), date(2023, 5, 1), None),
        ("1. New words.", date(2023, 5, 1), None, "amend9"),
    ]
    assert (second.number, second.heading, second.path) == ("2", "Rest", ("Chapter 1. General",))


BOMB = (
    '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY f SYSTEM "file:///etc/passwd">]><documento><metadatos><identificador>&f;&b;</identificador>'
    "</metadatos></documento>"
)


@pytest.mark.parametrize("text", ["<a><b></a>", "", "no xml", BOMB])
@pytest.mark.parametrize("reader", [statute_boe.read, statute_akn.read])
def test_xml_that_is_none_or_means_harm_is_left_out_with_a_reason(
    tmp_path: Path, reader: Reader, text: str
) -> None:
    record = one(reader, written(tmp_path / "bad.xml", text)).record
    assert isinstance(record, Skip)
    assert record.reason


def test_a_title_of_a_partial_regulation_names_it(tmp_path: Path) -> None:
    text = (
        "# Reglamento (UE) 2016/679 del Parlamento Europeo y del Consejo, de 27 de abril de 2016.\n\n"
        "CAPÍTULO I\n\nArtículo 1\n\nObjeto\n\n1. Palabras.\n\nArtículo 2\n\n1. Sin rúbrica.\n"
    )
    statute = one(statute_markdown.read, written(tmp_path / "gdpr.md", text)).record
    assert isinstance(statute, Statute)
    assert (statute.facts.jurisdiction, statute.facts.official_id, statute.facts.whole) == (
        "EU", "32016R0679", False,
    )  # fmt: skip
    assert [(a.number, a.heading, a.wordings[0].text) for a in statute.articles] == [
        ("1", "Objeto", "1. Palabras."),
        ("2", None, "1. Sin rúbrica."),
    ]


def test_a_decision_with_a_description_above_its_text(tmp_path: Path) -> None:
    text = (
        "# Sentencia T-999/2008 - Corte Constitucional\n\nslug: x\nfuente: Corte Constitucional\n"
        "url: https://law.example.com/t\n\n---\nTexto con la\rpalabra partida y Protecci\ufffdn.\n"
    )
    item = one(judgment_text.read, written(tmp_path / "t.txt", text))
    judgment = item.record
    assert isinstance(judgment, Judgment)
    assert (judgment.canonical, judgment.number, judgment.year, judgment.url) == (
        "CO:CC:T-999/08", "999", 2008, "https://law.example.com/t",
    )  # fmt: skip
    assert judgment.text == "Texto con la palabra partida y Protecci\ufffdn."
    assert item.notes == ("characters lost before the file was made (U+FFFD)",)


def test_a_decision_as_cendoj_prints_it(tmp_path: Path) -> None:
    text = (
        "JURISPRUDENCIA\nRoj: STS 1916/2013 - ECLI:ES:TS:2013:1916\nId Cendoj:28079110012013100241\n"
        "Órgano:Tribunal Supremo. Sala de lo Civil\nFecha:09/05/2013\nNº de Resolución:241/2013\n"
        "Ponente:ANA PRUEBA\nTipo de Resolución:Sentencia\nLa Sala dice que\n1\nJURISPRUDENCIA\nsigue.\n"
    )
    judgment = one(judgment_text.read, written(tmp_path / "s.txt", text)).record
    assert isinstance(judgment, Judgment)
    assert (judgment.canonical, judgment.ecli, judgment.roj, judgment.dated, judgment.chamber) == (
        "ES:TS:241/2013", "ECLI:ES:TS:2013:1916", "STS 1916/2013", date(2013, 5, 9), "Sala de lo Civil",
    )  # fmt: skip
    assert "La Sala dice que\nsigue." in judgment.text


def test_a_decision_that_names_nothing_is_left_out(tmp_path: Path) -> None:
    assert isinstance(one(judgment_text.read, written(tmp_path / "x.txt", "Hola.\n")).record, Skip)


def test_lists_of_decisions(tmp_path: Path) -> None:
    listed = written(
        tmp_path / "cc.csv",
        "sentencia,tipo,fecha,ponente,sala,expediente\nSU-039/97,SU,1997-02-03,P,Sala Plena,T-1\nX,T,,,,\n",
    )
    first, second = judgment_csv.read(Source(listed, "cc.csv"), 0)
    assert isinstance(first.record, Judgment)
    assert (first.record.canonical, first.record.year, first.record.url) == (
        "CO:CC:SU-039/97", 1997, "https://www.corteconstitucional.gov.co/relatoria/1997/SU039-97.htm",
    )  # fmt: skip
    assert isinstance(second.record, Skip)
    lines = written(tmp_path / "j.jsonl", '{"title": "STC 31/2010", "text": "x", "date": "2010-06-28"}\n{}\n')
    first, second = judgment_jsonl.read(Source(lines, "j", "ES"), 0)
    assert isinstance(first.record, Judgment)
    assert (first.record.canonical, first.record.ecli) == ("ES:TC:31/2010", "ECLI:ES:TC:2010:31")
    assert isinstance(second.record, Skip)


def test_bytes_that_are_no_utf8_are_read_as_windows_1252(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("Protección €".encode("cp1252") + b"\n" + "ñ".encode())
    with files.text(path) as file:
        assert file.read() == "Protección €\nñ"


@given(st.text(max_size=3000), st.integers(20, 200))
def test_passages_are_short_and_lose_nothing_but_white_space(text: str, most: int) -> None:
    parts = list(passages(text, most))
    assert all(0 < len(part) <= most for part in parts)
    squeezed: Any = re.compile(r"\s+")
    assert squeezed.sub("", "".join(parts)) == squeezed.sub("", text)


@pytest.mark.parametrize(
    ("heading", "above", "numbers", "rubric"),
    [
        ("Artículo 1902.", "", ("1902",), None),
        ("Art. 14.", "", ("14",), None),
        ("Artículo\u00a09 bis. Cosas.", "", ("9 bis",), "Cosas"),
        ("Arts. 48 a 50.", "", ("48", "49", "50"), None),
        ("Artículo ciento veinte.", "", ("120",), None),
        ("Artículo único. Aprobación.", "", ("único",), "Aprobación"),
        ("Artículo 588 bis a. Principios.", "", ("588 bis a",), "Principios"),
        ("Disposición final undécima. Título.", "", ("df11",), "Título"),
        ("Primera.", "DISPOSICIONES TRANSITORIAS", ("dt1",), None),
        ("ANEXO IV. Lista", "", ("anexo 4",), "Lista"),
        ("Artículo 17 Supresión («el olvido»)", "", ("17",), "Supresión («el olvido»)"),
    ],
)
def test_headings_open_what_they_say(
    heading: str, above: str, numbers: tuple[str, ...], rubric: str | None
) -> None:
    found = provisions_opened(heading, above)
    assert found is not None
    assert (found.numbers, found.rubric) == (numbers, rubric)


@pytest.mark.parametrize("heading", ["CAPÍTULO I. De todo", "Primera.", "", "Sección 1.ª", "Artículos"])
def test_other_headings_open_nothing(heading: str) -> None:
    assert provisions_opened(heading) is None
