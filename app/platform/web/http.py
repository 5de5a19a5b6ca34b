"""HTTP edge: request ids, JSON parsing and rendering, error responses, security headers.

Under `/api` every response, errors included, is JSON; errors have the canonical shape (decision 002):
`{"error", "code", "requestId", "docUrl", "details"?}`. Elsewhere an error is an HTML page.
"""

from __future__ import annotations

import contextvars
import io
import json
import math
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Any, NoReturn, TypeVar, cast

import structlog
from flask import Flask, Request, Response, g, render_template, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from app.platform import errors, log, redis_client, settings
from app.platform.postgres import db, rls
from app.platform.web import charging, public_address

_logger = log.logger("web")
T = TypeVar("T")

_CALLERS_ID = re.compile(r"[A-Za-z0-9_-]{8,100}")
_MAX_DEPTH = 32
# What boundaries, headers and small fields of a multipart body may add to its file, in bytes.
_PARTS_AROUND_FILE = 64 * 1024
_EXTENSION_MAX = 8
# The most that is read of an upload only to refuse it, in bytes, and how much at a time.
_READ_AWAY, _BLOCK = 200_000_000, 256 * 1024
# RFC 8785 and every JavaScript client stop being exact beyond this.
_MAX_INTEGER = 2**53 - 1

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

# What every answer has that does not say otherwise, the names in small letters with them.
_ALWAYS = tuple(
    (name.lower(), name, value)
    for name, value in (
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        ("Content-Security-Policy", CSP),
        ("X-Frame-Options", "DENY"),
    )
)

# What werkzeug raises by itself, in our codes.
_HTTP_CODES = {
    400: "VALIDATION_ERROR",
    401: "UNAUTHENTICATED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    413: "PAYLOAD_TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    422: "VALIDATION_ERROR",
    429: "RATE_LIMITED",
    503: "DEPENDENCY_UNAVAILABLE",
}


def install(app: Flask) -> None:
    """Register hooks and error handlers on `app`. Call it before any other request hook is registered."""
    app.before_request(_open_request)
    app.after_request(_close_request)
    app.teardown_request(_end_request)
    app.register_error_handler(errors.DomainError, _domain_error)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(Exception, _unexpected)


def keep_uploads_in_memory(app: Flask) -> None:
    """Let no uploaded file of `app` be written to a temporary folder (decision 028).

    Call it when nothing else replaces the class of requests any more.
    """

    def stream(_request: Request, *_: Any, **__: Any) -> IO[bytes]:
        return io.BytesIO()

    app.request_class = type("InMemoryRequest", (app.request_class,), {"_get_file_stream": stream})


def is_api() -> bool:
    """Return whether the request's path is under `/api`."""
    return request.path == "/api" or request.path.startswith("/api/")


def is_secure() -> bool:
    """Return whether browsers reach the service over TLS: by `PUBLIC_URL`, or by the request without one.

    A proxy that terminates TLS may not say so; cookies must be `Secure` all the same.
    """
    public = settings.current().public_url
    return public.startswith("https://") if public else request.is_secure


def request_id() -> str:
    """Return the caller's `X-Request-Id` where it is well formed, else a new `req_<uuid>` (decision 002)."""
    found: str | None = g.get("request_id")
    if found is None:
        own = request.headers.get("X-Request-Id", "")
        found = own if _CALLERS_ID.fullmatch(own) else f"req_{uuid.uuid4()}"
        g.request_id = found
    return found


def encode(body: dict[str, Any]) -> bytes:
    """Serialise `body` as compact UTF-8 JSON, keys in the order given, characters unescaped."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def answer(body: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a JSON response."""
    return Response(encode(body), status, headers, mimetype="application/json")


def replayable(
    status: int, headers: Mapping[str, str], body: bytes, *, replayed: bool, form: str = "application/json"
) -> Response:
    """Return a response with these exact bytes, marked `Idempotency-Replayed` when replayed (decision 025).

    Args:
        status: HTTP status.
        headers: Headers of the first answer.
        body: Body of the first answer, unchanged.
        replayed: True where the answer was stored by an earlier request.
        form: Media type of the body.
    """
    response = Response(body, status, dict(headers), mimetype=form)
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


