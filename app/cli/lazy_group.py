"""A click group that is listed without importing its commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import click


class LazyGroup(click.Group):
    """A group that is imported when it or one of its commands is called.

    `--help` of the level above shows its name and help line, which are given here, without importing it.
    """

    def __init__(
        self,
        name: str,
        load: Callable[[], click.Group],
        *,
        summary: str,
        before: Callable[[], object] = lambda: None,
    ) -> None:
        """Initialise the group.

        Args:
            name: Name of the group.
            load: Imports and returns the group.
            summary: Help line.
            before: Runs before a command of the group, but not before its help.
        """
        super().__init__(name, help=summary)
        self._load = cache(load)
        self._before = before

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the arguments as the loaded group, which becomes the command of the context."""
        context = self._load().make_context(info_name, args, parent, **extra)
        if not context.resilient_parsing:
            self._before()
        return context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the loaded group's commands."""
        return self._load().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the loaded group's command of this name."""
        return self._load().get_command(ctx, cmd_name)
