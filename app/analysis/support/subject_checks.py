"""Check that a statement speaks of the matter of its quotation, and says no more of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from app.analysis.support.denial import ENCLITIC, LACKING
from app.analysis.support.grammar import (
    AFTERWARDS,
    CONDITIONS,
    DETERMINERS,
    ENDED,
    EXCEPTIONS,
    LIGHT_VERBS,
    MAY,
    MUST,
    NEGATIONS,
    NO_LONGER,
    OUTSIDERS,
    PAST,
    PROHIBITED,
    PROVISOS,
    language_of,
    marks_of,
    modality_of,
    persons_of,
    polarity_of,
)
from app.analysis.support.quotation import HONORIFICS, Discrepancy
from app.analysis.support.quoted_statement import QuotedStatement
from app.analysis.support.roles import BOUND_RATES, RANKS
from app.analysis.support.words import (
    Token,
    alike,
    concepts_of,
    everyday,
    is_content,
    word_set,
)
from app.rules import of_earlier_relation
from app.text.sentences import FoldedText

_CLAUSE_WORDS = 8
# What one may, must or must not do weighs as much as so many other words.
_PREDICATE_WEIGHT = 2
# What joins clauses of a statement, and from how many words on a clause must have one that is quoted.
_JOINING = frozenset({",", ";", ":", "y", "e", "and", "pero", "but", "aunque", "although", "though"})
_CLAUSE_CLAIMS = 2
# So much of a condition must stand in the sentences quoted.
_CONDITION_TOLD = 0.6
_ALSO = frozenset({"tambien", "also", "incluso", "even", "too"})
# Words of everyday language that tell a matter without adding to it.
WEAK = word_set("weak")
# Of the words of a statement that claim something, so many must be found in the words quoted.
_COVERED, _COVERED_ACROSS = 0.65, 0.5
# Negations, modal verbs and exceptions are compared as such.
_COMPARED_ELSEWHERE = MUST | MAY | PROHIBITED | NEGATIONS | EXCEPTIONS | LACKING | frozenset(["excepcion"])
# What a sum is called, where that decides what it is; a verb ("costs", "owed") does not.
_MONEY = frozenset(f"money:{name}" for name in word_set("names_of_sums"))
PREPOSITIONS = word_set("prepositions")
_DEFINES = frozenset({"means", "significa", "significan", "entiende", "entiendese"})
_MANDATORY = frozenset({"consequence", "scope_word", "rate", "money"})
# What makes a right or duty depend on somebody is not told where it is not quoted.
_NEVER_ADDED = frozenset({"general:consent"})
_AGREEMENTS = frozenset({"general:contract", "general:lease_word", "general:document", "money:rent"})


class SubjectChecks(QuotedStatement):
    """Checks of the subject matter of a statement against its quotation."""

    def _matter(self) -> Discrepancy | None:
        said = {c for found in self.said_concepts for c in found}
        scopes = []
        for one, piece in zip(self.quoted, self.pieces, strict=True):
            start, _ = self.document.sentence(one.start, one.end)
            scope = [*self.document.tokens(start, one.start), *piece]
            scopes.append((scope, concepts_of(scope)))
        for mark in ("elsewhere:earlier", "elsewhere:draft_of", "elsewhere:hypothetical"):
            if mark in said:
                continue
            for scope, concepts in scopes:
                places = [at for at, found in enumerate(concepts) if mark in found]
                if any(not _points_back(scope, at) and not self._stated_says(scope[at]) for at in places):
                    return Discrepancy.OTHER_MATTER
        if self._of_the_past() or self._of_earlier_relation() or self._other_object():
            return Discrepancy.OTHER_MATTER
        if CONDITIONS.places(self.said.tokens) and not self._conditional() and self._adds_condition():
            return Discrepancy.BEYOND
        if (
            self.said.values
            and not self._label
            and self._condition()
            and modality_of(self.said.tokens) & {"must", "may", "future"}
        ):
            return Discrepancy.EXCEPTION
        if (
            not self.said.values
            and not self._label
            and self._condition()
            and modality_of(self.said.tokens) & {"must", "may", "future", "prohibited"}
        ):
            return Discrepancy.EXCEPTION
        return None

    def _of_earlier_relation(self) -> bool:
        """Tell whether the sentence quoted tells of an earlier relation, and the statement does not."""
        if not self.said.values or not self.document.is_contract:
            return False
        if self._is_past(self.said.tokens) or of_earlier_relation(
            FoldedText(self.statement), 0, contract=True
        ):
            return False
        return any(
            of_earlier_relation(self.document.reading, one.start, contract=True) for one in self.quoted
        )

    def _conditional(self) -> bool:
        """Tell whether the sentences quoted set any condition, exception or proviso."""
        return any(
            CONDITIONS.places(tokens)
            or PROVISOS.places(tokens)
            or list(marks_of(tokens, exceptions=True, negations=True))
            or any(one.text in ("tal", "cada", "such", "each", "every") for one in tokens)
            or AFTERWARDS.places(tokens)
            for tokens in (
                self.document.tokens(*self.document.sentence(one.start, one.end)) for one in self.quoted
            )
        )

    def _adds_condition(self) -> bool:
        """Tell whether what the statement makes a condition does not stand in the sentences quoted."""
        words = [one for one in self.sentences if one.kind == "word"]
        named = frozenset(c for found in concepts_of(self.sentences) for c in found)
        for at in CONDITIONS.places(self.said.tokens):
            behind: list[Token] = []
            for one in self.said.tokens[at + 1 : at + 12]:
                if one.text in (",", ";", "."):
                    break
                if is_content(one):
                    behind.append(one)
            there = sum(self._found(one, self.said_concepts_of(one), words, named) for one in behind)
            if there < _CONDITION_TOLD * len(behind):
                return True
        return False

    def _of_the_past(self) -> bool:
        """Tell whether a figure comes from a sentence about what was, which the statement does not say."""
        if self._is_past(self.said.tokens):
            return False
        if any(one.kind == "date" for one in self.said.values) and self._ended():
            return True
        figures = [one for one in self.said.values if one.kind != "date"]
        if not figures:
            return False
        return any(
            self._is_past(self.document.tokens(*self.document.sentence(one.start, one.end)))
            for one in self.quoted
        )

    def _ended(self) -> bool:
        """Return whether something has ended by the quotation, and ends or will by the statement."""
        if any(one.text in ENDED for one in self.said.tokens):
            return False
        ending = any("time:end" in found for found in self.said_concepts)
        return ending and any(one.text in ENDED for one in self.tokens)

    def _is_past(self, tokens: Sequence[Token]) -> bool:
        return any(one.text in PAST for one in tokens) or bool(NO_LONGER.places(tokens))

    def _beyond(self) -> Discrepancy | None:
        """Refuse a statement that claims what the words quoted do not say, as far as words tell.

        A word is restated where the quotation has it, derived where the words around it, the heading or the
        title have it, and new otherwise. Few new words of little weight are let pass.
        """
        found, total = 0, 0
        joined = [0, 0]
        for at, token in enumerate(self.said.tokens):
            own = self.said_concepts[at]
            if token.text in _JOINING:
                if joined[0] >= _CLAUSE_CLAIMS and not joined[1]:
                    return Discrepancy.BEYOND  # a whole clause of which nothing stands in the quotation
                joined = [0, 0]
            if any(value.start <= token.start < value.end for value in self.said.values):
                continue  # the month of a date, the kind of a day: compared with the value
            if self._alternative_found(at, self._quoted_words):
                continue  # "Vacaciones o permiso", "Gastos e impuestos": one of the two is said
            if self._lacks_mandatory(at, own):
                return Discrepancy.BEYOND
            if not self._is_claim(at, own):
                continue
            if (
                token.text in self.document.party_terms
                and not any(one.text == token.text for one in (*self.tokens, *self.sentences))
                and not self._party_there(token)
            ):
                return Discrepancy.PARTY  # "la cargadora" of a burden on "la operadora"
            there = bool(own & self.confirmed) or self._found(token, own, self._quoted_words, self.quoted_all)
            there = there or self._party_there(token)
            if not there and (why := self._foreign(at, own)):
                return why
            there = there or self._found(token, own, self._wide_words, self.around_concepts)
            if not there and self._found(token, own & self.title_concepts, self.title, self.title_concepts):
                continue
            there = there or bool(self._said_everyday[at] & self._quoted_everyday)
            if not there and token.text in WEAK:
                continue
            if not there and any(one.text in _ALSO for one in self.said.tokens[max(0, at - 4) : at]):
                return Discrepancy.BEYOND  # "covers the night shift, too"
            weight = _PREDICATE_WEIGHT if self._is_predicate(at) or at == self._main_verb_at else 1
            total += weight
            found += weight * there
            joined = [joined[0] + 1, joined[1] + there]
        if joined[0] >= _CLAUSE_CLAIMS and not joined[1]:
            return Discrepancy.BEYOND
        if total == 0:
            return None
        across = language_of(self.said.tokens) != language_of(self.tokens)
        return None if found / total >= (_COVERED_ACROSS if across else _COVERED) else Discrepancy.BEYOND

    @cached_property
    def _main_verb_at(self) -> int:
        """Where the statement says what its first subject does: the word behind a party that begins it."""
        for at, own in enumerate(self.said_concepts[:4]):
            if any(one.startswith("party:") for one in own):
                return at + 1
        return -1

    @cached_property
    def _said_everyday(self) -> list[frozenset[str]]:
        return everyday(self.said.tokens)

    @cached_property
    def _quoted_everyday(self) -> frozenset[str]:
        return frozenset(one for found in everyday(self.tokens) for one in found)

    @cached_property
    def _quoted_words(self) -> list[Token]:
        return [one for one in self.tokens if one.kind == "word"]

    @cached_property
    def _wide_words(self) -> list[Token]:
        return [one for one in self.around if one.kind == "word"]

    def _lacks_mandatory(self, at: int, own: frozenset[str]) -> bool:
        """Tell whether a word changes what is claimed, and the quotation has nothing of the kind."""
        token = self.said.tokens[at]
        if token.text in MAY or token.text in MUST or token.text in PROHIBITED:
            return False
        must = self._mandatory(at, own)
        if not must or must & self.quoted_all or any(token.text == one.text for one in self._quoted_words):
            return False
        return not (must & self.around_concepts and all(c.startswith(("money:", "time:")) for c in must))

    def _is_claim(self, at: int, own: frozenset[str]) -> bool:
        """Tell whether a word of the statement is compared as such: no party, modal or negation."""
        token = self.said.tokens[at]
        return not (
            not is_content(token)
            or any(c.startswith("party:") and c.removeprefix("party:") not in OUTSIDERS for c in own)
            or token.text in _COMPARED_ELSEWHERE
            or at in self._said_denials.counted
            or self._stands_for_matter(token)
        )

    def _party_there(self, token: Token) -> bool:
        """Tell whether a name or term means a party that the sentences quoted name or speak of."""
        parties = self.document.parties
        key = parties.key(token.text, self.said_concepts_of(token))
        if not key or (not parties.is_term(token.text) and self._names_another(key)):
            return False
        spoken = {parties.person(person) for person in persons_of(self.sentences)}
        return key in spoken or any(
            parties.key(one.text, concepts_of([one])[0]) == key
            for one in self.sentences
            if one.kind == "word" and not parties.are_two_people(token.text, one.text)
        )

    def _names_another(self, key: str) -> bool:
        """Tell whether the sentences quoted name a person that is not the party `key`."""
        parties = self.document.parties
        return any(
            first.text in HONORIFICS and second.text not in HONORIFICS and parties.key(second.text, ()) != key
            for first, second in pairwise(self.sentences)
            if second.kind == "word"
        )

    def _foreign(self, at: int, own: frozenset[str]) -> Discrepancy | None:
        """Say why a word that the quotation does not have cannot be let pass."""
        token = self.said.tokens[at]
        in_sentences = self._found(token, own, self.sentences, frozenset())
        if self._is_name(token) and (self._whole_clause or not in_sentences):
            return Discrepancy.BEYOND
        if self._denied_beside(token, own):
            return Discrepancy.POLARITY
        if self._is_defined(token) and not in_sentences:
            return Discrepancy.PARTY
        if at == self._subject_at and not self._of_the_matter(token, own):
            return Discrepancy.OTHER_MATTER
        return Discrepancy.BEYOND if self._adds_to_list(at) else None

    def _mandatory(self, at: int, own: frozenset[str]) -> set[str]:
        """Return the concepts of a word that the quotation must have, because they change what is claimed."""
        must = {c for c in own if c.split(":")[0] in _MANDATORY and c not in BOUND_RATES}
        must -= {c for c in must if c.startswith("money:") and c not in _MONEY}
        must |= own & _NEVER_ADDED
        if "elsewhere:earlier" in own and not _points_back(self.said.tokens, at):
            must.add("elsewhere:earlier")
        if own & self.title_concepts and not any(
            one.kind in ("money", "percent") for one in self.said.values
        ):
            # "El arriendo" is the contract where no amount is spoken of.
            must = {c for c in must if not c.startswith("money:")}
        if "scope_word:only" in must and self._limited:
            must.discard("scope_word:only")  # "not, except": "only"
        if "scope_word:free" in must and self._costs_nothing(at):
            must.discard("scope_word:free")
        following = self.said.tokens[at + 1].text if at + 1 < len(self.said.tokens) else ""
        if (
            following in ("antes", "before", "by", "mas", "more", "menos", "less")
            and polarity_of(self.tokens).count
        ):
            must.discard("scope_word:never")  # "no antes del 1 de abril"
        return must

    @cached_property
    def _limited(self) -> bool:
        """Whether the quotation sets a limit: an exception, a proviso, "no later than"."""
        return bool(
            list(marks_of(self.tokens, exceptions=True))
            or PROVISOS.places(self.tokens)
            or CONDITIONS.places(self.tokens)
            or list(marks_of(self.tokens, negations=True))
            or any(one.text in ("limita", "limitado", "limitan", "limited", "limits") for one in self.tokens)
        )

    def _costs_nothing(self, at: int) -> bool:
        """Tell whether "free" is "free to", or the quotation says in other words that nothing is paid."""
        following = self.said.tokens[at + 1].text if at + 1 < len(self.said.tokens) else ""
        before = self.said.tokens[at - 1].text if at else ""
        if following in ("to", "of", "from") or before == "-":
            return True
        paid = {
            "general:pay",
            "money:expenses",
            "money:rent",
            "money:price",
            "general:cost_verb",
            "money:fee",
        }
        denials = self._quoted_denials
        return any(
            paid & denials.concepts[place] for one in denials.found for place in (*one.focus, *one.reach)
        )

    @staticmethod
    def _stands_for_matter(token: Token) -> bool:
        """Tell whether a word is "hacerlo", "do so": a light verb with what it stands for."""
        enclitic = ENCLITIC.fullmatch(token.text)
        return token.text in LIGHT_VERBS or (enclitic is not None and enclitic[1] in LIGHT_VERBS)

    @cached_property
    def _whole_clause(self) -> bool:
        """Whether the quotation is long enough to hold the names that the statement speaks of."""
        return sum(one.kind == "word" for one in self.tokens) >= _CLAUSE_WORDS

    def _other_object(self) -> bool:
        """Return whether the statement says of one thing what is quoted of another: "sublet the yard"."""
        said = self._object_of(self.said.tokens)
        if said is None:
            return False
        verb, thing = said
        quoted_words = [one for one in self.tokens if one.kind == "word"]
        if self._found(thing, concepts_of([thing])[0], quoted_words, self.quoted_all):
            return False
        for at, one in enumerate(self.tokens):
            if is_content(one) and (alike(verb.text, one.text) or concepts_of([verb])[0] & self.concepts[at]):
                other = next(
                    (
                        place
                        for place in range(at + 1, min(at + 4, len(self.tokens)))
                        if is_content(self.tokens[place])
                    ),
                    None,
                )
                if other is not None and not self._stated_says(self.tokens[other]):
                    return True
        return False

    def _object_of(self, tokens: Sequence[Token]) -> tuple[Token, Token] | None:
        """Return the first predicate behind a modal verb, and what stands right behind it."""
        for at in range(len(tokens)):
            if self._is_predicate(at):
                for place in range(at + 1, min(at + 4, len(tokens))):
                    one = tokens[place]
                    if one.kind != "word" or one.text in PREPOSITIONS:
                        break
                    if is_content(one) and not any(c.startswith("party:") for c in self.said_concepts[place]):
                        if "scope_word:all" in self.said_concepts[place]:
                            continue
                        return tokens[at], one
                return None
        return None

    def _is_predicate(self, at: int) -> bool:
        """Tell whether a word of the statement is what one may, must or must not do."""
        tokens = self.said.tokens
        place = at - 1
        while place >= 0 and tokens[place].text in (
            "no",
            "not",
            "se",
            "be",
            "ser",
            "only",
            "also",
            "solo",
            "a",
            "to",
            "que",
        ):
            place -= 1
        if place < 0 or not is_content(tokens[at]) or tokens[at].text in LIGHT_VERBS:
            return False
        modal = tokens[place].text
        return modal in (
            "may",
            "must",
            "shall",
            "can",
            "cannot",
            "will",
            "puede",
            "pueden",
            "podra",
            "podran",
            "debe",
            "deben",
            "debera",
            "deberan",
            "obligado",
            "obligada",
            "prohibido",
        )

    def _denied_beside(self, token: Token, own: frozenset[str]) -> bool | None:
        """Return whether a negation precedes a word found only around the quotation; `None` if not found."""
        found = None
        for at, one in enumerate(self.sentences):
            if is_content(one) and (alike(token.text, one.text) or own & concepts_of([one])[0]):
                denied = any(self.sentences[place].text in NEGATIONS for place in range(max(0, at - 7), at))
                found = denied if found is None else found and denied
        return found

    def _alternative_found(self, at: int, words: Sequence[Token]) -> bool:
        """Return whether a word of a label is joined to another by an "o" or "y" that was quoted."""
        tokens = self.said.tokens
        if not self._label:
            return False
        for step in (-1, 1):
            place = at + 2 * step
            if 0 <= place < len(tokens) and tokens[at + step].text in ("o", "u", "or", "y", "e", "and"):
                other = self.said_concepts[place]
                if self._found(tokens[place], other, words, self.quoted_all):
                    return True
        return False

    def _is_name(self, token: Token) -> bool:
        """Tell whether a word of the statement is a proper name: a capital letter within the sentence."""
        if token.text.startswith("["):
            return True  # a person or a number that was masked
        before = self.statement[: token.start].rstrip()
        return (
            bool(before)
            and before[-1] not in ".:!?"
            and self.statement[token.start].isupper()
            and not self.said_concepts_of(token)
        )

    def _is_defined(self, token: Token) -> bool:
        """Return whether a word is a defined term: one that the document writes with a capital letter."""
        if token.text in self.document.party_terms:
            return True
        if not self.statement[token.start].isupper() or not self.statement[: token.start].strip():
            return False
        return token.text in self.document.defined_terms

    def _adds_to_list(self, at: int) -> bool:
        """Tell whether a word that was not found is the last of a list: "la comunidad, el IBI y la luz"."""
        tokens = self.said.tokens
        place = at - 1
        while place >= 0 and (tokens[place].text in DETERMINERS or tokens[place].text in ("de", "del", "of")):
            place -= 1
        if place < 2 or tokens[place].text not in ("y", "e", "and", "ni", "nor"):
            return False
        if not is_content(tokens[place - 1]):
            return False
        if any(one.text == "," for one in tokens[max(0, place - 6) : place]):
            return True
        # "De la portería y del alumbrado"
        repeated = tokens[place + 1].text in PREPOSITIONS
        return repeated and any(one.text in PREPOSITIONS for one in tokens[max(0, place - 4) : place - 1])

    @cached_property
    def _subject_at(self) -> int | None:
        """Return where the statement names what begins or ends: "El abono termina el 31 de diciembre"."""
        tokens = self.said.tokens
        dated = [one.kind for one in self.said.values] == ["date"] and {"time:start", "time:end"} & {
            c for found in self.said_concepts for c in found
        }
        if not dated and not any(one.text in _DEFINES for one in self.tokens):
            return None
        if len(tokens) < 2 or tokens[0].text not in DETERMINERS:
            return None
        at = 2 if tokens[1].text in RANKS and len(tokens) > 2 else 1
        following = self.said_concepts[at + 1] if at + 1 < len(tokens) else frozenset()
        if not is_content(tokens[at]) or any(
            c.startswith("party:") for c in self.said_concepts[at] | following
        ):
            return None  # "la entidad acreedora"
        return at

    def _of_the_matter(self, token: Token, own: frozenset[str]) -> bool:
        """Tell whether a word stands in the sentences quoted, in their heading or in the document's title."""
        heading = [one for quoted in self.quoted for one in self._heading(quoted)]
        named = frozenset(c for found in concepts_of([*self.sentences, *heading]) for c in found)
        return self._found(token, own, [*self.sentences, *heading], named) or bool(own & self.title_concepts)


def _points_back(tokens: Sequence[Token], at: int) -> bool:
    """Return whether "anterior", "previous" is said of a person, clause or month, not of a contract."""
    text = tokens[at].text
    before = tokens[at - 1].text if at else ""
    if text in ("anterior", "previous") and before == "la" and at > 1 and tokens[at - 2].text == "de":
        return True  # "hermano de la anterior"
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if text.startswith("previ") or text in ("prior", "earlier"):
        # "Previa solicitud", "prior notice": before something, unless an agreement is called so.
        near = {c for one in tokens[max(0, at - 1) : at + 2] for c in concepts_of([one])[0]}
        return not near & _AGREEMENTS
    if text.startswith("anterior") and after in ("a", "al"):
        return True  # a comparison: "before that day"
    return before in ("del", "al", "lo", "clausula", "apartado", "parrafo", "mes", "ano", "dia") or after in (
        "clausula",
        "apartado",
        "parrafo",
        "clause",
        "paragraph",
        "month",
        "year",
        "day",
        "contract",
        "calendar",
    )
