"""Quotations: literal ones verified, one-word mutations refused, harmless changes accepted.

    python -m benchmarks.quotation --data ../shared/data

Every article of the statutes is quoted back. Mutations change one word of a real article (a negation put
in or
taken out, another number, another modal verb, another exception, the other party); harmless changes are of
spacing, case, accents, quotation marks, line ends and marked omissions. Nothing is loaded: pure comparison.
"""

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from app.corpus.quote_match import compare
from benchmarks.law_articles import Article, colombian, spanish

_EXCHANGED = {
    "modality": {"podrá": "deberá", "podrán": "deberán", "deberá": "podrá", "deberán": "podrán",
                 "puede": "debe", "pueden": "deben", "debe": "puede", "deben": "pueden"},
    "number": {"uno": "dos", "dos": "tres", "tres": "cinco",
               "cuatro": "seis", "cinco": "diez", "seis": "nueve",
               "diez": "quince",
               "quince": "veinte", "veinte": "treinta", "treinta": "sesenta", "días": "meses",
               "meses": "años", "mes": "año", "año": "mes", "años": "meses", "máximo": "mínimo",
               "mínimo": "máximo", "mayor": "menor", "menor": "mayor", "superior": "inferior"},
    "exception": {"salvo": "incluso", "excepto": "incluso", "solo": "también", "únicamente": "también",
                  "siempre": "nunca", "sólo": "también"},
    "subject": {"deudor": "acreedor", "acreedor": "deudor", "arrendador": "arrendatario",
                "arrendatario": "arrendador", "comprador": "vendedor", "vendedor": "comprador",
                "trabajador": "empresario", "empresario": "trabajador", "demandante": "demandado",
                "demandado": "demandante", "padre": "hijo", "Juez": "Fiscal", "tribunal": "secretario",
                "asegurador": "asegurado", "asegurado": "asegurador", "heredero": "legatario"},
}  # fmt: skip
_KINDS = ("negation", *_EXCHANGED)


def _mutated(text: str, kind: str, chance: random.Random) -> str | None:
    """`text` with one word changed, or `None` where it has none of the kind."""
    words = list(re.finditer(r"[^\W\d_]+", text))
    if kind == "negation":
        gone = [word for word in words if word[0] == "no"]
        if gone and chance.random() < 0.5:
            chosen = chance.choice(gone)
            return text[: chosen.start()] + text[chosen.end() :].lstrip()
        verbs = [
            word for word in words if re.fullmatch(r"(?:pod|deber|ser|tendr|habr)[áa]n?|es|son", word[0])
        ]
        if not verbs:
            return None
        chosen = chance.choice(verbs)
        return f"{text[: chosen.start()]}no {text[chosen.start() :]}"
    table = _EXCHANGED[kind]
    fitting = [word for word in words if word[0] in table]
    if not fitting:
        return None
    chosen = chance.choice(fitting)
    return text[: chosen.start()] + table[chosen[0]] + text[chosen.end() :]


def _spaced(text: str, chance: random.Random) -> str:
    return re.sub(r" ", lambda _: chance.choice((" ", "  ", "\n", "\u00a0")), text)


def _cased(text: str, chance: random.Random) -> str:
    return text.upper() if chance.random() < 0.5 else text.lower()


def _elided(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    if len(words) < 12:
        return text + " [...]"
    start = chance.randrange(4, len(words) - 7)
    end = min(len(words) - 3, start + chance.randrange(3, 30))
    return " ".join([*words[:start], chance.choice(("[...]", "(...)", "…", "[…]")), *words[end:]])


def _quoted(text: str, chance: random.Random) -> str:
    return chance.choice(("«{}»", '"{}"', "“{}”")).format(text.rstrip("."))


_HARMLESS: dict[str, Callable[[str, random.Random], str]] = {
    "spacing": _spaced, "case": _cased, "ellipsis": _elided, "quotation marks": _quoted,
}  # fmt: skip


def _excerpt(article: Article, chance: random.Random) -> str:
    """Whole sentences of an article, up to about a hundred words."""
    sentences = [part for part in re.split(r"(?<=[.;])\s+", article.text) if len(part.split()) > 5]
    if not sentences:
        return article.text
    start = chance.randrange(len(sentences))
    taken = ""
    for sentence in sentences[start:]:
        if taken and len((taken + sentence).split()) > 100:
            break
        # Only what stands together in the text is one quotation.
        if taken and f"{taken} {sentence}" not in article.text:
            break
        taken = f"{taken} {sentence}".strip()
    return taken


def run(folder: Path, seed: int = 11) -> dict[str, float]:
    """Measure; the keys are those of the last line."""
    articles = [one for one in spanish(folder / "es_statutes") if len(one.text.split()) > 3]
    articles += [one for one in colombian(folder / "co_articles.jsonl.gz") if len(one.text.split()) > 3]
    chance = random.Random(seed)
    began = time.process_time()
    verified = sum(compare(one.text, one.text, one.heading).right for one in articles)
    literal_ms = (time.process_time() - began) * 1000 / len(articles)

    refused: Counter[str] = Counter()
    named: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    while tried.total() < 500:
        article, kind = chance.choice(articles), _KINDS[tried.total() % len(_KINDS)]
        text = _excerpt(article, chance)
        mutated = _mutated(text, kind, chance)
        if mutated is None or mutated == text or mutated in article.text:
            continue
        found = compare(mutated, article.text, article.heading)
        tried[kind] += 1
        refused[kind] += not found.right
        named[kind] += found.kind == "meaning"

    harmless: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for _ in range(500):
        article = chance.choice(articles)
        text = _excerpt(article, chance)
        for name, change in _HARMLESS.items():
            harmless[name] += 1
            lost[name] += not compare(change(text, chance), article.text, article.heading).right

    print(f"{'':18s} {'tried':>7s} {'right':>7s} {'share':>7s}")
    print(f"{'literal':18s} {len(articles):7d} {verified:7d} {verified / len(articles):7.4f}")
    for kind in _KINDS:
        print(
            f"{kind + ' refused':18s} {tried[kind]:7d} {refused[kind]:7d} {refused[kind] / tried[kind]:7.4f}"
        )
    for name in _HARMLESS:
        kept = harmless[name] - lost[name]
        print(f"{name:18s} {harmless[name]:7d} {kept:7d} {kept / harmless[name]:7.4f}")
    return {
        "literal": len(articles),
        "literal_verified": verified,
        "mutations": tried.total(),
        "mutations_refused": refused.total(),
        "mutations_called_meaning": named.total(),
        "harmless": harmless.total(),
        "harmless_refused": lost.total(),
        "harmless_refused_share": round(lost.total() / harmless.total(), 4),
        "literal_ms": round(literal_ms, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with es_statutes and co_articles")
    chosen = parser.parse_args()
    if not (chosen.data / "es_statutes").is_dir():
        sys.exit(f"{chosen.data} has no folder es_statutes")
    print(json.dumps(run(chosen.data)))


if __name__ == "__main__":
    main()
