"""OpenAPI through flask-smorest, adapted: errors with codes, one error schema, JSON parsed once.

Only `routes.py` and `schemas.py` files and the factory import it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, TypeVar

import marshmallow as ma
from flask import Flask, Request, Response, json
from flask_smorest import Api, Blueprint
from marshmallow import fields, validate
from marshmallow.decorators import POST_LOAD, PRE_LOAD, VALIDATES, VALIDATES_SCHEMA
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException

from app.platform import errors, settings
from app.platform.web import http, public_address

API_VERSION = "1.8.0"

F = TypeVar("F", bound=Callable[..., Any])

# A value is repeated to its sender only when it is short: a document sent in the wrong field is not.
_ECHO = 40
_WORD = re.compile(r"[A-Za-z0-9_.:+-]{1,20}")
_KINDS = {
    bool: "a Boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}
# So many wrong fields are named at once; a list of thousands of wrong entries is none the clearer for more.
_NAMED = 50


class Problem(str):
    """A validation message with HTTP status, code and details; a `str`, so marshmallow can collect it."""

    status: int
    code: str
    details: dict[str, Any]

    def __new__(
        cls, message: str, *, status: int = 400, code: str = "VALIDATION_ERROR", **details: Any
    ) -> Problem:
        """Create the message; `details` go to the `details` of the error."""
        made = super().__new__(cls, message)
        made.status, made.code, made.details = status, code, details
        return made


def got(value: Any) -> str:
    """Describe a refused value for an error message.

    A number, a Boolean or a short word is repeated. Of anything else only the type or the size is given: it
    may be text of a document or a secret.
    """
    if isinstance(value, str):
        return f"got '{value}'" if _WORD.fullmatch(value) else f"got {len(value)} characters"
    if isinstance(value, bool):
        return f"got {str(value).lower()}"
    if isinstance(value, int | float):
        return f"got {value}" if len(str(value)) <= _ECHO else "got a longer number"
    return f"got {_KINDS.get(type(value), 'null')}"


class Length(validate.Length):
    """Validate the length of a string in code points, or of a list in entries.

    Args:
        min: Smallest length, inclusive.
        max: Largest length, inclusive.
        status: 400, or 422 where the limit is one of the business (decision 003).
        then: Validator of the content, called only when the length is right (decision 003).
    """

    def __init__(
        self,
        *,
        min: int | None = None,
        max: int | None = None,
        status: int = 400,
        then: Callable[[Any], object] | None = None,
    ) -> None:
        super().__init__(min=min, max=max)
        self.status = status
        self.then = then

    def __call__(self, value: Any) -> Any:
        """Return `value`. Raises `ValidationError` with the bounds and the length that came."""
        size = len(value)
        if (self.min is not None and size < self.min) or (self.max is not None and size > self.max):
            unit = "characters" if isinstance(value, str) else "entries"
            bounds = (
                f"{self.min} to {self.max}" if self.min is not None and self.max is not None
                else f"at least {self.min}" if self.max is None
                else f"at most {self.max}"
            )  # fmt: skip
            wanted: dict[str, Any] = {
                k: v for k, v in (("min", self.min), ("max", self.max)) if v is not None
            }
            raise ma.ValidationError(
                Problem(f"must have {bounds} {unit}, has {size}.", status=self.status, **wanted, got=size)
            )
        if self.then:
            self.then(value)
        return value


class Text(fields.String):
    """A string field that converts nothing: other JSON types are refused."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, str):
            raise ma.ValidationError(
                Problem(
                    f"must be a string, got {_KINDS.get(type(value), 'null')}.",
                    expected="string",
                    got=_json_type(value),
                )
            )
        return value


