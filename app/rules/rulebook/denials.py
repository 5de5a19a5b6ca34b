"""Tell whether a negation denies the words that a rule found, in the language of the document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from app.rules.document import Document, Span
from app.text.tongues import Tongue

# Words between a negation and what it denies: "no se le podra exigir", "sin que se haya utilizado".
_SMALL_WORDS = (
    rb"se|me|te|les?|los?|las?|nos|os|han?|he|hemos|hay|hayan?|hayamos|habran?|hubo|es|son|sera|seran|fue|"
    rb"fueron|sean?|sido|eran?|estan?|estaban?|estuvo|este|cabe|cabra|proceden?|procedera|existen?|existiran?|"
    rb"constan?|podra|podran|podre|podremos|pueden?|puedan?|debera|deben?|tienen?|tendra|del?|el|una?|al?|en|"
    rb"por|como|sus?|otr[oa]s?|util[a-z]+|emple[a-z]+|usad[oa]s?|usa|pactan?|invo(?:ca|que)n?|toma|percibira|"
    rb"obliga|quiere|quedan?|quedara|autorizad[oa]|dara|lugar|vaya|supone|implica|solicita|piden?|aplica|exige|"
    rb"impone|admite|prestad[oa]|considera|aprecia|concurren?|reprocha|imputa|fijan?|facultan?|actua|be|been|is|"
    rb"are|has|have|to|the|a|any|will|shall|may|must"
)
# A negation right before some words says the opposite of them; one that sets a condition does not.
_DENIED = re.compile(
    rb"\b(?<!\bsi )(?<!\bde )(?<!\bpor )(?<!\bsalvo que )(?<!\bmientras )(?<!\bcuando )(?<!\bhasta que )"
    rb"(no|ni|nunca|jamas|tampoco|nada de|en ningun caso|bajo ningun concepto|sin|sin que|nadie|ningun|"
    rb"ninguna|lejos de|en vez de|en lugar de|not|never|nor|without|no one)\s+((?:"
    + _SMALL_WORDS
    + rb"),?\s+){0,5}\Z"
)
# What an exception provides is denied with the verb before it too: "no se pagará indemnización alguna".
_EXCEPTION_DENIED = re.compile(
    rb"\b(?<!\bsi )(?<!\bde )(?<!\bpor )(?<!\bsalvo que )(?<!\bmientras )(?<!\bcuando )(?<!\bhasta que )"
    rb"(no|ni|nunca|jamas|tampoco|sin|sin que|ningun|ninguna)\s+((?:"
    + _SMALL_WORDS
    + rb"|ello|(?:pag|abon|percib|recib|entreg|prev|contempl|inclu|ofrec|conced|hec|hac|hiz|necesit|reserv"
    rb"|figur|adjunt|acompan|emit|indic|facilit)[a-z]*"
    rb"),?\s+){0,6}\Z"
)
_DENIAL_REACH = 70  # characters
# Spanish denies twice: "no tiene nada que reclamar".
_DENIES_ITSELF = re.compile(rb"(no|ni|nada|nadie|ningun[ao]?|nunca|jamas|tampoco|sin|not|nothing|never)\b")
# In other languages: the negation, words that make a condition of it ("se não", "wenn nicht"), those between.
_ABROAD: Final[Mapping[Tongue, re.Pattern[bytes]]] = {
    "pt": re.compile(
        rb"\b(?<!\bse )(?<!\bcaso )(?<!\benquanto )(?<!\bquando )(?<!\bsalvo se )"
        rb"(nao|nem|sem|nunca|jamais|tampouco|nenhum|nenhuma)\s+((?:se|lhes?|o|a|os|as|um|uma|de|do|da|dos|das|em"
        rb"|por|que|e|sao|foi|sera|serao|seja|sejam|ha|havera|pode|podem|podera|poderao|deve|devem|devera"
        rb"|qualquer|haja|houver|implica|constitui|importa),?\s+){0,5}\Z"
    ),
    "fr": re.compile(
        rb"\b(?<!\bs'il )(?<!\bsi )(?<!\btant que )"
        rb"(?:(?:ne|n')\s?|(?:pas|sans|ni|aucun|aucune|jamais|nullement)\s+)((?:ne|pas|se|s'|le|la|les|l'|lui|en|y|un|une|de"
        rb"|du|des|d'|que|peut|peuvent|pourra|pourront|doit|doivent|devra|est|sont|sera|seront|soit|a|ait|aura"
        rb"|etre|avoir|ete|autre|comporte|emporte|vaut),?\s*){0,6}\Z"
    ),
    "it": re.compile(
        rb"\b(?<!\bse )(?<!\bqualora )(?<!\bfinche )(?<!\bsalvo che )"
        rb"(non|senza|nessun|nessuna|nessuno|neppure|nemmeno)\s+((?:si|gli|le|lo|la|il|i|un|una|di|del|della|dei|che"
        rb"|e|sono|sara|saranno|sia|siano|ha|abbia|puo|possono|potra|potranno|deve|devono|dovra|alcun|alcuna"
        rb"|essere|stato|stata|comporta|costituisce|implica),?\s+){0,5}\Z"
    ),
    "de": re.compile(
        rb"\b(?<!\bwenn )(?<!\bsoweit )(?<!\bsofern )(?<!\bsolange )"
        rb"(nicht|kein|keine|keinen|keiner|keinem|keines|ohne|weder|noch|niemals)\s+((?:der|die|das|den|dem|des|ein"
        rb"|eine|einen|einer|zu|zur|zum|auf|von|vom|im|in|mit|durch|fur|darf|durfen|kann|konnen|wird|werden|ist"
        rb"|sind|hat|jede|jeden|gesonderte|weitere),?\s+){0,4}\Z"
    ),
}
_ABROAD_DENIES_ITSELF: Final = re.compile(
    rb"(nao|nem|sem|nunca|jamais|nenhuma?|ne|n'|pas|sans|ni|aucune?|non|senza|nessun[oa]?|nicht|kein[a-z]*|ohne"
    rb"|weder|noch|niemals|rien|plus|nulla|nada)\b"
)
# French denies in two words: a rule that names the second condemns the denial, "ne paie pas les heures".
_SECOND_HALF: Final = re.compile(rb"\b(pas|rien|plus|aucune?|jamais)\b")


def denied(document: Document, span: Span, sentence: Span, *, exception: bool = False) -> bool:
    """Tell whether a negation of the same sentence stands right before some words.

    Args:
        document: the document.
        span: the words.
        sentence: the sentence that they stand in.
        exception: whether they are an exception of a rule, which the verb before it denies as well.
    """
    start = max(sentence.start, span.start - _DENIAL_REACH)
    abroad = _ABROAD.get(document.source.tongue)
    itself = _DENIES_ITSELF if abroad is None else _ABROAD_DENIES_ITSELF
    if itself.match(document.folded, span.start, span.end) is not None:
        return False
    if _SECOND_HALF.search(document.folded, span.start, span.end) is not None and abroad is _ABROAD["fr"]:
        return False
    negation = abroad or (_EXCEPTION_DENIED if exception else _DENIED)
    return negation.search(document.folded, start, span.start) is not None
