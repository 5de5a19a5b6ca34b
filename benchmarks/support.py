"""How many false statements of a deceiving model leave with a lock: `python -m benchmarks.support`.

    python -m benchmarks.support --law ../shared/data [--data FOLDER] [-v]

A simulated model proposes planted statements about real-looking documents, right ones and false ones of the
kinds that published measurements of legal assistants found: real authority that does not support the claim,
misquotation, false premise, repealed law, wrong paragraph, wrong figure, date or role, half a number,
clipped negation, invented case. Each goes the whole way of an analysis against the real law, loaded from
`--law` into a database of its own.

`--data` takes a folder of `NAME.txt` with `NAME.json`:
`{"jurisdiction", "language", "statements": [{"id", "kind", "true", "expected", "statement": {"section",
"text", "quotes", "citations", "proposed_lock", "severity", "reason"}}]}`. By default the development set,
which the judge was improved on; only a folder that nobody tuned for says how good it is.

By default the statements are judged one by one, as drafted. With `--wire PROTOCOL` a local server that speaks
the vendor's protocol answers with each, and the whole analysis is asked for through the API: the draft is
read by the vendor's own library, merged with what the rules found, judged and rendered. `absent` are then
statements that the answer does not have: withdrawn, or told in the words of the rules that make their point.

`--refusals OUT.json` writes what a model would be told in the restatement round (docs/locks.md) about each
statement refused for its wording, and not which of them are right:
`{"instructions": {"es", "en"}, "documents": {"NAME": {"ID": {"id", "text", "quotes", "reason",
"words_without_place", "passages"}}}}`. `--restated IN.json` judges answers to it, a model's or a person's:
`{"NAME": {"ID": {"text": "...", "quotes": ["..."]} or null}}`, `null` for what is left as it is; NAME is the
document's, ID the planted statement's. Prints the figures of the first judge and of both together; with `-v`
each statement that gets its lock by being restated. A reader who finds that the restatement of a false
statement says what the document says can add `"reads": "right"` to its answer: it then still counts among
`false_above_l4` and is told apart as `false_restated_right`.

The same documents go through the engine `rules`; its own statements with [L1] are counted, and those that
`rules_read.json` beside the documents, read by hand, calls false. Prints a table by kind and, last, one
JSON object: `false_above_l4` and `true_kept` are shares.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

DEVELOPMENT = Path(__file__).with_name("data") / "support"
ON = datetime(2026, 11, 22, 10, 0, tzinfo=UTC)
_ABOVE = frozenset({"L1", "L2-J", "L2-J-V", "L5-C"})
_FOLDERS = ("es_statutes", "es_statutes_more", "eu")
_JSONL = ("co", "mx", "gb", "us", "eu_en", "it", "de", "fr", "cl", "ar", "pe", "uy", "br", "pt")


@dataclass(frozen=True)
class Planted:
    """One planted statement and what became of it."""

    id: str
    kind: str
    true: bool
    expected: str
    lock: str
    why: str
    restated: str = ""

    @property
    def above(self) -> bool:
        return self.lock in _ABOVE

    @property
    def kept(self) -> bool:
        """Whether a right statement has the lock that it deserves, or its variant with the citator."""
        return self.lock == self.expected or (self.expected, self.lock) == ("L2-J", "L2-J-V")


def main() -> None:
    """Load the law, judge every planted statement, print the table and the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--law", type=Path, help="the folder of laws to load")
    parser.add_argument("--data", type=Path, default=DEVELOPMENT, help="documents and planted statements")
    parser.add_argument("--database", help="address of a database in which the law is loaded already")
    parser.add_argument("--wire", choices=("messages", "responses", "chat"), help="ask over this protocol")
    parser.add_argument("-v", action="store_true", help="name every statement that was judged wrongly")
    parser.add_argument("--refusals", type=Path, metavar="OUT", help="write what a model would be told")
    parser.add_argument("--restated", type=Path, metavar="IN", help="judge these restatements as well")
    arguments = parser.parse_args()
    if arguments.wire and (arguments.refusals or arguments.restated):
        parser.error("--refusals and --restated are judged without --wire")
    if arguments.law is None and arguments.database is None:
        parser.error("one of --law and --database is needed")
    if arguments.database and not arguments.wire:
        use(arguments.database, "unix:///nowhere")
        _sit(arguments)
        return
    from tests.throwaway import Throwaway, new_database
    from tests.vendors_server import vendors

    services = Throwaway()
    try:
        with vendors() as server:
            use(
                arguments.database or new_database(services.addresses, "support"),
                services.addresses.redis_url(1),
                **(_wired(arguments.wire, server.url) if arguments.wire else {}),
            )
            if not arguments.database:
                load(arguments.law)
            _sit(arguments, over=_Wire(server) if arguments.wire else None)
    finally:
        services.stop()


