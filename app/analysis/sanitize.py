"""Disarm foreign words before they stand in an answer. Pure.

A document, or a model's prose, cannot forge what only the verifier may issue (decision 017): a lock token,
an audit-trail marker, a link, a tag, a heading. Nor can it do so in disguise: everything is looked for in a
skeleton of the text, which is what a reader has after NFKC, without invisible characters and accents, with
entities, percent signs and Markdown's escapes decoded, and with letters that look alike made one. What is
found there is changed in the text itself; everything else stays as it was written.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from urllib.parse import unquote

from app.text import expressions
from app.text.bilingual import Bilingual, Language
from app.text.invisible import visible
from app.text.normalize import READER

LINK_REMOVED = Bilingual("(enlace retirado)", "(link removed)")
"""What stands where a model wrote an address. Round brackets: square ones could begin a link themselves."""

# Reading a skeleton again changes nothing after a few rounds, unless somebody meant it to.
_ROUNDS = 8
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _VisibleText:
    """The visible characters of a text. Character `i` stands for its `starts[i]` to `ends[i]`."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the text for a non-empty span of the skeleton."""
        return min(self.starts[start:end]), max(self.ends[start:end])


def _plain(text: str) -> _VisibleText:
    """Read every character of `text` as an eye takes it at a glance."""
    plain = READER.normalize(text)
    if plain.in_place:
        return _VisibleText(plain.text, range(len(text)), range(1, len(text) + 1))
    starts = plain.origins()
    return _VisibleText(plain.text, starts, [place + 1 for place in starts])


