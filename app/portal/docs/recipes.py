"""Sample programs in the three languages that integrators use most. Pure.

Each reads `API_URL` and `API_KEY` from its environment and uses only its language's standard library.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Tongue = Literal["curl", "python", "typescript"]
Task = Literal["analyse", "batch", "job", "webhook"]

TONGUES: tuple[Tongue, ...] = get_args(Tongue)
TASKS: tuple[Task, ...] = get_args(Task)
NAMES: Mapping[Tongue, str] = {"curl": "curl", "python": "Python", "typescript": "TypeScript"}

_CURL: Mapping[Task, str] = {
    "analyse": """\
curl -sS "$API_URL/api/v1/analyze" \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \\
  -d '{"text": "@TEXT@", "language": "@LANGUAGE@"}'""",
    "batch": """\
curl -sS "$API_URL/api/v1/analyze/batch" \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \\
  -d '{"language": "@LANGUAGE@", "concurrency": 2, "documents": [
        {"id": "lease-17", "text": "@TEXT@"},
        {"id": "lease-18", "text": "@TEXT@"}]}'""",
    "job": """\
poll=$(curl -sS "$API_URL/api/v1/jobs" \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \\
  -d '{"kind": "analyze", "payload": {"text": "@TEXT@", "language": "@LANGUAGE@"}}' |
  sed -n 's/.*"pollUrl": *"\\([^"]*\\)".*/\\1/p')

while job=$(curl -sS "$poll" -H "Authorization: Bearer $API_KEY")
      echo "$job" | grep -Eq '"status": *"(pending|running)"'
do sleep 2; done
echo "$job\"""",
    "webhook": """\
# $T: the number behind t= in @HEADER@; $SECRET: whsec_…; body.json: the body as it came.
# It prints what must stand behind v1=.
{ printf '%s.' "$T"; cat body.json; } | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.*= //'""",
}
_PYTHON_CALL = """\
import json, os, urllib.error, urllib.request, uuid


def call(url, body=None):
    headers = {"Authorization": "Bearer " + os.environ["API_KEY"], "Content-Type": "application/json"}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Idempotency-Key"] = str(uuid.uuid4())
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=120) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        problem = json.load(refused)
        raise SystemExit(f"{refused.code} {problem['code']}: {problem['error']}")


base = os.environ["API_URL"] + "/api/v1"
text = "@TEXT@"
"""
_PYTHON: Mapping[Task, str] = {
    "analyse": _PYTHON_CALL
    + """\
found = call(base + "/analyze", {"text": text, "language": "@LANGUAGE@"})
print(found["certaintyLocks"], found["citationChecks"]["counts"])
print(found["analysis"])""",
    "batch": _PYTHON_CALL
    + """\
documents = [{"id": "lease-17", "text": text}, {"id": "lease-18", "text": text, "mode": "deep"}]
found = call(base + "/analyze/batch", {"documents": documents, "concurrency": 2})
for item in found["results"]:  # in the order of the documents
    print(item["id"], item["status"], item.get("error", ""))
print(found["totals"]["creditsCharged"])""",
    "job": "import time\n"
    + _PYTHON_CALL
    + """\
order = {"kind": "analyze", "payload": {"text": text, "language": "@LANGUAGE@", "mode": "deep"}}
job = call(base + "/jobs", order)
while (state := call(job["pollUrl"]))["status"] in ("pending", "running"):
    time.sleep(2)
if state["result"] is None:
    raise SystemExit(state["error"]["code"] if state["error"] else state["status"])
print(state["result"]["analysis"])""",
    "webhook": '''\
import hashlib, hmac, re, time

# One time, then signatures: what could be read in two ways is refused.
FORM = re.compile(r"t=([0-9]{1,11})((?:,v1=[0-9a-f]{64})+)")


def is_genuine(secret: str, header: str, raw_body: bytes, tolerance: int = 300) -> bool:
    """`header` is @HEADER@; `raw_body` is what came, unparsed."""
    found = FORM.fullmatch(header)
    if not found or abs(time.time() - int(found[1])) > tolerance:
        return False
    given = found[2].split(",v1=")[1:]
    wanted = hmac.new(secret.encode(), found[1].encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    return len(set(given)) == len(given) and any(hmac.compare_digest(one, wanted) for one in given)''',
}
_TYPESCRIPT_CALL = """\
async function call(url: string, body?: unknown): Promise<any> {
  const answer = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      Authorization: `Bearer ${process.env.API_KEY}`,
      "Content-Type": "application/json",
      ...(body === undefined ? {} : { "Idempotency-Key": crypto.randomUUID() }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(`${answer.status} ${found.code}: ${found.error}`);
  return found;
}

const base = `${process.env.API_URL}/api/v1`;
const text = "@TEXT@";
"""
_TYPESCRIPT: Mapping[Task, str] = {
    "analyse": _TYPESCRIPT_CALL
    + """\
const found = await call(`${base}/analyze`, { text, language: "@LANGUAGE@" });
console.log(found.certaintyLocks, found.citationChecks.counts);
console.log(found.analysis);""",
    "batch": _TYPESCRIPT_CALL
    + """\
const documents = [{ id: "lease-17", text }, { id: "lease-18", text, mode: "deep" }];
const found = await call(`${base}/analyze/batch`, { documents, concurrency: 2 });
for (const item of found.results) console.log(item.id, item.status, item.error ?? "");
console.log(found.totals.creditsCharged);""",
    "job": _TYPESCRIPT_CALL
    + """\
const payload = { text, language: "@LANGUAGE@", mode: "deep" };
const job = await call(`${base}/jobs`, { kind: "analyze", payload });
let state = await call(job.pollUrl);
while (["pending", "running"].includes(state.status)) {
  await new Promise((done) => setTimeout(done, 2000));
  state = await call(job.pollUrl);
}
if (!state.result) throw new Error(state.error?.code ?? state.status);
console.log(state.result.analysis);""",
    "webhook": """\
import { createHmac, timingSafeEqual } from "node:crypto";

/** `header` is @HEADER@; `rawBody` is what came, unparsed. */
export function isGenuine(secret: string, header: string, rawBody: Buffer, tolerance = 300): boolean {
  // One time, then signatures: what could be read in two ways is refused.
  const found = /^t=([0-9]{1,11})((?:,v1=[0-9a-f]{64})+)$/.exec(header);
  if (!found || Math.abs(Date.now() / 1000 - Number(found[1])) > tolerance) return false;
  const given = found[2].split(",v1=").slice(1);
  if (new Set(given).size !== given.length) return false;
  const wanted = createHmac("sha256", secret).update(`${found[1]}.`).update(rawBody).digest();
  return given.some((one) => timingSafeEqual(Buffer.from(one, "hex"), wanted));
}""",
}
_ALL: Mapping[Tongue, Mapping[Task, str]] = {"curl": _CURL, "python": _PYTHON, "typescript": _TYPESCRIPT}


def recipe(task: Task, tongue: Tongue, *, text: str, language: str, header: str) -> str:
    """Return the program for `task`.

    Args:
        task: What the program does.
        tongue: Its language.
        text: The document it sends, without quotation marks and backslashes, since it is inserted unescaped.
        language: Language of the analysis.
        header: Name of the signature's header.
    """
    assert not set(text) & set("'\"\\\n")
    program = _ALL[tongue][task]
    return program.replace("@TEXT@", text).replace("@LANGUAGE@", language).replace("@HEADER@", header)
