"""Throttling of password attempts, with lock times that grow with each failure, shared through Redis.

An attempt from an unknown place counts on two counters: the account's and the network's. A network or browser
from which a member signed in before has its own counter, so that attempts of others do not lock it. Each
attempt is counted before the password is checked and taken back when it was right, so that a thousand
simultaneous attempts are counted too (decision 040).
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
from dataclasses import dataclass
from typing import Any, cast

from app.platform import clock, crypto, redis_client, settings


@dataclass(frozen=True, slots=True)
class Rule:
    """Lock after `free` failures for `first_s` seconds, doubled with each further one up to `longest_s`.

    The counter is reset after `forget_s` seconds without an attempt.
    """

    free: int
    first_s: int = 30
    longest_s: int = 900
    forget_s: int = 24 * 3600


# Strangers at one account: some hundred tries a day at most, from however many addresses.
ACCOUNT = Rule(free=5)
# One address at all accounts together. An office shares one: it is forgiven sooner.
ADDRESS = Rule(free=20, forget_s=3600)
# Where the account's people signed in before: their own failures only.
FAMILIAR = Rule(free=20, forget_s=3600)
# Who is signed in and asked for the password once more.
PROOF = Rule(free=5, forget_s=3600)
# Letters to one reader, from any number of visitors.
LETTERS = Rule(free=3, first_s=60, longest_s=3600)

FAMILIAR_DAYS = 90
_FAMILIAR_MAX = 50

# KEYS are gates, of which the first ARGV[1] must be open; ARGV then has four numbers for each gate. Counts
# the try on every open gate, if those first ones are open. Answers whether they were, the longest wait of any
# gate before it was counted, and for each gate whether it was counted there.
_TRY = """
local time = redis.call('TIME')
local now, judged, open, wait, first = tonumber(time[1]), tonumber(ARGV[1]), {}, 0, true
for i, key in ipairs(KEYS) do
    local shut = tonumber(redis.call('HGET', key, 'until') or 0) - now
    open[i] = shut <= 0
    if shut > wait then wait = shut end
    if i <= judged and not open[i] then first = false end
end
local counted = {}
for i, key in ipairs(KEYS) do
    counted[i] = 0
    if first and open[i] then
        local free, start, most, forget = unpack(ARGV, i * 4 - 2, i * 4 + 1)
        local n = redis.call('HINCRBY', key, 'n', 1)
        if n >= tonumber(free) then
            local pause = math.min(tonumber(most), start * 2 ^ math.min(30, n - free))
            redis.call('HSET', key, 'until', string.format('%.0f', now + pause))
        end
        redis.call('EXPIRE', key, forget)
        counted[i] = 1
    end
end
return {first and 1 or 0, wait, counted}
"""
# Takes a try back that was none: the password was right. ARGV[1] is 1 where the first gate is somebody's own:
# what they failed there before is forgiven at the others too. ARGV then has two numbers for each gate:
# whether the try was counted there, and its free failures.
_TAKE_BACK = """
local own = ARGV[1] == '1' and tonumber(redis.call('HGET', KEYS[1], 'n') or 1) or 1
for i, key in ipairs(KEYS) do
    local counted = tonumber(ARGV[i * 2])
    local less = own - 1 + counted
    if less > 0 then
        local n = redis.call('HINCRBY', key, 'n', -less)
        if n < 1 then
            redis.call('DEL', key)
        elseif counted == 1 or n < tonumber(ARGV[i * 2 + 1]) then
            redis.call('HDEL', key, 'until')
        end
    end
end
"""

Gate = tuple[str, Rule]


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of counting an attempt.

    `wait` is the seconds that an unknown place would have to wait now, 0 without a lock. A wrong password is
    answered with it, so that nobody learns which counter is locked.
    """

    allowed: bool
    wait: int
    gates: tuple[Gate, ...]
    counted: tuple[bool, ...]
    own: bool

    def take_back(self) -> None:
        """Take the attempt back after a success; a familiar place's earlier failures are cleared too."""
        numbers = [
            int(n) for at, gate in zip(self.counted, self.gates, strict=True) for n in (at, gate[1].free)
        ]
        script = redis_client.client().register_script(_TAKE_BACK)
        script(keys=[_key(gate) for gate in self.gates], args=[int(self.own), *numbers])


def attempt(*gates: Gate, own: bool = False) -> Attempt:
    """Count an attempt that needs all `gates` open; with `own`, only the first."""
    numbers = [n for _, rule in gates for n in (rule.free, rule.first_s, rule.longest_s, rule.forget_s)]
    script = redis_client.client().register_script(_TRY)
    found = cast(Any, script(keys=[_key(gate) for gate in gates], args=[1 if own else len(gates), *numbers]))
    return Attempt(bool(found[0]), math.ceil(found[1]), gates, tuple(map(bool, found[2])), own)


def _key(gate: Gate) -> str:
    return f"gate:{gate[0]}"


@dataclass(frozen=True, slots=True)
class Origin:
    """The place of a sign-in to an account: the network, and the browser's token where it has one.

    Redis stores only keyed hashes of names and addresses.
    """

    account: str
    address: str
    browser: str | None

    def attempt(self) -> Attempt:
        """Count a sign-in attempt."""
        account, address = (f"account:{self.account}", ACCOUNT), (f"address:{self.address}", ADDRESS)
        own = self._familiar()
        if own is None:
            return attempt(account, address)
        return attempt((f"familiar:{self.account}:{own}", FAMILIAR), account, address, own=True)

    def knows_browser(self) -> bool:
        """Return whether this browser signed in to this account within `FAMILIAR_DAYS`."""
        return self.browser is not None and self._familiar() == self.browser

    def is_familiar(self) -> bool:
        """Return whether this browser or network signed in to this account within `FAMILIAR_DAYS`."""
        return self._familiar() is not None

    def remember(self) -> None:
        """Record a successful sign-in: failures of others no longer lock this place."""
        client, now = redis_client.client(), clock.epoch()
        marks = {mark: now for mark in (self.address, self.browser) if mark}
        with client.pipeline() as pipe:
            pipe.zadd(self._list, marks)
            pipe.zremrangebyscore(self._list, "-inf", now - FAMILIAR_DAYS * 86400)
            pipe.zremrangebyrank(self._list, 0, -_FAMILIAR_MAX - 1)
            pipe.expire(self._list, FAMILIAR_DAYS * 86400)
            pipe.execute()

    def _familiar(self) -> str | None:
        """Return the known mark of this origin, the browser's before the network's, which others share."""
        known = cast(list[bytes], redis_client.client().zrange(self._list, 0, -1))
        return next((mark for mark in (self.browser, self.address) if mark and mark.encode() in known), None)

    @property
    def _list(self) -> str:
        return f"familiar:{self.account}"


def origin(email: str, address: str | None, browser: str | None) -> Origin:
    """Return the origin of a sign-in; `browser` is the token in its cookie."""
    return Origin(
        account=_keyed("account", email.strip().lower()),
        address=_keyed("address", network(address)),
        browser=_keyed("browser", browser) if browser else None,
    )


def network(address: str | None) -> str:
    """Return the network that counts as one address: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return address or ""
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def _keyed(kind: str, value: str) -> str:
    key = crypto.service_key(settings.current().secret_key.get_secret_value(), "sign-in")
    # Lone surrogates come from badly coded forms.
    return hmac.new(key, f"{kind} {value}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:32]