def _rewritten(
    skeleton: _VisibleText, pattern: re.Pattern[str], made: Callable[[re.Match[str]], str]
) -> _VisibleText:
    """Return the skeleton with each match read as `made` says; what is made stands for the whole match."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in pattern.finditer(skeleton.text):
        read = made(match)
        if read == match[0]:
            continue
        read = READER.fold(read)
        pieces += (skeleton.text[done : match.start()], read)
        starts += skeleton.starts[done : match.start()]
        ends += skeleton.ends[done : match.start()]
        start, end = skeleton.span(*match.span())
        starts += [start] * len(read)
        ends += [end] * len(read)
        done = match.end()
    if not done:
        return skeleton
    pieces.append(skeleton.text[done:])
    return _VisibleText("".join(pieces), [*starts, *skeleton.starts[done:]], [*ends, *skeleton.ends[done:]])


# No possessive quantifier: Python before 3.11.5 takes a wrong branch after one (CPython issue 106052).
_AMPERSANDS = r"&(?:amp;?|#0*38;?|#[xX]0*26;?)*"
_ENTITY = re.compile(_AMPERSANDS + r"(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]{1,31};?)?")
_LEADING_AMPERSANDS = re.compile(_AMPERSANDS)
_ESCAPE = re.compile(r"\\+([!-/:-@\[-`{-~])")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ANY_TAG = re.compile(r"<[A-Za-z/!?][^<>]{0,200}>")


def _decoded(match: re.Match[str]) -> str:
    return html.unescape(_LEADING_AMPERSANDS.sub("&", match[0]))


def _skeleton(text: str) -> _VisibleText:
    """Return what a reader has when nothing is left to decode, or after as many rounds as anybody decodes."""
    skeleton = _plain(text)
    for _ in range(_ROUNDS):
        before = skeleton.text
        if "&" in skeleton.text:
            skeleton = _rewritten(skeleton, _ENTITY, _decoded)
        if "\\" in skeleton.text:
            skeleton = _rewritten(skeleton, _ESCAPE, lambda match: match[1])
        if "%" in skeleton.text:
            skeleton = _rewritten(skeleton, _PERCENT, lambda match: unquote(match[0], errors="ignore"))
        if skeleton.text == before:
            break
    return skeleton


# A token is a bracket, an L and a figure, whatever signs stand between; the figure may be Roman or look like
# one.
_GAP = r"[^A-Za-z0-9\[\]]{0,12}"
_LOCK = re.compile(
    rf"\[{_GAP}L{_GAP}(?:"
    rf"[0-9](?:[^\[\]]{{0,24}}\]|(?![A-Za-z0-9]))"
    rf"|(?:IV|V|I{{1,3}}|[l!|])(?:{_GAP}[JVC]){{0,2}}{_GAP}(?:\]|\Z))",
    re.IGNORECASE,
)
_SIGN = r"[\s*_`~.]{0,6}"
_MARKER = re.compile(
    rf"AUDIT{_SIGN}-[-\s*_`~.]{{0,6}}TRAIL(?:{_SIGN}-[-\s*_`~.]{{0,6}}(BEGIN|END))?", re.IGNORECASE
)
_LINK = re.compile(r"\](?=[(:\[])")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_HEADING = re.compile(r"\s*(?:#{1,6}(?=\s|\Z)|`{3,}|~{3,})\s*")

# Schemes that open something without "//".
_SCHEMES = (
    r"(?:mailto|javascript|vbscript|data|file|blob|about|ftp|https?|wss?|skype|whatsapp|magnet|view-source)"
)
# Endings by which a name without a scheme is known for an address: countries', and the commonest others.
_ENDING = (
    "(?:a[cdefgilmoqrstuwxz]|b[abdefghijmnorstvwyz]|c[acdfghiklmnoruvwxyz]|d[ejkmoz]|e[ceghrstu]|f[ijkmor]"
    "|g[abdefghilmnpqrstuwy]|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]|l[abcikrstuvy]"
    "|m[acdeghklmnopqrstuvwxyz]|n[acefgilopruz]|om|p[aefghklmnrstwy]|qa|r[eosuw]|s[abcdeghijklmnorstuvxyz]"
    "|t[cdfghjklmnortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]|xn--[a-z0-9-]{2,20}"
    "|com|net|org|info|biz|edu|gov|mil|int|pro|name|xyz|top|site|online|shop|store|app|dev|tech|club|live|cloud"
    "|link|click|page|web|blog|news|legal|law|cat|gal|eus|zip|mov|work|world|space|website|test|example|invalid"
    "|local|internal|onion)"
)
_HOST = r"(?:[\w\[\]-]{1,63}\.){1,8}"
_URL = re.compile(
    r"(?:(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{0,15}:[\\/]{2}"
    rf"|(?<![A-Za-z0-9]){_SCHEMES}:(?=[^\s])"
    r"|(?<![\w:/\\])//(?=[\w-]{1,63}\.[\w-])"
    r"|(?<![\w])www[0-9]?\.(?=\w)"
    rf"|(?<![\w@.-])(?:[\w.+-]{{1,64}}@)?{_HOST}{_ENDING}(?::[0-9]{{1,5}})?[/?#\\](?=\S)"
    # Any other ending, of which there are more than a thousand: written small, for "Ley.Sala/Sección",
    # after two letters, for "p.ej./", and before more than a figure, for "exp.civil/2026".
    r"|(?<![\w@.-])(?:[\w-]{1,63}\.){0,7}[\w-]{2,63}\.(?-i:[^\W\d_A-Z]{2,24})(?::[0-9]{1,5})?"
    r"(?:[/\\](?![0-9]{1,4}(?:\W|\Z))|[?#])(?=\S)"
    r"|(?<![\w.])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?::[0-9]{1,5})?[/?#](?=[A-Za-z?#=])"
    r")\S*",
    re.IGNORECASE,
)
# What ends a sentence, or a bracket around an address, is no part of it.
_AFTER_URL = ".,;:!?'\"*_`»”’)>}]"


# Most texts hold nothing of all this, which one pass tells: no character but those that a reader takes for
# themselves or for a letter, and of what is looked for none of the characters that it cannot do without.
_LETTERS = "A-Za-z0-9ÁÉÍÓÚÜÑÇáéíóúüñçªº"
_SUSPICIOUS = expressions.compiled(
    rf"[^{_LETTERS} .,;:()'\"$%*+=@!/?_^{{}}€«»¿¡“”‘’…–—-]"
    rf"|//|:[^ ]|%[{_LETTERS}]|[wW]{{3}}"
    rf"|\.[{_LETTERS}_–—-]{{1,24}}(?::[0-9]{{1,5}})?[/?]"
    r"|[aAáÁª][uUúÚüÜ][dD][iIíÍ][tT].{0,40}[tT][rR][aAáÁª][iIíÍ][lL]"
)


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    words: str


def _addresses(skeleton: _VisibleText) -> Iterator[tuple[int, int]]:
    """Spans, in the skeleton, of whatever a reader or a program would follow."""
    for match in _URL.finditer(skeleton.text):
        start, end = match.span()
        opened = skeleton.text.count("(", start, end) - skeleton.text.count(")", start, end)
        while end > start + 1 and skeleton.text[end - 1] in _AFTER_URL:
            if skeleton.text[end - 1] == ")":
                if opened >= 0:
                    break
                opened += 1
            end -= 1
        yield start, end


def _locks(skeleton: _VisibleText) -> Iterator[_Edit]:
    for match in _LOCK.finditer(skeleton.text):
        inner = " ".join(match[0].strip("[]").split())
        yield _Edit(*skeleton.span(*match.span()), f"({inner})" if match[0].endswith("]") else f"({inner}")


def _markers(skeleton: _VisibleText) -> Iterator[_Edit]:
    for match in _MARKER.finditer(skeleton.text):
        start, end = match.span()
        while start and skeleton.text[start - 1] in "-_*":
            start -= 1
        word = f" {match[1].upper()}" if match[1] else ""
        yield _Edit(*skeleton.span(start, end), f" AUDIT TRAIL{word}")


def _edits(text: str, language: Language | None) -> list[_Edit]:
    """Return the edits that `text` needs, in order and disjoint; where two overlap the first kind wins."""
    skeleton = _skeleton(text)
    found: list[_Edit] = []
    if language is not None:
        found += (_Edit(*skeleton.span(*span), LINK_REMOVED.in_(language)) for span in _addresses(skeleton))
    bare = _rewritten(skeleton, _ANY_TAG, lambda _: "") if "<" in skeleton.text else skeleton
    for read in (skeleton, bare) if bare is not skeleton else (skeleton,):
        if "[" in read.text:
            found += _locks(read)
        found += _markers(read)
    found += (
        _Edit(skeleton.starts[m.start()], skeleton.ends[m.start()], "] ")
        for m in _LINK.finditer(skeleton.text)
    )
    found += (
        _Edit(skeleton.starts[m.start()], skeleton.ends[m.start()], "< ")
        for m in _TAG.finditer(skeleton.text)
    )
    heading = _HEADING.match(skeleton.text)
    if heading is not None:
        found.append(_Edit(*skeleton.span(*heading.span()), ""))
    return _disjoint(found)


def _disjoint(edits: Iterable[_Edit]) -> list[_Edit]:
    kept: list[_Edit] = []
    for edit in sorted(enumerate(edits), key=lambda item: (item[1].start, item[0])):
        if not kept or edit[1].start >= kept[-1].end:
            kept.append(edit[1])
    return kept


def _applied(text: str, edits: Sequence[_Edit]) -> str:
    pieces: list[str] = []
    done = 0
    for edit in edits:
        pieces += (text[done : edit.start], edit.words)
        done = edit.end
    return "".join([*pieces, text[done:]])


def _disarmed(text: str, language: Language | None) -> str:
    """Change `text` until nothing is found in it: taking one thing out may put two others together."""
    for _ in range(_ROUNDS):
        text = " ".join(visible(text).split())
        if _SUSPICIOUS.search(text) is None:
            return text
        edits = _edits(text, language)
        if not edits:
            return text
        text = _applied(text, edits)
    # Nobody writes like this but to get through: what disguises are made of goes.
    kept = ("" if READER.fold(one) in ("[", "]", "<", "&", "\\", "%", "#", "`", "~") else one for one in text)
    text = _URL.sub(" ", "".join(kept)) if language is not None else "".join(kept)
    return " ".join(_MARKER.sub(" ", text).split())


def prose(text: str) -> str:
    """Make text of a document, or of our own, one harmless paragraph of Markdown.

    An address in it stays readable and leads nowhere: it is set as code.
    """
    text = _disarmed(text, None)
    if _SUSPICIOUS.search(text) is None:
        return text
    skeleton = _skeleton(text)
    spans = [skeleton.span(*span) for span in _addresses(skeleton)]
    set_already = all(text[start - 1 : start] == text[end : end + 1] == "`" for start, end in spans if start)
    if not spans or (set_already and spans[0][0] and text.count("`") == 2 * len(spans)):
        return text
    text = text.replace("`", "'")
    return _applied(text, _disjoint(_Edit(start, end, f"`{text[start:end]}`") for start, end in spans))


def model_prose(text: str, language: Language) -> str:
    """Make text of a model one harmless paragraph of Markdown without any address in it.

    What stands in an address's place is said in `language`.
    """
    return _disarmed(text, language)


def scalar(text: str) -> str:
    """Return `text` as a YAML scalar that needs no quotes: no `: `, no ` #`, no indicator (decision 019)."""
    text = prose(text)
    # Again and again: taking one out may put two others together.
    while ": " in text or " #" in text:
        text = _SPACE.sub(" ", text.replace(": ", " - ").replace(" #", " - "))
    text = text.rstrip(": ")
    text = text.lstrip("-?:,[]{}#&*!|>'\"%@` ")
    return text or "—"


class Restore(Protocol):
    """Puts masked values back into a text, but where `unless(before, after)` says that they must stay out."""

    def __call__(self, text: str, *, unless: Callable[[str, str], bool] | None = None) -> str:
        """Return `text` with its masked values put back."""
        ...


# Whose words come from this process: their addresses are the document's own.
_OWN = frozenset({"rules", "sandbox"})


@dataclass(frozen=True, slots=True)
class Cleaner:
    """Makes the texts of one answer ready for its reader: values put back, everything disarmed."""

    restore: Restore
    language: Language
    engine: str

    def of(self, origin: str) -> Cleaner:
        """Return the cleaner for what somebody wrote: what the rules say stays theirs beside a model's."""
        return replace(self, engine=origin) if origin in _OWN else self

    def document_words(self, text: str) -> str:
        """Return the words of the document, quoted: an address in them stays and leads nowhere."""
        return prose(self.restore(text))

    def engine_text(self, text: str) -> str:
        """Restore and disarm what the engine wrote; a model's text loses its addresses."""
        if self.engine in _OWN:
            return self.document_words(text)
        return model_prose(self.restore(text, unless=leads_away), self.language)


