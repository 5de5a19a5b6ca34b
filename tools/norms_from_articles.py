"""Facts for the norms registry out of collections of articles in JSON lines: which articles each law has.

    python -m tools.norms_from_articles FOLDER app/corpus/data/norms/00_articles.toml

Reads every `*_articles.jsonl.gz` of FOLDER by the same reader as the corpus and writes, for each law that
the registry names, the numbers of its articles, those without content and the day of the wording. No text of
a law is copied. A number that a collection lacks is not said to be absent: only what stands beyond the last
one is, and only of the collections that hold their law to its end.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from app.citations import without_content
from app.corpus import registry
from app.corpus.loading.readers import statute_jsonl
from app.corpus.loading.records import Source, Statute
from tools.norms_from_markdown import compressed

# Collections that hold a part of a law alone: its last article is not the law's (the folder's README).
_PARTS = {
    "PE:CC", "CO:decreto:410/1971", "CO:ley:1480/2011", "CO:ley:1755/2015", "CO:ley:1116/2006", "MX:CCo",
    "GB:act:unfair-contract-terms-act-1977", "GB:act:misrepresentation-act-1967",
    "GB:act:employment-rights-act-1996", "GB:act:consumer-rights-act-2015",
    "GB:act:late-payment-of-commercial-debts-interest-act-1998", "GB:act:landlord-and-tenant-act-1985",
    "CL:ley:20285", "CO:decreto:624/1989", "DE:HGB",
}  # fmt: skip
_COUNTRIES_IN_PARTS = ("US:",)
# Wordings of the past: no authority on what a law has today.
_HISTORICAL = "historical"


class Articles:
    """The articles of one law, in the order of the collection, with the day of its wording."""

    def __init__(self) -> None:
        self.numbers: dict[str, bool] = {}
        self.dated = ""

    def add(self, number: str, empty: bool, dated: str) -> None:
        """Add one article; where a number occurs twice, content in either counts."""
        self.numbers[number] = self.numbers.get(number, True) and empty
        self.dated = max(self.dated, dated)


def laws(folder: Path) -> dict[str, Articles]:
    """Return the articles of each law of the registry by its normal form."""
    found: dict[str, Articles] = {}
    unknown: set[str] = set()
    for path in sorted(folder.glob("*_articles.jsonl.gz")):
        if _HISTORICAL in path.name:
            continue
        code = path.name.partition("_")[0].upper()
        for item in statute_jsonl.read(Source(path, path.name, code), 0):
            if not isinstance(item.record, Statute):
                continue
            facts = item.record.facts
            norm = registry.norm(f"{facts.jurisdiction}:{facts.official_id}")
            norm = norm or registry.norm(f"{facts.jurisdiction.split('-')[0]}:{facts.official_id}")
            if norm is None:
                unknown.add(f"{facts.jurisdiction}:{facts.official_id} {facts.title[:60]}")
                continue
            for article in item.record.articles:
                wording = article.wordings[-1]
                ended = (
                    wording.in_force_to is not None
                    and article.number in found.get(norm.key, Articles()).numbers
                )
                if not ended:
                    found.setdefault(norm.key, Articles()).add(
                        article.number, without_content(wording.text), str(facts.dated or "")
                    )
    for one in sorted(unknown):
        print(f"{one}: not in the registry, left out", file=sys.stderr)
    return found


def by_hand(folder: Path) -> set[str]:
    """Return the norms whose articles a file written by hand lists, which stand as they are."""
    named: set[str] = set()
    for path in folder.glob("*.toml"):
        if not path.name.startswith("00_"):
            facts = tomllib.loads(path.read_text("utf-8")).get("norms", {})
            named |= {key for key, one in facts.items() if "articles" in one and not key.startswith("EU:")}
    return named


def lines(found: dict[str, Articles]) -> Iterator[str]:
    """Yield the lines of the file."""
    yield "# Articles that laws of other countries have, as collections of consolidated texts show them."
    yield "# Written by tools/norms_from_articles.py: do not edit by hand; what a lawyer adds goes beside it."
    for key, law in sorted(found.items()):
        plain = [int(number) for number in law.numbers if number.isdigit()]
        yield ""
        yield f'[norms."{key}"]'
        # Acts of the Union are listed by hand; what the collection adds are recitals and annexes.
        union = key.startswith("EU:")
        yield f'{"further" if union else "articles"} = "{compressed(law.numbers)}"'
        yield f"complete = {str(union).lower()}"
        if plain and not (key in _PARTS or key.startswith(_COUNTRIES_IN_PARTS)):
            yield f"articles_max = {max(plain)}"
        empty = [number for number, nothing in law.numbers.items() if nothing]
        if empty:
            yield f'empty = "{compressed(empty)}"'


def main() -> int:
    """Write the file."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    hand = by_hand(out.parent)
    found = {key: law for key, law in laws(folder).items() if key not in hand}
    out.write_text("\n".join(lines(found)) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
