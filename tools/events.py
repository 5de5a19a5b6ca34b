"""Write docs/events.md from the catalogue of events: `python -m tools.events`."""

from __future__ import annotations

from app import webhooks
from app.platform import settings


def main() -> None:
    path = settings.PROJECT / "docs" / "events.md"
    path.write_text(webhooks.as_markdown(), "utf-8")
    print(f"written: docs/{path.name}, {len(webhooks.CATALOGUE)} events")


if __name__ == "__main__":
    main()
