"""Redaction against labelled passages: precision, recall and F1 by type, hard negatives, speed.

    python -m benchmarks.redaction --data FILE [--presidio]

A span counts when type, start and end are right (blanks at its edges aside). The detectors stand alone:
citations are not protected for them, so the hard negatives test them at their hardest. Names and addresses
are scored in a second run with `mask_names`. Beside them, where `--presidio` is given, Microsoft Presidio
with all its predefined patterns, scored leniently (any overlap, any type), and ours by that measure too.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
import venv
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from app.redaction import redact

NAMES = frozenset({"PERSON", "ADDRESS"})
PRESIDIO = "presidio-analyzer==2.2.*"
PASSAGE = 10_000
"""Characters of the passages whose anonymisation is timed."""

Row = dict[str, Any]


class Span(NamedTuple):
    start: int
    end: int
    type: str


class Score(NamedTuple):
    """Counts of right, superfluous and missed spans."""

    right: int
    superfluous: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.superfluous) if self.right + self.superfluous else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def figures(self) -> dict[str, float]:
        return {name: round(getattr(self, name), 4) for name in ("precision", "recall", "f1")}


def trimmed(text: str, start: int, end: int, kind: str) -> Span:
    """The span without blanks at its edges."""
    value = text[start:end]
    return Span(start + len(value) - len(value.lstrip()), end - len(value) + len(value.rstrip()), kind)


def expected(row: Row) -> list[Span]:
    """The labelled spans of a row."""
    return [trimmed(row["text"], span["start"], span["end"], span["type"]) for span in row["spans"]]


def identifiers_of(row: Row) -> list[Span]:
    """The labelled spans of a row that are neither names nor addresses."""
    return [span for span in expected(row) if span.type not in NAMES]


def ours(row: Row, *, names: bool) -> list[Span]:
    """What redaction masks in a row."""
    found = redact(row["text"], jurisdiction=row["jurisdiction"], mask_names=names).masked
    return [trimmed(row["text"], span.start, span.end, span.type) for span in found]


def exact(found: Iterable[Span], wanted: Iterable[Span]) -> Score:
    """Spans compared by type, start and end."""
    one, other = Counter(found), Counter(wanted)
    right = (one & other).total()
    return Score(right, one.total() - right, other.total() - right)


def lenient(found: Sequence[Span], wanted: Sequence[Span]) -> Score:
    """Spans compared by overlap alone."""

    def touched(span: Span, spans: Sequence[Span]) -> bool:
        return any(span.start < other.end and other.start < span.end for other in spans)

    right = sum(touched(span, wanted) for span in found)
    caught = sum(touched(span, found) for span in wanted)
    # Precision over what was found, recall over what was wanted; `right` is the latter.
    return Score(caught, len(found) - right, len(wanted) - caught)


def total(scores: Iterable[Score]) -> Score:
    return Score(*(sum(column) for column in zip(*scores, strict=True)))


def table(rows: Sequence[Row], names: bool) -> dict[str, Score]:
    """Exact scores by type; names and addresses only, or everything else."""
    by_type: dict[str, list[Score]] = {}
    for row in rows:
        found, wanted = ours(row, names=names), expected(row)
        for kind in {span.type for span in (*found, *wanted)}:
            if (kind in NAMES) == names:
                score = exact((s for s in found if s.type == kind), (s for s in wanted if s.type == kind))
                by_type.setdefault(kind, []).append(score)
    return {kind: total(scores) for kind, scores in sorted(by_type.items())}


def passages(rows: Sequence[Row]) -> list[str]:
    """The rows' texts in a fixed random order, joined to passages of about `PASSAGE` characters."""
    texts = [row["text"] for row in rows]
    random.Random(20260401).shuffle(texts)
    joined: list[str] = []
    while len(joined) < 20:
        passage = ""
        while len(passage) < PASSAGE:
            texts.append(texts.pop(0))
            passage += texts[-1] + "\n\n"
        joined.append(passage)
    return joined


def speed(work: Callable[[str], object], texts: Sequence[str]) -> float:
    """Megabytes of UTF-8 per second; the best of three rounds, after one to warm up."""
    size = sum(len(text.encode()) for text in texts) / 1e6
    work(texts[0])
    rounds = []
    for _ in range(3):
        begun = time.perf_counter()
        for text in texts:
            work(text)
        rounds.append(time.perf_counter() - begun)
    return size / min(rounds)


PRESIDIO_PROGRAM = '''
import inspect, json, sys, time
import presidio_analyzer.predefined_recognizers as predefined
from presidio_analyzer import AnalyzerEngine, PatternRecognizer, RecognizerRegistry
from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine

class Blank(NlpEngine):
    """No language model: the pattern recognisers alone, as for a machine without downloads."""
    def load(self): pass
    def is_loaded(self): return True
    def process_text(self, text, language): return NlpArtifacts([], [], [], [], self, language)
    def process_batch(self, texts, language, **_): return ((t, self.process_text(t, language)) for t in texts)
    def is_stopword(self, word, language): return False
    def is_punct(self, word, language): return False
    def get_supported_entities(self): return []
    def get_supported_languages(self): return ["es"]

job = json.load(sys.stdin)
recognisers = []
for _, kind in inspect.getmembers(predefined, inspect.isclass):
    if issubclass(kind, PatternRecognizer):
        try:
            recognisers.append(kind(supported_language="es"))
        except TypeError:
            continue
registry = RecognizerRegistry(recognizers=recognisers, supported_languages=["es"])
engine = AnalyzerEngine(registry=registry, nlp_engine=Blank(), supported_languages=["es"])
def work(text): return engine.analyze(text, language="es", score_threshold=job["threshold"])
found = [[[r.start, r.end, r.entity_type] for r in work(text)] for text in job["texts"]]
work(job["passages"][0])
begun = time.perf_counter()
for text in job["passages"]:
    work(text)
print(json.dumps({"found": found, "seconds": time.perf_counter() - begun, "recognisers": len(recognisers)}))
'''


