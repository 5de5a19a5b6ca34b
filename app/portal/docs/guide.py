"""Guide in the portal: a first call with the member's own key, recipes, errors, limits, retention."""

from __future__ import annotations

from flask import render_template, request

from app import analysis, jobs, tenancy, webhooks
from app.platform import clock, settings
from app.platform.postgres import db
from app.portal.docs import recipes
from app.portal.docs.error_codes import ERRORS
from app.portal.docs.quickstart import SAMPLE_TEXT, curl
from app.portal.web.api_address import address
from app.portal.web.blueprints import site
from app.portal.web.display import language, status_labels
from app.portal.web.display.view_models import options
from app.portal.web.session import access


@site.get("/docs")
@access.member_only()
def guide() -> str:
    """Show the guide; `in` chooses the language of the recipes."""
    config, me = settings.current(), access.current_member()
    wanted = request.args.get("in")
    tongue: recipes.Tongue = next((name for name in recipes.TONGUES if name == wanted), "curl")
    speech = language.current()
    header = f"X-{config.wire_name}-Signature"
    key = _key(me) if me.may_manage_keys else None
    shown = f"{key.key_prefix if key else config.key_prefix + '_'}…"
    return render_template(
        f"portal/docs/guide.{speech}.html",
        key=key,
        environment=f"export API_URL={address()}\nexport API_KEY={shown}",
        first=curl(address(), shown, speech),
        tongue=tongue,
        recipes={
            task: recipes.recipe(task, tongue, text=SAMPLE_TEXT.in_(speech), language=speech, header=header)
            for task in recipes.TASKS
        },
        tongues_of_recipes=options(recipes.NAMES, tongue),
        is_typescript=tongue == "typescript",
        webhook_name="sh" if tongue == "curl" else recipes.NAMES[tongue],
        names=recipes.NAMES,
        errors=ERRORS,
        header=header,
        config=config,
        prices={mode: analysis.price(mode) for mode in analysis.MODES},
        most={
            "characters": analysis.TEXT_MAX,
            "long": analysis.LONG_TEXT_MAX,
            "documents": analysis.DOCUMENTS_MAX,
            "concurrency": analysis.CONCURRENCY_MAX,
            "pending": jobs.PENDING_MAX,
            "sub_keys": tenancy.SUB_KEYS_MAX,
            "webhooks": webhooks.MAX_PER_KEY,
        },
        subscribable=webhooks.SUBSCRIBABLE,
        on_the_bus=[name for name in webhooks.CATALOGUE if name not in webhooks.SUBSCRIBABLE],
        terms=status_labels,
    )


def _key(me: access.CurrentMember) -> tenancy.ApiKey | None:
    """Return the newest key in use that may analyse; `None` without one."""
    now = clock.now()
    fit = tenancy.KeyFilter(state="in_use", scope="analyze", roles=("solo", "master"))
    with db.reading() as session:
        return next(iter(tenancy.keys_page(session, me.account_id, fit, now=now, limit=1).rows), None)
