"""Put the words of all clauses into one sequence of changes, and ask for the DOCX that tracks them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any

from app import documents
from app.comparison.kept import KeptComparison
from app.comparison.models import Comparison
from app.text.bilingual import pick

Runs = list[tuple[str, str]]


def tracked_docx(row: Comparison, kept: KeptComparison) -> bytes:
    """Return the text of a comparison as a DOCX with its changes tracked, made in a process of its own.

    Args:
        row: when it was made.
        kept: its clauses, its language, and under whose name changes are tracked.

    Raises:
        DocumentUnreadable: it cannot be made within the limits.
        Upstream: too many files are being made right now (503).
    """
    language = kept.language
    arguments = {
        "author": kept.author or pick(language, "Comparación", "Comparison"),
        "date": row.created_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "title": pick(language, "Cambios entre dos versiones", "Changes between two versions"),
        "language": language,
    }
    data = json.dumps(linear_runs(kept.answer["clauses"]), ensure_ascii=False).encode()
    return documents.run("tracked_changes", data, arguments)


def linear_runs(clauses: Sequence[Mapping[str, Any]]) -> Runs:
    """Return runs of which those not inserted are the earlier text, and those not deleted the later one.

    A clause that moved is deleted where it stood and inserted where it stands.
    """
    kept = [one for one in clauses if one["before"] and one["after"] and one["change"] != "moved"]
    gone = _apart(clauses, kept, "before", "insert")
    come = _apart(clauses, kept, "after", "delete")
    found: Runs = []
    for at in range(len(kept) + 1):
        found += (("delete", text) for text in gone[at])
        found += (("insert", text) for text in come[at])
        if at < len(kept):
            found += ((run["op"], run["text"]) for run in kept[at]["words"])
    return list(_joined(found))


def _apart(
    clauses: Sequence[Mapping[str, Any]], kept: Sequence[Mapping[str, Any]], side: str, left_out: str
) -> list[list[str]]:
    """Return the texts of a version that have no counterpart, by how many kept clauses stand before them."""
    ids = {id(one) for one in kept}
    apart = sorted(
        (one for one in clauses if one[side] and id(one) not in ids), key=lambda one: one[side]["start"]
    )
    found: list[list[str]] = [[] for _ in range(len(kept) + 1)]
    at = 0
    for one in apart:
        while at < len(kept) and kept[at][side]["start"] < one[side]["start"]:
            at += 1
        found[at].append("".join(run["text"] for run in one["words"] if run["op"] != left_out))
    return found


def _joined(runs: Runs) -> Iterator[tuple[str, str]]:
    """Yield runs, those of one kind in a row as one."""
    last, texts = "", list[str]()
    for op, text in runs:
        if op != last and texts:
            yield last, "".join(texts)
            texts.clear()
        last = op
        texts.append(text)
    if texts:
        yield last, "".join(texts)
