"""Write a report as a Word document with styles of its own kind: headings, tables with header rows, fields.

The file says of itself what made it by a custom property, as a PDF does in its XMP metadata (decision 062).
"""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.branding import Letterhead
from app.platform import pdf
from app.reports.blocks import (
    Block,
    Bullets,
    Cell,
    Composition,
    Facts,
    Figures,
    Heading,
    Mark,
    Paragraph,
    StatementBlock,
    Table,
    Warnings,
)
from app.text.bilingual import Bilingual, Language

if TYPE_CHECKING:
    from docx.document import Document

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_LANGUAGES = Bilingual("es-ES", "en-GB")
_INK, _MUTED, _RULE = "1B2129", "5B6470", "D6DBE1"
_MARKS: Mapping[Mark, str] = {"bad": "A3200D", "warn": "7A4B00", "good": "17613A"}
_LOCKS: Mapping[str, str] = {
    "L5-C": "A3200D", "L1": "17613A", "L2-J": "4C3899", "L2-J-V": "4C3899", "L4": "7A4B00",
}  # fmt: skip
_BARS: Mapping[str | None, str] = {"high": "A3200D", "medium": "B97A10", "low": "6D7A89"}
# A4 less margins of 23 mm, in twentieths of a point.
_WIDTH = 9_300
_CUSTOM = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
_CUSTOM_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties"
_CUSTOM_XML = """\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" \
xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">\
<property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="2" name="DigitalSourceType">\
<vt:lpwstr>{source}</vt:lpwstr></property></Properties>"""


def write(report: Composition, letterhead: Letterhead) -> bytes:
    """Return the report as a DOCX file."""
    from docx import Document

    writer = _Writer(Document(), report, letterhead)
    writer.write()
    data = io.BytesIO()
    writer.document.save(data)
    return data.getvalue()


