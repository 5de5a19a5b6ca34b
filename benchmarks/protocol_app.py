"""The applications that `benchmarks.protocol` serves: the product, with an empty endpoint beside it."""

from __future__ import annotations

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from app import analysis
from app.analysis.draft import node_a
from app.factory import create_app
from app.platform.processes import garbage
from app.rules.brief import Brief
from app.rules.draft import Draft


class _Instant:
    """An engine that takes no time, to see what everything around it costs."""

    name = "instant"
    local = False

    def analyse(self, brief: Brief) -> Draft:
        return Draft(self.name, "instant-1", "document", "Nothing.", (), len(brief.text), len(brief.text))


def _serve(*, instant: bool) -> Flask:
    if instant:
        engine = _Instant()
        node_a.engine = lambda _: engine  # type: ignore[assignment]
    product = create_app()
    analysis.warm_up()
    # As `wsgi.serve` leaves it.
    garbage.settle()
    # The floor is an application of its own: no hook of the product runs for it.
    floor = Flask("floor")
    floor.add_url_rule("/empty", "empty", lambda: {"ok": True})
    product.wsgi_app = DispatcherMiddleware(product.wsgi_app, {"/benchmark": floor})  # type: ignore[method-assign]
    return product


def instant() -> Flask:
    """The product with an engine that takes no time."""
    return _serve(instant=True)


def rules() -> Flask:
    """The product as it is."""
    return _serve(instant=False)
