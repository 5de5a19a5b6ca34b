"""Judge whether a claim that speaks of an article alone restates a part of it. Pure.

Source: decision 102. What a statement says of its authority is held against the article word by word, apart
from what it says of the document: a figure, a denial or "all" of the document says nothing of the article.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.analysis.support import phrases
from app.analysis.support.grammar import language_of
from app.analysis.support.law_claim import (
    CLAIMING,
    COVERED_ACROSS,
    DIFFERENT,
    FEWEST,
    VOID,
    Claim,
    Window,
    window_of,
)
from app.analysis.support.roles import bound_of
from app.analysis.support.spoken_words import denied_within, distinct
from app.analysis.support.words import Value, alike, are_counterparts, is_content, synonyms_of
from app.text.sentences import fold as _plain

# Of so many words that restate an article, one may be the claim's own.
_FEWEST_RESTATED, _PER_NEW_WORD = 3, 4
# How many words before a word may hold its negation, where no mark stands between.
_DENIAL_NEAR, _DENIAL_REACH = 3, 9
# "The article does not let": the passage must forbid.
_FORBIDS = re.compile(r"\blexcit\W+(?:no|does not) (?:permit|admit|autori|dej|facult|allow|let)")


_NOR_MAY = re.compile(r"\bsin que\b[^.;]{0,60}\bpued")
_WORKING = re.compile(r"\bdias (?:seran |son )?habiles|\bworking days")


class ArticleClaim(Claim):
    """What a statement says that its authority says."""

    def __init__(self, claim: str, document: Sequence[Value], title: str) -> None:
        super().__init__(claim, "", "", (), document, title)

    def restated_in(self, windows: Sequence[Window], told: Sequence[Value]) -> Window | None:
        """Return the part of a passage that the claim restates, where one does.

        The first that has its words decides: the rule stands before what differs from it in special cases.

        Args:
            windows: parts of the passage, in order.
            told: the figures of what the claim says of the document, which the article does not allow.
        """
        first = next((one for one in windows if self.is_covered(one)), None)
        return first if first is not None and self.restates(first, told) else None

    def tells_otherwise(self, windows: Sequence[Window]) -> bool:
        """Tell whether the part with the claim's words names another party, or allows what it forbids."""
        first = next((one for one in windows if self.is_covered(one)), None)
        return first is not None and self._turns(first)

    def _turns(self, window: Window) -> bool:
        forbids = _FORBIDS.search(self.folded) is not None
        return self._names_another(window) or (
            forbids and phrases.FORBIDDING.search(_plain(window.text)) is None
        )

    def is_covered(self, window: Window) -> bool:
        """Tell whether a part of the passage has the words of a claim that speaks of the article alone."""
        new = self.new_words(window)
        explained = distinct({token.text for token, _ in self.content if token.text != "lexcit"} - new)
        kinds = {(one.kind, one.unit) for one in window.words.values}
        return (
            explained >= _FEWEST_RESTATED
            and distinct(new) <= explained // _PER_NEW_WORD
            and all((one.kind, one.unit) in kinds for one in self.words.values)
        )

    def new_words(self, window: Window) -> set[str]:
        """Return the words of the claim that a part of the passage does not have, in whatever form."""
        found = self._hits(self.content, window)
        same = frozenset(s for one in window.words.tokens for s in synonyms_of(one))
        return {
            token.text
            for token, _ in self.content
            if token.text not in found
            and token.text not in CLAIMING
            and token.text != "lexcit"
            and not synonyms_of(token) & same
        }

    def restates(self, window: Window, told: Sequence[Value]) -> bool:
        """Tell whether a claim that speaks of the article alone says what a part of the passage says.

        Args:
            window: the part, which has the words of the claim.
            told: the figures of what the claim says of the document, which the article does not allow.
        """
        if any(not self._in_passage(one, window) for one in self.words.values) or self._other_bound(window):
            return False
        if any(self._allowed(one, window) for one in told):
            return False
        if self._turns(window):
            return False
        return not (
            self._for_housing(window)
            or self._denied_widely(window)
            or not self._has_validity(window)
            or not self._wide(window)
            or self._generalises(window)
            or self._one_for_more(window)
            or self._figure_of_another(window)
            or self._other_bearer(window)
            or self._other_figure(window)
            or self._refused(window)
        )

    def denies(self, window: Window) -> bool:
        """Tell whether a part of the passage denies a word that the claim affirms, or the reverse."""
        return self._denied_widely(window)

    def allows(self, window: Window, told: Sequence[Value]) -> bool:
        """Tell whether a part of the passage allows a figure that the document has."""
        return any(self._allowed(one, window) for one in told)

    def is_anchored_in(
        self, windows: Sequence[Window], known: Sequence[Value], told: Sequence[Value]
    ) -> bool:
        """Tell whether the claim's figures are all that a part of the passage has, and it has its words.

        Where an article gives one figure, the figure tells which rule is meant: fewer words need to agree.

        Args:
            windows: parts of the passage, in order.
            known: the figures of the words that the claim quotes from the document.
            told: the figures of what the claim says of the document.
        """
        return any(self._anchored(one, known, told) for one in windows)

    def _anchored(self, window: Window, known: Sequence[Value], told: Sequence[Value]) -> bool:
        mine = [
            one
            for one in self.words.values
            if one.kind in ("period", "percent", "money", "number")
            and not any(one.is_said_by(other) for other in known)
        ]
        folded = _plain(window.text)
        written = [one for one in window.words.values if one.kind in ("period", "percent", "money")]
        if not mine or not written:
            return False
        if not all(any(_same_figure(one, other, folded) for other in written) for one in mine):
            return False
        if not all(any(_same_figure(one, other, folded) for one in mine) for other in written):
            return False  # another figure: which of them is meant would be read by words alone
        across = language_of(self.words.tokens) != language_of(window.words.tokens)
        words = [
            (token, own)
            for token, own in self.content
            if token.text not in CLAIMING and token.text != "lexcit"
        ]
        if distinct(self._hits(words, window)) < (1 if across else FEWEST):
            return False
        if any(self._allowed(one, window) for one in told) or self._other_bound(window):
            return False
        forbids = _FORBIDS.search(self.folded) is not None
        if forbids and phrases.FORBIDDING.search(folded) is None and _NOR_MAY.search(folded) is None:
            return False
        return not (
            self._names_another(window)
            or self._for_housing(window)
            or not self._has_validity(window)
            or self._denied_widely(window)
            or self._generalises(window)
            or self._other_bearer(window)
            or self._refused(window)
        )

    def _names_another(self, window: Window) -> bool:
        """Tell whether the claim names a party that the passage does not, and the passage another."""
        said = {c for c in self.every if c.startswith("party:")}
        written = {c for c in window.every if c.startswith("party:")}
        if said - written and written - said:
            return True
        words = {one.text for one in window.words.tokens if is_content(one)}
        return any(
            token.text not in words and any(are_counterparts(token.text, one) for one in words)
            for token, _ in self.content
        )

    @staticmethod
    def _in_passage(value: Value, window: Window) -> bool:
        return any(
            value.is_said_by(one)
            or (one.kind == "number" and one.figure == value.bare and value.kind != "period")
            for one in window.words.values
        )

    def _has_validity(self, window: Window) -> bool:
        """Tell whether the passage makes void or allows what the claim says that it does."""
        folded = _plain(window.text)
        if self._names_consequence_beyond(window):
            return False
        if self._void:
            return bool(window.every & VOID) or phrases.FORBIDDING.search(folded) is not None
        if not self._valid:
            return True
        only = phrases.ONLY_IF.search(folded)
        if only is None:
            return phrases.ALLOWING.search(folded) is not None
        behind = window_of(folded[only.end() :].partition(".")[0])
        told = [one for one in behind.words.tokens if is_content(one)]
        mine = [one for one in self.words.tokens if is_content(one)]
        stated = sum(any(alike(one.text, other.text) for other in mine) for one in told)
        return phrases.ALLOWING.search(folded) is not None and stated >= COVERED_ACROSS * len(told)

    def _allowed(self, told: Value, window: Window) -> bool:
        """Tell whether the article allows the figure that the document has: it is below a maximum."""
        for one in self.words.values:
            if (one.kind, one.unit) != (told.kind, told.unit) or one.kind == "date":
                continue
            bound = bound_of(self.words.tokens, one) or next(
                (
                    bound_of(window.words.tokens, other)
                    for other in window.words.values
                    if one.is_said_by(other)
                ),
                "",
            )
            if (bound in ("most", "more") and told.figure < one.figure) or (
                bound in ("least", "less") and told.figure > one.figure
            ):
                return True
        return False

    def _denied_widely(self, window: Window) -> bool:
        """Tell whether the passage denies a word of the claim that it affirms, or the reverse."""
        said = self.words.tokens
        for at, token in enumerate(said):
            own = self.concepts[at]
            if not is_content(token) or token.text in CLAIMING or token.text in DIFFERENT:
                continue
            if any(c.startswith("party:") for c in own):
                continue  # "the workers may not", "does not let the workers"
            here = [
                place
                for place, one in enumerate(window.words.tokens)
                if is_content(one) and (alike(token.text, one.text) or own & window.concepts[place])
            ]
            if here and all(
                denied_within(window.words.tokens, place, reach) != denied_within(said, at, reach)
                for place in here
                for reach in (_DENIAL_NEAR, _DENIAL_REACH)
            ):
                return True
        return False


def _same_figure(one: Value, written: Value, folded: str) -> bool:
    """Tell whether a figure is one of an article: "seis" of "seis días", or working days counted so."""
    if one.is_said_by(written):
        return True
    if one.kind == "number":
        return one.figure == written.bare
    return (
        one.kind == written.kind == "period"
        and one.unit == "working_day"
        and written.unit == "day"
        and one.figure == written.figure
        and _WORKING.search(folded) is not None
    )
