"""Run the calls of a model: check what it sent, anonymise what goes back, keep what it may cite."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, NoReturn

import jsonschema
from prometheus_client import Counter as Metric

from app.analysis.llm import Call, Result, Tool
from app.analysis.llm.drafting import fenced
from app.analysis.tools.finding import Found, Refused, RunnableTool, Scope
from app.platform import log
from app.platform.errors import DomainError
from app.rules import Brief, Source

_logger = log.logger("analysis")

# Characters of the arguments of one call, and of what is told of an error.
_LONGEST: Final = 8_000
_ERROR: Final = 300

_calls = Metric("model_tool_calls_total", "Calls of tools by models, by how they ended.", ["tool", "outcome"])


class Toolbox:
    """Implements `app.analysis.llm.tool_rounds.Toolbox` for one document. `repr` shows no text."""

    def __init__(
        self,
        brief: Brief,
        mask: Callable[[str], str],
        *,
        on: date,
        rounds: int,
        calls: int,
        citator: bool,
    ) -> None:
        """Prepare the tools for a document.

        Args:
            brief: the document; its sources are known and not added again.
            mask: anonymises what goes back, as the document was anonymised.
            on: the day of the request.
            rounds: how many times each question may call.
            calls: how many calls there may be together.
            citator: whether the account has that add-on.
        """
        # They bring along the schemas of the HTTP interface, which a process without a model need not load.
        from app.analysis.tools.catalogue import offered

        self.rounds = rounds
        self._scope = Scope(brief.jurisdiction, next(iter(brief.days), on), brief.language)
        self._mask = mask
        self._left = calls
        self._by_name = {one.tool.name: one for one in offered(brief.jurisdiction, citator=citator)}
        self._told = {one.id for one in brief.sources}
        self._sources: dict[str, Source] = {}
        self._made = 0
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"<Toolbox of {len(self._by_name)} tools>"

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools; empty where no calls are left."""
        with self._lock:
            return tuple(one.tool for one in self._by_name.values()) if self._left > 0 else ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """What was found beyond the sources of the brief, anonymised, by id."""
        with self._lock:
            return tuple(one for name, one in sorted(self._sources.items()) if name not in self._told)

    @property
    def made(self) -> int:
        """How many calls were carried out, well or not."""
        with self._lock:
            return self._made

    def run(self, calls: Sequence[Call]) -> tuple[Result, ...]:
        """Return a result for each call, of the same id and in the same order; what fails is a result too."""
        return tuple(self._run(call) for call in calls)

    def found(self, results: Sequence[Result]) -> str:
        """Return results as material of a question without tools."""
        return "\n\n".join(one.text for one in results if not one.failed)

    def _run(self, call: Call) -> Result:
        with self._lock:
            if self._left <= 0:
                return Result(call.id, "error: no calls are left; answer with what you have.", failed=True)
            self._left -= 1
            self._made += 1
        tool = self._by_name.get(call.name)
        name = tool.tool.name if tool else "unknown"
        outcome = "answered"
        try:
            if tool is None:
                raise Refused(f"there is no such tool; there are {', '.join(self._by_name)}.")
            result = Result(call.id, self._told_of(tool.run(self._scope, _arguments(tool, call.arguments))))
        except (Refused, DomainError) as error:
            outcome = "refused"
            why = error.message if isinstance(error, DomainError) else str(error)
            with self._lock:
                result = Result(call.id, f"error: {self._mask(why[:_ERROR])}", failed=True)
        except Exception as error:  # noqa: BLE001 (a tool that fails is no reason to fail the analysis)
            outcome = "failed"
            # Neither the error's text nor its traceback: both may hold an argument.
            _logger.warning("a tool failed", tool=name, error=type(error).__name__)
            told = "error: this tool cannot answer now; go on without it."
            result = Result(call.id, told, failed=True)
        _calls.labels(name, outcome).inc()
        return result

    def _told_of(self, found: Found) -> str:
        """Return what a tool found as the model is told it, and keep its sources."""
        with self._lock:
            masked = [replace(one, text=self._mask(one.text)) for one in found.sources]
            note = self._mask(found.note) if found.note else ""
            for one in masked:
                known = self._sources.get(one.id)
                # The whole of an article says more than its beginning.
                if known is None or len(one.text) > len(known.text):
                    self._sources[one.id] = one
        lines = [f"[{one.id}] {one.text}" for one in masked]
        return fenced("RESULT", "\n".join([*lines, note] if note else lines or ["—"]))


def _arguments(tool: RunnableTool, written: str) -> Mapping[str, Any]:
    """Return the arguments of a call, without those that are null.

    Raises:
        Refused: they are no JSON or do not fit the tool's schema.
    """
    if len(written) > _LONGEST:
        raise Refused(f"the arguments are longer than {_LONGEST} characters.")
    try:
        given = json.loads(written, parse_constant=_no_number)
        written.encode()
        json.dumps(given, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Refused("the arguments are not a JSON object.") from None
    wrong = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(tool.tool.schema).iter_errors(given)
    )
    if wrong is not None:
        place = ".".join(map(str, wrong.absolute_path))
        raise Refused(f"{place}: {wrong.message}" if place else wrong.message)
    return {name: value for name, value in given.items() if value is not None}


def _no_number(written: str) -> NoReturn:
    raise ValueError(written)