def json_body(*, optional: bool = False) -> dict[str, Any]:
    """Parse and return the request's JSON object, once per request.

    Args:
        optional: Accept an empty body as `{}`.

    Raises:
        Invalid: 400 for syntax (`MALFORMED_JSON`), depth, numbers or characters that are not accepted; 415
            for another media type or a compressed body.
        RequestEntityTooLarge: 413.
    """
    if "json_body" in g:
        return cast(dict[str, Any], g.json_body)
    _refuse_compressed()
    raw = request.get_data(cache=True)
    limit = request.max_content_length
    if limit is not None and request.content_length is None and len(raw) >= limit:
        # Sent in chunks: no length was announced, and reading stopped at the limit.
        raise RequestEntityTooLarge
    if optional and not raw.strip():
        return {}
    if request.mimetype != "application/json" and not request.mimetype.endswith("+json"):
        raise errors.Invalid(
            "The body must be JSON. Send the header Content-Type: application/json.",
            code="UNSUPPORTED_MEDIA_TYPE",
            status=415,
        )
    try:
        found = json.loads(
            raw.decode("utf-8-sig"),
            parse_constant=_no_constant,
            parse_int=_bounded_integer,
            parse_float=_finite,
        )
    except UnicodeDecodeError:
        raise _malformed("The body is not valid UTF-8.") from None
    except json.JSONDecodeError as error:
        # error.msg names the syntax only; error.doc, which holds the body, is not used.
        raise _malformed(
            f"The body is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}.",
            line=error.lineno,
            column=error.colno,
        ) from None
    except RecursionError:
        raise _too_deep() from None
    if not isinstance(found, dict):
        raise errors.Invalid('The body must be a JSON object, such as {"text": "…"}.')
    _check_values(found)
    g.json_body = found
    return found


def _refuse_compressed() -> None:
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise errors.Invalid(
            "The body must not be compressed. Send it without the header Content-Encoding.",
            code="UNSUPPORTED_MEDIA_TYPE",
            status=415,
        )


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """An uploaded file, in memory. `repr` shows its length alone.

    Of the name that the client gave it only the extension is kept, in lower case without its point, or "".
    """

    data: bytes
    media_type: str | None
    extension: str

    def __repr__(self) -> str:
        return f"<UploadedFile of {len(self.data)} bytes>"


def uploaded_file(field: str, *, limit: int, advice: str) -> UploadedFile:
    """Return the one file of a multipart body.

    Args:
        field: Name of the part.
        limit: Largest file in bytes, in place of the limit of other bodies.
        advice: What to do with a larger one, a sentence.

    Raises:
        Invalid: 400 for no file or several; 413 for a larger one; 415 for another kind of body.
    """
    _refuse_compressed()
    if request.mimetype != "multipart/form-data":
        raise errors.Invalid(
            f"The body must be multipart/form-data with the file in the part {field}.",
            code="UNSUPPORTED_MEDIA_TYPE",
            status=415,
        )
    request.max_content_length = limit + _PARTS_AROUND_FILE
    try:
        files = [(name, file) for name, file in request.files.items(multi=True)]
    except RequestEntityTooLarge:
        _read_away(request.content_length)
        raise _too_large(field, limit, advice, request.content_length) from None
    if [name for name, _ in files] != [field]:
        got = "none" if not files else str(len(files)) if len(files) > 1 else "one in another part"
        raise errors.Invalid(
            f"{field}: send exactly one file, in a part named {field} with a file name; got {got}.",
            details={"field": field, "expected": "one file"},
        )
    [(_, file)] = files
    data = file.stream.read()
    if len(data) > limit:
        raise _too_large(field, limit, advice, len(data))
    extension = PurePosixPath(file.filename or "").suffix[1:].lower()
    usual = extension.isascii() and extension.isalnum() and len(extension) <= _EXTENSION_MAX
    return UploadedFile(data, file.mimetype or None, extension if usual else "")


def _read_away(length: int | None) -> None:
    """Read and drop a body that is refused: a client that is still sending would not see the answer."""
    left, stream = min(length or _READ_AWAY, _READ_AWAY), request.environ["wsgi.input"]
    while left > 0 and (block := stream.read(min(left, _BLOCK))):
        left -= len(block)


def _too_large(field: str, limit: int, advice: str, got: int | None) -> errors.Invalid:
    came = f", this one has {got}" if got is not None else ""
    return errors.Invalid(
        f"{field}: must have at most {limit} bytes{came}. {advice}",
        code="PAYLOAD_TOO_LARGE",
        status=413,
        details={"field": field, "max": limit, **({"got": got} if got is not None else {})},
    )


def _malformed(message: str, **details: int) -> errors.Invalid:
    return errors.Invalid(message, code="MALFORMED_JSON", details=details or None)


