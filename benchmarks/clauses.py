"""How well clauses are told apart, and at what cost: `python -m benchmarks.clauses`.

The weights are learnt without some clauses and asked about those, fold by fold. Where a type has several
authors a fold is one author's clauses: how a stranger's fare; where it has one, they are dealt in turn, and
the figures are optimistic. A clause counts as proposed where its type has the probability from which rules
are asked (`PROPOSED`), as believed from the probability from which presence is told (`SURE`). Sentences of
no type are dealt to the authors in turn; what is proposed there is a false alarm for the rules to refuse.

Probabilities are calibrated without the judged author too. Then the time for the documents of the golden
analyses, beside that of the whole engine. Prints a table by type and, last, one JSON object.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.rules import Brief, Document, RulesEngine
from app.rules.clause_types import PROPOSED, SURE, classifier, exemplars, training

ROUNDS = 7
TEXTS = Path(__file__).resolve().parents[1] / "tests/rules/texts"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="show N clauses that were missed")
    arguments = parser.parse_args()
    held = exemplars.read()
    types = sorted({one.type for one in held} - {exemplars.NONE})
    probabilities = unseen_probabilities(held, types)
    truth = training.signs_of(held, types) > 0
    rows = [_figures(name, probabilities[:, at], truth[:, at]) for at, name in enumerate(types)]
    print(f"{'type':28} {'clauses':>7} {'precision':>9} {'recall':>7} {'sure':>7} {'recall':>7}")
    for row in rows:
        print(
            f"{row['type']:28} {row['clauses']:7} {row['precision']:9.2f} {row['recall']:7.2f} "
            f"{row['sure_precision']:7.2f} {row['sure_recall']:7.2f}"
        )
    _print_worst(held, types, probabilities, truth, arguments.worst)
    nothing = ~truth.any(axis=1)
    cost = _cost()
    print(
        json.dumps(
            {
                "types": len(types),
                "exemplars": len(held),
                "authors": len({one.author for one in held if one.type != exemplars.NONE}),
                **{
                    f"macro_{name}": round(float(np.mean([row[name] for row in rows])), 4)
                    for name in ("precision", "recall", "sure_precision", "sure_recall")
                },
                "best_guess_right": round(
                    float((probabilities.argmax(axis=1) == truth.argmax(axis=1))[~nothing].mean()), 4
                ),
                "proposed_of_no_type": round(
                    float((probabilities[nothing] >= PROPOSED).any(axis=1).mean()), 4
                ),
                "calibration_error": round(calibration_error(probabilities, truth), 4),
                **cost,
            }
        )
    )


def unseen_probabilities(held: Sequence[exemplars.Exemplar], types: Sequence[str]) -> NDArray[np.float64]:
    """The probability of each type for each clause, from models and curves that saw nothing of its author."""
    texts, signs = [training.counted(one.text) for one in held], training.signs_of(held, types)
    fold = training.folds(held)
    found = np.zeros_like(signs)
    for judged in np.unique(fold):
        kept, out = np.flatnonzero(fold != judged), np.flatnonzero(fold == judged)
        vocabulary = training.learn_vocabulary([texts[at] for at in kept.tolist()])
        rows = [training.row(texts[at], vocabulary) for at in kept.tolist()]
        model = training.fit(rows, signs[kept], len(vocabulary.hashes))
        inner = training.held_out_scores(rows, signs[kept], model, fold[kept])
        scores = training.score([training.row(texts[at], vocabulary) for at in out.tolist()], model)
        for at in range(len(types)):
            slope, constant = training.calibrate(inner[:, at], signs[kept, at] > 0)
            found[out, at] = 1 / (1 + np.exp(-np.clip(slope * scores[:, at] + constant, -30, 30)))
    return found


def calibration_error(probabilities: NDArray[np.float64], truth: NDArray[np.bool_]) -> float:
    """How far a probability is from the share of clauses that are of the type, over ten bands of it.

    Where next to nothing is proposed, below 0.05, is left out: there it is easy to be right.
    """
    told, right = probabilities[probabilities >= 0.05], truth[probabilities >= 0.05]
    band = np.minimum((told * 10).astype(int), 9)
    apart = [
        abs(told[band == one].mean() - right[band == one].mean()) * (band == one).sum() for one in set(band)
    ]
    return float(sum(apart) / max(len(told), 1))


def _figures(name: str, probability: NDArray[np.float64], truth: NDArray[np.bool_]) -> dict[str, Any]:
    figures: dict[str, Any] = {"type": name, "clauses": int(truth.sum())}
    for prefix, least in (("", PROPOSED), ("sure_", SURE)):
        told = probability >= least
        figures[f"{prefix}precision"] = float(truth[told].mean()) if told.any() else 0.0
        figures[f"{prefix}recall"] = float(told[truth].mean())
    return figures


def _print_worst(
    held: Sequence[exemplars.Exemplar],
    types: Sequence[str],
    probabilities: NDArray[np.float64],
    truth: NDArray[np.bool_],
    number: int,
) -> None:
    """Show clauses whose own type was least believed, and what was believed instead."""
    own = np.where(truth, probabilities, 2.0).min(axis=1)
    for at in np.argsort(own)[:number]:
        guess = int(probabilities[at].argmax())
        print(
            f"{held[at].type} {own[at]:.2f}, {types[guess]} {probabilities[at][guess]:.2f}: {held[at].text}"
        )


def _cost() -> dict[str, float]:
    """Milliseconds per 1,000 characters of the classifier and of the engine, least of several rounds."""
    texts = [path.read_text("utf-8") for path in sorted(TEXTS.glob("*.txt"))]
    characters = sum(map(len, texts))
    engine, known = RulesEngine(), classifier().types[:1]
    documents: list[Document] = []

    def cut() -> None:
        documents[:] = [Document(text) for text in texts]
        for document in documents:
            document.sentences()

    def classify() -> None:
        for document in documents:
            document.clauses_of(known, SURE)

    def analyse() -> None:
        for text in texts:
            engine.analyse(Brief(text, "ES", "civil", "es"))

    analyse()
    cut()
    classify()
    times = []
    for _ in range(ROUNDS):
        cut()
        times.append((_seconds(classify), _seconds(analyse)))
    of_classifier, of_engine = (min(column) for column in zip(*times, strict=True))
    return {
        "classifier_ms_per_1000_characters": round(of_classifier * 1e6 / characters, 4),
        "engine_ms_per_1000_characters": round(of_engine * 1e6 / characters, 4),
        "share_of_engine": round(of_classifier / of_engine, 4),
    }


def _seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
