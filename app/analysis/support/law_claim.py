"""Compare a claim about the law with a part of a passage: figures, modality, validity, words. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.analysis.support import phrases, restatement
from app.analysis.support.authority_mentions import with_authorities
from app.analysis.support.grammar import CONDITIONS, LIGHT_VERBS, language_of, parties_of, without_places
from app.analysis.support.quotation import Document
from app.analysis.support.roles import bound_of
from app.analysis.support.spoken_words import after_denial, distinct, following, given_to_another
from app.analysis.support.words import Token, Value, Words, alike, concepts_of, is_content, read, word_set
from app.text.sentences import fold as _plain

Verdict = Literal["supported", "silent", "contradicted", "unchecked"]

# Of what a statement says beyond the document's own words, so much must stand in the passage.
_COVERED = 0.5
COVERED_ACROSS = 0.34
# And no fewer words than these: one word in common is chance.
FEWEST = 2
# Where the figures of document and law are compared and the comparison is true, less of the words.
_COMPARED = 0.25
# And of all that it says, so much.
_ABOUT = 0.34
# A sum may be so many months of rent or pay; a longer period is no quotient of sums.
_MONTHS_OF_RENT = 12
# A passage of so few words is compared with the statement the other way round, too.
_SHORT, _TOLD = 16, 0.5
# How far from the authority's name a figure may stand that is said to be the authority's.
_NEAR = 50
# Of words that neither the document nor the passage explains, so many are let pass.
_NEW_WORDS = 2
# A heading or an introduction, and what follows it.
_HEADED = 2
# A passage is read up to here.
LONGEST = 400_000

VOID = frozenset({"consequence:void", "consequence:abusive", "consequence:voidable"})
_RATES = frozenset(
    f"rate:{name}"
    for name in (
        "monthly",
        "yearly",
        "daily",
        "weekly",
        "hourly",
        "quarterly",
        "half_yearly",
        "working_days",
        "gross",
        "net",
    )
)
NAMED_CONSEQUENCES = ("consequence:time_barred", "consequence:penal", "consequence:unfair_dismissal")
_NAMED = frozenset(NAMED_CONSEQUENCES)
_DISMISSED = re.compile(r"\b(?:despid|despeg|dismiss|redundan|cese\b)")
DIFFERENT = word_set("different")
CLAIMING = word_set("claiming") | word_set("frame") | word_set("weak") | word_set("reporting")
_EVERY = re.compile(
    r"\b(?:todo|toda|todos los|todas las|cualquier|en todo caso|siempre|sin excepcion|every|any|always|"
    r"in any case)\b"
)
_MORE_THAN_ONE = re.compile(
    r"\b(?:pase|pasar|exceda|exceder|supere|superar|mas) de una?\b(?! (?:vez|ano|mes))"
)
_LIMIT = re.compile(
    r"\b(?:exceder|superar|superior a|mas) (?:de |a )?(un|una|uno|dos|tres|cuatro|seis|\d+)\b"
)
_OPPOSITE = frozenset({("less", "least"), ("least", "less"), ("more", "most"), ("most", "more")})
_GENERIC = frozenset({"general:contract", "general:clause", "general:document", "general:lease_word"})


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the passage that is read together."""

    text: str
    words: Words
    concepts: Sequence[frozenset[str]]
    every: frozenset[str]
    said: tuple[str, ...]


def window_of(text: str) -> Window:
    """Read a part of a passage."""
    # The number of an item, of an article in its heading or of another law is no figure of the law.
    words = read(without_places(phrases.LIST_MARK.sub(lambda mark: " " * len(mark[0]), text)))
    concepts = concepts_of(words.tokens, paraphrases=False)
    said = dict.fromkeys(one.text for one in words.tokens if one.kind == "word" and is_content(one))
    return Window(text, words, concepts, frozenset(c for found in concepts for c in found), tuple(said))


