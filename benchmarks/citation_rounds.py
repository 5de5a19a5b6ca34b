"""Measure rounds of texts with keys: what is cited, how it is read, and the verdicts, per country.

`benchmarks.citations` is the command; `benchmarks/data/citations/README.md` says how a key is written.
"""

from __future__ import annotations

import json
import re
import subprocess
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from app.citations import Citation, extract
from app.corpus import LookupResult, look_up, registry, verify

ROUNDS: Final = Path(__file__).with_name("data") / "citations"
_ON: Final = date(2026, 4, 30)


@dataclass(frozen=True)
class Key:
    """One citation of a text, as its author reads it."""

    start: int
    end: int
    said: Mapping[str, Any]
    country: str

    @property
    def is_norm(self) -> bool:
        return "norm" in self.said


def keys_of(text: str, raw: Mapping[str, Any]) -> list[Key]:
    """Return the keys with their offsets; `nth` says which occurrence of the words is meant.

    Raises:
        SystemExit: words of a key do not stand in the text.
    """
    found: list[Key] = []
    taken: Counter[str] = Counter()
    for said in raw["citations"]:
        words = said["text"]
        taken[words] += 1
        at = -1
        for _ in range(said.get("nth", taken[words])):
            at = text.find(words, at + 1)
        if at < 0:
            raise SystemExit(f"not in the text: {words!r}")
        found.append(Key(at, at + len(words), said, said.get("country", raw["jurisdiction"])))
    return found


def same_span(
    text: str, wanted: tuple[int, int], found: tuple[int, int], numbers: Sequence[str] = ()
) -> bool:
    """Tell whether two spans are of one citation, the one rule for rounds and for development rows.

    What introduces a decision (its court, "sentencia", "Case", the parties) and what follows its number (a
    page, the court in brackets) may be inside or outside: "Corte Suprema, rol N° 12.362-2021" and "rol N°
    12.362-2021" are the same. A span that lacks a number of the key is another one, and so is one of a norm
    that differs at all.

    Args:
        text: The text of both.
        wanted: Start and end of the key.
        found: Start and end of what was found.
        numbers: The numbers of the decision, as the key has them. Without, no figure may be outside.
    """
    if wanted == found:
        return True
    (first, begin), (end, last) = sorted((wanted[0], found[0])), sorted((wanted[1], found[1]))
    if begin >= end or (wanted[0] - found[0]) * (wanted[1] - found[1]) > 0:
        return False
    beside = text[first:begin] + text[end:last]
    if not numbers:
        return not re.search(r"\d", beside)
    inner = plain(text[found[0] : found[1]])
    wider = found[0] <= wanted[0] and wanted[1] <= found[1]
    held = all(any(form in inner for form in _notations(one)) for one in numbers)
    return held and (not wider or not re.search(r"\d", beside))


def plain(written: str) -> str:
    """Return letters and figures alone, so that "VIII ZR 96/09" and "VIIIZR 96/09" are one number."""
    letters = unicodedata.normalize("NFKD", written)
    return re.sub(r"[^A-Z0-9]", "", letters.upper())


def reads(key: Key, found: Sequence[Citation]) -> bool:
    """Tell whether the citations found in the place of a key say what the key says, taken together."""
    if not found or any(one.jurisdiction != key.country for one in found):
        return False
    return _reads_norm(key.said, found) if key.is_norm else _reads_decision(key.said, found)


def _reads_norm(said: Mapping[str, Any], found: Sequence[Citation]) -> bool:
    wanted = {_one_name(one) for one in said["norm"].split(" | ")}
    named = {_one_name(form) for one in found for form in (one.norm, *one.canonical, *_of_list(one)) if form}
    if wanted != {"?"} and not wanted & named:
        return False
    cited = [plain(article) for one in found for article in one.articles]
    return sorted(cited) == sorted(plain(one) for one in said.get("articles", ()))


def _one_name(form: str) -> str:
    """Return one normal form for all the registry knows of a norm ("CO:decreto:1400/1970" is "CO:CPC")."""
    known = registry.norm(form)
    return (known.key if known else form).casefold()