def _too_deep() -> errors.Invalid:
    return _malformed(
        f"The body is nested more than {_MAX_DEPTH} levels deep. Send flatter JSON.",
        maxDepth=_MAX_DEPTH,
    )


def refuse_repeated_names() -> None:
    """Refuse a body in which an object has the same name twice; call it where somebody relies on the words.

    Readers of JSON differ on which of the two counts.

    Raises:
        Invalid: A name is repeated (400).
    """

    def unique(pairs: list[tuple[str, Any]]) -> None:
        if len(dict(pairs)) != len(pairs):
            raise _malformed("An object of the body has the same name twice.")

    json.loads(request.get_data(cache=True).decode("utf-8-sig"), object_pairs_hook=unique)


def _no_constant(name: str) -> NoReturn:
    raise _malformed(f"The body is not valid JSON: {name} is not a JSON number.")


def _bounded_integer(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > _MAX_INTEGER:
        raise errors.Invalid("An integer in the body is outside ±(2^53 - 1). Send it as a string.")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise errors.Invalid("A number in the body is too large. Send it as a string.")
    return number


def _check_values(root: dict[str, Any]) -> None:
    """Reject nesting and characters that PostgreSQL or a JSON encoder cannot handle, naming the field."""
    pending: list[tuple[str, Any, int]] = [("", root, 1)]
    while pending:
        path, value, depth = pending.pop()
        if depth > _MAX_DEPTH:
            raise _too_deep()
        if isinstance(value, dict):
            for key in value:
                _check_text(path or "body", key)
            pending += [(f"{path}.{k}" if path else k, v, depth + 1) for k, v in value.items()]
        elif isinstance(value, list):
            pending += [(f"{path}[{i}]", v, depth + 1) for i, v in enumerate(value)]
        elif isinstance(value, str):
            _check_text(path, value)


def _check_text(path: str, value: str) -> None:
    if "\x00" in value:
        raise errors.Invalid(
            f"{path[:100]}: contains a NUL character (U+0000); remove it.", details={"field": path[:100]}
        )
    try:
        # Of what JSON can hold, halves of surrogate pairs alone are not encoded.
        value.encode()
    except UnicodeEncodeError:
        raise errors.Invalid(
            f"{path[:100].encode('utf-8', 'replace').decode()}: contains half of a surrogate pair; send "
            "both halves or the character itself.",
            details={"field": path[:100].encode("utf-8", "replace").decode()},
        ) from None


def error_body(message: str, code: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the canonical error object (decision 002)."""
    body: dict[str, Any] = {"error": message, "code": code, **_found_by(code)}
    if details:
        body["details"] = details
    return body


def _found_by(code: str) -> dict[str, Any]:
    """Return what leads on from an error: its request, and the page that says what its code means."""
    return {"requestId": request_id(), "docUrl": f"{public_address.base()}/docs/errors#{code}"}


def streamed(parts: Iterator[T]) -> Iterator[T]:
    """Wrap the parts of a streamed body so that each is made with the context of this request.

    A body is sent after the request has ended, when the tenant of the thread is already reset; so the context
    is copied now.
    """
    return _within(contextvars.copy_context(), parts)


def _within(context: contextvars.Context, parts: Iterator[T]) -> Iterator[T]:
    missing = object()
    while (part := context.run(next, parts, missing)) is not missing:
        yield cast(T, part)


def _open_request() -> None:
    g.rls_before = rls.begin_request()
    charging.begin_request()
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(requestId=request_id())


def _end_request(_error: BaseException | None) -> None:
    # A context that was pushed without a request being served changed nothing.
    if "rls_before" in g:
        rls.end_request(g.pop("rls_before"))


def _close_request(response: Response) -> Response:
    headers = response.headers
    headers["X-Request-Id"] = request_id()
    # Werkzeug's `setdefault` walks through all headers for each.
    there = {name.lower() for name in headers.keys()}  # noqa: SIM118 (iterating gives pairs)
    for lowered, name, value in _ALWAYS:
        if lowered not in there:
            headers.add(name, value)
    if is_api():
        headers.setdefault("Cache-Control", "no-store")
    if is_secure():
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    return response


def _domain_error(error: errors.DomainError) -> Response:
    if error.status is None:
        return _unexpected(error)
    headers = {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    if error.status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="api"'
    if not is_api():
        return _page(error.status, error.message, headers)
    return _refusal(body_of(error), error.status, headers)


def _refusal(body: dict[str, Any], status: int, headers: dict[str, str]) -> Response:
    """Return an error of the interface; the link to its code's page is a header too (RFC 8288, `help`)."""
    g.error_code = body["code"]
    return answer(body, status, {**headers, "Link": f'<{body["docUrl"]}>; rel="help"'})


def body_of(error: errors.DomainError) -> dict[str, Any]:
    """Return the JSON object that tells of `error` (decision 002)."""
    if error.code == "INSUFFICIENT_CREDITS":
        # As clients read it: the string is the code, the figures stand beside it.
        return {"error": error.code, **(error.details or {}), "code": error.code, **_found_by(error.code)}
    return error_body(error.message, error.code, _with_errors(error))


def _with_errors(error: errors.DomainError) -> dict[str, Any] | None:
    """Return the details of an error; where they name one field, with the list `errors` (decision 003)."""
    details = error.details
    if not isinstance(error, errors.Invalid) or not details or "field" not in details or "errors" in details:
        return details
    field = str(details["field"])
    return {**details, "errors": [{"field": field, "message": error.message.removeprefix(f"{field}: ")}]}


def http_error(error: HTTPException) -> Response:
    """Render an exception of werkzeug as JSON or as a page; 3xx and prepared responses pass unchanged."""
    status = error.code or 500
    if error.response is not None or status < 400:
        return cast(Response, error.get_response())
    headers = {k: v for k, v in error.get_headers() if k.lower() not in ("content-type", "content-length")}
    if not is_api():
        return _page(status, _plain(error, status), headers)
    return _refusal(
        error_body(_plain(error, status), _HTTP_CODES.get(status, "INTERNAL_ERROR")), status, headers
    )


def _plain(error: HTTPException, status: int) -> str:
    if status == 404:
        return "There is nothing at this address."
    if status == 405:
        allowed = ", ".join(sorted(set(getattr(error, "valid_methods", None) or ()) - {"HEAD", "OPTIONS"}))
        return f"{request.method} is not allowed here. Use {allowed or 'another method'}."
    if status == 413:
        limit = request.max_content_length
        return f"The body is larger than {limit} bytes, the maximum." if limit else "The body is too large."
    return error.description or error.name


def _unexpected(error: Exception) -> Response:
    keyed = bool(request.headers.get("Idempotency-Key"))
    found = as_domain_error(error, keyed=keyed)
    if isinstance(found, errors.Upstream):
        return _domain_error(found)
    if not is_api():
        return _page(500, found.message, {})
    return _refusal(error_body(found.message, found.code), 500, {})


def as_domain_error(error: Exception, *, keyed: bool) -> errors.DomainError:
    """Log an error that nobody expected; return what its caller is told, 503 while a store is away.

    Nothing of the error's own text is in it. `keyed` is whether the request came with an Idempotency-Key.
    """
    if db.is_unavailable(error) or isinstance(error, redis_client.Unavailable):
        _logger.warning("dependency away", exc_info=error)
        if isinstance(error, db.OutcomeUnknown) and charging.known() == "nothing":
            charging.note("unknown")
        return errors.Upstream(f"The service is temporarily unavailable{_charge(keyed)}")
    _logger.error("unexpected error", exc_info=error, path=request.path, method=request.method)
    message = (
        f"An internal error occurred{_charge(keyed)} If it happens again, send the request id to support."
    )
    return errors.DomainError(message)


def _charge(keyed: bool) -> str:
    """Return the end of an error's sentence: what is known of the charge, and what to do."""
    state = charging.known()
    if state == "nothing":
        return "; you were not charged. Try again."
    if not is_api():
        return ". Before you repeat what you sent, check whether it was saved."
    if state == "charged":
        return (
            " after the request was charged. Retry with the same Idempotency-Key; you will not be charged "
            "again."
            if keyed
            else " after the request was charged. GET /api/v1/credits/ledger shows the charge."
        )
    return (
        ", and it is not known whether the request was processed. Retry with the same Idempotency-Key; it "
        "will not be processed or charged twice."
        if keyed
        else ", and it is not known whether the request was processed. Check GET /api/v1/credits/ledger "
        "for a charge before you retry. With an Idempotency-Key, retries are safe."
    )


def _page(status: int, message: str, headers: dict[str, str]) -> Response:
    page = render_template("error.html", status=status, message=message, request_id=request_id())
    return Response(page, status, headers, mimetype="text/html")
