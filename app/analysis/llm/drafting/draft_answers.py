"""Read what node A answers about statements of its own draft, and the instructions of such a request."""

from __future__ import annotations

from app.platform.data_files import Entry, Filled, Texts
from app.text.bilingual import Language, pick


class _Texts(Entry):
    es: Texts
    en: Texts


class Instructions(Entry):
    """The version and the texts of the instructions of one kind of request."""

    version: Filled
    system: _Texts

    def in_(self, language: Language) -> str:
        """Return the instructions in the language of the answer."""
        return "\n".join(pick(language, self.system.es, self.system.en))


def place_of(name: str) -> int | None:
    """Return the place, from 0, of the statement that an answer names by its id (`s1`); `None` for none."""
    name = name.strip(" []")
    if name[:1] != "s" or not name[1:].isascii() or not name[1:].isdigit():
        return None
    return int(name[1:]) - 1