def _notations(number: str) -> tuple[str, ...]:
    """Return a number as written and with its year behind a stroke: "SU-049 de 2017", "SU-049/17"."""
    return plain(number), plain(re.sub(r"\s(?:de|del|of)\s(?:19|20)(\d\d)$", r"/\1", number))


def _of_list(citation: Citation) -> Iterator[str]:
    """Yield the norms of a list of norms ("Leyes 39/2015 y 40/2015")."""
    for form in citation.canonical:
        yield form.partition(":art")[0].partition("@")[0]


def _reads_decision(said: Mapping[str, Any], found: Sequence[Citation]) -> bool:
    stack = plain(" ".join(" ".join((*one.canonical, *one.ids.values())) for one in found))
    courts = {part for one in found for form in one.canonical for part in map(plain, form.split(":"))}
    courts |= {plain(one.ids["court"]) for one in found if "court" in one.ids}
    court = plain(said.get("court", ""))
    named = not court or not said.get("numbers") or any(part.startswith(court) for part in courts)
    dated = not said.get("date") or said.get("numbers") or plain(said["date"]) in stack
    return (
        named
        and bool(dated)
        and all(any(form in stack for form in _notations(one)) for one in said.get("numbers", ()))
    )


def subdivides(key: Key, found: Sequence[Citation]) -> bool:
    """Tell whether the subdivisions read are those of the key ("2.b": paragraph 2, letter b)."""
    wanted = Counter(plain(one) for one in re.split(r"[.,\s-]+", key.said["paragraph"]))
    for one in found:
        divided = Counter(plain(v) for parts in one.divisions for part in parts for v in part.values)
        pinned = Counter(plain(value) for value in re.split(r"[.,-]", one.pinpoint or ""))
        if wanted in (divided, pinned):
            return True
    return False


class Tally:
    """What was counted in one country, or in all of them."""

    def __init__(self) -> None:
        self.of: Counter[str] = Counter()

    def errors(self, how: str) -> dict[str, int]:
        """Return how often each kind of wrong verdict was given, the commonest first."""
        prefix = f"{how}error:"
        found = {
            name.removeprefix(prefix): count for name, count in self.of.items() if name.startswith(prefix)
        }
        return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))

    def figures(self) -> dict[str, float | int | None]:
        """Return the shares by name."""
        of = self.of
        shares = {
            "precision": (of["right"], of["found"]),
            "recall": (of["heard"], of["keys"]),
            "exact": (of["exact"], of["keys"]),
            "read": (of["read"], of["keys"]),
            "paragraphs": (of["paragraphs"], of["with_paragraph"]),
        }
        for how in ("", "loaded_"):
            if how and not of[f"{how}judged"]:
                continue
            shares |= {
                f"{how}verdicts": (of[f"{how}verdicts"], of[f"{how}judged"]),
                f"{how}verdicts_norms": (of[f"{how}verdicts_norms"], of[f"{how}judged_norms"]),
                f"{how}false_verdicts": (of[f"{how}false"], of[f"{how}judged"]),
            }
        given = {name: round(part / whole, 4) if whole else None for name, (part, whole) in shares.items()}
        return {"citations": of["keys"], **given}


def sit(folder: Path, loaded: bool, verbose: bool) -> dict[str, Any]:
    """Measure every text of a folder; return the figures of all and by country (`countries`)."""
    total, countries, texts = Tally(), defaultdict[str, Tally](Tally), 0
    for path in sorted(folder.rglob("*.json")):
        source = path.with_suffix(".txt")
        if not source.exists():
            continue
        texts += 1
        text, raw = source.read_text("utf-8"), json.loads(path.read_text("utf-8"))
        found = extract(text, raw["jurisdiction"])
        law = look_up(found, _ON) if loaded else None
        for tally, what, said in _marks(text, keys_of(text, raw), found, raw["jurisdiction"], law):
            countries[tally].of[what] += 1
            total.of[what] += 1
            if verbose and said:
                print(f"{path.stem}: {said}")
    by_country = {country: tally.figures() for country, tally in sorted(countries.items())}
    errors = {"alone": total.errors("")} | ({"loaded": total.errors("loaded_")} if loaded else {})
    return {"texts": texts, **total.figures(), "errors": errors, "countries": by_country}


