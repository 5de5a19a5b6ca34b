"""Write the audit block that ends an analysis: YAML that a simple reader takes apart (decision 019). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def audit_block(
    *,
    wire_name: str,
    jurisdiction: str,
    mode: str,
    modules: Sequence[str],
    levels: Mapping[str, int],
    sources: Mapping[str, int],
    review: Sequence[str],
    summary: str,
) -> list[str]:
    """Return the lines from `{WIRE}-AUDIT-TRAIL-BEGIN` to `-END`; every text fits one line without quotes.

    Args:
        wire_name: the service's name in the markers.
        jurisdiction: that was applied.
        mode: of the analysis.
        modules: what ran.
        levels: how often each lock occurs in the text.
        sources: how many sources of each kind were used.
        review: what a lawyer should look at.
        summary: one paragraph.
    """
    name = wire_name.upper()
    return [
        f"{name}-AUDIT-TRAIL-BEGIN",
        f"jurisdiction: {jurisdiction}",
        f"mode: {mode}",
        *_list("modules_active", modules),
        *_map("levels_emitted", levels),
        *_map("rag_sources", sources),
        *_list("kill_switches_triggered", []),
        *_list("review_flags", review),
        "executive_summary: |",
        f"  {summary or '-'}",
        f"{name}-AUDIT-TRAIL-END",
    ]


def _list(key: str, items: Sequence[str]) -> list[str]:
    return [f"{key}:", *(f"  - {item}" for item in items)] if items else [f"{key}: []"]


def _map(key: str, items: Mapping[str, int]) -> list[str]:
    return [f"{key}:", *(f"  {k}: {v}" for k, v in items.items())] if items else [f"{key}: {{}}"]
