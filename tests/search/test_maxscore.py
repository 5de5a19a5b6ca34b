"""The best passages are those of a plain reading of all passages, one by one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from app.search import maxscore, postings
from app.search.bm25 import inverse_frequency
from app.search.postings import Postings
from app.search.query import Concept, ParsedQuery

SIZE = 6_000
_COUNTS = {"a": 3, "b": 40, "c": 200, "d": 700, "e": 1_500, "f": 2_900, "g": 5_900, "h": 4_000}
_MARKS = {"branch x": 1_800, "branch y": 300, "subject p": 6, "subject q": 30, "institution r": 4}


def _collection(seed: int) -> dict[str, Postings]:
    """Postings of stems and marks, some of passages that came after the collection was read."""
    chance = np.random.default_rng(seed)
    found = dict.fromkeys("xyz", postings.NONE)
    for stem, count in (_COUNTS | _MARKS).items():
        ordinals = np.sort(chance.choice(SIZE + 9, count, replace=False)).astype(np.uint32)
        weights = chance.integers(1, 256, count) if stem in _COUNTS else np.full(count, 255)
        found[stem] = Postings(ordinals, weights.astype(np.uint8)).compact()
    assert found["g"].table is not None
    assert found["d"].table is None
    return found


def _query(stems: dict[str, float], *matters: tuple[float, str], **marks: dict[str, float]) -> ParsedQuery:
    concepts = tuple(
        Concept(tuple(tuple(one.split()) for one in wordings.split(",")), weight)
        for weight, wordings in matters
    )
    return ParsedQuery("ES", stems, (), "semantic", "es", concepts, **marks)  # type: ignore[arg-type]


QUERIES = (
    _query({"a": 1.0, "d": 0.4, "g": 1.0, "x": 1.0}),
    _query({"h": 0.15, "g": 0.1}),
    _query({"b": 1.0}, (1.25, "a b,b c a,x,c"), (0.9, "d e,a"), (0.6, "f,b a"), (1.0, "x y,z")),
    _query(
        {"c": 1.0, "h": 0.4}, (1.4, "e f g,d h"), (0.5, "g h,f"), branches={"branch x": 1, "branch y": 0.4}
    ),
    _query(
        {"e": 1.0, "f": 0.4},
        (1.25, "c d,h g"),
        branches={"branch y": 1.0},
        subjects={"subject p": 3.0, "subject q": 9.0, "subject none": 1.0},
        institutions={"institution r": 20.0},
    ),
    _query({}, (1.0, "h,g f")),
    _query({"x": 1.0}),
)


def _plainly(parsed: ParsedQuery, found: dict[str, Postings]) -> npt.NDArray[np.float64]:
    """Score each passage by the words of the module's head."""
    weights = {
        stem: dict(zip(of.ordinals.tolist(), of.weights.tolist(), strict=True)) for stem, of in found.items()
    }
    telling = {stem: inverse_frequency(of.count, SIZE) / 255 for stem, of in found.items()}

    def marked(of: dict[str, float], at: int) -> float:
        there = {mark: sum(one < SIZE for one in weights[mark]) for mark in of if at in weights[mark]}
        return max((of[mark] / count**0.3 for mark, count in there.items()), default=0.0)

    scores = np.zeros(SIZE)
    for at in range(SIZE):
        scores[at] = sum(of * telling[stem] * weights[stem].get(at, 0) for stem, of in parsed.stems.items())
        for concept in parsed.concepts:
            said = [0.0]
            for place, phrase in enumerate(concept.phrases):
                there = [stem for stem in phrase if found[stem].count]
                share = (0.7 if place else 1.0) / max(1, len(there)) ** 0.35
                said.append(sum(share * telling[stem] * weights[stem].get(at, 0) for stem in there))
            scores[at] += concept.weight * (0.7 * max(said) + 0.3 * sum(said))
        share = max((of for mark, of in parsed.branches.items() if at in weights[mark]), default=0.0)
        scores[at] *= 1 + 0.4 * share
        scores[at] += marked(dict(parsed.subjects), at) + marked(dict(parsed.institutions), at)
    return scores


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("parsed", QUERIES)
@pytest.mark.parametrize(("left_out", "probed"), [(0.05, 48), (0.6, 4), (0.0, 4), (0.95, 48)])
def test_the_best_are_those_of_all(
    parsed: ParsedQuery, seed: int, left_out: float, probed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maxscore, "_LEFT_OUT", left_out)
    monkeypatch.setattr(maxscore, "_PROBED", probed)
    monkeypatch.setattr(maxscore, "_A_CALL", 100)
    monkeypatch.setattr(maxscore, "_MANY", 50)
    monkeypatch.setattr(maxscore, "_AT_ONCE", 700)
    found = _collection(seed) | {"subject none": postings.NONE}
    expected = _plainly(parsed, found)
    query = maxscore.Query(parsed, found, SIZE)
    every = np.arange(SIZE, dtype=np.uint32)
    exact = query.scores(every)
    assert exact.tolist() == pytest.approx(expected.tolist(), rel=1e-5)
    for allowed in (np.ones(SIZE, bool), np.arange(SIZE) % 3 > 0, np.arange(SIZE) < 5, np.zeros(SIZE, bool)):
        order = np.lexsort((every, -exact))
        by_reading_all = [(int(at), float(exact[at])) for at in order if allowed[at] and exact[at] > 0]
        for most in (1, 10, 300, SIZE):
            assert query.best(allowed, most) == by_reading_all[:most]


def test_of_passages_that_score_the_same_the_first_are_taken() -> None:
    ordinals = np.arange(0, SIZE, 2, dtype=np.uint32)
    found = {"a": Postings(ordinals, np.full(len(ordinals), 9, np.uint8)).compact()}
    best = maxscore.Query(_query({"a": 1.0}), found, SIZE).best(np.ones(SIZE, bool), 7)
    assert [at for at, _ in best] == [0, 2, 4, 6, 8, 10, 12]


def test_few_passages_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maxscore, "_A_CALL", 100)
    found = _collection(1)
    query = maxscore.Query(QUERIES[2], found, SIZE)
    scored: list[int] = []
    score = maxscore.Query._scored

    def counted(self: maxscore.Query, ordinals: maxscore.Ordinals) -> maxscore.Scores:
        scored.append(len(ordinals))
        return score(self, ordinals)

    monkeypatch.setattr(maxscore.Query, "_scored", counted)
    query.best(np.ones(SIZE, bool), 10)
    summed, later = query._apart(0.1)
    assert later
    assert sum(one.most for one in later) <= 0.1 * sum(one.most for one in (*summed, *later))
    assert sorted(id(one) for one in (*summed, *later)) == sorted(map(id, query._bounds))
    assert 10 <= sum(scored) < SIZE / 10