def _marks(
    text: str, keys: Sequence[Key], found: Sequence[Citation], jurisdiction: str, law: LookupResult | None
) -> Iterator[tuple[str, str, str]]:
    """Yield what is counted: country, name of the count, and a word where something was wrong."""
    for one in found:
        right = any(one.start < key.end and key.start < one.end for key in keys)
        yield one.jurisdiction or jurisdiction, "found", ""
        if right:
            yield one.jurisdiction or jurisdiction, "right", ""
        else:
            yield one.jurisdiction or jurisdiction, "wrong", f"cited by nobody: {one.text!r} {one.canonical}"
    for key in keys:
        here = [one for one in found if one.start < key.end and key.start < one.end]
        yield key.country, "keys", ""
        if not here:
            yield key.country, "unheard", f"not heard: {key.said['text']!r}"
        else:
            yield key.country, "heard", ""
        numbers = () if key.is_norm else key.said.get("numbers", ())
        ours = (key.start, key.end)
        if any(
            (one.start, one.end) == ours or (numbers and same_span(text, ours, (one.start, one.end), numbers))
            for one in here
        ):
            yield key.country, "exact", ""
        if reads(key, here):
            yield key.country, "read", ""
        elif here:
            read = [(one.text, one.norm, one.articles, one.canonical) for one in here]
            yield key.country, "misread", f"misread: {dict(key.said)} as {read}"
        if key.said.get("paragraph"):
            yield key.country, "with_paragraph", ""
            if subdivides(key, here):
                yield key.country, "paragraphs", ""
            elif here:
                divided = [(one.pinpoint, one.divisions) for one in here]
                yield key.country, "unpinned", f"paragraph {key.said['paragraph']} read as {divided}"
        yield from _judged(key, here, law)


def _judged(key: Key, here: Sequence[Citation], law: LookupResult | None) -> Iterator[tuple[str, str, str]]:
    wanted = key.said.get("verdict")
    if not wanted:
        return
    for how, known in (("", None), ("loaded_", law)):
        if how and known is None:
            continue
        judged = [verify(one, _ON, known) if known else verify(one, _ON) for one in here]
        given = {one.status for one in judged}
        norms = ("_norms",) if key.is_norm else ()
        for suffix in ("", *norms):
            yield key.country, f"{how}judged{suffix}", ""
        if wanted in given and (wanted != "verified" or len(given) == 1):
            for suffix in ("", *norms):
                yield key.country, f"{how}verdicts{suffix}", ""
        else:
            notes = [(one.status, one.note_en) for one in judged]
            yield key.country, "misjudged", f"{how}verdict {wanted}: {key.said['text']!r} {notes}"
            as_what = " and ".join(sorted(given)) if given else "not heard"
            what = "norm" if key.is_norm else "decision"
            yield key.country, f"{how}error:{what} {wanted} as {as_what}", ""
        if given - {wanted, "not_verifiable"}:
            yield key.country, f"{how}false", ""


def table(figures: Mapping[str, Any]) -> None:
    """Print the figures of each country, and the kinds of wrong verdict."""
    columns = ["citations", "precision", "recall", "exact", "read", "paragraphs", "verdicts_norms"]
    loaded = "loaded" in figures["errors"]
    columns += ["loaded_verdicts_norms", "loaded_false_verdicts"] if loaded else []
    print(f"{'':5}" + "".join(f"{name.replace('verdicts', 'v.'):>16}" for name in columns))
    for country, own in figures["countries"].items():
        shown = ("-" if own.get(name) is None else own[name] for name in columns)
        print(f"{country:5}" + "".join(f"{one:>16}" for one in shown))
    for how, errors in figures["errors"].items():
        print(f"\nwrong verdicts, {'with the law loaded' if how == 'loaded' else 'without a corpus'}:")
        for what, count in errors.items():
            print(f"{count:>5}  {what}")


def record(name: str, keys: str, figures: Mapping[str, Any]) -> None:
    """Add the figures of a first sitting to `rounds.jsonl`; `keys` says who wrote the keys."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    row = {"round": name, "date": time.strftime("%Y-%m-%d"), "commit": commit, "keys": keys, **figures}
    with (ROUNDS / "rounds.jsonl").open("a", encoding="utf-8") as rounds:
        rounds.write(json.dumps(row) + "\n")
