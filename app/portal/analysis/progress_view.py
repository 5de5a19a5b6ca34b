"""How far an open job has come, as its page shows and announces it (decision 074)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask_babel import gettext, ngettext
from flask_babel import lazy_gettext as _

from app import analysis, jobs
from app.portal.web.display.jinja_env import figure
from app.portal.web.display.labels import Words

_STAGES: Mapping[analysis.Stage, Words] = {
    "reading": _("Read the text"),
    "law": _("Find the law it calls for"),
    "drafting": _("Draft the analysis"),
    "judging": _("Judge every statement and citation"),
    "restating": _("Say again what was refused for its wording"),
    "auditing": _("Check the analysis a second time"),
    "repair": _("Answer the objections of the second check"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """A stage of an analysis: its words, what was counted in it, whether it is over or under way."""

    words: Words
    counted: str
    is_over: bool
    is_now: bool

    @property
    def icon(self) -> str:
        """The name of its icon."""
        return "ok" if self.is_over else "half" if self.is_now else "todo"


@dataclass(frozen=True, slots=True)
class ProgressView:
    """What the page of an open job shows.

    Attributes:
        said: the sentence that is shown and announced.
        steps: the stages of the analysis; none where they are not known.
        seen: names this state; a page that has it needs no other.
    """

    said: str
    steps: tuple[Step, ...]
    seen: str

    def is_news_to(self, seen: str | None) -> bool:
        """Tell whether a page that shows `seen` should announce `said`: counts alone are not announced."""
        return seen is None or seen.rpartition(".")[0] != self.seen.rpartition(".")[0]


def view(job: jobs.Job) -> ProgressView:
    """Return what to show of an open job. Call it outside a transaction."""
    if job.status == "pending":
        return ProgressView(gettext("Waiting in the queue"), (), "pending..")
    if job.kind == "analyze_batch":
        # One sentence for all its counts: a screen reader is not told of each document.
        return ProgressView(gettext("Analysis in progress"), (_documents(job),), f"running..{job.done}")
    now = jobs.progress_of(job)
    if now is None:
        return ProgressView(gettext("Analysis in progress"), (), "running..")
    place = now.stages.index(now.stage)
    steps = tuple(
        Step(
            _STAGES[one],
            _counted(one, now) if number <= place else "",
            number < place,
            number == place,
        )
        for number, one in enumerate(now.stages)
    )
    counts = f"{now.parts_read}-{now.parts}-{now.sources_found}-{now.statements_judged}"
    said = gettext("Analysis in progress: %(stage)s", stage=_STAGES[now.stage])
    return ProgressView(said, steps, f"running.{now.stage}.{counts}")


def _documents(job: jobs.Job) -> Step:
    counted = gettext("%(n)s of %(all)s", n=figure(job.done), all=figure(job.total))
    return Step(_("Documents analysed"), counted, False, True)


def _counted(stage: analysis.Stage, now: analysis.Progress) -> str:
    """Return what was counted in a stage, in words."""
    found = ngettext("%(num)s source found", "%(num)s sources found", now.sources_found)
    if stage == "law" and now.sources_found:
        return str(found)
    if stage == "drafting" and now.parts > 1:
        return str(gettext("%(n)s of %(all)s parts read", n=figure(now.parts_read), all=figure(now.parts)))
    if stage == "judging" and now.statements_judged:
        judged = ngettext("%(num)s statement judged", "%(num)s statements judged", now.statements_judged)
        # Without a model, law is looked up only to check what is cited.
        return str(judged) if "law" in now.stages or not now.sources_found else f"{judged} · {found}"
    return ""
