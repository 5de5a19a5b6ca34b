"""The catalogue of translations: English in code and templates, Spanish in `translations/` (decision 064).

Catalogues are read from their `.po` files at first use, so that no compiling step is needed.
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from app.platform import settings
from app.text.bilingual import Language

if TYPE_CHECKING:
    from babel.support import NullTranslations, Translations

SOURCE: Language = "en"
CATALOGUES = settings.PROJECT / "translations"


@cache
def catalogue(language: Language) -> NullTranslations:
    """Return the translations of a language; English, the source, has none."""
    from babel.support import NullTranslations

    if language == SOURCE:
        return NullTranslations()
    return load_po(CATALOGUES / language / "LC_MESSAGES" / "messages.po")


def load_po(path: Path) -> Translations:
    """Load a `.po` file as translations, without a `.mo` file."""
    # Heavy, and most commands print no page.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po
    from babel.support import Translations

    with path.open("rb") as source:
        found = read_po(source, locale=path.parent.parent.name)
    binary = io.BytesIO()
    write_mo(binary, found)
    binary.seek(0)
    return Translations(binary)