# Around a placeholder: whatever makes the word it stands in an address, or a part of one.
_LEADS = re.compile(
    rf"[:\\/]{{2}}|www\.|\]\(|\b{_SCHEMES}:|\b(?:src|href|action|url)\s*=|[?&][\w.-]*=|\w\.[a-z]{{2,24}}[/?#:]",
    re.IGNORECASE,
)
_HOST_AFTER = re.compile(
    rf"[\w-]*(?:\.{_ENDING}(?![A-Za-z0-9])|(?:\.[\w-]{{1,63}}){{2,8}}(?![\w.-])|[@/]\S*?\.{_ENDING}(?![A-Za-z0-9]))",
    re.IGNORECASE,
)
_SPACED = re.compile(r"\s")


def leads_away(before: str, after: str) -> bool:
    """Tell whether a place between two texts is inside an address, where no value is put back.

    `before` and `after` are the rest of the text on either side; as much is read as has no white space in it.
    """
    head = _skeleton(before[-400:]).text
    tail = _skeleton(after[:400]).text
    head = _SPACED.split(head)[-1] if head else ""
    tail = _SPACED.split(tail, maxsplit=1)[0] if tail else ""
    if _LEADS.search(head) or (head[-1:] in ("@", "/", "=") and "." in head):
        return True
    return tail[:1] in (".", "/", "@", "-", ":") and _HOST_AFTER.match(tail.lstrip(":")) is not None
