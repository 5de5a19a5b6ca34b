"""Payload of a job, and its serialised form, which is only ever stored encrypted."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.analysis import CONCURRENCY_DEFAULT, AnalysisRequest, BatchItem, Mode, Source, price
from app.documents import Reading
from app.jobs.models import Kind
from app.platform.confidential import DocumentText
from app.platform.errors import Invalid


@dataclass(frozen=True, slots=True)
class Payload:
    """The documents of a job. `repr` shows no text.

    Attributes:
        kind: `analyze` has one item, with a request.
        items: The documents.
        worst_case: Credits to hold.
        concurrency: Number of documents analysed in parallel.
    """

    kind: Kind
    items: tuple[BatchItem, ...]
    worst_case: int
    concurrency: int = CONCURRENCY_DEFAULT

    @classmethod
    def single(cls, request: AnalysisRequest) -> Payload:
        """Return the payload for one document, as in POST /analyze."""
        return cls("analyze", (BatchItem(None, request),), request.price, 1)

    @classmethod
    def several(
        cls, items: Sequence[BatchItem], *, mode: Mode = "standard", concurrency: int = CONCURRENCY_DEFAULT
    ) -> Payload:
        """Return the payload for a batch, as in POST /analyze/batch.

        `mode` sets the price of items that could not be read.
        """
        worst_case = sum(item.request.price if item.request else price(mode) for item in items)
        return cls("analyze_batch", tuple(items), worst_case, concurrency)

    @property
    def units(self) -> list[int]:
        """Return what each document counts for: once for every 50,000 characters begun (decision 069)."""
        return [item.request.units if item.request else 1 for item in self.items]

    @property
    def documents(self) -> list[uuid.UUID]:
        """Return the uploaded documents that the texts were read from."""
        requests = [item.request for item in self.items if item.request is not None]
        return [request.source.ref for request in requests if request.source is not None]

    def longest_s(self, deadline_s: float) -> float:
        """Return the longest time of one attempt in seconds.

        It is a deadline for each unit of the documents that one of the threads gets at most, and a minute:
        no order keeps a thread busy for longer (R. L. Graham, Bounds for certain multiprocessing anomalies,
        1966).
        """
        units, threads = self.units, self.concurrency
        return (sum(units) + (threads - 1) * max(units)) // threads * deadline_s + 60

    def __repr__(self) -> str:
        return f"<Payload of {len(self.items)} documents>"

    def as_bytes(self) -> bytes:
        """Return the payload as JSON in UTF-8, to be encrypted before it is stored."""
        plain = {
            "kind": self.kind,
            "items": [_plain(item) for item in self.items],
            "worstCase": self.worst_case,
            "concurrency": self.concurrency,
        }
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, raw: bytes) -> Payload:
        """Parse the result of `as_bytes`."""
        plain = json.loads(raw)
        items = tuple(_item(one) for one in plain["items"])
        return cls(plain["kind"], items, plain["worstCase"], plain["concurrency"])


def _plain(item: BatchItem) -> dict[str, Any]:
    request, refused = item.request, item.refused
    return {
        "id": item.id,
        "order": request
        and {
            # That of an uploaded document is in its reading.
            "text": None if request.source else request.text.reveal(),
            "jurisdiction": request.jurisdiction,
            "branch": request.branch,
            "language": request.language,
            "mode": request.mode,
            "role": request.role,
            "document": _plain_source(request.source),
        },
        "refused": refused
        and {
            "message": refused.message,
            "code": refused.code,
            "status": refused.status,
            "details": refused.details,
        },
    }


def _item(plain: dict[str, Any]) -> BatchItem:
    order, refused = plain["order"], plain["refused"]
    return BatchItem(plain["id"], _request(order) if order else None, Invalid(**refused) if refused else None)


def _plain_source(source: Source | None) -> dict[str, Any] | None:
    return None if source is None else {"ref": str(source.ref), "reading": source.reading.as_bytes().decode()}


def _request(order: dict[str, Any]) -> AnalysisRequest:
    # One that was stored by an earlier release says nothing of a document.
    fields = {name: value for name, value in order.items() if name not in ("text", "document")}
    text, document = order["text"], order.get("document")
    if document is None:
        return AnalysisRequest(**fields, text=DocumentText(text))
    reading = Reading.from_bytes(document["reading"].encode())
    return AnalysisRequest(**fields, text=reading.text, source=Source(uuid.UUID(document["ref"]), reading))
