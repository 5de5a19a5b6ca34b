"""Tell what a document speaks of: rank rules by how like its parts are to their passages, lawful ones too."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.rules.clause_types.exemplars import Subject, archive
from app.rules.clause_types.part_words import PartWords
from app.rules.passages.index import Index

_LEAST = 0.08  # a cosine below it is chance
_NEAREST = (1.0, 0.5, 0.25, 0.0)  # one passage may be like a part by chance, three are not
_MOST, _RIVALRY = 10, 0.2  # a part may be about so many rules; each likelier one takes so much from the next


class SubjectIndex(Index):
    """The passages of all rules, asked for what a document is about, not for the defects that it states."""

    @property
    def each(self) -> float:
        """How many passages each rule has, on average."""
        return len(self._all.rule_of) / max(len(self.rules), 1)

    def ranked(self, words: PartWords, rules: Mapping[str, str]) -> dict[str, float]:
        """Return how much a document speaks of what each rule is about; of others nothing is returned.

        Of each rule it is the likeness of the part that is most like its passages, the less the more rules
        this part is likelier to be about.

        Args:
            words: the words of the parts of the document.
            rules: the rules, and what each is about.
        """
        subset = self._subset(frozenset(rules.items()))
        owner, place, weight, _ = self._features(words)
        size, lengths = len(subset.rule_of), subset.starts[place + 1] - subset.starts[place]
        within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        at = np.repeat(subset.starts[place], lengths) + within
        keys = np.repeat(owner, lengths) * size + subset.owners[at]
        sums = np.bincount(keys, subset.values[at] * np.repeat(weight, lengths))
        near = np.flatnonzero(sums > _LEAST)
        part, passage = np.divmod(near, max(size, 1))
        # By part and rule, the nearest passages first.
        pair = part * len(self.rules) + subset.rule_of[passage]
        order = np.lexsort((-sums[near], pair))
        pair, cosine = pair[order], sums[near][order]
        first = np.flatnonzero(np.diff(pair, prepend=-1))
        place = np.arange(len(pair)) - np.repeat(first, np.diff(first, append=len(pair)))
        score = np.bincount(
            np.cumsum(np.diff(pair, prepend=-1) != 0) - 1,
            cosine * np.take(_NEAREST, place, mode="clip"),
        )
        part, rule = np.divmod(pair[first], len(self.rules))
        found: dict[str, float] = {}
        before = dict.fromkeys(part.tolist(), 0)
        for one in np.argsort(-score, kind="stable").tolist():
            behind = before[part[one]]
            before[part[one]] += 1
            if behind < _MOST:
                name = self.rules[rule[one]]
                found[name] = max(found.get(name, 0.0), float(score[one]) / (1 + _RIVALRY * behind))
        return found


def load(subject: Subject) -> SubjectIndex:
    """Return the index of the passages of a country.

    Raises:
        WeightsError: when it is missing, or is not of these passages.
    """
    return SubjectIndex(archive(subject))
