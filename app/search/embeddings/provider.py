"""Request embeddings from OpenAI, or from a server that speaks its protocol. Only anonymised text is sent."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import httpx2
import numpy as np

from app import citations, redaction
from app.platform.errors import Upstream
from app.platform.settings import Settings
from app.search.embeddings.vectors import Vector

if TYPE_CHECKING:
    import openai

# The model takes 8,192 tokens; law in Spanish has about 3.5 characters to one.
_MOST_CHARACTERS = 24_000

_lock = threading.Lock()
_clients: dict[tuple[str, str], openai.OpenAI] = {}
os.register_at_fork(after_in_child=_clients.clear)


class ProviderUnavailable(Upstream):
    """The provider returned no usable vectors; the message contains nothing of the text."""

    code = "MODEL_UNAVAILABLE"
    status = 503


class Provider:
    """A client of one embedding model. Thread-safe."""

    def __init__(self, config: Settings) -> None:
        # Takes a third of a second to load, in every process: only where somebody chose this provider.
        """Configure the client from the settings; nothing is requested yet."""
        import openai

        self._library = openai
        self._key = config.openai_api_key.get_secret_value() or "none"
        self._url = config.openai_base_url
        self._model, self.dimensions = config.embedding_model, config.embedding_dimensions
        self.name = f"openai-{self._model}-{self.dimensions}"

    def vectors(
        self, texts: Sequence[str], *, jurisdiction: str, timeout_s: float, mask_names: bool = True
    ) -> list[Vector]:
        """Return the embedding of each text, normalised to length one.

        Identifiers of persons and accounts are replaced by placeholders before anything is sent; citations
        stay.

        Args:
            texts: What to embed; each is cut at 24,000 characters.
            jurisdiction: Whose identifiers and citation forms to recognise.
            timeout_s: Longest wait for the answer, in seconds.
            mask_names: Whether names and addresses are replaced too; off only for public law.

        Raises:
            ProviderUnavailable: The provider failed, or returned another number or length of vectors.
        """
        anonymised = [
            redaction.redact(
                text,
                jurisdiction=jurisdiction,
                protected=citations.protected_spans(text, jurisdiction),
                mask_names=mask_names,
                outside=True,
            ).text[:_MOST_CHARACTERS]
            or " "
            for text in texts
        ]
        try:
            answer = self._client().embeddings.create(
                model=self._model,
                input=anonymised,
                dimensions=self.dimensions,
                encoding_format="float",
                timeout=httpx2.Timeout(timeout_s, connect=min(5.0, timeout_s)),
            )
        except self._library.OpenAIError as error:
            raise ProviderUnavailable(
                f"The provider of embeddings failed ({type(error).__name__})."
            ) from None
        rows = sorted(answer.data, key=lambda one: one.index)
        if len(rows) != len(texts) or any(len(row.embedding) != self.dimensions for row in rows):
            raise ProviderUnavailable(
                "The provider of embeddings answered another number of vectors than was asked for."
            )
        found = [np.array(row.embedding, np.float32) for row in rows]
        return [row / np.float32(max(float(np.linalg.norm(row)), 1e-9)) for row in found]

    def _client(self) -> openai.OpenAI:
        key = (self._url, self._key)
        with _lock:
            if key not in _clients:
                # A proxy of the environment would be a second address to which questions go.
                transport: Any = httpx2.Client(trust_env=False)
                _clients[key] = self._library.OpenAI(
                    api_key=self._key, base_url=self._url, max_retries=0, http_client=transport
                )
            return _clients[key]