def presidio(rows: Sequence[Row], texts: Sequence[str], cache: Path) -> dict[str, Any]:
    """Presidio on the same rows, in a virtual environment of its own under `cache`.

    Raises:
        subprocess.CalledProcessError: when it cannot be installed or fails.
    """
    python = cache / "bin" / "python"
    if not python.exists():
        print(f"building Presidio's environment in {cache}", file=sys.stderr)
        venv.create(cache, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", PRESIDIO], check=True, stdout=sys.stderr)
    # Dates, places and links are not identifiers here: their recognisers are left out of its score.
    ignored = {"URL", "DATE_TIME", "LOCATION", "NRP", "IP_ADDRESS", "MAC_ADDRESS"}
    job = {"texts": [row["text"] for row in rows], "passages": texts[:5], "threshold": 0.3}
    answer = subprocess.run(
        [python, "-c", PRESIDIO_PROGRAM], input=json.dumps(job), capture_output=True, text=True, check=True
    )
    result = json.loads(answer.stdout.splitlines()[-1])
    found = [[Span(*span) for span in spans if span[2] not in ignored] for spans in result["found"]]
    scores, flagged, negatives = [], 0, 0
    for row, spans in zip(rows, found, strict=True):
        scores.append(lenient(spans, identifiers_of(row)))
        negatives += row["kind"] == "hard_negative"
        flagged += row["kind"] == "hard_negative" and bool(spans)
    size = sum(len(text.encode()) for text in texts[:5]) / 1e6
    return {
        **total(scores).figures(),
        "hard_negatives_flagged": round(flagged / negatives, 4) if negatives else 0.0,
        "mb_per_s": round(size / result["seconds"], 3),
        "recognisers": result["recognisers"],
        "measure": "lenient",
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, and one JSON object on the last line."""
    parser = argparse.ArgumentParser(prog="benchmarks.redaction", description=(__doc__ or "").split("\n")[0])
    cache = Path(tempfile.gettempdir()) / "candado-presidio"
    parser.add_argument("--data", type=Path, required=True, help="labelled passages, one JSON object a line")
    parser.add_argument("--presidio", action="store_true", help="measure Microsoft Presidio beside it")
    parser.add_argument("--cache", type=Path, default=cache, help="folder of Presidio's environment")
    parser.add_argument("--misses", action="store_true", help="print what was missed or superfluous")
    options = parser.parse_args(arguments)
    rows: list[Row] = [
        json.loads(line) for line in options.data.read_text("utf-8").splitlines() if line.strip()
    ]

    identifiers, names = table(rows, names=False), table(rows, names=True)
    print(f"{'type':<18}{'spans':>6}{'precision':>11}{'recall':>9}{'F1':>8}")
    overall = total(identifiers.values())
    for kind, score in [*identifiers.items(), ("all identifiers", overall), *names.items()]:
        labelled = score.right + score.missed
        print(f"{kind:<18}{labelled:>6}{score.precision:>11.4f}{score.recall:>9.4f}{score.f1:>8.4f}")
    if options.misses:
        for row in rows:
            found, wanted = set(ours(row, names=True)), set(expected(row))
            for sign, differing in (("-", wanted - found), ("+", found - wanted)):
                for span in sorted(differing):
                    print(f"{sign} {row['id']} {span.type}: {row['text'][span.start : span.end]}")

    negatives = [row for row in rows if row["kind"] == "hard_negative"]
    flagged = sum(bool(ours(row, names=False)) for row in negatives)
    lenient_score = total(lenient(ours(row, names=False), identifiers_of(row)) for row in rows)
    texts = passages(rows)
    result: dict[str, Any] = {
        **overall.figures(),
        "hard_negatives_flagged": round(flagged / len(negatives), 4) if negatives else 0.0,
        "mb_per_s": round(speed(lambda text: redact(text), texts), 3),
        "mb_per_s_with_names": round(speed(lambda text: redact(text, mask_names=True), texts), 3),
        "names": total(names.values()).figures() if names else None,
        "lenient": lenient_score.figures(),
        "presidio": presidio(rows, texts, options.cache) if options.presidio else None,
    }
    if result["presidio"]:
        result["times_presidio"] = round(result["mb_per_s"] / result["presidio"]["mb_per_s"], 1)
    print(f"hard negatives flagged: {flagged} of {len(negatives)}")
    print(f"speed: {result['mb_per_s']} MB/s, with names {result['mb_per_s_with_names']} MB/s")
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
