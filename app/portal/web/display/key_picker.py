"""Field to choose one key: a list with few keys, a search by name with many."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flask_babel import gettext
from sqlalchemy.orm import Session

from app import tenancy
from app.platform import clock, errors
from app.portal.web.display import status_labels
from app.portal.web.session import access

# More than a person reads through, and few enough for a page of some kilobytes.
OFFERED = 100
EVERY = tenancy.KeyFilter()


@dataclass(frozen=True, slots=True)
class Choice:
    """The state of the field.

    `keys` are all choices, or some suggestions where `many` is true. `typed` is the submitted text: an id,
    the beginning of a key, or a part of its name. `complaint` is set where it matches no key or several.
    `ends` says, by key id, why a key is not accepted.
    """

    keys: Sequence[tenancy.ApiKey]
    many: bool
    typed: str
    ends: Mapping[uuid.UUID, str]
    key: tenancy.ApiKey | None = None
    complaint: str | None = None

    @property
    def key_id(self) -> uuid.UUID | None:
        """Id of the chosen key."""
        return self.key.id if self.key else None

    @property
    def has_several(self) -> bool:
        """Whether there is something to choose."""
        return len(self.keys) > 1

    @property
    def offered(self) -> list[tuple[tenancy.ApiKey, bool]]:
        """The keys to choose from, each with whether it is the chosen one."""
        return [(key, key.id == self.key_id) for key in self.keys]

    @property
    def shown(self) -> str:
        """The text in the field: a chosen key by its unique beginning."""
        return self.key.key_prefix if self.key else self.typed


def choice(session: Session, typed: str | None, wanted: tenancy.KeyFilter = EVERY) -> Choice:
    """Return the key that was chosen among the account's keys that match `wanted`.

    Raises:
        NotFound: The id is of no such key, or of another account's.
    """
    typed, now = (typed or "").strip(), clock.now()
    account_id = access.current_member().account_id
    page = tenancy.keys_page(session, account_id, wanted, now=now, limit=OFFERED)
    found = Choice(page.rows, page.more is not None, typed, _ends(session, page.rows))
    if not typed or "\x00" in typed:
        return found
    try:
        key_id = uuid.UUID(typed)
    except ValueError:
        return _searched(session, found, wanted)
    named = tenancy.keys_page(session, account_id, replace(wanted, key_id=key_id), now=now, limit=1)
    if not named.rows:
        raise errors.NotFound("There is no API key with this id.")
    return replace(found, key=named.rows[0])


def _searched(session: Session, found: Choice, wanted: tenancy.KeyFilter) -> Choice:
    fitting = tenancy.keys_page(
        session,
        access.current_member().account_id,
        replace(wanted, text=found.typed),
        now=clock.now(),
        limit=OFFERED,
    )
    exact = [key for key in fitting.rows if found.typed in (key.name, key.key_prefix)]
    meant = exact if len(exact) == 1 else fitting.rows
    if len(meant) == 1:
        return replace(found, key=meant[0])
    if not meant:
        return replace(found, complaint=gettext("No key has this name or prefix."))
    complaint = (
        gettext("More than %(n)s keys match. Type more of the name, or the prefix of the key.", n=OFFERED)
        if fitting.more
        else gettext("%(n)s keys match. Choose one of them, or type more of the name.", n=len(meant))
    )
    return replace(found, keys=fitting.rows, ends=_ends(session, fitting.rows), complaint=complaint)


def _ends(session: Session, rows: Sequence[tenancy.ApiKey]) -> dict[uuid.UUID, str]:
    found = tenancy.key_statuses(session, access.current_member().account_id, rows, now=clock.now())
    return {key_id: status_labels.key_end(one) for key_id, one in found.items()}
