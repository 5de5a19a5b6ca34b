"""Commands of `flask demo`: the demonstration account of `make run`."""

from __future__ import annotations

from typing import Any

from flask.cli import AppGroup

from app.cli.commands import as_json, prints_result

demonstration = AppGroup("demo", help="The demonstration account of `make run`.")


@demonstration.command("seed")
@as_json
@prints_result
def demo_seed() -> dict[str, Any]:
    """Create the demonstration account and load its fictional law; running it twice changes nothing."""
    from app import demo

    found = demo.seed()
    demo.load_law()
    return found