def _counted(words: Words, value: Value) -> str:
    """Return the word behind a number, or "" where none follows at once."""
    behind = next((one for one in words.tokens if one.start >= value.end), None)
    if behind is None or behind.kind != "word" or behind.start > value.end + 1 or not is_content(behind):
        return ""
    return behind.text


class Claim:
    """A claim about the law, beside the words of the document that it quotes."""

    def __init__(
        self,
        claim: str,
        reason: str,
        own: str,
        citations: Sequence[str],
        document: Sequence[Value],
        title: str = "",
    ) -> None:
        self.title = title
        claim, reason = with_authorities(claim, citations), with_authorities(reason, citations)
        claim, reason = without_places(claim), without_places(reason)
        self.claim_text = claim
        self.words = read(f"{claim}. {reason}")
        self.folded = _plain(f"{claim}. {reason}")
        self.dates = [one for one in document if one.kind == "date"]
        self.document = document
        self.claimed = frozenset(
            c for found in concepts_of(read(claim).tokens, paraphrases=False) for c in found
        )
        self.concepts = concepts_of(self.words.tokens, paraphrases=False)
        self.every = frozenset(c for found in self.concepts for c in found)
        self.own = read(without_places(own))  # "Ley 3/2004" gives no figure from which another follows
        own_concepts = frozenset(
            c for found in concepts_of(self.own.tokens, paraphrases=False) for c in found
        )
        self.own_concepts = own_concepts
        own_words = [one for one in self.own.tokens if one.kind == "word"]
        content = [
            (token, self.concepts[at])
            for at, token in enumerate(self.words.tokens)
            if is_content(token)
            and token.text not in DIFFERENT
            and not any(c.startswith("consequence:") for c in self.concepts[at])
            and (token.start <= len(claim) or len(claim) < 80)
        ]
        self.content = content
        # What the statement says beyond the words that it quotes from the document.
        self.beyond = [
            (token, own_)
            for token, own_ in content
            if not (own_ & own_concepts) and not any(alike(token.text, one.text) for one in own_words)
        ] or content

    def nearness(self, window: Window) -> float:
        """Return how much of the statement a part of the passage has; of two alike, the shorter."""
        return (
            self._share(self.content, window)
            + self._share(self.beyond, window)
            - len(window.text) / 20_000
            + 0.8 * self._figures_in(window)
        )

    def law_figures_in(self, window: Window) -> int:
        """Count the figures that the statement ascribes to the authority and a part of the passage has."""
        return sum(any(value.is_said_by(one) for one in window.words.values) for value in self._of_law())

    def _figures_in(self, window: Window) -> float:
        strange = [
            value for value in self.words.values if not any(value.is_said_by(one) for one in self.own.values)
        ]
        if not strange:
            return 0.0
        return sum(any(value.is_said_by(one) for one in window.words.values) for value in strange) / len(
            strange
        )

    def _share(self, content: Sequence[tuple[Token, frozenset[str]]], window: Window) -> float:
        return len(self._hits(content, window)) / len(content) if content else 0.0

    def shared(self, window: Window) -> int:
        """Count the words of the statement that a part of the passage has."""
        return len(self._hits(self.content, window))

    @staticmethod
    def _hits(content: Sequence[tuple[Token, frozenset[str]]], window: Window) -> set[str]:
        return {
            token.text
            for token, own in content
            if own & window.every
            or token.text in window.said
            or any(alike(token.text, one) for one in window.said)
        }

    def stands_elsewhere(self, best: Window, article: str, passage: str) -> bool:
        """Return whether another paragraph has all of the claim that the cited one has, and more."""
        here = self._hits(self.content, best)
        figures = self.law_figures_in(best)
        for paragraph in phrases.PARAGRAPH.split(article[:LONGEST]):
            if not paragraph.strip() or paragraph.strip() in passage:
                continue
            other = window_of(paragraph)
            there = self._hits(self.content, other)
            if here < there and self.law_figures_in(other) >= figures:
                return True
        return False

    def judged(self, best: Window, windows: Sequence[Window]) -> Verdict:
        """Return the verdict of the part of a passage that is nearest to the claim."""
        hits = distinct(self._hits(self.beyond, best))
        everything = distinct(self._hits(self.content, best))
        said = distinct({token.text for token, _ in self.beyond})
        across = language_of(self.words.tokens) != language_of(best.words.tokens)
        enough = COVERED_ACROSS if across else _COVERED
        whole = distinct({token.text for token, _ in self.content})
        share = everything / max(1, whole)
        compared = self._compared(best) is True
        covered = (hits / max(1, said) >= enough and share >= _ABOUT) or share >= (
            _COMPARED if compared else max(0.6, enough)
        )
        about = (covered and everything >= FEWEST) or self._told(best)
        if everything >= FEWEST and share >= 0.3 and self._contradicted(best):
            return "contradicted"
        if not about:
            return "silent"
        if (
            self._for_housing(best)
            or not self._names_subject(best)
            or self._denied_in(best)
            or not self._figures(best)
            or not self._consequence(best)
            or not self._wide(best)
            or self._unexplained(best, windows)
            or self._generalises(best)
            or self._one_for_more(best)
            or self._figure_of_another(best)
            or self._in_heading_alone(best)
        ):
            return "silent"
        return "supported"

    def _in_heading_alone(self, window: Window) -> bool:
        """Tell whether only the heading or the introduction of a list has words of the claim."""
        lines = [one for one in window.text.split("\n") if one.strip()]
        if len(lines) < _HEADED:
            return False
        start = max(
            (at + 1 for at, one in enumerate(lines[:-1]) if one.rstrip().endswith((":", ".-"))), default=1
        )
        return distinct(self._hits(self.content, window_of("\n".join(lines[start:])))) < FEWEST

    def contradicts(self, window: Window) -> bool:
        """Tell whether "less" or "more" is untrue of document and law."""
        return self._compared(window) is False

    def _unexplained(self, best: Window, windows: Sequence[Window]) -> bool:
        """Tell whether the claim has words that neither the document's words nor the passage explain."""
        found = self._hits(self.beyond, best)
        new = {
            token.text
            for token, _ in self.beyond
            if token.text not in found and token.text not in CLAIMING and token.text != "lexcit"
        }
        return distinct(new) > _NEW_WORDS

    def _generalises(self, window: Window) -> bool:
        """Tell whether the claim says "every", "in any case" of what the passage makes conditional."""
        wide = _EVERY.search(self.folded)
        return (
            wide is not None
            and bool(CONDITIONS.places(window.words.tokens))
            and not CONDITIONS.places(self.words.tokens)
            and _EVERY.search(_plain(window.text)) is None
        )

    def _one_for_more(self, window: Window) -> bool:
        """Tell whether the claim says that the law allows "no more than one" where it names more."""
        if not _MORE_THAN_ONE.search(self.folded):
            return False
        limits = _LIMIT.findall(_plain(window.text))
        return bool(limits) and not any(one in ("un", "una", "uno", "one", "1") for one in limits)

    def _figure_of_another(self, window: Window) -> bool:
        """Tell whether the passage gives the figure of the claim to another of two that it names."""
        figures = [
            one for one in self._of_law() if any(one.is_said_by(other) for other in window.words.values)
        ]
        if not figures:
            return False
        text = Document(window.text)
        return restatement.takes_of_another(self.claim_text, text)

    def _told(self, window: Window) -> bool:
        """Return whether most of a short passage stands in the statement or in the words it quotes."""
        told = [one for one in window.words.tokens if is_content(one) and one.text not in DIFFERENT]
        if not FEWEST < len(told) <= _SHORT:
            return False
        mine = [one for one in (*self.words.tokens, *self.own.tokens) if is_content(one)]
        concepts = self.every | self.own_concepts
        found = {
            one.text
            for one in told
            if window.concepts[window.words.tokens.index(one)] & concepts
            or any(alike(one.text, other.text) for other in mine)
        }
        return len(found) > FEWEST and len(found) >= _TOLD * len({one.text for one in told})

    # Each of these compares one kind of thing.

    def _figures(self, window: Window) -> bool:
        """Return whether each figure that is not the document's stands in the passage or follows from it."""
        units = {(one.kind, one.unit) for one in window.words.values}
        if self._other_bound(window):
            return False
        for value in self._of_law():
            if not any(
                value.is_said_by(one)
                or (one.kind == "number" and one.figure == value.bare and (value.kind, value.unit) in units)
                for one in window.words.values
            ):
                return False
        for value in self.words.values:
            if any(value.is_said_by(one) for one in (*window.words.values, *self.dates)) or self._is_own(
                value
            ):
                continue
            if self._counted_otherwise(value, window):
                return False
            if any(one.kind == "number" and one.figure == value.bare for one in window.words.values) and any(
                one.kind == value.kind and one.unit == value.unit for one in window.words.values
            ):
                continue  # "una mensualidad en …, y dos en …"
            if not self._derived(value):
                return False
        return True

    def _counted_otherwise(self, value: Value, window: Window) -> bool:
        """Tell whether the passage counts the same thing, and others: "siete puntos", "ocho puntos"."""
        counted = _counted(self.words, value)
        return (
            value.kind == "number"
            and bool(counted)
            and any(
                one.kind == "number" and _counted(window.words, one) == counted for one in window.words.values
            )
        )

    def _other_bound(self, window: Window) -> bool:
        """Return whether the statement makes a maximum of the law's minimum: "less", "not less than"."""
        for value in self.words.values:
            said = bound_of(self.words.tokens, value)
            if (
                not said
                or self._is_own(value)
                or any(one.kind == value.kind and self._is_own(one) for one in self.words.values)
            ):
                continue  # a comparison of the document's figure with the law's
            written = {
                bound_of(window.words.tokens, one) for one in window.words.values if value.is_said_by(one)
            }
            if written and all((said, one) in _OPPOSITE for one in written):
                return True
        return False

    def _of_law(self) -> list[Value]:
        """Return the figures that the statement says are the authority's: "lexcit limita a cinco años"."""
        found = []
        for value in self.words.values:
            before = self.folded[max(0, value.start - 110) : value.start]
            after = self.folded[value.end : value.end + 60]
            close = before.rpartition("lexcit")
            between = [
                one for one in self.words.values if value.start - len(close[2]) <= one.start < value.start
            ]
            if (
                close[1]
                and not between
                and len(close[2]) <= _NEAR
                and not re.search(r"[,;:.](?!\d)", close[2])
                and phrases.SETS.search(close[2])
            ) or re.match(
                r"(?: de [a-z]+)?(?:,? (?:por lo menos|al menos|como minimo|at least),?)?(?: [a-z]+)?"
                r"\s*\b(?:que|del|de la|of|under|that|which|by)\b[^,;:.0-9]{0,40}\blexcit\b",
                after,
            ):
                found.append(value)
        return found

    def _is_own(self, value: Value) -> bool:
        """Tell whether a figure is one that the statement quotes; "working" days may be left out."""
        return any(
            value.is_said_by(one)
            or (
                value.kind == one.kind == "period"
                and value.figure == one.figure
                and value.unit.removeprefix("working_") == one.unit.removeprefix("working_")
            )
            for one in self.own.values
        )

    def _derived(self, value: Value) -> bool:
        same = [one for one in (*self.words.values, *self.own.values) if one.kind in (value.kind, "money")]
        if value.kind == "period" and value.figure > _MONTHS_OF_RENT:
            same = [one for one in same if one.kind == "period"]
        else:
            same += [one for one in self.document if one.kind == "money"]  # "two months of rent"
        known = list({one.figure for one in same if one.figure and one is not value})
        if value.kind in ("money", "number") and any(
            value.figure in (one.figure, one.bare) for one in self.document
        ):
            return True  # the document's own figure
        if value.kind == "number" and any(
            value.figure in (one.figure, one.bare) for one in self.words.values if one is not value
        ):
            return True
        results = {a / b for a in known for b in known if b and a != b}
        results |= {a - b for a in known for b in known}
        if value.kind != "period":  # ten days are no multiple that the law orders
            results |= {a * b for a in known for b in (2, 3, 4, 6, 12)}
        return value.figure in results and value.figure != 0

    def _consequence(self, window: Window) -> bool:
        """Tell whether the passage speaks of validity where the statement does."""
        folded = _plain(window.text)
        if self._names_consequence_beyond(window):
            return False
        if self._void and phrases.VIOLATES.search(self.folded) and phrases.BINDING.search(folded):
            return self._compared(window, only=True) is not False
        if self._void:
            return (
                bool(window.every & VOID)
                or phrases.FORBIDDING.search(folded) is not None
                or self._compared(window, only=True) is True
            )
        if self._valid:
            return (
                phrases.ALLOWING.search(folded) is not None
                and not phrases.ONLY_IF.search(folded)
                and self._compared(window, only=True) is not False
            )
        if phrases.VIOLATES.search(self.folded) and not (
            phrases.BINDING.search(folded) or phrases.FORBIDDING.search(folded)
        ):
            return False
        return self._compared(window, only=True) is not False

    def _names_consequence_beyond(self, window: Window) -> bool:
        """Tell whether a word of the claim names a consequence of which the passage does not speak.

        A word of two consequences ("unfair": a term, a dismissal) names the one that the passage has, where
        the claim does not speak of a dismissal.
        """
        dismissed = _DISMISSED.search(self.folded) is not None
        return any(
            not (own & _NAMED if dismissed else {one for one in own if one.startswith("consequence:")})
            & window.every
            for own in self.concepts
            if own & _NAMED
        )

    @property
    def _void(self) -> bool:
        """Whether the statement says that something is void, unfair or without effect."""
        return phrases.VOID_CLAIM.search(self.folded) is not None or (
            bool(self.every & VOID) and not self._denied
        )

    @property
    def _valid(self) -> bool:
        """Whether the statement says that something is valid, or that the authority allows it."""
        if self._void:
            return False
        compared = phrases.LESS.search(self.folded) or phrases.MORE.search(self.folded)
        found = phrases.VALID_CLAIM.search(self.folded)
        # "Exceeds what the article permits" claims nothing valid.
        return found is not None and not (compared and "lexcit" in found[0])

    @property
    def _denied(self) -> bool:
        return (
            re.search(r"\bno (?:es|son|resulta) (?:nul|abusiv|invalid)", self.folded) is not None
            or re.search(r"\bis not (?:void|unfair|unlawful)", self.folded) is not None
        )

    def _compared(self, window: Window, *, only: bool = False) -> bool | None:
        """Return whether "less" or "more" is true of document and law; `None` if neither is said.

        `only`: compare also the one figure of the statement with the one of the passage, which the statement
        does not say. The latter may be about another matter: such a comparison neither replaces words that
        the passage lacks or denies, nor contradicts.
        """
        less, more = phrases.LESS.search(self.folded), phrases.MORE.search(self.folded)
        if phrases.NOT_LESS.search(self.folded):
            less = None
        if not less and not more:
            return None
        pairs = [
            (first, second)
            for first in self.words.values
            if self._is_own(first)
            for second in window.words.values
            if first.kind == second.kind
            and first.unit.removeprefix("working_") == second.unit.removeprefix("working_")
            and any(one.is_said_by(second) for one in self.words.values)
            and first.figure != second.figure
        ]
        if only and not pairs and len(self.words.values) == 1:
            pairs = self._only_figures(window)
        bound = self._compared_with(less or more)
        if bound is not None:
            # "Even when employed for more than twelve years": that figure is what something exceeds.
            pairs = [(first, second) for first, second in pairs if bound.is_said_by(second)]
        if not pairs:
            return None
        law = self._of_law()
        true = any(
            (first.figure < second.figure) if less else (first.figure > second.figure)
            for first, second in pairs
        )
        if (
            true
            or len(self.words.values) == 1
            or any(second.is_said_by(one) or one.is_said_by(second) for _, second in pairs for one in law)
        ):
            return true
        return None

    def _compared_with(self, found: re.Match[str] | None) -> Value | None:
        """Return the figure that follows at once on "more than" or "less than"."""
        if found is None or not found[0].endswith("than"):
            return None
        return next((one for one in self.words.values if found.end() <= one.start <= found.end() + 1), None)

    def _only_figures(self, window: Window) -> list[tuple[Value, Value]]:
        """Return the document's one figure with the passage's, where the claim does not say the latter."""
        mine = self.words.values[0]
        theirs = [one for one in window.words.values if (one.kind, one.unit) == (mine.kind, mine.unit)]
        if mine.kind not in ("percent", "period") or len(theirs) != 1 or not self._is_own(mine):
            return []
        return [(mine, theirs[0])] if theirs[0].figure != mine.figure else []

    def _predicate(self, window: Window) -> bool:
        """Return whether the authority speaks of what it is said to order or allow: "obliga a pagar"."""
        match = phrases.ORDERS.search(self.folded) or phrases.RIGHT_TO.search(self.folded)
        if not match:
            return True
        verb = match[1] or match[2]
        if verb in LIGHT_VERBS:
            return True  # "ordena tener por no puesta"
        own = concepts_of(read(verb).tokens, paraphrases=False)[0]
        return bool(own & window.every) or any(
            alike(verb, one.text) for one in window.words.tokens if one.kind == "word"
        )

    def _denied_in(self, window: Window) -> bool:
        """Tell whether the passage denies what the statement affirms of the law, or the reverse."""
        if self._void or self._compared(window) is not None or phrases.VIOLATES.search(self.folded):
            return False
        said = self.words.tokens
        for token, own in self.beyond:
            here = [
                at
                for at, one in enumerate(window.words.tokens)
                if is_content(one) and (alike(token.text, one.text) or own & window.concepts[at])
            ]
            place = said.index(token)
            if here and all(after_denial(window.words.tokens, at) for at in here) != after_denial(
                said, place
            ):
                return True
        return False

    def _names_subject(self, window: Window) -> bool:
        """Tell whether the passage speaks of what the statement says is void or forbidden."""
        said = phrases.SAYS_VOID.search(self.folded)
        subject = [
            (token, own)
            for token, own in self.content
            if said
            and token.start < said.start()
            and not any(c.startswith("party:") for c in own)
            and not own & _GENERIC
        ]
        return len(subject) < FEWEST or len(self._hits(subject, window)) >= max(1, len(subject) // 4)

    def _refused(self, window: Window) -> bool:
        """Tell whether the statement says that the law gives a right where the nearest clause refuses it."""
        given = phrases.GIVES_RIGHT.search(self.folded)
        if not given or re.search(r"\b(?:no|not)\b", self.folded[given.end() :]):
            return False
        clauses = [one for one in phrases.CLAUSE.split(window.text) if one and one.strip()]
        nearest = max(
            (window_of(one) for one in clauses),
            key=lambda one: len(self._hits(self.content, one)),
            default=None,
        )
        return (
            nearest is not None
            and len(self._hits(self.content, nearest)) > FEWEST
            and phrases.REFUSING.search(_plain(nearest.text)) is not None
        )

    def _for_housing(self, window: Window) -> bool:
        """Tell whether the law is one of dwellings and the document lets something else."""
        return (
            phrases.HOUSING.search(_plain(window.text)) is not None
            and phrases.OTHER_USE.search(_plain(self.title)) is not None
            and phrases.HOUSING.search(_plain(self.title)) is None
            and phrases.OTHER_USE.search(_plain(window.text)) is None
        )

    def _wide(self, window: Window) -> bool:
        """Tell whether "never", "always", "in any case" of the statement stand in the passage too."""
        wide = {"scope_word:always", "scope_word:never"} & self.every
        rates = {c for c in self.claimed if c in _RATES} - self.own_concepts
        if rates - window.every or not self._predicate(window):
            return False
        return (
            not wide
            or bool(wide & window.every)
            or (
                phrases.FORBIDDING.search(_plain(window.text)) is not None and not wide - {"scope_word:never"}
            )
        )

    def _contradicted(self, window: Window) -> bool:
        folded = _plain(window.text)
        if self._valid:
            # "Valid, as the article permits" of an article that forbids it.
            if phrases.FORBIDDING.search(folded) and self._share(self.content, window) >= 0.4:
                return True
            if self._short_of(window):
                return True
        if self._compared(window) is False:
            return True
        if (
            phrases.NOT_REQUIRED.search(self.folded)
            and phrases.REQUIRED.search(folded)
            and not phrases.NOT_REQUIRED.search(folded)
        ):
            return True
        return self._other_bearer(window) or self._other_figure(window) or self._refused(window)

    def _short_of(self, window: Window) -> bool:
        """Return whether the statement says that a figure is enough where the law asks for more."""
        if not re.search(
            r"\b(?:cumple|cumplen|respeta|respetan|complies|comply|suficiente|enough)\b", self.folded
        ):
            return False
        asked = (
            re.search(
                r"\b(?:minim[oa]s?|por lo menos|al menos|no (?:sera )?inferior|at least|minimum|"
                r"not less|en ningun caso)\b",
                _plain(window.text),
            )
            is not None
        )
        said = [one for one in window.words.values if any(mine.is_said_by(one) for mine in self.words.values)]
        for first in self.words.values:
            for second in said or window.words.values:
                if asked and second in said and first.figure >= second.figure:
                    continue  # sixty months of a minimum of two years
                if (
                    first.kind == second.kind == "period"
                    and first.unit.removeprefix("working_") == second.unit.removeprefix("working_")
                    and (
                        (first.figure < second.figure and asked)
                        or (
                            first.figure != second.figure
                            and not any(first.is_said_by(one) for one in window.words.values)
                        )
                    )
                ):
                    return True
        return False

    def _other_bearer(self, window: Window) -> bool:
        """Tell whether the law puts the burden on another party than the statement says it does."""
        for sentence in phrases.SENTENCE.split(window.text):
            if not sentence or not re.search(r"\b(?:cargo|cuenta|expense|borne)\b", sentence):
                continue
            part = window_of(sentence)
            if len(self._hits(self.content, part)) < FEWEST:
                continue
            written = {
                party
                for party, place in parties_of(part.words.tokens)
                if place == "agent" and party != "both"
            }
            clause = re.search(
                r"lexcit[^,;]*(?:cargo|cuenta|expense|borne)[^,;.]*",
                self.folded,
            )
            said_in = read(clause[0]).tokens if clause else self.words.tokens
            said = {party for party, place in parties_of(said_in) if place == "agent" and party != "both"}
            if clause and said and written and not said & written:
                return True
        return False

    def _other_figure(self, window: Window) -> bool:
        """Tell whether the passage gives the statement's figure to something else."""
        sentences = [
            read(without_places(one)) for one in phrases.SENTENCE.split(window.text) if one and one.strip()
        ]
        return any(
            given_to_another(following(self.words.tokens, value.end, 10**9), value, sentences)
            for value in self.words.values
            if value.kind in ("period", "percent", "money")
            and not any(value.is_said_by(one) for one in self.own.values)
        )