class _Writer:
    def __init__(self, document: Document, report: Composition, letterhead: Letterhead) -> None:
        self.document, self.report, self.letterhead = document, report, letterhead
        self.language: Language = report.frame.language
        # In a report on one document, sections are the first level of headings.
        self.raised = 0 if report.opening else 1
        self.level = 1

    def write(self) -> None:
        self._set_up()
        frame = self.report.frame
        self.document.add_paragraph(frame.title, "Title")
        self.document.add_paragraph(frame.subtitle, "Subtitle")
        self._blocks(self.report.opening)
        for chapter in self.report.chapters:
            self.language = chapter.language
            self._new_page()
            self._blocks(chapter.blocks)
        self.language = frame.language
        self._new_page()
        self._blocks(self.report.closing)

    def _new_page(self) -> None:
        """Begin a page, in a report that has chapters."""
        from docx.enum.text import WD_BREAK

        if self.raised == 0:
            self.document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)

    def _set_up(self) -> None:
        """Set the page, the styles, header and footer, and what the file says of itself."""
        from docx.enum.text import WD_TAB_ALIGNMENT
        from docx.opc.packuri import PackURI
        from docx.opc.part import Part
        from docx.shared import Mm, Twips

        frame = self.report.frame
        section = self.document.sections[0]
        section.page_width, section.page_height = Mm(210), Mm(297)
        section.left_margin = section.right_margin = Mm(23)
        section.top_margin, section.bottom_margin = Mm(28), Mm(22)
        self._styles()
        section.different_first_page_header_footer = True
        self._heads(section)
        for footer in (section.first_page_footer, section.footer):
            foot = footer.paragraphs[0]
            foot.paragraph_format.tab_stops.add_tab_stop(Twips(_WIDTH), WD_TAB_ALIGNMENT.RIGHT)
            self._run(foot, f"{frame.foot}\t{frame.page} ", color=_MUTED, size=7.5)
            self._number(foot, "PAGE")
            self._run(foot, f" {frame.of} ", color=_MUTED, size=7.5)
            self._number(foot, "NUMPAGES")
        core = self.document.core_properties
        core.author = core.last_modified_by = frame.name
        core.title, core.subject = f"{frame.title}: {frame.subtitle}"[:255], frame.subject
        core.language = _LANGUAGES.in_(frame.language)
        core.created = core.modified = frame.made.replace(tzinfo=None, microsecond=0)
        core.comments, core.keywords, core.category, core.revision = frame.origin, "", "", 1
        source = pdf.source_type(frame.origin_code)
        package = self.document.part.package
        made = Part(
            PackURI("/docProps/custom.xml"), _CUSTOM, _CUSTOM_XML.format(source=source).encode(), package
        )
        package.relate_to(made, _CUSTOM_RELATION)

    def _heads(self, section: Any) -> None:
        """Write the letterhead on the first page, and a line with the title on the others."""
        from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT
        from docx.shared import Mm, Pt, Twips

        frame, letterhead = self.report.frame, self.letterhead
        section.header_distance = Mm(12)
        first = section.first_page_header
        sender = first.paragraphs[0]
        if letterhead.logo:
            self._logo(sender)
        elif letterhead.name:
            self._run(sender, letterhead.name, color=letterhead.ink[1:], size=15, bold=True)
        if frame.contact:
            sender = first.add_paragraph()
            sender.alignment = WD_ALIGN_PARAGRAPH.RIGHT
            self._run(sender, " · ".join(frame.contact), color=_MUTED, size=8)
        self._edge(sender, "bottom", letterhead.color[1:])
        sender.paragraph_format.space_after = Pt(18)
        other = section.header.paragraphs[0]
        other.paragraph_format.tab_stops.add_tab_stop(Twips(_WIDTH), WD_TAB_ALIGNMENT.RIGHT)
        self._run(other, f"{letterhead.name}\t{frame.title} · {frame.subtitle}", color=_MUTED, size=8)
        self._edge(other, "bottom", _RULE)
        other.paragraph_format.space_after = Pt(12)

    def _styles(self) -> None:
        from docx.oxml.ns import qn
        from docx.shared import Pt, RGBColor

        styles = self.document.styles
        ink = RGBColor.from_string(self.letterhead.ink[1:].upper())
        for name, size, color, before, after in (
            ("Normal", 10.5, _INK, 0, 6),
            ("Title", 22, _INK, 0, 2),
            ("Subtitle", 12, _MUTED, 0, 14),
            ("Heading 1", 15, None, 18, 6),
            ("Heading 2", 12.5, None, 14, 4),
            ("Heading 3", 11, _INK, 10, 3),
            ("Heading 4", 10.5, _INK, 8, 2),
            ("Quote", 10.5, "333B45", 2, 4),
            ("List Bullet", 10, _INK, 0, 3),
        ):
            style: Any = styles[name]
            style.font.name, style.font.size = "Arial", Pt(size)
            style.font.color.rgb = ink if color is None else RGBColor.from_string(color)
            style.paragraph_format.space_before, style.paragraph_format.space_after = Pt(before), Pt(after)
            fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
            for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
                fonts.attrib.pop(qn(f"w:{theme}"), None)
            fonts.set(qn("w:hAnsi"), "Arial")
        # The template draws a line beneath titles.
        title = styles["Title"].element.get_or_add_pPr()
        for border in title.findall(qn("w:pBdr")):
            title.remove(border)
        for name in ("Header", "Footer"):
            # Their tab stops are those of a page of another width.
            properties = styles[name].element.get_or_add_pPr()
            for tabs in properties.findall(qn("w:tabs")):
                properties.remove(tabs)
        styles["Subtitle"].font.italic = False
        styles["Quote"].paragraph_format.left_indent = Pt(12)
        defaults = styles.element.find(qn("w:docDefaults")).find(qn("w:rPrDefault")).find(qn("w:rPr"))
        for lang in defaults.findall(qn("w:lang")):
            defaults.remove(lang)
        defaults.append(self._lang(self.report.frame.language))

    def _blocks(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            match block:
                case Heading():
                    self.level = max(1, block.level - self.raised)
                    self._heading(block.text, self.level)
                case Paragraph():
                    color = {"muted": _MUTED, "warning": _MARKS["warn"]}.get(block.tone)
                    self._run(self.document.add_paragraph(), block.text, color=color)
                case Warnings():
                    self._warnings(block)
                case Figures():
                    cells = tuple(Cell(number, words, mark) for number, words, mark in block.items)
                    self._table((), (100 // len(cells),) * len(cells), (cells,), large=True)
                case Facts():
                    rows = tuple((Cell(name), Cell(value)) for name, value in block.rows)
                    self._table((), (26, 74), rows, heads=True)
                case Table():
                    self._table(block.columns, block.widths, block.rows)
                case Bullets():
                    for item in block.items:
                        self._run(self.document.add_paragraph(style="List Bullet"), item)
                case StatementBlock():
                    self._statement(block)

    def _heading(self, text: str, level: int) -> Any:
        made = self.document.add_paragraph(style=f"Heading {level}")
        self._run(made, text)
        return made

    def _warnings(self, block: Warnings) -> None:
        made = [self.document.add_paragraph()]
        self._run(made[0], block.title, color=_MARKS["warn"], bold=True)
        for item in block.items:
            made.append(self.document.add_paragraph(style="List Bullet"))
            self._run(made[-1], item)
        for one in made:
            self._edge(one, "left", _BARS["medium"], wide=True)
            one.paragraph_format.keep_together = True
        self._gap()

    def _gap(self) -> None:
        """Part what has a line along its side from what follows: Word joins the lines of neighbours."""
        from docx.shared import Pt

        made = self.document.add_paragraph()
        made.paragraph_format.space_after, made.paragraph_format.line_spacing = Pt(0), Pt(7)

    def _statement(self, block: StatementBlock) -> None:
        made = [self.document.add_paragraph()]
        # So that the heading, below, does not stand alone at the end of a page.
        made[0].paragraph_format.keep_with_next = True
        self._run(made[0], f"{block.number}", color=_MUTED, size=8.5)
        if block.label:
            self._run(made[0], " · ", color=_MUTED, size=8.5)
            self._run(made[0], block.label, color=_MARKS.get(block.mark, _MUTED), size=8.5, bold=True)
        self._run(made[0], " · ", color=_MUTED, size=8.5)
        self._run(made[0], f"[{block.lock}]", color=_LOCKS.get(block.lock, _INK), size=8.5, bold=True)
        self._run(made[0], f" {block.lock_words}", color=_MUTED, size=8.5)
        made[0].paragraph_format.space_after = 0
        made.append(self._heading(block.head, self.level + 1))
        made[-1].paragraph_format.space_before = 0
        if block.text:
            made.append(self.document.add_paragraph())
            self._run(made[-1], block.text)
        for quotation in block.quotations:
            made.append(self.document.add_paragraph(style="Quote"))
            self._run(made[-1], quotation.words)
            self._run(made[-1], f" ({quotation.place})", color=_MUTED, size=8.5, italic=False)
        for line in block.lines:
            made.append(self.document.add_paragraph())
            self._run(made[-1], f"{line.label}: ", color=_MARKS.get(line.mark, _MUTED), bold=True)
            self._run(made[-1], line.text)
        for one in made:
            self._edge(one, "left", _BARS.get(block.severity, _RULE), wide=True)
        self._gap()

    def _table(
        self,
        columns: Sequence[str],
        widths: Sequence[int],
        rows: Sequence[Sequence[Cell]],
        *,
        heads: bool = False,
        large: bool = False,
    ) -> None:
        """Write a table; `heads` says that its first column names its rows, `large` that it shows figures."""
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn
        from docx.shared import Pt, Twips

        made = self.document.add_table(rows=0, cols=len(widths))
        made.autofit = False
        for column, width in zip(made.columns, widths, strict=True):
            column.width = Twips(_WIDTH * width // 100)
        self._rules(made, box=large)
        listed: list[Sequence[Cell]] = [tuple(map(Cell, columns))] if columns else []
        for at, row in enumerate([*listed, *rows]):
            shown, is_head = made.add_row(), bool(columns) and at == 0
            properties = shown._tr.get_or_add_trPr()
            properties.append(OxmlElement("w:cantSplit"))
            if is_head:
                properties.append(OxmlElement("w:tblHeader"))
            for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
                target = shown.cells[place]
                target.width = Twips(_WIDTH * width // 100)
                first = target.paragraphs[0]
                first.paragraph_format.space_after = Pt(1)
                bold = is_head or large
                color = _MUTED if is_head or (heads and place == 0) else _MARKS.get(cell.mark)
                self._run(first, cell.text, color=color, size=15 if large else 9, bold=bold, url=cell.url)
                if cell.below:
                    below = target.add_paragraph()
                    below.paragraph_format.space_after = Pt(1)
                    self._run(below, cell.below, color=_MUTED, size=8)
        # Word wants a paragraph between two tables; it is also the distance to what follows.
        self.document.add_paragraph().paragraph_format.space_after = Pt(2)
        look = made._tbl.tblPr.find(qn("w:tblLook"))
        if look is not None:
            look.set(qn("w:firstRow"), "1" if columns else "0")
            look.set(qn("w:firstColumn"), "1" if heads else "0")

    def _rules(self, table: Any, *, box: bool) -> None:
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        borders = OxmlElement("w:tblBorders")
        sides = ("top", "left", "bottom", "right", "insideH", "insideV") if box else ("bottom", "insideH")
        for side in sides:
            rule = OxmlElement(f"w:{side}")
            for name, value in (("val", "single"), ("sz", "4"), ("space", "0"), ("color", _RULE)):
                rule.set(qn(f"w:{name}"), value)
            borders.append(rule)
        margins = OxmlElement("w:tblCellMar")
        for side, width in (("top", 50), ("left", 80 if box else 0), ("bottom", 40), ("right", 140)):
            margin = OxmlElement(f"w:{side}")
            margin.set(qn("w:w"), str(width))
            margin.set(qn("w:type"), "dxa")
            margins.append(margin)
        after = ("w:tblLook", "w:tblCaption", "w:tblDescription")
        table._tbl.tblPr.insert_element_before(borders, "w:shd", "w:tblLayout", "w:tblCellMar", *after)
        table._tbl.tblPr.insert_element_before(margins, *after)

    def _run(
        self,
        paragraph: Any,
        text: str,
        *,
        color: str | None = None,
        size: float | None = None,
        bold: bool | None = None,
        italic: bool | None = None,
        url: str | None = None,
    ) -> None:
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn
        from docx.shared import Pt, RGBColor

        run = paragraph.add_run(text)
        run.bold, run.italic = bold, italic
        if size is not None:
            run.font.size = Pt(size)
        if color is not None:
            run.font.color.rgb = RGBColor.from_string(color.upper())
        if self.language != self.report.frame.language:
            run._r.get_or_add_rPr().append(self._lang(self.language))
        if url is not None:
            relation = paragraph.part.relate_to(url, _HYPERLINK, is_external=True)
            link = OxmlElement("w:hyperlink")
            link.set(qn("r:id"), relation)
            run.underline = True
            paragraph._p.remove(run._r)
            link.append(run._r)
            paragraph._p.append(link)

    def _lang(self, language: Language) -> Any:
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        made = OxmlElement("w:lang")
        made.set(qn("w:val"), _LANGUAGES.in_(language))
        return made

    def _number(self, paragraph: Any, field: str) -> None:
        """Append a field that Word counts itself: the page, or how many there are."""
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        made = OxmlElement("w:fldSimple")
        made.set(qn("w:instr"), field)
        self._run(paragraph, "1", color=_MUTED, size=7.5)
        run = paragraph._p[-1]
        paragraph._p.remove(run)
        made.append(run)
        paragraph._p.append(made)

    def _edge(self, paragraph: Any, side: str, color: str | None, *, wide: bool = False) -> None:
        """Draw a line along a side of a paragraph."""
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        borders, rule = OxmlElement("w:pBdr"), OxmlElement(f"w:{side}")
        values = {"val": "single", "sz": "18" if wide else "12", "space": "8" if wide else "6"}
        for name, value in {**values, "color": (color or _RULE).upper()}.items():
            rule.set(qn(f"w:{name}"), value)
        borders.append(rule)
        properties = paragraph._p.get_or_add_pPr()
        properties.insert_element_before(
            borders, "w:shd", "w:tabs", "w:suppressAutoHyphens", "w:spacing", "w:ind", "w:contextualSpacing",
            "w:jc", "w:outlineLvl", "w:rPr", "w:sectPr", "w:pPrChange",
        )  # fmt: skip
        if wide:
            paragraph.paragraph_format.left_indent = max(paragraph.paragraph_format.left_indent or 0, 150_000)

    def _logo(self, paragraph: Any) -> None:
        from docx.shared import Mm

        assert self.letterhead.logo is not None
        picture = base64.b64decode(self.letterhead.logo.partition(",")[2])
        shape = paragraph.add_run().add_picture(io.BytesIO(picture), height=Mm(14))
        if shape.width > Mm(80):
            shape.width, shape.height = Mm(80), int(shape.height * Mm(80) / shape.width)
        described = shape._inline.docPr
        described.set("descr", self.letterhead.name)
        described.set("name", "Logo")


_HYPERLINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
