"""Shared by all commands: options, output and errors.

Commands import what they compute with when they run, so that help costs no more than Flask.
"""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

import click

if TYPE_CHECKING:
    from app.platform.postgres import db

P = ParamSpec("P")

as_json = click.option("--json", "json_output", is_flag=True, help="Answer one JSON object on the last line.")


of_account = click.option(
    "--account", "written", metavar="ACCOUNT", required=True, help="Its id, or its owner's e-mail address."
)


class LazyChoice(click.Choice[str]):
    """A choice whose values are imported when they are needed: for its own help, or to check a value."""

    def __init__(self, load: Callable[[], Sequence[str]]) -> None:
        """Take the function that imports and returns the values."""
        super().__init__(())
        self._load = load

    def __getattribute__(self, name: str) -> Any:
        """Return the imported values for `choices`."""
        return tuple(self._load()) if name == "choices" else super().__getattribute__(name)


def ready() -> None:
    """Check the settings that every command needs and configure the log, unless `create_app` did so.

    A missing or wrong setting ends the process with one sentence.
    """
    from app.platform import log, settings

    if log.is_configured():
        return
    try:
        config = settings.current()
        config.require("database_url", "redis_url", "secret_key")
    except settings.SettingsError as error:
        sys.exit(f"candado: {error}")
    log.configure(config.log_level)


def prints_result(command: Callable[P, dict[str, Any]]) -> Callable[P, None]:
    """Print a command's result as `name: value` lines or JSON; turn domain errors into one sentence.

    The command runs with access to the rows of all tenants (`rls.as_system`).
    """

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        import sqlalchemy as sa

        from app.platform import errors
        from app.platform.postgres import db, rls

        json_output = bool(kwargs.pop("json_output"))
        ready()
        try:
            with rls.as_system():
                found = command(*args, **kwargs)
        except errors.DomainError as error:
            raise click.ClickException(error.message) from None
        except sa.exc.OperationalError as error:
            if not db.is_unavailable(error):
                raise
            raise click.ClickException(
                "The database does not answer. Is the service running, and is DATA_DIR "
                "(or DATABASE_URL) its own?"
            ) from None
        if json_output:
            click.echo(json.dumps(found, ensure_ascii=False))
        else:
            for name, value in found.items():
                click.echo(f"{name}: {value}")

    return run


def account_id_of(session: db.Session, written: str) -> uuid.UUID:
    """Return the account id that `written` is, or whose owner has this e-mail address (decision 006).

    An id is not looked up.

    Raises:
        Invalid: It is neither, or the address of a member who is not an owner.
        NotFound: No member has this address.
    """
    from app import tenancy
    from app.platform import errors

    try:
        return uuid.UUID(written.strip())
    except ValueError:
        pass
    if "@" not in written:
        raise errors.Invalid("--account: must be an account's id or the e-mail address of its owner.")
    member = tenancy.find_member(session, written)
    if member is None:
        raise errors.NotFound(f"--account: nobody signs in with {written.strip()}.")
    if member.role != "owner":
        raise errors.Invalid(
            f"--account: {member.email} is not an owner (role {member.role}) of account {member.account_id}. "
            "Give that id, or an owner's address."
        )
    return member.account_id
