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
    arguments = parser.parse_args()
    if arguments.law is None and arguments.database is None:
        parser.error("one of --law and --database is needed")
    if arguments.database and not arguments.wire:
        use(arguments.database, "unix:///nowhere")
        _report(arguments.data, arguments.v)
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
            _report(arguments.data, arguments.v, over=_Wire(server) if arguments.wire else None)
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


def _report(folder: Path, verbose: bool, *, over: _Wire | None = None) -> None:
    found: list[Planted] = []
    own: Counter[str] = Counter()
    unread: list[str] = []
    read = _read_by_hand(folder)
    for path in sorted(folder.glob("*.json")):
        text = path.with_suffix(".txt")
        if text.exists():
            plan = json.loads(path.read_text("utf-8"))
            judged = over.judged if over else _judged
            found += judged(text.read_text("utf-8"), plan)
            for said in _rules(text.read_text("utf-8"), plan):
                verdict = read.get(f"{path.stem}|{said}")
                own["total"] += 1
                own["false"] += verdict is False
                if verdict is None:
                    unread.append(f"{path.stem}|{said}")
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
    from app.analysis.checks import citation_checker
    from app.analysis.pipeline import judge
    from app.analysis.support.quote_finder import QuoteFinder

    for planted in plan["statements"]:
        draft = _draft(text, planted["statement"])
        finder, jurisdiction = QuoteFinder(text), plan["jurisdiction"]
        collected = citation_checker.collect_statements(
            citation_checker.collect_document(text, jurisdiction), draft.statements, finder
        )
        law = citation_checker.look_up(collected, ON.date())
        findings = citation_checker.check(collected, law, ON.date(), finder)
        judged = judge(_order(text, plan), draft, finder, findings, jurisdiction=jurisdiction).judged[0]
        yield Planted(
            planted["id"],
            planted["kind"],
            bool(planted["true"]),
            planted["expected"],
            "withdrawn" if judged.withdrawn else judged.lock.value,
            str(judged.lowered or ""),
        )


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