def use(database: str, redis: str, **settings: str) -> None:
    """Set the environment of an application that runs in this process."""
    os.environ.update(DATABASE_URL=database, REDIS_URL=redis, SECRET_KEY="benchmark" * 5, **settings)


def load(
    law: Path,
    *,
    folders: Sequence[str] = _FOLDERS,
    files: Sequence[str] = _JSONL,
    indexes: Sequence[str] = (),
) -> None:
    """Load folders of statutes, files of articles and the judgments of Spain into the database in use.

    `indexes` names folders of indexes of decisions to load besides.
    """
    sources = [("statutes", law / name, "markdown") for name in folders]
    sources += [("statutes", law / f"{name}_articles.jsonl.gz", "jsonl") for name in files]
    sources.append(("judgments", law / "es_judgments" / "ts_social.jsonl.gz", "jsonl"))
    sources.append(("judgments", law / "es_judgments" / "ATS_3898_2026.txt", "markdown"))
    sources += [("judgments", law / name, "csv") for name in indexes]
    for kind, path, form in sources:
        command = [sys.executable, "-m", "flask", "--app", "wsgi", "corpus", "load", kind, str(path)]
        done = subprocess.run(
            [*command, "--format", form, "--no-read"], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{path} could not be loaded: {done.stderr[-600:]}")


def _wired(protocol: str, url: str) -> dict[str, str]:
    """Return the settings by which node A is asked over `protocol`."""
    return {
        "NODE_A_ENGINE": "anthropic" if protocol == "messages" else "openai",
        "OPENAI_PROTOCOL": "chat" if protocol == "chat" else "responses",
        "ANTHROPIC_API_KEY": "none is needed",
        "OPENAI_API_KEY": "none is needed",
        "ANTHROPIC_BASE_URL": url,
        "OPENAI_BASE_URL": f"{url}/v1",
        "PART_CHARACTERS": "50000",
        "RATE_ENTERPRISE": "1000000",
    }


def _sit(arguments: argparse.Namespace, *, over: _Wire | None = None) -> None:
    """Judge the planted statements and print, or write, what was asked for."""
    folder = arguments.data
    answers = json.loads(arguments.restated.read_text("utf-8")) if arguments.restated else {}
    refused: dict[str, Any] = {}
    found: list[Planted] = []
    second: list[Planted] = []
    for name, text, plan in _documents(folder):
        if over:
            found += over.judged(text, plan)
            continue
        for planted, judged, finder in _judged_one_by_one(text, plan):
            first = _result(planted, judged)
            told = _refused(judged, finder, plan["language"])
            if told is not None:
                refused.setdefault(name, {})[planted["id"]] = told | {"id": planted["id"]}
            found.append(first)
            answer = answers.get(name, {}).get(planted["id"])
            second.append(_restated(text, plan, planted, judged, finder, answer, first))
    if arguments.refusals:
        _write_refusals(arguments.refusals, refused)
        return
    _report(folder, arguments.v, found, over=over)
    if arguments.restated:
        _report_restated(found, second, answers, verbose=arguments.v)


def _documents(folder: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the name, the text and the plan of each document of a folder."""
    for path in sorted(folder.glob("*.json")):
        text = path.with_suffix(".txt")
        if text.exists():
            yield path.stem, text.read_text("utf-8"), json.loads(path.read_text("utf-8"))


def _write_refusals(path: Path, refused: dict[str, Any]) -> None:
    from app.analysis.llm.drafting import restate

    told = {
        "instructions": {"es": restate.instructions("es"), "en": restate.instructions("en")},
        "documents": refused,
    }
    path.write_text(json.dumps(told, ensure_ascii=False, indent=1), "utf-8")
    number = sum(map(len, refused.values()))
    print(json.dumps({"refused_for_wording": number, "written_to": str(path)}))


def _report_restated(
    first: Sequence[Planted], second: Sequence[Planted], answers: dict[str, Any], *, verbose: bool
) -> None:
    """Print the figures of the first judge, and those after the restatements."""
    reads = {key: (one or {}).get("reads") for document in answers.values() for key, one in document.items()}
    changed = [one for one in second if one.restated]
    if verbose:
        for one in changed:
            told = f"{'right' if one.true else 'FALSE'} {one.id} ({one.kind}): {one.lock}"
            print(f"restated, {told} {one.restated}")
    for name, found in (("first judge", first), ("after the round", second)):
        false, true = [one for one in found if not one.true], [one for one in found if one.true]
        print(
            json.dumps(
                {
                    "judged": name,
                    "false": len(false),
                    "false_above_l4": sum(one.above for one in false),
                    "false_share": _share(sum(one.above for one in false), len(false)),
                    "true": len(true),
                    "true_kept": sum(one.kept for one in true),
                    "true_share": _share(sum(one.kept for one in true), len(true)),
                }
            )
        )
    print(
        json.dumps(
            {
                "answers": sum(one is not None for document in answers.values() for one in document.values()),
                "restated": len(changed),
                "false_restated": sum(not one.true for one in changed),
                "false_restated_right": sum(not one.true and reads.get(one.id) == "right" for one in changed),
            }
        )
    )


def _report(folder: Path, verbose: bool, found: Sequence[Planted], *, over: _Wire | None = None) -> None:
    own: Counter[str] = Counter()
    unread: list[str] = []
    read = _read_by_hand(folder)
    for name, text, plan in _documents(folder):
        for said in _rules(text, plan):
            verdict = read.get(f"{name}|{said}")
            own["total"] += 1
            own["false"] += verdict is False
            if verdict is None:
                unread.append(f"{name}|{said}")
    false, true = [one for one in found if not one.true], [one for one in found if one.true]
    _table("False statements by kind: left above [L4], of all", false, lambda one: one.above)
    _table("Right statements by kind: kept their lock, of all", true, lambda one: one.kept)
    if verbose:
        for one in found:
            if one.above if not one.true else not one.kept:
                print(f"{'right' if one.true else 'FALSE'} {one.id} ({one.kind}): {one.lock} {one.why}")
        for said in unread:
            print(f"not read by hand: {said}")
    print(
        json.dumps(
            {
                "documents": len(list(folder.glob("*.txt"))),
                "statements": len(found),
                "false": len(false),
                "false_above_l4": _share(sum(one.above for one in false), len(false)),
                "true": len(true),
                "true_kept": _share(sum(one.kept for one in true), len(true)),
                **({"absent": sum(one.lock == "absent" for one in found)} if over else {}),
                "rules_l1": own["total"],
                "rules_l1_false": _share(own["false"], own["total"] - len(unread)),
                "rules_l1_not_read": len(unread),
            }
        )
    )


def _read_by_hand(folder: Path) -> dict[str, bool]:
    """What a person found of the rules engine's own [L1]: `document|statement` -> whether it is right."""
    path = folder / "rules_read.json"
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def _table(title: str, rows: list[Planted], counts: Any) -> None:
    print(title)
    kinds = sorted({one.kind for one in rows})
    for kind in kinds:
        of = [one for one in rows if one.kind == kind]
        print(f"  {kind[:60]:60} {sum(map(counts, of)):3} / {len(of)}")


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _judged(text: str, plan: dict[str, Any]) -> Iterator[Planted]:
    """Each planted statement on its own, as if the model had proposed nothing else."""
    for planted, judged, _ in _judged_one_by_one(text, plan):
        yield _result(planted, judged)


def _judged_one_by_one(text: str, plan: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Any, Any]]:
    """Yield each planted statement, how it was judged, and the document that it is about."""
    from app.analysis.support.quote_finder import QuoteFinder

    finder = QuoteFinder(text)
    for planted in plan["statements"]:
        # A risk is argued in parts: the first is what it says.
        statement = _draft(text, planted["statement"]).statements[0]
        yield planted, _judge(text, plan, statement, finder), finder


def _judge(text: str, plan: dict[str, Any], statement: Any, finder: Any) -> Any:
    """Judge one statement against the document and the law that is loaded."""
    from app.analysis.checks import citation_checker
    from app.analysis.pipeline import judge
    from app.rules.draft import Draft

    draft = Draft("simulated", "simulated", "", "", (statement,), len(text), len(text))
    jurisdiction = plan["jurisdiction"]
    collected = citation_checker.collect_statements(
        citation_checker.collect_document(text, jurisdiction), draft.statements, finder
    )
    law = citation_checker.look_up(collected, ON.date())
    findings = citation_checker.check(collected, law, ON.date(), finder)
    return judge(_order(text, plan), draft, finder, findings, jurisdiction=jurisdiction).judged[0]


def _result(planted: dict[str, Any], judged: Any, restated: str = "") -> Planted:
    return Planted(
        planted["id"],
        planted["kind"],
        bool(planted["true"]),
        planted["expected"],
        "withdrawn" if judged.withdrawn else judged.lock.value,
        str(judged.lowered or ""),
        restated,
    )


def _refused(judged: Any, finder: Any, language: Any) -> dict[str, Any] | None:
    """Return what a model would be told about a statement; `None` where it is not refused for its wording."""
    from app.analysis.checks.refusals import refusals
    from app.analysis.draft.restatement import as_told

    told = as_told([judged.statement], refusals([judged], finder), finder)
    return told[0].as_told(language) if told else None


def _restated(
    text: str,
    plan: dict[str, Any],
    planted: dict[str, Any],
    judged: Any,
    finder: Any,
    answer: Any,
    first: Planted,
) -> Planted:
    """Return what becomes of a statement with an answer to its refusal: as in an analysis."""
    from app.analysis.checks.refusals import accepted, refusals
    from app.analysis.draft.restatement import as_told
    from app.analysis.llm.drafting import restate

    found = refusals([judged], finder)
    if not found or not answer:
        return first
    told = as_told([judged.statement], found, finder)
    raw = {"statement": "s1", "text": answer["text"], "quotes": answer["quotes"]}
    for statement in restate.read([raw], told).values():
        again = _judge(text, plan, statement, finder)
        if accepted(again, judged, found[0], finder):
            return _result(planted, again, statement.text)
    return first


class _Wire:
    """Analyses through the API, node A being a server that answers what is planted."""

    def __init__(self, server: Any) -> None:
        import sqlalchemy as sa

        from app import analysis
        from app.factory import create_app
        from app.platform.postgres import db, rls
        from benchmarks.protocol import account

        self._server, self._client = server, create_app().test_client()
        analysis.warm_up()
        with rls.as_system():
            self._key = account()
            # What is planted quotes the documents as they are.
            with db.transaction() as session:
                session.execute(sa.text("UPDATE accounts SET mask_names = false"))

    def judged(self, text: str, plan: dict[str, Any]) -> Iterator[Planted]:
        """Each planted statement on its own, beside what the rules find."""
        floor = {(one["section"], one["text"]) for one in self._statements(text, plan, [])}
        for planted in plan["statements"]:
            raw = planted["statement"]
            more = [
                one
                for one in self._statements(text, plan, [raw])
                if one["section"] == raw["section"] and (one["section"], one["text"]) not in floor
            ]
            alike = max(more, key=lambda one: _likeness(one["text"], raw["text"]), default=None)
            lock = "absent" if alike is None else alike["lock"]
            yield Planted(
                planted["id"], planted["kind"], bool(planted["true"]), planted["expected"], lock, ""
            )

    def _statements(self, text: str, plan: dict[str, Any], drafted: list[Any]) -> list[dict[str, Any]]:
        from tests.vendors_server import draft

        self._server.script.append(draft(document_kind="", summary="", statements=drafted))
        body = {name: plan[name] for name in ("jurisdiction", "language")} | {"text": text}
        answer = self._client.post(
            "/api/v1/analyze", json=body, headers={"Authorization": f"Bearer {self._key}"}
        )
        if answer.status_code != 200:
            raise SystemExit(f"{answer.status_code} {answer.text[:300]}")
        found: list[dict[str, Any]] = answer.get_json()["statements"]
        return found


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _order(text: str, plan: dict[str, Any]) -> Any:
    from app.analysis.request import AnalysisRequest
    from app.platform.confidential import DocumentText

    return AnalysisRequest(DocumentText(text), plan["jurisdiction"], "civil", plan["language"])


def _draft(text: str, raw: dict[str, Any]) -> Any:
    """What the simulated model answers, read as any model's answer is."""
    from app.analysis.llm.drafting import proposal
    from app.rules.draft import Draft
    from tests import model_answers

    read = proposal.read(model_answers.analysis([raw], document_kind="", summary=""))
    return Draft("simulated", "simulated", "", "", read.statements, len(text), len(text))


def _rules(text: str, plan: dict[str, Any]) -> Iterator[str]:
    """The rules engine's own statements that keep [L1]."""
    from app.analysis.checks import locks
    from app.analysis.support.quote_finder import QuoteFinder
    from app.rules import RulesEngine
    from app.rules.brief import Brief
    from app.rules.draft import Lock

    language = plan["language"]
    draft = RulesEngine().analyse(Brief(text, plan["jurisdiction"], "civil", language))
    for judged in locks.judge(draft.statements, QuoteFinder(text)):
        if judged.lock is Lock.L1:
            words = " … ".join(one.text for one in judged.evidence)
            yield f"{judged.statement.text} ⟵ {' '.join(words.split())}"


if __name__ == "__main__":
    main()
