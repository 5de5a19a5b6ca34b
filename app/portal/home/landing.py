"""Pages for strangers: what the service is, and an example analysis that anybody may read."""

from __future__ import annotations

from flask import make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from app import analysis, mail
from app.platform import settings
from app.platform.web import public_address
from app.portal.analysis.analyse import sample_values
from app.portal.docs.quickstart import curl
from app.portal.web.blueprints import front
from app.portal.web.display import language
from app.portal.web.host_branding import site_name
from app.portal.web.session import access

EXAMPLE: analysis.sandbox.Name = "contract_es"
# What the reader is shown of an analysis before the whole of it.
_EXCERPT = 3


@front.get("/")
@access.public
def entrance() -> AnyResponse:
    """Show strangers what the service is; redirect members to their overview."""
    if access.is_signed_in():
        return redirect(url_for("portal.overview"), 303)
    config = settings.current()
    example = sample_values(EXAMPLE, site_name())
    groups = [group for part in example["parts"] for group in part.risks]
    risks = [(group, entry) for group in groups for entry in group.entries if entry.said.lock]
    page = render_template(
        "portal/home/landing.html",
        excerpt=risks[:_EXCERPT],
        first_curl=curl(public_address.base(), f"{config.key_prefix}_…", language.current()),
        sign_up_open=config.signup_open and mail.can_send(),
    )
    return _fresh(page)


@front.get("/example")
@access.public
def example_analysis() -> AnyResponse:
    """Show the analysis of a fictional lease, with the evidence behind each statement."""
    return _fresh(
        render_template(
            "portal/home/example.html",
            job=None,
            record=None,
            **sample_values(EXAMPLE, site_name()),
        )
    )


def _fresh(page: str) -> AnyResponse:
    """Return a page that depends on who looks and in which language."""
    response = make_response(page)
    response.headers["Cache-Control"] = "no-cache"
    response.vary.update(("Cookie", "Accept-Language"))
    return response