class Choice(Text):
    """A field with one of a fixed set of words; `aliases` maps other spellings to them."""

    def __init__(self, *words: str, aliases: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        self.words, self.aliases = words, dict(aliases or {})
        metadata = {"enum": [*words, *self.aliases], **kwargs.pop("metadata", {})}
        super().__init__(metadata=metadata, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        word = str(super()._deserialize(value, attr, data, **kwargs))
        word = self.aliases.get(word, word)
        if word not in self.words:
            echo: dict[str, Any] = {"got": word} if len(word) <= _ECHO else {}
            raise ma.ValidationError(
                Problem(
                    f"must be one of {', '.join(self.words)}; {got(word)}.", allowed=list(self.words), **echo
                )
            )
        return word


class Integer(fields.Integer):
    """An integer field within bounds, given as a JSON integer: `"5"`, `5.0` and `true` are refused."""

    def __init__(self, *, min: int, max: int, **kwargs: Any) -> None:
        self.lowest, self.highest = min, max
        super().__init__(metadata={"minimum": min, "maximum": max, **kwargs.pop("metadata", {})}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        expected = f"must be a whole number from {self.lowest} to {self.highest}; {got(value)}."
        if type(value) is not int:
            raise ma.ValidationError(Problem(expected, expected="integer", got=_json_type(value)))
        if not self.lowest <= value <= self.highest:
            raise ma.ValidationError(Problem(expected, min=self.lowest, max=self.highest, got=value))
        return value


class Boolean(fields.Boolean):
    """A boolean field that accepts only JSON `true` and `false`."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ma.ValidationError(Problem(f"must be true or false; {got(value)}.", expected="boolean"))
        return value


def _json_type(value: Any) -> str:
    names = {bool: "boolean", int: "number", float: "number", list: "array", dict: "object", str: "string"}
    return names.get(type(value), "null")


class Body(ma.Schema):
    """Schema of a JSON body: camelCase names, unknown fields ignored, `null` as not given (decision 003)."""

    # True where no body at all, without Content-Type, is as good as `{}`.
    may_be_empty: ClassVar[bool] = False
    # 422 where decision 003 answers every wrong field of the body with it.
    wrong_field: ClassVar[int] = 400

    class Meta:
        unknown = ma.EXCLUDE

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Derive the camelCase name of a field and set our message for a missing one."""
        head, *tail = field_name.split("_")
        if field_obj.data_key is None:
            field_obj.data_key = head + "".join(word.title() for word in tail)
        if field_obj.required:
            field_obj.error_messages["required"] = Problem("is required.")

    @ma.pre_load
    def _null_is_absent(self, data: Any, **_: Any) -> Any:
        return {k: v for k, v in data.items() if v is not None} if isinstance(data, dict) else data

    def load_plain(self, data: Any) -> Any:
        """Load one body as `load` does, which takes several times as long to find nothing wrong.

        Raises:
            ValidationError: as `load` raises it, with all that is wrong.
        """
        try:
            return self._load_valid(data) if self._is_plain and isinstance(data, dict) else self.load(data)
        except ma.ValidationError:
            # What is wrong is told by the library, with everything else that is.
            return self.load(data)

    @cached_property
    def _is_plain(self) -> bool:
        """Tell whether nothing is done to a body but by its fields and by schema validators."""
        hooks = self._hooks
        return (
            [name for name, *_ in hooks[PRE_LOAD]] == ["_null_is_absent"]
            # Some bodies give null a sense of its own, in a function of that name.
            and type(self)._null_is_absent is Body._null_is_absent
            and not hooks[POST_LOAD]
            and not hooks[VALIDATES]
            and self.unknown == ma.EXCLUDE
            and not self.partial
            and not self.many
        )

    def _load_valid(self, data: dict[str, Any]) -> dict[str, Any]:
        """Load a body; raise `ValidationError` where anything is wrong with it, which need not be said."""
        given = {name: value for name, value in data.items() if value is not None}
        loaded: dict[str, Any] = {}
        for name, field in self.load_fields.items():
            key = field.data_key or name
            value = field.deserialize(given.get(key, ma.missing), key, given)
            if value is not ma.missing:
                loaded[field.attribute or name] = value
        for name, _, options in self._hooks[VALIDATES_SCHEMA]:
            original = (data,) if options.get("pass_original") else ()
            getattr(self, name)(loaded, *original, many=False, partial=None, unknown=ma.EXCLUDE)
        return loaded


class FieldError(ma.Schema):
    """One wrong field."""

    field = fields.String(required=True)
    message = fields.String(
        required=True, metadata={"description": "What was expected and what was received."}
    )


class ErrorDetails(ma.Schema):
    """The first wrong field of a request with what was expected and what came, and all wrong fields."""

    class Meta:
        unknown = ma.INCLUDE

    field = fields.String(metadata={"description": "The first invalid field."})
    errors = fields.List(
        fields.Nested(FieldError),
        metadata={"description": "All invalid fields, at most 50; the one that `error` names comes first."},
    )


class ErrorBody(ma.Schema):
    """The canonical error (decision 002)."""

    error = fields.String(required=True, metadata={"description": "What went wrong, in one sentence."})
    code = fields.String(required=True, metadata={"description": "Stable error code."})
    requestId = fields.String(  # noqa: N815 (a wire name)
        required=True, metadata={"description": "Also in the header X-Request-Id."}
    )
    docUrl = fields.Url(  # noqa: N815
        required=True,
        metadata={"description": "The page that says what the code means and what to do."},
    )
    details = fields.Nested(
        ErrorDetails, metadata={"description": "What was expected and what was received, if known."}
    )


class CreditsError(ErrorBody):
    """A 402 error: `error` holds the code, with the canonical fields beside it (decision 002)."""

    balance = fields.Integer(metadata={"description": "Credits available now."})
    required = fields.Integer(metadata={"description": "Credits this request may need."})


class _Parser(FlaskParser):
    DEFAULT_UNKNOWN_BY_LOCATION = {"json": ma.EXCLUDE, "query": ma.EXCLUDE}  # noqa: RUF012
    DEFAULT_VALIDATION_STATUS = 400

    def parse(self, argmap: Any, req: Any = None, *, location: str | None = None, **options: Any) -> Any:
        """Load the body or the query with a schema, a body without the library's way round."""
        if location != "json" or not isinstance(argmap, Body):
            return super().parse(argmap, req, location=location, **options)
        try:
            return argmap.load_plain(http.json_body(optional=argmap.may_be_empty))
        except ma.ValidationError as error:
            raise _refusal(argmap, error.messages) from None

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        """Return the JSON object that the HTTP edge parsed."""
        return http.json_body(optional=getattr(schema, "may_be_empty", False))

    def handle_error(self, error: ma.ValidationError, req: Request, schema: ma.Schema, **_: Any) -> NoReturn:
        """Raise the first validation message as `Invalid`."""
        # webargs puts the messages under where the value came from: `json` or `query`.
        assert isinstance(error.messages, dict)
        [messages] = error.messages.values()
        raise _refusal(schema, messages) from None


def _refusal(schema: ma.Schema, messages: Any) -> errors.Invalid:
    """Return the first message of a schema as an error, with the status of its wrong fields."""
    found = first_problem(messages)
    found.status = max(found.status or 400, getattr(schema, "wrong_field", 400))
    return found


def first_problem(messages: Any) -> errors.Invalid:
    """Convert marshmallow's messages to one `Invalid`: wrong requests (400) before broken limits (422).

    All wrong fields, at most 50, are in `details.errors` (decision 003).

    Args:
        messages: `ValidationError.messages` of a schema: by field, or a list for the body as a whole.
    """
    found = sorted(_flatten(messages), key=lambda item: getattr(item[1], "status", 400) == 422)
    path, message = found[0]
    return errors.Invalid(
        f"{path}: {message}",
        status=getattr(message, "status", 400),
        code=getattr(message, "code", "VALIDATION_ERROR"),
        details={
            "field": path,
            **getattr(message, "details", {}),
            "errors": [{"field": field, "message": str(said)} for field, said in found[:_NAMED]],
        },
    )


def _flatten(messages: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(messages, dict):
        for key, inner in messages.items():
            if key == "_schema" and not path:
                yield from _flatten(inner, path)
            elif isinstance(key, int):
                yield from _flatten(inner, f"{path}[{key}]")
            else:
                yield from _flatten(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(messages, list):
        for inner in messages:
            yield from _flatten(inner, path)
    else:
        yield path or "body", messages


class Decorator(Protocol):
    """A decorator that returns a view of the same type."""

    def __call__(self, view: F, /) -> F:
        """Return the decorated view."""


if TYPE_CHECKING:

    class Routes:
        """Types of the class below, since flask-smorest ships none."""

        def __init__(self, name: str, import_name: str, *, url_prefix: str, description: str) -> None: ...
        def route(
            self, rule: str, *, methods: list[str], parameters: list[dict[str, Any]] | None = None
        ) -> Decorator:
            """Register a view for `rule`, with the scopes and refusals of its guard in its documentation."""

        def arguments(
            self,
            schema: type[ma.Schema],
            *,
            location: str = "json",
            example: Any = None,
            required: bool = True,
        ) -> Decorator:
            """Parse the body or the query with `schema` and pass it to the view."""

        def response(
            self,
            status: int,
            schema: type[ma.Schema] | None = None,
            *,
            headers: Any = None,
            example: Any = None,
            examples: Any = None,
        ) -> Decorator:
            """Document a successful response."""

        def alt_response(self, status: int, **described: Any) -> Decorator:
            """Document another response."""

        def doc(self, **described: Any) -> Decorator:
            """Add to the documentation of the operation."""

else:

    class Routes(Blueprint):
        """A blueprint that parses bodies with `http.json_body` and raises errors with codes.

        flask-smorest wraps a view once for each decorator, a dozen times here. Decorators that only document
        keep their documentation, and the view is called directly.
        """

        ARGUMENTS_PARSER = _Parser()

        def route(self, rule, **options):
            """Register a view for `rule`, with the scopes and refusals of its guard in its documentation."""
            add = super().route(rule, **options)

            def decorate(view):
                if scopes := getattr(view, "scopes", None):
                    # OpenAPI 3.1: for a scheme that is not OAuth these are roles, told outside the protocol.
                    view = self.doc(security=[{"bearerAuth": scopes}])(view)
                if refusal := getattr(view, "refusal", None):
                    for described in view._apidoc["response"]["responses"][401]:
                        described["example"] = refusal
                return add(view)

            return decorate

        def arguments(self, schema, **kwargs):
            """Parse the body or the query with `schema` and pass it to the view."""
            # One schema for the life of the process: building it costs more than parsing a body with it.
            return super().arguments(schema() if isinstance(schema, type) else schema, **kwargs)

        def response(self, *args, **kwargs):
            """Document a successful response."""
            return _described(super().response(*args, **kwargs))

        def alt_response(self, *args, **kwargs):
            """Document another response."""
            return _described(super().alt_response(*args, **kwargs))

        def doc(self, **kwargs):
            """Add to the documentation of the operation."""
            return _described(super().doc(**kwargs))

    def _described(decorator):
        def decorate(view):
            view._apidoc = decorator(view)._apidoc
            return view

        return decorate


class Document(Api):  # type: ignore[misc]  # flask-smorest ships no types
    """OpenAPI document of flask-smorest, with our handler for HTTP errors instead of its app-wide one."""

    ERROR_SCHEMA = ErrorBody
    DEFAULT_ERROR_RESPONSE_NAME = None

    # The name of the service as the current request's visitor knows it; `name_by` replaces it.
    _name: Callable[[], str] | None = None

    def handle_http_exception(self, error: HTTPException) -> Any:
        """Render the error with our handler (an override of flask-smorest's)."""
        return http.http_error(error)

    def name_by(self, name: Callable[[], str]) -> None:
        """Have the document speak under the name that `name` returns for the current request."""
        self._name = name

    def _openapi_json(self) -> Response:
        """Answer with the document, under the name and address that the visitor knows (decision 106)."""
        document = self.spec.to_dict()
        if public_address.account_of_host() is not None:
            document = {**document, "servers": [{"url": public_address.base()}]}
        name = self._name() if self._name else settings.current().service_name
        spoken = named(document, name)
        return Response(json.dumps(spoken, indent=2, sort_keys=False), mimetype="application/json")


_EXAMPLE_NAME = str(settings.Settings.model_fields["service_name"].default)


def named(document: Any, name: str) -> Any:
    """Return an OpenAPI document, or a part of it, whose title and examples bear `name`.

    The examples are answers of a service under its default name. Only the whole word in this letter case is
    the name: "candado" is Spanish for lock.
    """
    own = settings.current().service_name
    if name == own == _EXAMPLE_NAME:
        return document
    mention = re.compile(rf"(?<!\w)(?:{re.escape(_EXAMPLE_NAME)}|{re.escape(own)})(?!\w)")

    def spoken(part: Any) -> Any:
        if isinstance(part, str):
            return mention.sub(lambda _: name, part)
        if isinstance(part, Mapping):
            return {key: spoken(value) for key, value in part.items()}
        return [spoken(one) for one in part] if isinstance(part, (list, tuple)) else part

    return spoken(document)


_DESCRIPTION = """\
Legal document analysis. Send a text or a file; get an analysis in which every statement carries a certainty
lock that code has verified. Personal identifiers are masked before any model sees the text, and nothing of it
is kept, but for a file that you upload: encrypted, for an hour.

Every answer carries `X-Request-Id`. Every error has one shape: `error` (a plain sentence), `code` (stable),
`requestId`, `docUrl` (the page that explains the code) and, where it helps, `details`.
"""


def create(app: Flask, config: settings.Settings) -> Document:
    """Register `/api/v1/openapi.json`, the OpenAPI 3.1 document, on `app`."""
    app.config.update(
        API_TITLE=f"{config.service_name} API",
        API_VERSION=API_VERSION,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api/v1",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {
                "description": _DESCRIPTION,
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            },
            "servers": [{"url": config.public_url or "/"}],
            "security": [{"bearerAuth": []}],
            "components": {
                "securitySchemes": {
                    "bearerAuth": {
                        "type": "http",
                        "scheme": "bearer",
                        "bearerFormat": f"{config.key_prefix}_…",
                        "description": "An API key, created in the portal.",
                    }
                }
            },
        },
    )
    return Document(app)


_MEANING = {
    400: "The request is invalid: malformed JSON, a missing field, a wrong type or an unknown value.",
    401: "The key is missing, unknown, expired, revoked, or lacks the scope.",
    402: "There are not enough credits; nothing was processed.",
    403: "The key is valid but not allowed to do this.",
    404: "Unknown, or of another account.",
    405: "This method is not allowed here.",
    409: "The current state does not allow this.",
    410: "The requested data is no longer stored.",
    413: "The body is larger than the maximum.",
    415: "The body is of another media type than is taken here, or compressed.",
    422: "A well-formed value is outside a limit.",
    429: "The rate limit is exceeded; Retry-After says when to try again.",
    500: "An internal error; the message says whether credits were charged.",
    502: "A model returned no usable answer; you were not charged.",
    503: "A model or a database is unavailable; the message says whether credits were charged.",
}
_INTEGER = {"schema": {"type": "integer"}}
REQUEST_ID_HEADER = {
    "X-Request-Id": {
        "schema": {"type": "string"},
        "description": "Identifies this request in logs and audit.",
    }
}
RATE_HEADERS = {
    **REQUEST_ID_HEADER,
    "X-RateLimit-Limit": {**_INTEGER, "description": "Requests allowed in any 60 seconds."},
    "X-RateLimit-Remaining": {**_INTEGER, "description": "Requests left in this window."},
    "X-RateLimit-Reset": {
        **_INTEGER,
        "description": "Unix time at which the oldest request leaves the window.",
    },
}
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,200}$"},
    "description": (
        "Makes retries safe: for 24 hours, the same key with the same body returns the first answer; the "
        "request is processed and charged once. Scoped to the account and route (and to `kind` for jobs). "
        "From child keys, and on requests that create a secret, scoped to the API key."
    ),
    "example": "6f1c2b1e-8a54-4c0e-9a2f-5a1d7c3e9b10",
}
REPLAYED_HEADER = {
    "Idempotency-Replayed": {
        "schema": {"type": "string", "enum": ["true"]},
        "description": "Present only when a stored answer is replayed.",
    }
}
_RETRY = {"Retry-After": {**_INTEGER, "description": "Whole seconds to wait."}}


def fails(routes: Routes, *statuses: int, examples: Mapping[int, dict[str, Any]] | None = None) -> Decorator:
    """Document the error responses of a route, each with meaning, schema, headers and an example.

    Args:
        routes: The blueprint of the route.
        statuses: HTTP statuses that can occur; 403 is added to 401, because of the allow-list.
        examples: Examples that replace the general one, by status.
    """

    def decorate(function: F) -> F:
        # A call with a key may be refused for the address that it comes from.
        for status in sorted({*statuses, *((403,) if 401 in statuses else ())}):
            schema: type[ma.Schema] = CreditsError if status == 402 else ErrorBody
            headers = {**REQUEST_ID_HEADER, **(_RETRY if status in (429, 503) else {})}
            shown = _linked((examples or {}).get(status, _example(status)))
            function = routes.alt_response(
                status, schema=schema, description=_MEANING[status], headers=headers, example=shown
            )(function)
        return function

    return decorate


def _linked(example: dict[str, Any]) -> dict[str, Any]:
    """Return the example of an error with the address of its code's page, after what names the request."""
    link = {"docUrl": f"https://api.example.com/docs/errors#{example['code']}"}
    details = {name: value for name, value in example.items() if name == "details"}
    return {**{name: value for name, value in example.items() if name not in details}, **link, **details}


_WRONG_FIELDS = {
    400: [
        {"field": "first", "message": "is required."},
        {"field": "second", "message": "must be a string."},
    ],
    422: [{"field": "first", "message": "must have at most 80 characters, has 93."}],
}


def _example(status: int) -> dict[str, Any]:
    body: dict[str, Any] = {
        "error": _MEANING[status],
        "code": http._HTTP_CODES.get(status, "INTERNAL_ERROR"),
        "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    }
    if status in (400, 422):
        said = _WRONG_FIELDS[status]
        body |= {
            "error": f"{said[0]['field']}: {said[0]['message']}",
            "details": {"field": said[0]["field"], "errors": said},
        }
    if status == 403:
        body |= {
            "error": "API keys of this account cannot be used from your IP address. Ask the account owner "
            "to add it to the allow-list.",
            "code": "IP_NOT_ALLOWED",
        }
    if status == 409:
        # Routes with another conflict bring an example of it.
        body |= {
            "error": "This Idempotency-Key was already used with a different body. Send a new key for a "
            "new request.",
            "code": "IDEMPOTENCY_CONFLICT",
        }
    if status == 410:
        body |= {"code": "CURSOR_EXPIRED", "details": {"field": "cursor"}}
    if status == 502:
        body["code"] = "MODEL_ERROR"
    if status == 402:
        body |= {"error": "INSUFFICIENT_CREDITS", "code": "INSUFFICIENT_CREDITS", "balance": 0, "required": 1}
    return body
