"""Commands of `flask corpus`: load legislation and case law, index it, show what is loaded."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from flask.cli import AppGroup

from app.cli.commands import LazyChoice, as_json, prints_result

if TYPE_CHECKING:
    from app import citator, corpus, search


def _kinds() -> tuple[str, ...]:
    from app import corpus

    return corpus.KINDS


def _forms() -> tuple[str, ...]:
    from app import corpus

    return corpus.FORMS


law = AppGroup("corpus", help="The corpus of law: load it, see what is in it.")


@law.command("load")
@click.argument("kind", type=LazyChoice(_kinds))
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--format", "form", type=LazyChoice(_forms), required=True, help="How it is written.")
@click.option("--jurisdiction", help="ISO code, where the source does not say whose law it is.")
@click.option("--read/--no-read", "reading", default=True, help="Read it for the citator, too.")
@click.option("--again", is_flag=True, help="Read sources again that were loaded and have not changed.")
@as_json
@prints_result
def corpus_load(
    kind: str, path: Path, form: str, jurisdiction: str | None, reading: bool, again: bool
) -> dict[str, Any]:
    """Load a file or a folder; go on where a load broke off. Loading twice changes nothing."""
    from app import citator, corpus
    from app.platform import clock, errors

    if jurisdiction and corpus.jurisdiction(jurisdiction) is None and jurisdiction.upper() != "ZZ":
        raise errors.Invalid(f"--jurisdiction: {jurisdiction} is not known; see GET /api/v1/jurisdictions.")
    began = time.monotonic()
    found = corpus.load(
        kind,
        path,
        form,
        now=clock.now(),
        jurisdiction=jurisdiction.upper() if jurisdiction else None,
        again=again,
        tell=_ProgressPrinter(began),
    )
    edges = citator.read_waiting(clock.now).edges if reading else 0
    return {
        "sources": found.sources,
        "unchanged": found.unchanged,
        "records": found.records,
        "written": dict(found.written),
        "skipped": dict(found.skipped),
        "notes": dict(found.notes),
        "norms_updated": found.norms_updated,
        "citations": edges,
        "seconds": round(time.monotonic() - began, 2),
    }


class _ProgressPrinter:
    """Print progress to standard error: a line each second, and one for each source that is done."""

    def __init__(self, began: float) -> None:
        self._began = self._last = began
        self._sources = 0

    def __call__(self, progress: corpus.Progress) -> None:
        now = time.monotonic()
        self._sources += progress.done
        if progress.done or now - self._last >= 1:
            self._last = now
            what = "unchanged" if progress.unchanged else "done" if progress.done else "…"
            passed = now - self._began
            click.echo(f"{passed:7.1f} s  {progress.source}: {progress.position} {what}", err=True)


@law.command("read")
@click.option("--most", type=click.IntRange(min=1), help="Judgments to read at most.")
@as_json
@prints_result
def corpus_read(most: int | None) -> dict[str, Any]:
    """Read what was loaded for the citator; may be stopped and started again, in several processes."""
    from app import citator
    from app.platform import clock

    began = last = time.monotonic()

    def tell(done: citator.ReadReport) -> None:
        nonlocal last
        if time.monotonic() - last >= 1:
            last = time.monotonic()
            told = f"{done.judgments} judgments, {done.norms} norms, {done.edges} citations"
            click.echo(f"{last - began:7.1f} s  {told}", err=True)

    done = citator.read_waiting(clock.now, most=most, tell=tell)
    seconds = round(time.monotonic() - began, 2)
    return {"judgments": done.judgments, "norms": done.norms, "citations": done.edges, "seconds": seconds}


@law.command("status")
@as_json
@prints_result
def corpus_status() -> dict[str, Any]:
    """Show what is in the corpus by jurisdiction, and how each load ended."""
    from app import corpus
    from app.platform.postgres import db

    with db.reading() as session:
        return corpus.status(session)


@law.command("index")
@click.option("--again", is_flag=True, help="Index everything again; until then the old index serves.")
@as_json
@prints_result
def corpus_index(again: bool) -> dict[str, Any]:
    """Take what was loaded into the search index now; a worker does it by itself."""
    from app import search
    from app.platform import clock

    return dict(search.index(now=clock.now, again=again, tell=_told))


@law.command("embed")
@as_json
@prints_result
def corpus_embed() -> dict[str, Any]:
    """Give every indexed passage its vector; go on where it broke off."""
    from app import search
    from app.platform import clock, settings

    if settings.current().embedding_engine == "none":
        click.echo("EMBEDDING_ENGINE is none: searches use words alone, nothing to embed.", err=True)
    return dict(search.embed(settings.current(), now=clock.now, tell=_told))


def _told(step: search.Step) -> None:
    click.echo(f"{step.jurisdiction} {step.kind}: {step.done}", err=True)
