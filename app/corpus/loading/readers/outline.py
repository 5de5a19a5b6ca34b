"""Build articles from headings and paragraphs: the same for every format that has headings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from app.citations import SOLE, heading_without_content, provisions_opened
from app.corpus.loading.records import ArticleText, Wording

# Levels of Markdown: five and six open provisions, those above are the divisions of the law.
_PROVISION_LEVEL = 5
_DISPOSITION = re.compile(r"d[atfd]\d.*")
# A paragraph that is bold from end to end: emphasis of the publisher's page, not of the law.
_BOLD = re.compile(r"^\*\*([^*\n]+)\*\*$", re.MULTILINE)
_BLANK = re.compile(r"\n{3,}")


class Outline:
    """Collector of the provisions of one norm, in order.

    `divide` notes a title, chapter or section, `open` a heading that may open a provision, `add` a paragraph.
    `loose` counts the paragraphs that stand in no provision (preambles, signatures).
    """

    def __init__(self, wording: Callable[[str], Wording] = Wording) -> None:
        """Begin the outline of one norm."""
        self._wording = wording
        self._path: list[tuple[int, str]] = []
        self._open: tuple[tuple[str, ...], str | None, tuple[str, ...], bool] | None = None
        self._paragraphs: list[str] = []
        self._done: list[ArticleText] = []
        self.loose = 0

    def divide(self, level: int, heading: str) -> None:
        """Begin a division; a provision that was open ends."""
        self._close()
        heading = heading.strip().strip("*").strip()
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        if heading:
            self._path.append((level, heading))

    def open(self, heading: str) -> bool:
        """Tell whether `heading` opens a provision; if so, what follows belongs to it."""
        found = provisions_opened(heading, self._path[-1][1] if self._path else "")
        if found is None:
            return False
        self._close()
        path = tuple(words for _, words in self._path)
        if _DISPOSITION.fullmatch(found.numbers[0]) and not (path and "isposici" in path[-1].lower()):
            path = ()  # it stands after the last chapter, not in it
        self._open = (found.numbers, found.rubric, path, heading_without_content(heading))
        return True

    def add(self, paragraph: str) -> None:
        """Add a paragraph, or an empty line."""
        if self._open is not None:
            self._paragraphs.append(paragraph)
        elif paragraph.strip():
            self.loose += 1

    def finish(self) -> tuple[ArticleText, ...]:
        """Return every provision.

        Those with the same number are told apart, and a sole article gets the number by which it is cited.
        """
        self._close()
        numbers = {article.number for article in self._done}
        seen: dict[str, int] = {}
        finished: list[ArticleText] = []
        for article in self._done:
            number = "1" if article.number == SOLE and "1" not in numbers else article.number
            seen[number] = seen.get(number, 0) + 1
            finished.append(replace(article, number=number, occurrence=seen[number], place=len(finished) + 1))
        return tuple(finished)

    def _close(self) -> None:
        if self._open is None:
            return
        numbers, rubric, path, empty = self._open
        text = _BOLD.sub(r"\1", _BLANK.sub("\n\n", "\n".join(self._paragraphs)).strip())
        text = text or ("(Sin contenido)" if empty else rubric or "")
        for number in numbers:
            self._done.append(ArticleText(number, (self._wording(text),), 0, rubric, path))
        self._open, self._paragraphs = None, []


def read_markdown(written: str, outline: Outline) -> None:
    """Fill `outline` from Markdown whose articles are headings of level five, or from plain text.

    Plain text has its articles on lines of their own ("Artículo 6"), the line after the first being the
    heading, as EUR-Lex prints them.
    """
    headed = bool(re.search(r"^#{5,6} ", written, re.MULTILINE))
    divisions = re.compile(
        r"(?:TÍTULO|CAPÍTULO|SECCIÓN|Sección|Capítulo|Título|LIBRO|Libro)\s+[\wÁÉÍÓÚª.º]+\W*"
    )
    alone = re.compile(r"Art[íi]culo\s+\d+(?:\s(?:bis|ter|quater))?\.?\s*")
    capitals = re.compile(r"DISPOSICION(?:ES)? (?:ADICIONAL|TRANSITORIA|FINAL|DEROGATORIA)(?:ES|S)?\.?")
    pending: str | None = None
    started = False
    for line in written.split("\n"):
        line = line.replace("\u00a0", " ").rstrip()
        mark = re.match(r"(#{1,6}) (.*)$", line)
        if mark:
            level, words = len(mark[1]), mark[2]
            if level >= _PROVISION_LEVEL or (
                provisions_opened(words) is not None and "nexo" in words.lower()[:6]
            ):
                if outline.open(words):
                    continue
                outline.add(words)
            elif not headed and outline.open(words):
                continue
            elif level == 1 or "=" in words:
                # The title of the law again, or a formula that a converter took for a heading.
                outline.add(words if started else "")
            else:
                outline.divide(level, words)
            started = True
        elif capitals.fullmatch(line.strip()):
            outline.divide(4, line.strip())
        elif not headed and alone.fullmatch(line.strip()):
            pending = line.strip().rstrip(".")
        elif not headed and divisions.fullmatch(line.strip()):
            outline.divide(2 if line.strip()[:2].upper() in ("TÍ", "LI") else 3, line.strip())
        elif pending is not None and line.strip():
            rubric = line.strip() if len(line.strip()) < 200 and not re.match(r"\d+\.", line.strip()) else ""
            outline.open(f"{pending}. {rubric}")
            if not rubric:
                outline.add(line)
            pending = None
        else:
            outline.add(line)
    if pending is not None:
        outline.open(pending)
