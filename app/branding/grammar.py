"""Replace a name in a sentence so that the sentence stays grammatical, in Spanish and English. Pure.

The name is replaced by a common noun with the article that its position needs: "de X" becomes "del servicio",
"X's" becomes "the service's". Removing the name would break nearly every sentence that contains it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.text.bilingual import Language, pick

# How much text before a name is looked at; enough for an article, an adjective and a noun.
LOOK_BACK = 60

_OPEN = r"(?P<open>[*_`\"“«'‘(\[]*)"
_BLANK = r"[ \t\u00a0]*(?:\r?\n)?[ \t\u00a0]*"
_GAP = rf"(?:[ \t\u00a0]|(?:\r?\n)){_BLANK}"

# Nouns that say what a product is: the name after them is an apposition, and goes without a trace.
_KINDS = {
    "es": r"plataforma|servicio|sistema|motor|herramienta|aplicación|programa|software|producto|asistente|"
    r"marca|empresa|sociedad|compañía|proveedor|portal|API",
    "en": r"platform|service|system|engine|tool|application|app|software|product|assistant|brand|company|"
    r"vendor|provider|portal|API",
}
_APPOSED = {
    language: re.compile(rf"(?<![^\W_])(?:{words}){_GAP}{_OPEN}\Z", re.IGNORECASE)
    for language, words in _KINDS.items()
}
_PAPERS = re.compile(
    rf"(?<![^\W_])(?P<paper>informe|análisis|dictamen|auditoría|resultado|revisión)(?P<gap>{_GAP}){_OPEN}\Z",
    re.IGNORECASE,
)
_ES_DETERMINER = re.compile(
    r"(?<![^\W_])(?P<word>de la|a la|de las|a las|de los|a los|de el|a el|de|a|del|al|el|la|los|las|un|una|"
    r"unos|unas|este|esta|estos|estas|ese|esa|esos|esas|aquel|aquella|nuestro|nuestra|nuestros|nuestras|su|sus|"
    r"mi|tu|cada|otro|otra|otros|otras|ningún|ninguna|algún|alguna|propio|propia|nuevo|nueva|mismo|misma)"
    rf"(?P<gap>{_GAP}){_OPEN}\Z",
    re.IGNORECASE,
)
_EN_DETERMINER = re.compile(
    r"(?<![^\W_])(?P<word>an|a|the|this|that|these|those|our|your|their|its|his|her|my|each|every|any|no|some|"
    rf"new|own|same|entire|current|latest|official)(?P<gap>{_GAP}){_OPEN}\Z",
    re.IGNORECASE,
)
# Between a determiner and a name: what can only be said of the name. Words in -ed, -ous, -ful and -less are
# adjectives there; of other endings ("the agreement X drew up", "a proposal X made") only known ones are.
_NARROW = r"[ \t\u00a0\r\n]{1,3}"
_EN_ADJECTIVE = (
    r"(?:[a-z]{2,}-)?(?:[a-z]{2,}[^\We_]ed|[a-z]{3,}(?:ous|ful|less)|[a-z]+-(?:driven|known|made|proven|built)|"
    r"AI|best|better|bigger|brilliant|certain|clever|different|digital|excellent|external|fast(?:er)?|fine|"
    r"first|former|free|full|good|great|honest|independent|intelligent|internal|large[rst]*|last|legal|modern|"
    r"new(?:er|est)?|next|normal|old(?:er|est)?|only|original|other|particular|plain|present|previous|real|"
    r"recent|reliable|same|second|simple|single|smart|special|standard|typical|underlying|unusual|usual|very|"
    r"whole|own|entire|current|latest|official)"
)
_EN_QUALIFIED = re.compile(
    r"(?<![^\W_])(?:an|a|the|this|that|these|those|our|your|their|its|his|her|my|each|every|any|no|some)"
    rf"{_NARROW}(?:(?:[a-z]+ly{_NARROW})?{_EN_ADJECTIVE}(?:,|,?{_NARROW}(?:and|or|but|yet))?{_NARROW})"
    rf"{{1,3}}[*_`\"“«'‘(\[]*\Z",
    re.IGNORECASE,
)
# Spanish adjectives that go before what they are said of, and their articles: both agree with it.
_ES_QUALIFIED = re.compile(
    r"(?<![^\W_])(?P<word>de la|a la|del|al|el|la|una?|est[ea]|es[ea]|aquel|aquella|nuestr[oa]|su|mi|tu)"
    rf"(?P<gap>{_NARROW})(?P<adjective>actual|anterior|célebre|excelente|gran|mejor|peor|potente|presente|"
    r"(?:antigu|citad|conocid|denominad|futur|llamad|mencionad|mism|modern|nuev|prestigios|propi|referid|"
    rf"reputad|segund|supuest|últim|únic|verdader)(?P<ending>[oa]))(?P<then>{_NARROW}){_OPEN}\Z",
    re.IGNORECASE,
)
_ARTICLE_A = re.compile(rf"(?<![^\W_])(?P<word>an?)(?P<gap>{_GAP}){_OPEN}\Z", re.IGNORECASE)
_AND_OR = re.compile(rf"(?<![^\W_])(?P<word>[yo])(?P<gap>{_GAP}){_OPEN}\Z", re.IGNORECASE)
_SENTENCE_START = re.compile(
    r"(?:(?:\A|\n)[ \t]*(?:(?:[-*+>]|#{1,6}|\d+[.)])[ \t]+)?|[.!?…]['\"”»*_)]{0,4}\s+)[¿¡*_`\"“«'‘(\[]*\Z"
)
_PREFIX = re.compile(r"[^\W_]-\Z")

_MASCULINE = {
    "la": "el", "las": "los", "una": "un", "unas": "unos", "esta": "este", "estas": "estos", "esa": "ese",
    "esas": "esos", "aquella": "aquel", "nuestra": "nuestro", "nuestras": "nuestros", "otra": "otro",
    "otras": "otros", "ninguna": "ningún", "alguna": "algún", "propia": "propio", "nueva": "nuevo",
    "misma": "mismo",
    "de": "del", "a": "al", "de la": "del", "a la": "al", "de el": "del", "a el": "al",
    "de las": "de los", "a las": "a los",
}  # fmt: skip
_PLURAL_OF = {
    "de": "de los", "a": "a los", "del": "de los", "al": "a los", "de la": "de los", "a la": "a los",
    "el": "los", "la": "los", "un": "unos", "una": "unos", "este": "estos", "esta": "estos", "ese": "esos",
    "esa": "esos",
}  # fmt: skip
_SINGULAR_OF = {
    "los": "el", "las": "el", "unos": "un", "unas": "un", "estos": "este", "estas": "este", "esos": "ese",
    "esas": "ese", "nuestros": "nuestro", "nuestras": "nuestro", "otros": "otro", "otras": "otro",
    "de los": "del", "de las": "del", "a los": "al", "a las": "al",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NameForm:
    """A name as found: in the plural, with a possessive `'s`, in capitals."""

    plural: bool
    possessive: str
    capitals: bool


@dataclass(frozen=True, slots=True)
class Replacement:
    """A replacement of a name.

    `keep` characters of the text before the name stay; `text` replaces the rest and the name.
    """

    keep: int
    text: str


def common(
    before: str, form: NameForm, nouns: tuple[str, str], language: Language, at_start: bool
) -> Replacement:
    """Return the replacement of a name by a common noun.

    Args:
        before: The text before the name, up to `LOOK_BACK` characters.
        form: The form of the name.
        nouns: Singular and plural.
        language: Language of the sentence.
        at_start: True where the sentence begins within `before`.
    """
    write = pick(language, _spanish, _english)
    return write(before, form, nouns, at_start)


def proper(before: str, form: NameForm, name: str, language: Language) -> Replacement:
    """Return the replacement of a name by another; articles and conjunctions agree with its first sound."""
    found = pick(language, _AND_OR, _ARTICLE_A).search(before)
    if found is None:
        return Replacement(len(before), name + form.possessive)
    word = found["word"]
    initial = name.lstrip("¿¡*_`\"“«'‘([").casefold()
    if language == "en":
        fitting = "an" if initial[:1] in tuple("aeiouáéíóú") else "a"
    elif word.casefold() == "y":
        fitting = "e" if re.match(r"h?[ií](?![aeoáéó])", initial) else "y"
    else:
        fitting = "u" if re.match(r"h?[oó]", initial) else "o"
    written = _cased(fitting, word) + found["gap"] + found["open"] + name + form.possessive
    return Replacement(found.start(), written)


def starts_sentence(before: str) -> bool:
    """Return whether the text after `before` begins a sentence."""
    return _SENTENCE_START.search(before) is not None


def _spanish(before: str, form: NameForm, nouns: tuple[str, str], at_start: bool) -> Replacement:
    noun = nouns[1] if form.plural else nouns[0]
    if (apposed := _apposition(before, "es")) is not None:
        return apposed
    if found := _PAPERS.search(before):
        link = "de los " if form.plural else "del "
        return Replacement(found.end("gap"), found["open"] + _loud(link + noun, form))
    if not form.plural and (found := _ES_QUALIFIED.search(before)):
        word, adjective = found["word"], found["adjective"]
        plain = " ".join(word.casefold().split())
        if (found["ending"] or "").casefold() == "a":
            adjective = adjective[:-1] + ("O" if adjective.isupper() else "o")
        head = _cased(_MASCULINE.get(plain, plain), word) + found["gap"] + adjective + found["then"]
        return Replacement(found.start(), head + found["open"] + _loud(noun, form))
    if found := _ES_DETERMINER.search(before):
        word = found["word"]
        plain = " ".join(word.casefold().split())
        if form.plural:
            fitting = _PLURAL_OF.get(plain, _MASCULINE.get(plain, plain))
        else:
            single = _SINGULAR_OF.get(plain, plain)
            fitting = single if single != plain else _MASCULINE.get(plain, plain)
        head = _cased(fitting, word) + found["gap"] + found["open"]
        return Replacement(found.start(), head + _loud(noun, form))
    return _with_article(before, ("los " if form.plural else "el ") + noun, form, at_start)


def _english(before: str, form: NameForm, nouns: tuple[str, str], at_start: bool) -> Replacement:
    noun = nouns[1] if form.plural else nouns[0]
    possessive = ("'" if form.plural else form.possessive) if form.possessive else ""
    if not possessive and (apposed := _apposition(before, "en")) is not None:
        return apposed
    if found := _EN_DETERMINER.search(before):
        word = found["word"]
        fitting = ("an" if noun[:1] in "aeiou" else "a") if word.casefold() in ("a", "an") else word
        if form.plural and word.casefold() in ("a", "an"):
            fitting = "some"
        head = _cased(fitting, word) + found["gap"] + found["open"]
        return Replacement(found.start(), head + _loud(noun, form) + possessive)
    if _EN_QUALIFIED.search(before):
        return Replacement(len(before), _loud(noun, form) + possessive)
    written = _with_article(before, f"the {noun}", form, at_start)
    return Replacement(written.keep, written.text + possessive)


def _apposition(before: str, language: Language) -> Replacement | None:
    found = _APPOSED[language].search(before)
    if found is None or found["open"]:
        return None
    return Replacement(len(before.rstrip()), "")


def _with_article(before: str, words: str, form: NameForm, at_start: bool) -> Replacement:
    if _PREFIX.search(before):
        words = words.partition(" ")[2]
    if at_start:
        words = words[:1].upper() + words[1:]
    return Replacement(len(before), _loud(words, form))


def _loud(words: str, form: NameForm) -> str:
    return words.upper() if form.capitals else words


def _cased(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word
