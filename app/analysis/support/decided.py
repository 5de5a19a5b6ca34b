"""Judge whether a passage of a judgment says what a statement says that the court decided. Pure.

Source: decision 131. A judgment is long, its loaded lines end where the page did, and it tells what parties
asked and lower courts held as well as what it decides: a claim is held against runs of sentences, nearly all
of its words must stand in one, and not in the mouth of a party.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from app.analysis.support.article_claim import ArticleClaim
from app.analysis.support.claim_parts import is_told, parts_of
from app.analysis.support.law_claim import Window, window_of
from app.analysis.support.phrases import LESS, MORE
from app.analysis.support.words import Value
from app.text.sentences import fold

# A line of a page goes on in the next, unless a sentence ends with it or the next is a heading or an item.
_WRAPPED: Final = re.compile(r"(?<=[^\s.:;])[ \t]*\n(?=[ \t]*[^\s\d(«\"-])")
_SENTENCE: Final = re.compile(r"(?<=[a-z0-9áéíóúñ)»”\"%])[.;](?=\s+[«\"“(]?[A-ZÁÉÍÓÚÑ0-9])|\n+")
# What a party, a lower court or the law says in a judgment is not what the judgment decides.
_OTHERS: Final = re.compile(
    r"\b(?:aleg[ao]n?|alegab?[ae]n?|alegacion(?:es)?|sostiene[n]?|sostuvo|denuncia[n]?|solicit[ao]n?"
    r"|solicitaba[n]?|pretende[n]?"
    r"|pretension(?:es)?|interes[ao]ba|interpus[oi]\w*|demand[ao] (?:solicit|interes)\w*|recurrente[s]?"
    r"|recurrida"
    r"|(?:el|al) ministerio fiscal|voto particular|(?:the )?appellant|claimant argued|el (?:juzgado"
    r"|magistrado)"
    r"|sentencia de (?:contraste|instancia|suplicacion)|sentencia (?:de contraste|referencial)"
    r"|dicha sentencia"
    r"|hechos? probados?|consta(?:n|ba)? (?:en|que)|direccion provincial|resolucion administrativa"
    r"|se resolvio|(?:en|con) fecha"
    r"|inicio la|inicia[n]?|causo baja|cuestion que se)\b"
)
# Names of the court and of the judgment, and verbs of deciding.
_FRAME: Final = re.compile(
    r"\b(?:(?:el|la|the) )?(?:tribunal supremo|supremo|supreme court|alto tribunal|corte constitucional"
    r"|sala(?: de lo \w+| \w+)?"
    r"|sentencia|judgment|order|auto|resolucion|sts|ats)\b"
    r"|\b(?:declar[oa]|entiend[eo]|entendio|aprecia|aprecio|considera|considero|resolvio|resuelve|decidio"
    r"|decide|razona|razono|concluye"
    r"|concluyo|held|holds|found|ruled|recalled|recuerda|recordo|upheld|decided)\b"
)
# "Invocada por el comité": how the judgment came into the document.
_INVOKED: Final = re.compile(
    r",\s*(?:que )?(?:invoc|cit|alegad|quoted|cited|invoked|relied on)\w*\s(?:por |by )?(?:el |la |los "
    r"|las |the )?[\w ]{3,30},"
)
_LEAD: Final = re.compile(
    r"^[\s,;.()]*(?:(?:y|e|pero|aunque|and|but|while|whereas|segun|in|en)\b[\s,]*)*(?:(?:its|su|la|el"
    r"|the)\b\s*)?(?:que|that)?\b"
)
_DATE: Final = re.compile(
    r",?\s*\b(?:de|of|del)? ?\d{1,2}(?: de| of)? (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto"
    r"|septiembre|octubre|noviembre"
    r"|diciembre|january|february|march|april|may|june|july|august|september|october|november"
    r"|december)\b(?:,? (?:de |of )?\d{4})?",
)
# The question that a judgment answers, where its last part begins, and what is declared there.
_QUESTION: Final = re.compile(
    r"\b(?:la )?cuestion (?:que se (?:plantea|suscita)|planteada|suscitada|controvertida|debatida) .{0,90}?"
    r"(?:determinar|decidir|resolver|si)\b|\bthe (?:question|issue) (?:is|raised|before us)"
)
_OPERATIVE: Final = re.compile(r"\b(?:F A L L O|FALLO|FALLAMOS|ACUERDA|PARTE DISPOSITIVA)\b|\bha decidido\b")
_DECLARED: Final = re.compile(r"\b(?:declarando|declarar|declaramos|se declara) que\b")
_WIDE: Final = re.compile(
    r"\b(?:tod[oa]s?|siempre|nunca|jamas|cualquiera?|ningun[ao]?|every|any|all|always|never|no)\b"
)
_RUN, _LONGEST_RUN, _TRIED, _READ = 3, 800, 4, 12
_ROOT, _FEWEST, _SHARE = 5, 2, 0.34


def decides(claim: str, own: str, text: str, document: Sequence[Value], title: str) -> Window | None:
    """Return the passage of a judgment that says what a claim says of it, `None` where there is none.

    Args:
        claim: what is said, the judgment written `lexcit`.
        own: the words of the document that the statement quotes.
        text: the judgment.
        document: the values of the document.
        title: its first words.
    """
    of_document, of_court = parts_of(claim)
    if of_court and own and not is_told(of_document, own):
        return None
    said = _FRAME.sub(" ", _DATE.sub(" ", _INVOKED.sub(" ", fold(of_court or claim)))).replace("lexcit", " ")
    law = ArticleClaim(_LEAD.sub("", said), document, title)
    if len(law.content) <= _FEWEST:
        return None
    runs = sorted(
        ((window_of(one), ordered) for one, ordered in _runs(text, law)), key=lambda one: -law.shared(one[0])
    )
    wide = set(_WIDE.findall(law.folded))
    for one, ordered in runs[:_TRIED]:
        folded = fold(one.text)
        if (
            (ordered or _OTHERS.search(folded) is None)
            and _compares(law.folded) == _compares(folded)
            and wide <= set(_WIDE.findall(folded))
            and not law.new_words(one)
            and law.is_covered(one)
            and law.restates(one, ())
        ):
            return one
    return None


def _compares(folded: str) -> tuple[bool, bool]:
    return LESS.search(folded) is not None, MORE.search(folded) is not None


def _runs(text: str, law: ArticleClaim) -> list[tuple[str, bool]]:
    """Return the runs of sentences with most words of the claim, and whether the court orders them.

    The answer stands beside its question where the judgment has both.
    """
    sentences = [
        one.strip() for one in _SENTENCE.split(_WRAPPED.sub(" ", text)) if one and len(one.strip()) > _ROOT
    ]
    folded = [fold(one) for one in sentences]
    last = max((at for at, one in enumerate(sentences) if _OPERATIVE.search(one)), default=len(sentences))
    roots = {token.text[:_ROOT] for token, _ in law.content if len(token.text) >= _ROOT}
    found: list[tuple[int, str, bool]] = []
    for at in range(len(sentences)):
        for length in range(1, _RUN + 1):
            run = " ".join(folded[at : at + length])
            count = sum(root in run for root in roots)
            if len(run) <= _LONGEST_RUN and count >= max(_FEWEST, _SHARE * len(roots)):
                found.append((count, ". ".join(sentences[at : at + length]), at >= last))
    found.sort(key=lambda one: (-one[0], len(one[1])))
    answered = _answer(folded, last)
    return [*([(answered, True)] if answered else []), *((run, ordered) for _, run, ordered in found[:_READ])]


def _answer(folded: Sequence[str], last: int) -> str:
    """Return the question that a judgment answers, with what its last part declares; "" where one lacks."""
    asked = next((found for one in folded[:last] if (found := _QUESTION.search(one))), None)
    declared = next((found for one in folded[last:] if (found := _DECLARED.search(one))), None)
    if asked is None or declared is None:
        return ""
    return f"{asked.string[asked.end() :]}. {declared.string[declared.start() :]}"
