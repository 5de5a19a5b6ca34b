"""Read from what a period runs: "desde la notificación", "after receipt of the invoice"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from app.rules.facts.keyword_index import KeywordMatcher, vocabulary
from app.rules.facts.time.dates import DateMention
from app.rules.facts.time.durations import Length
from app.text.expressions import compiled, group_span
from app.text.sentences import FoldedText, fold

TriggerKind = Literal[
    "date", "notification", "signature", "start", "invoice", "delivery", "receipt", "termination", "request",
    "other",
]  # fmt: skip
DatesIn = Callable[[int, int], Sequence[DateMention]]

_TRIGGER: Final = compiled(
    r"^,? ?(?P<words>(?:(?:a )?conta(?:r|d[oa]s?)|siguientes?|posterior(?:es)?|computad[oa]s?|a partir"
    r"|desde|despues|tras|antes de|anteriores|before|from|after|following|upon|"
    r"of (?:the )?(?:receipt|date|notice|invoice|service|delivery|signature|termination)|starting"
    r"|commencing|beginning|as of|counted|"
    r"de (?:la|su) (?:notificacion|recepcion|firma|entrega|factura|fecha))\b[^.,;:\n)]{0,120})"
)
_KINDS: Final = KeywordMatcher[TriggerKind](vocabulary("keywords.toml", "trigger_kinds"))
_OF_ANOTHER: Final = compiled(
    r"\b(?:firma|suscripcion|otorgamiento|formalizacion|inicio|comienzo|signature|signing|execution"
    r"|commencement|start)"
    r" (?:del?|de la|de las?|de los|of|of the|by) (?:presente |este |esta |said |this |the )?"
    r"(?:acta|obras?|escritura|hipoteca|anexo|cesion|trabajos|ejercicio|curso|campana|proyecto"
    r"|servicio militar"
    r"|works?|deed|project|mortgage|annex|order|sow|statement)\b"
)
# Where the words from which a period runs stop and another provision begins.
_NEXT: Final = compiled(r" (?:and|or|unless|provided|shall|salvo|siempre|sin que|prorrog\w{1,8}|y) ")
_UNTIL: Final = compiled(r"\b(?:hasta|until|till|al?|to) (?:el |the )?(?:dia )?$")
_EVENTS: Final = frozenset(("notification", "receipt", "delivery", "invoice", "termination", "request"))


@dataclass(frozen=True, slots=True)
class Trigger:
    """The words from which a period runs, where they end, their sense, and the date they name if any."""

    words: str
    end: int
    kind: TriggerKind
    names: DateMention | None

    @property
    def of_another(self) -> bool:
        """Tell whether it is the signature or the start of something other than the document itself."""
        return self.kind in {"signature", "start"} and _OF_ANOTHER.search(fold(self.words)) is not None


def read_trigger(source: FoldedText, length: Length, dates_in: DatesIn) -> Trigger | None:
    """Return the words right after `length` from which it runs; `dates_in` gives the dates of a stretch."""
    match = _TRIGGER.match(source.after(length.end, 160))
    if match is None:
        return None
    first, last = (length.end + offset for offset in group_span(match, "words"))
    names = next((item for item in dates_in(first, last) if item.iso), None)
    if names is not None and _UNTIL.search(source.folded[first : names.start]) is not None:
        names = None  # "desde hoy hasta el 31 de mayo": the day on which it ends
    following = _NEXT.search(source.folded[first:last])
    if following is not None and (names is None or first + following.start() < names.start):
        last, names = first + following.start(), None
    elif names is not None:
        last = names.end
    words = source.text[first:last].rstrip()
    kind = _kind(source.folded[first : names.start if names is not None else last])
    if names is not None and kind in _EVENTS:
        names = None  # "desde la notificación de la sentencia de 4 de mayo": not the day of the notification
    elif names is not None:
        kind = "date"
    return Trigger(words, first + len(words), kind, names)


def _kind(words: str) -> TriggerKind:
    cue = _KINDS.find(words).after(0, len(words))
    return cue[0] if cue else "other"
